//! What a scene starts with: bodies that reach into each other before anything has moved.
//!
//! Poses → pairs whose boxes overlap → those whose surfaces intersect, which ends at the first triangles that
//! do → how deep, as the first pass of the first step will see it. All of it within so many node tests, so
//! that it takes a fraction of a second where that step takes minutes; what is left open is counted.

use super::World;
use super::budget::CANDIDATE_COST;
use super::scratch::Scratch;
use crate::arrays::MapEach;
use crate::broad::{BroadPhase, Pair};
use crate::contact::{PairContacts, PairRule};
use crate::order::Order;
use crate::parallel;
use crate::query;
use crate::query::Verdict;
use crate::tree::{Allowance, Counts, Start};
use crate::volume::Aabb;

/// Node tests for all pairs together, once to see which intersect and once to see how deep: about a quarter
/// of a second each.
const NODE_TESTS: u64 = 1 << 28;
/// Pairs that are looked at, so that each has some of them.
const MOST_PAIRS: usize = 1 << 14;

/// Bodies that overlap at the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartOverlaps {
    /// The deepest first.
    pub pairs: Vec<StartOverlap>,
    /// Pairs of near bodies that could not be settled within the limits.
    pub open_count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartOverlap {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    /// m; `None` if the limits did not suffice to find any.
    pub depth: Option<f64>,
    /// Whether the depth is of a part of the surfaces, because there is too much of them in each other.
    pub is_estimate: bool,
}

impl World {
    /// The pairs that overlap deeper than contacts at rest do, as the bodies stand before the first step.
    /// Permanent contacts (press fits), pairs that never collide and triggers are not among them.
    pub fn overlaps_at_start(&self) -> StartOverlaps {
        let mut near = self.near_pairs();
        let mut open_count = near.len().saturating_sub(MOST_PAIRS);
        near.truncate(MOST_PAIRS);
        let each = NODE_TESTS / near.len().max(1) as u64;
        let verdicts = self.map_pairs(&near, |pair, scratch| self.intersects(pair, each, scratch));
        open_count += verdicts.iter().filter(|v| matches!(v, Verdict::Open { .. })).count();
        let mut verdicts = verdicts.into_iter();
        near.retain(|_| verdicts.next() == Some(Verdict::Proven(true)));
        let each = NODE_TESTS / near.len().max(1) as u64;
        let overlaps = self.map_pairs(&near, |pair, scratch| self.start_overlap(pair, each, scratch));
        let mut pairs: Vec<StartOverlap> = overlaps.into_iter().flatten().collect();
        let deepest_first = |x: &StartOverlap| std::cmp::Reverse(x.depth.map_or(0, f64::to_bits));
        pairs.order_by_key(deepest_first);
        StartOverlaps { pairs, open_count }
    }

    /// Pairs that collide and whose boxes overlap.
    fn near_pairs(&self) -> Vec<PairContacts> {
        let bodies = self.bodies.states.iter().zip(&self.bodies.infos);
        let bounds = bodies.map(|(state, info)| match info.mesh {
            Some(mesh) => self.meshes[mesh as usize].bounds().transformed(&state.pose),
            None => Aabb::EMPTY,
        });
        let mut broad = BroadPhase::new(self.config.broad, 1);
        broad.update(&bounds.collect::<Vec<_>>());
        let mut found = Vec::new();
        broad.pairs(&mut found);
        found.order();
        let collides = |Pair { a, b }: Pair| {
            let mut pair = PairContacts::default();
            let infos = [a, b].map_each(|i| &self.bodies.infos[i as usize]);
            pair.start(a, b, self.pairs.rule(a, b, &self.bodies), infos);
            (pair.rule == PairRule::Collide && !self.pairs.is_watched(&pair)).then_some(pair)
        };
        found.into_iter().filter_map(collides).collect()
    }

    fn intersects(&self, pair: &PairContacts, node_tests: u64, scratch: &mut Scratch) -> Verdict {
        let Some(surfaces) = self.surfaces(pair) else { return Verdict::Proven(false) };
        let mut counts = Counts::default();
        query::intersect_within(node_tests, surfaces, &self.b_to_a(pair), &mut scratch.descent, &mut counts)
    }

    /// `None` if the two only touch.
    fn start_overlap(&self, pair: &PairContacts, units: u64, scratch: &mut Scratch) -> Option<StartOverlap> {
        let mut pair = pair.clone();
        let (surfaces, b_to_a) = (self.surfaces(&pair)?, self.b_to_a(&pair));
        let (two, ahead) = (self.two(&pair), self.ahead(self.config.dt));
        pair.margin = pair.search_margin(two, ahead);
        pair.crossing_extent = Some(0.0);
        let allowance = Allowance { node_tests: units, per_candidate: CANDIDATE_COST };
        let (descent, counts) = (&mut scratch.descent, &mut Counts::default());
        let (start, candidates, margin) = (Start::Roots, &mut pair.candidates, pair.margin);
        let is_whole = query::find_candidates_within(
            (start, allowance),
            surfaces,
            &b_to_a,
            margin,
            descent,
            candidates,
            counts,
        );
        pair.find_contacts(&mut scratch.query, surfaces, two, (ahead, true), |_| false);
        let crossing = pair.crossing_extent.unwrap_or(0.0);
        let depth = match pair.accepted_overlap() {
            0.0 => Some(crossing).filter(|depth| *depth > pair.settings.slop),
            depth => Some(depth),
        };
        let overlap =
            StartOverlap { a: pair.a, b: pair.b, depth, is_estimate: !is_whole || pair.crowding.is_some() };
        (depth.is_some() || overlap.is_estimate).then_some(overlap)
    }

    /// In order, on all threads.
    fn map_pairs<T: Send>(
        &self,
        pairs: &[PairContacts],
        look: impl Fn(&PairContacts, &mut Scratch) -> T + Sync,
    ) -> Vec<T> {
        let on_thread =
            |pair: &PairContacts| look(pair, &mut self.scratch(rayon::current_thread_index().unwrap_or(0)));
        match &self.threads {
            None => pairs.iter().map(on_thread).collect(),
            Some(threads) => threads.install(|| parallel::map(pairs, on_thread)),
        }
    }
}
