//! Coarser versions of a shape for where it is small in the picture: a level leaves out what is smaller than
//! its cells, and is drawn only where a cell is smaller than a pixel. What collides is never simplified.
//!
//! Shape → lists of indices into its own vertices, finest first: vertices of one cell of a grid become one of
//! them, and triangles that lose a corner are dropped (Rossignac, Borrel 1993). O(n log n) a level.

use glam::Vec3;

use super::shading::Shape;

/// Shapes of fewer triangles are drawn as they are.
const FEW: usize = 256;
/// Cells across the diagonal of the finest level and of the coarsest; from one to the next they grow by the
/// step.
const FINEST: f32 = 1024.0;
const COARSEST: f32 = 16.0;
const STEP: f32 = std::f32::consts::SQRT_2;
/// A level is worth its memory if it has at most this share of the last one's triangles.
const WORTH: f64 = 0.75;

/// One version of a shape.
pub struct Level {
    /// Side of its cells, m; zero for the shape itself.
    pub cell: f32,
    /// Three a triangle, into the shape's vertices.
    pub indices: Vec<u32>,
}

/// The levels below the shape itself.
pub fn levels(shape: &Shape) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut count = shape.indices.len() / 3;
    let positions: Vec<Vec3> = shape.vertices.iter().map(|v| v.position()).collect();
    let (min, max) =
        positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(*p), b.max(*p)));
    let diagonal = (max - min).length();
    let mut cells = FINEST;
    while count >= FEW && cells >= COARSEST && diagonal > 0.0 && diagonal.is_finite() {
        let cell = diagonal / cells;
        let indices = cluster(shape, &positions, min, cell);
        if (indices.len() / 3) as f64 <= WORTH * count as f64 {
            count = indices.len() / 3;
            levels.push(Level { cell, indices });
        }
        cells /= STEP;
    }
    levels
}

/// The triangles whose corners lie in three different cells, each corner moved to its cell's vertex.
fn cluster(shape: &Shape, positions: &[Vec3], min: Vec3, cell: f32) -> Vec<u32> {
    let key = |p: &Vec3| {
        // At most FINEST cells a side, so 16 bits hold each.
        let [x, y, z] = ((*p - min) / cell).to_array().map(|c| u64::from(c as u16));
        x << 32 | y << 16 | z
    };
    let mut order: Vec<(u64, u32)> = positions.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    // The vertex of the surface that stands for each cell, and those of the shape made from it.
    let mut stands = vec![0u32; positions.len()];
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let mean = run.iter().map(|r| positions[r.1 as usize]).sum::<Vec3>() / run.len() as f32;
        let off = |r: &&(u64, u32)| positions[r.1 as usize].distance_squared(mean);
        let nearest = run.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        let chosen = nearest.map_or(0, |n| shape.source[n.1 as usize]);
        for &(_, vertex) in run {
            stands[vertex as usize] = chosen;
        }
    }
    // Vertices of the shape come in the order of the surface's.
    let made_from = |source: u32| {
        let first = shape.source.partition_point(|&s| s < source);
        let count = shape.source[first..].iter().take_while(|&&s| s == source).count();
        first..first + count
    };
    let alike = |corner: u32| {
        let normal = shape.vertices[corner as usize].normal();
        let likeness = |&v: &usize| shape.vertices[v].normal().dot(normal);
        let best = made_from(stands[corner as usize]).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        best.map_or(corner, |v| v as u32)
    };
    let mut indices = Vec::new();
    for corners in shape.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| stands[corners[k] as usize]);
        if a != b && b != c && c != a {
            indices.extend(corners.iter().map(|&corner| alike(corner)));
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Mesh, generate};
    use crate::scene::looks::Paint;

    #[test]
    fn a_level_stays_within_its_cell_and_has_fewer_triangles() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 160, 80);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let shape = Shape::of_mesh(&mesh, &Paint::Plain([0; 3]));
        let levels = levels(&shape);
        assert!(levels.len() >= 3, "{}", levels.len());
        let mut last = shape.indices.len();
        for level in &levels {
            assert!(level.indices.len() < last && !level.indices.is_empty());
            last = level.indices.len();
            for corners in level.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|k| shape.vertices[corners[k] as usize].position());
                let middle = (a + b + c) / 3.0;
                let ring = middle.with_z(0.0).normalize();
                let off = (middle.distance(ring) - 0.3).abs();
                // A corner moves by the diagonal of its cell at most, and what it was moved from lay nearly on
                // the tube; where cells are not small against it, chords sink.
                let bound = 3f32.sqrt() * level.cell + 0.002;
                assert!(off < bound || level.cell > 0.05, "{off} of {}", level.cell);
            }
        }
    }

    #[test]
    fn a_small_shape_has_no_levels() {
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let mesh = Mesh::new("box", &positions, &triangles).unwrap();
        assert!(levels(&Shape::of_mesh(&mesh, &Paint::Plain([0; 3]))).is_empty());
    }
}
