//! The joints of a robot as its file defines them.

use glam::{DQuat, DVec3};

use crate::body::CoordinateClip;
use crate::pose::Pose;

/// Links that joints connect, from a file that defines them.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    pub name: String,
    /// Node of the root link.
    pub base: u32,
    /// Nodes of all links, in the order of the file.
    pub links: Vec<u32>,
    /// Revolute and prismatic joints, in the order of the file.
    pub joints: Vec<RobotJoint>,
}

/// A joint with one coordinate.
#[derive(Clone, Debug)]
pub struct RobotJoint {
    pub name: String,
    /// Node of the joint's frame, in the parent link.
    pub frame: u32,
    /// The node of the child link.
    pub child: u32,
    /// Transform child link → parent link at coordinate 0.
    pub origin: Pose,
    /// Axis of unit length, in the child link.
    pub axis: DVec3,
    /// Whether the joint is revolute; otherwise it is prismatic.
    pub turns: bool,
    /// Limits, rad or m; infinite if there are none.
    pub range: [f64; 2],
    /// Largest effort, N·m or N; infinite if unspecified.
    pub effort: f64,
    /// Largest velocity, rad/s or m/s; infinite if unspecified.
    pub velocity: f64,
    /// Coordinate, rad or m.
    pub coordinate: f64,
    /// Joint that it follows.
    pub mimic: Option<Mimic>,
    /// Coordinate over time, if a table specifies it.
    pub clip: Option<CoordinateClip>,
}

/// Dependency on another joint: `multiplier` · its coordinate + `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// Index into the robot's joints.
    pub joint: u32,
    pub multiplier: f64,
    pub offset: f64,
}

impl RobotJoint {
    /// Returns the transform child link → parent link.
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
