//! Effect of a budget on a run: whether it was met, the unsearched pairs, the quality of guesses.

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
    /// Limit in microseconds per step, if the budget is one in time.
    pub us: Option<u64>,
    /// Limit in node tests per step.
    pub tests: u64,
    /// Time of *test* and *query* of a step together, ms; the budget limits this time.
    pub detection_ms: Distribution,
    /// Number of steps in which they took longer than `us`.
    pub missed_deadlines: Option<usize>,
    /// Number of steps that used more node tests than `tests`: the examination of the pairs alone may
    /// take more.
    pub overrun: usize,
    /// Node tests per step, including the equivalent of candidates.
    pub used: Extent,
    /// Pairs per step.
    pub searched: Extent,
    pub held: Extent,
    pub interrupted: Extent,
    /// Contacts per step that represent a region of two surfaces.
    pub cell_contacts: Extent,
    pub guesses: GuessFigures,
    /// All pairs that were left unsearched, in descending order; empty for a recording.
    pub starved: Vec<StarvedFigures>,
}

/// Guesses about unsearched pairs, compared with exact tests of a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuessFigures {
    /// Sampling interval: one in every `sample` guesses was tested.
    pub sample: u32,
    pub sampled: u64,
    /// Guesses of a collision (probability 0.5 or more) of disjoint pairs, and the reverse.
    pub false_collisions: u64,
    pub missed_collisions: u64,
    pub expected_calibration_error: f64,
    /// Observed frequencies in ten equal ranges of the predicted probability.
    pub reliability: Vec<ReliabilityBin>,
}

/// A pair that was left unsearched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StarvedFigures {
    pub a: String,
    pub b: String,
    /// Number of steps at whose end it was unsearched, and their share of the steps in which the two
    /// were near each other.
    pub steps: u32,
    pub share: f64,
    /// Largest number of such steps in a row.
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
