//! Numbers of worker threads as values of options.

use clap::builder::TypedValueParser;

use super::output;
use crate::config::THREAD_LIMIT;
use crate::parallel;

/// Returns the parser for a number of worker threads of at least `least`.
pub(super) fn count(least: u32) -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(i64::from(least)..=i64::from(THREAD_LIMIT))
}

/// Returns `threads`, but at most the number of cores. Warns if it had to reduce `threads`.
pub(super) fn within_cores(threads: u32) -> u32 {
    let cores = parallel::core_count() as u32;
    if threads > cores {
        let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        output::warn(&format!("{threads} threads are limited to the number of cores: {cores}"));
    }
    threads.min(cores)
}
