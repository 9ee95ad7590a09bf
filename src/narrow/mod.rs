//! From candidate triangle pairs to contacts: signed pairs of features (vertex, edge, face) that are local
//! extrema of their own surface along the normal, so that neither convexity nor closedness is needed.
//!
//! collider.rs is the query of one pair; features.rs what touches; reduce.rs which of it the solver needs;
//! cache.rs what the last pass passes on; effort.rs how much of a pair is looked at; hold.rs and standing.rs what
//! becomes of pairs that a budget leaves unsearched; settings.rs the lengths all of it is judged by. exact/ is the
//! query of \[cab\], which no step asks: distance, normal and depth of two links.

mod cache;
mod collider;
mod contact;
mod effort;
pub mod exact;
mod features;
mod hold;
mod reduce;
mod settings;
mod standing;
mod start;

pub use collider::{QueryCounts, Scratch};
pub use contact::{Contact, Crowding, FeatureKey, PairContacts, PairCost, PairRule};
pub use effort::STEP_EFFORT;
pub use hold::Region;
pub use settings::{Ahead, PairSettings, Two, reach};
pub use standing::{Certainty, Plan, Search, Standing};
