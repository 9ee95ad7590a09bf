//! Whole steps, with the kept data of pairs tested in every pass.
//!
//! - `shadow.rs`: kept contacts compared with those of a search from scratch.

mod shadow;
