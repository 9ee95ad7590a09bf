//! Loads what the user chose on a separate thread, so that the window stays responsive. Only the last
//! request counts. The results of earlier requests are dropped.
//!
//! A name or path → scene, world, hierarchies and shapes, ready to be uploaded and stepped. The thread
//! starts before anything is drawn. It also starts the simulations, so that they have its priority.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use super::budget::BudgetChoice;
use super::shading::Shape;
use super::show::Show;
use super::simulation::{Simulation, Wake};
use super::source::{RecordedRun, Source};
use crate::parallel;
use crate::record::{RunReader, begins_like_a_recording};
use crate::report::overlap_note;
use crate::scene::{Scene, SceneName, builtin_scenes, load_scene};
use crate::tree::Tree;
use crate::world::World;

type Failure = Box<dyn Error + Send + Sync>;

/// A scene or recording that is ready to be shown.
pub struct Loaded {
    pub show: Show,
    /// Shapes to upload, in the order of their ids.
    pub shapes: Vec<Shape>,
    pub source: Source,
}

/// A request: its number, the scene to open, and the budget.
type Request = (u32, SceneName, BudgetChoice);

/// The loading thread.
pub struct Loader {
    requests: Sender<Request>,
    results: Receiver<(u32, Result<Box<Loaded>, String>)>,
    /// Number and name of the last request, until its result is taken.
    waiting: Option<(u32, String)>,
    last: u32,
    /// The options for reading the file with which the window was opened, and the folders of models for
    /// all files.
    pub opened: SceneName,
}

impl Loader {
    /// Starts the thread. Fails if the system refuses the thread. `wake` is called for every result.
    pub fn start(wake: Wake) -> std::io::Result<Self> {
        let (requests, inbox) = channel::<Request>();
        let (outbox, results) = channel();
        let work = move || {
            while let Ok(mut request) = inbox.recv() {
                // If there are several requests, only the last counts.
                while let Ok(later) = inbox.try_recv() {
                    request = later;
                }
                let (number, name, budget) = request;
                let loaded = load(&name, budget, &wake).map(Box::new).map_err(|e| explain(e.as_ref()));
                if outbox.send((number, loaded)).is_err() {
                    return;
                }
                wake();
            }
        };
        std::thread::Builder::new().name("loader".into()).spawn(work)?;
        Ok(Self { requests, results, waiting: None, last: 0, opened: SceneName::default() })
    }

    /// Requests a built-in scene, a scene file, a model or a recording.
    pub fn request(&mut self, name: &str, budget: BudgetChoice) {
        self.last += 1;
        self.waiting = Some((self.last, name.to_owned()));
        // Sending cannot fail, because the thread lives as long as the loader.
        let wanted = self.named(name);
        let _ = self.requests.send((self.last, wanted, budget));
    }

    /// Returns how to read a file. The options of the first file do not apply to other files.
    fn named(&self, name: &str) -> SceneName {
        if name == self.opened.name {
            return self.opened.clone();
        }
        let (model_paths, otherwise) = (self.opened.model_paths.clone(), self.opened.otherwise);
        SceneName { name: name.to_owned(), model_paths, otherwise, ..SceneName::default() }
    }

    /// Returns the name of the file or scene that is being loaded.
    pub fn waiting(&self) -> Option<&str> {
        self.waiting.as_ref().map(|w| w.1.as_str())
    }

    /// Returns the result of the last request. A second call returns `None`.
    pub fn take(&mut self) -> Option<(String, Result<Box<Loaded>, String>)> {
        loop {
            match self.results.try_recv() {
                Ok((number, result)) => {
                    if let Some((_, name)) = self.waiting.take_if(|w| w.0 == number) {
                        return Some((name, result));
                    }
                }
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    let (_, name) = self.waiting.take()?;
                    return Some((name, Err("loading failed unexpectedly".to_owned())));
                }
            }
        }
    }
}

/// Returns whether a name is that of a recording. Tests its extension and its signature.
pub fn is_recording(name: &str) -> bool {
    let path = Path::new(name);
    let is_builtin = builtin_scenes().iter().any(|s| s.name == name);
    let is_named = || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("tumble"));
    !is_builtin && path.is_file() && (is_named() || begins_like_a_recording(path))
}

/// Loads on the calling thread. The simulation is started at once and then waits. A recording has the
/// budget with which it was made.
pub fn load(wanted: &SceneName, budget: BudgetChoice, wake: &Wake) -> Result<Loaded, Failure> {
    if is_recording(&wanted.name) {
        wanted.check_recording().map_err(|reason| format!("{}: {reason}", wanted.name))?;
        let run = RecordedRun::new(RunReader::open(Path::new(&wanted.name))?)?;
        let scene = Arc::new(run.reader.scene().clone());
        let trees = scene
            .meshes
            .iter()
            .map(|m| Arc::new(Tree::build(scene.config.tree, scene.config.split, m)))
            .collect();
        let (show, shapes) = Show::new(scene, trees);
        return Ok(Loaded { show, shapes, source: Source::Run(Box::new(run)) });
    }
    let mut scene = load_scene(wanted.clone(), None)?;
    leave_a_core(&mut scene);
    budget.apply(&mut scene.config);
    let world = World::new(&scene)?;
    scene.config.budget = world.budget();
    scene.notes.extend(overlap_note(&scene, &world.overlaps_at_start()));
    let scene = Arc::new(scene);
    let (show, shapes) = Show::new(Arc::clone(&scene), world.trees().to_vec());
    let simulation = Simulation::start(world, &scene, Arc::clone(wake))?;
    Ok(Loaded { show, shapes, source: Source::Live(simulation) })
}

/// Leaves one core for drawing, unless the scene specifies the number of threads. If one core draws and
/// steps at the same time, both are slower, and the timings are distorted.
fn leave_a_core(scene: &mut Scene) {
    if scene.config.threads == 0 {
        scene.config.threads = (parallel::core_count() as u32 - 1).max(1);
    }
}

/// Formats an error and its causes as one line.
pub fn explain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text += &format!(": {inner}");
        cause = inner.source();
    }
    text
}
