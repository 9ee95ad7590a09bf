//! Approximate costs in node tests, so that a budget can be counted in them. With the default hierarchy
//! a node test takes 1.1 ns; fitted to the steps of parts-tray, scenes differ by up to three times.

/// A candidate, in *test* and *query*.
pub const CANDIDATE: u64 = 180;
/// A search that finds no candidates.
pub const SEARCH: u64 = 400;
/// A near pair in a pass.
pub const PAIR: u64 = 500;
/// A pair that is held.
pub const HELD: u64 = 500;
/// A node test of an estimate.
pub const ESTIMATE: u64 = 100;
