//! Cuts: pairs of bodies that lie in each other when they come to rest, or when a run ends.
//!
//! The depth of contacts is of those that were found. So the depth of two bodies that rest is measured apart
//! from contacts, as `tumble check` measures it: once, when they fall asleep.

use super::events::Event;
use super::scratch::Scratch;
use super::{StepCounts, World};
use crate::contact::{PairContacts, PairRule};
use crate::query::{Placed, crossing_reach, penetration};

/// The share of the thickness of the thinner body by which two may lie in each other: some twenty times what
/// contacts leave, and well below what can be seen.
const CUT_OF_THICKNESS: f64 = 0.05;
/// Searches for a closest point for a pair at first, a tenth of a millisecond, and those for a pair of which
/// the first leave open whether it is too deep.
const SEARCHES: [u32; 2] = [64, 8192];
/// The time that it takes to measure a pair on one thread, about, ns.
const COST: u64 = 100_000;

impl World {
    /// Measures how deep the pairs are in each other that came to rest in this step, and names those that are
    /// cut into each other.
    pub(super) fn judge_rest(&mut self) {
        let mut is_any_new = false;
        let mut active = std::mem::take(&mut self.pairs.active);
        for pair in &mut active {
            if !self.is_at_rest(pair) {
                pair.depth_at_rest = None;
            } else if pair.depth_at_rest.is_none() {
                is_any_new = true;
            }
        }
        self.pairs.active = active;
        if is_any_new {
            self.measure_depths(|world, pair| world.is_at_rest(pair));
        }
        self.note_cuts(self.step_index + 1);
    }

    /// Measures how deep all pairs are in each other that are not at rest when a run ends: a part that is cut
    /// into another may never come to rest.
    pub fn judge_end(&mut self) {
        self.measure_depths(|_, _| true);
        self.note_cuts(self.step_index);
    }

    /// Measures the depth of the pairs that were not measured yet.
    fn measure_depths(&mut self, is_asked: impl Fn(&Self, &PairContacts) -> bool + Sync) {
        let all = 0..self.pairs.active.len();
        let mut nothing = vec![(); all.len()];
        let is_known = |world: &Self, pair: &PairContacts, (): &()| {
            pair.depth_at_rest.is_some() || !is_asked(world, pair)
        };
        let measure = |world: &Self, pair: &mut PairContacts, (): &mut (), scratch: &mut Scratch| {
            pair.depth_at_rest = Some(world.depth_of(pair, scratch));
            StepCounts::default()
        };
        self.for_pairs_beside(all, &mut nothing, (COST, is_known), measure);
    }

    /// Returns how deep two bodies are in each other, m; of sheets, which have no inside, how far triangles
    /// that cross reach through each other. 0 for bodies that may be in each other.
    fn depth_of(&self, pair: &PairContacts, scratch: &mut Scratch) -> f64 {
        let is_meant = pair.rule == PairRule::Permanent || pair.is_in_parts;
        if is_meant || self.never_yields(pair) || self.pairs.is_watched(pair) {
            return 0.0;
        }
        let Some([(tree_a, mesh_a), (tree_b, mesh_b)]) = self.surfaces(pair) else { return 0.0 };
        let [(a, _), (b, _)] = self.two(pair);
        let [a, b] = [Placed::new(tree_a, mesh_a, a.pose), Placed::new(tree_b, mesh_b, b.pose)];
        let mut depth = 0.0;
        for most in SEARCHES {
            scratch.depths.limit_searches(most);
            let deep = penetration(&a, &b, &mut scratch.depths);
            depth = deep.map_or(0.0, |deep| deep.depth);
            if deep.is_none_or(|deep| depth > allowed(pair) || deep.at_most <= allowed(pair)) {
                break;
            }
        }
        let is_sheet = [&a, &b].iter().any(|p| p.mesh.surface().flaws.two_sided_triangle_count > 0);
        if is_sheet && depth == 0.0 { crossing_reach(&a, &b, &mut scratch.depths) } else { depth }
    }

    /// Notes the pairs that are cut into each other, and the greatest depth.
    fn note_cuts(&mut self, step: u32) {
        let mut watch = std::mem::take(&mut self.watch);
        for pair in &self.pairs.active {
            let Some(depth) = pair.depth_at_rest.filter(|depth| *depth > 0.0) else { continue };
            watch.deepest_at_rest.see(depth, [pair.a, pair.b], step);
            if depth > allowed(pair) && watch.note_cut(pair, depth, step, &self.bodies) {
                self.events.tell(Event::Cut { a: pair.a, b: pair.b });
            }
        }
        self.watch = watch;
    }
}

/// Returns how deep two bodies may lie in each other and not be cut, m.
fn allowed(pair: &PairContacts) -> f64 {
    pair.accepted_overlap() + CUT_OF_THICKNESS * pair.settings.thickness
}
