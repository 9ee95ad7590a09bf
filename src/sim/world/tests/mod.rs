//! Tests that run whole steps and examine the kept data of pairs in every pass.
//!
//! - `shadow.rs`: kept contacts compared with those of a search from scratch.

mod shadow;
