//! Contacts of two surfaces, found among candidate triangle pairs. A contact is a pair of features
//! (vertex, edge, face) with a signed separation. Each feature is a local extremum of its own surface
//! along the normal, so the meshes need be neither convex nor closed.
//!
//! - `cache.rs`: impulses of the previous pass, and loaded contacts whose features are gone (orphans).
//! - `candidate_list.rs`: a Verlet list of candidates, valid while the bodies stay within its skin.
//! - `collect.rs`: the test of a pair's candidates for features that touch.
//! - `collider.rs`: the query of one pair, from candidates to contacts.
//! - `counts.rs`: the counters of a pair's query.
//! - `crossing.rs`: how far two intersecting triangles reach through each other.
//! - `curves.rs`: two smooth surfaces that touch, as the bodies move.
//! - `edge_sides.rs`: false depths of two edges beside a corner.
//! - `effort.rs`: the limit on the effort for pairs that touch at too many points.
//! - `features.rs`: the feature pairs of two triangles that make a contact.
//! - `flush.rs`: contacts with the edges of flush neighbors, which must not stop a sliding body.
//! - `margins.rs`: the search margin of a pair, its number of passes, and its skin.
//! - `motion.rs`: bounds of the relative motion of two bodies.
//! - `other_side.rs`: the side of a sheet on which a solid is.
//! - `over.rs`: the test of a vertex for lying over a face.
//! - `pair.rs`: the state of two bodies near each other, kept from pass to pass.
//! - `patches.rs`: where the friction of flat faces that lie on each other acts.
//! - `point.rs`: one contact between two bodies, and the rule of a scene for a pair.
//! - `push.rs`: the impulses between two bodies in a step.
//! - `ratios.rs`: the constants of the contact tests, with unit and reason.
//! - `recycle.rs`: contacts that are transformed with their bodies instead of searched again.
//! - `reduce.rs`: the choice of the few contacts of a pair that the solver needs.
//! - `region.rs`: a region of two surfaces of which only the boxes are known.
//! - `round.rs`: vertices of round surfaces.
//! - `search.rs`: the parameters of a pair's search, and the triangle pairs that it found.
//! - `settings.rs`: the lengths of a pair's contact tests.
//! - `sides.rs`: the choice among several faces above one vertex.
//! - `smooth.rs`: contacts between fine meshes, moved to their smooth surfaces.
//! - `tests/`: the filters, compared with the scalar test of every triangle pair.

mod cache;
mod candidate_list;
mod collect;
mod collider;
mod counts;
mod crossing;
mod curves;
mod edge_sides;
mod effort;
mod features;
mod flush;
mod margins;
mod motion;
mod other_side;
mod over;
mod pair;
mod patches;
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
mod smooth;
#[cfg(test)]
mod tests;

pub use candidate_list::{CandidateList, Skin};
pub use collider::{Limits, PairQuery, QueryScratch, SearchPart, Surface};
pub use counts::QueryCounts;
pub use crossing::depth_of_crossing;
pub use curves::{Curves, Touch};
pub use effort::{PAIR_EFFORT, STEP_EFFORT, may_be_fans};
pub use flush::Bearings;
pub use motion::{MovingBall, greatest_speed};
pub use pair::{Crowding, DepthAtRest, Judged, Overlap, PairContacts, PairCost};
pub use point::{Contact, FeatureKey, PairRule, Round};
pub use push::Push;
pub use region::Region;
pub use search::{Depth, Due, Search};
pub use settings::{Ahead, BodyPair, PairSettings, reach, room_of_body};
