//! Difference of two recordings of one scene: whether they are equal, the first step at which they
//! differ, and their times.

use std::path::Path;

use serde::Serialize;

use super::displacement::{displacement, sizes};
use super::error::CompareError;
use super::race::Laps;
use super::recorded::check_same;
use super::result::{Estimate, Parting, StageSeries};
use crate::body::BodyState;
use crate::order::Order;
use crate::random::Random;
use crate::record::RunReader;
use crate::world::bodies_at_start;

/// Largest number of bodies that are named, the farthest first.
const NAMED: usize = 20;
/// Number of blocks of steps that are resampled for the interval.
const BLOCKS: usize = 40;

/// Result of the comparison of two recordings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub runs: [RunFigures; 2],
    /// Number of steps that both recordings have.
    pub steps: u32,
    /// Whether both have the same number of steps, and all poses and state hashes are equal.
    pub same: bool,
    /// First step with different state hashes. The hash includes velocities.
    pub first_state: Option<u32>,
    /// First step after which a body has different poses, and the body that is then farthest apart.
    pub first: Option<Parting>,
    /// Number of bodies with different poses after that step.
    pub first_count: u32,
    /// Number of bodies with different poses after the last common step; `farthest` lists the farthest
    /// of them.
    pub last_count: u32,
    pub farthest: Vec<Displaced>,
    /// Ratio of the second recording's time to the first's, over the common steps. As each was run only
    /// once, the interval is over blocks of steps.
    pub ratio: Option<Estimate>,
}

/// Figures of one recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunFigures {
    pub path: String,
    pub tumble_version: String,
    pub steps: u32,
    /// Message about missing parts of the recording, with the reason.
    pub problem: Option<String>,
    /// Mean time of the common steps, ms, in total and per stage.
    pub mean_ms: f64,
    pub stages_ms: [f64; 4],
    pub state_hash: String,
}

/// Body whose pose differs between the two recordings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Displaced {
    pub body: String,
    /// Upper bound of the distance between the two positions of any point of the body, m.
    pub distance: f64,
}

/// Compares two recordings step by step.
///
/// # Errors
/// Fails if a recording cannot be read, or the recordings are of different scenes.
pub fn diff(paths: [&Path; 2]) -> Result<Difference, CompareError> {
    let mut readers = [RunReader::open(paths[0])?, RunReader::open(paths[1])?];
    check_same(readers[0].scene(), readers[1].scene())
        .map_err(|reason| CompareError::OtherScene { path: paths[1].to_owned(), reason })?;
    let sizes = sizes(readers[0].scene());
    let start = bodies_at_start(readers[0].scene());
    let steps = readers[0].step_count().min(readers[1].step_count());
    let mut first = None;
    let (mut first_count, mut last) = (0, Vec::new());
    let mut runs = [Vec::new(), Vec::new()];
    let mut hashes = [0; 2];
    let mut first_state = None;
    for step in 1..=steps {
        for ((reader, run), hash) in readers.iter_mut().zip(&mut runs).zip(&mut hashes) {
            let record = reader.record(step)?;
            run.push(record.timings);
            *hash = record.state_hash;
        }
        if hashes[0] != hashes[1] {
            first_state.get_or_insert(step);
        }
        last = displaced(&mut readers, step, &start.states, &sizes)?;
        if first.is_none()
            && let Some(&(body, distance)) = last.first()
        {
            let body = readers[0].scene().bodies[body].name.clone();
            first = Some(Parting { step, body, touching: None, distance });
            first_count = last.len() as u32;
        }
    }
    let laps = runs.map(|run| Laps::of(&run));
    let figures = |k: usize| {
        let reader = &readers[k];
        let series = laps[k].series();
        RunFigures {
            path: paths[k].display().to_string(),
            tumble_version: reader.tumble_version().to_owned(),
            steps: reader.step_count(),
            problem: reader.problem().map(str::to_owned),
            mean_ms: series.means().iter().sum(),
            stages_ms: series.means(),
            state_hash: format!("{:016x}", hashes[k]),
        }
    };
    let runs = [figures(0), figures(1)];
    let named = last
        .iter()
        .take(NAMED)
        .map(|&(body, distance)| Displaced { body: readers[0].scene().bodies[body].name.clone(), distance });
    Ok(Difference {
        steps,
        same: first.is_none() && first_state.is_none() && runs[0].steps == runs[1].steps,
        first_state,
        first,
        first_count,
        last_count: last.len() as u32,
        farthest: named.collect(),
        ratio: ratio(&laps[0].series(), &laps[1].series()),
        runs,
    })
}

/// Returns the bodies whose poses after a step differ, each with its distance, the farthest first.
fn displaced(
    readers: &mut [RunReader; 2],
    step: u32,
    states: &[BodyState],
    sizes: &[f64],
) -> Result<Vec<(usize, f64)>, CompareError> {
    let [a, b] = readers;
    let (own, its) = (&a.seek(step)?.poses, &b.seek(step)?.poses);
    let pairs = own.iter().zip(its).enumerate().filter(|(_, (p, q))| p != q);
    let mut all: Vec<(usize, f64)> =
        pairs.map(|(body, (p, q))| (body, displacement(q, p, states[body].center, sizes[body]))).collect();
    all.order_by(|p, q| q.1.total_cmp(&p.1));
    Ok(all)
}

/// Returns the ratio of the second's total time to the first's, with a 95 % interval by resampling
/// blocks of steps.
fn ratio(first: &StageSeries, second: &StageSeries) -> Option<Estimate> {
    const DRAWS: usize = 1000;
    let sums = |series: &StageSeries| -> Vec<f64> {
        let totals = series.totals();
        totals.chunks(totals.len().div_ceil(BLOCKS).max(1)).map(|block| block.iter().sum()).collect()
    };
    let (own, its) = (sums(first), sums(second));
    let value = its.iter().sum::<f64>() / own.iter().sum::<f64>();
    if !value.is_finite() {
        return None;
    }
    let mut random = Random::new(0, 0);
    let mut draw = || {
        let drawn = (0..own.len()).map(|_| (random.uniform() * own.len() as f64) as usize);
        let (a, b) = drawn.fold((0.0, 0.0), |(a, b), k| (a + own[k], b + its[k]));
        b / a
    };
    let mut ratios: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let interval = [ratios[DRAWS / 40], ratios[DRAWS - 1 - DRAWS / 40]];
    let is_measured = own.len() > 5 && interval.iter().all(|end| end.is_finite());
    Some(Estimate { value, interval: is_measured.then_some(interval) })
}
