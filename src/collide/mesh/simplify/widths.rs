//! Cell widths at which a surface's parts become distinct, from the lengths of its edges alone.
//! \[simplify\] §5
//!
//! Surfaces are dense in some regions and sparse in others, so the number of edges per length drops
//! drastically at a few lengths. Cells just wider than such a length absorb small features completely
//! and keep large ones. The paper does not explain how it finds the drops. Here they are the largest
//! falls of the smoothed histogram over the logarithm of the length. Among equal falls (to zero), the
//! one at the longest length comes first.

use glam::Vec3;

use crate::arrays::MapEach;
use crate::order::Order;

/// Number of bins of the histogram, which are uniform over the logarithm of the length.
const BIN_COUNT: usize = 64;
/// Largest number of levels, each with one width.
const LEVEL_COUNT: usize = 3;
/// Widest cell, as a share of the diagonal.
pub(super) const WIDEST: f32 = 0.5;
/// Narrowest cell, as a share of the diagonal.
const NARROWEST: f32 = 0.01;
/// Least ratio between two widths.
const APART: f32 = 2.0;
/// Widths that are used if the histogram has too few drops, as shares of the diagonal.
const FALLBACK: [f32; LEVEL_COUNT] = [1.0 / 4.0, 1.0 / 8.0, 1.0 / 16.0];

/// Histogram of the lengths of a surface's edges. \[simplify\] Fig. 3
#[derive(Clone, Debug)]
pub struct EdgeLengths {
    /// Number of triangle sides per bin; an edge of two triangles counts twice. The first bin includes
    /// all shorter sides.
    counts: [u32; BIN_COUNT],
    diagonal: f32,
}

impl EdgeLengths {
    pub(super) fn new(positions: &[Vec3], triangles: &[[u32; 3]], diagonal: f32) -> Self {
        let mut counts = [0; BIN_COUNT];
        for corners in triangles {
            let [a, b, c] = corners.map_each(|v| positions[v as usize]);
            for length in [a.distance(b), b.distance(c), c.distance(a)] {
                let share = libm::logf(length / diagonal) / libm::logf(NARROWEST);
                if share.is_finite() {
                    // Counted from the longest edges (0, the last bin) to the shortest.
                    let back = (share * BIN_COUNT as f32) as usize;
                    counts[BIN_COUNT - 1 - back.min(BIN_COUNT - 1)] += 1;
                }
            }
        }
        Self { counts, diagonal }
    }

    /// Returns the upper end of each bin, m, ascending, with the bin's count. The last bin ends at the
    /// diagonal.
    pub fn bins(&self) -> impl Iterator<Item = (f32, u32)> {
        (0..BIN_COUNT).map(|k| (self.end(k), self.counts[k]))
    }

    fn end(&self, bin: usize) -> f32 {
        self.diagonal * libm::powf(NARROWEST, 1.0 - (bin + 1) as f32 / BIN_COUNT as f32)
    }

    fn smoothed(&self, bin: usize) -> f32 {
        let around = &self.counts[bin.saturating_sub(1)..(bin + 2).min(BIN_COUNT)];
        around.iter().map(|&b| b as f32).sum::<f32>() / around.len() as f32
    }

    /// Returns the cell widths, m, descending. Empty for a surface of size zero.
    pub(super) fn widths(&self) -> Vec<f32> {
        if !(self.diagonal > 0.0 && self.diagonal.is_finite()) {
            return Vec::new();
        }
        let mut found: Vec<f32> = Vec::new();
        let mut drops = self.drops();
        drops.extend(FALLBACK.map_each(|share| share * self.diagonal));
        for width in drops {
            let apart = |&other: &f32| width >= APART * other || other >= APART * width;
            if found.len() < LEVEL_COUNT && found.iter().all(apart) {
                found.push(width);
            }
        }
        found.order_by(|a, b| b.total_cmp(a));
        found
    }

    /// Returns the lengths above which there are far fewer edges, m, ordered from the largest fall to
    /// the least.
    fn drops(&self) -> Vec<f32> {
        let total = self.counts.iter().sum::<u32>() as f32;
        let mut falls: Vec<(f32, usize)> = (1..BIN_COUNT - 2)
            .filter_map(|k| {
                let (before, after) = (self.smoothed(k - 1), self.smoothed(k + 2));
                let fall = (before - after) / before.max(1.0);
                // Drops of only a few edges are ignored.
                let is_drop = fall > 0.5 && before > 0.002 * total && self.end(k) <= WIDEST * self.diagonal;
                is_drop.then_some((fall, k))
            })
            .collect();
        falls.order_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        falls.into_iter().map(|(_, k)| self.end(k)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// Builds a long bar of large triangles, with a finely meshed ball at its end.
    fn bar_and_ball() -> generate::Triangles {
        let (mut positions, mut triangles) = generate::cuboid(Vec3::new(10.0, 0.5, 0.5), 2.0);
        let first = positions.len() as u32;
        let (ball, corners) = generate::sphere(0.5, 30);
        positions.extend(ball.iter().map(|&p| p + Vec3::new(5.0, 0.0, 0.0)));
        triangles.extend(corners.iter().map(|t| t.map(|v| v + first)));
        (positions, triangles)
    }

    #[test]
    fn cells_are_just_wider_than_the_populations_of_edges() {
        let (positions, triangles) = bar_and_ball();
        let found = EdgeLengths::new(&positions, &triangles, 10.5).widths();
        // The edges of the ball are 0.1 long or shorter; those of the bar are 0.5 and about 2 long.
        assert!(found.iter().any(|&w| (0.1..0.3).contains(&w)), "{found:?}");
        assert!(found.iter().any(|&w| (2.0..3.0).contains(&w)), "{found:?}");
        assert!(found.windows(2).all(|w| w[0] >= APART * w[1]), "{found:?}");
    }

    #[test]
    fn there_are_some_for_any_surface_with_a_size_and_none_without() {
        let equal = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let widths = |corners: &[Vec3], diagonal| EdgeLengths::new(corners, &[[0, 1, 2]], diagonal).widths();
        assert!(!widths(&equal, 2f32.sqrt()).is_empty());
        assert!(widths(&[Vec3::ZERO; 3], 0.0).is_empty());
        assert!(widths(&equal, f32::INFINITY).is_empty());
    }
}
