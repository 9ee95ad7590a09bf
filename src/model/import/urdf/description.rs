//! Links and joints as a URDF file describes them, with their lines.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use crate::pose::Pose;

/// Contents of a URDF file.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub said: Deviations,
}

/// Details of a file that are ignored or changed, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Deviations {
    /// Differences of the parsed text from the file.
    pub of_text: Vec<String>,
    /// Number of ignored elements by name.
    pub left_out: BTreeMap<String, usize>,
    /// Number of repeated elements by name, of kinds of which only the first element is used.
    pub doubled: BTreeMap<String, usize>,
    /// Number of vectors with commas between their numbers.
    pub comma_count: usize,
    /// Number of scales of a mesh with one number for all axes, or with four numbers.
    pub scale_count: usize,
    /// Number of infinite planes, which become slabs.
    pub plane_count: usize,
    /// Links with a shape that has no size, which is left out.
    pub sizeless: Vec<String>,
    /// Joints whose lower limit is above their upper limit.
    pub crossed: Vec<String>,
    /// Joints whose effort or velocity is not above 0.
    pub unlimited: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Link {
    pub name: String,
    /// Line in the file, from 1.
    pub line: usize,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<LinkGeometry>,
    pub collisions: Vec<LinkGeometry>,
}

/// Mass (kg), center of mass in the link (m), and inertia about that center along the link's axes
/// (kg·m²).
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertial {
    pub mass: f64,
    pub center: DVec3,
    pub inertia: DMat3,
}

#[derive(Clone, Debug)]
pub(super) struct LinkGeometry {
    /// Line in the file, from 1.
    pub line: usize,
    /// Transform from the surface to the link.
    pub origin: Pose,
    pub shape: Shape,
    /// Color in sRGB.
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
    /// Half-space below an infinite plane through the origin.
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
    /// Returns whether a joint of this kind has exactly one coordinate.
    pub fn has_coordinate(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

#[derive(Debug)]
pub(super) struct Joint {
    pub name: String,
    /// Line in the file, from 1.
    pub line: usize,
    pub kind: JointKind,
    pub parent: String,
    pub child: String,
    /// Transform from the child link to the parent link at coordinate 0.
    pub origin: Pose,
    /// Axis in the child link, unit length.
    pub axis: DVec3,
    /// Limits, rad or m; `None` if unspecified.
    pub range: Option<[f64; 2]>,
    pub effort: Option<f64>,
    pub velocity: Option<f64>,
    /// Friction: torque (N·m) of a turning joint, force (N) of a sliding joint.
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
