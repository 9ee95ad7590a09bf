//! The joints of a robot as its file has them.

use glam::{DQuat, DVec3};

use crate::body::CoordinateClip;
use crate::pose::Pose;

/// Links that joints hold together, from a file that says so.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    pub name: String,
    /// Node of the link on which all others hang.
    pub base: u32,
    /// Nodes of all links, in the order of the file.
    pub links: Vec<u32>,
    /// Those that turn or slide, in the order of the file.
    pub joints: Vec<RobotJoint>,
}

/// A joint with one coordinate.
#[derive(Clone, Debug)]
pub struct RobotJoint {
    pub name: String,
    /// The node that carries the joint, in the parent link.
    pub frame: u32,
    /// The node of the child link.
    pub child: u32,
    /// Child link → parent link where the coordinate is 0.
    pub origin: Pose,
    /// Unit length, child link.
    pub axis: DVec3,
    /// Whether it turns about the axis; else it slides along it.
    pub turns: bool,
    /// rad or m; infinite where there is no limit.
    pub range: [f64; 2],
    /// N·m or N; infinite where nothing is said.
    pub effort: f64,
    /// rad/s or m/s, infinite where nothing is said.
    pub velocity: f64,
    /// rad or m
    pub coordinate: f64,
    /// The joint that it follows.
    pub mimic: Option<Mimic>,
    /// Its coordinate over time, where a table says it.
    pub clip: Option<CoordinateClip>,
}

/// `multiplier` · the coordinate of another joint + `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// Index into the robot's joints.
    pub joint: u32,
    pub multiplier: f64,
    pub offset: f64,
}

impl RobotJoint {
    /// Child link → parent link.
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
