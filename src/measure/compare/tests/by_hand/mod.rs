//! Tests of every value in a comparison, and in a diff of recordings, against a value derived by hand.
//! The comments give the derivations; the tested code computes no expected value.
//!
//! - `deviation.rs`: deviation from the first contender's bodies.
//! - `diffs.rs`: difference of two recordings.
//! - `in_rapier.rs`: conversion to rapier3d and back.
//! - `motion.rs`: rest, shiver, losses, counts.
//! - `names.rs`: names of contenders, and recordings as contenders.
//! - `overlaps.rs`: depth of overlaps.
//! - `places.rs`: sizes, displacements, passages, and contacts between bodies.
//! - `scene.rs`: the scene, and the engine that follows a script.
//! - `times.rs`: times of contenders.
//! - `whole.rs`: a comparison of recordings from end to end.
//! - `words.rs`: sentences, tables, and regressions against a baseline.

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

pub(in crate::compare) use places::passages;
pub(in crate::compare) use scene::{index, joint, scene, scripted, seen, shift};
