//! Exact tests of a sample of the pairs that a step left unsearched, at the pose of the guess.

use super::{BudgetState, Certainty};
use crate::query;
use crate::tree::Counts;
use crate::world::{StepCounts, World};

impl World {
    /// Tests the sampled pairs of the last pass exactly, and counts wrong guesses.
    pub(in crate::world) fn check_guesses(&mut self, budget_state: &mut BudgetState) {
        let mut counts = StepCounts::default();
        let mut scratch = self.scratch(0);
        for (pair, state) in self.pairs.active.iter().zip(&budget_state.states.active) {
            if !budget_state.check.picks(self.step_index, state.bodies) {
                continue;
            }
            let (Certainty::Likely(probability), Some(at)) = (state.certainty, state.judged_at) else {
                continue;
            };
            let Some(surfaces) = self.surfaces(pair).filter(|_| !self.is_at_rest(pair)) else { continue };
            let collides =
                query::surfaces_intersect(surfaces, &at, &mut scratch.descent, &mut Counts::default());
            budget_state.check.add(probability, collides);
            counts.sampled += 1;
            counts.false_collisions += u64::from(probability >= 0.5 && !collides);
            counts.missed_collisions += u64::from(probability < 0.5 && collides);
        }
        drop(scratch);
        self.counts += counts;
    }
}
