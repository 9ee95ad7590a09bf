//! Appearance of a scene: the colors of its surfaces, and the surfaces that are drawn in place of those
//! that collide. It does not affect a step.
//!
//! A body is either drawn as it collides, or fully by [`DrawnSurface`]s: the skin of a figure, whose
//! links are rigid, or the visual meshes of a part that has other colliders in its file.

use glam::{DAffine3, Vec3};
use serde::{Deserialize, Serialize};

use crate::import::model::{CornerColors, Influence};

/// Colors of a surface, sRGB. `Corners` has an entry per triangle: for a body's mesh, as it was before
/// repair; for a drawn surface, as it is. Repair drops some triangles of a mesh and flips others, and
/// the entries follow: corner `k` of triangle `t` has the color `corners[source[t]][k]`
/// ([`Surface::source`](crate::mesh::Surface::source)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Paint {
    Plain([u8; 3]),
    Corners(Vec<CornerColors>),
}

/// Surface that is drawn but never collides. One without triangles hides the body that it follows,
/// because another surface shows that body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnSurface {
    pub name: String,
    /// Positions in the space of the followed body, or the world, m.
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Index into the scene's paints.
    pub paint: u32,
    pub follows: Follows,
}

/// Source of a drawn surface's pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Follows {
    /// Pose of a body; positions are in body space.
    Body(u32),
    /// No motion; positions are in world space.
    World,
    /// Blend of joint poses.
    Joints(Skinning),
}

/// Linear blend skinning: a vertex is the weighted mean of its positions under each joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skinning {
    /// Index of the figure.
    pub skeleton: u32,
    pub joints: Vec<SkinJoint>,
    /// Influences per vertex: indices into `joints`, weights that add up to 1.
    pub influences: Vec<Influence>,
    /// Link (body) per triangle that the triangle belongs to when it collides.
    pub owners: Vec<u32>,
}

/// Joint that vertices of a skin follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkinJoint {
    pub carrier: Carrier,
    /// Transform from the surface's space to the carrier's space.
    pub bind: DAffine3,
}

/// Source of a joint's pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carrier {
    /// A joint with a surface of its own is a link: this body.
    Body(u32),
    /// Index into the skeleton's `joints`.
    Joint(u32),
}
