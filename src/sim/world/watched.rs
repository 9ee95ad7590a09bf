//! Incidents that a world watches for while it steps, and those recorded.

use std::sync::Arc;

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::cores::Core;
use super::growth::GrowthWatch;
use super::guarded::Guard;
use super::incidents::Incidents;

/// Greatest depth of pairs that came to rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeepestAtRest {
    /// Depth, m.
    pub depth: f64,
    /// The two bodies; `None` if no pair that came to rest overlaps.
    pub pair: Option<[u32; 2]>,
    /// Step in which this depth was found.
    pub step: u32,
    /// Number of pairs for which it was still undecided at the end of the run whether they overlap too
    /// deeply.
    pub open_count: u64,
}

impl DeepestAtRest {
    /// Updates the greatest depth with the depth (m) of a pair at the end of a step.
    pub fn see(&mut self, depth: f64, pair: [u32; 2], step: u32) {
        if depth > self.depth {
            *self = Self { depth, pair: Some(pair), step, ..*self };
        }
    }
}

/// State of the watch, and the incidents recorded.
#[derive(Default)]
pub(super) struct Watch {
    /// Cores (interior sample points), one list per body.
    pub cores: Vec<Arc<[Core]>>,
    pub guard: Guard,
    /// Unit vector against gravity, and the coordinate (m) along it below which a body has fallen out
    /// of the world. `None` without gravity or without dynamic bodies that have a surface.
    pub floor: Option<(DVec3, f64)>,
    pub incidents: Incidents,
    pub deepest_at_rest: DeepestAtRest,
    /// Index of an incident in its list, by pair or body.
    pub passage_of: FxHashMap<(u32, u32), usize>,
    pub held_of: FxHashMap<(u32, u32), usize>,
    pub cut_of: FxHashMap<(u32, u32), usize>,
    pub reach_of: FxHashMap<(u32, u32), usize>,
    pub crowded_of: FxHashMap<(u32, u32), usize>,
    pub outrun_of: FxHashMap<u32, usize>,
    pub cut_spin_of: FxHashMap<u32, usize>,
    /// Index in `unfinished_loads`, by the two bodies. The world has the index after the last body.
    pub load_of: FxHashMap<[usize; 2], usize>,
    /// Index in `swept`, by the two bodies.
    pub swept_of: FxHashMap<[u32; 2], usize>,
    pub growth: GrowthWatch,
    /// Index in `growths`, by body.
    pub growth_of: FxHashMap<u32, usize>,
    /// True for each body that has fallen out of the world.
    pub has_fallen: Vec<bool>,
}
