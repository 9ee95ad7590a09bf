//! A scene as it is designed, looked at before anything moves: who may meet whom, and do they: which parts
//! clash, touch, come nearer than they may, are inside others, and how deep.
//!
//! - `examine.rs`: one pair of parts, examined.
//! - `finding.rs`: how two parts lie to each other, and how it was proved.
//! - `length.rs`: a length as people write it.
//! - `pairing.rs`: the one table of which bodies meet, and how.
//! - `placed.rs`: the parts of a scene at their places, and the pairs that come near each other.
//! - `rules.rs`: rules for pairs of parts by name.
//! - `run.rs`: all pairs of parts examined, on all threads.
//! - `way_out.rs`: how far a part would have to move to come free.

mod examine;
mod finding;
mod length;
mod pairing;
mod placed;
mod rules;
mod run;
mod way_out;

pub use examine::Demand;
pub use finding::{Depth, Finding, Kind, Proof};
pub use length::{Length, written};
pub use pairing::{Meeting, Pairing, Reason, Said};
pub use placed::{PlacedParts, TooManyPairs};
pub use rules::{RuleFile, Rules};
pub use run::{Checked, Demands, Watch, examine_all};
pub use way_out::WayOutSearch;
