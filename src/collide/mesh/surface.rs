//! Stored data of a mesh, and the flaws found in it.

use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Data of a mesh after repair. All other data of a [`Mesh`](crate::mesh::Mesh) follows from it, so
/// only this data is stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    pub name: String,
    /// Welded vertices, body space, m.
    pub vertices: Vec<Vec3>,
    /// Corners as vertex indices, counter-clockwise as seen from outside if there is an outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether each triangle belongs to an open or inconsistent part of the surface, which has no
    /// outside. Such a triangle is solid from both sides.
    pub two_sided: Vec<bool>,
    /// Index in the input of each triangle, ascending. The pieces of a split triangle share it.
    pub source: Vec<u32>,
    pub volume: VolumeProperties,
    pub flaws: Flaws,
}

/// Volume, center of mass and inertia of a solid of density one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VolumeProperties {
    /// Volume, m³.
    pub volume: f64,
    /// Center of mass, body space, m.
    pub center: DVec3,
    /// Inertia about the center of mass, body axes, m⁵ (kg·m² at 1 kg/m³).
    pub inertia: DMat3,
    pub method: VolumeMethod,
}

/// Method that computed the volume. `Divergence` is the regular one; others are fallbacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VolumeMethod {
    /// Divergence theorem over the parts that have an inside.
    #[default]
    Divergence,
    /// Surface of a mesh of sheets, with a thickness of 1 % of the bounding box's diagonal.
    Shell,
}

/// Counters of flaws in the input and of their repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaws {
    /// Vertices merged into another vertex.
    pub welded_vertex_count: u32,
    /// Vertices that no triangle of the input uses.
    pub unused_vertex_count: u32,
    /// Triangles without area; dropped.
    pub degenerate_triangle_count: u32,
    /// Triangles with the same corners as another triangle, wound alike or not; dropped. Triangles of
    /// inner walls are not included.
    pub duplicate_triangle_count: u32,
    /// Triangles of walls inside a solid, stored once per side of the wall; dropped.
    #[serde(default)]
    pub inner_wall_triangle_count: u32,
    /// Number of times a triangle was split at a vertex of a neighbor that lies on its open edge.
    #[serde(default)]
    pub split_triangle_count: u32,
    /// Edges with one triangle.
    pub boundary_edge_count: u32,
    /// Edges with three or more triangles.
    pub nonmanifold_edge_count: u32,
    /// Triangles that were flipped.
    pub flipped_triangle_count: u32,
    /// Triangles of sheets; see [`Surface::two_sided`].
    pub two_sided_triangle_count: u32,
    /// Parts of the surface that are connected by manifold edges.
    pub component_count: u32,
    /// Parts for which it was not tested whether they lie inside another part or contain one, because
    /// there were too many. Zero unless a part is stored inside out.
    pub unsettled_component_count: u32,
}
