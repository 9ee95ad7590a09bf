//! Aims of a joint's rows: per row the wanted velocity, the compliance, and the bounds of the impulse.

use super::joint_frames::{Frames, Row};
use super::settings::Softness;
use super::spring_law::{SpringLaw, Swing, stiffly};
use crate::body::{AxisRange, Distance, Drive, DriveKind, Joint, JointAxis};

/// Impulse of a joint that a row changes. Axes 0–2 are translations along, 3–5 rotations about the axes
/// of frame a.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// Row of a hard point along a world axis. Each end acts at the origin of its own frame.
    Point(usize),
    Axis(usize),
    Drive(usize),
    Cone,
    Distance,
    /// Row along a world axis.
    PoseLinear(usize),
    /// Row about a world axis.
    PoseAngular(usize),
}

impl Slot {
    /// Returns the axis of the drive if this slot belongs to a drive that sets an acceleration.
    pub fn accelerates(self, joint: &Joint) -> Option<usize> {
        let Self::Drive(index) = self else { return None };
        let drive = joint.axis(index as u32).drive?;
        (drive.kind == DriveKind::Acceleration).then_some(index)
    }
}

/// Aim of a row: its wanted velocity or position, and the reason.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// No effect: the row has no impulse.
    Slack,
    /// Zero position error, by an impulse of either sign. `error`: present error, m or rad.
    Lock {
        error: f64,
    },
    /// One-sided limit. `room`: distance that the row may still move along `sign`; negative beyond the
    /// limit.
    Limit {
        room: f64,
        sign: f64,
    },
    Spring(Pull),
}

/// Spring and damper in units of force, at the pose of the rows.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    /// Distance to the target, m or rad.
    pub stretch: f64,
    /// Velocity of the target itself, by which the distance grows.
    pub drift: f64,
    /// Velocity that the damper seeks.
    pub velocity: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub max_force: f64,
}

/// Equation of a row: velocity + bias + gives · impulse = 0, with the impulse of the present half of the
/// sub-step. `low` and `high` bound the impulse of the whole sub-step.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// Bias velocity, m/s or rad/s.
    pub bias: f64,
    /// Compliance: velocity per unit of impulse.
    pub gives: f64,
    pub low: f64,
    pub high: f64,
    /// Softness of the row if joints are solved one after the other.
    pub softness: Softness,
}

impl Aim {
    /// Returns the error of a locked coordinate, m or rad.
    pub fn error(self) -> Option<f64> {
        if let Self::Lock { error } = self { Some(error) } else { None }
    }

    /// Returns the distance of a spring to its target, m or rad; 0 for other aims.
    pub fn stretch(self) -> f64 {
        if let Self::Spring(pull) = self { pull.stretch } else { 0.0 }
    }

    /// Returns whether sub-steps of `h` seconds cannot follow a spring undamped. `response`: velocity that
    /// an impulse of 1 along the row adds.
    pub fn is_stiff(self, response: f64, h: f64) -> bool {
        matches!(self, Self::Spring(pull) if stiffly(pull.stiffness, response, h) > 0.0)
    }

    /// Returns the equation of the row; `None` if the row has no impulse. `began`: the spring's
    /// [`Self::stretch`] at the start of the sub-step.
    pub fn terms(self, softness: Softness, began: f64, swing: Swing) -> Option<Terms> {
        let h = swing.h;
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        let terms = match self {
            Self::Slack => return None,
            Self::Lock { error } => {
                Terms { bias: softness.bias_rate * error, gives: 0.0, low, high, softness }
            }
            Self::Limit { room, sign } => {
                let (bias, softness) = if room > 0.0 {
                    (-room / h, Softness::RIGID)
                } else {
                    (-softness.bias_rate * room, softness)
                };
                let (low, high) = if sign > 0.0 { (low, 0.0) } else { (0.0, high) };
                Terms { bias: sign * bias, gives: 0.0, low, high, softness }
            }
            Self::Spring(Pull { stretch, drift, velocity, stiffness, damping, max_force }) => {
                let law = SpringLaw::new(stiffness, damping, swing)?;
                let bias = law.bias([stretch, began], drift, velocity);
                let most = max_force * h;
                Terms { bias, gives: law.gives, low: -most, high: most, softness: Softness::RIGID }
            }
        };
        Some(terms)
    }
}

/// Returns the number of rows of a joint: drives, bounds, cone, distance and pose drive.
pub(super) fn count_rows(joint: &Joint) -> usize {
    let axes = || joint.linear.iter().chain(&joint.angular);
    let drives = axes().filter(|axis| axis.drive.is_some()).count();
    let bounds = axes().filter(|axis| axis.range != AxisRange::Free).count();
    let together = usize::from(joint.cone.is_some()) + usize::from(joint.distance.is_some());
    drives + bounds + together + if joint.pose_drive.is_some() { 6 } else { 0 }
}

impl Frames {
    /// Calls `each` with the drives of single axes. `scales`: factors that convert drives to forces or
    /// torques. `spent`: time since the start of the pass, s.
    pub fn drive_rows(
        &self,
        joint: &Joint,
        (scales, spent): (&[f64; 6], f64),
        mut each: impl FnMut(Slot, Row, Aim),
    ) {
        for (index, axis) in joint.linear.iter().chain(&joint.angular).enumerate() {
            if let Some(drive) = &axis.drive {
                let aim = drive_aim(drive, (scales[index], spent), self.driven_coordinate(index, axis));
                each(Slot::Drive(index), self.row(index), aim);
            }
        }
    }

    /// Calls `each` with the rows that lock and limit the joint, except those of a hard point. The
    /// order is cone, distance, rotation, translation.
    pub fn bound_rows(&self, joint: &Joint, mut each: impl FnMut(Slot, Row, Aim)) {
        if let Some(cone) = joint.cone {
            let cosine = self.swing_a.dot(self.swing_b);
            let angle = libm::atan2(self.swing_a.cross(self.swing_b).length(), cosine);
            each(Slot::Cone, self.cone_row(), Aim::Limit { room: cone - angle, sign: 1.0 });
        }
        if let Some(distance) = &joint.distance {
            let (length, row) = self.distance();
            each(Slot::Distance, row, distance_aim(distance, length));
        }
        let first = if joint.has_hard_point() { 3 } else { 0 };
        for index in (3..6).chain(first..3) {
            let axis = if index < 3 { &joint.linear[index] } else { &joint.angular[index - 3] };
            if axis.range != AxisRange::Free {
                each(
                    Slot::Axis(index),
                    self.row(index),
                    bound_aim(axis, self.limited_coordinate(index, axis)),
                );
            }
        }
    }
}

/// Returns the aim of a locked or limited coordinate.
fn bound_aim(axis: &JointAxis, coordinate: f64) -> Aim {
    let (error, sign) = match axis.range {
        AxisRange::Free => return Aim::Slack,
        AxisRange::Locked => (coordinate, 0.0),
        AxisRange::Limited { min, max } if coordinate - min < max - coordinate => (coordinate - min, -1.0),
        AxisRange::Limited { max, .. } => (coordinate - max, 1.0),
    };
    match (axis.soft, sign) {
        // A soft limit acts only beyond its bound.
        (Some(_), sign) if sign != 0.0 && error * sign < 0.0 => Aim::Slack,
        (Some(soft), _) => Aim::Spring(Pull {
            stretch: -error,
            drift: 0.0,
            velocity: 0.0,
            stiffness: soft.stiffness,
            damping: soft.damping,
            max_force: f64::INFINITY,
        }),
        (None, 0.0) => Aim::Lock { error },
        (None, sign) => Aim::Limit { room: -error * sign, sign },
    }
}

/// Returns the aim of a distance joint whose present distance is `length` (m).
fn distance_aim(distance: &Distance, length: f64) -> Aim {
    let Distance { min, max, soft, .. } = *distance;
    let (range, coordinate) = if min == max {
        (AxisRange::Locked, length - max)
    } else {
        // Without a minimum, a body may pass through the middle and come out on the other side.
        (AxisRange::Limited { min: if min > 0.0 { min } else { f64::NEG_INFINITY }, max }, length)
    };
    bound_aim(&JointAxis { range, soft, ..JointAxis::default() }, coordinate)
}

fn drive_aim(drive: &Drive, (scale, spent): (f64, f64), coordinate: f64) -> Aim {
    Aim::Spring(Pull {
        stretch: drive.position_target + drive.target_speed * spent - coordinate,
        drift: drive.target_speed,
        velocity: drive.velocity_target,
        stiffness: scale * drive.stiffness,
        damping: scale * drive.damping,
        max_force: drive.max_force,
    })
}
