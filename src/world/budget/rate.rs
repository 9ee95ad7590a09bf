//! From a budget in time to one in node tests: a copy of the world takes steps without a budget for a moment,
//! and what they cost in either is compared.

use std::time::Duration;

use super::BudgetState;
use crate::timing::{Timings, timed};
use crate::world::World;

/// How long the copy may step.
const PATIENCE: Duration = Duration::from_millis(600);
const MOST_STEPS: u32 = 600;
/// Steps that cost less say nothing about a rate.
const LEAST_COST: Duration = Duration::from_micros(100);
/// The rate of single steps is the one that so many of a hundred do not reach.
const PERCENTILE: usize = 10;
/// Node tests a microsecond where nothing was to be measured.
const ASSUMED: f64 = 400.0;
/// Share of the budget that is planned with: a search may cost more time than its node tests tell.
const PLANNED: f64 = 0.55;

/// The node tests that take `us` microseconds at most. Spoils the world.
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
