//! Features of a pair of nodes, from which a model computes the probability of an intersection.

use glam::Vec3A;

/// Number of features: 1; ln of the estimated share of the smaller box that lies in both boxes; the
/// absolute difference of the logarithms of the boxes' volumes; the number of leaves among the two
/// nodes; ln of the share of possible collision cells in the smaller box, and in the larger box.
///
/// Unlike in the paper, the depth of the two nodes is not a feature. It is relative to the depth of the
/// tree, which is that of the longest branch and says nothing about the other branches.
pub const FEATURE_COUNT: usize = 6;

/// Data of a node from which probabilities are computed.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Half extents of the box that was divided into cells, m.
    pub half: Vec3A,
    pub volume: f32,
    pub log_volume: f32,
    pub is_leaf: bool,
    pub cell_count: u16,
    /// Natural logarithm of the share of possible collision cells among all cells; see `log_filled`.
    pub log_filled: f32,
}

/// Number of cells added to each count, because a node with a count of zero may still contain small
/// pieces of surface.
const UNCOUNTED_CELLS: f32 = 8.0;

/// Returns the natural logarithm of (`cell_count` + 8) / `all`.
pub fn log_filled(cell_count: u16, all: u16) -> f32 {
    libm::logf((f32::from(cell_count) + UNCOUNTED_CELLS) / f32::from(all))
}

/// Returns the features of two nodes. `share` is the share of the smaller box that lies in both. The
/// result does not depend on the order of the nodes.
pub fn features([a, b]: [&Seen; 2], share: f32) -> [f32; FEATURE_COUNT] {
    let leaf_count = u8::from(a.is_leaf) + u8::from(b.is_leaf);
    let larger = a.log_volume - b.log_volume;
    let a_is_small = larger < 0.0 || (larger == 0.0 && a.log_filled < b.log_filled);
    let (small, large) = if a_is_small { (a, b) } else { (b, a) };
    [
        1.0,
        libm::logf(share.max(1e-6)),
        larger.abs(),
        f32::from(leaf_count),
        small.log_filled,
        large.log_filled,
    ]
}
