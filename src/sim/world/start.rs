//! Overlaps at the start of a scene: bodies that overlap before the first step.
//!
//! The stages are: poses, pairs whose boxes overlap, pairs whose surfaces intersect (the test ends at
//! the first intersecting triangles), depth (the larger of two: that of the first search for contacts,
//! and that measured without contacts). The numbers of node tests and searches are limited, so that this
//! takes a fraction of a second even if the first step takes minutes. Pairs that remain undecided are
//! counted. If the surfaces of a pair do not intersect, one body may be wholly inside the other, where
//! no contact separates them.

use glam::DVec3;

use super::World;
use super::budget::CANDIDATE_COST;
use super::scratch::Scratch;
use crate::arrays::MapEach;
use crate::broad::{BroadPhase, Pair};
use crate::check::Meeting;
use crate::contact::{Bearings, PairContacts, PairQuery, PairRule, Skin};
use crate::mesh::{Mesh, intersects};
use crate::order::Order;
use crate::pose::Pose;
use crate::query::{self, NearQuery, Seed, Verdict};
use crate::tree::{Allowance, Counts, SegmentStack, Start, Tree};
use crate::volume::Aabb;

/// Largest number of node tests for all pairs together. It applies once to the search for intersecting
/// pairs and once to the search for their depth: about a quarter of a second each.
const NODE_TESTS: u64 = 1 << 28;
/// Largest number of tested pairs. It ensures that each pair gets enough node tests.
const MOST_PAIRS: usize = 1 << 14;

/// Number of closest-point searches for the depths of all pairs together, about a quarter of a second,
/// and its limits for one pair.
const SEARCHES: usize = 1 << 17;
const LEAST_SEARCHES: usize = 64;
const MOST_SEARCHES: usize = 8192;

/// Bodies that overlap at the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartOverlaps {
    /// Pairs with one body wholly inside the other, followed by the other pairs, the deepest first.
    pub pairs: Vec<StartOverlap>,
    /// Number of pairs of near bodies that could not be decided within the limits.
    pub open_count: usize,
}

/// Two bodies that overlap at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartOverlap {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    /// Depth, m. `None` if the limits did not suffice to find a depth, and if the surfaces do not
    /// intersect.
    pub depth: Option<f64>,
    /// The body that lies wholly inside the other's solid, if one does.
    pub enclosed: Option<u32>,
    /// True if the depth is only that of a part of the surfaces, because too much of the surfaces
    /// overlaps.
    pub is_estimate: bool,
    /// True if contacts keep the bodies from sinking deeper into each other: the overlap is so shallow
    /// that the first search for contacts finds all of it. Otherwise contacts may miss the deepest
    /// places or push to the wrong side.
    pub is_held: bool,
    /// Largest distance by which the facets of the crossing triangles lie behind the round surfaces that
    /// they approximate, both bodies together, m. 0 if the surfaces are not round there.
    pub facets: f64,
}

impl StartOverlap {
    /// Returns whether the overlap is about as deep as the facets of two round surfaces overlap if the
    /// surfaces themselves just fit. Contacts may find an oblique depth of up to twice as much.
    pub fn looks_like_facets(&self) -> bool {
        self.enclosed.is_none() && self.depth.is_some_and(|depth| depth <= 2.0 * self.facets)
    }
}

impl World {
    /// Returns the pairs that overlap deeper than contacts at rest do, in the poses before the first
    /// step. The depth of a fit is that beyond its clearance. Permanent contacts (press fits), pairs
    /// that never collide, and sensor pairs are not included.
    pub fn overlaps_at_start(&self) -> StartOverlaps {
        let mut near = self.near_pairs();
        let mut open_count = near.len().saturating_sub(MOST_PAIRS);
        near.truncate(MOST_PAIRS);
        let each = NODE_TESTS / near.len().max(1) as u64;
        let verdicts = self.map_pairs(&near, |pair, scratch| self.intersects(pair, each, scratch));
        open_count += verdicts.iter().filter(|v| matches!(v, Verdict::Open { .. })).count();
        let apart: Vec<PairContacts> = with_verdict(&near, &verdicts, Verdict::Proven(false));
        let enclosed = self.map_pairs(&apart, |pair, _| self.enclosed_at_start(pair));
        let near: Vec<PairContacts> = with_verdict(&near, &verdicts, Verdict::Proven(true));
        let each = NODE_TESTS / near.len().max(1) as u64;
        let searches = (SEARCHES / near.len().max(1)).clamp(LEAST_SEARCHES, MOST_SEARCHES) as u32;
        let overlaps =
            self.map_pairs(&near, |pair, scratch| self.start_overlap(pair, each, searches, scratch));
        let mut pairs: Vec<StartOverlap> = enclosed.into_iter().chain(overlaps).flatten().collect();
        let deepest_first =
            |x: &StartOverlap| std::cmp::Reverse((x.enclosed.is_some(), x.depth.map_or(0, f64::to_bits)));
        pairs.order_by_key(deepest_first);
        StartOverlaps { pairs, open_count }
    }

    /// Returns the pairs that collide and whose boxes overlap, as new entries without contacts.
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
        let started = |Pair { a, b }: Pair| {
            let rule = match self.pairs.pairing.meeting(a, b) {
                Meeting::Collide => PairRule::Collide,
                Meeting::Fit { clearance } => PairRule::Fit { clearance },
                Meeting::Permanent | Meeting::Sensor | Meeting::Apart => return None,
            };
            let mut pair = PairContacts::default();
            let infos = [a, b].map_each(|i| &self.bodies.infos[i as usize]);
            pair.start(a, b, rule, infos);
            Some(pair)
        };
        found.into_iter().filter_map(started).collect()
    }

    fn intersects(&self, pair: &PairContacts, node_tests: u64, scratch: &mut Scratch) -> Verdict {
        let Some(surfaces) = self.surfaces(pair) else { return Verdict::Proven(false) };
        let mut counts = Counts::default();
        query::intersect_within(node_tests, surfaces, &self.b_to_a(pair), &mut scratch.descent, &mut counts)
    }

    /// Returns the overlap of a pair whose surfaces intersect; `None` if the two only touch. `units`:
    /// largest number of node tests. `searches`: largest number of closest-point searches.
    fn start_overlap(
        &self,
        pair: &PairContacts,
        units: u64,
        searches: u32,
        scratch: &mut Scratch,
    ) -> Option<StartOverlap> {
        let mut pair = pair.clone();
        let (surfaces, b_to_a) = (self.surfaces(&pair)?, self.b_to_a(&pair));
        let (two, ahead) = (self.two(&pair), self.ahead(self.config.dt));
        pair.search.margin = pair.search_margin(two, ahead);
        pair.search.foreseen = pair.speculative(two, ahead);
        pair.judged.crossing_extent = Some(0.0);
        let allowance = Allowance { node_tests: units, per_candidate: CANDIDATE_COST };
        let (descent, counts) = (&mut scratch.descent, &mut Counts::default());
        let near = pair.near(pair.search.margin, pair.search.foreseen, Skin::default());
        let (start, candidates) = (Start::Roots, &mut pair.search.candidates);
        let is_whole = query::find_candidates_within(
            &NearQuery { surfaces, b_to_a: &b_to_a, near },
            start,
            allowance,
            descent,
            candidates,
            counts,
        );
        let none = Bearings::default();
        let query =
            PairQuery { surfaces, bodies: two, bearings: [&none; 2], dt: self.config.dt, is_initial: true };
        pair.find_contacts(&mut scratch.query, &query, |_| false);
        let crossing = pair.judged.crossing_extent.unwrap_or(0.0);
        let depth = match pair.accepted_overlap() {
            0.0 => Some(crossing - pair.rule.clearance()).filter(|depth| *depth > pair.settings.slop),
            depth => Some(depth),
        };
        let is_estimate = !is_whole || pair.judged.crowding.is_some();
        // Contacts show the depth of features within the search, so the depth is measured without them.
        scratch.depths.limit_searches(searches);
        scratch.depths.seed = Seed::default();
        let [found, at_most] = match pair.is_in_parts {
            // Some of its parts may overlap, so the depth of the whole surfaces says nothing.
            true => [0.0, f64::INFINITY],
            false => self.depth_between(&pair, &mut scratch.depths),
        };
        let depth = depth.map(|depth| depth.max(found - pair.rule.clearance()));
        let is_held = !is_estimate && depth.is_some() && at_most <= pair.settings.surely_sought();
        let facets = facets(&pair, surfaces.map_each(|(_, mesh)| mesh), &b_to_a);
        let overlap =
            StartOverlap { a: pair.a, b: pair.b, depth, enclosed: None, is_estimate, is_held, facets };
        (depth.is_some() || overlap.is_estimate).then_some(overlap)
    }

    /// Returns the pair if its surfaces do not intersect and one body lies inside the other by more
    /// than the slop.
    fn enclosed_at_start(&self, pair: &PairContacts) -> Option<StartOverlap> {
        if pair.is_in_parts {
            return None;
        }
        let (surfaces, b_to_a) = (self.surfaces(pair)?, self.b_to_a(pair));
        let from_b = |point| b_to_a.transform_point(point);
        let from_a = |point| b_to_a.inverse_transform_point(point);
        let (depth, mut stack) = (pair.settings.slop, SegmentStack::default());
        let mut lies_in = |mesh: &Mesh, carry: &dyn Fn(DVec3) -> DVec3, (tree, outer): (&Tree, &Mesh)| {
            let count = mesh.triangles().len() as u32;
            // One vertex of each mesh would suffice if it could not lie on the other surface.
            let corners = [0, count / 3, 2 * count / 3].map(|t| carry(mesh.corners(t)[0]));
            corners.iter().any(|&corner| query::is_inside(tree, outer, corner, depth, &mut stack))
        };
        let [in_a, in_b] = surfaces;
        let enclosed = if lies_in(in_b.1, &from_b, in_a) {
            pair.b
        } else if lies_in(in_a.1, &from_a, in_b) {
            pair.a
        } else {
            return None;
        };
        let (a, b) = (pair.a, pair.b);
        let (depth, is_estimate, is_held, facets) = Default::default();
        Some(StartOverlap { a, b, depth, enclosed: Some(enclosed), is_estimate, is_held, facets })
    }

    /// Maps pairs to results in order, on all threads.
    fn map_pairs<T: Send>(
        &self,
        pairs: &[PairContacts],
        look: impl Fn(&PairContacts, &mut Scratch) -> T + Sync,
    ) -> Vec<T> {
        self.threads.all().map(pairs, |thread, pair| look(pair, &mut self.scratch(thread)))
    }
}

/// Returns the largest sum of the facet heights of two crossing candidates, m.
fn facets(pair: &PairContacts, [a, b]: [&Mesh; 2], b_to_a: &Pose) -> f64 {
    let heights = pair.search.candidates.iter().filter_map(|&[ta, tb]| {
        let corners_b = b.corners(tb).map_each(|corner| b_to_a.transform_point(corner));
        intersects(&a.corners(ta), &corners_b).then(|| a.facet_height(ta) + b.facet_height(tb))
    });
    heights.fold(0.0, f64::max)
}

/// Returns clones of the pairs whose verdict is `wanted`.
fn with_verdict(pairs: &[PairContacts], verdicts: &[Verdict], wanted: Verdict) -> Vec<PairContacts> {
    let those = pairs.iter().zip(verdicts).filter(|(_, verdict)| **verdict == wanted);
    those.map(|(pair, _)| pair.clone()).collect()
}
