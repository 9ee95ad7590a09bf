//! A check of the parts in their poses at a step, on a separate thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::app::App;
use super::simulation::Wake;
use crate::check::{Demands, PlacedParts, Rules, Watch, examine_all};
use crate::parallel;
use crate::pose::Pose;
use crate::report::findings::{CheckDocument, Finding, FindingList, Setup, Verdict, of_check};
use crate::scene::Scene;

/// The checks of a scene: the running check, and the result of the last finished one.
#[derive(Default)]
pub struct Checking {
    running: Option<Running>,
    document: Option<CheckDocument>,
    groups: Vec<FindingList>,
}

struct Running {
    result: Receiver<Result<CheckDocument, String>>,
    progress: Arc<Progress>,
    stop: Arc<AtomicBool>,
}

/// The number of finished pairs, and the number of all pairs.
#[derive(Default)]
struct Progress {
    done: AtomicU64,
    of: AtomicU64,
}

impl Watch for Progress {
    fn done(&self, count: u64, of: u64) {
        self.of.store(of, Ordering::Relaxed);
        self.done.fetch_max(count, Ordering::Relaxed);
    }
}

impl Checking {
    /// Starts a check of a scene, with one pose per body. If a check is running, cancels it. Fails if
    /// the thread cannot be started.
    pub fn start(
        &mut self,
        scene: &Arc<Scene>,
        (poses, step): (Vec<Pose>, u32),
        wake: &Wake,
    ) -> std::io::Result<()> {
        let (send, result) = channel();
        let progress = Arc::new(Progress::default());
        let stop = Arc::new(AtomicBool::new(false));
        let own = (Arc::clone(scene), Arc::clone(&progress), Arc::clone(&stop), Arc::clone(wake));
        let work = move || {
            let (scene, progress, stop, wake) = own;
            // The receiver may be gone already, which does no harm.
            let _ = send.send(check(&scene, (poses, step), &progress, &stop));
            wake();
        };
        std::thread::Builder::new().name("check".into()).spawn(work)?;
        self.running = Some(Running { result, progress, stop });
        Ok(())
    }

    /// Takes the result of a finished check. If the check failed, returns its error.
    pub fn update(&mut self, scene: &Scene) -> Option<String> {
        let outcome = match self.running.as_ref()?.result.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err("the check failed unexpectedly".to_owned()),
            Ok(outcome) => outcome,
        };
        self.running = None;
        match outcome {
            Ok(document) => {
                self.groups = of_check(&document, scene);
                self.document = Some(document);
                None
            }
            Err(reason) => Some(reason),
        }
    }

    /// Returns the document of the last finished check.
    pub fn document(&self) -> Option<&CheckDocument> {
        self.document.as_ref()
    }

    /// Returns the findings of the last finished check.
    pub fn groups(&self) -> &[FindingList] {
        &self.groups
    }

    /// Returns the number of finished pairs and the number of all pairs of a running check.
    pub fn progress(&self) -> Option<(u64, u64)> {
        let progress = &self.running.as_ref()?.progress;
        Some((progress.done.load(Ordering::Relaxed), progress.of.load(Ordering::Relaxed)))
    }
}

impl App {
    /// Takes the result of a finished check.
    pub(super) fn update_check(&mut self) {
        if let Some(stage) = &mut self.stage
            && let Some(reason) = stage.check.update(&stage.show.scene)
        {
            self.say(reason, true);
        }
    }

    /// Checks the parts in their poses at the shown step.
    pub fn check(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let (scene, at) = (Arc::clone(&stage.show.scene), (stage.frame.poses.clone(), stage.frame.step));
        if let Err(error) = stage.check.start(&scene, at, &self.wake) {
            self.say(error.to_string(), true);
        }
    }

    /// Stores the edited comment with its finding.
    pub(super) fn keep_word(&mut self) {
        let Some((finding, word)) = self.word.take() else { return };
        let Some(stage) = &self.stage else { return };
        let (verdict, _) = stage.review.of(&finding);
        self.judge(&finding, (verdict, &word));
    }

    /// Stores the verdict on a finding. Shows an error if this fails.
    pub fn judge(&mut self, finding: &Finding, judged: (Verdict, &str)) {
        let Some(stage) = &mut self.stage else { return };
        if let Err(reason) = stage.review.judge(finding, judged) {
            self.say(reason, true);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Checks a scene at the given poses. Setting `stop` aborts the check.
fn check(
    scene: &Scene,
    (poses, step): (Vec<Pose>, u32),
    progress: &Progress,
    stop: &Arc<AtomicBool>,
) -> Result<CheckDocument, String> {
    let rules = Rules::new(&scene.checks, scene)?;
    // One core is left for drawing.
    let threads = parallel::core_count().saturating_sub(1).max(1);
    let parts = PlacedParts::new(scene, poses, threads).map_err(|e| e.to_string())?;
    let demands = Demands { clearance: 0.0, tolerance: None, way_out: false };
    let checked = examine_all(&parts, (&rules, demands), progress, stop).map_err(|e| e.to_string())?;
    let setup = Setup { model: scene.name.clone(), step: Some(step) };
    Ok(CheckDocument::new(&checked, &parts, demands, setup))
}
