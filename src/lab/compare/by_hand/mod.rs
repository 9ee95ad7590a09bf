//! Every number of a comparison, and of how two recordings differ, beside one that is worked out on paper.
//! The comments say how; nothing that is expected is computed by what is tested.
//!
//! - `deviation.rs`: how far bodies are from those of the first contender.
//! - `diffs.rs`: how two recordings differ.
//! - `in_rapier.rs`: what goes to rapier3d and comes back.
//! - `motion.rs`: rest, shiver, losses, counts.
//! - `names.rs`: names of contenders, and recordings in their place.
//! - `overlaps.rs`: how deep bodies are in each other.
//! - `places.rs`: sizes, ways, passages, and what touches what.
//! - `scene.rs`: the scene, and the engine that follows a script.
//! - `times.rs`: what contenders took.
//! - `whole.rs`: a comparison of recordings from end to end.
//! - `words.rs`: sentences, tables, and what is worse than a baseline.

mod deviation;
mod diffs;
#[cfg(feature = "reference")]
mod in_rapier;
mod motion;
mod names;
mod overlaps;
mod places;
mod scene;
mod times;
mod whole;
mod words;

pub(super) use places::passages;
pub(super) use scene::joint;
