//! Options of a budget, shared by `tumble run` and `tumble view`.

use clap::Args;

use super::kinds;
use crate::config::Budget;

#[derive(Args, Default)]
pub(super) struct BudgetArguments {
    /// Microseconds that a step should take to find contacts (stages test and query). Contacts that do
    /// not fit are recycled. A step may still take longer.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = kinds::whole::<u64>, conflicts_with = "budget_tests")]
    budget_us: Option<u64>,
    /// Node tests that a step should take to find contacts; other work is converted to node tests. It
    /// bounds the searches. The upkeep of pairs is always done, and the searches of a step may always
    /// take a quarter of the budget, so a step can exceed it; the report counts such steps. Repeating
    /// the run repeats its motion, on any machine.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = kinds::whole::<u64>)]
    budget_tests: Option<u64>,
}

impl BudgetArguments {
    /// Returns the budget if an option was given.
    pub fn budget(&self) -> Option<Budget> {
        let given = self.budget_us.or(self.budget_tests).is_some();
        given.then(|| Budget { us: self.budget_us, tests: self.budget_tests, ..Budget::default() })
    }
}
