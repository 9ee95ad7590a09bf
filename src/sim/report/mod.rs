//! Results of a run besides its recording, as JSON for programs and as text for readers. Costs of steps
//! and the outcome give a [`Summary`], which `tumble run` prints as JSON or by [`table::text`]. The
//! findings of a check give a [`findings::CheckDocument`] for `tumble check`.
//!
//! - `budget.rs`: effect of a budget on a run.
//! - `costliest.rs`: the costliest pairs of bodies, by name.
//! - `costs.rs`: costs of the steps of a run, accumulated step by step.
//! - `events.rs`: stalled drives, and bodies that entered triggers, by name.
//! - `expectations/`: test of a run against the expectations of its scene file.
//! - `findings/`: findings of a check, by the paths of its parts.
//! - `fits.rs`: pairs that collide with a clearance.
//! - `guidance.rs`: results of the guidance of hierarchies by parts.
//! - `joints.rs`: loads and motion of joints, by name.
//! - `names.rs`: names of joints and their bodies, for readers.
//! - `outcome.rs`: results of a run, from its world at the end.
//! - `paths.rs`: paths of the bodies that a document names.
//! - `slow.rs`: very slow steps, with the pair of bodies that causes them.
//! - `start.rs`: bodies that overlap at the start, by name.
//! - `statistics.rs`: statistics of a value per step.
//! - `summary.rs`: the figures of a run, the document of `tumble run --json`.
//! - `table/`: the summary of a run as text.
//! - `touches.rs`: the pairs of bodies that touched, by name.
//! - `watched.rs`: faults of a run that contacts alone do not show, by name.

mod budget;
mod costliest;
mod costs;
mod events;
mod expectations;
pub mod findings;
mod fits;
mod guidance;
mod joints;
mod names;
mod outcome;
mod paths;
mod slow;
mod start;
mod statistics;
mod summary;
#[cfg(feature = "tables")]
pub mod table;
mod touches;
mod watched;

pub use budget::{BudgetFigures, GuessFigures, StarvedFigures};
pub use costliest::CostlyPairFigures;
pub use costs::{Costs, SLOW_STEP, StageTimings, StepCost};
pub use events::{StallFigures, VisitFigures};
pub use expectations::{ExpectationFigures, Expectations};
pub use fits::FitFigures;
pub use guidance::GuidanceFigures;
pub use joints::{AxisFigures, JointFigures};
pub use outcome::{Deepest, Outcome, RecordingFigures};
pub use slow::{SlowStep, SlowStepFigures, SlowSteps, SlowestFigures};
pub use start::{OverlapFigures, overlap_note};
pub use statistics::{Distribution, Extent};
pub use summary::Summary;
pub use touches::{PlaceFigures, TouchFigures};
pub use watched::{
    CrowdedFigures, CutFigures, CutSpinFigures, FallFigures, GrowthFigures, HeldFigures, LoadFigures,
    OutrunFigures, PassageFigures, ReachFigures, SweptFigures, WatchedFigures,
};
