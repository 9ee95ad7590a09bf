//! Conversion of a budget in time into node tests. A copy of the world steps without a budget for a
//! moment, and the duration of its steps is compared with their node tests.

use std::time::Duration;

use super::BudgetState;
use crate::timing::{Timings, timed};
use crate::world::World;

/// Largest total duration of the copy's steps.
const PATIENCE: Duration = Duration::from_millis(600);
/// Largest number of the copy's steps.
const MOST_STEPS: u32 = 600;
/// Least duration of a step whose rate is used. Rates of shorter steps are not accurate.
const LEAST_COST: Duration = Duration::from_micros(100);
/// Percentile of the single steps' rates that is used: most steps are faster.
const PERCENTILE: usize = 10;
/// Node tests per microsecond that are assumed if no step could be measured.
const ASSUMED: f64 = 400.0;
/// Share of the budget that is converted. The remainder is a reserve, because a search may take more
/// time than its node tests predict.
const PLANNED: f64 = 0.55;

/// Returns the number of node tests that takes at most about `us` microseconds. Steps `world`, which
/// must not be used as a simulation afterwards.
pub(in crate::world) fn node_tests_within(us: u64, world: &mut World) -> u64 {
    if us == 0 {
        return 0;
    }
    let mut elapsed = Duration::ZERO;
    let mut rates = Vec::new();
    for _ in 0..MOST_STEPS {
        let mut timings = Timings::default();
        timed(&mut elapsed, || timings = world.step());
        let cost = timings.test + timings.query;
        if cost >= LEAST_COST {
            rates.push(BudgetState::used(&world.counts()) as f64 / (cost.as_secs_f64() * 1e6));
        }
        if elapsed >= PATIENCE {
            break;
        }
    }
    rates.sort_unstable_by(f64::total_cmp);
    let rate = rates.get(rates.len() * PERCENTILE / 100).copied().unwrap_or(ASSUMED);
    (us as f64 * rate * PLANNED) as u64
}
