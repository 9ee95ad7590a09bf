//! Closes T-junctions: open edges of one triangle along which its neighbors have further vertices.
//!
//! Exporters that subdivide each face on its own leave such edges, and so do slivers between faces, which
//! are dropped because they have no area. The surface looks closed, but the triangles on the two sides
//! of the edge are no neighbors, so a solid falls into sheets. Here the triangle with the longer edge is
//! split at the vertex. No coordinate changes, and the surface moves by at most the weld tolerance.
//!
//! Of two open edges that leave a vertex in one direction, the longer one is split at the end of the
//! shorter one, until there is no such pair.

use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

use super::topology::{by_edge, sides};
use super::weld::Welded;
use crate::arrays::MapEach;

/// Largest number of open edges at a vertex whose directions are compared. The seam of two faces has
/// two to four. Only fans of loose triangles have more, and all their pairs would take too long.
const MOST_OPEN: usize = 32;

/// Vertices of an edge, the smaller index first.
type Ends = [u32; 2];

fn ends(a: u32, b: u32) -> Ends {
    [a.min(b), a.max(b)]
}

/// Splits triangles at the vertices of their neighbors, at most as many times as there are triangles,
/// and into at most `limit` triangles in all. Returns the number of splits. The pieces of a triangle
/// follow each other and have its source.
pub(super) fn close(welded: &mut Welded, limit: usize) -> u32 {
    let before = welded.triangles.len();
    let most = before.min(limit - before);
    let mut seams = Seams::new(welded);
    let mut queue: Vec<u32> = seams.open.keys().flatten().copied().collect();
    queue.sort_unstable();
    queue.dedup();
    let mut count = 0;
    while let Some(vertex) = queue.pop() {
        while count < most
            && let Some([longer, shorter]) = seams.overlap_at(vertex)
        {
            seams.split(vertex, longer, shorter);
            queue.push(shorter);
            count += 1;
        }
    }
    if count > 0 {
        let mut pieces: Vec<(u32, [u32; 3])> =
            welded.source.iter().copied().zip(welded.triangles.iter().copied()).collect();
        pieces.sort_by_key(|(source, _)| *source);
        (welded.source, welded.triangles) = pieces.into_iter().unzip();
    }
    count as u32
}

/// Open edges of a surface.
struct Seams<'a> {
    vertices: &'a [Vec3],
    triangles: &'a mut Vec<[u32; 3]>,
    source: &'a mut Vec<u32>,
    /// Largest distance of a vertex from an edge that is split there, m.
    tolerance: f64,
    /// Largest area of a degenerate triangle, m². A triangle is not split into such pieces.
    least_area: f64,
    /// The triangle of each open edge.
    open: FxHashMap<Ends, u32>,
    /// The other ends of the open edges at each vertex.
    around: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Seams<'a> {
    fn new(welded: &'a mut Welded) -> Self {
        let Welded { vertices, triangles, source, tolerance, least_area } = welded;
        let sides = sides(vertices.len(), triangles);
        let open: Vec<(Ends, u32)> = by_edge(&sides)
            .filter(|group| group.len() == 1)
            .map(|group| {
                let [a, b] = group[0].directed(triangles);
                (ends(a, b), group[0].triangle)
            })
            .collect();
        let (tolerance, least_area) = (*tolerance, *least_area);
        let mut seams = Self {
            vertices,
            triangles,
            source,
            tolerance,
            least_area,
            open: FxHashMap::default(),
            around: FxHashMap::default(),
        };
        for (edge, triangle) in open {
            seams.add(edge, triangle);
        }
        seams
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize].as_dvec3()
    }

    /// Returns the far ends of two open edges at a vertex that lie along each other: the longer edge's,
    /// then the shorter one's, at which the longer edge can be split.
    fn overlap_at(&self, vertex: u32) -> Option<[u32; 2]> {
        let others = self.around.get(&vertex).filter(|others| others.len() <= MOST_OPEN)?;
        let pairs = others.iter().enumerate().flat_map(|(k, &p)| others[..k].iter().map(move |&q| [p, q]));
        let far = |end: u32| self.at(end).distance_squared(self.at(vertex));
        let sorted = pairs.map(|[p, q]| if far(p) < far(q) { [q, p] } else { [p, q] });
        sorted.into_iter().find(|&[longer, shorter]| self.can_split(vertex, longer, shorter))
    }

    /// Returns whether `middle` lies on the open edge from `a` to `b`, and the edge's triangle can be
    /// split there.
    fn can_split(&self, a: u32, b: u32, middle: u32) -> bool {
        let (start, along, to) = (self.at(a), self.at(b) - self.at(a), self.at(middle) - self.at(a));
        let share = to.dot(along) / along.length_squared();
        if !(share > 0.0 && share < 1.0) || (to - share * along).length() > self.tolerance {
            return false;
        }
        let corners = self.triangles[self.open[&ends(a, b)] as usize];
        let Some(apex) = corners.into_iter().find(|&v| v != a && v != b) else { return false };
        let (apex, middle) = (self.at(apex), self.at(middle));
        [start, self.at(b)].iter().all(|&end| {
            let area = 0.5 * (end - middle).cross(apex - middle).length();
            area > self.least_area
        })
    }

    /// Splits the triangle of the open edge from `a` to `b` at `middle`.
    fn split(&mut self, a: u32, b: u32, middle: u32) {
        let triangle = self.remove(ends(a, b));
        let corners = self.triangles[triangle as usize];
        let with = |old: u32| corners.map_each(|v| if v == old { middle } else { v });
        let piece = self.triangles.len() as u32;
        self.triangles[triangle as usize] = with(b);
        self.triangles.push(with(a));
        self.source.push(self.source[triangle as usize]);
        // The edge from b to the apex now belongs to the second piece.
        for apex in corners.into_iter().filter(|&v| v != a && v != b) {
            self.open.entry(ends(b, apex)).and_modify(|of| *of = piece);
        }
        self.add(ends(a, middle), triangle);
        self.add(ends(middle, b), piece);
    }

    /// Adds an open edge, or closes the edge if another triangle has it as an open one.
    fn add(&mut self, edge: Ends, triangle: u32) {
        if self.open.contains_key(&edge) {
            self.remove(edge);
            return;
        }
        self.open.insert(edge, triangle);
        for (from, to) in [(edge[0], edge[1]), (edge[1], edge[0])] {
            self.around.entry(from).or_default().push(to);
        }
    }

    /// Removes an open edge. Returns its triangle.
    fn remove(&mut self, edge: Ends) -> u32 {
        for (from, to) in [(edge[0], edge[1]), (edge[1], edge[0])] {
            if let Some(others) = self.around.get_mut(&from) {
                others.retain(|&other| other != to);
            }
        }
        self.open.remove(&edge).unwrap_or(super::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Mesh, VolumeMethod};

    /// Builds a cube of side 1 of which each face is a grid of its own number of squares per side.
    fn cube(squares: [usize; 6]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for (face, n) in squares.into_iter().enumerate() {
            let axis = face / 2;
            let first = positions.len() as u32;
            for k in 0..(n + 1) * (n + 1) {
                let [u, v] = [k % (n + 1), k / (n + 1)].map(|i| i as f32 / n as f32);
                let (mut at, height) = (Vec3::ZERO, (face % 2) as f32);
                (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (height, u, v);
                positions.push(at);
            }
            for k in 0..n * n {
                let corner = first + (k % n + k / n * (n + 1)) as u32;
                let [a, b, c, d] = [corner, corner + 1, corner + n as u32 + 2, corner + n as u32 + 1];
                let both = if face % 2 == 1 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                triangles.extend(both);
            }
        }
        (positions, triangles)
    }

    fn flaws_and_volume(mesh: &Mesh) -> (u32, u32, f64, VolumeMethod) {
        let surface = mesh.surface();
        let (flaws, volume) = (&surface.flaws, &surface.volume);
        (flaws.boundary_edge_count, flaws.two_sided_triangle_count, volume.volume, volume.method)
    }

    #[test]
    fn a_cube_of_faces_with_their_own_grids_is_a_solid() {
        for squares in [[1, 1, 1, 1, 1, 4], [1, 2, 3, 4, 5, 6], [2, 3, 2, 3, 2, 3], [7, 1, 1, 1, 1, 1]] {
            let (positions, triangles) = cube(squares);
            let mesh = Mesh::new("cube", &positions, &triangles).unwrap();
            let (open, two_sided, volume, method) = flaws_and_volume(&mesh);
            assert_eq!((open, two_sided, method), (0, 0, VolumeMethod::Divergence), "{squares:?}");
            assert!((volume - 1.0).abs() < 1e-6, "{squares:?}: {volume}");
            let split = mesh.surface().flaws.split_triangle_count as usize;
            assert_eq!(mesh.triangles().len(), triangles.len() + split, "{squares:?}");
            assert!(mesh.surface().source.is_sorted());
        }
    }

    #[test]
    fn the_number_of_splits_is_that_of_the_vertices_on_edges_of_others() {
        // The finer face has three vertices inside each of its four edges.
        let (positions, triangles) = cube([1, 1, 1, 1, 1, 4]);
        let mesh = Mesh::new("cube", &positions, &triangles).unwrap();
        assert_eq!(mesh.surface().flaws.split_triangle_count, 12);
    }

    #[test]
    fn a_sliver_without_area_closes_the_seam_that_it_filled() {
        // A tetrahedron of which one edge has a vertex in the middle, joined by a sliver.
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::X * 0.5];
        let triangles = [[0, 2, 4], [4, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [0, 4, 1]];
        let mesh = Mesh::new("tetrahedron", &corners, &triangles).unwrap();
        let flaws = &mesh.surface().flaws;
        assert_eq!((flaws.degenerate_triangle_count, flaws.split_triangle_count), (1, 1));
        assert_eq!((flaws.boundary_edge_count, flaws.two_sided_triangle_count), (0, 0));
    }

    #[test]
    fn borders_of_sheets_and_gaps_wider_than_the_tolerance_stay() {
        // A sheet, whose borders lie in one line at each vertex of a side.
        let sheet: Vec<Vec3> = (0..6).map(|k| Vec3::new((k % 3) as f32, (k / 3) as f32, 0.0)).collect();
        let squares = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]];
        let mesh = Mesh::new("sheet", &sheet, &squares).unwrap();
        assert_eq!((mesh.surface().flaws.split_triangle_count, mesh.triangles().len()), (0, 4));
        // A vertex that is beside the long edge by ten tolerances, and by a tenth of one.
        for (aside, splits) in [(1.5e-5, 0), (1.5e-7, 1)] {
            let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NEG_Y, Vec3::new(0.5, -aside, 0.0)];
            let triangles = [[0, 1, 2], [0, 3, 4], [4, 3, 1]];
            let mesh = Mesh::new("seam", &corners, &triangles).unwrap();
            assert_eq!(mesh.surface().flaws.split_triangle_count, splits, "{aside}");
        }
    }

    #[test]
    fn a_fan_of_loose_triangles_ends() {
        // Triangles with one common corner, all with an edge in one line.
        let mut positions = vec![Vec3::ZERO];
        let mut triangles = Vec::new();
        for k in 1..200_u32 {
            positions.extend([Vec3::X * k as f32, Vec3::new(1.0, k as f32, 1.0)]);
            triangles.push([0, 2 * k - 1, 2 * k]);
        }
        let mesh = Mesh::new("fan", &positions, &triangles).unwrap();
        assert!(mesh.triangles().len() <= 2 * triangles.len());
    }
}
