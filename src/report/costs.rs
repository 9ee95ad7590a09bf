//! What the steps of a run cost, summed up as they are taken: a run may go on for days, so nothing here grows
//! with it.

use std::time::Duration;

use serde::Serialize;

use super::statistics::{Distribution, Extent, Spread};
use crate::config::Budget;
use crate::timing::Timings;
use crate::world::StepCounts;

/// A step that takes longer is said as it happens.
pub const SLOW_STEP: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageTimings {
    pub update: Distribution,
    pub test: Distribution,
    pub query: Distribution,
    pub solve: Distribution,
    /// The distribution of each step's total; percentiles of stages do not add up to it.
    pub total: Distribution,
}

/// What one step cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCost {
    pub timings: Timings,
    pub counts: StepCounts,
}

/// What all steps so far cost.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    step_count: usize,
    wall_time: Duration,
    update: Spread,
    test: Spread,
    query: Spread,
    solve: Spread,
    total: Spread,
    /// *Test* and *query* together.
    detection: Spread,
    sum: StepCounts,
    most: StepCounts,
    budget: Option<Budget>,
    missed_deadlines: usize,
    overrun: usize,
    slow_count: usize,
    /// The step and how long it took, if it was a slow one.
    slowest: Option<(usize, Duration)>,
}

impl Costs {
    /// The costs of a run under this budget, if there is one.
    pub fn new(budget: Option<Budget>) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Takes the next step.
    pub fn add(&mut self, StepCost { timings, counts }: &StepCost) {
        let detection = timings.test + timings.query;
        self.step_count += 1;
        self.wall_time += timings.total();
        self.update.add(milliseconds(timings.update));
        self.test.add(milliseconds(timings.test));
        self.query.add(milliseconds(timings.query));
        self.solve.add(milliseconds(timings.solve));
        self.total.add(milliseconds(timings.total()));
        self.detection.add(milliseconds(detection));
        let total = timings.total();
        if total > SLOW_STEP {
            self.slow_count += 1;
            if self.slowest.is_none_or(|(_, most)| total > most) {
                self.slowest = Some((self.step_count, total));
            }
        }
        self.sum += *counts;
        self.most = self.most.max(*counts);
        if let Some(budget) = self.budget {
            let is_late = budget.us.is_some_and(|us| detection > Duration::from_micros(us));
            self.missed_deadlines += usize::from(is_late);
            self.overrun += usize::from(budget.tests.is_some_and(|tests| counts.units_used > tests));
        }
    }

    pub fn step_count(&self) -> usize {
        self.step_count
    }

    /// Steps a second of the four stages; nothing without steps.
    pub fn steps_per_second(&self) -> f64 {
        let seconds = self.wall_time.as_secs_f64();
        if seconds > 0.0 { self.step_count as f64 / seconds } else { 0.0 }
    }

    /// Wall time a step, ms.
    pub fn timings(&self) -> StageTimings {
        StageTimings {
            update: self.update.distribution(),
            test: self.test.distribution(),
            query: self.query.distribution(),
            solve: self.solve.distribution(),
            total: self.total.distribution(),
        }
    }

    /// Wall time of *test* and *query* together, ms a step.
    pub fn detection(&self) -> Distribution {
        self.detection.distribution()
    }

    /// Mean and greatest of one count, a step.
    pub fn extent(&self, value: fn(&StepCounts) -> u64) -> Extent {
        let mean = if self.step_count == 0 { 0.0 } else { value(&self.sum) as f64 / self.step_count as f64 };
        Extent { mean, max: value(&self.most) }
    }

    /// Steps that took longer than [`SLOW_STEP`].
    pub fn slow_count(&self) -> usize {
        self.slow_count
    }

    /// The slowest of those, counted from 1, and how long it took.
    pub fn slowest(&self) -> Option<(usize, Duration)> {
        self.slowest
    }

    /// The counts of all steps together.
    pub fn sum(&self) -> &StepCounts {
        &self.sum
    }

    /// Steps in which *test* and *query* took longer than the budget, if it is one in time.
    pub fn missed_deadlines(&self) -> Option<usize> {
        self.budget?.us.map(|_| self.missed_deadlines)
    }

    /// Steps that used more node tests than the budget.
    pub fn overrun(&self) -> usize {
        self.overrun
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
