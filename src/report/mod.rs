//! What a run leaves behind besides its recording: its figures, as JSON for programs and as a table for
//! people. Step costs and outcome → [`Summary`] → `tumble run --json`, or [`table::text`]; findings of a
//! check → [`findings::CheckDocument`] → `tumble check`.
//!
//! - `budget.rs`: what a budget did to a run.
//! - `costs.rs`: what the steps of a run cost, summed up as they are taken.
//! - `dearest.rs`: the pairs of bodies that cost most, by name.
//! - `events.rs`: drives that stalled, and bodies that came into triggers, by name.
//! - `expectations/`: whether a run does what its scene file expects.
//! - `findings/`: what a check found, by the paths of its parts.
//! - `guidance.rs`: what guidance by the parts of surfaces came to.
//! - `joints.rs`: how joints were used, by name.
//! - `names.rs`: names of joints and their bodies, for people.
//! - `outcome.rs`: what a run came to, as its world knows it at the end.
//! - `paths.rs`: where the bodies that a document names hang in the trees of their files.
//! - `slow.rs`: steps that take very long, and which pair of bodies makes them do so.
//! - `start.rs`: bodies that overlap at the start, by name.
//! - `statistics.rs`: statistics of a value per step.
//! - `summary.rs`: the figures of a run, the document of `tumble run --json`.
//! - `table/`: the summary of a run as text.
//! - `touches.rs`: the pairs of bodies that touched, by name.
//! - `watched.rs`: what a run let through, let fall, let reach and left out, by name.

mod budget;
mod costs;
mod dearest;
mod events;
mod expectations;
pub mod findings;
mod guidance;
mod joints;
mod names;
mod outcome;
mod paths;
mod slow;
mod start;
mod statistics;
mod summary;
#[cfg(feature = "program")]
pub mod table;
mod touches;
mod watched;

pub use budget::{BudgetFigures, GuessFigures, StarvedFigures};
pub use costs::{Costs, SLOW_STEP, StageTimings, StepCost};
pub use dearest::DearPairFigures;
pub use events::{StallFigures, VisitFigures};
pub use expectations::{ExpectationFigures, Expectations};
pub use guidance::GuidanceFigures;
pub use joints::{AxisFigures, JointFigures};
pub use outcome::{Deepest, Outcome, RecordingFigures};
pub use slow::{SlowStep, SlowStepFigures, SlowSteps, SlowestFigures};
pub use start::{OverlapFigures, overlap_note};
pub use statistics::{Distribution, Extent};
pub use summary::Summary;
pub use touches::{PlaceFigures, TouchFigures};
pub use watched::{
    CrowdedFigures, CutFigures, CutSpinFigures, FallFigures, HeldFigures, LoadFigures, OutrunFigures,
    PassageFigures, ReachFigures, WatchedFigures,
};
