//! Effect of a budget for collision detection on a run: whether it was met, unsearched pairs, and the
//! quality of the guesses about them.

use serde::Serialize;

use super::costs::Costs;
use super::outcome::Outcome;
use super::statistics::{Distribution, Extent};
use crate::config::Budget;
use crate::scene::Scene;
use crate::world::{Check, ReliabilityBin, StarvedPair};

/// Block `budget` of a [`super::Summary`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BudgetFigures {
    /// Time limit per step, µs, if the budget is in time.
    pub us: Option<u64>,
    /// Limit of node tests per step.
    pub tests: u64,
    /// Time per step that the budget limits: that of the stages *test* and *query* together, ms.
    pub detection_ms: Distribution,
    /// Number of steps in which *test* and *query* together took longer than `us`.
    pub missed_deadlines: Option<usize>,
    /// Number of steps that used more node tests than `tests`. Choosing the pairs to search alone may
    /// take more.
    pub overrun: usize,
    /// Node tests per step. Triangle pairs that hierarchies report (candidates) count as equivalent
    /// Pairs per step: searched, left unsearched with their old contacts, and interrupted during the
    /// search.
    pub used: Extent,
    /// Pairs per step: searched to the end, left unsearched with recycled contacts, and interrupted
    /// during the search.
    pub searched: Extent,
    pub held: Extent,
    pub interrupted: Extent,
    /// Contacts per step that stand for a whole region of two surfaces.
    pub cell_contacts: Extent,
    pub guesses: GuessFigures,
    /// All pairs that were ever left unsearched, those with the most such steps first; empty for a
    /// recording.
    pub starved: Vec<StarvedFigures>,
}

/// Guesses about unsearched pairs, with the exact results of a tested sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuessFigures {
    /// Sampling interval: every `sample`-th guess was tested.
    pub sample: u32,
    pub sampled: u64,
    /// Wrong guesses of the sample: disjoint pairs with a probability of at least 0.5, and intersecting
    /// pairs with less.
    pub false_collisions: u64,
    pub missed_collisions: u64,
    pub expected_calibration_error: f64,
    /// Observed frequency of intersections in ten equal ranges of the guessed probability.
    pub reliability: Vec<ReliabilityBin>,
}

/// Pair that was left unsearched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StarvedFigures {
    pub a: String,
    pub b: String,
    /// Number of steps that ended without a proven result for the pair, and their share of the steps in
    /// which its bodies were near each other, counted from the first such step.
    pub steps: u32,
    pub share: f64,
    /// Largest number of unproven steps in a row.
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
