//! The source of the steps, which is a simulation that continues or a recording that ends.

use std::ops::RangeInclusive;

use crate::record::{ContactMark, Frame, Guess, Kept, Overlap, RecordError, RunReader};
use crate::report::StepCost;
use crate::scene::Scene;
use crate::timing::Timings;
use crate::viewer::simulation::Simulation;
use crate::world::{CostlyPair, Incidents};

pub enum Source {
    Live(Simulation),
    Run(Box<RecordedRun>),
}

/// A recording, with the costs of all of its steps.
pub struct RecordedRun {
    pub reader: RunReader,
    /// The costs of all steps. The cost of step k is at index k − 1.
    pub costs: Vec<StepCost>,
    pub kept: Kept,
}

impl RecordedRun {
    /// Creates the source of a recording. Reads every step once.
    pub fn new(mut reader: RunReader) -> Result<Self, RecordError> {
        let mut costs = Vec::with_capacity(reader.step_count() as usize);
        let kept = reader.kept()?;
        for step in 1..=reader.step_count() {
            let record = reader.record(step)?;
            costs.push(StepCost { timings: record.timings, counts: record.counts });
        }
        Ok(Self { reader, costs, kept })
    }
}

impl Source {
    /// Returns the first and the last step that are currently available.
    pub fn range(&self) -> (u32, u32) {
        match self {
            Self::Live(simulation) => {
                let history = simulation.history();
                (history.first_step(), history.last_step())
            }
            Self::Run(run) => (0, run.reader.step_count()),
        }
    }

    /// Returns whether there can be more steps after the last step.
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Live(simulation) => simulation.failure().is_none(),
            Self::Run(_) => false,
        }
    }

    /// Requests a step, but does not wait for it.
    pub fn want(&self, step: u32) {
        if let Self::Live(simulation) = self {
            simulation.go_to(step);
        }
    }

    /// Moves a frame of this source to a step, or to the nearest available step.
    pub fn seek(&mut self, scene: &Scene, frame: &mut Frame, step: u32) -> Result<(), RecordError> {
        match self {
            Self::Live(simulation) => simulation.history().seek(scene, frame, step),
            Self::Run(run) => {
                let step = step.min(run.reader.step_count());
                if frame.step != step {
                    frame.clone_from(run.reader.seek(step)?);
                }
            }
        }
        Ok(())
    }

    /// Returns the contacts of a step. For a recording, returns the stored contacts, or `None` if it
    /// stores none.
    ///
    /// # Errors
    /// Fails if the step cannot be read.
    pub fn contacts(&mut self, step: u32) -> Result<Option<Vec<ContactMark>>, RecordError> {
        match self {
            Self::Live(simulation) => Ok(Some(simulation.history().contacts(step).to_vec())),
            Self::Run(run) if run.kept == Kept::None => Ok(None),
            Self::Run(run) => {
                run.reader.seek(step)?;
                Ok(Some(run.reader.contacts()?.unwrap_or_default()))
            }
        }
    }

    /// Returns which contacts are stored: single contacts, one contact per touching pair, or none.
    pub fn kept(&self) -> Kept {
        match self {
            Self::Live(_) => Kept::All,
            Self::Run(run) => run.kept,
        }
    }

    /// Returns the pairs that intersect in a step and are not excluded from collision. For recordings,
    /// returns none.
    pub fn overlaps(&self, step: u32) -> Vec<Overlap> {
        match self {
            Self::Live(simulation) => simulation.history().overlaps(step).to_vec(),
            Self::Run(_) => Vec::new(),
        }
    }

    /// Returns the faults up to the last step. For recordings, returns none.
    pub fn incidents(&self) -> Incidents {
        match self {
            Self::Live(simulation) => simulation.history().incidents().clone(),
            Self::Run(_) => Incidents::default(),
        }
    }

    /// Returns the pairs that a step left unproven, and the calibration error up to this step. Returns
    /// `None` for recordings.
    pub fn guesses(&self, step: u32) -> Option<(Vec<Guess>, f64)> {
        match self {
            Self::Live(simulation) => {
                let history = simulation.history();
                Some((history.guesses(step).to_vec(), history.calibration_error(step)?))
            }
            Self::Run(_) => None,
        }
    }

    /// Returns the pairs of bodies that took the most work in a step. For recordings, returns none.
    pub fn costliest(&self, step: u32) -> Vec<CostlyPair> {
        match self {
            Self::Live(simulation) => simulation.history().costliest(step).to_vec(),
            Self::Run(_) => Vec::new(),
        }
    }

    /// Returns the costs of those steps of a range that are available.
    pub fn costs(&self, steps: RangeInclusive<u32>) -> Vec<(u32, StepCost)> {
        match self {
            Self::Live(simulation) => {
                let history = simulation.history();
                let cost = |step| {
                    let record = history.record(step)?;
                    Some((step, StepCost { timings: record.timings, counts: record.counts }))
                };
                steps.filter_map(cost).collect()
            }
            Self::Run(run) => {
                let cost = |step: u32| Some((step, *run.costs.get(step.checked_sub(1)? as usize)?));
                steps.filter_map(cost).collect()
            }
        }
    }

    /// Divides the available steps of a range into groups of `few`, and returns the slowest step of
    /// each group.
    pub fn peaks(&self, steps: RangeInclusive<u32>, few: u32) -> Vec<(u32, Timings)> {
        match self {
            Self::Live(simulation) => {
                let history = simulation.history();
                peaks(steps.filter_map(|step| Some((step, history.record(step)?.timings))), few)
            }
            Self::Run(run) => {
                let timings = |step: u32| Some((step, run.costs.get(step.checked_sub(1)? as usize)?.timings));
                peaks(steps.filter_map(timings), few)
            }
        }
    }

    /// Returns the fault of the source, if any.
    pub fn problem(&self) -> Option<String> {
        match self {
            Self::Live(simulation) => simulation.failure(),
            Self::Run(run) => run.reader.problem().map(str::to_owned),
        }
    }
}

fn peaks(steps: impl Iterator<Item = (u32, Timings)>, few: u32) -> Vec<(u32, Timings)> {
    let mut peaks: Vec<(u32, Timings)> = Vec::new();
    for (step, timings) in steps {
        match peaks.last_mut().filter(|last| last.0 / few == step / few) {
            Some(last) if last.1.total() >= timings.total() => {}
            Some(last) => *last = (step, timings),
            None => peaks.push((step, timings)),
        }
    }
    peaks
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_costliest_of_a_few_steps_stands_for_them() {
        let costs = [3, 1, 4, 1, 5, 9, 2, 6]
            .map(|ms| Timings { query: Duration::from_millis(ms), ..Timings::default() });
        let steps = |few| peaks((1..).zip(costs), few).iter().map(|p| p.0).collect::<Vec<_>>();
        assert_eq!(steps(1), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(steps(4), [3, 6, 8]);
        assert_eq!(steps(100), [6]);
    }
}
