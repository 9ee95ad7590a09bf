//! Appearance of a scene: the colors of its surfaces, and surfaces that are drawn in place of those
//! that collide. It does not affect the simulation.
//!
//! A body is drawn either by its colliding surface, or entirely by [`DrawnSurface`]s. These are the
//! skin of a figure, whose colliding links are rigid, or the visual meshes of a part whose file has
//! other colliders.

use glam::{DAffine3, Vec3};
use serde::{Deserialize, Serialize};

use crate::import::model::{CornerColors, Influence};

/// Colors of a surface, sRGB. `Corners` has an entry per triangle. For a drawn surface its triangles
/// are as drawn; for a body's mesh they are as before repair. Repair drops some triangles of a mesh and
/// flips others. In a repaired mesh, corner `k` of triangle `t` has the color `corners[source[t]][k]`
/// ([`Surface::source`](crate::mesh::Surface::source)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Paint {
    Plain([u8; 3]),
    Corners(Vec<CornerColors>),
}

/// Surface that is drawn but never collides. A drawn surface without triangles hides the body that it
/// follows, because another drawn surface shows that body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnSurface {
    pub name: String,
    /// Positions in the space of the followed body (world space for `Follows::World` and
    /// `Follows::Joints`), m.
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
    /// Static: positions are in world space.
    World,
    /// Linear blend skinning over the joints of a figure.
    Joints(Skinning),
}

/// Linear blend skinning: a vertex is the weighted mean of its positions when transformed with each
/// joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skinning {
    /// Index of the figure.
    pub skeleton: u32,
    pub joints: Vec<SkinJoint>,
    /// Influences per vertex: indices into `joints`, and weights that add up to 1.
    pub influences: Vec<Influence>,
    /// Link per triangle (index of its body) to which the triangle belongs in collisions.
    pub owners: Vec<u32>,
}

/// Joint that vertices of a skin follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkinJoint {
    pub carrier: Carrier,
    /// Transform from the surface's space to the carrier's space.
    pub bind: DAffine3,
}

/// Object whose pose a joint takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carrier {
    /// The body of a link: the joint has a surface of its own.
    Body(u32),
    /// Index into the skeleton's `joints`: the joint has no link.
    Joint(u32),
}
