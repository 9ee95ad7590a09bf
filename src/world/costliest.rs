//! Which pairs of bodies cost most: those for which the stages *test* and *query* did most work.
//!
//! Work is counted in node tests, with a candidate as so many of them as it takes time, so that the same run
//! has the same dearest pairs on every machine.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::World;
use super::budget::CANDIDATE_COST;
use crate::arrays::MapEach;
use crate::contact::{PairContacts, PairCost};
use crate::order::Order;

/// Pairs that are named.
const DEAREST_COUNT: usize = 5;

/// A pair and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostlyPair {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    pub cost: PairCost,
    /// Median length of the finer mesh's edges, m. A margin of many edges finds every triangle near every
    /// other: the mesh is finer than its task needs, or the bodies are faster than it bears.
    pub edge: f64,
    /// The share of the work done for all pairs, 0 to 1.
    pub share: f64,
    /// Steps in which anything was done for it.
    pub steps: u32,
}

impl World {
    /// The five pairs that the last step did most for, the dearest first. Pairs that parted within the step
    /// are not among them.
    pub fn costliest_pairs(&self) -> Vec<CostlyPair> {
        costliest(
            self.pairs
                .active
                .iter()
                .map(|p| ((p.a, p.b), Sum { cost: p.cost, edge: self.edge(p), steps: 1 })),
        )
    }

    /// Median length of the edges of the pair's finer mesh, m.
    fn edge(&self, pair: &PairContacts) -> f64 {
        let [a, b] = self.two(pair).map_each(|(_, info)| info.edge);
        a.min(b)
    }
}

/// What one pair cost in some steps.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    cost: PairCost,
    edge: f64,
    steps: u32,
}

/// What pairs cost over a run; grows with the pairs that meet, not with the steps.
#[derive(Clone, Debug, Default)]
pub struct PairCosts {
    sums: BTreeMap<(u32, u32), Sum>,
}

impl PairCosts {
    /// Takes the world after a step.
    pub fn add(&mut self, world: &World) {
        for pair in world.pairs.active.iter().filter(|pair| work(&pair.cost) > 0) {
            let sum = self.sums.entry((pair.a, pair.b)).or_default();
            sum.cost += pair.cost;
            sum.edge = world.edge(pair);
            sum.steps += 1;
        }
    }

    /// The five pairs that cost most, the dearest first.
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

/// In node tests.
fn work(cost: &PairCost) -> u64 {
    cost.node_tests.saturating_add(CANDIDATE_COST.saturating_mul(cost.candidates))
}
