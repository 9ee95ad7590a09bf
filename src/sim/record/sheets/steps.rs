//! Table `steps.csv`: costs, counts and measures of each step. The start is not a step and has no row.

use std::io;

use super::sheet::{Moment, Rows, Sheet};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::StepCounts;

/// Columns before those of the counts, and columns after them.
const FIRST: [&str; 6] = ["step", "time_s", "update_ms", "test_ms", "query_ms", "solve_ms"];
const LAST: [&str; 5] = ["energy_j", "deepest_mm", "deepest_a", "deepest_b", "state_hash"];

/// Table of all steps.
pub(super) struct Steps {
    /// Names of the scene's bodies.
    names: Vec<String>,
}

impl Steps {
    pub fn new(scene: &Scene) -> Self {
        Self { names: scene.bodies.iter().map(|body| body.name.clone()).collect() }
    }
}

impl Sheet for Steps {
    fn file(&self) -> &'static str {
        "steps.csv"
    }

    fn columns(&self) -> Vec<&'static str> {
        [&FIRST[..], StepCounts::NAMES, &LAST].concat()
    }

    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()> {
        let now = moment.now;
        let Some(hash) = now.state_hash else { return Ok(()) };
        let Timings { update, test, query, solve } = now.timings;
        let times = [update, test, query, solve].map(|time| time.as_nanos() as f64 / 1e6);
        let name = |body: u32| self.names[body as usize].as_str();
        let deepest = now.measures.deepest.map_or(["", ""], |[a, b]| [name(a), name(b)]);
        let hash = format!("{hash:016x}");
        let left = (now.measures.energy, now.measures.penetration * 1e3, deepest, hash);
        rows.add(&(now.step, moment.time, times, now.counts, left))
    }
}
