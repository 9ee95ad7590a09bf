//! Events of a run that are not faults: stalled drives, and bodies that entered triggers.

use serde::Serialize;

use super::names::joint_labels;
use crate::body::Joint;
use crate::digits::short;
use crate::scene::Scene;
use crate::world::{AxisUse, JointUse, Visit};

/// Drive that pushed with its largest effort while its joint did not move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StallFigures {
    /// Name of the drive's joint; `label` is the name for readers.
    pub drive: String,
    #[serde(skip)]
    pub label: String,
    /// Driven axis of the joint: 0 to 2 translation, 3 to 5 rotation.
    pub axis: u32,
    /// Largest effort of the drive, N along an axis, N·m about an axis.
    pub limit: f64,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps that ended with the drive stalled, and their total time.
    pub steps: u32,
    pub seconds: f64,
}

/// Body that entered a trigger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VisitFigures {
    pub trigger: String,
    pub body: String,
    /// First step that ended with the body inside, and the first later step that ended with it outside
    /// (`null` if it stayed).
    pub entered: u32,
    pub left: Option<u32>,
}

impl StallFigures {
    /// Returns the figures of all stalled drives, in the order of their first stall.
    pub fn of_all(scene: &Scene, joints: &[JointUse]) -> Vec<Self> {
        let labels = joint_labels(scene);
        let stalled = |used: &AxisUse| used.stalled.step_count > 0;
        let of_joint = |used: &JointUse| {
            let joint = &scene.joints[used.joint as usize];
            let label = &labels[used.joint as usize];
            let figures = |axis: &AxisUse| Self::of(joint, label, axis, scene.config.dt);
            used.axes.iter().copied().filter(stalled).map(|axis| figures(&axis)).collect::<Vec<_>>()
        };
        let mut all: Vec<Self> = joints.iter().flat_map(of_joint).collect();
        all.sort_by_key(|stall| stall.first_step);
        all
    }

    fn of(joint: &Joint, label: &str, used: &AxisUse, dt: f64) -> Self {
        Self {
            drive: joint.name.clone(),
            label: label.to_owned(),
            axis: used.axis,
            limit: joint.axis(used.axis).drive.map_or(0.0, |drive| drive.max_force),
            first_step: used.stalled.first_step,
            last_step: used.stalled.last_step,
            steps: used.stalled.step_count,
            seconds: f64::from(used.stalled.step_count) * dt,
        }
    }

    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 5] = ["drive stalled at its limit", "limit", "first step", "last step", "s"];

    /// Returns at most `most` rows for readers, the longest stalls first, and a row with the number of
    /// further stalls.
    pub fn rows(stalls: &[Self], most: usize) -> Vec<[String; 5]> {
        let mut sorted: Vec<&Self> = stalls.iter().collect();
        sorted.sort_by_key(|stall| std::cmp::Reverse(stall.steps));
        let row = |stall: &Self| {
            let unit = if stall.axis < 3 { "N" } else { "N·m" };
            let limit = format!("{} {unit}", short(stall.limit));
            let [first, last] = [stall.first_step, stall.last_step].map(|step| step.to_string());
            [stall.label.clone(), limit, first, last, format!("{:.2}", stall.seconds)]
        };
        shown(sorted.into_iter().map(row).collect(), "drives more", most)
    }
}

impl VisitFigures {
    /// Creates the figures of a visit.
    pub fn of(visit: &Visit) -> Self {
        let (trigger, body) = (visit.trigger_name.clone(), visit.body_name.clone());
        Self { trigger, body, entered: visit.entered, left: visit.left }
    }

    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 4] = ["in a trigger", "trigger", "entered, step", "left, step"];

    /// Returns at most `most` rows for readers, in the order in which the visits began, and a row with
    /// the number of further visits.
    pub fn rows(visits: &[Self], most: usize) -> Vec<[String; 4]> {
        let row = |visit: &Self| {
            let left = visit.left.map_or("–".to_owned(), |step| step.to_string());
            [visit.body.clone(), visit.trigger.clone(), visit.entered.to_string(), left]
        };
        shown(visits.iter().map(row).collect(), "visits more", most)
    }
}

/// Keeps the first `most` rows. If there are more, adds a row with their number, followed by `rest`.
pub(super) fn shown<const N: usize>(mut rows: Vec<[String; N]>, rest: &str, most: usize) -> Vec<[String; N]> {
    let left_out = rows.len().saturating_sub(most);
    if left_out > 0 {
        rows.truncate(most);
        let mut last = [const { String::new() }; N];
        last[0] = format!("{left_out} {rest}");
        rows.push(last);
    }
    rows
}
