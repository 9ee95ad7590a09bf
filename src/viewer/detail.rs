//! Levels of detail, for shapes that are small in the picture. A level omits details that are smaller
//! than its cells, and it is drawn only where a cell is smaller than a pixel. Colliding surfaces are
//! never simplified.
//!
//! Shape → lists of indices into the shape's own vertices, the finest list first. The vertices in one
//! cell of a floating grid are replaced by one representative ([`Simplifier`]). A triangle is dropped
//! if two of its corners get the same representative. The cells of each octave are twice as wide as
//! those of the octave before, and each octave is made from the one before. So all octaves together
//! cost little more than the first two.

use glam::Vec3;

use super::shading::Shape;
use crate::mesh::simplify::Simplifier;

/// A shape with fewer triangles than this has no levels.
const FEW: usize = 256;
/// Number of cells across the diagonal at the finest level. The next constant is the number of octaves.
const FINEST: f32 = 1024.0;
const OCTAVE_COUNT: usize = 7;
/// Cell widths of the levels in an octave, relative to the widest.
const STEPS: [f32; 2] = [std::f32::consts::FRAC_1_SQRT_2, 1.0];
/// A level is worth its memory if it has at most this share of the previous level's triangles.
const WORTH: f64 = 0.75;

/// One level of a shape.
pub struct Level {
    /// Side of the cells, m; 0 for the shape itself. A vertex has moved by less than the diagonal of a
    /// cell. It moves by at most half a diagonal of this level's cells, plus half a diagonal of the
    /// finer level from which this level was made, and so on.
    pub cell: f32,
    /// Indices into the shape's vertices, three per triangle.
    pub indices: Vec<u32>,
}

/// Returns the levels that are coarser than the shape itself. `positions` are those of the surface from
/// which the shape was made.
pub fn levels(shape: &Shape, positions: &[Vec3]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut count = shape.indices.len() / 3;
    let corners = || shape.source.iter().map(|&v| positions[v as usize]);
    let (min, max) = corners().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
    let diagonal = (max - min).length();
    if count < FEW || !(diagonal > 0.0 && diagonal.is_finite()) {
        return levels;
    }
    let least = least_width(shape);
    let mut clusters = Clusters::new(shape, positions);
    let mut base: Option<Vec<u32>> = None;
    for octave in 0..OCTAVE_COUNT {
        let finer = base.as_deref().unwrap_or(&shape.indices);
        if finer.len() / 3 < FEW {
            break;
        }
        let widest = diagonal / FINEST * (1 << octave) as f32;
        if widest < least {
            continue;
        }
        let made = clusters.levels(finer, STEPS.map(|step| step * widest));
        // The next octave is made from the level with the narrower cells. Then the next octave moves no
        // vertex by more than the diagonal of its own cells.
        base = Some(made[0].clone());
        for (indices, step) in made.into_iter().zip(STEPS) {
            if !indices.is_empty() && (indices.len() / 3) as f64 <= WORTH * count as f64 {
                count = indices.len() / 3;
                levels.push(Level { cell: step * widest, indices });
            }
        }
    }
    levels
}

/// Returns the smallest useful cell width. At smaller widths, too few triangles have a side shorter
/// than half the diagonal of a cell: fewer than a level must drop.
fn least_width(shape: &Shape) -> f32 {
    let sides = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| shape.vertices[v as usize].position());
        a.distance_squared(b).min(b.distance_squared(c)).min(c.distance_squared(a))
    };
    let mut shortest: Vec<f32> = shape.indices.as_chunks().0.iter().map(sides).collect();
    let at = ((1.0 - WORTH) * shortest.len() as f64) as usize;
    let (_, side, _) = shortest.select_nth_unstable_by(at, f32::total_cmp);
    (*side / 0.75).sqrt()
}

/// The vertices of a shape, grouped by the vertices of the surface. Also has scratch space to number
/// the used vertices.
struct Clusters<'a> {
    shape: &'a Shape,
    positions: &'a [Vec3],
    /// Start of the shape's vertices of each surface vertex. The last entry is the end of all.
    first: Vec<u32>,
    /// Index of each surface vertex in `used`.
    number: Vec<u32>,
    used: Vec<u32>,
}

impl<'a> Clusters<'a> {
    fn new(shape: &'a Shape, positions: &'a [Vec3]) -> Self {
        let mut first = vec![0; positions.len() + 1];
        shape.source.iter().for_each(|&v| first[v as usize + 1] += 1);
        for v in 0..positions.len() {
            first[v + 1] += first[v];
        }
        Self { shape, positions, first, number: vec![u32::MAX; positions.len()], used: Vec::new() }
    }

    /// Clusters a list of triangles twice, with cells of two widths.
    fn levels(&mut self, indices: &[u32], widths: [f32; 2]) -> [Vec<u32>; 2] {
        let source = &self.shape.source;
        self.used.clear();
        let triangles: Vec<[u32; 3]> = indices
            .as_chunks()
            .0
            .iter()
            .map(|corners: &[u32; 3]| {
                corners.map(|corner| {
                    let vertex = source[corner as usize];
                    let number = &mut self.number[vertex as usize];
                    if *number == u32::MAX {
                        *number = self.used.len() as u32;
                        self.used.push(vertex);
                    }
                    *number
                })
            })
            .collect();
        let positions: Vec<Vec3> = self.used.iter().map(|&v| self.positions[v as usize]).collect();
        let simplifier = Simplifier::new(&positions, &triangles);
        let levels =
            widths.map(|width| self.cluster(indices, &triangles, &simplifier.representatives(width)));
        self.used.iter().for_each(|&v| self.number[v as usize] = u32::MAX);
        levels
    }

    /// Returns the triangles whose corners are in three different cells. Each corner is replaced by the
    /// vertex of its cell.
    fn cluster(&self, indices: &[u32], triangles: &[[u32; 3]], stands: &[u32]) -> Vec<u32> {
        let mut kept = Vec::new();
        for (corners, numbers) in indices.as_chunks::<3>().0.iter().zip(triangles) {
            let [a, b, c] = numbers.map(|n| stands[n as usize]);
            if a != b && b != c && c != a {
                kept.extend((0..3).map(|k| self.alike(corners[k], numbers[k], [a, b, c][k])));
            }
        }
        kept
    }

    /// Returns the vertex of the shape that replaces a corner. Of those at the cell's vertex, it has
    /// the most similar normal.
    fn alike(&self, corner: u32, from: u32, to: u32) -> u32 {
        if from == to {
            return corner;
        }
        let vertex = self.used[to as usize] as usize;
        let made = self.first[vertex]..self.first[vertex + 1];
        if made.len() == 1 {
            return made.start;
        }
        let normal = self.shape.vertices[corner as usize].normal();
        let likeness = |&v: &u32| self.shape.vertices[v as usize].normal().dot(normal);
        made.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or(corner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::scene::looks::Paint;

    #[test]
    fn a_level_stays_within_its_cell_and_has_fewer_triangles() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 160, 80);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let shape = Shape::of_mesh(&mesh, &Paint::Plain([0; 3]));
        let levels = &shape.levels;
        assert!(levels.len() >= 3, "{}", levels.len());
        let mut last = shape.indices.len();
        for level in levels {
            assert!(level.indices.len() < last && !level.indices.is_empty());
            last = level.indices.len();
            for corners in level.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|k| shape.vertices[corners[k] as usize].position());
                let middle = (a + b + c) / 3.0;
                let ring = middle.with_z(0.0).normalize();
                let off = (middle.distance(ring) - 0.3).abs();
                // A corner moves by at most the diagonal of its cell, and it was almost on the tube
                // before. Large cells are excepted, as there the chords are well below the surface of
                // the tube.
                let bound = 3f32.sqrt() * level.cell + 0.002;
                assert!(off < bound || level.cell > 0.05, "{off} of {}", level.cell);
            }
        }
    }

    #[test]
    fn a_small_shape_has_no_levels() {
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let mesh = Mesh::new("box", &positions, &triangles).unwrap();
        assert!(Shape::of_mesh(&mesh, &Paint::Plain([0; 3])).levels.is_empty());
    }
}
