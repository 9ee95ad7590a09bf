//! Stages *test* and *query* of pairs: from hierarchies to candidate triangle pairs, and from
//! candidates to contacts.
//!
//! Both the number of stored candidates and the effort of a step are limited. If a pair's candidates do
//! not fit, they are found in parts, and each part is tested before the next is found. Pairs that
//! remain when the step has reached its effort keep their old contacts.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::passes::Passes;
use super::scratch::Scratch;
use super::{StepCounts, World};
use crate::arrays::MapEach;
use crate::contact::{
    Ahead, Bearings, Crowding, Depth, Due, PairContacts, PairQuery, QueryCounts, Skin, may_be_fans,
};
use crate::mesh::Mesh;
use crate::query::{self, NearQuery};
use crate::tree::{Allowance, Counts, DescentScratch, Near, Start, Tree};

/// Largest number of stored candidates of all pairs together, 128 MB; each thread beyond the first may
/// add as many. Memory for up to twice as many is kept from pass to pass. The order of threads may
/// decide which pairs are searched in parts, but not which contacts are found.
const KEPT: usize = 1 << 24;
/// Largest number of node tests and candidates of one part.
const PART: u64 = 1 << 20;
/// Number of batches into which the effort of a step is divided; the limit is checked between batches.
const BATCHES: u64 = 3;
/// Largest effort that is assumed for a pair that has not been tested yet.
const FRESH_EFFORT: u64 = 1 << 17;
/// Largest last effort of a pair that is tested even if the step has reached its limit. It is about the
/// cost of the pair's candidates, which are already found.
const LIGHT_EFFORT: u64 = 1 << 8;
/// Largest number of node tests of a search with a wide margin. If they do not suffice to prove the
/// pair apart, the pair is searched with its usual margin.
const FAR: u64 = 256;

impl World {
    /// Finds the candidate triangle pairs of all pairs by descending their hierarchies (stage *test*).
    pub(super) fn find_candidates(&mut self, dt: f64) {
        self.counts.pairs += self.pairs.active.len() as u64;
        let kept = self.pairs.bound_candidates(KEPT);
        if let Some(mut budget_state) = self.budget_state.take() {
            self.find_candidates_within(&mut budget_state, dt);
            self.budget_state = Some(budget_state);
            return;
        }
        let kept = AtomicUsize::new(kept);
        let (all, cost) = (0..self.pairs.active.len(), self.search_cost());
        let counts = self.for_some_pairs(all, cost, |world, pair, scratch| {
            world.find_candidates_of(pair, dt, &kept, &mut scratch.descent)
        });
        self.last_searched = counts;
        self.counts += counts;
    }

    /// Finds the candidates of one pair, unless its contacts can be recycled or its candidate list
    /// still covers it. `kept`: number of stored candidates of all pairs.
    ///
    /// ```text
    /// refresh, recycle   contacts moved with the bodies          -> Due::Nothing
    /// list_covers        candidate list still valid              -> Due::Candidates
    /// search_far         nothing within a wide margin            -> Due::Candidates (none), list kept
    /// search_whole       all candidates found                    -> Due::Candidates, list kept
    ///                    too many candidates to keep             -> Due::Parts
    /// ```
    fn find_candidates_of(
        &self,
        pair: &mut PairContacts,
        dt: f64,
        kept: &AtomicUsize,
        descent: &mut DescentScratch,
    ) -> StepCounts {
        let two = self.two(pair);
        let is_sensor_pair = self.pairs.is_sensor_pair(pair);
        if is_sensor_pair || self.is_reshaped(pair) {
            pair.search.list = None;
        } else if self.recycle(pair, dt) {
            return StepCounts { carried: 1, ..StepCounts::default() };
        }
        let ahead = self.foresight(pair, dt);
        pair.search.depth = self.depth(pair, ahead);
        // A sensor reports only intersections at the present poses.
        pair.search.margin = if is_sensor_pair { 0.0 } else { pair.search_margin(two, ahead) };
        pair.search.foreseen = pair.speculative(two, ahead);
        pair.search.corner = pair.corner();
        if pair.list_covers(two) {
            pair.search.due = Due::Candidates;
            return StepCounts::default();
        }
        kept.fetch_sub(pair.search.candidates.len(), Ordering::Relaxed);
        pair.search.candidates.clear();
        let Some(surfaces) = self.surfaces(pair) else { return StepCounts::default() };
        let far = if is_sensor_pair { None } else { self.search_far(pair, surfaces, dt, descent) };
        let (mut node_tests, is_apart) = far.unwrap_or_default();
        if !is_apart {
            node_tests += self.search_whole(pair, surfaces, kept, descent);
        }
        StepCounts { node_tests, searched: 1, ..StepCounts::default() }
    }

    /// Finds all candidates of a pair, if the limit of stored candidates leaves space for them.
    /// Otherwise marks the pair to be searched in parts, each tested before the next is found. Returns
    /// the node tests of a whole search, or 0.
    fn search_whole(
        &self,
        pair: &mut PairContacts,
        surfaces: [(&Tree, &Mesh); 2],
        kept: &AtomicUsize,
        descent: &mut DescentScratch,
    ) -> u64 {
        let skin = pair.next_skin(self.two(pair));
        pair.search.list = None;
        let b_to_a = self.b_to_a(pair);
        let query = NearQuery { surfaces, b_to_a: &b_to_a, near: self.near(pair, skin) };
        // Fans of slivers, and margins that are wide compared with a body, can give an unlimited number
        // of candidates.
        let is_endless = pair.searches_far() || may_be_fans(surfaces.map(|(_, mesh)| mesh));
        let kept_yet = if is_endless { KEPT } else { kept.load(Ordering::Relaxed) };
        let space = KEPT.saturating_sub(kept_yet);
        let (candidates, mut counts) = (&mut pair.search.candidates, Counts::default());
        let is_whole = space > 0 && query::find_candidates(&query, space, descent, candidates, &mut counts);
        if !is_whole {
            pair.search.candidates = Vec::new();
            pair.search.due = Due::Parts;
            return 0;
        }
        pair.search.due = Due::Candidates;
        kept.fetch_add(pair.search.candidates.len(), Ordering::Relaxed);
        if !self.pairs.is_sensor_pair(pair) {
            pair.search.keep_list(b_to_a, skin, counts.node_test_count);
        }
        counts.node_test_count
    }

    /// Updates the contacts of a pair if no search is needed. Returns whether it did.
    pub(super) fn recycle(&self, pair: &mut PairContacts, dt: f64) -> bool {
        let two = self.two(pair);
        if pair.refresh(two) {
            return true;
        }
        // An immovable pair is tested in every pass.
        let is_foreseen = !self.is_immovable(pair) && pair.foresees(two, self.ahead(dt));
        if is_foreseen {
            pair.recycle(two);
        }
        is_foreseen
    }

    /// Returns the time ahead for which the search of a pair gives speculative contacts: one or several
    /// passes of `dt` seconds.
    pub(super) fn foresight(&self, pair: &PairContacts, dt: f64) -> Ahead {
        let passes = if self.is_immovable(pair) || self.pairs.is_sensor_pair(pair) {
            1
        } else {
            pair.passes_ahead(self.two(pair), self.ahead(dt), self.passes_left)
        };
        self.ahead(dt * f64::from(passes))
    }

    /// Returns the treatment of overlap in this pass. The first pass of a step searches for it.
    pub(super) fn depth(&self, pair: &PairContacts, ahead: Ahead) -> Depth {
        if self.counts.passes == 0 { Depth::Sought } else { pair.depth_between(self.two(pair), ahead) }
    }

    /// Searches a pair with a wide margin if its last search found nothing. Returns the node tests, and
    /// whether the surfaces are proven apart. `None` for other pairs.
    fn search_far(
        &self,
        pair: &mut PairContacts,
        surfaces: [(&Tree, &Mesh); 2],
        dt: f64,
        descent: &mut DescentScratch,
    ) -> Option<(u64, bool)> {
        let (two, b_to_a) = (self.two(pair), self.b_to_a(pair));
        let rest = pair.search_margin(two, self.ahead(dt * f64::from(self.passes_left)));
        let skin = pair.far_skin(two, rest)?;
        let mut counts = Counts::default();
        let reach = pair.search.margin + skin.motion;
        let is_empty = query::are_apart(FAR, surfaces, &b_to_a, reach, descent, &mut counts);
        pair.search.due = Due::Candidates;
        pair.search.list = None;
        if is_empty {
            pair.search.keep_list(b_to_a, skin, counts.node_test_count);
        }
        Some((counts.node_test_count, is_empty))
    }

    /// Computes touching features, intersecting triangles and contacts from the candidates (stage
    /// *query*). Tests pairs in order, beginning where the last pass stopped, until the effort of the
    /// step exceeds the part of its limit for the time up to the end of this pass. Of the remaining
    /// pairs, it tests only those whose last effort was small.
    pub(super) fn find_contacts(&mut self, passes: &Passes) {
        self.note_bearings();
        if let Some(mut budget_state) = self.budget_state.take() {
            self.find_contacts_within(&mut budget_state, passes.dt());
            self.budget_state = Some(budget_state);
            return;
        }
        let most = (self.step_effort as f64 * passes.progress()) as u64;
        let count = self.pairs.active.len();
        let first = std::mem::take(&mut self.left_off).min(count);
        for range in [first..count, 0..first] {
            let mut start = range.start;
            while start < range.end {
                if self.counts.effort > most {
                    self.left_off = if self.left_off == 0 { start } else { self.left_off };
                    self.find_some_contacts(start..range.end, Some(LIGHT_EFFORT));
                    break;
                }
                let end = self.batch_end(start..range.end);
                self.find_some_contacts(start..end, None);
                start = end;
            }
        }
        self.counts.passes += 1;
    }

    /// Stores the directions in which contacts bore each body in the last pass. A body that lands or bounces
    /// back has no depth below the surface yet.
    fn note_bearings(&mut self) {
        self.bearings.clear();
        self.bearings.resize(self.bodies.states.len(), Bearings::default());
        for pair in &self.pairs.active {
            let [a, b] = [pair.a, pair.b].map_each(|body| body as usize);
            for contact in pair.contacts.iter().filter(|contact| contact.normal_impulse > 0.0) {
                let [on_a, on_b] = [(a, contact.point_a), (b, contact.point_b)]
                    .map_each(|(body, point)| self.bodies.states[body].pose.transform_point(point));
                let speed = self.bodies.states[b].velocity_at(on_b) - self.bodies.states[a].velocity_at(on_a);
                let is_steady = speed.dot(contact.normal).abs() * self.config.dt <= pair.settings.slop;
                let depth = if is_steady { contact.depth() + pair.excused_overlap() } else { 0.0 };
                self.bearings[a].add(-contact.normal, on_b, depth, pair.b);
                self.bearings[b].add(contact.normal, on_a, depth, pair.a);
            }
        }
    }

    /// Returns the query of a pair's contacts. `is_initial`: the query accepts overlap as modeled.
    pub(super) fn query_of<'a>(
        &'a self,
        pair: &PairContacts,
        surfaces: [(&'a Tree, &'a Mesh); 2],
        is_initial: bool,
    ) -> PairQuery<'a> {
        let bearings = [pair.a, pair.b].map_each(|body| &self.bearings[body as usize]);
        PairQuery { surfaces, bodies: self.two(pair), bearings, dt: self.config.dt, is_initial }
    }

    /// Returns the end of the batch of pairs that begins at the start of `range`. By the last effort of
    /// its pairs, a batch is large enough to be shared among threads.
    fn batch_end(&self, range: Range<usize>) -> usize {
        let mut sum = 0;
        let fits = |pair: &&PairContacts| {
            let effort =
                || pair.judged.effort.unwrap_or_else(|| self.most_effort(pair)).max(self.far_effort(pair));
            sum += if pair.search.due == Due::Nothing { 0 } else { effort() };
            sum <= self.step_effort / BATCHES
        };
        let fitting = self.pairs.active[range.clone()].iter().take_while(fits).count();
        range.start + fitting.max(1)
    }

    /// Returns the effort that is assumed for a pair that has not been tested yet. It is small for
    /// small surfaces, which have few features.
    fn most_effort(&self, pair: &PairContacts) -> u64 {
        let count = |mesh: &Mesh| mesh.triangles().len() as u64;
        let pairs = self.surfaces(pair).map_or(0, |[(_, a), (_, b)]| count(a).saturating_mul(count(b)));
        pairs.min(FRESH_EFFORT)
    }

    /// Returns the part of a pair's effort that follows from a wide margin, whatever its last effort.
    fn far_effort(&self, pair: &PairContacts) -> u64 {
        self.surfaces(pair).map_or(0, |[(_, a), (_, b)]| pair.far_effort([a, b]))
    }

    /// Runs *query* on a range of the pairs. `most`: largest last effort of a pair that is tested;
    /// other pairs keep their contacts. If `most` is `None`, all pairs are tested.
    fn find_some_contacts(&mut self, range: Range<usize>, most: Option<u64>) {
        let initial = self.is_first_pass();
        let cost = self.judge_cost(range.clone());
        let counts = self.for_some_pairs(range, cost, |world, pair, scratch| {
            let due = std::mem::take(&mut pair.search.due);
            if due == Due::Nothing {
                return QueryCounts::from(&pair.contacts[..]).into();
            }
            let Some(surfaces) = world.surfaces(pair) else { return StepCounts::default() };
            let (two, b_to_a) = (world.two(pair), world.b_to_a(pair));
            let took = pair.judged.effort.map(|effort| effort.max(world.far_effort(pair)));
            if most.is_some_and(|most| took.is_none_or(|effort| effort > most)) {
                return pair.leave_crowded(Crowding::OfStep, two, world.is_modelled(pair, initial)).into();
            }
            pair.judged.crossing_extent = world.is_immovable(pair).then_some(0.0);
            let Scratch { descent, query, .. } = scratch;
            let mut counts = Counts::default();
            let near = world.near(pair, Skin::default());
            let whole = NearQuery { surfaces, b_to_a: &b_to_a, near };
            let mut start = (due == Due::Parts).then_some(Start::Roots);
            let refill = |candidates: &mut Vec<[u32; 2]>| {
                let Some(from) = start else { return false };
                candidates.clear();
                let allowance = Allowance { node_tests: PART, per_candidate: 1 };
                let is_last =
                    query::find_candidates_within(&whole, from, allowance, descent, candidates, &mut counts);
                start = (!is_last).then_some(Start::End);
                true
            };
            let found: StepCounts = if world.pairs.is_sensor_pair(pair) {
                let counts = pair.find_overlap(query, surfaces.map_each(|s| s.1), &b_to_a, refill);
                let collides = pair.judged.is_intersecting && world.pairs.is_within_figure(pair);
                StepCounts { self_collisions: u64::from(collides), ..counts.into() }
            } else {
                let of_pair = world.query_of(pair, surfaces, world.is_modelled(pair, initial));
                pair.find_contacts(query, &of_pair, refill).into()
            };
            StepCounts { node_tests: found.node_tests + counts.node_test_count, ..found }
        });
        self.counts += counts;
    }

    /// Returns the filter of triangle pairs that can give a contact, for the pair's search margin.
    fn near(&self, pair: &PairContacts, skin: Skin) -> Near {
        match self.pairs.is_sensor_pair(pair) {
            true => pair.search.margin.into(),
            false => pair.near(pair.search.margin, pair.search.foreseen, skin),
        }
    }

    /// Returns whether overlap of the pair is accepted as modeled. Pairs of immovable bodies accept
    /// none.
    pub(super) fn is_modelled(&self, pair: &PairContacts, initial: bool) -> bool {
        (initial || pair.overlap.modelled_at.is_some()) && !self.is_immovable(pair)
    }
}

impl From<QueryCounts> for StepCounts {
    fn from(counts: QueryCounts) -> Self {
        Self {
            candidates: counts.candidate_count,
            false_alarms: counts.false_alarm_count,
            built_records: counts.record_count,
            intersections: counts.intersection_count,
            contacts: counts.contact_count,
            orphans: counts.orphan_count,
            capped: counts.capped_count,
            crowded: counts.crowded_count,
            interpenetrating: counts.interpenetrating_count,
            effort: counts.effort,
            ..Self::default()
        }
    }
}
