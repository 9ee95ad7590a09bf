//! `tumble check --shard`: answers for a share of the pairs, appended to a file, and `--merge`, which
//! reads them.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::CheckArguments;
use crate::check::{Answer, Demands, Examination, PlacedParts, Watch};
use crate::cli::signals::Interruption;
use crate::cli::{Failure, Outcome, output};
use crate::digits::grouped;
use crate::report::findings::{Answers, CheckIdentity, ShardError, ShardFile, read_shards};
use crate::sweep::Shard;

/// Longest time that an answer waits until it is written.
const PATIENCE: Duration = Duration::from_secs(1);
/// Largest number of answers that wait.
const MOST_WAITING: usize = 4096;

/// Work of a shard, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    shard: String,
    file: &'a Path,
    /// Number of pairs of the shard, and of those with an answer: from an earlier process, and in all.
    pairs: usize,
    earlier: usize,
    answered: usize,
}

/// Examines the pairs of a share that have no answer yet, and appends the answers to its file.
pub(super) fn examine(
    arguments: &CheckArguments,
    (shard, folder): (Shard, &Path),
    (examination, parts, demands): (&Examination, &PlacedParts, Demands),
    interruption: &Interruption,
) -> Result<Outcome, Failure> {
    let own: Vec<u32> =
        shard.runs(examination.pairs().len() as u64).into_iter().map(|number| number as u32).collect();
    let identity = CheckIdentity::new(examination, parts, demands);
    let (file, answers, was_cut) = ShardFile::open(folder, &identity, (&shard.to_string(), own.len()))?;
    if was_cut {
        let path = file.path().display();
        output::warn(&format!("{path}: the last line was incomplete; its pairs are examined again"));
    }
    let todo: Vec<u32> = own.iter().copied().filter(|number| answers[*number as usize].is_none()).collect();
    let bar = output::progress(todo.len() as u64, "pairs");
    let kept = Mutex::new(Kept { file, last: Instant::now(), failure: None });
    let keeper = Keeper { kept: &kept, bar: &bar, interruption };
    let made = examination.examine(&todo, &keeper).iter().flatten().count();
    bar.finish_and_clear();
    let Kept { mut file, failure, .. } = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error.into());
    }
    file.flush()?;
    let earlier = own.len() - todo.len();
    let report = Report {
        shard: shard.to_string(),
        file: file.path(),
        pairs: own.len(),
        earlier,
        answered: earlier + made,
    };
    print(arguments, &report)?;
    Ok(match interruption.exit_code().filter(|_| report.answered < report.pairs) {
        Some(code) => Outcome::Interrupted(code),
        None => Outcome::Done,
    })
}

fn print(arguments: &CheckArguments, report: &Report) -> Result<(), Failure> {
    if arguments.json {
        return output::print_json(report);
    }
    let Report { shard, file, pairs, earlier, answered } = report;
    let [pairs, earlier, answered] = [*pairs, *earlier, *answered].map(|count| grouped(count as u64));
    let file = file.display();
    output::print(&format!(
        "shard {shard}: {answered} of {pairs} pairs examined, {earlier} of them before; the answers are in {file}\n"
    ))?;
    Ok(())
}

/// Reads the answers of all shards.
pub(super) fn merge(
    folder: &Path,
    (examination, parts, demands): (&Examination, &PlacedParts, Demands),
) -> Result<Answers, ShardError> {
    read_shards(folder, &CheckIdentity::new(examination, parts, demands))
}

/// File of a shard with the time of its last line.
struct Kept {
    file: ShardFile,
    last: Instant,
    failure: Option<ShardError>,
}

/// Observer that writes the answers.
struct Keeper<'a> {
    kept: &'a Mutex<Kept>,
    bar: &'a indicatif::ProgressBar,
    interruption: &'a Interruption,
}

impl Watch for Keeper<'_> {
    fn done(&self, count: u64, _: u64) {
        self.bar.set_position(count);
    }

    fn answered(&self, number: u32, answer: &Answer) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.file.add(number, answer);
        if kept.file.waiting() < MOST_WAITING && kept.last.elapsed() < PATIENCE {
            return;
        }
        kept.last = Instant::now();
        if let Err(error) = kept.file.flush() {
            // The first error is the cause of those after it.
            kept.failure.get_or_insert(error);
            self.interruption.flag().store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
