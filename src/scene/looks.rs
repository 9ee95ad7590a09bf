//! What a scene looks like: the colours of its surfaces, and the surfaces that are drawn instead of those
//! that collide. Nothing here takes part in a step.
//!
//! A body either looks as it collides, or has its whole look in [`DrawnSurface`]s: the skin of a figure,
//! whose links are rigid, or the visual meshes of a part that a file gives other colliders.

use glam::{DAffine3, Vec3};
use serde::{Deserialize, Serialize};

use crate::import::model::{CornerColors, Influence};

/// The colours of a surface, sRGB. `Corners` has one entry a triangle: of a body's mesh, as it was before
/// repair; of a drawn surface, as it is. Repair drops some triangles of a mesh and turns others, the entries
/// follow it: corner `k` of triangle `t` has the colour `corners[source[t]][k]`
/// ([`Surface::source`](crate::mesh::Surface::source)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Paint {
    Plain([u8; 3]),
    Corners(Vec<CornerColors>),
}

/// A surface that is drawn and never collides. One without triangles hides the body it follows: another has
/// its look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnSurface {
    pub name: String,
    /// In the space of what it follows, m.
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Index into the scene's paints.
    pub paint: u32,
    pub follows: Follows,
}

/// What carries a drawn surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Follows {
    /// The pose of a body; positions are in body space.
    Body(u32),
    /// Nothing: it stays where it is, positions are in world space.
    World,
    /// A blend of joints.
    Joints(Skinning),
}

/// Linear blend skinning: a vertex is the weighted mean of where its joints carry it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skinning {
    /// The figure.
    pub skeleton: u32,
    pub joints: Vec<SkinJoint>,
    /// One a vertex: indices into `joints`, weights that add up to one.
    pub influences: Vec<Influence>,
    /// The link (body) each triangle belongs to when it collides.
    pub owners: Vec<u32>,
}

/// A joint that vertices of a skin follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkinJoint {
    pub carrier: Carrier,
    /// The surface's space → the carrier's space.
    pub bind: DAffine3,
}

/// What has the pose of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carrier {
    /// A joint with a surface of its own is a link: this body.
    Body(u32),
    /// Index into the skeleton's `joints`.
    Joint(u32),
}
