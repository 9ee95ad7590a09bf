//! Node tests that everything else costs, about, so that a budget can be counted in them: with the default
//! hierarchy a node test takes 1.1 ns; fitted to the steps of parts-tray, scenes differ by up to three times.

/// In *test* and *query*.
pub const CANDIDATE: u64 = 180;
/// A search that finds nothing.
pub const SEARCH: u64 = 400;
/// A pair that is looked at in a pass.
pub const PAIR: u64 = 500;
/// A pair that is held.
pub const HELD: u64 = 500;
/// A node test of an estimate.
pub const ESTIMATE: u64 = 100;
