//! Division of pieces in two across an axis. The pieces are sorted by their middles along the set's
//! principal axes and along the coordinate axes. The border of least cost is chosen.

use glam::{Mat3A, Vec3A};

use super::stats::{Measure, TriangleStats};

use crate::arrays::MapEach;

/// Best border between pieces.
pub(super) struct Border {
    /// Sum of the costs of both halves, see [`cost`].
    pub cost: f64,
    /// Whether each piece is in the first half.
    pub in_first: Vec<bool>,
}

/// Returns surface times triangle count: a measure of the probability that a node is tested, times the
/// work if it overlaps.
pub(super) fn cost(stats: &TriangleStats, measure: Measure) -> f64 {
    stats.size(measure)[1] * f64::from(stats.count)
}

/// A box along the axes of a frame, and the number of triangles in it.
#[derive(Clone, Copy)]
struct Block {
    low: Vec3A,
    high: Vec3A,
    count: u32,
}

impl Block {
    const NOTHING: Self = Self { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY, count: 0 };

    fn join(&mut self, other: &Self) {
        (self.low, self.high) = (self.low.min(other.low), self.high.max(other.high));
        self.count += other.count;
    }

    fn cost(&self) -> f32 {
        let d = self.high - self.low;
        (d.x * d.y + d.y * d.z + d.z * d.x) * self.count as f32
    }
}

/// Returns the best border; `None` for fewer than two pieces. On each axis, borders are first compared
/// by boxes along the frame. The best of each axis is then evaluated with `measure`.
pub(super) fn best_border(
    pieces: &[&TriangleStats],
    whole: &TriangleStats,
    measure: Measure,
) -> Option<Border> {
    let turned = Mat3A::from(whole.axes().transpose().as_mat3());
    let frames =
        if measure == Measure::Aligned { &[Mat3A::IDENTITY][..] } else { &[Mat3A::IDENTITY, turned] };
    let mut best: Option<Border> = None;
    for frame in frames {
        let block = |piece: &&TriangleStats| {
            let [low, high] = piece.bounds_along(frame);
            Block { low, high, count: piece.count }
        };
        let blocks: Vec<Block> = pieces.iter().map(block).collect();
        for axis in 0..3 {
            let middle = |&piece: &usize| blocks[piece].low[axis] + blocks[piece].high[axis];
            let mut order: Vec<usize> = (0..blocks.len()).collect();
            order.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
            let Some(count) = least(&order, &blocks) else { continue };
            let [first, second] = [&order[..count], &order[count..]].map_each(|half| {
                let mut stats = pieces[half[0]].clone();
                half[1..].iter().for_each(|&piece| stats.join(pieces[piece]));
                cost(&stats, measure)
            });
            if best.as_ref().is_none_or(|b| first + second < b.cost) {
                let mut in_first = vec![false; pieces.len()];
                order[..count].iter().for_each(|&piece| in_first[piece] = true);
                best = Some(Border { cost: first + second, in_first });
            }
        }
    }
    best
}

/// Returns the number of leading pieces in `order` that make the cheapest first half; `None` for fewer
/// than two pieces.
fn least(order: &[usize], blocks: &[Block]) -> Option<usize> {
    let mut above = vec![0.0; order.len()];
    let mut sum = Block::NOTHING;
    for k in (1..order.len()).rev() {
        sum.join(&blocks[order[k]]);
        above[k] = sum.cost();
    }
    let mut below = Block::NOTHING;
    let costs = (1..order.len()).map(|k| {
        below.join(&blocks[order[k - 1]]);
        (below.cost() + above[k], k)
    });
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, k)| k)
}
