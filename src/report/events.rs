//! Events of a run that are no faults: drives that were at their limit, and bodies that came into triggers.

use serde::Serialize;

use crate::digits::short;
use crate::world::{Stall, Visit};

/// The most lines on each kind of event; JSON has them all.
const SHOWN: usize = 12;

/// A drive that pushed with all that it may.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StallFigures {
    /// The name of its joint.
    pub drive: String,
    /// The axis that it drives: 0 to 2 along, 3 to 5 about those of the joint.
    pub axis: u32,
    /// N, or N·m about an axis.
    pub limit: f64,
    pub first_step: u32,
    pub last_step: u32,
    /// The steps at whose end it did, and the time that they make up.
    pub steps: u32,
    pub seconds: f64,
}

/// A body that came into a trigger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VisitFigures {
    pub trigger: String,
    pub body: String,
    /// The first step at whose end it was inside, and the first after it at whose end it was not: `null` if
    /// it stayed.
    pub entered: u32,
    pub left: Option<u32>,
}

impl StallFigures {
    /// Makes the figures of a stall in a run with steps of `dt` seconds.
    pub fn of(stall: &Stall, dt: f64) -> Self {
        Self {
            drive: stall.name.clone(),
            axis: stall.axis,
            limit: stall.limit,
            first_step: stall.first_step,
            last_step: stall.last_step,
            steps: stall.step_count,
            seconds: f64::from(stall.step_count) * dt,
        }
    }

    /// The columns of [`Self::rows`].
    pub const HEADER: [&str; 5] = ["drive at its limit (stalled)", "limit", "first step", "last step", "s"];

    /// Returns lines for people, the stalls that lasted longest first.
    pub fn rows(stalls: &[Self]) -> Vec<[String; 5]> {
        let mut sorted: Vec<&Self> = stalls.iter().collect();
        sorted.sort_by_key(|stall| std::cmp::Reverse(stall.steps));
        let row = |stall: &Self| {
            let unit = if stall.axis < 3 { "N" } else { "N·m" };
            let limit = format!("{} {unit}", short(stall.limit));
            let [first, last] = [stall.first_step, stall.last_step].map(|step| step.to_string());
            [stall.drive.clone(), limit, first, last, format!("{:.2}", stall.seconds)]
        };
        shown(sorted.into_iter().map(row).collect(), "drives more")
    }
}

impl VisitFigures {
    /// Makes the figures of a visit.
    pub fn of(visit: &Visit) -> Self {
        let (trigger, body) = (visit.trigger_name.clone(), visit.body_name.clone());
        Self { trigger, body, entered: visit.entered, left: visit.left }
    }

    /// The columns of [`Self::rows`].
    pub const HEADER: [&str; 4] = ["in a trigger", "trigger", "entered, step", "left, step"];

    /// Returns lines for people, in the order in which the visits began.
    pub fn rows(visits: &[Self]) -> Vec<[String; 4]> {
        let row = |visit: &Self| {
            let left = visit.left.map_or("–".to_owned(), |step| step.to_string());
            [visit.body.clone(), visit.trigger.clone(), visit.entered.to_string(), left]
        };
        shown(visits.iter().map(row).collect(), "visits more")
    }
}

/// Cuts rows to those that people are shown, and says how many are left out.
pub(super) fn shown<const N: usize>(mut rows: Vec<[String; N]>, rest: &str) -> Vec<[String; N]> {
    let left_out = rows.len().saturating_sub(SHOWN);
    if left_out > 0 {
        rows.truncate(SHOWN);
        let mut last = [const { String::new() }; N];
        last[0] = format!("{left_out} {rest}");
        rows.push(last);
    }
    rows
}
