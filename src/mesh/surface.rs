//! What a mesh is made of, and what was found wrong with it.

use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// What a mesh is made of after repair; the rest of a [`Mesh`](crate::mesh::Mesh) follows from it, so this is
/// what is stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    pub name: String,
    /// Welded vertices, body space, m.
    pub vertices: Vec<Vec3>,
    /// Corners as vertex indices; counter-clockwise seen from outside where there is an outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle, whether it belongs to an open or inconsistent part of the surface that has no
    /// outside: it is then solid from both sides.
    pub two_sided: Vec<bool>,
    /// For each triangle, its index in the input.
    pub source: Vec<u32>,
    pub volume: VolumeProperties,
    pub flaws: Flaws,
}

/// Volume, centre and inertia of a solid of density one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VolumeProperties {
    /// m³
    pub volume: f64,
    /// Centre of mass, body space, m.
    pub center: DVec3,
    /// About the centre, body axes, m⁵ (kg·m² at 1 kg/m³).
    pub inertia: DMat3,
    pub method: VolumeMethod,
}

/// How the volume was found; anything but `Divergence` is a stated fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VolumeMethod {
    /// Divergence theorem over the parts that have an inside.
    #[default]
    Divergence,
    /// A mesh of sheets: its surface, as thick as 1 % of the diagonal of its bounding box.
    Shell,
}

/// What was found wrong with the input and what was done about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaws {
    /// Vertices that became one with another.
    pub welded_vertex_count: u32,
    /// Vertices that no triangle of the input uses.
    pub unused_vertex_count: u32,
    /// Triangles of no area, dropped.
    pub degenerate_triangle_count: u32,
    /// Triangles with the corners of another, wound alike or not, dropped; without those of inner walls.
    pub duplicate_triangle_count: u32,
    /// Triangles of walls inside a solid, stored once for each side, dropped.
    #[serde(default)]
    pub inner_wall_triangle_count: u32,
    /// Edges with one triangle.
    pub boundary_edge_count: u32,
    /// Edges with three or more triangles.
    pub nonmanifold_edge_count: u32,
    /// Triangles whose winding was turned.
    pub flipped_triangle_count: u32,
    /// Triangles of sheets, see [`Surface::two_sided`].
    pub two_sided_triangle_count: u32,
    /// Parts of the surface that manifold edges connect.
    pub component_count: u32,
    /// Where some part is stored inside out: parts that were not asked whether they lie inside another, or
    /// another inside them, there being too many.
    pub unsettled_component_count: u32,
}
