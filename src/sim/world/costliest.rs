//! Costliest pairs of bodies: those with the most work in the stages *test* and *query*.
//!
//! Work is counted in node tests, so a run has the same costliest pairs on every machine. A candidate
//! counts as many node tests as take the same time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::World;
use super::budget::CANDIDATE_COST;
use crate::arrays::MapEach;
use crate::contact::{PairContacts, PairCost};
use crate::order::Order;

/// Number of costliest pairs that are reported.
const DEAREST_COUNT: usize = 5;

/// A pair and its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostlyPair {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    pub cost: PairCost,
    /// Median edge length of the finer mesh, m. If the margin is many edges long, nearly all triangles
    /// are near each other: the mesh is finer than needed, or the bodies are too fast for it.
    pub edge: f64,
    /// Share of the work of all pairs, 0 to 1.
    pub share: f64,
    /// Number of steps in which the pair had any work.
    pub steps: u32,
}

impl World {
    /// Returns the five costliest pairs of the last step, the costliest first. Pairs that separated
    /// within the step are not included.
    pub fn costliest_pairs(&self) -> Vec<CostlyPair> {
        costliest(
            self.pairs
                .active
                .iter()
                .map(|p| ((p.a, p.b), Sum { cost: p.cost, edge: self.edge(p), steps: 1 })),
        )
    }

    /// Returns the median edge length of the pair's finer mesh, m.
    fn edge(&self, pair: &PairContacts) -> f64 {
        let [a, b] = self.two(pair).map_each(|(_, info)| info.edge);
        a.min(b)
    }
}

/// Cost of one pair over some steps.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    cost: PairCost,
    edge: f64,
    steps: u32,
}

/// Costs of pairs over a run. Its size grows with the number of pairs, not with the number of steps.
#[derive(Clone, Debug, Default)]
pub struct PairCosts {
    sums: BTreeMap<(u32, u32), Sum>,
}

impl PairCosts {
    /// Adds the costs of the world's last step.
    pub fn add(&mut self, world: &World) {
        for pair in world.pairs.active.iter().filter(|pair| work(&pair.cost) > 0) {
            let sum = self.sums.entry((pair.a, pair.b)).or_default();
            sum.cost += pair.cost;
            sum.edge = world.edge(pair);
            sum.steps += 1;
        }
    }

    /// Returns the five costliest pairs, the costliest first.
    pub fn costliest(&self) -> Vec<CostlyPair> {
        costliest(self.sums.iter().map(|(&bodies, &sum)| (bodies, sum)))
    }
}

fn costliest(all: impl Iterator<Item = ((u32, u32), Sum)>) -> Vec<CostlyPair> {
    let pair = |((a, b), Sum { cost, edge, steps })| CostlyPair { a, b, cost, edge, share: 0.0, steps };
    let mut pairs: Vec<CostlyPair> = all.map(pair).filter(|pair| work(&pair.cost) > 0).collect();
    let total: f64 = pairs.iter().map(|pair| work(&pair.cost) as f64).sum();
    pairs.order_by_key(|pair| Reverse(work(&pair.cost)));
    pairs.truncate(DEAREST_COUNT);
    pairs.iter_mut().for_each(|pair| pair.share = work(&pair.cost) as f64 / total);
    pairs
}

/// Returns the work that corresponds to a cost, in node tests.
fn work(cost: &PairCost) -> u64 {
    cost.node_tests.saturating_add(CANDIDATE_COST.saturating_mul(cost.candidates))
}
