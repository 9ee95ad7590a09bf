//! Joints with six degrees of freedom, each free, locked, limited or driven: the general joint of
//! KHR_physics_rigid_bodies, of which hinge, slider, ball and fixed joint are cases.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::pose::Pose;

/// In place of a body index: the joint holds on to the world.
pub const WORLD: u32 = u32::MAX;

/// A constraint between a frame on body a and a frame on body b.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    pub name: String,
    /// Body indices, or [`WORLD`].
    pub a: u32,
    pub b: u32,
    /// Joint frame → body space of a (or world).
    pub frame_a: Pose,
    /// Joint frame → body space of b (or world).
    pub frame_b: Pose,
    /// Position of frame b's origin along x, y, z of frame a, m.
    pub linear: [JointAxis; 3],
    /// Rotation of frame b seen from frame a about x (twist), y and z (swing), rad.
    pub angular: [JointAxis; 3],
    /// Largest angle between the x axes of the two frames, rad: a cone in place of two swing ranges.
    pub cone: Option<f64>,
    /// Bounds on how far apart the origins of the frames are, over several linear axes.
    #[serde(default)]
    pub distance: Option<Distance>,
    /// Largest torque with which the joint resists turning, N·m.
    pub friction: f64,
    /// Whether the two bodies collide with each other.
    pub collide: bool,
    #[serde(default)]
    pub pose_drive: Option<PoseDrive>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointAxis {
    pub range: AxisRange,
    pub soft: Option<SoftLimit>,
    pub drive: Option<Drive>,
    /// The whole turns at the start, which the poses of the bodies do not show; of an angular axis only.
    #[serde(default)]
    pub turns: i32,
}

/// What a joint allows along or about one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum AxisRange {
    #[default]
    Free,
    Locked,
    /// m or rad; either may be infinite.
    Limited {
        min: f64,
        max: f64,
    },
}

/// Bounds on the length of the offset from frame a's origin to frame b's along some axes of frame a: within a
/// sphere over all three, around a line over two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    pub axes: [bool; 3],
    /// m; `max` may be infinite.
    pub min: f64,
    pub max: f64,
    pub soft: Option<SoftLimit>,
}

/// A limit that gives: N/m and N·s/m, or N·m/rad and N·m·s/rad.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftLimit {
    pub stiffness: f64,
    pub damping: f64,
}

/// What a drive's stiffness and damping produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriveKind {
    Force,
    /// Independent of the mass it moves.
    Acceleration,
}

/// A spring-damper towards a position and velocity: `stiffness·(p* − p) + damping·(v* − v)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    pub kind: DriveKind,
    pub position_target: f64,
    /// The speed with which the position target moves on in a pass, m/s or rad/s.
    #[serde(default)]
    pub target_speed: f64,
    pub velocity_target: f64,
    pub stiffness: f64,
    pub damping: f64,
    /// N or N·m; infinite when unlimited.
    pub max_force: f64,
}

/// A spring-damper towards a pose of frame b seen from frame a: along and about all axes at once, the shorter
/// way round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseDrive {
    pub kind: DriveKind,
    /// Frame b → frame a, at the start of a pass.
    pub target: Pose,
    /// With which the target moves on during the pass, along and about the axes of frame a: m/s, rad/s.
    pub linear_velocity: DVec3,
    pub angular_velocity: DVec3,
    /// Without stiffness and damping there is none.
    pub linear: Spring,
    pub angular: Spring,
}

/// N/m, N·s/m and N, or N·m/rad, N·m·s/rad and N·m; of an acceleration drive the first two are 1/s² and 1/s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    pub stiffness: f64,
    pub damping: f64,
    /// Infinite when unlimited.
    pub max_force: f64,
}

impl Joint {
    /// Along (0–2) or about (3–5) an axis of frame a.
    pub fn axis(&self, index: u32) -> &JointAxis {
        if index < 3 { &self.linear[index as usize] } else { &self.angular[index as usize - 3] }
    }

    /// Along (0–2) or about (3–5) an axis of frame a.
    pub fn axis_mut(&mut self, index: u32) -> &mut JointAxis {
        if index < 3 { &mut self.linear[index as usize] } else { &mut self.angular[index as usize - 3] }
    }

    /// Returns whether a drive or a spring acts between the bodies.
    pub(crate) fn is_driven(&self) -> bool {
        let acts = |axis: &JointAxis| axis.drive.is_some() || axis.soft.is_some();
        let is_elastic = self.distance.is_some_and(|distance| distance.soft.is_some());
        is_elastic || self.pose_drive.is_some() || self.linear.iter().chain(&self.angular).any(acts)
    }

    /// Returns whether the drive of an axis takes it somewhere, or asks for an acceleration: what hangs
    /// together moves as one then.
    pub(crate) fn is_held_by_drive(&self) -> bool {
        let drives = |drive: Drive| drive.stiffness > 0.0 || drive.kind == DriveKind::Acceleration;
        let holds = |axis: &JointAxis| axis.drive.is_some_and(drives);
        self.linear.iter().chain(&self.angular).any(holds)
    }

    /// Returns whether the joint holds a point of one body at a point of the other: the three linear axes are
    /// locked and none of them gives.
    pub(crate) fn has_hard_point(&self) -> bool {
        self.linear.iter().all(|l| l.range == AxisRange::Locked && l.soft.is_none())
    }

    /// What the solver cannot take, if anything: a number that is none, a range that is empty, a spring or a
    /// limit of a force below zero.
    pub fn fault(&self) -> Option<&'static str> {
        if !self.linear.iter().chain(&self.angular).all(|axis| axis.range.is_valid()) {
            return Some("a range of it is empty");
        }
        if !self.distance.is_none_or(|distance| distance.is_valid()) {
            return Some("its distance is not one");
        }
        let of_distance = self.distance.and_then(|distance| distance.soft);
        let axes = self.linear.iter().chain(&self.angular);
        let mut soft = axes.filter_map(|axis| axis.soft).chain(of_distance);
        if !soft.all(|s| is_spring(s.stiffness, s.damping)) {
            return Some("a limit of it is softened by no spring");
        }
        let drives = self.linear.iter().chain(&self.angular).filter_map(|axis| axis.drive);
        if !drives.into_iter().all(|d| d.is_valid()) || !self.pose_drive.is_none_or(|d| d.is_valid()) {
            return Some("its drive is not one");
        }
        // What is no number is not at least zero.
        if !(self.friction >= 0.0 && self.cone.is_none_or(|angle| angle >= 0.0)) {
            return Some("its friction or its cone is not at least 0");
        }
        None
    }
}

impl AxisRange {
    fn is_valid(&self) -> bool {
        match *self {
            Self::Free | Self::Locked => true,
            Self::Limited { min, max } => min <= max && min < f64::INFINITY && max > f64::NEG_INFINITY,
        }
    }
}

impl Distance {
    fn is_valid(&self) -> bool {
        self.axes.contains(&true) && 0.0 <= self.min && self.min <= self.max && self.min < f64::INFINITY
    }
}

impl Drive {
    fn is_valid(&self) -> bool {
        self.position_target.is_finite()
            && self.target_speed.is_finite()
            && self.velocity_target.is_finite()
            && is_spring(self.stiffness, self.damping)
            && self.max_force >= 0.0
    }
}

impl PoseDrive {
    fn is_valid(&self) -> bool {
        let springs = [self.linear, self.angular];
        self.target.is_rigid()
            && self.linear_velocity.is_finite()
            && self.angular_velocity.is_finite()
            && springs.iter().all(|s| is_spring(s.stiffness, s.damping) && s.max_force >= 0.0)
    }
}

fn is_spring(stiffness: f64, damping: f64) -> bool {
    [stiffness, damping].iter().all(|x| x.is_finite() && *x >= 0.0)
}

impl Spring {
    pub const NONE: Self = Self { stiffness: 0.0, damping: 0.0, max_force: 0.0 };
}
