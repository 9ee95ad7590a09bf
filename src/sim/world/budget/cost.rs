//! Approximate costs of all work in node tests, the unit of a budget. A node test takes 1.1 ns with the
//! default hierarchy. The costs were fitted to the steps of parts-tray; other scenes differ by up to a
//! factor of three.

/// Test of a candidate, in *test* and *query*.
pub const CANDIDATE: u64 = 180;
/// Search that finds no candidates.
pub const SEARCH: u64 = 400;
/// Near pair in a pass.
pub const PAIR: u64 = 500;
/// Pair that is held: left unsearched, with old or guessed contacts.
pub const HELD: u64 = 500;
/// Node test of an estimate.
pub const ESTIMATE: u64 = 100;
