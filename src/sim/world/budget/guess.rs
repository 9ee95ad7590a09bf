//! Pairs that a pass leaves unsearched: their contacts are recycled, or guessed with their ADB-trees.

use glam::DVec3;

use super::cost;
use super::estimate::{PairEstimator, Question};
use super::state::{Budgeted, Certainty, PartialSearch, Plan, SearchState};
use crate::arrays::MapEach;
use crate::contact::{BodyPair, PairContacts};
use crate::pose::Pose;
use crate::world::scratch::Scratch;
use crate::world::{StepCounts, World};

/// Largest motion for which an estimate stays valid, as a share of the travel that thickness allows.
const FRESH: f64 = 0.1;
/// Probability of a pair without an estimate.
const UNKNOWN: f64 = 0.5;

impl World {
    /// Returns whether a pair needs an estimate: the pass does not search it, and it has neither usable
    /// contacts nor a valid estimate.
    pub(super) fn wants_estimate(
        &self,
        estimator: &PairEstimator,
        pair: &PairContacts,
        state: &SearchState,
        dt: f64,
    ) -> bool {
        let is_fresh = state.estimated.is_some_and(|(_, at)| self.is_fresh(pair, &at));
        let meshes = [pair.a, pair.b].map_each(|b| self.bodies.infos[b as usize].mesh);
        state.plan == Plan::Recycle
            && meshes.into_iter().flatten().all(|mesh| estimator.knows(mesh))
            && !self.is_at_rest(pair)
            && !self.knows_features(pair)
            && !is_fresh
            && !self.pairs.is_sensor_pair(pair)
            && !self.is_clear(pair, state, dt)
            && !self.is_foreseen(pair, state, dt)
    }

    /// Returns whether the pair has contacts of features, and its bodies have moved little since these
    /// were found.
    fn knows_features(&self, pair: &PairContacts) -> bool {
        pair.has_features() && pair.drift(self.two(pair)) <= FRESH * pair.settings.travel
    }

    /// Returns whether the bodies have hardly moved relative to each other since the pose `at`.
    fn is_fresh(&self, pair: &PairContacts, at: &Pose) -> bool {
        pair.motion_since(at, self.two(pair)) <= FRESH * pair.settings.travel
    }

    /// Returns the input of an estimate for a pair; `None` if a body has no surface. `node_tests`:
    /// largest number of node tests. `dt`: duration of the pass, s.
    fn question(&self, pair: &PairContacts, node_tests: u32, dt: f64) -> Option<Question> {
        let [Some(ma), Some(mb)] = [pair.a, pair.b].map_each(|i| self.bodies.infos[i as usize].mesh) else {
            return None;
        };
        let [(a, info_a), (b, info_b)] = self.two(pair);
        let by_b = info_b.radius > info_a.radius;
        let (large, small) = if by_b { (b, a) } else { (a, b) };
        let origin = large.pose.position;
        let to_large = |v: DVec3| large.pose.inverse_transform_vector(v);
        Some(Question {
            meshes: [ma, mb],
            b_to_a: self.b_to_a(pair),
            margin: pair.settings.speculative + pair.travel(self.two(pair), Self::moving(dt)),
            by_b,
            center: large.pose.inverse_transform_point(small.world_center()),
            velocity: to_large(small.velocity_at(origin) - large.velocity_at(origin)),
            spin: to_large(small.angular_velocity - large.angular_velocity),
            slow: pair.settings.speculative / dt,
            node_tests,
        })
    }

    /// Computes regions from the boxes of two surfaces. Marks the pair as apart if the boxes are apart.
    fn find_box_regions(&self, pair: &mut PairContacts, state: &mut SearchState, dt: f64) {
        state.regions.clear();
        let (Some([(_, a), (_, b)]), Some(question)) = (self.surfaces(pair), self.question(pair, 0, dt))
        else {
            return;
        };
        PairEstimator::box_regions([a.bounds(), b.bounds()], &question, &mut state.regions);
        if state.regions.is_empty() {
            mark_apart(pair, state, question.margin, self.two(pair));
        }
    }

    /// Estimates the probability that a pair intersects, with at most `node_tests` node tests. Marks
    /// the pair as apart if that is proven.
    pub(super) fn estimate(
        &self,
        estimator: &PairEstimator,
        node_tests: u64,
        Budgeted { pair, state }: Budgeted,
        scratch: &mut Scratch,
        dt: f64,
    ) -> StepCounts {
        let Some(question) = self.question(pair, node_tests as u32, dt) else {
            return StepCounts::default();
        };
        let (probability, tests) = estimator.estimate(&question, &mut scratch.adb, &mut state.regions);
        state.estimated = Some((probability, question.b_to_a));
        state.plan = Plan::Recycle;
        if probability == 0.0 {
            state.plan = Plan::Keep;
            mark_apart(pair, state, question.margin, self.two(pair));
        }
        StepCounts { node_tests: tests * cost::ESTIMATE, ..StepCounts::default() }
    }

    /// Recycles or guesses the contacts of a pair that is not searched.
    pub(super) fn recycle_within(
        &self,
        pair: &mut PairContacts,
        state: &mut SearchState,
        dt: f64,
    ) -> StepCounts {
        let two = self.two(pair);
        let at = self.b_to_a(pair);
        if self.pairs.is_sensor_pair(pair) {
            state.mark_guessed(if pair.judged.is_intersecting { 1.0 } else { 0.0 }, at);
            return StepCounts { held: 1, ..StepCounts::default() };
        }
        if let (true, Certainty::Likely(probability)) = (self.is_at_rest(pair), state.certainty) {
            state.mark_guessed(probability, at);
            return StepCounts {
                held: 1,
                cell_contacts: pair.region_count() as u64,
                ..StepCounts::default()
            };
        }
        if self.is_clear(pair, state, dt) {
            pair.contacts.clear();
            state.mark_proven();
            return StepCounts::default();
        }
        if self.is_foreseen(pair, state, dt) {
            pair.recycle(two);
            state.mark_proven();
            return StepCounts { held: 1, ..StepCounts::default() };
        }
        let estimated = state.estimated.filter(|(_, then)| self.is_fresh(pair, then));
        let has_features = pair.has_features();
        let probability = if self.knows_features(pair) {
            pair.recycle(two);
            guess_from(pair, state, pair.drift(two))
        } else if let Some((probability, _)) = estimated {
            pair.recycle(two);
            // A body that falls through another is a worse error than one that stops too soon.
            if probability > 0.0 {
                pair.place_regions(&state.regions, two);
            }
            probability
        } else if has_features || pair.region_count() > 0 {
            pair.recycle(two);
            state.estimated.map_or(UNKNOWN, |(p, _)| p)
        } else {
            self.find_box_regions(pair, state, dt);
            if state.regions.is_empty() {
                return StepCounts::default();
            }
            pair.place_regions(&state.regions, two);
            UNKNOWN
        };
        state.mark_guessed(probability, at);
        StepCounts { held: 1, cell_contacts: pair.region_count() as u64, ..StepCounts::default() }
    }
}

/// Returns the probability that the surfaces of a pair intersect, after its bodies moved by `drift` (m)
/// since their least gap was found. Every change of the gap up to `drift` is assumed to be equally
/// likely.
pub(super) fn guess_from(pair: &PairContacts, state: &SearchState, drift: f64) -> f64 {
    let held = pair.contacts.iter().map(|c| c.separation - pair.excused_overlap());
    let gap = held.fold(f64::INFINITY, f64::min).min(state.clearance.max(pair.search.margin));
    let share = gap / drift.max(pair.settings.slop);
    if share.is_nan() { 0.5 } else { 0.5 - 0.5 * share.clamp(-1.0, 1.0) }
}

/// Marks surfaces as farther apart than `margin` (m), with the same effect as a search without
/// candidates.
fn mark_apart(pair: &mut PairContacts, state: &mut SearchState, margin: f64, two: BodyPair) {
    pair.mark_apart(margin, two);
    state.search = PartialSearch::default();
    state.clearance = margin;
    state.mark_proven();
}
