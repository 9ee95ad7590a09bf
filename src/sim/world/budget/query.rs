//! *Query* under a budget. A search that takes several passes yields its contacts in parts, in addition
//! to those of the earlier parts. After the last part, old contacts that no part found are dropped.

use super::BudgetState;
use super::state::{Budgeted, Certainty, SearchState};
use crate::arrays::MapEach;
use crate::contact::{
    Crowding, Due, Limits, PAIR_EFFORT, PairContacts, QueryCounts, SearchPart, Surface, depth_of_crossing,
};
use crate::world::scratch::Scratch;
use crate::world::{StepCounts, World};

impl World {
    /// Runs *query*: computes contacts from the candidates of the pass.
    pub(in crate::world) fn find_contacts_within(&mut self, budget_state: &mut BudgetState, dt: f64) {
        let cost = self.judge_cost(0..self.pairs.active.len());
        let counts =
            self.for_each_searched(budget_state, cost, |world, _, Budgeted { pair, state }, scratch| {
                if std::mem::take(&mut pair.search.due) == Due::Nothing {
                    return QueryCounts::from(&pair.contacts[..]).into();
                }
                let Some(surfaces) = world.surfaces(pair) else { return StepCounts::default() };
                if world.pairs.is_sensor_pair(pair) {
                    return world.find_overlap_so_far(surfaces, Budgeted { pair, state }, scratch);
                }
                world.find_contacts_so_far(surfaces, Budgeted { pair, state }, scratch, dt).into()
            });
        self.counts += counts;
        self.counts.passes += 1;
    }

    /// Tests whether a sensor pair intersects, with the candidates found so far.
    fn find_overlap_so_far(
        &self,
        surfaces: [Surface; 2],
        Budgeted { pair, state }: Budgeted,
        scratch: &mut Scratch,
    ) -> StepCounts {
        let (meshes, b_to_a) = (surfaces.map_each(|s| s.1), self.b_to_a(pair));
        let all = |_: &mut _| false;
        let counts = pair.count_crossings(&scratch.query, meshes, &b_to_a, state.most_effort(), all);
        state.note_crossing(pair, counts.intersection_count > 0);
        if !state.search.is_open {
            pair.overlap.modelled_at = None;
        }
        let collides = pair.judged.is_intersecting && self.pairs.is_within_figure(pair);
        StepCounts { self_collisions: u64::from(collides), ..counts.into() }
    }

    /// Computes the contacts of a whole search or of a part of it.
    fn find_contacts_so_far(
        &self,
        surfaces: [Surface; 2],
        Budgeted { pair, state }: Budgeted,
        scratch: &mut Scratch,
        dt: f64,
    ) -> QueryCounts {
        let (bodies, b_to_a) = (self.two(pair), self.b_to_a(pair));
        let initial = self.is_modelled(pair, self.is_first_pass());
        pair.judged.crossing_extent = self.is_immovable(pair).then_some(0.0);
        if state.search.is_part() || state.is_bounded {
            pair.recycle(bodies);
        }
        let limits = Limits {
            speculative: pair.speculative(bodies, self.ahead(dt)).max(state.search.foreseen)
                + state.search.slack,
            effort: state.most_effort(),
        };
        let (mut crossing_depth, is_bounded) = (0.0f64, state.is_bounded);
        let crossed = |[a, b]: [&_; 2]| {
            if is_bounded {
                crossing_depth = crossing_depth.max(depth_of_crossing(a, b));
            }
        };
        let mut counts = pair.collect(&mut scratch.query, surfaces, bodies, limits, |_| false, crossed);
        if scratch.query.is_stopped() {
            return counts;
        }
        if counts.effort > limits.effort {
            state.search = Default::default();
            let left = pair.leave_crowded(Crowding::OfPair, bodies, initial);
            return QueryCounts { effort: counts.effort, candidate_count: counts.candidate_count, ..left };
        }
        let search = &state.search;
        let is_open = search.is_open;
        let before = if search.is_continued { search.deepest } else { 0.0 };
        // Features that later parts find may be as deep as the deepest before.
        let depth_before = if is_open { before.max(pair.deepest()) } else { before };
        let part = SearchPart { depth_before, is_last: !is_open };
        let found =
            pair.choose(&mut scratch.query, &self.query_of(pair, surfaces, initial), part, &mut counts);
        if scratch.query.is_stopped() {
            return counts;
        }
        state.search.deepest = found.max(before);
        state.note_crossing(pair, counts.intersection_count > 0);
        state.keep_held(pair, scratch, crossing_depth);
        if !is_open {
            let at = if state.search.is_continued { state.search.began_at } else { b_to_a };
            pair.mark_found(at, state.search.foreseen);
            if state.depth_sought > 0.0 {
                state.mark_guessed(1.0, b_to_a);
            }
        }
        pair.conclude(counts)
    }
}

impl SearchState {
    /// Returns the largest effort of a query. A search in parts is not given up because of its effort;
    /// the budget ends it.
    fn most_effort(&self) -> u64 {
        if self.search.is_part() { u64::MAX } else { PAIR_EFFORT }
    }

    /// Decides which old contacts stay that this part did not find. `crossing_depth`: distance (m) by
    /// which the triangles of this part reach through each other.
    fn keep_held(&mut self, pair: &mut PairContacts, scratch: &Scratch, crossing_depth: f64) {
        let search = &mut self.search;
        let before = if search.is_continued { search.crossing_depth } else { 0.0 };
        search.crossing_depth = before.max(crossing_depth);
        // Features deeper than the largest search margin give no contacts; regions replace them.
        let is_beyond = search.crossing_depth > pair.search.margin;
        let is_deeper = is_beyond && pair.search.margin < pair.settings.search;
        if search.is_part() || is_beyond {
            pair.keep_unfound(&scratch.query, 0.0);
        }
        if search.is_open {
            return;
        }
        if self.is_bounded && !is_deeper {
            pair.drop_held(is_beyond);
        }
        self.depth_sought = if is_deeper { search.crossing_depth } else { 0.0 };
        self.has_lost_support |= pair.has_lost_regions();
    }

    /// Records whether triangles of the two surfaces intersect. An incomplete search can only prove
    /// that they do.
    fn note_crossing(&mut self, pair: &mut PairContacts, found: bool) {
        let search = &mut self.search;
        search.is_crossing = found || search.is_continued && search.is_crossing;
        if !search.is_open || search.is_crossing {
            pair.judged.is_intersecting = search.is_crossing;
        }
        if search.is_open && search.is_crossing {
            self.certainty = Certainty::Likely(1.0);
        }
    }
}
