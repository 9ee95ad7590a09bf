//! What a run leaves behind besides its recording: its figures, as JSON for programs and as a table for
//! people. Step costs and outcome → [`Summary`] → `tumble run --json`, or [`table::text`].

mod budget;
mod costs;
mod dearest;
mod guidance;
mod outcome;
mod slow;
mod start;
mod statistics;
mod summary;
#[cfg(feature = "program")]
pub mod table;
mod watched;

pub use budget::{BudgetFigures, GuessFigures, StarvedFigures};
pub use costs::{Costs, SLOW_STEP, StageTimings, StepCost};
pub use dearest::DearPairFigures;
pub use guidance::GuidanceFigures;
pub use outcome::{Deepest, Outcome};
pub use slow::{SlowStep, SlowStepFigures, SlowSteps, SlowestFigures};
pub use start::{OverlapFigures, overlap_note};
pub use statistics::{Distribution, Extent};
pub use summary::Summary;
pub use watched::{CrowdedFigures, FallFigures, PassageFigures, ReachFigures, WatchedFigures};
