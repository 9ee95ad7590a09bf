//! Broad phases on sets of boxes, static and moving. \[boxes\] §4
//!
//! - `comparisons.rs`: number of comparisons of a sort of ends.
//! - `contender.rs`: the contenders, own broad phases and parry's tree.
//! - `dynamic.rs`: `boxes-dynamic`, every broad phase over frames of motion.
//! - `sets.rs`: sets of boxes, static and moving.
//! - `still.rs`: static boxes under every broad phase.

mod comparisons;
mod contender;
pub mod dynamic;
mod sets;
pub mod still;

use super::{ExperimentError, Options, Table, distinct, turns};
use crate::broad::{BroadPhaseKind, SweepOrder};
use contender::Contender;

/// Time limits per frame, s. A contender that would need more is left out, with a note.
const QUICK_LIMIT: f64 = 0.5;
const FULL_LIMIT: f64 = 8.0;

/// Creates a table. Its first columns are common to static and moving boxes; `own` are further ones.
fn table(own: &[&'static str]) -> Table {
    let common = ["set", "boxes", "method", "pairs", "update (ms)", "find (ms)", "total (ms)", "95 % (ms)"];
    Table::new(&[&common, own].concat())
}

impl Options {
    fn time_limit(&self) -> f64 {
        if self.quick { QUICK_LIMIT } else { FULL_LIMIT }
    }

    /// Returns the broad phases that the user names, or all of them, and those of other libraries.
    /// Sweeps that sort from scratch are only included if boxes move.
    fn contenders(&self, moving: bool) -> Vec<Contender> {
        let new_to =
            |kind: &BroadPhaseKind| moving || !matches!(kind, BroadPhaseKind::Sweep(_, SweepOrder::Anew));
        let all: Vec<_> = BroadPhaseKind::ALL.into_iter().filter(new_to).collect();
        let own = distinct(if self.broad.is_empty() { &all } else { &self.broad });
        own.into_iter().map(Contender::Own).chain(Contender::PEERS.iter().copied()).collect()
    }

    /// Runs `work` in a pool of the requested number of threads.
    fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, ExperimentError> {
        match self.threads {
            0 | 1 => Ok(work()),
            count => Ok(rayon::ThreadPoolBuilder::new().num_threads(count).build()?.install(work)),
        }
    }

    /// Returns notes that explain the columns and name missing contenders.
    fn box_notes(&self, columns: &str) -> Vec<String> {
        let mut notes = vec![columns.to_owned(), turns::NOTE.to_owned()];
        if cfg!(not(feature = "reference")) {
            notes.push("built without the feature `reference`: parry3d is not measured".to_owned());
        }
        notes
    }
}

/// Describes the contenders that were too slow for larger sets.
fn too_slow(names: &[(&str, usize)], limit: f64) -> Vec<String> {
    let say = |(name, count): &(&str, usize)| {
        format!("{name}: not measured on {count} boxes, because a frame might take more than {limit} s")
    };
    names.iter().map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_that_are_not_kept_are_measured_only_in_motion() {
        let options = Options::default();
        let [still, moving] = [false, true].map(|m| options.contenders(m));
        assert_eq!(moving.len(), still.len() + 4);
        assert!(moving.iter().any(|c| c.name() == "sweep1-anew"));
        let chosen = Options { broad: vec![BroadPhaseKind::Hash2; 2], ..Options::default() };
        assert_eq!(chosen.contenders(true).iter().filter(|c| c.name() != "parry3d").count(), 1);
    }
}
