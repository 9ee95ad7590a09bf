//! Costs of the steps of a run. They are accumulated step by step, so that memory does not grow with a
//! run that may last for days.

use std::time::Duration;

use serde::Serialize;

use super::statistics::{Distribution, Extent, Spread};
use crate::config::Budget;
use crate::timing::Timings;
use crate::world::StepCounts;

/// Duration of a step above which it counts as slow.
pub const SLOW_STEP: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageTimings {
    pub update: Distribution,
    pub test: Distribution,
    pub query: Distribution,
    pub solve: Distribution,
    /// Distribution of the total per step. Its percentiles are not the sums of those of the stages.
    pub total: Distribution,
}

/// Costs of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCost {
    pub timings: Timings,
    pub counts: StepCounts,
}

/// Costs of all steps so far.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    step_count: usize,
    wall_time: Duration,
    update: Spread,
    test: Spread,
    query: Spread,
    solve: Spread,
    total: Spread,
    /// Time per step of *test* and *query* together.
    detection: Spread,
    sum: StepCounts,
    most: StepCounts,
    budget: Option<Budget>,
    missed_deadlines: usize,
    overrun: usize,
    slow_count: usize,
    /// Slowest step and its duration, if any step was slow.
    slowest: Option<(usize, Duration)>,
}

impl Costs {
    /// Creates the costs of a run. `budget` is that of the run, if there is one.
    pub fn new(budget: Option<Budget>) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Adds the next step.
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

    /// Returns the number of steps per second of time in the four stages; 0 without steps.
    pub fn steps_per_second(&self) -> f64 {
        let seconds = self.wall_time.as_secs_f64();
        if seconds > 0.0 { self.step_count as f64 / seconds } else { 0.0 }
    }

    /// Returns the distribution of the wall time per step, by stage and in total, ms.
    pub fn timings(&self) -> StageTimings {
        StageTimings {
            update: self.update.distribution(),
            test: self.test.distribution(),
            query: self.query.distribution(),
            solve: self.solve.distribution(),
            total: self.total.distribution(),
        }
    }

    /// Returns the distribution of the wall time per step of *test* and *query* together, ms.
    pub fn detection(&self) -> Distribution {
        self.detection.distribution()
    }

    /// Returns the mean and the maximum of one count per step.
    pub fn extent(&self, value: fn(&StepCounts) -> u64) -> Extent {
        let mean = if self.step_count == 0 { 0.0 } else { value(&self.sum) as f64 / self.step_count as f64 };
        Extent { mean, max: value(&self.most) }
    }

    /// Returns the number of steps that took longer than [`SLOW_STEP`].
    pub fn slow_count(&self) -> usize {
        self.slow_count
    }

    /// Returns the slowest of the steps longer than [`SLOW_STEP`], counted from 1, and its duration.
    pub fn slowest(&self) -> Option<(usize, Duration)> {
        self.slowest
    }

    /// Returns the sums of the counts over all steps.
    pub fn sum(&self) -> &StepCounts {
        &self.sum
    }

    /// Returns the number of steps in which *test* and *query* together took longer than the budget;
    /// `None` unless the budget is in time.
    pub fn missed_deadlines(&self) -> Option<usize> {
        self.budget?.us.map(|_| self.missed_deadlines)
    }

    /// Returns the number of steps that used more node tests than the budget allows.
    pub fn overrun(&self) -> usize {
        self.overrun
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
