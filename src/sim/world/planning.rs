//! Number of collision passes of a step: the largest number that any pair of bodies that can meet in
//! the step needs.
//!
//! Between two searches a pair may travel as far as its thickness and the size of its triangles allow,
//! or through all the free space between its surfaces. The free space is first bounded by the boxes of
//! the two bodies, at almost no cost. Then it is bounded by their triangles, exactly, so that the
//! result does not depend on the kind of hierarchy. Pairs that may need the most passes are tested
//! first, until a pair really needs that many.

use std::cmp::Reverse;

use super::World;
use crate::arrays::MapEach;
use crate::contact::{Ahead, may_be_fans};
use crate::query::are_within;
use crate::tree::Counts;

/// Number of passes that a pair needs if its surfaces almost touch, and the pair's index among the
/// active pairs.
pub(super) type Wanted = (Reverse<u32>, u32);

impl World {
    /// Returns the number of passes for the next `dt` seconds, which are the remaining time of a step.
    /// The near pairs must be those of this step, because they contain all pairs that may meet in it.
    pub(super) fn pass_count(&mut self, dt: f64) -> u32 {
        let (step, share) = (self.ahead(dt), dt / self.config.dt);
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        wanted.reserve(self.pairs.active.len());
        let mut pairs = std::mem::take(&mut self.pairs.active);
        for (index, pair) in (0..).zip(&mut pairs) {
            pair.is_swept = false;
            if self.is_at_rest(pair) || self.is_immovable(pair) {
                continue;
            }
            let count = pair.pass_count(self.two(pair), step, share);
            if count > 1 {
                pair.is_swept = pair.is_too_fast(self.two(pair), dt, share) && self.may_be_swept(pair);
            }
            if count > 1 && !pair.is_swept {
                wanted.push((Reverse(count), index));
            }
        }
        self.pairs.active = pairs;
        wanted.sort_unstable();
        let mut needed = 1;
        for &(Reverse(count), index) in &wanted {
            if count <= needed || self.is_stopped() {
                break;
            }
            needed = self.lowered(index as usize, count, needed, step);
        }
        self.wanted = wanted;
        needed
    }

    /// Returns the number of passes that a pair needs, at least `least`. Starts from `count` and halves
    /// it while the pair cannot meet in the first of half as many passes.
    fn lowered(&mut self, index: usize, count: u32, least: u32, step: Ahead) -> u32 {
        let mut needed = count;
        while needed > least {
            let fewer = (needed / 2).max(least);
            if self.may_meet(index, fewer, step) {
                break;
            }
            needed = fewer;
        }
        needed
    }

    /// Returns whether the surfaces of a pair may meet in the first of `count` passes.
    fn may_meet(&mut self, index: usize, count: u32, step: Ahead) -> bool {
        let pair = &self.pairs.active[index];
        let Some(surfaces) = self.surfaces(pair) else { return false };
        let b_to_a = self.b_to_a(pair);
        let reach = pair.reach_in_pass(self.two(pair), step, count);
        let [a, b] = surfaces.map_each(|(_, mesh)| mesh.bounds());
        if a.gap(&b, &b_to_a) > reach {
            return false;
        }
        let may_ask =
            self.budget_state.as_ref().is_none_or(|budget_state| budget_state.may_plan(&self.counts));
        // Boxes of fans overlap in a number of pairs that grows with the square of their slivers, near
        // or not.
        let is_endless = may_be_fans(surfaces.map_each(|(_, mesh)| mesh));
        if !pair.contacts.is_empty() || !may_ask || is_endless {
            return true;
        }
        let mut counts = Counts::default();
        let is_near = {
            let scratch = &mut *self.scratch(0);
            are_within(surfaces, &b_to_a, reach, (&mut scratch.descent, &mut scratch.near), &mut counts)
        };
        self.counts.node_tests += counts.node_test_count;
        self.pairs.active[index].cost.node_tests += counts.node_test_count;
        is_near
    }
}
