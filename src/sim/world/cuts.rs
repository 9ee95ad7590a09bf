//! Cuts: pairs of bodies that overlap too deeply when they come to rest, or when a run ends.
//!
//! Contacts show only the depth of features that were found. So the depth of two resting bodies is
//! measured independently of contacts, in the same way as `tumble check` does: with few searches when
//! they fall asleep, and with more at the end of the run if the first result was not conclusive.

use super::events::Event;
use super::scratch::Scratch;
use super::{StepCounts, World};
use crate::contact::{DepthAtRest, PairContacts, PairRule};
use crate::query::{PairMemory, Placed, crossing_reach, penetration};

/// Largest allowed depth of two bodies at rest, as a share of the thickness of the thinner one. It is some
/// fifty times the overlap that contacts leave, and well below a visible overlap.
const CUT_OF_THICKNESS: f64 = 0.02;
/// Largest allowed depth of small bodies, as such a share. Their contacts yield by a greater share of the
/// thickness.
const CUT_OF_SMALL: f64 = 0.05;
/// Largest depth to which small bodies are allowed that share, as a multiple of the distance by which a
/// contact yields under the weight of a body.
const YIELDS: f64 = 8.0;
/// Largest number of closest-point searches per pair in a step: a tenth of a millisecond. Smaller
/// values leave more pairs without a conclusive result until the run ends.
const SEARCHES: u32 = 64;
/// Largest number of closest-point searches for all pairs together at the end of a run: some ten
/// seconds.
const SEARCHES_AT_END: usize = 1 << 23;
/// Largest number of closest-point searches per pair at the end of a run.
const MOST_FOR_A_PAIR: usize = 8192;
/// Approximate time to measure a pair on one thread, ns.
const COST: u64 = 100_000;

impl World {
    /// Measures the depth of the pairs that came to rest in this step, and records those that are cut
    /// into each other.
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
            self.measure_depths(SEARCHES, |world, pair| {
                pair.depth_at_rest.is_none() && world.is_at_rest(pair)
            });
        }
        self.note_cuts(self.step_index + 1);
    }

    /// Measures the depth of all pairs that have no conclusive measurement when a run ends. This
    /// includes pairs that are not at rest, because a part that is cut into another may never come to
    /// rest.
    pub fn judge_end(&mut self) {
        let is_left = |pair: &PairContacts| pair.depth_at_rest.is_none_or(|depth| depth.is_open);
        let left_count = self.pairs.active.iter().filter(|pair| is_left(pair)).count();
        let each = (SEARCHES_AT_END / left_count.max(1)).clamp(SEARCHES as usize, MOST_FOR_A_PAIR);
        self.measure_depths(each as u32, |_, pair| is_left(pair));
        self.note_cuts(self.step_index);
        let left = self.pairs.active.iter().filter(|pair| is_left(pair));
        self.watch.deepest_at_rest.open_count = left.count() as u64;
    }

    /// Measures the depth of the pairs for which `is_asked` returns true, with at most `searches`
    /// searches each.
    fn measure_depths(&mut self, searches: u32, is_asked: impl Fn(&Self, &PairContacts) -> bool + Sync) {
        let all = 0..self.pairs.active.len();
        let mut nothing = vec![(); all.len()];
        let is_left_out = |world: &Self, pair: &PairContacts, (): &()| !is_asked(world, pair);
        let measure = |world: &Self, pair: &mut PairContacts, (): &mut (), scratch: &mut Scratch| {
            scratch.depths.limit_searches(searches);
            pair.depth_at_rest = Some(world.depth_of(pair, &mut scratch.depths));
            StepCounts::default()
        };
        self.for_pairs_beside(all, &mut nothing, (COST, is_left_out), measure);
    }

    /// Returns the depth of two bodies at rest. 0 for bodies that are allowed to overlap.
    fn depth_of(&self, pair: &PairContacts, memory: &mut PairMemory) -> DepthAtRest {
        let is_meant = pair.rule == PairRule::Permanent || pair.is_in_parts;
        if is_meant || self.is_immovable(pair) || self.pairs.is_sensor_pair(pair) {
            return DepthAtRest { found: 0.0, is_open: false };
        }
        let [found, at_most] = self.depth_between(pair, memory);
        let allowed = self.allowed_at_rest(pair);
        DepthAtRest { found, is_open: found <= allowed && at_most > allowed }
    }

    /// Returns the depth of two bodies in each other as far as it was found, and an upper bound, m. If
    /// one is a sheet, which has no inside, returns the distance by which intersecting triangles reach
    /// through each other.
    pub(super) fn depth_between(&self, pair: &PairContacts, memory: &mut PairMemory) -> [f64; 2] {
        let Some([(tree_a, mesh_a), (tree_b, mesh_b)]) = self.surfaces(pair) else { return [0.0; 2] };
        let [(a, _), (b, _)] = self.two(pair);
        let [a, b] = [Placed::new(tree_a, mesh_a, a.pose), Placed::new(tree_b, mesh_b, b.pose)];
        let is_sheet = [&a, &b].iter().any(|p| p.mesh.surface().flaws.two_sided_triangle_count > 0);
        match penetration(&a, &b, memory).filter(|deep| deep.depth > 0.0 || !is_sheet) {
            Some(deep) => [deep.depth, deep.at_most],
            None if is_sheet => [crossing_reach(&a, &b, memory); 2],
            None => [0.0; 2],
        }
    }

    /// Records the pairs that are cut into each other, and the greatest depth.
    fn note_cuts(&mut self, step: u32) {
        let mut watch = std::mem::take(&mut self.watch);
        for pair in &self.pairs.active {
            let Some(depth) = pair.depth_at_rest.map(|d| d.found).filter(|depth| *depth > 0.0) else {
                continue;
            };
            watch.deepest_at_rest.see(depth, [pair.a, pair.b], step);
            if depth > self.allowed_at_rest(pair) && watch.note_cut(pair, depth, step, &self.bodies) {
                self.events.tell(Event::Cut { a: pair.a, b: pair.b });
            }
        }
        self.watch = watch;
    }

    /// Returns the largest depth at which two bodies do not count as cut into each other, m.
    fn allowed_at_rest(&self, pair: &PairContacts) -> f64 {
        let thickness = pair.settings.thickness;
        let of_small = (CUT_OF_SMALL * thickness).min(YIELDS * self.solver.deflection(self.gravity));
        pair.excused_overlap() + of_small.max(CUT_OF_THICKNESS * thickness)
    }
}
