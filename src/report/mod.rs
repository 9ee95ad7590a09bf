//! What a run leaves behind besides its recording: its figures, as JSON for programs and as a table for
//! people. Step costs and outcome → [`Summary`] → `tumble run --json`, or [`table::text`].

mod budget;
mod costs;
mod guidance;
mod statistics;
mod summary;
pub mod table;

pub use budget::{BudgetFigures, GuessFigures, StarvedFigures};
pub use costs::{Costs, StepCost};
pub use guidance::GuidanceFigures;
pub use statistics::{Distribution, Extent};
pub use summary::{Deepest, Outcome, StageTimings, Summary};
