//! What a comparison comes to: plain data, written as JSON, from which tables and the page are made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;

/// One scene, moved in several ways.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub tumble_version: String,
    pub scene: String,
    pub description: String,
    /// Steps that were to be taken, and seconds a step.
    pub steps: u32,
    pub dt: f64,
    pub bodies: u32,
    pub triangles: u64,
    /// How often each contender was timed over all steps, and the seed of the order of turns.
    pub repeats: u32,
    pub seed: u64,
    pub machine: Machine,
    /// After which steps overlap was measured.
    pub sampled: Vec<u32>,
    /// After which steps the deviation of every body was kept.
    pub tracked: Vec<u32>,
    /// In the order of the list; the first is what others are compared with.
    pub contenders: Vec<ContenderResult>,
    /// What was drawn, beside the comparison, by the same camera.
    pub pictures: Vec<Picture>,
    /// What the reader must know.
    pub notes: Vec<String>,
}

/// A picture of a contender's bodies after a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    pub contender: String,
    pub moment: Moment,
    pub step: u32,
    /// In the folder of the comparison.
    pub file: String,
}

/// What a picture is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// The step that took longest.
    Worst,
    Last,
}

/// Where times were taken: only those of one machine can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub system: String,
    pub cores: u32,
    pub processor: String,
}

/// One way to move the scene. Lists have an entry a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContenderResult {
    pub name: String,
    /// What it stands for.
    pub about: String,
    /// Whether the clock decides how much it searches, so that its counts differ from run to run.
    #[serde(default)]
    pub is_by_clock: bool,
    /// What of the scene it does not have, or has otherwise.
    pub unmapped: Vec<String>,
    /// The last step it took, if that is not the last of all, and why.
    pub ended: Option<Ended>,
    /// Its run in the folder of the comparison, as `tumble view` shows it.
    pub recording: Option<String>,
    /// Why its recording does not hold the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording_fault: Option<String>,
    /// From the scene to before the first step, ms: the middle of all runs.
    pub set_up_ms: f64,
    /// How much memory the process grew by while it was set up beside the others, bytes, if the system says.
    pub grown_bytes: Option<u64>,
    /// What every step took, ms: the middle of all runs.
    pub times: StageSeries,
    /// A step in the mean, ms.
    pub mean: Estimate,
    /// A step in each run, in the mean, ms.
    pub runs: Vec<f64>,
    /// A step, ms.
    pub spread: Spread,
    /// How many times as long as the first of the list it took; nothing of the first.
    pub ratio: Option<Estimate>,
    /// What a step met, by name.
    pub counts: BTreeMap<String, Vec<u64>>,
    /// J.
    pub energy: Vec<f64>,
    /// Nothing of the first.
    pub deviation: DeviationSeries,
    /// Where its bodies and those of the first were no longer the same, bit for bit.
    pub first_difference: Option<Parting>,
    /// Where a body was away from that of the first by more than a hundredth of its own size.
    pub parting: Option<Parting>,
    /// Deepest overlap of any pair after the steps that were sampled, m.
    pub overlap: Vec<f64>,
    pub deepest: Option<Deepest>,
    pub lost: Vec<Lost>,
    /// Bodies that got through a surface, each pair at its first step; nothing where that was not judged.
    #[serde(default)]
    pub passages: Option<Vec<Passed>>,
    pub rest: Rest,
    /// All bodies after the last step: equal numbers are equal states.
    pub state_hash: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub step: u32,
    pub reason: String,
}

/// ms a step.
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

    /// What each stage takes in the mean.
    pub fn means(&self) -> [f64; 4] {
        self.stages().map_each(|(_, times)| times.iter().sum::<f64>() / times.len().max(1) as f64)
    }

    /// All stages of every step.
    pub fn totals(&self) -> Vec<f64> {
        let [first, second] = [(&self.update, &self.test), (&self.query, &self.solve)];
        let both = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(x, y)| x + y).collect::<Vec<_>>();
        both(first).iter().zip(both(second)).map(|(x, y)| x + y).collect()
    }
}

/// A number and where it lies in 95 of 100 cases, if it was measured often enough to say.
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
    /// From 1.
    pub worst_step: u32,
}

/// How far bodies are from where the first contender has them, m: the farthest point of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviationSeries {
    /// After every step, the body that is farthest away, and the middle one.
    pub farthest: Vec<f64>,
    pub middle: Vec<f64>,
    /// Every body that can move, by name, after the steps in [`Comparison::tracked`].
    pub bodies: BTreeMap<String, Vec<f32>>,
}

/// A body that is elsewhere than that of the first contender.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parting {
    pub step: u32,
    pub body: String,
    /// What it touched then, if the engine says.
    pub touching: Option<String>,
    /// How far apart the two are, m.
    pub distance: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deepest {
    pub step: u32,
    pub bodies: [String; 2],
    /// m.
    pub depth: f64,
}

/// A body that is not where any contact could have left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    pub body: String,
    pub step: u32,
    pub how: Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Below everything that could hold it.
    Fell,
    /// Set aside by its engine: its state was not finite.
    NotFinite,
}

/// A body that got through a surface of another: a point in its material, its core, crossed that surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    pub body: String,
    pub through: String,
    pub step: u32,
}

/// When bodies stopped moving, by where they are after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// The step after which nothing moved faster than 20 mm/s any more.
    pub since: Option<u32>,
    /// Mean speed of the bodies that can move over the last tenth of the steps, m/s, of who took them.
    pub shiver: Option<f64>,
}

impl ContenderResult {
    /// How deep any two surfaces were in each other at most, m; 0 if none met.
    pub fn deepest_overlap(&self) -> f64 {
        self.deepest.as_ref().map_or(0.0, |deepest| deepest.depth)
    }
}

impl Comparison {
    /// Steps that contender `k` took.
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
