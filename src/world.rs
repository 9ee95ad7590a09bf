//! The world: bodies, contacts and joints that step through time.

mod counts;

pub use counts::StepCounts;
