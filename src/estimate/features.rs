//! What tells how likely surfaces cross in a pair of nodes.

use glam::Vec3A;

/// One, ln of the share of the smaller box that both fill (estimated), how far apart the logarithms of the
/// boxes' volumes are, how many of the two are leaves, and ln of the shares of cells that are possible
/// collision cells, of the smaller box and of the larger.
///
/// How deep two nodes are is not one, other than in the paper: what a tree's longest branch is says nothing
/// of the others.
pub const FEATURE_COUNT: usize = 6;

/// What probabilities need to know of a node.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Half the sides of the box that was divided into cells.
    pub half: Vec3A,
    pub volume: f32,
    pub log_volume: f32,
    pub is_leaf: bool,
    pub cell_count: u16,
    /// ln of the share of cells that are possible collision cells.
    pub log_filled: f32,
}

/// Cells that a node has beside those counted: one that has none may still hold slivers.
const UNCOUNTED_CELLS: f32 = 8.0;

/// Takes the logarithm of the share of `all` cells that a number of them is.
pub fn log_filled(cell_count: u16, all: u16) -> f32 {
    libm::logf((f32::from(cell_count) + UNCOUNTED_CELLS) / f32::from(all))
}

/// The features of two nodes whose boxes share `share` of the smaller one. Which comes first does not matter.
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
