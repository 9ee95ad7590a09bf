//! The incidents that are watched for while a world steps, and those seen.

use std::sync::Arc;

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::cores::Core;
use super::guarded::Guard;
use super::incidents::Incidents;

/// Greatest depth of pairs that came to rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeepestAtRest {
    /// Depth, m.
    pub depth: f64,
    /// The two bodies; `None` if no pair that came to rest is in each other.
    pub pair: Option<[u32; 2]>,
    /// First step in which the two were so deep.
    pub step: u32,
    /// Pairs of which it was still open at the end of the run whether they are too deep in each other.
    pub open_count: u64,
}

impl DeepestAtRest {
    /// Takes the depth (m) of a pair at the end of a step.
    pub fn see(&mut self, depth: f64, pair: [u32; 2], step: u32) {
        if depth > self.depth {
            *self = Self { depth, pair: Some(pair), step, ..*self };
        }
    }
}

/// State of the watch, and the incidents seen.
#[derive(Default)]
pub(super) struct Watch {
    /// Cores, one list per body.
    pub cores: Vec<Arc<[Core]>>,
    pub guard: Guard,
    /// Unit vector against gravity, and the height along it below which a body has fallen out of the
    /// world, m.
    pub floor: Option<(DVec3, f64)>,
    pub incidents: Incidents,
    pub deepest_at_rest: DeepestAtRest,
    /// Index of a pair or body in the lists of `incidents`.
    pub passage_of: FxHashMap<(u32, u32), usize>,
    pub held_of: FxHashMap<(u32, u32), usize>,
    pub cut_of: FxHashMap<(u32, u32), usize>,
    pub reach_of: FxHashMap<(u32, u32), usize>,
    pub crowded_of: FxHashMap<(u32, u32), usize>,
    pub outrun_of: FxHashMap<u32, usize>,
    pub cut_spin_of: FxHashMap<u32, usize>,
    /// Index in `unfinished_loads`. The world has the index after the last body.
    pub load_of: FxHashMap<[usize; 2], usize>,
    /// Whether a body has fallen out of the world; one per body.
    pub has_fallen: Vec<bool>,
}
