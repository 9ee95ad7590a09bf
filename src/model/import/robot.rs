//! Joints of a robot as its file defines them.

use glam::{DQuat, DVec3};

use crate::body::CoordinateClip;
use crate::pose::Pose;

/// Links and joints of a robot, from a file that defines them.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    pub name: String,
    /// Node of the root link.
    pub base: u32,
    /// Nodes of all links, in the order of the file.
    pub links: Vec<u32>,
    /// Joints that turn or slide, in the order of the file.
    pub joints: Vec<RobotJoint>,
}

/// Joint with one coordinate: an angle or a distance.
#[derive(Clone, Debug)]
pub struct RobotJoint {
    pub name: String,
    /// Node of the joint's frame, in the parent link.
    pub frame: u32,
    /// Node of the child link.
    pub child: u32,
    /// Transform from the child link to the parent link at coordinate 0.
    pub origin: Pose,
    /// Axis in the child link, unit length.
    pub axis: DVec3,
    /// Whether the joint is revolute; if not, it is prismatic.
    pub turns: bool,
    /// Limits of the coordinate, rad or m; infinite if unspecified.
    pub range: [f64; 2],
    /// Largest effort, N·m or N; infinite if unspecified.
    pub effort: f64,
    /// Largest velocity, rad/s or m/s; infinite if unspecified.
    pub velocity: f64,
    /// Present coordinate, rad or m.
    pub coordinate: f64,
    /// Joint that this joint follows, if any.
    pub mimic: Option<Mimic>,
    /// Coordinate over time, if a table specifies one.
    pub clip: Option<CoordinateClip>,
}

/// Rule of a joint that follows another: its coordinate is `multiplier` times that of the other, plus
/// `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// Index of the followed joint in the robot's joints.
    pub joint: u32,
    pub multiplier: f64,
    pub offset: f64,
}

impl RobotJoint {
    /// Returns the transform from the child link to the parent link at the present coordinate.
    pub fn transform(&self) -> Pose {
        if self.turns {
            let half = 0.5 * self.coordinate;
            let turned = DQuat::from_vec4((self.axis * libm::sin(half)).extend(libm::cos(half)));
            Pose::new(self.origin.rotation * turned, self.origin.position)
        } else {
            let moved = self.origin.transform_point(self.axis * self.coordinate);
            Pose::new(self.origin.rotation, moved)
        }
    }
}
