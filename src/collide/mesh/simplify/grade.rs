//! Weight of each vertex for the appearance of a surface. Low, Tan 1997
//!
//! The weight is the length of the vertex's longest edge, times the cosine of half the largest angle
//! between two of its edges. The cosine is larger for a vertex that is more likely to lie on a
//! silhouette.

use glam::Vec3;

/// Largest number of edges at a vertex for which all pairs are compared. If there are more, only the
/// extreme edges along `DIRECTIONS` are compared, so that the hub of a fan has linear cost.
const PAIRED_COUNT: usize = 24;

/// Directions to the faces, edges and corners of a cube, one per opposite pair.
const DIRECTIONS: [Vec3; 13] = {
    let v = Vec3::new;
    [
        v(1.0, 0.0, 0.0),
        v(0.0, 1.0, 0.0),
        v(0.0, 0.0, 1.0),
        v(1.0, 1.0, 0.0),
        v(1.0, -1.0, 0.0),
        v(1.0, 0.0, 1.0),
        v(1.0, 0.0, -1.0),
        v(0.0, 1.0, 1.0),
        v(0.0, 1.0, -1.0),
        v(1.0, 1.0, 1.0),
        v(1.0, 1.0, -1.0),
        v(1.0, -1.0, 1.0),
        v(1.0, -1.0, -1.0),
    ]
};

/// Returns all vertices from the largest weight to the least, those of equal weight by index. O(n log
/// n) for the sort.
pub(super) fn order(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut neighbors = Neighbors::new(positions.len(), triangles);
    let mut unit = Vec::new();
    let mut keys: Vec<u64> = (0..positions.len())
        .map(|v| {
            let weight =
                weight(positions[v], neighbors.of(v).iter().map(|&n| positions[n as usize]), &mut unit);
            // Weights are not negative, so the order of their bits is that of the weights.
            u64::from(!weight.to_bits()) << 32 | v as u64
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// Returns the weight of a vertex at `at` with the given neighbors. `unit` is a buffer.
fn weight(at: Vec3, neighbors: impl Iterator<Item = Vec3>, unit: &mut Vec<Vec3>) -> f32 {
    unit.clear();
    let mut longest = 0f32;
    for neighbor in neighbors {
        let edge = neighbor - at;
        let length = edge.length();
        longest = longest.max(length);
        // An edge that is too short to have a direction is omitted.
        unit.extend(edge.try_normalize());
    }
    if unit.len() > PAIRED_COUNT {
        keep_extremes(unit);
    }
    let mut least = 1f32;
    for (k, a) in unit.iter().enumerate() {
        for b in &unit[k + 1..] {
            least = least.min(a.dot(*b));
        }
    }
    // cos(θ/2) from cos θ.
    (0.5 * (1.0 + least.max(-1.0))).sqrt() * longest
}

/// Keeps only the extreme vectors along and against each direction.
fn keep_extremes(unit: &mut Vec<Vec3>) {
    let mut kept: Vec<Vec3> = Vec::with_capacity(2 * DIRECTIONS.len());
    for direction in DIRECTIONS {
        let along = |v: &&Vec3| v.dot(direction);
        kept.extend(unit.iter().max_by(|a, b| along(a).total_cmp(&along(b))));
        kept.extend(unit.iter().min_by(|a, b| along(a).total_cmp(&along(b))));
    }
    unit.clear();
    unit.extend(kept);
}

/// Vertices connected to each vertex by an edge, in a single list.
struct Neighbors {
    end: Vec<u32>,
    others: Vec<u32>,
}

impl Neighbors {
    fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut end = vec![0; vertex_count + 1];
        for &v in triangles.as_flattened() {
            end[v as usize + 1] += 2;
        }
        for v in 0..vertex_count {
            end[v + 1] += end[v];
        }
        let mut others = vec![0; 6 * triangles.len()];
        for &[a, b, c] in triangles {
            for (v, pair) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                let at = &mut end[v as usize];
                others[*at as usize..*at as usize + 2].copy_from_slice(&pair);
                *at += 2;
            }
        }
        Self { end, others }
    }

    /// Returns the neighbors of a vertex, each once, in ascending order, independent of the order of
    /// the triangles.
    fn of(&mut self, vertex: usize) -> &[u32] {
        let first = if vertex == 0 { 0 } else { self.end[vertex - 1] };
        let own = &mut self.others[first as usize..self.end[vertex] as usize];
        own.sort_unstable();
        let mut count = 0;
        for k in 0..own.len() {
            if k == 0 || own[k] != own[count - 1] {
                own[count] = own[k];
                count += 1;
            }
        }
        &own[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn protruding_vertices_are_graded_above_flat_ones() {
        let (mut positions, triangles) = generate::cuboid(Vec3::ONE, 0.25);
        let corners = |p: &Vec3| p.abs().min_element() > 0.49;
        let inside_a_face = |p: &Vec3| p.abs().to_array().iter().filter(|c| **c > 0.49).count() == 1;
        let order = order(&positions, &triangles);
        assert!(order[..8].iter().all(|&v| corners(&positions[v as usize])));
        let last = order.len() - 1;
        assert!(inside_a_face(&positions[order[last] as usize]));
        // A long edge increases the weight of its vertex.
        positions
            .iter_mut()
            .filter(|p| corners(p) && p.x > 0.0 && p.y > 0.0 && p.z > 0.0)
            .for_each(|p| *p *= 4.0);
        let spike = super::order(&positions, &triangles)[0] as usize;
        assert!(positions[spike].x > 1.0);
    }

    #[test]
    fn the_hub_of_a_fan_is_graded_alike_in_any_order_of_its_blades() {
        let blades = 500u32;
        let mut positions = vec![Vec3::ZERO];
        positions.extend((0..=blades).map(|k| {
            let angle = k as f32 * 0.004;
            Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.3 * libm::sinf(7.0 * angle))
        }));
        let mut triangles: Vec<[u32; 3]> = (1..=blades).map(|k| [0, k, k + 1]).collect();
        let straight = order(&positions, &triangles);
        triangles.reverse();
        assert_eq!(order(&positions, &triangles), straight);
    }
}
