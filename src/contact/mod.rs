//! From candidate triangle pairs to contacts: signed pairs of features (vertex, edge, face) that are local
//! extrema of their own surface along the normal, so that neither convexity nor closedness is needed.
//!
//! - `cache.rs`: what contacts inherit from the pass before: impulses, and loaded contacts without a feature.
//! - `candidate_list.rs`: a Verlet list of candidates, valid while the bodies stay within its skin.
//! - `collect.rs`: what touches among a pair's candidates.
//! - `collider.rs`: the query of one pair, from candidates to contacts.
//! - `counts.rs`: what the query of a pair met.
//! - `crossing.rs`: how far two triangles that cross reach through each other.
//! - `effort.rs`: the bound of effort for pairs that touch in too many places.
//! - `features.rs`: which features of two triangles make a contact.
//! - `margins.rs`: how far apart the bodies of a pair must be looked at, and how often.
//! - `motion.rs`: how far and how fast bodies move against each other, and what is left of accepted overlap.
//! - `over.rs`: whether what touches a face lies over it.
//! - `pair.rs`: all that is known of two bodies near each other, kept from pass to pass.
//! - `point.rs`: one contact between two bodies, and how a scene wants a pair treated.
//! - `push.rs`: how hard two bodies pushed each other in a step.
//! - `ratios.rs`: every number that contacts are judged by, with its unit and its reason.
//! - `recycle.rs`: contacts that no search has found again, transformed with their bodies.
//! - `reduce.rs`: from all feature contacts of a pair to the few that the solver needs.
//! - `region.rs`: a region of two surfaces of which only their boxes are known.
//! - `round.rs`: contacts of round surfaces, which move along these as their bodies roll.
//! - `search.rs`: what the search of a pair looks for, and the triangle pairs that it has found.
//! - `settings.rs`: the lengths by which a pair's contacts are judged.
//! - `sides.rs`: which of the faces above a vertex is its way out.
//! - `tests/`: the scalar path as the judge of what is sieved out before it.

mod cache;
mod candidate_list;
mod collect;
mod collider;
mod counts;
mod crossing;
mod effort;
mod features;
mod margins;
mod motion;
mod over;
mod pair;
mod point;
mod push;
mod ratios;
mod recycle;
mod reduce;
mod region;
mod round;
mod search;
mod settings;
mod sides;
#[cfg(test)]
mod tests;

pub use candidate_list::{CandidateList, Skin};
pub use collider::{Limits, QueryScratch, SearchPart, Surface};
pub use counts::QueryCounts;
pub use crossing::depth_of_crossing;
pub use effort::{PAIR_EFFORT, STEP_EFFORT, may_be_fans};
pub use motion::{Course, greatest_speed};
pub use pair::{Crowding, DepthAtRest, Judged, Overlap, PairContacts, PairCost};
pub use point::{Contact, FeatureKey, PairRule, Round};
pub use push::Push;
pub use region::Region;
pub use search::{Depth, Due, Search};
pub use settings::{Ahead, BodyPair, PairSettings, reach, room_of_body};
