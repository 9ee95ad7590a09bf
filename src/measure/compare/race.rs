//! The timed runs. All contenders run from the start, once per repeat. They take turns of a few steps
//! each, in a random order that is drawn anew for every round.

use std::time::{Duration, Instant};

use super::engine::Engine;
use super::error::CompareError;
use super::result::{Estimate, Spread, StageSeries};
use crate::arrays::MapEach;
use crate::report::Distribution;
use crate::timing::Timings;
use crate::turns::{Times, drawn_turns, median};

/// Number of steps that a contender takes per turn.
pub const BLOCK: u32 = 5;
/// Ratio to the median contender's time above which a contender has no timed runs, only the observed
/// run.
pub const TOO_SLOW: f64 = 10.0;
/// Smallest total time of a contender without timed runs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Function that creates an engine.
pub type Start<'a> = Box<dyn FnMut() -> Result<Box<dyn Engine>, CompareError> + 'a>;

/// Contender of the timed runs.
pub struct Racer<'a> {
    pub start: Start<'a>,
    /// Number of steps per run.
    pub steps: u32,
    pub laps: Laps,
}

/// Times of a contender, step by step and run by run.
#[derive(Clone, Debug, Default)]
pub struct Laps {
    /// Times per step of each run.
    steps: Vec<Vec<Timings>>,
    /// Times per block of all complete runs.
    times: Times,
    set_up: Vec<f64>,
    /// Reason why the observed run gives the times, if it does.
    pub once: Option<String>,
    /// Hash of the state at the end of each run.
    pub hashes: Vec<u64>,
}

/// Run that is not complete yet.
struct TimedRun {
    engine: Box<dyn Engine>,
    /// Times of its steps.
    taken: Vec<Timings>,
}

/// Times all racers. Before every turn `go_on` is called with the share that is done. If it returns
/// `false`, the race ends, and incomplete runs do not count.
///
/// # Errors
/// Fails if an engine cannot be created again.
pub fn race(
    racers: &mut [Racer],
    steps: u32,
    repeats: u32,
    seed: u64,
    go_on: &mut dyn FnMut(f64) -> bool,
) -> Result<(), CompareError> {
    let blocks = steps.div_ceil(BLOCK) as usize;
    let all = (repeats as usize * blocks * racers.len()).max(1) as f64;
    let mut runs: Vec<Option<TimedRun>> = racers.iter().map(|_| None).collect();
    for (done, turn) in drawn_turns(repeats as usize, blocks, racers.len(), seed).enumerate() {
        if !go_on(done as f64 / all) {
            return Ok(());
        }
        let racer = &mut racers[turn.contender];
        let run = &mut runs[turn.contender];
        if turn.block == 0 {
            *run = None;
            let start = Instant::now();
            *run = Some(TimedRun { engine: (racer.start)()?, taken: Vec::new() });
            racer.laps.set_up.push(start.elapsed().as_secs_f64());
        }
        let Some(TimedRun { engine, taken }) = run else { continue };
        let first = turn.block as u32 * BLOCK;
        for _ in first..(first + BLOCK).min(steps).min(racer.steps) {
            // A run that ends earlier than the observed run was stopped, so the race ends.
            let Some(timings) = engine.step() else { return Ok(()) };
            taken.push(timings);
        }
        if turn.block + 1 == blocks {
            engine.observe()?;
            racer.laps.hashes.push(engine.state_hash());
            racer.laps.add(taken);
            *run = None;
        }
    }
    Ok(())
}

/// Returns whether a total time `took`, s, is too long compared with the median contender's time
/// `middle`.
pub fn is_too_slow(took: f64, middle: f64) -> bool {
    took > TOO_SLOW * middle && took > PATIENCE.as_secs_f64()
}

impl Laps {
    /// Creates the times of a single run.
    pub fn of(run: &[Timings]) -> Self {
        let mut laps = Self::default();
        laps.add(run);
        laps
    }

    /// Adds the times of a complete run.
    fn add(&mut self, run: &[Timings]) {
        for (step, timings) in run.iter().enumerate() {
            self.note(step, *timings);
        }
        for (block, steps) in run.chunks(BLOCK as usize).enumerate() {
            self.times.add(block, steps.iter().map(Timings::total).sum());
        }
    }

    fn note(&mut self, step: usize, timings: Timings) {
        if self.steps.len() <= step {
            self.steps.resize(step + 1, Vec::new());
        }
        self.steps[step].push(timings);
    }

    /// Returns the time of each stage in each step, ms: the median over the runs, scaled so that the
    /// steps of a block add up to the block's median time. So their mean is that of [`Laps::mean`].
    pub fn series(&self) -> StageSeries {
        let scales = self.scales();
        let stage = |of: fn(&Timings) -> Duration| {
            let scaled = |(runs, scale): (&Vec<Timings>, &f64)| scale * middle(runs, of);
            self.steps.iter().zip(&scales).map(scaled).collect()
        };
        StageSeries {
            update: stage(|t| t.update),
            test: stage(|t| t.test),
            query: stage(|t| t.query),
            solve: stage(|t| t.solve),
        }
    }

    /// Returns the factor of each step's median stage times that makes the steps of a block add up to
    /// the block's median time.
    fn scales(&self) -> Vec<f64> {
        let stages: [fn(&Timings) -> Duration; 4] = [|t| t.update, |t| t.test, |t| t.query, |t| t.solve];
        let total = |runs: &Vec<Timings>| -> f64 { stages.iter().map(|of| middle(runs, *of)).sum() };
        let blocks = self.steps.chunks(BLOCK as usize).zip(self.times.medians());
        let scales = blocks.flat_map(|(steps, median)| {
            let sum: f64 = steps.iter().map(total).sum();
            // The times of a single run add up as they are, up to rounding.
            let is_once = steps.iter().all(|runs| runs.len() == 1);
            let scale = if is_once || sum == 0.0 { 1.0 } else { 1e3 * median / sum };
            std::iter::repeat_n(scale, steps.len())
        });
        scales.collect()
    }

    /// Returns the mean time of a step, ms, with its interval.
    pub fn mean(&self) -> Estimate {
        let scale = 1e3 / self.steps.len().max(1) as f64;
        let interval = self.times.interval().map(|ends| ends.map_each(|s| s * scale));
        Estimate { value: self.times.median() * scale, interval }
    }

    /// Returns the mean time of a step in each complete run, ms.
    pub fn runs(&self) -> Vec<f64> {
        let scale = 1e3 / self.steps.len().max(1) as f64;
        self.times.repeats().into_iter().map(|s| s * scale).collect()
    }

    /// Returns the ratio of this contender's time to that of `other`, over the whole blocks that both
    /// have. Returns `None` if there is none, or if a time is 0.
    pub fn ratio(&self, other: &Self) -> Option<Estimate> {
        let (own, its) = (self.steps.len(), other.steps.len());
        let block = BLOCK as usize;
        let common = if own == its { own.div_ceil(block) } else { own.min(its) / block };
        let (value, interval) = self.times.ratio(&other.times, common);
        (value.is_finite() && value > 0.0).then_some(Estimate { value, interval })
    }

    /// Returns the median set-up time, ms; `None` if none was measured.
    pub fn set_up_ms(&self) -> Option<f64> {
        (!self.set_up.is_empty()).then(|| 1e3 * median(&mut self.set_up.clone()))
    }

    /// Returns the median total time of a run, s.
    pub fn took(&self) -> f64 {
        self.times.median()
    }
}

/// Returns percentiles of the total times of steps, ms, as reports define them, and the worst step.
pub fn spread(totals: &[f64]) -> Spread {
    let Distribution { p50, p95, p99, max, .. } = Distribution::of(totals);
    let worst_step = totals.iter().zip(1..).max_by(|a, b| a.0.total_cmp(b.0)).map_or(0, |worst| worst.1);
    Spread { p50, p95, p99, worst: max, worst_step }
}

/// Returns the median time of a stage over the runs, ms.
fn middle(runs: &[Timings], stage: fn(&Timings) -> Duration) -> f64 {
    median(&mut runs.iter().map(|t| milliseconds(stage(t))).collect::<Vec<_>>())
}

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_up_takes_the_middle_of_all_runs_in_ms() {
        let of = |set_up: &[f64]| Laps { set_up: set_up.to_vec(), ..Laps::default() }.set_up_ms();
        assert_eq!([of(&[]), of(&[0.5]), of(&[2.0, 0.25, 8.0])], [None, Some(500.0), Some(2000.0)]);
    }
}
