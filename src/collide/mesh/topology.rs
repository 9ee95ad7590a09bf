//! Adjacency of a mesh: edges with their class, vertex neighbors, and the triangle that owns each
//! vertex and edge. With owners, each feature pair is tested exactly once.
//!
//! Input: a repaired surface. Invariants: every edge and every used vertex has exactly one owner; an
//! edge has one triangle, or two triangles that traverse it in opposite directions. Cost: O(n), by
//! counting sort.

use glam::{DVec3, Vec3};

use crate::arrays::MapEach;

/// Index that stands for no triangle or vertex, for example for the missing second triangle of a
/// boundary edge.
pub const NONE: u32 = u32::MAX;

/// Bit that marks a two-sided triangle, after the bits of the features that it owns.
pub const TWO_SIDED: u8 = 1 << 6;

/// Class of the bend of a surface at an edge, as seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeClass {
    Flat,
    Convex,
    Concave,
    /// Edge with only one triangle.
    Boundary,
}

impl EdgeClass {
    /// Returns whether the edge can carry a contact that no vertex carries. Concave edges lie behind
    /// their faces, and flat ones in them.
    #[inline]
    pub fn is_active(self) -> bool {
        matches!(self, Self::Convex | Self::Boundary)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Vertex indices, in the winding order of the first triangle.
    pub vertices: [u32; 2],
    /// Triangles at the edge. The first one owns the edge; the second is [`NONE`] at a boundary. An
    /// edge with more than two triangles, or with two that traverse it in the same direction, is split
    /// into boundary edges.
    pub triangles: [u32; 2],
    pub class: EdgeClass,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    edges: Vec<Edge>,
    triangle_edges: Vec<[u32; 3]>,
    normals: Vec<DVec3>,
    owned: Vec<u8>,
    carrying: Vec<u8>,
    vertex_owner: Vec<u32>,
    vertex_is_extremal: Vec<bool>,
    vertex_is_curved: Vec<bool>,
    vertex_is_hollow: Vec<bool>,
    vertex_is_corner: Vec<bool>,
    neighbor_start: Vec<u32>,
    neighbors: Vec<u32>,
    most_neighbors: usize,
}

/// Sine |n₀ × n₁| below which two faces count as coplanar (0.01 rad). An edge between such faces can
/// carry no contact that their vertices do not. A larger value would lose the edges of finely meshed
/// rods.
const FLAT_SINE: f64 = 0.01;

/// Cosine of the least angle (20°) between the faces of a sharp edge. The edges of finer bends stand for a
/// smooth surface, whose normals lie between those of the facets.
pub const SHARP: f64 = 0.94;
/// Sine of the largest angle between the faces of an edge at which the surface still counts as smooth
/// (20°). A larger value would round the edges of coarse prisms.
pub(super) const MOST_TURN: f64 = 0.35;
/// Sine of the least angle between faces at which the surface counts as curved. A smaller value would
/// mistake the rounding of vertices for a curvature.
pub(super) const LEAST_TURN: f64 = 1e-3;

/// Cosine of the least angle (45°) between two faces at a corner. The facets around a vertex of a coarse ball
/// of a dozen segments stay below it.
const CORNER: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Returns whether the angle between faces with these normals is that of facets of a round surface.
#[inline]
pub(super) fn is_curved(n0: DVec3, n1: DVec3) -> bool {
    n0.dot(n1) > 0.0 && (LEAST_TURN..MOST_TURN).contains(&n0.cross(n1).length())
}

/// Side of a triangle: the triangle, and the corner at which the side starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeSide {
    low: u32,
    high: u32,
    pub triangle: u32,
    /// Corner index 0, 1 or 2. The side leads from this corner to the next.
    pub corner: u8,
}

impl EdgeSide {
    /// Returns the vertices of the side, in the triangle's winding direction.
    #[inline]
    pub fn directed(&self, triangles: &[[u32; 3]]) -> [u32; 2] {
        let t = triangles[self.triangle as usize];
        [t[self.corner as usize], t[(self.corner as usize + 1) % 3]]
    }
}

/// Returns the sides of all triangles, sorted by lower vertex, then higher vertex, then triangle. The
/// sides of an edge are adjacent.
pub(super) fn sides(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<EdgeSide> {
    let each = || {
        triangles.iter().enumerate().flat_map(|(t, c)| {
            (0..3_u8).map(move |k| {
                let (a, b) = (c[k as usize], c[(k as usize + 1) % 3]);
                EdgeSide { low: a.min(b), high: a.max(b), triangle: t as u32, corner: k }
            })
        })
    };
    let mut end = vec![0_usize; vertex_count + 1];
    for side in each() {
        end[side.low as usize + 1] += 1;
    }
    for v in 0..vertex_count {
        end[v + 1] += end[v];
    }
    let mut sorted = vec![EdgeSide { low: 0, high: 0, triangle: 0, corner: 0 }; 3 * triangles.len()];
    for side in each() {
        sorted[end[side.low as usize]] = side;
        end[side.low as usize] += 1;
    }
    for bucket in sorted.chunk_by_mut(|x, y| x.low == y.low) {
        bucket.sort_unstable_by_key(|s| (s.high, s.triangle, s.corner));
    }
    sorted
}

/// Groups sorted sides by edge.
#[inline]
pub(super) fn by_edge(sides: &[EdgeSide]) -> impl Iterator<Item = &[EdgeSide]> {
    sides.chunk_by(|x, y| (x.low, x.high) == (y.low, y.high))
}

impl Topology {
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]], two_sided: &[bool]) -> Self {
        let sides = sides(vertices.len(), triangles);
        let mut edges = Vec::with_capacity(sides.len() / 2);
        let mut triangle_edges = vec![[NONE; 3]; triangles.len()];
        let mut owned = vec![0; triangles.len()];
        for group in by_edge(&sides) {
            let mut push = |of: &[EdgeSide]| {
                for s in of {
                    triangle_edges[s.triangle as usize][s.corner as usize] = edges.len() as u32;
                }
                owned[of[0].triangle as usize] |= 8 << of[0].corner;
                let second = of.get(1).map_or(NONE, |s| s.triangle);
                edges.push(Edge {
                    vertices: of[0].directed(triangles),
                    triangles: [of[0].triangle, second],
                    class: EdgeClass::Boundary,
                });
            };
            match group {
                [x, y] if x.directed(triangles) != y.directed(triangles) => push(group),
                _ => group.iter().for_each(|s| push(&[*s])),
            }
        }

        let mut vertex_owner = vec![NONE; vertices.len()];
        for (t, corners) in triangles.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                if vertex_owner[v as usize] == NONE {
                    vertex_owner[v as usize] = t as u32;
                    owned[t] |= 1 << k;
                }
            }
        }

        let (neighbor_start, neighbors) = neighbors(vertices.len(), &sides);
        let counts = neighbor_start.windows(2).map(|ends| (ends[1] - ends[0]) as usize);
        let most_neighbors = counts.max().unwrap_or(0);
        let mut topology = Self {
            edges,
            triangle_edges,
            normals: vec![DVec3::ZERO; triangles.len()],
            carrying: vec![0; owned.len()],
            owned,
            vertex_owner,
            vertex_is_extremal: vec![false; vertices.len()],
            vertex_is_curved: vec![false; vertices.len()],
            vertex_is_hollow: vec![false; vertices.len()],
            vertex_is_corner: vec![false; vertices.len()],
            neighbor_start,
            neighbors,
            most_neighbors,
        };
        topology.reshape(vertices, triangles, two_sided);
        topology
    }

    /// Recomputes normals, edge classes and vertex properties after vertices have moved. Allocates
    /// nothing.
    pub(super) fn reshape(&mut self, vertices: &[Vec3], triangles: &[[u32; 3]], two_sided: &[bool]) {
        for (normal, corners) in self.normals.iter_mut().zip(triangles) {
            let [a, b, c] = corners.map_each(|v| vertices[v as usize].as_dvec3());
            *normal = (b - a).cross(c - a).normalize_or_zero();
        }
        for edge in &mut self.edges {
            let [x, y] = edge.triangles;
            if y != NONE {
                let class = bend(vertices, triangles, &self.normals, edge);
                let is_sheet = two_sided[x as usize] || two_sided[y as usize];
                edge.class = if is_sheet { class.abs_convex() } else { class };
            }
        }
        self.vertex_is_curved.fill(false);
        self.vertex_is_hollow.fill(false);
        for edge in self.edges.iter().filter(|e| e.triangles[1] != NONE) {
            let [n0, n1] = edge.triangles.map_each(|t| self.normals[t as usize]);
            if is_curved(n0, n1) {
                let is_hollow = edge.class == EdgeClass::Concave;
                let flags = if is_hollow { &mut self.vertex_is_hollow } else { &mut self.vertex_is_curved };
                edge.vertices.iter().for_each(|&v| flags[v as usize] = true);
            }
        }
        self.vertex_is_corner.fill(false);
        for (t, corners) in triangles.iter().enumerate() {
            for &vertex in corners {
                let owner = self.vertex_owner[vertex as usize];
                if self.normals[owner as usize].dot(self.normals[t]) < CORNER {
                    self.vertex_is_corner[vertex as usize] = true;
                }
            }
        }
        // A vertex with concave edges but no convex or boundary edge is behind its neighbors in every
        // direction. A vertex with only flat edges may still be the top of a finely meshed dome.
        self.vertex_is_extremal.fill(true);
        for edge in self.edges.iter().filter(|e| e.class == EdgeClass::Concave) {
            edge.vertices.iter().for_each(|&v| self.vertex_is_extremal[v as usize] = false);
        }
        for edge in self.edges.iter().filter(|e| e.class.is_active()) {
            edge.vertices.iter().for_each(|&v| self.vertex_is_extremal[v as usize] = true);
        }
        for (t, corners) in triangles.iter().enumerate() {
            let mut carrying = if two_sided[t] { TWO_SIDED } else { 0 };
            for (k, (&vertex, &edge)) in corners.iter().zip(&self.triangle_edges[t]).enumerate() {
                let edge = &self.edges[edge as usize];
                carrying |= u8::from(self.vertex_is_extremal[vertex as usize]) << k;
                carrying |= u8::from(edge.class.is_active()) << (3 + k);
            }
            self.carrying[t] = carrying & (self.owned[t] | TWO_SIDED);
        }
    }

    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the edges of a triangle. Element k is the edge between corners k and k+1.
    #[inline]
    pub fn triangle_edges(&self, triangle: u32) -> [u32; 3] {
        self.triangle_edges[triangle as usize]
    }

    /// Returns whether the edge is sharp: it has two faces, at an angle of more than 20°.
    #[inline]
    pub fn is_sharp(&self, edge: &Edge) -> bool {
        let [s, t] = edge.triangles;
        t != NONE && self.normal(s).dot(self.normal(t)) < SHARP
    }

    /// Returns the unit normal given by the winding; zero for a triangle without area.
    #[inline]
    pub fn normal(&self, triangle: u32) -> DVec3 {
        self.normals[triangle as usize]
    }

    /// Returns the features that a triangle owns. Bit k: its corner k. Bit 3 + k: the edge from corner
    /// k to the next corner.
    #[inline]
    pub fn owned(&self, triangle: u32) -> u8 {
        self.owned[triangle as usize]
    }

    /// Returns the bits of the owned vertices and edges that can carry a contact, and [`TWO_SIDED`].
    #[inline]
    pub fn carrying(&self, triangle: u32) -> u8 {
        self.carrying[triangle as usize]
    }

    /// Returns the first triangle at this vertex; [`NONE`] if no triangle uses the vertex.
    #[inline]
    pub fn vertex_owner(&self, vertex: u32) -> u32 {
        self.vertex_owner[vertex as usize]
    }

    /// Returns whether the vertex can be the farthest of its neighborhood in any direction that leaves
    /// the solid. A vertex that cannot carries no contact.
    #[inline]
    pub fn vertex_is_extremal(&self, vertex: u32) -> bool {
        self.vertex_is_extremal[vertex as usize]
    }

    /// Returns whether the surface bends by a small angle at an edge of the vertex that is not concave, like
    /// the facets of a ball.
    #[inline]
    pub fn vertex_is_curved(&self, vertex: u32) -> bool {
        self.vertex_is_curved[vertex as usize]
    }

    /// Returns whether the surface bends by a small angle at a concave edge of the vertex, like the facets
    /// of a bore.
    #[inline]
    pub fn vertex_is_hollow(&self, vertex: u32) -> bool {
        self.vertex_is_hollow[vertex as usize]
    }

    /// Returns whether the surface bends by a small angle at an edge of the triangle.
    #[inline]
    pub fn triangle_is_curved(&self, triangle: u32) -> bool {
        self.triangle_edges[triangle as usize].into_iter().any(|edge| {
            let [x, y] = self.edges[edge as usize].triangles;
            y != NONE && is_curved(self.normal(x), self.normal(y))
        })
    }

    /// Returns whether two faces at the vertex form a sharp angle.
    #[inline]
    pub fn vertex_is_corner(&self, vertex: u32) -> bool {
        self.vertex_is_corner[vertex as usize]
    }

    /// Returns the vertices connected to this one by an edge, ascending.
    #[inline]
    pub fn neighbors(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbors[self.neighbor_start[v] as usize..self.neighbor_start[v + 1] as usize]
    }

    /// Returns the largest number of neighbors of any vertex.
    #[inline]
    pub fn most_neighbors(&self) -> usize {
        self.most_neighbors
    }
}

impl EdgeClass {
    /// Returns the class with concave replaced by convex. A bend of a sheet is convex as seen from one
    /// of its sides.
    fn abs_convex(self) -> Self {
        if self == Self::Concave { Self::Convex } else { self }
    }
}

/// Returns the class of an edge with two triangles.
fn bend(vertices: &[Vec3], triangles: &[[u32; 3]], normals: &[DVec3], edge: &Edge) -> EdgeClass {
    let [n0, n1] = edge.triangles.map_each(|t| normals[t as usize]);
    if n0.cross(n1).length() < FLAT_SINE && n0.dot(n1) > 0.0 {
        return EdgeClass::Flat;
    }
    let second = triangles[edge.triangles[1] as usize];
    let opposite = second.into_iter().find(|v| !edge.vertices.contains(v)).unwrap_or(second[0]);
    let [opposite, on_edge] = [opposite, edge.vertices[0]].map_each(|v| vertices[v as usize].as_dvec3());
    if n0.dot(opposite - on_edge) < 0.0 { EdgeClass::Convex } else { EdgeClass::Concave }
}

/// Returns the neighbors of each vertex, as start offsets into a single list.
fn neighbors(vertex_count: usize, sides: &[EdgeSide]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0_u32; vertex_count + 1];
    for edge in by_edge(sides) {
        start[edge[0].low as usize + 1] += 1;
        start[edge[0].high as usize + 1] += 1;
    }
    for v in 0..vertex_count {
        start[v + 1] += start[v];
    }
    let mut end = start.clone();
    let mut list = vec![0; start[vertex_count] as usize];
    let mut add = |v: u32, neighbor: u32| {
        list[end[v as usize] as usize] = neighbor;
        end[v as usize] += 1;
    };
    // The edges ascend, so every list of neighbors ascends.
    for edge in by_edge(sides) {
        add(edge[0].low, edge[0].high);
        add(edge[0].high, edge[0].low);
    }
    (start, list)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a roof of two triangles over the edge 0–1; with a negative height its mirror image, a
    /// gutter.
    fn fold(height: f32) -> Topology {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1.0, -height), Vec3::new(0.5, -1.0, -height)];
        Topology::new(&vertices, &[[0, 1, 2], [1, 0, 3]], &[false; 2])
    }

    fn class_of(t: &Topology, vertices: [u32; 2]) -> EdgeClass {
        t.edges().iter().find(|e| e.vertices == vertices).unwrap().class
    }

    #[test]
    fn bends_are_classed_as_seen_from_outside() {
        assert_eq!(class_of(&fold(1.0), [0, 1]), EdgeClass::Convex);
        assert_eq!(class_of(&fold(-1.0), [0, 1]), EdgeClass::Concave);
        assert_eq!(class_of(&fold(0.004), [0, 1]), EdgeClass::Flat);
        assert_eq!(class_of(&fold(1.0), [1, 2]), EdgeClass::Boundary);
    }

    #[test]
    fn both_sides_of_a_sheet_see_its_bends() {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1.0, 1.0), Vec3::new(0.5, -1.0, 1.0)];
        let t = Topology::new(&vertices, &[[0, 1, 2], [1, 0, 3]], &[true; 2]);
        assert_eq!(class_of(&t, [0, 1]), EdgeClass::Convex);
    }

    #[test]
    fn every_vertex_and_edge_has_one_owner() {
        // A fan of three triangles on one edge, one of them wound the other way.
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_Y];
        let triangles = [[0, 1, 2], [1, 0, 3], [0, 1, 4]];
        let t = Topology::new(&vertices, &triangles, &[false; 3]);
        assert_eq!(t.edges().len(), 9);
        let bits = |mask: u8| (0..3).map(|k| (t.owned(k) & mask).count_ones()).sum::<u32>();
        assert_eq!(bits(0b00_0111), 5);
        assert_eq!(bits(0b11_1000), 9);
        for v in 0..5 {
            let owner = t.vertex_owner(v);
            let k = triangles[owner as usize].iter().position(|&c| c == v).unwrap();
            assert!(t.owned(owner) >> k & 1 == 1);
        }
        assert_eq!(t.neighbors(0), [1, 2, 3, 4]);
        assert_eq!(t.neighbors(2), [0, 1]);
    }

    #[test]
    fn a_vertex_in_a_groove_is_never_extremal() {
        // A pit: the vertex 0 below a ring of four, seen from above.
        let ring = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y];
        let mut vertices = vec![Vec3::NEG_Z];
        vertices.extend(ring);
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
        let t = Topology::new(&vertices, &triangles, &[false; 4]);
        assert!(!t.vertex_is_extremal(0));
        assert!(t.vertex_is_extremal(1));
        vertices[0] = Vec3::Z;
        assert!(Topology::new(&vertices, &triangles, &[false; 4]).vertex_is_extremal(0));
        vertices[0] = Vec3::ZERO;
        assert!(Topology::new(&vertices, &triangles, &[false; 4]).vertex_is_extremal(0), "flat");
    }
}
