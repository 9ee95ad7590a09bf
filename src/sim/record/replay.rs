//! Comparison of a new simulation with a recording: finds the first step whose state hash differs.

use serde::Serialize;

use super::{RecordError, RunReader};

/// First difference between a new simulation and the recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Step of the difference, from 1.
    pub step: u32,
    pub recorded: u64,
    pub found: u64,
}

/// Result of the comparison with a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Validation {
    /// Number of steps, from the first on, whose hashes are equal.
    pub equal_count: u32,
    pub first_difference: Option<Difference>,
}

/// Compares step by step and stops at the first difference, because all later steps depend on it.
/// `step` advances a world made from the recording's scene by one step, and returns its state hash. Its
/// argument is the number of the step, from 1.
pub fn validate(reader: &mut RunReader, mut step: impl FnMut(u32) -> u64) -> Result<Validation, RecordError> {
    for k in 1..=reader.step_count() {
        let recorded = reader.record(k)?.state_hash;
        let found = step(k);
        if found != recorded {
            let first_difference = Some(Difference { step: k, recorded, found });
            return Ok(Validation { equal_count: k - 1, first_difference });
        }
    }
    Ok(Validation { equal_count: reader.step_count(), first_difference: None })
}
