//! Whole steps, with what is known of pairs looked at in every pass.
//!
//! - `shadow.rs`: contacts that are kept beside those that a search from nothing finds.

mod shadow;
