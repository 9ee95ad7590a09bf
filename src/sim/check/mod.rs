//! Check of a scene as designed, before anything moves: the pairs that may collide, and the parts that
//! clash, touch, are too near or inside others, and how deep.
//!
//! - `examine.rs`: one pair of parts, examined.
//! - `finding.rs`: the relation of two parts, and its proof.
//! - `pairing.rs`: the one table of colliding bodies.
//! - `placed.rs`: the parts of a scene at their poses, and the pairs near each other.
//! - `rules.rs`: rules for pairs of parts by name.
//! - `run.rs`: all pairs of parts, examined on all threads.
//! - `sharing.rs`: the material that two solids share.
//! - `shells.rs`: the components of a surface, each with a point below it.
//! - `tolerance.rs`: the depth or distance up to which parts only touch.
//! - `way_out.rs`: the distance that a part would have to move to come free.

mod examine;
mod finding;
mod pairing;
mod placed;
mod rules;
mod run;
mod sharing;
mod shells;
mod tolerance;
mod way_out;

pub use examine::Demand;
pub use finding::{Depth, Finding, Kind, Proof};
pub use pairing::{Meeting, Pairing, Reason, Said};
pub use placed::{PlacedParts, TooManyPairs};
pub use rules::{RuleFile, Rules};
pub use run::{Answer, Checked, Demands, Examination, Watch, examine_all};
pub use tolerance::Coarse;
pub use way_out::WayOutSearch;

pub use crate::scene::{Length, written};
