//! From candidate triangle pairs to contacts: signed pairs of features (vertex, edge, face) that are local
//! extrema of their own surface along the normal, so that neither convexity nor closedness is needed.
//!
//! collider.rs is the query of one pair; collect.rs and features.rs what touches; sides.rs and reduce.rs
//! which of it the solver needs; cache.rs what the last pass passes on; effort.rs how much of a pair is
//! looked at; hold.rs what becomes of pairs that are not; settings.rs and margins.rs the lengths all of it is
//! judged by, ratios.rs the numbers they are made of.

mod cache;
mod collect;
mod collider;
mod counts;
mod crossing;
mod effort;
mod features;
mod hold;
mod margins;
mod motion;
mod pair;
mod point;
mod ratios;
mod reduce;
mod region;
mod settings;
mod sides;

pub use collider::{Limits, QueryScratch, SearchPart, Surface};
pub use counts::QueryCounts;
pub use crossing::depth_of_crossing;
pub use effort::{PAIR_EFFORT, STEP_EFFORT, may_be_fans};
pub use pair::{Crowding, PairContacts, PairCost};
pub use point::{Contact, FeatureKey, PairRule};
pub use region::Region;
pub use settings::{Ahead, BodyPair, PairSettings, reach};
