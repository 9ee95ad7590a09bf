//! Links and joints as a URDF file says them, each with its line.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use crate::pose::Pose;

/// A file of a robot.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub said: Said,
}

/// Details of a file that are not done as it says, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// How the text differs from that of the file.
    pub of_text: Vec<String>,
    /// Elements that are not read: how often each is there.
    pub left_out: BTreeMap<String, usize>,
    /// Elements that stand where the first of their kind is taken, likewise.
    pub doubled: BTreeMap<String, usize>,
    /// Vectors whose numbers have commas between them.
    pub comma_count: usize,
    /// Scales that have one number for all axes, or one too many.
    pub scale_count: usize,
    /// Planes, which become slabs.
    pub plane_count: usize,
    /// Shapes without a size, by their links.
    pub sizeless: Vec<String>,
    /// Joints whose lower limit is above their upper one.
    pub crossed: Vec<String>,
    /// Joints whose effort or velocity is not above 0.
    pub unlimited: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Link {
    pub name: String,
    /// In the file, from 1.
    pub line: usize,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<Surface>,
    pub collisions: Vec<Surface>,
}

/// Mass (kg), its center in the link (m) and inertia about it along the link's axes (kg·m²).
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertial {
    pub mass: f64,
    pub center: DVec3,
    pub inertia: DMat3,
}

#[derive(Clone, Debug)]
pub(super) struct Surface {
    /// In the file, from 1.
    pub line: usize,
    /// Surface → link.
    pub origin: Pose,
    pub shape: Shape,
    /// sRGB
    pub color: Option<[u8; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Box {
        size: DVec3,
    },
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Everything below the origin, without end.
    Plane {
        normal: DVec3,
    },
    Mesh {
        file: String,
        scale: DVec3,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
    Spherical,
}

impl JointKind {
    /// Whether a joint of this kind has one coordinate.
    pub fn has_coordinate(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

#[derive(Debug)]
pub(super) struct Joint {
    pub name: String,
    /// In the file, from 1.
    pub line: usize,
    pub kind: JointKind,
    pub parent: String,
    pub child: String,
    /// Child → parent link.
    pub origin: Pose,
    /// Unit length.
    pub axis: DVec3,
    /// rad or m; `None` where no limit is said.
    pub range: Option<[f64; 2]>,
    pub effort: Option<f64>,
    pub velocity: Option<f64>,
    /// N·m or N
    pub friction: f64,
    pub damping: f64,
    pub mimic: Option<Mimic>,
}

#[derive(Debug)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}
