//! The runs of a shard. Each run is a process of its own: a crash or a lack of memory ends that run
//! alone, and its peak memory is its own. It is the same `tumble run` that a user types.
//!
//! A process ends when its standard input is closed. So no run outlives its sweep, however that ends.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{ChildStdin, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::signals::Interruption;
use super::super::{Failure, output};
use super::Recorded;
use super::one_run;
use super::plan::Sweep;
use crate::sweep::{End, Folder, RunResult, Tally};

/// Longest time between a signal and its effect.
const PATIENCE: Duration = Duration::from_millis(50);

/// Results of a shard.
pub(super) struct Driven {
    /// Runs with a result, by their ends.
    pub ends: Tally,
    /// Runs of which the result was there before.
    pub earlier: u64,
}

/// A run whose process ended, or the reason why it could not be started.
type Done = Result<RunResult, String>;

/// Makes those of the runs that have no result yet, several at a time.
///
/// # Errors
/// Returns an error if a result cannot be written, or a process cannot be started. Results that were
/// written before stay.
pub(super) fn drive(
    sweep: &Sweep,
    folder: &Folder,
    runs: &[u64],
    recorded: Recorded,
    interruption: &Interruption,
) -> Result<Driven, Failure> {
    let mut ends = Tally::default();
    let todo = undone(sweep, folder, runs, &mut ends);
    let earlier = ends.count();
    if recorded != Recorded::None {
        folder.prepare_recordings()?;
    }
    let program = env::current_exe().map_err(|error| format!("this program cannot start itself: {error}"))?;
    let crew = Crew {
        sweep,
        folder,
        recorded,
        program: &program,
        todo: &todo,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        signal: interruption.flag(),
        inputs: Mutex::new((0..sweep.jobs).map(|_| None).collect()),
    };
    let bar = output::progress(runs.len() as u64, "runs");
    bar.set_position(earlier);
    let failure = crew.make_all(&mut |end| {
        ends.add(end);
        bar.inc(1);
    });
    bar.finish_and_clear();
    match failure {
        Some(reason) => {
            let advice = format!("{} results are written; the same command goes on", ends.count());
            Err(format!("{reason}; {advice}").into())
        }
        None => Ok(Driven { ends, earlier }),
    }
}

/// Returns the runs without a whole result, and counts the others.
fn undone(sweep: &Sweep, folder: &Folder, runs: &[u64], ends: &mut Tally) -> Vec<u64> {
    let is_undone = |run: &u64| {
        let path = folder.result(*run);
        if !path.exists() {
            return true;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let read = RunResult::read(&path).map_err(|error| output::with_causes(&error));
        let checked = read.and_then(|result| {
            let at = |reason| format!("{}: {reason}", path.display());
            result.check(&name, &sweep.manifest, &sweep.identity).map(|()| result.end).map_err(at)
        });
        match checked {
            Ok(end) if end.is_whole() => {
                ends.add(end);
                false
            }
            Ok(_) => true,
            Err(reason) => {
                output::warn(&format!("{reason}; the run is repeated"));
                true
            }
        }
    };
    runs.iter().copied().filter(is_undone).collect()
}

/// The threads that start processes and wait for them.
struct Crew<'a> {
    sweep: &'a Sweep,
    folder: &'a Folder,
    recorded: Recorded,
    program: &'a Path,
    todo: &'a [u64],
    /// Place of the next run in `todo`.
    next: AtomicUsize,
    stop: AtomicBool,
    /// The flag that a signal sets. Ctrl-C reaches the processes too, so their ends are no results.
    signal: &'a AtomicBool,
    /// Standard inputs of the processes, by thread.
    inputs: Mutex<Vec<Option<ChildStdin>>>,
}

impl Crew<'_> {
    /// Makes all runs, and tells `made` the end of each whose result is written. Returns the first
    /// failure, after which no more are started.
    fn make_all(&self, made: &mut dyn FnMut(End)) -> Option<String> {
        let (sender, receiver) = mpsc::channel::<Done>();
        thread::scope(|scope| {
            for place in 0..self.sweep.jobs.min(self.todo.len()) {
                let sender = sender.clone();
                scope.spawn(move || self.work(place, &sender));
            }
            drop(sender);
            let mut failure = None;
            loop {
                match receiver.recv_timeout(PATIENCE).map(|done| done.and_then(|result| self.keep(&result))) {
                    Ok(Ok(end)) => made(end),
                    Ok(Err(reason)) => {
                        // Those after it follow from it.
                        failure.get_or_insert(reason);
                        self.stop();
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break failure,
                }
                if self.is_stopped() {
                    self.stop();
                }
            }
        })
    }

    /// Writes a result. Deletes the recording of a run that need not be recorded.
    fn keep(&self, result: &RunResult) -> Result<End, String> {
        let recording = self.folder.recording(result.run);
        if self.recorded == Recorded::Failing && result.end == End::Held && recording.exists() {
            let fail = |error| format!("{}: cannot be removed: {error}", recording.display());
            fs::remove_file(&recording).map_err(fail)?;
        }
        let written = result.write(&self.folder.result(result.run));
        written.map(|()| result.end).map_err(|error| output::with_causes(&error))
    }

    /// Makes one run after the other, until there is none or the sweep is stopped.
    fn work(&self, place: usize, sender: &Sender<Done>) {
        while !self.is_stopped() {
            let Some(&run) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            let done = self.run(place, run);
            if done.as_ref().is_ok_and(|result| result.end == End::Died) {
                // Ctrl-C may end the process before this one has handled the same signal.
                thread::sleep(PATIENCE);
            }
            // A run that was stopped has no result.
            if self.is_stopped() || sender.send(done).is_err() {
                return;
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.signal.load(Ordering::Relaxed)
    }

    /// Ends all processes, and starts no more.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.lock().iter_mut().for_each(|input| *input = None);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<ChildStdin>>> {
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one run.
    fn run(&self, place: usize, run: u64) -> Done {
        let words = self.sweep.words(run);
        let mut command = Command::new(self.program);
        command.args(&words[1..]).args(self.sweep.extra_words()).args(["--json", "--attended"]);
        if self.recorded != Recorded::None {
            command.arg("--force").arg("--record").arg(self.folder.recording(run));
        }
        let start = Instant::now();
        let output = self
            .output(place, &mut command)
            .map_err(|error| format!("run {run} cannot be started: {error}"))?;
        let seconds = start.elapsed().as_secs_f64();
        if let Some(path) = self.sweep.changed_input() {
            let reason = "changed while the sweep ran, so the last runs have no result";
            return Err(format!("{}: {reason}", path.display()));
        }
        let result = one_run::result(self.sweep, run, &words, &output, seconds);
        // A recording that cannot be written is a fault of the machine, not of the run.
        let recording = self.folder.recording(run).display().to_string();
        match result.last_error() {
            Some(error) if result.end == End::Refused && error.contains(&recording) => {
                Err(format!("run {run}: {error}"))
            }
            _ => Ok(result),
        }
    }

    /// Starts a process and waits for its end. Its standard input stays open until then.
    fn output(&self, place: usize, command: &mut Command) -> io::Result<Output> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        self.lock()[place] = child.stdin.take();
        if self.is_stopped() {
            // The sweep was stopped between the start and here.
            self.lock()[place] = None;
        }
        let output = child.wait_with_output();
        self.lock()[place] = None;
        output
    }
}
