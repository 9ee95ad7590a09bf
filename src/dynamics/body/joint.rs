//! Joints with six degrees of freedom, each free, locked, limited or driven: the general joint of
//! KHR_physics_rigid_bodies. Hinge, slider, ball and fixed joint are special cases.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::pose::Pose;

/// Index that stands for the world in place of a body that a joint connects.
pub const WORLD: u32 = u32::MAX;

/// Constraint between a frame on body a and a frame on body b.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    pub name: String,
    /// Index of body a, or [`WORLD`].
    pub a: u32,
    /// Index of body b, or [`WORLD`].
    pub b: u32,
    /// Transformation from the joint frame to the body space of a (or the world).
    pub frame_a: Pose,
    /// Transformation from the joint frame to the body space of b (or the world).
    pub frame_b: Pose,
    /// Position of frame b's origin along x, y, z of frame a, m.
    pub linear: [JointAxis; 3],
    /// Rotation of frame b relative to frame a about x (twist), y and z (swing), rad.
    pub angular: [JointAxis; 3],
    /// Largest angle between the x axes of the two frames, rad. Such a cone replaces two swing ranges.
    pub cone: Option<f64>,
    /// Bounds on the distance between the frames' origins, measured over several linear axes.
    #[serde(default)]
    pub distance: Option<Distance>,
    /// Largest torque by which the joint resists rotation, N·m.
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
    /// Whole turns at the start, which the poses of the bodies do not show; only for an angular axis.
    #[serde(default)]
    pub turns: i32,
}

/// Allowed range along or about one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum AxisRange {
    #[default]
    Free,
    Locked,
    /// Limits, m or rad; either may be infinite.
    Limited {
        min: f64,
        max: f64,
    },
}

/// Bounds on the length of the offset from frame a's origin to frame b's along some axes of frame a:
/// within a sphere for three axes, around a line for two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    pub axes: [bool; 3],
    /// Least distance, m.
    pub min: f64,
    /// Largest distance, m; may be infinite.
    pub max: f64,
    pub soft: Option<SoftLimit>,
}

/// Stiffness and damping of a soft limit: N/m and N·s/m, or N·m/rad and N·m·s/rad.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftLimit {
    pub stiffness: f64,
    pub damping: f64,
}

/// Quantity that a drive's stiffness and damping determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriveKind {
    Force,
    /// Acceleration, independent of the driven mass.
    Acceleration,
}

/// Spring-damper towards a position and a velocity: `stiffness·(p* − p) + damping·(v* − v)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    pub kind: DriveKind,
    pub position_target: f64,
    /// Speed of the position target during a pass, m/s or rad/s.
    #[serde(default)]
    pub target_speed: f64,
    pub velocity_target: f64,
    pub stiffness: f64,
    pub damping: f64,
    /// Largest force, N or N·m; infinite if unlimited.
    pub max_force: f64,
}

/// Spring-damper towards a pose of frame b relative to frame a, along and about all axes at once, by
/// the shorter rotation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseDrive {
    pub kind: DriveKind,
    /// Target pose of frame b in frame a at the start of a pass.
    pub target: Pose,
    /// Linear velocity of the target during the pass, along the axes of frame a, m/s.
    pub linear_velocity: DVec3,
    /// Angular velocity of the target during the pass, about the axes of frame a, rad/s.
    pub angular_velocity: DVec3,
    /// Linear spring; absent if stiffness and damping are zero.
    pub linear: Spring,
    /// Angular spring; absent if stiffness and damping are zero.
    pub angular: Spring,
}

/// Spring in N/m, N·s/m and N, or in N·m/rad, N·m·s/rad and N·m. For an acceleration drive the first
/// two are 1/s² and 1/s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    pub stiffness: f64,
    pub damping: f64,
    /// Largest force or torque; infinite if unlimited.
    pub max_force: f64,
}

impl Joint {
    /// Returns the axis `index` of frame a: along (0–2) or about (3–5) it.
    #[inline]
    pub fn axis(&self, index: u32) -> &JointAxis {
        if index < 3 { &self.linear[index as usize] } else { &self.angular[index as usize - 3] }
    }

    /// Returns the axis `index` of frame a for modification: along (0–2) or about (3–5) it.
    #[inline]
    pub fn axis_mut(&mut self, index: u32) -> &mut JointAxis {
        if index < 3 { &mut self.linear[index as usize] } else { &mut self.angular[index as usize - 3] }
    }

    /// Returns whether a drive or a spring acts between the bodies.
    #[inline]
    pub fn is_driven(&self) -> bool {
        let acts = |axis: &JointAxis| axis.drive.is_some() || axis.soft.is_some();
        let is_elastic = self.distance.is_some_and(|distance| distance.soft.is_some());
        is_elastic || self.pose_drive.is_some() || self.linear.iter().chain(&self.angular).any(acts)
    }

    /// Returns whether the joint leaves no motion between its bodies and nothing drives it.
    #[inline]
    pub(crate) fn is_weld(&self) -> bool {
        let is_hard = |axis: &JointAxis| axis.range.is_zero() && axis.soft.is_none() && axis.drive.is_none();
        let is_plain = self.pose_drive.is_none() && self.distance.is_none();
        is_plain && self.linear.iter().chain(&self.angular).all(is_hard)
    }

    /// Returns whether the joint fixes a point of one body to a point of the other: the three linear
    /// axes are locked and none is soft.
    #[inline]
    pub(crate) fn has_hard_point(&self) -> bool {
        self.linear.iter().all(|l| l.range == AxisRange::Locked && l.soft.is_none())
    }

    /// Returns a fault that the solver cannot accept, if any: a NaN, an empty range, or a negative
    /// spring constant or force limit.
    pub fn fault(&self) -> Option<&'static str> {
        if !self.linear.iter().chain(&self.angular).all(|axis| axis.range.is_valid()) {
            return Some("one of its ranges is empty");
        }
        if !self.distance.is_none_or(|distance| distance.is_valid()) {
            return Some("its distance limit is invalid");
        }
        let of_distance = self.distance.and_then(|distance| distance.soft);
        let axes = self.linear.iter().chain(&self.angular);
        let mut soft = axes.filter_map(|axis| axis.soft).chain(of_distance);
        if !soft.all(|s| is_spring(s.stiffness, s.damping)) {
            return Some("one of its soft limits has an invalid spring");
        }
        let drives = self.linear.iter().chain(&self.angular).filter_map(|axis| axis.drive);
        if !drives.into_iter().all(|d| d.is_valid()) || !self.pose_drive.is_none_or(|d| d.is_valid()) {
            return Some("its drive is invalid");
        }
        // Comparisons with NaN are false.
        if !(self.friction >= 0.0 && self.cone.is_none_or(|angle| angle >= 0.0)) {
            return Some("its friction or its cone angle is negative or not a number");
        }
        None
    }
}

impl AxisRange {
    /// Returns whether the coordinate can only be 0.
    fn is_zero(&self) -> bool {
        *self == Self::Locked || *self == Self::Limited { min: 0.0, max: 0.0 }
    }

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
