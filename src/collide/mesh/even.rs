//! Shorter diagonals in flat faces of thin triangles.
//!
//! CAD systems write round flat faces as fans: all triangles share one corner and are as long as the face.
//! The boxes of such triangles cover each other, whatever the hierarchy, and each vertex of another body near
//! the face is near hundreds of them. Here, two neighbors in one plane exchange the diagonal of their
//! quadrilateral for the other one if it is shorter. The vertices, and the surface within its rounding, stay.
//!
//! The shortest new diagonals come first. So a fan loses every second diagonal, then every second of the
//! rest, and its triangles end as a balanced tree with small triangles along the rim.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{DVec3, Vec3};
use rustc_hash::{FxHashMap, FxHashSet};

use super::surface::Surface;
use super::topology::{NONE, Topology};
use crate::arrays::MapEach;

/// Height of a thin triangle, as a share of its longest side. The triangles of ordinary meshes are thicker.
const THIN: f64 = 0.05;
/// Largest distance of a vertex from the plane of its neighbor, as a share of the farthest coordinate: four
/// roundings of `f32`.
const IN_PLANE: f64 = 4.0 * f32::EPSILON as f64;
/// Cosine of the largest angle between the normals of the old and the new triangles. A triangle so thin that
/// rounding turns its normal is not made.
const SAME_NORMAL: f64 = 1.0 - 1e-9;
/// Largest ratio of the lengths of a new and an old diagonal. It keeps rounding from exchanging two equal
/// diagonals forever.
const SHORTER: f64 = 1.0 - 1e-9;

/// Vertices of an edge, the smaller index first.
type Ends = [u32; 2];

fn ends(a: u32, b: u32) -> Ends {
    [a.min(b), a.max(b)]
}

/// Triangles of a surface while their diagonals are exchanged.
struct Faces<'a> {
    vertices: &'a [Vec3],
    triangles: Vec<[u32; 3]>,
    /// Triangles at each edge that may be a diagonal.
    edges: FxHashMap<Ends, [u32; 2]>,
    /// Largest distance of a vertex from the plane of its neighbor, m.
    in_plane: f64,
}

/// A diagonal of two triangles, and the one that may replace it.
struct Quadrilateral {
    triangles: [u32; 2],
    /// The new diagonal.
    across: [u32; 2],
    /// The triangles of the new diagonal.
    new: [[u32; 3]; 2],
    /// Length of the new diagonal, m.
    length: f64,
}

/// Returns the triangles of a surface with shorter diagonals in its flat faces of thin triangles, and the
/// number of exchanged diagonals. Diagonals between triangles for which `are_one` is false stay.
pub(super) fn even(
    surface: &Surface,
    topology: &Topology,
    are_one: impl Fn([u32; 2]) -> bool,
) -> (Vec<[u32; 3]>, u32) {
    if !surface.triangles.iter().any(|&corners| is_thin(&surface.vertices, corners)) {
        return (surface.triangles.clone(), 0);
    }
    let inner = topology.edges().iter().filter(|edge| {
        let [s, t] = edge.triangles;
        t != NONE && surface.two_sided[s as usize] == surface.two_sided[t as usize] && are_one([s, t])
    });
    let farthest = surface.vertices.iter().map(|v| v.abs().max_element()).fold(0.0, f32::max);
    let mut faces = Faces {
        vertices: &surface.vertices,
        triangles: surface.triangles.clone(),
        edges: inner.map(|edge| (ends(edge.vertices[0], edge.vertices[1]), edge.triangles)).collect(),
        in_plane: IN_PLANE * f64::from(farthest),
    };
    // Any edge of the surface, so that no edge gets a third triangle.
    let mut taken: FxHashSet<Ends> =
        topology.edges().iter().map(|edge| ends(edge.vertices[0], edge.vertices[1])).collect();
    let mut queue = BinaryHeap::new();
    for edge in topology.edges() {
        faces.add(ends(edge.vertices[0], edge.vertices[1]), &mut queue);
    }
    let mut count = 0;
    while let Some(Reverse((length, old))) = queue.pop() {
        let Some(quadrilateral) = faces.exchange(old).filter(|q| q.length.to_bits() == length) else {
            continue;
        };
        let Quadrilateral { triangles, across, new, .. } = quadrilateral;
        let key = ends(across[0], across[1]);
        if !taken.insert(key) {
            continue;
        }
        taken.remove(&old);
        faces.edges.remove(&old);
        faces.edges.insert(key, triangles);
        for (slot, corners) in triangles.into_iter().zip(new) {
            faces.triangles[slot as usize] = corners;
        }
        for (slot, corners) in triangles.into_iter().zip(new) {
            for k in 0..3 {
                let side = ends(corners[k], corners[(k + 1) % 3]);
                if side != key
                    && let Some(both) = faces.edges.get_mut(&side)
                {
                    // The side belonged to one of the two old triangles.
                    let other = if triangles.contains(&both[0]) { both[1] } else { both[0] };
                    *both = [slot, other];
                }
                faces.add(side, &mut queue);
            }
        }
        count += 1;
    }
    (faces.triangles, count)
}

impl Faces<'_> {
    fn at(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize].as_dvec3()
    }

    /// Queues the exchange of a diagonal, if it is possible.
    fn add(&self, diagonal: Ends, queue: &mut BinaryHeap<Reverse<(u64, Ends)>>) {
        if let Some(quadrilateral) = self.exchange(diagonal) {
            queue.push(Reverse((quadrilateral.length.to_bits(), diagonal)));
        }
    }

    /// Returns the exchange of a diagonal: `None` unless one of its triangles is thin, both are in one plane,
    /// and the new diagonal is shorter and inside the quadrilateral.
    fn exchange(&self, diagonal: Ends) -> Option<Quadrilateral> {
        let triangles = *self.edges.get(&diagonal)?;
        let corners = triangles.map_each(|t| self.triangles[t as usize]);
        if !corners.iter().any(|corners| is_thin(self.vertices, *corners)) {
            return None;
        }
        // The first triangle is `from`, `to`, and its own corner, in its winding.
        let own = corners[0].iter().position(|v| !diagonal.contains(v))?;
        let [from, to] = [corners[0][(own + 1) % 3], corners[0][(own + 2) % 3]];
        let across = [corners[0][own], *corners[1].iter().find(|v| !diagonal.contains(v))?];
        let [p, q] = across.map_each(|v| self.at(v));
        let length = p.distance(q);
        if length >= SHORTER * self.at(diagonal[0]).distance(self.at(diagonal[1])) {
            return None;
        }
        let new = [[across[0], from, across[1]], [across[1], to, across[0]]];
        let old = corners.map_each(|corners| doubled_area(self.vertices, corners));
        let normal = (old[0] + old[1]).normalize_or_zero();
        let start = self.at(from);
        let is_flat = [p, q, self.at(to)].iter().all(|x| normal.dot(*x - start).abs() <= self.in_plane);
        let looks_alike = |corners: [u32; 3]| {
            let area = doubled_area(self.vertices, corners);
            area.dot(normal) >= SAME_NORMAL * area.length() && area != DVec3::ZERO
        };
        (is_flat && new.iter().all(|corners| looks_alike(*corners))).then_some(Quadrilateral {
            triangles,
            across,
            new,
            length,
        })
    }
}

/// Returns the cross product of two sides of a triangle, m².
fn doubled_area(vertices: &[Vec3], corners: [u32; 3]) -> DVec3 {
    let [a, b, c] = corners.map_each(|v| vertices[v as usize].as_dvec3());
    (b - a).cross(c - a)
}

fn is_thin(vertices: &[Vec3], corners: [u32; 3]) -> bool {
    let [a, b, c] = corners.map_each(|v| vertices[v as usize].as_dvec3());
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    doubled_area(vertices, corners).length() < THIN * longest
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::super::{Mesh, NONE};

    /// Builds a round plate whose two faces are fans of `count` - 2 triangles.
    fn fan_plate(count: u32) -> Mesh {
        let at = |k: u32, y: f32| {
            let angle = f64::from(k) / f64::from(count) * std::f64::consts::TAU;
            Vec3::new(angle.cos() as f32, y, angle.sin() as f32)
        };
        let rims = [-0.1, 0.0].into_iter().flat_map(|y| (0..count).map(move |k| at(k, y)));
        let fans = (1..count - 1).flat_map(|k| [[0, k, k + 1], [count, count + k + 1, count + k]]);
        let sides = (0..count).flat_map(|k| {
            let next = (k + 1) % count;
            [[k, k + count, next], [next, k + count, next + count]]
        });
        Mesh::new("plate", &rims.collect::<Vec<_>>(), &fans.chain(sides).collect::<Vec<_>>()).unwrap()
    }

    fn longest_side(mesh: &Mesh, triangle: u32) -> f64 {
        let [a, b, c] = mesh.corners(triangle);
        a.distance(b).max(b.distance(c)).max(c.distance(a))
    }

    fn area(mesh: &Mesh) -> f64 {
        let doubled = |t: u32| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(c - a).length()
        };
        (0..mesh.triangles().len() as u32).map(doubled).sum::<f64>() / 2.0
    }

    /// Tests that the mean side falls from the length of a radius to that of few steps along the rim, and
    /// that the surface stays closed and the same.
    #[test]
    fn a_fan_becomes_a_balanced_tree() {
        let fan = fan_plate(2_000);
        let (even, count) = fan.evened(|_| true).unwrap();
        assert!((1_900..80_000).contains(&count), "{count}");
        let mean = |mesh: &Mesh| {
            let count = mesh.triangles().len() as u32;
            (0..count).map(|t| longest_side(mesh, t)).sum::<f64>() / f64::from(count)
        };
        assert!(mean(&fan) > 0.6 && mean(&even) < 0.1, "{} to {} m", mean(&fan), mean(&even));
        assert_eq!(even.vertices(), fan.vertices());
        assert_eq!(even.triangles().len(), fan.triangles().len());
        assert!((area(&even) / area(&fan) - 1.0).abs() < 1e-9, "{} and {} m²", area(&even), area(&fan));
        let edges = even.topology().edges();
        assert_eq!(edges.len(), fan.topology().edges().len());
        assert!(edges.iter().all(|edge| edge.triangles[1] != NONE), "a closed surface");
        let level = (0..even.triangles().len() as u32)
            .filter(|&t| even.topology().normal(t).dot(DVec3::Y).abs() > 1.0 - 1e-12)
            .count();
        assert_eq!(level, 2 * 1_998, "faces keep their planes");
    }

    #[test]
    fn triangles_of_different_parts_keep_their_border() {
        let fan = fan_plate(500);
        assert!(fan.evened(|_| false).is_none());
        let (even, _) =
            fan.evened(|two| two.iter().all(|&t| t < 300) || two.iter().all(|&t| t >= 300)).unwrap();
        let of_first = |mesh: &Mesh| {
            let doubled = |t: u32| {
                let [a, b, c] = mesh.corners(t);
                (b - a).cross(c - a).length()
            };
            (0..300).map(doubled).sum::<f64>()
        };
        assert!((of_first(&even) / of_first(&fan) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn ordinary_meshes_stay_as_they_are() {
        use crate::generate::{cuboid, cylinder, sphere, torus};
        let shapes = [
            cuboid(Vec3::new(2.0, 0.02, 1.0), 0.1),
            sphere(1.0, 24),
            torus(1.0, 0.3, 24, 12),
            cylinder(0.5, 1.0, 0.1),
        ];
        for (positions, triangles) in shapes {
            assert!(Mesh::new("shape", &positions, &triangles).unwrap().evened(|_| true).is_none());
        }
    }
}
