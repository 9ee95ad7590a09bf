//! A pass of *test* under a budget: which pairs are up to date, which are searched and for how long, which are
//! held.
//!
//! Urgent is what may have come nearer: how far two bodies can have moved into each other since their surfaces
//! were searched and can in this pass, as a share of what their thickness allows; times how long they have
//! waited; less if they probably do not intersect, more where one of the two never yields.

use super::estimate::{Estimator, Question};
use super::schedule::Request;
use super::{Limited, cost};
use crate::body::Motion;
use crate::narrow::{self, Certainty, PairContacts, Plan};
use crate::pose::Pose;
use crate::tree::{self, Allowance, Counts};
use crate::world::stages::Scratch;
use crate::world::{StepCounts, World};

/// Passes like this one that a search looks ahead at most while nothing is near.
const MOST_PATIENCE: f64 = 64.0;
/// What falls through a body that never yields is lost.
const UNYIELDING: f64 = 4.0;
/// Node tests of one estimate, and the share of a pass that all of them may take.
const ESTIMATE: u64 = 64;
/// Motion, as a share of what thickness allows, within which an estimate holds.
const FRESH: f64 = 0.1;
const ESTIMATES_SHARE: u64 = 4;

/// The probability of what nothing is known of.
const UNKNOWN: f64 = 0.5;

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
            pair.standing.plan = world.assess(pair, dt);
            StepCounts::default()
        });
        limited.collect(&mut self.pairs.active);
        let passes_left = u64::from(limited.passes_left.max(1));
        limited.passes_left = limited.passes_left.saturating_sub(1);
        let rest = limited.budget.saturating_sub(spent);
        let share = rest / passes_left;
        limited.demand = limited.schedule.total_cost();
        let is_short = limited.demand > share;
        let mut left = if is_short { share } else { u64::MAX };
        if is_short {
            let most = share / ESTIMATES_SHARE;
            left -= most - self.estimate_unknown(limited, most, dt);
            limited.heed_estimates(&self.pairs.active);
            limited.schedule.rank();
        }
        left = self.search_in_rounds(limited, left, share, dt);
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
    /// could use them up; what they leave is for the next.
    fn search_in_rounds(&mut self, limited: &mut Limited, mut left: u64, share: u64, dt: f64) -> u64 {
        let is_short = left < u64::MAX;
        let mut first = 0;
        while first < limited.schedule.requests.len() {
            let end = match is_short {
                true => limited.schedule.allot(first, left, share),
                false => limited.schedule.requests.len(),
            };
            if end == first {
                break;
            }
            let round = &limited.schedule.requests[first..end];
            for request in round {
                let allowance = if is_short { request.allowance } else { u64::MAX };
                self.pairs.active[request.pair as usize].standing.plan = Plan::Search(allowance);
            }
            let counts = self.for_each_pair(|world, pair, scratch| match pair.standing.plan {
                Plan::Search(allowance) => world.search_within(allowance, is_short, pair, scratch, dt),
                _ => StepCounts::default(),
            });
            for request in round {
                let pair = &mut self.pairs.active[request.pair as usize];
                left = left.saturating_sub(pair.standing.spent);
                pair.standing.plan = Plan::Searched;
            }
            self.counts += counts;
            first = end;
        }
        left
    }

    /// Brings a pair up to date without a search, or says how urgently it needs one.
    fn assess(&self, pair: &mut PairContacts, dt: f64) -> Plan {
        let two = self.two(pair);
        let is_watched = self.pairs.is_watched(pair);
        if !is_watched && !self.is_reshaped(pair) && pair.refresh(two) {
            pair.standing.prove();
            return Plan::Keep;
        }
        pair.standing.waited += 1;
        let travel = narrow::relative_travel(two, dt);
        let drift = pair.drift(two) - pair.standing.clearance;
        let closer = if drift.is_finite() && !is_watched { drift.max(0.0) } else { pair.settings.travel };
        let fixed = two.iter().any(|(state, _)| state.motion != Motion::Dynamic);
        let weight = if fixed { UNYIELDING } else { 1.0 } * f64::from(pair.standing.waited).powi(2);
        let near = if self.is_clear(pair, dt) { 0.0 } else { 1.0 };
        Plan::Ask(near * weight * ((closer + travel) / pair.settings.travel + 0.01))
    }

    /// Whether the surfaces were so far apart when they were searched that they cannot meet in this pass.
    fn is_clear(&self, pair: &PairContacts, dt: f64) -> bool {
        let two = self.two(pair);
        pair.drift(two) + narrow::relative_travel(two, dt) < pair.standing.clearance
            && !self.is_reshaped(pair)
    }

    fn is_reshaped(&self, pair: &PairContacts) -> bool {
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
                if self.wants_estimate(pair, dt) {
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

    /// Whether a pair that is not searched in this pass is also one of which nothing is known.
    fn wants_estimate(&self, pair: &PairContacts, dt: f64) -> bool {
        let is_fresh = pair.standing.estimated.is_some_and(|(_, at)| self.is_fresh(pair, &at));
        pair.standing.plan == Plan::Hold
            && !self.knows_features(pair)
            && !is_fresh
            && !self.pairs.is_watched(pair)
            && !self.is_clear(pair, dt)
    }

    /// Whether contacts were found before the bodies moved farther than their thickness allows.
    fn knows_features(&self, pair: &PairContacts) -> bool {
        pair.holds_features() && pair.drift(self.two(pair)) <= pair.settings.travel
    }

    /// Whether the bodies have hardly moved against each other since.
    fn is_fresh(&self, pair: &PairContacts, at: &Pose) -> bool {
        pair.motion_since(at, self.two(pair)) <= FRESH * pair.settings.travel
    }

    /// Regions by the boxes of two surfaces; proves them apart if there are none.
    fn find_box_regions(&self, pair: &mut PairContacts, dt: f64) {
        pair.regions.clear();
        let Some([(_, mesh_a), (_, mesh_b)]) = self.surfaces(pair) else { return };
        let two = self.two(pair);
        let margin = pair.settings.speculative + narrow::relative_travel(two, dt);
        let by_b = two[1].1.radius > two[0].1.radius;
        let bounds = [mesh_a.bounds(), mesh_b.bounds()];
        Estimator::box_regions(bounds, &self.b_to_a(pair), margin, by_b, &mut pair.regions);
        if pair.regions.is_empty() {
            pair.prove_apart(margin, two);
        }
    }

    fn estimate(
        &self,
        estimator: &Estimator,
        node_tests: u64,
        pair: &mut PairContacts,
        scratch: &mut Scratch,
        dt: f64,
    ) -> StepCounts {
        let at = self.b_to_a(pair);
        let [Some(ma), Some(mb)] = [pair.a, pair.b].map(|i| self.bodies.infos[i as usize].mesh) else {
            return StepCounts::default();
        };
        let [(_, info_a), (_, info_b)] = self.two(pair);
        let by_b = info_b.radius > info_a.radius;
        let margin = pair.settings.speculative + narrow::relative_travel(self.two(pair), dt);
        let node_tests = node_tests as u32;
        let question = Question { meshes: [ma, mb], b_to_a: at, margin, by_b, node_tests };
        let (probability, tests) = estimator.estimate(&question, &mut scratch.adb, &mut pair.regions);
        pair.standing.estimated = Some((probability, at));
        pair.standing.plan = Plan::Hold;
        if probability == 0.0 {
            pair.standing.plan = Plan::Keep;
            pair.prove_apart(margin, self.two(pair));
        }
        StepCounts { node_tests: tests * cost::ESTIMATE, ..StepCounts::default() }
    }

    fn search_within(
        &self,
        units: u64,
        is_short: bool,
        pair: &mut PairContacts,
        scratch: &mut Scratch,
        dt: f64,
    ) -> StepCounts {
        let Some(surfaces) = self.surfaces(pair) else { return StepCounts::default() };
        let two = self.two(pair);
        let at = self.b_to_a(pair);
        let mut counts = Counts::default();
        pair.standing.is_bounded = is_short;
        if is_short && !pair.holds_features() && pair.standing.modelled_at.is_none() {
            let travel = narrow::relative_travel(two, dt);
            let margin = |ahead: f64| pair.settings.speculative + ahead * travel;
            while pair.standing.patience >= 1.0 {
                let margin = margin(pair.standing.patience);
                if tree::are_apart(units, surfaces, &at, margin, &mut scratch.descent, &mut counts) {
                    let spent = cost::SEARCH + counts.node_test_count;
                    let standing = &mut pair.standing;
                    standing.prove();
                    standing.clearance = margin;
                    standing.patience = (4.0 * standing.patience).min(MOST_PATIENCE);
                    (standing.cost, standing.spent) = (spent, spent);
                    standing.is_partial = false;
                    standing.tries = 0;
                    pair.margin = margin;
                    pair.is_searched = true;
                    return StepCounts {
                        node_tests: counts.node_test_count,
                        searched: 1,
                        ..StepCounts::default()
                    };
                }
                pair.standing.patience *= 0.25;
            }
            pair.standing.patience = 1.0;
        }
        pair.margin = if is_short { pair.bounded_margin(two, dt) } else { pair.search_margin(two, dt) };
        let is_whole = tree::find_candidates_within(
            Allowance { node_tests: units, per_candidate: cost::CANDIDATE },
            surfaces,
            &at,
            pair.margin,
            &mut scratch.descent,
            &mut pair.candidates,
            &mut counts,
        );
        pair.is_searched = true;
        let spent = cost::SEARCH + counts.node_test_count + cost::CANDIDATE * pair.candidates.len() as u64;
        let drift = pair.drift(two);
        let standing = &mut pair.standing;
        standing.spent = spent;
        standing.is_partial = !is_whole;
        standing.waited = 0;
        if is_whole {
            standing.prove();
            standing.cost = spent;
            standing.tries = 0;
            let is_clear = pair.candidates.is_empty();
            standing.clearance = if is_clear { pair.margin } else { 0.0 };
            standing.patience =
                if is_clear { (2.0 * standing.patience).clamp(1.0, MOST_PATIENCE) } else { 0.0 };
        } else {
            standing.tries += 1;
            standing.cost = standing.cost.max(2 * spent).min(self.dearest());
            standing.patience = 1.0;
            let guess = pair.guess(drift);
            pair.standing.starve(guess, at);
        }
        StepCounts {
            node_tests: counts.node_test_count,
            searched: 1,
            interrupted: u64::from(!is_whole),
            ..StepCounts::default()
        }
    }

    /// What a search can cost at most: a whole step.
    fn dearest(&self) -> u64 {
        self.config.budget.and_then(|b| b.tests).unwrap_or(u64::MAX)
    }

    /// Carries along what is known of a pair that is not searched.
    fn hold(&self, pair: &mut PairContacts, dt: f64) -> StepCounts {
        let two = self.two(pair);
        let at = self.b_to_a(pair);
        if self.pairs.is_watched(pair) {
            pair.standing.starve(if pair.is_intersecting { 1.0 } else { 0.0 }, at);
            return StepCounts { held: 1, ..StepCounts::default() };
        }
        if self.is_clear(pair, dt) {
            pair.standing.prove();
            return StepCounts::default();
        }
        let estimated = pair.standing.estimated.filter(|(_, then)| self.is_fresh(pair, then));
        let has_features = pair.holds_features();
        let probability = if self.knows_features(pair) {
            pair.hold(two);
            pair.guess(pair.drift(two))
        } else if let Some((probability, _)) = estimated {
            pair.hold(two);
            // What falls through is worse than what stops too soon.
            if probability > 0.0 {
                pair.hold_regions(two);
            }
            probability
        } else if has_features || pair.region_count() > 0 {
            pair.hold(two);
            pair.standing.estimated.map_or(UNKNOWN, |(p, _)| p)
        } else {
            self.find_box_regions(pair, dt);
            if pair.regions.is_empty() {
                return StepCounts::default();
            }
            pair.hold_regions(two);
            UNKNOWN
        };
        pair.standing.starve(probability, at);
        StepCounts { held: 1, cell_contacts: pair.region_count() as u64, ..StepCounts::default() }
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
                let cost = if standing.cost == 0 { expected } else { standing.cost };
                let tries = u64::from(standing.tries);
                standing.plan = Plan::Hold;
                requests.push(Request { pair: index, urgency, tries, cost, allowance: 0 });
            } else {
                pair.standing.plan = Plan::Keep;
            }
        }
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
            p.standing.plan == Plan::Searched && p.standing.certainty == Certainty::Proven
        };
        let (total, count) =
            pairs.iter().filter(whole).fold((0, 0), |(sum, n), p| (sum + p.standing.cost, n + 1));
        self.schedule.learn(total, count);
    }
}
