//! Result of a comparison: plain data, written as JSON, from which tables and the page are made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;

/// Result of moving one scene with several contenders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub tumble_version: String,
    pub scene: String,
    pub description: String,
    /// Number of planned steps, and the length of a step, s.
    pub steps: u32,
    pub dt: f64,
    pub bodies: u32,
    pub triangles: u64,
    /// Number of times that each contender was timed over all steps, and the seed of the order of
    /// turns.
    pub repeats: u32,
    pub seed: u64,
    pub machine: Machine,
    /// Steps after which overlap was measured.
    pub sampled: Vec<u32>,
    /// Steps after which the deviation of every body was kept.
    pub tracked: Vec<u32>,
    /// Contenders in the order of the list; the first is the reference of the others.
    pub contenders: Vec<ContenderResult>,
    /// Pictures that accompany the comparison, all by the same camera.
    pub pictures: Vec<Picture>,
    /// Notes that the reader needs.
    pub notes: Vec<String>,
}

/// A picture of a contender's bodies after a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    pub contender: String,
    pub moment: Moment,
    pub step: u32,
    /// File name in the folder of the comparison.
    pub file: String,
}

/// Moment that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// After the step that took longest.
    Worst,
    Last,
}

/// Machine of the times: only times of one machine can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub system: String,
    pub cores: u32,
    pub processor: String,
}

/// Result of one contender. Lists have one entry per step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContenderResult {
    pub name: String,
    /// Description of its settings.
    pub about: String,
    /// Whether a time budget determines how much it searches, so that its counts differ from run to
    /// run.
    #[serde(default)]
    pub is_by_clock: bool,
    /// Features of the scene that it lacks or handles differently.
    pub unmapped: Vec<String>,
    /// Last step it took, if it ended before the last of all, and the reason.
    pub ended: Option<Ended>,
    /// File name of its recording in the folder of the comparison, for `tumble view`.
    pub recording: Option<String>,
    /// Reason why its recording does not hold the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording_fault: Option<String>,
    /// Time from the scene to before the first step, ms: the median of all runs.
    pub set_up_ms: f64,
    /// Growth of the process's memory during its set-up, beside the other contenders, bytes, if the
    /// system reports it.
    pub grown_bytes: Option<u64>,
    /// Times of every step, ms: the median of all runs.
    pub times: StageSeries,
    /// Mean time of a step, ms.
    pub mean: Estimate,
    /// Mean time of a step in each run, ms.
    pub runs: Vec<f64>,
    /// Percentiles of the time of a step, ms.
    pub spread: Spread,
    /// Ratio of its time to that of the first contender; `None` for the first.
    pub ratio: Option<Estimate>,
    /// Counts per step, by name.
    pub counts: BTreeMap<String, Vec<u64>>,
    /// Energy after each step, J.
    pub energy: Vec<f64>,
    /// Deviation from the first contender; empty for the first.
    pub deviation: DeviationSeries,
    /// First step at which its bodies differ from those of the first by any bit.
    pub first_difference: Option<Parting>,
    /// First step at which a body is away from that of the first by more than a hundredth of its own
    /// size.
    pub parting: Option<Parting>,
    /// Deepest overlap of any pair after the sampled steps, m.
    pub overlap: Vec<f64>,
    pub deepest: Option<Deepest>,
    pub lost: Vec<Lost>,
    /// Bodies that passed through a surface, each pair at its first step; `None` if passages were not
    /// tested.
    #[serde(default)]
    pub passages: Option<Vec<Passed>>,
    pub rest: Rest,
    /// Hash of all bodies after the last step: equal hashes mean equal states.
    pub state_hash: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub step: u32,
    pub reason: String,
}

/// Times of the stages per step, ms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageSeries {
    pub update: Vec<f64>,
    pub test: Vec<f64>,
    pub query: Vec<f64>,
    pub solve: Vec<f64>,
}

impl StageSeries {
    pub fn stages(&self) -> [(&'static str, &[f64]); 4] {
        [("update", &self.update), ("test", &self.test), ("query", &self.query), ("solve", &self.solve)]
    }

    /// Returns the mean time of each stage.
    pub fn means(&self) -> [f64; 4] {
        self.stages().map_each(|(_, times)| times.iter().sum::<f64>() / times.len().max(1) as f64)
    }

    /// Returns the total time of each step.
    pub fn totals(&self) -> Vec<f64> {
        let [first, second] = [(&self.update, &self.test), (&self.query, &self.solve)];
        let both = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(x, y)| x + y).collect::<Vec<_>>();
        both(first).iter().zip(both(second)).map(|(x, y)| x + y).collect()
    }
}

/// A number with its 95 % interval, if it was measured often enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    pub interval: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub worst: f64,
    /// Number of the worst step, from 1.
    pub worst_step: u32,
}

/// Distances of bodies from those of the first contender, m: of the farthest point of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviationSeries {
    /// Largest distance of any body after every step, and the median one in `middle`.
    pub farthest: Vec<f64>,
    pub middle: Vec<f64>,
    /// Distances of every movable body, by name, after the steps in [`Comparison::tracked`].
    pub bodies: BTreeMap<String, Vec<f32>>,
}

/// A body that is elsewhere than that of the first contender.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parting {
    pub step: u32,
    pub body: String,
    /// Body that it touched at that step, if the engine reports it.
    pub touching: Option<String>,
    /// Distance of the two, m.
    pub distance: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deepest {
    pub step: u32,
    pub bodies: [String; 2],
    /// Depth of the overlap, m.
    pub depth: f64,
}

/// A body that no contact could have left at its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    pub body: String,
    pub step: u32,
    pub how: Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Fallen below everything that could hold it.
    Fell,
    /// Set aside by its engine, as its state was not finite.
    NotFinite,
}

/// A body that passed through a surface of another: a point in its material, its core, crossed that
/// surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    pub body: String,
    pub through: String,
    pub step: u32,
}

/// Rest of the bodies, by their poses after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// Step after which no body moved faster than 20 mm/s.
    pub since: Option<u32>,
    /// Mean speed of the movable bodies over the last tenth of the steps, m/s, if the contender took
    /// them.
    pub shiver: Option<f64>,
}

impl ContenderResult {
    /// Returns the deepest overlap of any two surfaces, m; 0 if none overlapped.
    pub fn deepest_overlap(&self) -> f64 {
        self.deepest.as_ref().map_or(0.0, |deepest| deepest.depth)
    }
}

impl Comparison {
    /// Returns the number of steps that contender `k` took.
    pub fn steps_of(&self, k: usize) -> u32 {
        self.contenders[k].times.update.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contender_of_an_older_comparison_has_no_passages_that_were_judged() {
        let whole = ContenderResult { passages: Some(Vec::new()), ..ContenderResult::default() };
        let mut json = serde_json::to_value(&whole).unwrap();
        assert_eq!(serde_json::from_value::<ContenderResult>(json.clone()).unwrap(), whole);
        json.as_object_mut().unwrap().remove("passages").unwrap();
        assert_eq!(serde_json::from_value::<ContenderResult>(json).unwrap().passages, None);
    }
}
