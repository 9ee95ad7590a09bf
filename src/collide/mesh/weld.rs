//! Builds one surface from the content of a file: merges coinciding vertices, and drops degenerate
//! triangles, duplicate triangles and walls inside a solid.
//!
//! Files split vertices where normals or texture coordinates jump; without welding, many triangles have
//! no neighbors. In the order of the file, each vertex is merged into the nearest vertex kept before it
//! within the tolerance, or kept if there is none. So no vertex moves by more than the tolerance, and
//! kept vertices do not move. Input: finite positions and valid indices. Output: used vertices and
//! triangles with an area, both in file order. Cost: O(n log n) by sorting grid cells, for any
//! distribution of vertices.

use glam::{DVec3, Vec3};

use super::{Flaws, NONE, walls};

use crate::arrays::MapEach;

/// Weld tolerance as a share of the bounding box's diagonal: ten times the rounding of `f32`
/// coordinates of the mesh's size, or a micrometer for a meter. A larger value would close real
/// clearances.
const WELD_TOLERANCE: f64 = 1e-6;

/// Largest area of a degenerate triangle, as a share of the squared diagonal: the squared weld
/// tolerance.
const DEGENERATE_AREA: f64 = 1e-12;

/// Cell width as a multiple of the tolerance. With 4, half of the vertices need no search in a
/// neighboring cell along an axis, and a cell has at most about 200 vertices that are not merged.
const TOLERANCES_PER_CELL: f64 = 4.0;

pub(super) struct Welded {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Index of each triangle in the input.
    pub source: Vec<u32>,
    /// Largest distance of merged vertices, m.
    pub tolerance: f64,
    /// Largest area of a degenerate triangle, m².
    pub least_area: f64,
}

/// Welds vertices, and drops degenerate triangles, duplicate triangles and inner walls. `flaws` counts
/// them.
pub(super) fn weld(positions: &[Vec3], triangles: &[[u32; 3]], flaws: &mut Flaws) -> Welded {
    let mut used = vec![false; positions.len()];
    for &v in triangles.iter().flatten() {
        used[v as usize] = true;
    }
    let diagonal = diagonal(positions, &used);
    let (tolerance, least_area) = (WELD_TOLERANCE * diagonal, DEGENERATE_AREA * diagonal * diagonal);
    let representative = representatives(positions, &used, tolerance);
    for v in 0..positions.len() {
        flaws.unused_vertex_count += u32::from(!used[v]);
        flaws.welded_vertex_count += u32::from(used[v] && representative[v] != v as u32);
    }

    let mut kept: Vec<[u32; 3]> = Vec::with_capacity(triangles.len());
    let mut source = Vec::with_capacity(triangles.len());
    for (t, corners) in triangles.iter().enumerate() {
        let corners = corners.map_each(|v| representative[v as usize]);
        let [a, b, c] = corners.map_each(|v| positions[v as usize].as_dvec3());
        let area = 0.5 * (b - a).cross(c - a).length();
        if area <= least_area {
            flaws.degenerate_triangle_count += 1;
        } else {
            kept.push(corners);
            source.push(t as u32);
        }
    }
    let is_twin = drop_duplicates(&mut kept, &mut source, flaws);
    let keep = walls::without_inner(positions, &kept, &is_twin, flaws);
    retain(&mut kept, &keep);
    retain(&mut source, &keep);

    // Keeps only vertices that a kept triangle uses, in file order.
    let mut index = vec![NONE; positions.len()];
    for &v in kept.iter().flatten() {
        index[v as usize] = 0;
    }
    let mut vertices = Vec::new();
    for (v, index) in index.iter_mut().enumerate() {
        if *index != NONE {
            *index = vertices.len() as u32;
            vertices.push(positions[v]);
        }
    }
    for corners in &mut kept {
        *corners = corners.map_each(|v| index[v as usize]);
    }
    Welded { vertices, triangles: kept, source, tolerance, least_area }
}

fn diagonal(positions: &[Vec3], used: &[bool]) -> f64 {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (p, _) in positions.iter().zip(used).filter(|(_, used)| **used) {
        min = min.min(p.as_dvec3());
        max = max.max(p.as_dvec3());
    }
    (max - min).max(DVec3::ZERO).length()
}

/// Returns for each used vertex the vertex that it is merged into: itself or an earlier one.
fn representatives(positions: &[Vec3], used: &[bool], tolerance: f64) -> Vec<u32> {
    let mut representative: Vec<u32> = (0..positions.len() as u32).collect();
    // The cell size is positive even for a mesh that is a single point; then any positive value works.
    let cell = (TOLERANCES_PER_CELL * tolerance).max(f64::MIN_POSITIVE);
    let origin = positions
        .iter()
        .zip(used)
        .filter(|(_, used)| **used)
        .fold(DVec3::INFINITY, |min, (p, _)| min.min(p.as_dvec3()));
    // There are at most 1 / 4e-6 cells along an axis, which take 18 bits, and one more on either side
    // for neighbors.
    let place = |p: DVec3| ((p - origin) / cell).floor() + 1.0;
    let key = |c: DVec3| (c.x as u64) << 42 | (c.y as u64) << 21 | c.z as u64;
    let mut cells: Vec<u64> =
        positions.iter().zip(used).filter(|(_, u)| **u).map(|(p, _)| key(place(p.as_dvec3()))).collect();
    cells.sort_unstable();
    cells.dedup();

    let mut first_kept = vec![NONE; cells.len()];
    let mut next_kept = vec![NONE; positions.len()];
    for v in (0..positions.len()).filter(|&v| used[v]) {
        let p = positions[v].as_dvec3();
        let (low, high) = (place(p - tolerance), place(p + tolerance));
        let mut nearest = (tolerance * tolerance, NONE);
        for corner in 0..8 {
            let pick = |k: usize| if corner >> k & 1 == 0 { low[k] } else { high[k] };
            // Along an axis on which both choices give the same cell, this cell is visited only once.
            if (0..3).any(|k| corner >> k & 1 == 1 && low[k] == high[k]) {
                continue;
            }
            let neighbor = DVec3::new(pick(0), pick(1), pick(2)).max(DVec3::ZERO);
            let Ok(slot) = cells.binary_search(&key(neighbor)) else { continue };
            let mut other = first_kept[slot];
            while other != NONE {
                let distance = positions[other as usize].as_dvec3().distance_squared(p);
                if (distance, other) < nearest {
                    nearest = (distance, other);
                }
                other = next_kept[other as usize];
            }
        }
        if nearest.1 != NONE {
            representative[v] = nearest.1;
        } else if let Ok(slot) = cells.binary_search(&key(place(p))) {
            next_kept[v] = first_kept[slot];
            first_kept[slot] = v as u32;
        }
    }
    representative
}

/// Keeps the first of all triangles with the same corners, whatever their winding: a sheet stored with
/// a front and a back is one sheet. Returns for each kept triangle whether it was stored equally often
/// with both windings.
fn drop_duplicates(triangles: &mut Vec<[u32; 3]>, source: &mut Vec<u32>, flaws: &mut Flaws) -> Vec<bool> {
    // The corners, ascending, and the index of each triangle in one number: it sorts several times
    // faster than the four.
    let entry = |(t, &[a, b, c]): (u32, &[u32; 3])| {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let middle = a ^ b ^ c ^ low ^ high;
        [low, middle, high, t].iter().fold(0, |entry: u128, &number| entry << 32 | u128::from(number))
    };
    let mut order: Vec<u128> = (0..).zip(&*triangles).map(entry).collect();
    order.sort_unstable();
    let triangle = |entry: &u128| *entry as u32 as usize;
    let mut keep = vec![true; triangles.len()];
    let mut is_twin = vec![false; triangles.len()];
    for same in order.chunk_by(|x, y| x >> 32 == y >> 32).filter(|same| same.len() > 1) {
        let [first, repeated @ ..] = same else { continue };
        for other in repeated {
            keep[triangle(other)] = false;
        }
        flaws.duplicate_triangle_count += repeated.len() as u32;
        let first_way = same.iter().filter(|entry| is_ascending(triangles[triangle(entry)])).count();
        is_twin[triangle(first)] = 2 * first_way == same.len();
    }
    retain(triangles, &keep);
    retain(source, &keep);
    retain(&mut is_twin, &keep);
    is_twin
}

/// Returns whether the corners ascend after a rotation that puts the least one first. This is true for
/// exactly one of the two windings.
fn is_ascending([a, b, c]: [u32; 3]) -> bool {
    [a < b, b < c, c < a].into_iter().filter(|&rises| rises).count() == 2
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().is_some_and(|&k| k));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    const FAR: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    fn welded(positions: &[Vec3], triangles: &[[u32; 3]]) -> (Welded, Flaws) {
        let mut flaws = Flaws::default();
        (weld(positions, triangles, &mut flaws), flaws)
    }

    #[test]
    fn near_vertices_become_the_first_and_others_stay() {
        // The diagonal is √2, so the tolerance is 1.4e-6.
        for offset in [Vec3::X * 1.3e-6, Vec3::new(-7e-7, 7e-7, 7e-7), Vec3::ZERO] {
            let positions = [FAR[0], FAR[1], FAR[2], FAR[1] + offset, FAR[2] + offset, Vec3::ONE * 0.5];
            let (w, flaws) = welded(&positions, &[[0, 1, 2], [4, 3, 5]]);
            assert_eq!(flaws.welded_vertex_count, 2, "{offset}");
            assert_eq!(w.vertices, [FAR[0], FAR[1], FAR[2], Vec3::ONE * 0.5]);
            assert_eq!(w.triangles, [[0, 1, 2], [2, 1, 3]]);
        }
        let positions = [FAR[0], FAR[1], FAR[2], FAR[1] + Vec3::Z * 2e-6, FAR[2], Vec3::ONE * 0.5];
        assert_eq!(welded(&positions, &[[0, 1, 2], [4, 3, 5]]).1.welded_vertex_count, 1);
    }

    #[test]
    fn a_chain_of_near_vertices_does_not_collapse() {
        let step = 1e-6_f32;
        let mut positions: Vec<Vec3> = FAR.into();
        positions.extend((1..100).map(|i| Vec3::Z * step * i as f32));
        let triangles: Vec<[u32; 3]> = (0..100).map(|i| [if i == 0 { 0 } else { i + 2 }, 1, 2]).collect();
        let (w, _) = welded(&positions, &triangles);
        for (t, corners) in w.triangles.iter().enumerate() {
            let original = positions[triangles[w.source[t] as usize][0] as usize];
            assert!(w.vertices[corners[0] as usize].distance(original) <= 1.42e-6);
        }
        assert!(w.triangles.len() >= 49);
    }

    #[test]
    fn flaws_are_dropped_and_counted() {
        let positions = [FAR[0], FAR[1], FAR[2], Vec3::Z, Vec3::X * 0.5, Vec3::splat(9.0)];
        let triangles = [[0, 1, 2], [1, 1, 2], [0, 1, 4], [2, 0, 1], [0, 1, 3], [3, 1, 0], [0, 4, 2]];
        let (w, flaws) = welded(&positions, &triangles);
        assert_eq!(w.source, [0, 4, 6]);
        assert_eq!(flaws.unused_vertex_count, 1);
        assert_eq!(flaws.degenerate_triangle_count, 2);
        assert_eq!(flaws.duplicate_triangle_count, 2);
    }

    /// Builds the faces of boxes that stand side by side along x. Each wall between two boxes is stored
    /// once per box.
    fn boxes(count: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for k in 0..count {
            let first = positions.len() as u32;
            let corner = |i: usize| Vec3::new((k + (i & 1)) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
            positions.extend((0..8).map(corner));
            for [a, b, c, d] in
                [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
            {
                // The diagonal of a wall is the same as seen from either side.
                triangles.extend([[a, b, c], [a, c, d]].map(|corners| corners.map(|v: u32| first + v)));
            }
        }
        (positions, triangles)
    }

    #[test]
    fn walls_between_boxes_go() {
        for (count, walls) in [(1, 0), (2, 4), (3, 8)] {
            let (positions, triangles) = boxes(count);
            let (w, flaws) = welded(&positions, &triangles);
            assert_eq!(flaws.inner_wall_triangle_count, walls, "{count} boxes");
            assert_eq!(flaws.duplicate_triangle_count, 0);
            assert_eq!(w.triangles.len(), 12 * count - walls as usize);
            let mesh = Mesh::new("boxes", &positions, &triangles).unwrap();
            let surface = mesh.surface();
            assert!((surface.volume.volume - count as f64).abs() < 1e-9, "{}", surface.volume.volume);
            assert_eq!((surface.flaws.boundary_edge_count, surface.flaws.nonmanifold_edge_count), (0, 0));
            // The winding in the file does not matter.
            let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
            assert_eq!(welded(&positions, &turned).1.inner_wall_triangle_count, walls);
        }
    }

    #[test]
    fn a_wall_that_closes_a_box_and_one_that_stands_out_of_it_stay() {
        // A box without a lid, plus a lid that is stored from both sides.
        let (positions, mut triangles) = boxes(1);
        let lid: Vec<[u32; 3]> = triangles[10..].iter().map(|&[a, b, c]| [a, c, b]).collect();
        triangles.extend(&lid);
        let (w, flaws) = welded(&positions, &triangles);
        assert_eq!((w.triangles.len(), flaws.inner_wall_triangle_count), (12, 0));
        assert_eq!(flaws.duplicate_triangle_count, 2);
        // A fin with a free edge.
        let (mut positions, mut triangles) = boxes(1);
        positions.extend([Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 0.0)]);
        for [a, b, c] in [[1, 8, 9], [1, 9, 3]] {
            triangles.extend([[a, b, c], [a, c, b]]);
        }
        let (w, flaws) = welded(&positions, &triangles);
        assert_eq!((w.triangles.len(), flaws.inner_wall_triangle_count), (14, 0));
    }

    #[test]
    fn a_membrane_over_the_hole_of_a_ring_stays() {
        // A square ring whose hole is closed at the lower end by a sheet with a front and a back.
        let square = |half: f32, z: f32| {
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                .map(|[x, y]| Vec3::new(half * x, half * y, z))
        };
        let rings = [square(2.0, 0.0), square(2.0, 1.0), square(1.0, 1.0), square(1.0, 0.0)];
        let mut triangles = Vec::new();
        for ring in 0..4 {
            for k in 0..4 {
                let at = |ring: u32, k: u32| 4 * (ring % 4) + k % 4;
                let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let hole = [[12, 13, 14], [12, 14, 15]];
        triangles.extend(hole.iter().flat_map(|&[a, b, c]| [[a, b, c], [a, c, b]]));
        let (w, flaws) = welded(rings.as_flattened(), &triangles);
        assert_eq!((w.triangles.len(), flaws.inner_wall_triangle_count), (34, 0));
    }

    #[test]
    fn a_thin_sliver_stays() {
        let positions = [FAR[0], FAR[1], FAR[2], Vec3::new(0.5, 1e-5, 0.0)];
        assert_eq!(welded(&positions, &[[0, 1, 2], [0, 1, 3]]).0.triangles.len(), 2);
    }

    #[test]
    fn extreme_sizes_do_not_overflow() {
        for scale in [1e-40_f32, 1e-20, 1e18, 1e38] {
            let positions = FAR.map(|p| p * scale - Vec3::splat(scale));
            let (w, _) = welded(&positions, &[[0, 1, 2]]);
            assert_eq!(w.triangles.len(), 1, "{scale}");
        }
        let (w, _) = welded(&[Vec3::ONE; 3], &[[0, 1, 2]]);
        assert!(w.triangles.is_empty());
    }
}
