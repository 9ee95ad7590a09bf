//! Tally of the pairs that were left unsearched over a run.

use std::collections::HashMap;

use super::state::SearchState;

use crate::order::Order;

/// A pair that was left unsearched (starved) in at least one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StarvedPair {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    /// Number of steps, since the first starved one, in which the two bodies were near each other and
    /// awake.
    pub steps: u32,
    /// Number of steps that ended without a proven result.
    pub starved_steps: u32,
    /// Largest number of successive starved steps.
    pub longest_wait: u32,
    wait: u32,
    last_step: u32,
}

/// Table with one entry per pair that was ever starved.
#[derive(Default)]
pub(super) struct Tally {
    pairs: HashMap<(u32, u32), StarvedPair>,
}

impl Tally {
    /// Adds the states of pairs at the end of a step, without those at rest.
    pub fn add<'a>(&mut self, step: u32, states: impl Iterator<Item = &'a SearchState>) {
        for state in states {
            let key = state.bodies;
            if state.is_proven() {
                if let Some(known) = self.pairs.get_mut(&key) {
                    known.steps += 1;
                }
                continue;
            }
            let known =
                self.pairs.entry(key).or_insert(StarvedPair { a: key.0, b: key.1, ..Default::default() });
            known.steps += 1;
            known.starved_steps += 1;
            known.wait = if known.last_step + 1 == step { known.wait + 1 } else { 1 };
            known.last_step = step;
            known.longest_wait = known.longest_wait.max(known.wait);
        }
    }

    /// Returns the pairs, the most starved first. The order is by starved steps, then longest wait,
    /// then bodies.
    pub fn ranked(&self) -> Vec<StarvedPair> {
        let mut pairs: Vec<StarvedPair> = self.pairs.values().copied().collect();
        pairs.order_by(|x, y| {
            let key = |p: &StarvedPair| (p.starved_steps, p.longest_wait);
            key(y).cmp(&key(x)).then((x.a, x.b).cmp(&(y.a, y.b)))
        });
        pairs
    }
}
