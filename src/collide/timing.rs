//! Measures the wall time of the four stages of a step. This is the only file that reads a clock inside
//! the simulation. The first three stages are the t\[upd\], t\[test\] and t\[query\] of \[cab\] §4.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Wall time of each stage of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timings {
    /// Poses → bounding volumes.
    pub update: Duration,
    /// Bounding volumes → candidate triangle pairs.
    pub test: Duration,
    /// Candidates → exact intersections and contacts.
    pub query: Duration,
    /// Contacts and joints → velocities → poses.
    pub solve: Duration,
}

impl Timings {
    pub fn total(&self) -> Duration {
        self.update + self.test + self.query + self.solve
    }
}

impl AddAssign for Timings {
    fn add_assign(&mut self, other: Self) {
        self.update += other.update;
        self.test += other.test;
        self.query += other.query;
        self.solve += other.solve;
    }
}

/// Runs `stage` and adds its wall time to `total`.
pub fn timed<T>(total: &mut Duration, stage: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = stage();
    *total += start.elapsed();
    result
}
