//! A pass of *test* under a budget: decides for each pair whether it is up to date, is searched and
//! with which allowance, or is held: its old contacts are kept, or new ones are guessed.
//!
//! The urgency of a pair is the product of three factors. First, the distance by which its bodies may
//! have approached since their surfaces were searched, plus the travel in this pass, as a share of the
//! travel that their thickness allows. Second, the square of the number of passes for which it has
//! waited. Third, a weight: more than 1 if one of the two is not dynamic, less if they probably do not
//! intersect.

use glam::DVec3;

use super::schedule::Request;
use super::state::{Budgeted, Grant, PartialSearch, Plan, SearchState};
use super::{BudgetState, cost};
use crate::body::Motion;
use crate::contact::{Ahead, Due, PairContacts};
use crate::world::scratch::Scratch;
use crate::world::{StepCounts, World, work};

/// Weight of pairs with a body that is not dynamic: a body that falls through it is lost.
const UNYIELDING: f64 = 4.0;
/// Weight of pairs whose last search found all contacts of this pass in advance: such pairs can wait.
const FORESEEN: f64 = 0.01;
/// Divisor of the budget: the passes of a step may always spend this part on searches.
const SEARCHES: u64 = 4;
/// Largest number of node tests of one estimate.
const ESTIMATE: u64 = 64;
/// Divisor of a pass's share: all estimates together may spend this part.
const ESTIMATES_SHARE: u64 = 4;

impl World {
    /// Returns the number of passes of a step, at most `passes`, that the budget allows.
    pub(in crate::world) fn affordable(&mut self, passes: u32) -> u32 {
        self.budget_state.as_mut().map_or(passes, |budget_state| budget_state.begin_step(passes))
    }

    /// Returns the number of passes for the rest of a step, at most `passes`, that the budget allows.
    pub(in crate::world) fn still_affordable(&mut self, passes: u32) -> u32 {
        self.budget_state.as_mut().map_or(passes, |budget_state| budget_state.plan(passes))
    }

    /// Runs *test* under the budget.
    ///
    /// ```text
    /// every pair        assess            -> Plan::Keep: up to date without a search
    ///                                     -> Plan::Ask: a request with its urgency and cost
    /// is_short          if the requests cost more than the share of this pass:
    ///                   estimate_unknown  -> Plan::Estimate, within a quarter of the share
    ///                   rank              by urgency per cost
    /// search_in_rounds                    -> Plan::Search -> Plan::Searched; an open search
    ///                                        continues in the next pass
    /// is_short          estimate_unknown  within the node tests that are left
    /// the others        recycle_within    -> Plan::Recycle: contacts recycled or guessed
    /// ```
    pub(in crate::world) fn find_candidates_within(&mut self, budget_state: &mut BudgetState, dt: f64) {
        let spent = BudgetState::used(&self.counts);
        budget_state.overhead = spent.saturating_sub(budget_state.spent);
        let carried = self.for_each_searched(
            budget_state,
            self.visit_cost(),
            |world, _, Budgeted { pair, state }, _| {
                pair.search.candidates.clear();
                state.has_lost_support &= world.is_at_rest(pair);
                state.plan = world.assess(pair, state, dt);
                StepCounts { carried: u64::from(state.plan == Plan::Keep), ..StepCounts::default() }
            },
        );
        self.counts += carried;
        budget_state.collect();
        let passes_left = u64::from(budget_state.passes_left.max(1));
        let passes = u64::from(budget_state.begun) + passes_left;
        budget_state.passes_left = budget_state.passes_left.saturating_sub(1);
        budget_state.begun += 1;
        // Most pairs that need a search will be held.
        let held = cost::HELD * budget_state.schedule.requests.len() as u64;
        let rest = budget_state.budget.saturating_sub(spent).saturating_sub(held);
        // Even if the work before searches takes the whole budget, some pairs are searched, so that
        // none waits forever.
        let share = (rest / passes_left).max(budget_state.budget / (SEARCHES * passes));
        let is_short = budget_state.schedule.total_cost() > share;
        budget_state.is_short = is_short;
        let mut left = share;
        if is_short {
            let most = share / ESTIMATES_SHARE;
            left -= most - self.estimate_unknown(budget_state, most, dt);
            budget_state.weigh_by_estimates(&self.pairs.active);
            budget_state.schedule.rank();
        }
        left = self.search_in_rounds(budget_state, is_short, left, share, dt);
        if is_short {
            self.estimate_unknown(budget_state, left, dt);
        }
        let counts = self.for_each_searched(
            budget_state,
            self.visit_cost(),
            |world, _, Budgeted { pair, state }, _| match state.plan {
                Plan::Recycle => world.recycle_within(pair, state, dt),
                _ => StepCounts::default(),
            },
        );
        budget_state.learn();
        self.counts += counts;
        // Candidates are counted in *query*. Pairs at rest may still have those of an earlier pass.
        let searched = self.pairs.active.iter().filter(|p| p.search.due != Due::Nothing);
        let candidate_count: u64 = searched.map(|p| p.search.candidates.len() as u64).sum();
        budget_state.spent = BudgetState::used(&self.counts) + cost::CANDIDATE * candidate_count;
    }

    /// Searches pairs in the order of the requests while node tests are left. Each round takes as many
    /// pairs as could use up the node tests left. Unused node tests go to the next round, and finally
    /// to open searches. Returns the node tests that are left.
    fn search_in_rounds(
        &mut self,
        budget_state: &mut BudgetState,
        is_short: bool,
        mut left: u64,
        share: u64,
        dt: f64,
    ) -> u64 {
        let mut first = 0;
        while !self.is_stopped() {
            let end = budget_state.allot(first, left, share);
            if end == first {
                if first == 0 {
                    break;
                }
                // Open searches continue, so that slots for further pairs become free.
                let (mut at, states) = (0, &budget_state.states.active);
                budget_state.schedule.requests.retain(|r| {
                    at += 1;
                    at > first || states[r.pair as usize].search.is_open
                });
                first = 0;
                continue;
            }
            let BudgetState { schedule, states, .. } = budget_state;
            let round = &schedule.requests[first..end];
            let cost = work::budgeted(round.iter().map(|request| request.cost.min(request.allowance)).sum());
            for request in round {
                states.active[request.pair as usize].plan = Plan::Search(request.allowance);
            }
            let counts =
                self.for_each_searched(budget_state, cost, |world, budget_state, budgeted, scratch| {
                    match budgeted.state.plan {
                        Plan::Search(node_tests) => {
                            let grant = Grant { node_tests, is_short };
                            world.search_within(grant, &budget_state.slots, budgeted, scratch, dt)
                        }
                        _ => StepCounts::default(),
                    }
                });
            let BudgetState { schedule, states, slots, .. } = budget_state;
            for request in &schedule.requests[first..end] {
                let state = &mut states.active[request.pair as usize];
                if let Plan::Searched(spent) = state.plan {
                    left = left.saturating_sub(spent);
                }
                if !state.search.is_open {
                    slots.give_back(state);
                }
            }
            self.counts += counts;
            first = end;
        }
        let pairs = self.pairs.active.iter().zip(&budget_state.states.active);
        let is_cut = |(pair, state): &(&PairContacts, &SearchState)| {
            pair.search.due != Due::Nothing && state.search.is_open
        };
        self.counts.interrupted += pairs.filter(is_cut).count() as u64;
        left
    }

    /// Updates a pair without a search if possible. Otherwise returns the urgency of its search.
    fn assess(&self, pair: &mut PairContacts, state: &mut SearchState, dt: f64) -> Plan {
        let two = self.two(pair);
        let is_sensor_pair = self.pairs.is_sensor_pair(pair);
        if self.is_reshaped(pair) {
            pair.forget_place();
            state.forget_place();
        }
        if !is_sensor_pair && state.depth_sought == 0.0 && self.recycle(pair, dt) {
            state.mark_proven();
            state.search = PartialSearch::default();
            return Plan::Keep;
        }
        if state.search.is_open && self.is_outdated(pair, &state.search, dt) {
            state.search = PartialSearch::default();
            state.waited = 0;
            state.tries += 1;
        }
        state.waited += 1;
        state.search.is_continued = state.search.is_open;
        let travel = pair.travel(two, Self::moving(dt));
        let drift = pair.drift(two) - state.clearance;
        let closer = if drift.is_finite() && !is_sensor_pair { drift.max(0.0) } else { pair.settings.travel };
        let fixed = two.iter().any(|(state, _)| state.motion != Motion::Dynamic);
        let weight = if fixed { UNYIELDING } else { 1.0 } * f64::from(state.waited).powi(2);
        let near = match () {
            () if self.is_clear(pair, state, dt) => 0.0,
            () if self.is_foreseen(pair, state, dt) => FORESEEN,
            () => 1.0,
        };
        Plan::Ask(near * weight * ((closer + travel) / pair.settings.travel + 0.01))
    }

    /// Returns the interval of `dt` seconds without gravity. A budget is meant for moving bodies; a
    /// body that only gravity may set in motion becomes urgent as soon as it moves.
    pub(super) fn moving(dt: f64) -> Ahead {
        Ahead { dt, gravity: DVec3::ZERO }
    }

    /// Returns whether the surfaces were so far apart at their last search that they cannot touch in
    /// this pass.
    pub(super) fn is_clear(&self, pair: &PairContacts, state: &SearchState, dt: f64) -> bool {
        let two = self.two(pair);
        pair.drift(two) + pair.travel(two, Self::moving(dt)) < state.clearance && !self.is_reshaped(pair)
    }

    /// Returns whether the last search found all features that can touch in this pass.
    pub(super) fn is_foreseen(&self, pair: &PairContacts, state: &SearchState, dt: f64) -> bool {
        let two = self.two(pair);
        let is_whole = state.depth_sought == 0.0 && !self.is_reshaped(pair);
        is_whole && pair.drift(two) + pair.travel(two, Self::moving(dt)) <= pair.settings.speculative
    }

    pub(in crate::world) fn is_reshaped(&self, pair: &PairContacts) -> bool {
        [pair.a, pair.b].iter().any(|&b| self.bodies.is_reshaped(b))
    }

    /// Estimates the probability of pairs without usable contacts or valid estimates, the most urgent
    /// first, with at most `left` node tests. Returns the node tests that are left.
    fn estimate_unknown(&mut self, budget_state: &mut BudgetState, mut left: u64, dt: f64) -> u64 {
        budget_state.schedule.rank_by_urgency();
        let mut first = 0;
        while first < budget_state.schedule.requests.len() {
            let mut free = left;
            let begin = first;
            while let Some(request) = budget_state.schedule.requests.get(first) {
                let pair = &self.pairs.active[request.pair as usize];
                let state = &mut budget_state.states.active[request.pair as usize];
                if self.wants_estimate(&budget_state.estimator, pair, state, dt) {
                    if free < ESTIMATE * cost::ESTIMATE {
                        break;
                    }
                    free -= ESTIMATE * cost::ESTIMATE;
                    state.plan = Plan::Estimate(ESTIMATE);
                }
                first += 1;
            }
            if first == begin {
                break;
            }
            let cost = work::budgeted(left - free);
            let counts =
                self.for_each_searched(budget_state, cost, |world, budget_state, budgeted, scratch| {
                    match budgeted.state.plan {
                        Plan::Estimate(node_tests) => {
                            world.estimate(&budget_state.estimator, node_tests, budgeted, scratch, dt)
                        }
                        _ => StepCounts::default(),
                    }
                });
            self.counts += counts;
            left = left.saturating_sub(counts.node_tests);
        }
        left
    }

    /// Runs `work` on every near pair with the state of its search, except pairs that are proven and
    /// need no work. `cost`: approximate time of all of the work on one thread, ns.
    pub(super) fn for_each_searched<W>(
        &mut self,
        budget_state: &mut BudgetState,
        cost: u64,
        work: W,
    ) -> StepCounts
    where
        W: Fn(&World, &BudgetState, Budgeted, &mut Scratch) -> StepCounts + Sync,
    {
        let mut states = std::mem::take(&mut budget_state.states.active);
        let known = &*budget_state;
        let is_settled = |world: &World, pair: &PairContacts, state: &SearchState| {
            state.is_proven() && world.is_settled(pair)
        };
        let counts = self.for_pairs_beside(
            0..states.len(),
            &mut states,
            (cost, is_settled),
            |world, pair, state, scratch| work(world, known, Budgeted { pair, state }, scratch),
        );
        budget_state.states.active = states;
        counts
    }
}

impl BudgetState {
    /// Collects the requests of the pairs that need a search.
    fn collect(&mut self) {
        let expected = self.schedule.expected_cost();
        let requests = &mut self.schedule.requests;
        requests.clear();
        for (state, index) in self.states.active.iter_mut().zip(0..) {
            if let Plan::Ask(urgency) = state.plan {
                let whole = if state.cost == 0 { expected } else { state.cost };
                let open = if state.search.is_open { state.search.spent } else { 0 };
                state.plan = Plan::Recycle;
                let cost = whole.saturating_sub(open).max(cost::SEARCH);
                let tries = u64::from(state.tries);
                requests.push(Request { pair: index, urgency, tries, cost, allowance: 0 });
            } else {
                state.plan = Plan::Keep;
                state.search = PartialSearch::default();
            }
        }
        self.slots.recount(&self.states.active);
    }

    /// Gives the requests from index `first` on their allowances, and slots for their traversals. If no
    /// slot is free, takes the slot of the last request with an open search. Returns the index after
    /// the last request that can be searched.
    fn allot(&mut self, first: usize, left: u64, share: u64) -> usize {
        let end = self.schedule.allot(first, left, share);
        let (requests, states) = (&mut self.schedule.requests, &mut self.states.active);
        let mut last = requests.len();
        for at in first..end {
            while !self.slots.give(&mut states[requests[at].pair as usize]) {
                let has_slot = |r: &Request| states[r.pair as usize].search.slot.is_some();
                let Some(other) = (at + 1..last).rev().find(|&k| has_slot(&requests[k])) else { return at };
                last = other;
                let state = &mut states[requests[other].pair as usize];
                state.tries += 1;
                requests[other].tries += 1;
                requests[other].cost = state.cost;
                self.slots.take(state);
            }
        }
        end
    }

    /// Lowers the urgency of pairs that are unlikely to intersect. Drops the requests of pairs that no
    /// longer need a search.
    fn weigh_by_estimates(&mut self, pairs: &[PairContacts]) {
        let states = &self.states.active;
        self.schedule.requests.retain_mut(|request| {
            let (pair, state) = (&pairs[request.pair as usize], &states[request.pair as usize]);
            if let Some((probability, _)) = state.estimated.filter(|_| !pair.has_features()) {
                request.urgency *= 0.5 + 0.5 * probability;
            }
            state.plan == Plan::Recycle
        });
    }

    /// Updates the expected cost of a search with the searches completed in this pass.
    fn learn(&mut self) {
        let whole = |s: &&SearchState| matches!(s.plan, Plan::Searched(_)) && s.is_proven();
        let searched = self.states.active.iter().filter(whole);
        let (total, count) = searched.fold((0, 0), |(sum, n), s| (sum + s.cost, n + 1));
        self.schedule.learn(total, count);
    }
}
