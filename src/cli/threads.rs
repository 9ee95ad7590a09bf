//! Numbers of worker threads as option values.

use clap::builder::TypedValueParser;

use super::output;
use crate::config::THREAD_LIMIT;
use crate::parallel;

/// A number of worker threads, `least` or more.
pub(super) fn count(least: u32) -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(i64::from(least)..=i64::from(THREAD_LIMIT))
}

/// So many threads, but no more than there are cores; says so where these are fewer.
pub(super) fn within_cores(threads: u32) -> u32 {
    let cores = parallel::core_count() as u32;
    if threads > cores {
        let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        output::warn(&format!(
            "of {threads} threads no more are taken than there are cores to run them: {cores}"
        ));
    }
    threads.min(cores)
}
