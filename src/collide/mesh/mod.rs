//! Triangle meshes: polygon soups that are checked once on construction and then shared. Only those of
//! a skin are reshaped later.
//!
//! Input: any positions and triangles. Output: a [`Mesh`] with finite, welded vertices, consistent
//! winding where the surface allows it, the topology for contact generation, and volume properties for
//! the mass. [`Flaws`] counts the repairs. Coordinates are in body space, m; vertices keep the `f32`
//! values of the file.
//!
//! - `bend.rs`: the smooth surface that a fine mesh approximates over a triangle.
//! - `components.rs`: the component tree: triangles grouped by the parts of the simplified models.
//! - `cone.rs`: normal cones, and their encoding in four bytes.
//! - `even.rs`: shorter diagonals in flat faces of thin triangles.
//! - `facing.rs`: the directions along which the features of a triangle can carry a contact.
//! - `flat.rs`: a flat face, with the spread of its area.
//! - `junctions.rs`: closes open edges along which neighbors have further vertices.
//! - `mass.rs`: volume, center of mass and inertia for a density of one.
//! - `orient.rs`: consistent winding for every part of a surface, outward where there is an outside.
//! - `packed.rs`: triangles in the layout of SIMD loads.
//! - `predicates.rs`: exact signs of orientation determinants.
//! - `ring.rs`: the triangles around a vertex, and runs of them between sharp edges.
//! - `rounding.rs`: the smooth surface that a fine mesh approximates around a vertex.
//! - `simplify/`: drastic simplification by clustering vertices.
//! - `support.rs`: the directions along which a vertex or an edge is extremal among its neighbors.
//! - `surface.rs`: the stored data of a mesh, and the flaws found in it.
//! - `topology.rs`: edges with their class, vertex neighbors, and the triangle that owns each feature.
//! - `triangle.rs`: the exact test of whether two triangles intersect.
//! - `walls.rs`: removes walls inside a solid, which its surface does not need.
//! - `weld.rs`: builds one surface from a file's content, without duplicate vertices and triangles.

mod bend;
mod components;
mod cone;
mod even;
mod facing;
mod flat;
mod junctions;
mod mass;
mod orient;
mod packed;
mod predicates;
mod ring;
mod rounding;
pub mod simplify;
mod support;
mod surface;
mod topology;
mod triangle;
mod walls;
mod weld;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{DVec3, Vec3};

pub use bend::{Bend, BentFacet};
pub use components::{Component, ComponentTree, Level, Refinement};
pub use cone::{Cone, PackedCone};
pub use facing::Cones;
pub use flat::{FlatFace, MOST_TRIANGLES};
pub use packed::{PackedTriangles, Record};
pub use rounding::{Outline, Rounding};
pub use support::SUPPORT_SLACK;
pub use surface::{Flaws, Surface, VolumeMethod, VolumeProperties};
pub use topology::{Edge, EdgeClass, NONE, SHARP, TWO_SIDED, Topology};
pub use triangle::{boxes_overlap, intersects};

use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::volume::Aabb;

/// Checked triangle mesh, built with [`Mesh::new`].
///
/// ```
/// use glam::Vec3;
/// use tumble_collide::mesh::Mesh;
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh = Mesh::new("tetrahedron", &corners, &triangles)?;
/// assert!((mesh.surface().volume.volume - 1.0 / 6.0).abs() < 1e-12);
/// assert_eq!(mesh.surface().flaws.boundary_edge_count, 0);
/// # Ok::<(), tumble_collide::mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mesh {
    surface: Surface,
    topology: Topology,
    bounds: Aabb,
    cones: OnceLock<Cones>,
    /// Number of the shape.
    shape: u64,
}

/// Returns a number that was not returned before.
fn next_shape() -> u64 {
    static SHAPES: AtomicU64 = AtomicU64::new(0);
    SHAPES.fetch_add(1, Ordering::Relaxed)
}

/// Largest number of triangles of a mesh. Hierarchies address nodes with 27 bits, and have up to four
/// nodes per triangle.
pub const MAX_TRIANGLE_COUNT: usize = 1 << 25;

/// Error of mesh construction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    #[error("vertex {vertex} is not finite")]
    NotFinite { vertex: usize },
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {vertex_count} vertices")]
    IndexOutOfRange { triangle: usize, vertex: u32, vertex_count: usize },
    #[error("has {count} triangles, the limit is {MAX_TRIANGLE_COUNT}")]
    TooMany { count: usize },
    #[error("no triangle has an area")]
    Empty,
}

impl Mesh {
    /// Builds a mesh from positions in body space (m). Checks them, welds vertices, drops degenerate
    /// triangles, duplicate triangles and walls inside solids, splits triangles at the vertices of
    /// neighbors on their edges, and orients the triangles. Fails as [`MeshError`] describes.
    pub fn new(
        name: impl Into<String>,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
    ) -> Result<Self, MeshError> {
        if triangles.len() > MAX_TRIANGLE_COUNT {
            return Err(MeshError::TooMany { count: triangles.len() });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            for &vertex in corners {
                match positions.get(vertex as usize) {
                    None => {
                        let vertex_count = positions.len();
                        return Err(MeshError::IndexOutOfRange { triangle, vertex, vertex_count });
                    }
                    Some(p) if !p.is_finite() => {
                        return Err(MeshError::NotFinite { vertex: vertex as usize });
                    }
                    Some(_) => {}
                }
            }
        }
        let mut flaws = Flaws::default();
        let mut welded = weld::weld(positions, triangles, &mut flaws);
        if welded.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        flaws.split_triangle_count = junctions::close(&mut welded, MAX_TRIANGLE_COUNT);
        let (vertices, source) = (welded.vertices, welded.source);
        let mut oriented = welded.triangles.clone();
        let two_sided = orient::orient(&vertices, &mut oriented, &mut flaws);
        let turned = oriented.iter().zip(&welded.triangles).filter(|(new, old)| new != old).count();
        flaws.flipped_triangle_count = turned as u32;
        let volume = mass::properties(&vertices, &oriented, &two_sided);
        let name = name.into();
        Ok(Self::from(Surface { name, vertices, triangles: oriented, two_sided, source, volume, flaws }))
    }

    /// Returns the same surface with shorter diagonals in its flat faces of thin triangles, such as the fans
    /// of round faces, and the number of exchanged diagonals; `None` if there are none. No vertex moves, and
    /// the surface stays within the rounding of its vertices. Only diagonals between two triangles for which
    /// `are_one` is true are exchanged. Takes one to two microseconds per triangle of a fan.
    pub fn evened(&self, are_one: impl Fn([u32; 2]) -> bool) -> Option<(Self, u32)> {
        let (triangles, count) = even::even(&self.surface, &self.topology, are_one);
        let surface = || Surface { triangles, ..self.surface.clone() };
        (count > 0).then(|| (Self::from(surface()), count))
    }

    /// Moves every vertex (body space, m) to the position that `place` returns, which must be finite.
    /// Updates all data that depends on the shape, except the volume and the flaws, which stay those of
    /// the original. The normal cones become unknown. Allocates nothing. A triangle without area gets a
    /// zero normal.
    #[inline]
    pub fn reshape(&mut self, mut place: impl FnMut(Vec3) -> Vec3) {
        let surface = &mut self.surface;
        self.bounds = Aabb::EMPTY;
        for vertex in &mut surface.vertices {
            *vertex = place(*vertex);
            self.bounds = Aabb::new(self.bounds.min.min(*vertex), self.bounds.max.max(*vertex));
        }
        self.topology.reshape(&surface.vertices, &surface.triangles, &surface.two_sided);
        if self.cones.get().is_none_or(|cones| !cones.of_triangles.is_empty()) {
            self.cones = OnceLock::from(Cones::default());
        }
        self.shape = next_shape();
    }

    /// Returns the normal cones of the triangles, body space: the directions along which their features
    /// can carry contacts. Computed on first use, about 0.5 µs per triangle. Empty for a surface that
    /// was reshaped, because its cones are not updated.
    #[inline]
    pub fn cones(&self) -> &Cones {
        self.cones.get_or_init(|| facing::cones(&self.surface, &self.topology))
    }

    /// Returns whether no neighbor of the vertex reaches farther along `direction` (unit, body space)
    /// than the vertex, within a slack of 0.06 rad.
    #[inline]
    pub fn vertex_supports(&self, vertex: u32, direction: DVec3) -> bool {
        support::supports(&self.surface, &self.topology, vertex, direction)
    }

    /// Returns whether no face at the edge rises along `direction` (unit, body space), within the `slack`
    /// (the sine of an angle, at most [`SUPPORT_SLACK`]).
    #[inline]
    pub fn edge_supports(&self, edge: u32, direction: DVec3, slack: f64) -> bool {
        support::edge_supports(&self.surface, &self.topology, edge, direction, slack)
    }

    /// Returns whether the surface has a sharp concave edge.
    pub fn has_corners(&self) -> bool {
        let is_corner = |edge: &Edge| edge.class == EdgeClass::Concave && self.topology.is_sharp(edge);
        self.topology.edges().iter().any(is_corner)
    }

    /// Returns the directions in which the faces at an edge leave it, perpendicular to the edge, body space.
    /// Their lengths are the heights of the triangles, m.
    #[inline]
    pub fn asides<'a>(&'a self, edge: &'a Edge) -> impl Iterator<Item = DVec3> {
        support::asides(&self.surface, edge)
    }

    /// Returns whether the solid ends at the vertex along `direction` (unit, body space), so that the
    /// vertex can touch something there. Always true for a sheet, which has no inside.
    #[inline]
    pub fn vertex_faces(&self, vertex: u32, direction: DVec3) -> bool {
        support::vertex_faces(&self.surface, &self.topology, vertex, direction)
    }

    /// Returns whether the surface goes on beyond an end of an edge with another edge, nearly straight
    /// ahead. `end`: 0 for the edge's first vertex, 1 for its second.
    #[inline]
    pub fn edge_goes_on(&self, edge: u32, end: usize) -> bool {
        support::edge_goes_on(&self.surface, &self.topology, edge, end)
    }

    /// Returns whether a vertex may be part of a smooth surface.
    #[inline]
    pub fn vertex_is_curved(&self, vertex: u32) -> bool {
        self.topology.vertex_is_curved(vertex)
    }

    /// Returns whether the surface bends sharply at a vertex, as at the corner of a box or the tip of a cone.
    #[inline]
    pub fn vertex_is_corner(&self, vertex: u32) -> bool {
        self.topology.vertex_is_corner(vertex)
    }

    /// Returns the shape of the surface at a vertex along `outward` (unit, body space): a sharp vertex,
    /// or part of a smooth surface that the facets approximate. `tolerance`: largest distance (m) of
    /// the facets behind the smooth surface.
    #[inline]
    pub fn outline(&self, vertex: u32, outward: DVec3, tolerance: f64) -> Outline {
        rounding::outline(&self.surface, &self.topology, vertex, outward, (tolerance, self.largest_radius()))
    }

    /// Returns the concave or saddle-shaped surface at a vertex along `outward` (unit, body space); `None` if
    /// the surface is convex, sharp-edged or coarse there. `tolerance`: largest distance (m) of the facets
    /// from the smooth surface.
    #[inline]
    pub fn hollow(&self, vertex: u32, outward: DVec3, tolerance: f64) -> Option<Rounding> {
        rounding::hollow(&self.surface, &self.topology, vertex, outward, (tolerance, self.largest_radius()))
    }

    /// Returns the smooth surface that the facets approximate over a triangle; `None` if the surface is flat
    /// or sharp-edged there.
    #[inline]
    pub fn bent_facet(&self, triangle: u32) -> Option<BentFacet> {
        bend::bent_facet(&self.surface, &self.topology, triangle, self.largest_radius())
    }

    /// Measures the flat face around a triangle; `None` if it has more than [`MOST_TRIANGLES`]. `members`:
    /// buffer for the triangles of the face.
    #[inline]
    pub fn flat_face(&self, triangle: u32, members: &mut Vec<u32>) -> Option<FlatFace> {
        FlatFace::around(triangle, &self.surface, &self.topology, members)
    }

    /// Returns the triangle at a vertex that faces `outward` (unit, body space) most; `None` if the vertex
    /// has very many triangles, or two-sided ones.
    #[inline]
    pub fn facing_triangle(&self, vertex: u32, outward: DVec3) -> Option<u32> {
        ring::Ring::new(&self.surface, &self.topology, vertex)?.facing_triangle(&self.topology, outward)
    }

    /// Returns a number that no mesh of another shape has in this process.
    #[inline]
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// Returns the largest radius of a round surface, m. A surface with a radius of more than half the body's
    /// size ends before its direction changes much.
    fn largest_radius(&self) -> f64 {
        0.5 * (self.bounds.max - self.bounds.min).as_dvec3().length()
    }

    /// Returns the largest distance (m) of a triangle behind the smooth surface that it approximates
    /// with its neighbors; 0 if it is part of none.
    #[inline]
    pub fn facet_height(&self, triangle: u32) -> f64 {
        rounding::facet_height(&self.surface, &self.topology, triangle)
    }

    #[inline]
    pub fn name(&self) -> &str {
        &self.surface.name
    }

    #[inline]
    pub fn vertices(&self) -> &[Vec3] {
        &self.surface.vertices
    }

    #[inline]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.surface.triangles
    }

    /// Returns the surface after repair.
    #[inline]
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    #[inline]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Returns the bounding box, body space, m.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the lower and upper ends of the surface along each world axis at `pose`, m. All vertices
    /// are transformed, so these bounds are as tight as rounding allows.
    #[inline]
    pub fn bounds_at(&self, pose: &Pose) -> [DVec3; 2] {
        let placed = self.vertices().iter().map(|v| pose.transform_point(v.as_dvec3()));
        placed.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[min, max], p| [min.min(p), max.max(p)])
    }

    /// Returns the corners of a triangle in `f64`, body space, m.
    #[inline]
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.surface.triangles[triangle as usize];
        let at = |v: u32| self.surface.vertices[v as usize].as_dvec3();
        [at(a), at(b), at(c)]
    }

    /// Returns the corners of a triangle relative to a center, both in body space, m. They are exact if
    /// the mesh is near the origin, otherwise rounded.
    #[inline]
    pub fn corners_about(&self, triangle: u32, center: Vec3) -> [Vec3; 3] {
        self.surface.triangles[triangle as usize].map_each(|v| self.surface.vertices[v as usize] - center)
    }

    /// Returns the tight box of one triangle, body space, m.
    #[inline]
    pub fn triangle_bounds(&self, triangle: u32) -> Aabb {
        Aabb::from_points(
            self.surface.triangles[triangle as usize].map_each(|v| self.surface.vertices[v as usize]),
        )
    }
}

/// Rebuilds the mesh of a surface that was taken from a mesh. Panics if an index is out of range, so
/// data from other sources must be checked first.
impl From<Surface> for Mesh {
    fn from(surface: Surface) -> Self {
        let topology = Topology::new(&surface.vertices, &surface.triangles, &surface.two_sided);
        let bounds = Aabb::from_points(surface.vertices.iter().copied());
        Self { surface, topology, bounds, cones: OnceLock::new(), shape: next_shape() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_surface_makes_its_mesh_again() {
        // An open box with a split vertex, a duplicate triangle and a flipped one.
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::X, Vec3::splat(0.5)];
        let triangles = [[0, 2, 1], [0, 4, 3], [0, 2, 3], [2, 0, 1], [1, 5, 2]];
        let mesh = Mesh::new("part", &positions, &triangles).unwrap();
        let bytes = rmp_serde::to_vec_named(mesh.surface()).unwrap();
        let again = Mesh::from(rmp_serde::from_slice::<Surface>(&bytes).unwrap());
        assert_eq!(again.surface(), mesh.surface());
        assert_eq!(again.topology(), mesh.topology());
        assert_eq!(again.bounds(), mesh.bounds());
    }

    #[test]
    fn a_reshaped_mesh_is_the_mesh_made_from_the_moved_vertices() {
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 0.3);
        let mut mesh = Mesh::new("box", &positions, &triangles).unwrap();
        let bent = |p: Vec3| p + Vec3::new(0.4 * p.y * p.z, 0.0, -0.7 * p.x * p.y);
        let moved: Vec<Vec3> = mesh.vertices().iter().map(|&p| bent(p)).collect();
        mesh.reshape(bent);
        let expected = Mesh::from(Surface { vertices: moved, ..mesh.surface().clone() });
        assert_eq!(mesh.topology(), expected.topology());
        assert_eq!(mesh.bounds(), expected.bounds());
        let concave = |m: &Mesh| m.topology().edges().iter().any(|e| e.class == EdgeClass::Concave);
        assert!(concave(&mesh), "the bent faces fold inward somewhere");
    }

    #[test]
    fn invalid_meshes_are_errors() {
        let nan = Vec3::splat(f32::NAN);
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, nan];
        let new = |triangles: &[[u32; 3]]| Mesh::new("", &positions, triangles).map(|_| ());
        assert_eq!(new(&[[0, 1, 2]]), Ok(()), "a vertex that nothing uses may be anything");
        assert_eq!(new(&[[0, 1, 3]]), Err(MeshError::NotFinite { vertex: 3 }));
        let missing = MeshError::IndexOutOfRange { triangle: 0, vertex: 4, vertex_count: 4 };
        assert_eq!(new(&[[0, 1, 4]]), Err(missing));
        assert_eq!(new(&[[0, 1, 1]]), Err(MeshError::Empty));
        assert_eq!(new(&[]), Err(MeshError::Empty));
    }
}
