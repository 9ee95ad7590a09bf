//! Result of a comparison as plain data. It is written as JSON, and tables and the page are made from
//! it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::digits::grouped;
use crate::import::Note;

/// Result of simulating one scene with several contenders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub tumble_version: String,
    pub scene: String,
    pub description: String,
    /// Number of steps, and length of a step, s.
    pub steps: u32,
    pub dt: f64,
    pub bodies: u32,
    pub triangles: u64,
    /// Number of timed runs of each contender over all steps, and seed for the order of turns.
    pub repeats: u32,
    pub seed: u64,
    pub machine: Machine,
    /// Steps after which overlap was measured.
    pub sampled: Vec<u32>,
    /// Steps after which the deviations of all bodies were kept.
    pub tracked: Vec<u32>,
    /// Contenders in the order of the list. The others are compared with the first.
    pub contenders: Vec<ContenderResult>,
    /// Pictures that accompany the comparison, all with the same camera.
    pub pictures: Vec<Picture>,
    /// Notes that a reader needs to interpret the result.
    pub notes: Vec<String>,
    /// Notes of the import: content of the files that was left out, repaired or assumed.
    #[serde(default)]
    pub import_notes: Vec<Note>,
}

/// Picture of a contender's bodies after a step.
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

/// Machine on which times were measured. Only times of one machine can be compared.
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
    /// Description of the contender's settings.
    pub about: String,
    /// Whether a time budget limits its search, so that its counts differ from run to run.
    #[serde(default)]
    pub is_by_clock: bool,
    /// Features of the scene that it lacks or treats differently.
    pub unmapped: Vec<String>,
    /// Last step and reason for its end, if the contender took fewer steps than the comparison.
    pub ended: Option<Ended>,
    /// File name of its recording in the folder of the comparison, for `tumble view`.
    pub recording: Option<String>,
    /// Reason why its recording does not contain the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording_fault: Option<String>,
    /// Time to set up the scene before the first step, ms: the median of all runs.
    pub set_up_ms: f64,
    /// Growth of the process's memory when the contender was set up for the observed run, bytes; `None`
    /// if the system does not report it.
    pub grown_bytes: Option<u64>,
    /// Times of each step, ms: the medians of all runs, scaled to add up to `mean`.
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
    /// Deviation from the first contender's bodies; empty for the first contender.
    pub deviation: DeviationSeries,
    /// First step after which the pose of any body differs from the first contender's in any bit.
    pub first_difference: Option<Parting>,
    /// First step after which a body is farther from the first contender's body than a hundredth of its
    /// size.
    pub parting: Option<Parting>,
    /// Deepest overlap of any pair after each step in [`Comparison::sampled`], m.
    pub overlap: Vec<f64>,
    pub deepest: Option<Deepest>,
    pub lost: Vec<Lost>,
    /// Passages of bodies through surfaces, each pair at its first passage; `None` if passages were not
    /// tested.
    #[serde(default)]
    pub passages: Option<Vec<Passed>>,
    /// Largest gap of any joint, m; `None` if no joint bounds a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint_gap: Option<JointPeak>,
    /// Largest twist of any joint, rad; `None` if no joint bounds a rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint_twist: Option<JointPeak>,
    pub rest: Rest,
    /// Hash of the state of all bodies after the last step.
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

/// Value with its 95 % interval, if it was measured often enough for one.
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

/// Distances of bodies from those of the first contender, m. A distance is that of the body's farthest
/// point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviationSeries {
    /// Largest distance of any body after each step; `middle` has the median distances.
    pub farthest: Vec<f64>,
    pub middle: Vec<f64>,
    /// Distances of every movable body, by name, after the steps in [`Comparison::tracked`].
    pub bodies: BTreeMap<String, Vec<f32>>,
}

/// Body whose pose differs from that of the first contender's body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parting {
    pub step: u32,
    pub body: String,
    /// Body that it touched after that step, if the engine reports contacts.
    pub touching: Option<String>,
    /// Distance between the two positions of its farthest point, m.
    pub distance: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deepest {
    pub step: u32,
    pub bodies: [String; 2],
    /// Depth of the overlap, m.
    pub depth: f64,
}

/// Body that is lost: no contact can explain its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    pub body: String,
    pub step: u32,
    pub how: Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Fallen below every body that could hold it.
    Fell,
    /// Disabled by its engine, because its state was not finite.
    NotFinite,
}

/// Body that passed through the surface of another: one of its interior sample points (cores) crossed
/// that surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    pub body: String,
    pub through: String,
    pub step: u32,
}

/// Largest gap or twist of any joint after a step, and the first step with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointPeak {
    pub joint: String,
    pub step: u32,
    pub value: f64,
}

/// Rest of the bodies, by their poses after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// Step after which no body moved faster than 20 mm/s; `None` if bodies moved in the last step.
    pub since: Option<u32>,
    /// Mean speed of the movable bodies over the last tenth of the steps, m/s; `None` if the contender
    /// did not take them.
    pub shiver: Option<f64>,
}

impl ContenderResult {
    /// Returns the depth of the deepest overlap of any two surfaces, m; 0 if no two overlapped.
    pub fn deepest_overlap(&self) -> f64 {
        self.deepest.as_ref().map_or(0.0, |deepest| deepest.depth)
    }
}

impl Comparison {
    /// Describes the steps after which overlap was measured.
    pub fn sampling(&self) -> String {
        // The state before the first step is not the result of a step.
        let count = self.sampled.iter().filter(|step| **step > 0).count() as u64;
        format!(
            "sampled at {} of {} steps, and before and after the step that the engine itself calls deepest, if it reports contacts",
            grouped(count),
            grouped(self.steps.into())
        )
    }

    /// Returns whether gaps or twists of joints were measured.
    pub fn has_joint_peaks(&self) -> bool {
        self.contenders.iter().any(|one| one.joint_gap.is_some() || one.joint_twist.is_some())
    }

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
