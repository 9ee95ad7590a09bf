//! The world: bodies, contacts and joints that step through time.

use serde::{Deserialize, Serialize};

/// How much of everything one step met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepCounts {
    /// Pairs of bodies whose world boxes overlap.
    pub pairs: u64,
    /// Pairs of tree nodes tested.
    pub node_tests: u64,
    /// Pairs of triangles whose leaves overlap: #coll of [cab] §4.
    pub candidates: u64,
    /// Candidates whose triangles neither intersect nor touch: #false of [cab] §4.
    pub false_alarms: u64,
    /// Candidates whose triangles intersect.
    pub intersections: u64,
    pub contacts: u64,
    /// Intersections that no contact explains.
    pub orphans: u64,
    pub awake_bodies: u64,
}
