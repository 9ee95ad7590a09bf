//! What a budget did to a run: whether it was kept, what it left unsearched, what guesses were worth.

use serde::Serialize;

use super::costs::Costs;
use super::outcome::Outcome;
use super::statistics::{Distribution, Extent};
use crate::config::Budget;
use crate::scene::Scene;
use crate::world::{Check, ReliabilityBin, StarvedPair};

/// The block `budget` of a [`super::Summary`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BudgetFigures {
    /// Microseconds a step, if it was given in time.
    pub us: Option<u64>,
    /// Node tests a step.
    pub tests: u64,
    /// *Test* and *query* of a step together, ms; what the budget limits.
    pub detection_ms: Distribution,
    /// Steps in which they took longer than `us`.
    pub missed_deadlines: Option<usize>,
    /// Steps that used more node tests than `tests`: looking at the pairs alone may take more.
    pub overrun: usize,
    /// Node tests of a step, candidates counted as some.
    pub used: Extent,
    /// Pairs a step.
    pub searched: Extent,
    pub held: Extent,
    pub interrupted: Extent,
    /// Contacts that stand for a region of two surfaces, a step.
    pub cell_contacts: Extent,
    pub guesses: GuessFigures,
    /// All pairs that were left unsearched, the most starved first; of a run that is played back, none.
    pub starved: Vec<StarvedFigures>,
}

/// What was said of pairs without searching them, against an exact test of a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuessFigures {
    /// One in so many was asked.
    pub sample: u32,
    pub sampled: u64,
    /// Said to collide (probability 0.5 and more), and apart; and the reverse.
    pub false_collisions: u64,
    pub missed_collisions: u64,
    pub expected_calibration_error: f64,
    /// By the probability that was said, ten equal ranges.
    pub reliability: Vec<ReliabilityBin>,
}

/// A pair that was left unsearched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StarvedFigures {
    pub a: String,
    pub b: String,
    /// Steps it ended unsearched, and as a share of those in which the two were near each other.
    pub steps: u32,
    pub share: f64,
    /// Steps in a row.
    pub longest_wait: u32,
}

impl BudgetFigures {
    pub(super) fn of(budget: Budget, scene: &Scene, costs: &Costs, outcome: &Outcome) -> Self {
        let sum = costs.sum();
        let check = outcome.check.clone().unwrap_or_default();
        Self {
            us: budget.us,
            tests: budget.tests.unwrap_or(u64::MAX),
            detection_ms: costs.detection(),
            missed_deadlines: costs.missed_deadlines(),
            overrun: costs.overrun(),
            used: costs.extent(|c| c.units_used),
            searched: costs.extent(|c| c.searched),
            held: costs.extent(|c| c.held),
            interrupted: costs.extent(|c| c.interrupted),
            cell_contacts: costs.extent(|c| c.cell_contacts),
            guesses: GuessFigures {
                sample: budget.sample,
                sampled: sum.sampled,
                false_collisions: sum.false_collisions,
                missed_collisions: sum.missed_collisions,
                expected_calibration_error: Check::expected_calibration_error(&check),
                reliability: check.bins.to_vec(),
            },
            starved: outcome.starved.iter().map(|pair| StarvedFigures::of(pair, scene)).collect(),
        }
    }
}

impl StarvedFigures {
    fn of(pair: &StarvedPair, scene: &Scene) -> Self {
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        Self {
            a: name(pair.a),
            b: name(pair.b),
            steps: pair.starved_steps,
            share: f64::from(pair.starved_steps) / f64::from(pair.steps.max(1)),
            longest_wait: pair.longest_wait,
        }
    }
}
