//! Tests of comparisons, and what they compare with.
//!
//! - `by_hand/`: tests of every number against one that is worked out on paper.
//! - `meetings/`: tests that the world, the measures and rapier3d let the same bodies collide.
//! - `spoiled.rs`: an engine for tests, which falsifies poses after a step.

pub(super) mod by_hand;
pub(super) mod meetings;
pub(super) mod spoiled;

use super::file_stem;

#[test]
fn files_are_named_after_contenders() {
    assert_eq!(file_stem(0, "aabb:budget-us=500"), "1-aabb_budget-us=500");
    assert_eq!(file_stem(1, "/runs/of today/läuft.tumble"), "2-l_uft");
    assert_eq!(file_stem(2, &"x".repeat(300)).len(), 62);
}
