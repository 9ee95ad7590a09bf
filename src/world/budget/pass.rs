//! A pass of *test* under a budget: which pairs are up to date, which are searched and for how long, which are
//! held.
//!
//! Urgent is what may have come nearer: how far two bodies can have moved into each other since their surfaces
//! were searched and can in this pass, as a share of what their thickness allows; times how long they have
//! waited; less if they probably do not intersect, more where one of the two never yields.

use glam::DVec3;

use super::schedule::Request;
use super::{Limited, cost};
use crate::body::Motion;
use crate::contact::{Ahead, Certainty, PairContacts, Plan, Search};
use crate::world::{StepCounts, World};

/// What falls through a body that never yields is lost.
const UNYIELDING: f64 = 4.0;
/// What its last search foresaw can wait.
const FORESEEN: f64 = 0.01;
/// Share of the budget that goes into searches in any case.
const SEARCHES: u64 = 4;
/// Node tests of one estimate, and the share of a pass that all of them may take.
const ESTIMATE: u64 = 64;
const ESTIMATES_SHARE: u64 = 4;

impl World {
    /// Of the passes a step should take, those that the budget allows.
    pub(in crate::world) fn affordable(&mut self, passes: u32) -> u32 {
        self.limited.as_mut().map_or(passes, |limited| limited.begin_step(passes))
    }

    /// *Test* under the budget.
    pub(in crate::world) fn find_candidates_within(&mut self, limited: &mut Limited, dt: f64) {
        let spent = Limited::used(&self.counts);
        limited.overhead = spent.saturating_sub(limited.spent);
        self.for_each_pair(|world, pair, _| {
            pair.candidates.clear();
            pair.standing.has_lost_support &= world.is_at_rest(pair);
            pair.standing.plan = world.assess(pair, dt);
            StepCounts::default()
        });
        limited.collect(&mut self.pairs.active);
        let passes_left = u64::from(limited.passes_left.max(1));
        limited.passes_left = limited.passes_left.saturating_sub(1);
        // Most of those that want a search will be held.
        let held = cost::HELD * limited.schedule.requests.len() as u64;
        let rest = limited.budget.saturating_sub(spent).saturating_sub(held);
        // Where looking at the pairs takes all, some are searched nevertheless: none waits for ever.
        let share = rest.max(limited.budget / SEARCHES) / passes_left;
        let is_short = limited.schedule.total_cost() > share;
        let mut left = share;
        if is_short {
            let most = share / ESTIMATES_SHARE;
            left -= most - self.estimate_unknown(limited, most, dt);
            limited.heed_estimates(&self.pairs.active);
            limited.schedule.rank();
        }
        left = self.search_in_rounds(limited, is_short, left, share, dt);
        if is_short {
            self.estimate_unknown(limited, left, dt);
        }
        let counts = self.for_each_pair(|world, pair, _| match pair.standing.plan {
            Plan::Hold => world.hold(pair, dt),
            _ => StepCounts::default(),
        });
        limited.learn(&self.pairs.active);
        self.counts += counts;
        // Candidates are counted in *query*. Pairs at rest may still have those of an earlier pass.
        let searched = self.pairs.active.iter().filter(|p| p.is_searched);
        let candidate_count: u64 = searched.map(|p| p.candidates.len() as u64).sum();
        limited.spent = Limited::used(&self.counts) + cost::CANDIDATE * candidate_count;
    }

    /// Searches in the order of the requests while any node tests are left. A round takes as many pairs as
    /// could use them up; what they leave is for the next, and for those whose search is open.
    fn search_in_rounds(
        &mut self,
        limited: &mut Limited,
        is_short: bool,
        mut left: u64,
        share: u64,
        dt: f64,
    ) -> u64 {
        let mut first = 0;
        while !self.is_stopped() {
            let end = limited.allot(&mut self.pairs.active, first, left, share);
            if end == first {
                if first == 0 {
                    break;
                }
                // The open ones go on, so that others find a place.
                let mut at = 0;
                limited.schedule.requests.retain(|r| {
                    at += 1;
                    at > first || self.pairs.active[r.pair as usize].standing.search.is_open
                });
                first = 0;
                continue;
            }
            let round = &limited.schedule.requests[first..end];
            for request in round {
                self.pairs.active[request.pair as usize].standing.plan = Plan::Search(request.allowance);
            }
            let slots = &limited.slots;
            let counts = self.for_each_pair(|world, pair, scratch| match pair.standing.plan {
                Plan::Search(allowance) => world.search_within(allowance, is_short, slots, pair, scratch, dt),
                _ => StepCounts::default(),
            });
            for request in round {
                let pair = &mut self.pairs.active[request.pair as usize];
                if let Plan::Searched(spent) = pair.standing.plan {
                    left = left.saturating_sub(spent);
                }
                if !pair.standing.search.is_open {
                    limited.slots.give_back(pair);
                }
            }
            self.counts += counts;
            first = end;
        }
        let is_cut = |p: &&PairContacts| p.is_searched && p.standing.search.is_open;
        self.counts.interrupted += self.pairs.active.iter().filter(is_cut).count() as u64;
        left
    }

    /// Brings a pair up to date without a search, or says how urgently it needs one.
    fn assess(&self, pair: &mut PairContacts, dt: f64) -> Plan {
        let two = self.two(pair);
        let is_watched = self.pairs.is_watched(pair);
        if self.is_reshaped(pair) {
            pair.forget_place();
        }
        if !is_watched && pair.standing.depth_sought == 0.0 && pair.refresh(two) {
            pair.standing.prove();
            pair.standing.search = Search::default();
            return Plan::Keep;
        }
        if pair.standing.search.is_open && self.is_outdated(pair, dt) {
            pair.standing.search = Search::default();
            pair.standing.waited = 0;
            pair.standing.tries += 1;
        }
        pair.standing.waited += 1;
        pair.standing.search.is_continued = pair.standing.search.is_open;
        let travel = pair.travel(two, Self::moving(dt));
        let drift = pair.drift(two) - pair.standing.clearance;
        let closer = if drift.is_finite() && !is_watched { drift.max(0.0) } else { pair.settings.travel };
        let fixed = two.iter().any(|(state, _)| state.motion != Motion::Dynamic);
        let weight = if fixed { UNYIELDING } else { 1.0 } * f64::from(pair.standing.waited).powi(2);
        let near = match () {
            () if self.is_clear(pair, dt) => 0.0,
            () if self.is_foreseen(pair, dt) => FORESEEN,
            () => 1.0,
        };
        Plan::Ask(near * weight * ((closer + travel) / pair.settings.travel + 0.01))
    }

    /// As far as bodies go by themselves in `dt` seconds: a budget is for what moves, and what gravity alone may set
    /// in motion is urgent once it does.
    pub(super) fn moving(dt: f64) -> Ahead {
        Ahead { dt, gravity: DVec3::ZERO }
    }

    /// Whether the surfaces were so far apart when they were searched that they cannot meet in this pass.
    pub(super) fn is_clear(&self, pair: &PairContacts, dt: f64) -> bool {
        let two = self.two(pair);
        pair.drift(two) + pair.travel(two, Self::moving(dt)) < pair.standing.clearance
            && !self.is_reshaped(pair)
    }

    /// Whether the last search saw all that can touch in this pass.
    pub(super) fn is_foreseen(&self, pair: &PairContacts, dt: f64) -> bool {
        let two = self.two(pair);
        let is_whole = pair.standing.depth_sought == 0.0 && !self.is_reshaped(pair);
        is_whole && pair.drift(two) + pair.travel(two, Self::moving(dt)) <= pair.settings.speculative
    }

    pub(super) fn is_reshaped(&self, pair: &PairContacts) -> bool {
        [pair.a, pair.b].iter().any(|&b| self.bodies.is_reshaped(b))
    }

    /// Asks for the probability of pairs of which nothing is known, the most urgent first, while any of
    /// `left` node tests are. Returns what is left of them.
    fn estimate_unknown(&mut self, limited: &mut Limited, mut left: u64, dt: f64) -> u64 {
        limited.schedule.rank_by_urgency();
        let mut first = 0;
        while first < limited.schedule.requests.len() {
            let mut free = left;
            let begin = first;
            while let Some(request) = limited.schedule.requests.get(first) {
                let pair = &self.pairs.active[request.pair as usize];
                if self.wants_estimate(&limited.estimator, pair, dt) {
                    if free < ESTIMATE * cost::ESTIMATE {
                        break;
                    }
                    free -= ESTIMATE * cost::ESTIMATE;
                    self.pairs.active[request.pair as usize].standing.plan = Plan::Estimate(ESTIMATE);
                }
                first += 1;
            }
            if first == begin {
                break;
            }
            let estimator = &limited.estimator;
            let counts = self.for_each_pair(|world, pair, scratch| match pair.standing.plan {
                Plan::Estimate(node_tests) => world.estimate(estimator, node_tests, pair, scratch, dt),
                _ => StepCounts::default(),
            });
            self.counts += counts;
            left = left.saturating_sub(counts.node_tests);
        }
        left
    }
}

impl Limited {
    /// Gathers the pairs that want a search.
    fn collect(&mut self, pairs: &mut [PairContacts]) {
        let expected = self.schedule.expected_cost();
        let requests = &mut self.schedule.requests;
        requests.clear();
        for (pair, index) in pairs.iter_mut().zip(0..) {
            if let Plan::Ask(urgency) = pair.standing.plan {
                let standing = &mut pair.standing;
                let whole = if standing.cost == 0 { expected } else { standing.cost };
                let open = if standing.search.is_open { standing.search.spent } else { 0 };
                standing.plan = Plan::Hold;
                let cost = whole.saturating_sub(open).max(cost::SEARCH);
                let tries = u64::from(standing.tries);
                requests.push(Request { pair: index, urgency, tries, cost, allowance: 0 });
            } else {
                pair.standing.plan = Plan::Keep;
                pair.standing.search = Search::default();
            }
        }
        self.slots.recount(pairs);
    }

    /// Gives requests from `first` on their allowances, and somewhere to keep their traversals; if need be, at
    /// the expense of the last of those whose search is open. Returns the end of those that can be searched.
    fn allot(&mut self, pairs: &mut [PairContacts], first: usize, left: u64, share: u64) -> usize {
        let end = self.schedule.allot(first, left, share);
        let requests = &mut self.schedule.requests;
        let mut last = requests.len();
        for at in first..end {
            while !self.slots.give(&mut pairs[requests[at].pair as usize]) {
                let has_slot = |r: &Request| pairs[r.pair as usize].standing.search.slot.is_some();
                let Some(other) = (at + 1..last).rev().find(|&k| has_slot(&requests[k])) else { return at };
                last = other;
                let standing = &mut pairs[requests[other].pair as usize].standing;
                standing.tries += 1;
                requests[other].tries += 1;
                requests[other].cost = standing.cost;
                self.slots.take(standing);
            }
        }
        end
    }

    /// The less likely two bodies meet, the less urgent is their search.
    fn heed_estimates(&mut self, pairs: &[PairContacts]) {
        self.schedule.requests.retain_mut(|request| {
            let pair = &pairs[request.pair as usize];
            if let Some((probability, _)) = pair.standing.estimated.filter(|_| !pair.holds_features()) {
                request.urgency *= 0.5 + 0.5 * probability;
            }
            pair.standing.plan == Plan::Hold
        });
    }

    fn learn(&mut self, pairs: &[PairContacts]) {
        let whole = |p: &&PairContacts| {
            matches!(p.standing.plan, Plan::Searched(_)) && p.standing.certainty == Certainty::Proven
        };
        let (total, count) =
            pairs.iter().filter(whole).fold((0, 0), |(sum, n), p| (sum + p.standing.cost, n + 1));
        self.schedule.learn(total, count);
    }
}
