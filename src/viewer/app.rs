//! The viewer without its window: the loaded scene, the shown step, the camera, and the selection.
//!
//! Actions and time → a [`View`](super::gpu::View) for the painter, and data for the panels. This part
//! does not use `winit` or `wgpu`, so tests can drive all of it.

use std::sync::Arc;
use std::time::Instant;

use glam::DVec2;

use super::budget::BudgetChoice;
use super::camera::Camera;
use super::loader::{Loaded, Loader};
use super::measure::{Measure, Measurer};
use super::parts::LevelSearch;
use super::playhead::Playhead;
use super::ruler::Ruler;
use super::selection::Selection;
use super::shading::Shape;
use super::show::Look;
use super::simulation::Wake;
use super::source::Source;
use super::stage::Stage;
use super::visit::Visit;
use crate::body::{Motion, SetBy};
use crate::config::Budget;
use crate::query::Plane;
use crate::report::findings::Finding;

/// Time for which a message is shown, s.
const MESSAGE_TIME: f64 = 6.0;

/// Largest number of letters of a warning in a message. The list of findings has the full text.
const LONGEST_WARNING: usize = 120;

/// Playback keeps up if it reaches more than this share of the requested speed.
const NOTED_PACE: f64 = 0.95;

pub struct App {
    pub loader: Loader,
    pub stage: Option<Stage>,
    pub camera: Camera,
    pub playhead: Playhead,
    pub selection: Selection,
    /// Measure of the two selected parts, at the shown step or at the last step that was measured.
    pub measure: Option<Measure>,
    pub ruler: Ruler,
    /// The visited finding.
    pub visit: Option<Visit>,
    /// A finding and its comment, while the user edits the comment.
    pub word: Option<(Finding, String)>,
    /// Position of the pointer over the view, −1 to 1 (x right, y up).
    pub pointer: Option<DVec2>,
    pub options: Options,
    /// The user's choice of the budget, which overrides the scene's own.
    pub budget: BudgetChoice,
    /// The budget to set when the user switches a budget on.
    pub usual_budget: Budget,
    pub dialog: Dialog,
    pub message: Option<Message>,
    /// Text in the picker's field.
    pub picker_text: String,
    /// Filter of the list of parts.
    pub part_filter: String,
    /// The area that the panels leave for the view: in points here, and the window converts it to
    /// pixels.
    pub area: egui::Rect,
    /// Shapes of a loaded scene that are not uploaded yet.
    pub fresh_shapes: Option<Vec<Shape>>,
    /// Shapes of parts, which are uploaded after the fresh shapes.
    pub part_shapes: Vec<Shape>,
    /// Requests that only the window can carry out.
    pub wishes: Vec<WindowRequest>,
    /// Whether the device can draw wireframes.
    pub has_wireframe: bool,
    /// Whether key presses go to a text field.
    pub writing: bool,
    /// Whether a control had the keyboard focus in the last picture. This value is needed because
    /// Escape removes the focus before the program reads the key.
    pub was_focused: bool,
    last_advance: Option<Instant>,
    /// The running search for the parts of the shown scene.
    pub(super) search: Option<LevelSearch>,
    pub(super) measurer: Option<Measurer>,
    pub(super) wake: Wake,
    /// Whether the camera must still frame the loaded scene.
    pub(super) unframed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    pub look: Look,
    pub wireframe: bool,
    pub ground: bool,
    pub contacts: bool,
    pub boxes: bool,
    /// Level of the hierarchy whose boxes are shown; 0 is the root.
    pub level: u32,
    /// Level of the simplified models whose parts are shown; 1 is the coarsest.
    pub part_level: u32,
    pub panels: bool,
    /// Section plane; the half in front of it is not shown.
    pub section: Option<Plane>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            look: Look::Drawn,
            wireframe: false,
            ground: true,
            contacts: false,
            boxes: false,
            level: 0,
            part_level: 1,
            panels: true,
            section: None,
        }
    }
}

/// A dialog over the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialog {
    #[default]
    None,
    Help,
    Picker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    Screenshot,
    Quit,
}

pub struct Message {
    pub text: String,
    pub is_error: bool,
    since: Instant,
}

impl App {
    /// Creates the viewer. Fails if a thread cannot be started. Any thread may call `wake` to request a
    /// picture.
    pub fn new(wake: Wake) -> std::io::Result<Self> {
        Ok(Self {
            loader: Loader::start(Arc::clone(&wake))?,
            stage: None,
            camera: Camera::default(),
            playhead: Playhead::new(false),
            selection: Selection::default(),
            measure: None,
            ruler: Ruler::default(),
            visit: None,
            word: None,
            pointer: None,
            options: Options::default(),
            budget: BudgetChoice::OfScene,
            usual_budget: BudgetChoice::USUAL,
            dialog: Dialog::None,
            message: None,
            picker_text: String::new(),
            part_filter: String::new(),
            area: egui::Rect::ZERO,
            fresh_shapes: None,
            part_shapes: Vec::new(),
            wishes: Vec::new(),
            has_wireframe: false,
            writing: false,
            was_focused: false,
            last_advance: None,
            search: None,
            measurer: None,
            wake,
            unframed: false,
        })
    }

    /// Opens a built-in scene, a scene file, a model or a recording, in the background.
    pub fn open(&mut self, name: &str) {
        self.dialog = Dialog::None;
        self.loader.request(name, self.budget);
    }

    /// Returns the current budget, or that of the scene being loaded.
    pub fn budget(&self) -> Option<Budget> {
        let stage = self.stage.as_ref();
        let of_stage = stage.and_then(|s| s.show.scene.config.budget);
        match self.budget {
            BudgetChoice::Exact if self.can_be_limited() => None,
            BudgetChoice::Within(budget) if self.can_be_limited() => Some(budget),
            _ => of_stage,
        }
    }

    /// Returns whether a budget can be set. It cannot for a recording, whose budget is fixed.
    pub fn can_be_limited(&self) -> bool {
        self.stage.as_ref().is_none_or(|s| matches!(s.source, Source::Live(_)))
    }

    /// Sets or removes the budget, and restarts the shown scene.
    pub fn set_budget(&mut self, budget: Option<Budget>) {
        self.budget = budget.map_or(BudgetChoice::Exact, BudgetChoice::Within);
        self.usual_budget = budget.unwrap_or(self.usual_budget);
        let shown = self.stage.as_ref().filter(|_| self.can_be_limited()).map(|s| s.name.as_str());
        if let Some(name) = self.loader.waiting().or(shown).map(str::to_owned) {
            self.open(&name);
        }
    }

    pub fn say(&mut self, text: impl Into<String>, is_error: bool) {
        self.message = Some(Message { text: text.into(), is_error, since: Instant::now() });
    }

    /// Takes a finished load, or shows its error.
    pub fn receive(&mut self) {
        if let Some((name, result)) = self.loader.take() {
            match result {
                Ok(loaded) => self.take(name, *loaded),
                Err(text) => self.say(text, true),
            }
        }
    }

    /// Takes a finished load, and advances the time.
    pub fn update(&mut self) {
        self.receive();
        if self.message.as_ref().is_some_and(|m| m.since.elapsed().as_secs_f64() > MESSAGE_TIME) {
            self.message = None;
        }
        self.update_parts();
        let elapsed = self.last_advance.replace(Instant::now()).map_or(0.0, |t| t.elapsed().as_secs_f64());
        let Some(stage) = &mut self.stage else { return };
        let range = stage.source.range();
        let dt = stage.show.scene.config.dt;
        let end = stage.end();
        let stop = self.playhead.stop(end).filter(|_| self.playhead.playing);
        let next = self.playhead.advance(elapsed, dt, range, stage.source.goes_on());
        let next = match stop {
            Some(stop) if self.playhead.step() >= stop => {
                self.playhead.stop_at(stop);
                let text = format!("the end of the scene's {stop} steps; playing goes on after them");
                self.message = Some(Message { text, is_error: false, since: Instant::now() });
                stop
            }
            Some(stop) => next.min(stop),
            None => next,
        };
        stage.source.want(next.max(self.playhead.step()));
        let step = self.playhead.step();
        match stage.seek(step) {
            Ok(()) => {}
            Err(text) => {
                self.playhead.stop_at(stage.frame.step);
                self.say(text, true);
            }
        }
        self.update_check();
        self.update_measure();
        self.fly();
    }

    /// Starts the search for the parts of the shown scene as soon as the user wants to see them, and
    /// takes the result of the search.
    fn update_parts(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let found = match &self.search {
            None if !self.options.look.shows_parts() || stage.show.parts.is_some() => return,
            None => match LevelSearch::start(&stage.show.scene, stage.show.shape_count(), &self.wake) {
                Ok(search) => {
                    self.search = Some(search);
                    return;
                }
                Err(error) => Err(error.to_string()),
            },
            Some(search) => match search.take() {
                None => return,
                Some(found) => found.map_err(str::to_owned),
            },
        };
        self.search = None;
        match found {
            Ok((parts, shapes)) => {
                stage.show.parts = Some(parts);
                self.part_shapes = shapes;
            }
            Err(text) => {
                self.options.look = Look::Drawn;
                self.say(text, true);
            }
        }
    }

    /// Returns whether parts should be shown but the search for them still runs.
    pub fn is_searching(&self) -> bool {
        self.search.is_some() && self.options.look.shows_parts()
    }

    /// Drops the parts whose shapes are not uploaded.
    pub(super) fn forget_parts(&mut self) {
        self.search = None;
        self.part_shapes.clear();
    }

    /// Returns the shown level of the parts and the number of levels, or `None` while no parts are
    /// shown.
    pub fn part_level(&self) -> Option<(u32, u32)> {
        let parts = self.stage.as_ref()?.show.parts.as_ref()?;
        let count = parts.level_count();
        let level = self.options.part_level.clamp(1, count.max(1));
        (self.options.look.shows_parts()).then_some((level, count))
    }

    /// Returns the simulated seconds per real second, if playback runs and is slower than requested.
    pub fn slower_pace(&self) -> Option<f64> {
        let dt = self.stage.as_ref()?.show.scene.config.dt;
        let pace = self.playhead.pace(dt).filter(|_| self.playhead.playing)?;
        (pace < NOTED_PACE * self.playhead.speed).then_some(pace)
    }

    /// Returns whether the next picture will differ from this one even without an event.
    pub fn is_moving(&self) -> bool {
        self.playhead.playing && self.stage.is_some()
    }

    /// Shows a loaded scene or recording from its start.
    pub(super) fn take(&mut self, name: String, loaded: Loaded) {
        let Loaded { mut show, shapes, source } = loaded;
        // A visit hides parts only while it lasts.
        self.end_visit();
        let before = self.stage.as_ref().filter(|s| s.name == name);
        let again = before.is_some();
        if let Some(before) = before {
            show.hidden = before.show.hidden.carried(&before.show.scene, &show.scene);
        }
        // A design does not move, so it does not play.
        let playhead = Playhead::new(show.scene.bodies.iter().any(|b| b.motion != Motion::Static));
        let has_sliders = show.scene.controls.iter().any(|c| c.set_by == SetBy::Hand);
        self.playhead = if has_sliders { playhead.led() } else { playhead };
        self.last_advance = None;
        if !again {
            self.selection = Selection::default();
            self.options.level = 0;
            self.options.part_level = 1;
            self.part_filter.clear();
            self.options.section = None;
            self.camera = show.scene.camera.as_ref().map_or_else(Camera::default, Camera::from);
            self.unframed = show.scene.camera.is_none();
        }
        if let (BudgetChoice::OfScene, Some(budget)) = (self.budget, show.scene.config.budget) {
            // A budget in time is converted to tests again, as the number of tests depends on the
            // scene.
            self.usual_budget = Budget { tests: budget.tests.filter(|_| budget.us.is_none()), ..budget };
        }
        self.selection.keep_within(show.scene.bodies.len());
        self.forget_parts();
        self.fresh_shapes = Some(shapes);
        let stage = Stage::new(name, show, source);
        let problem = stage.source.problem().or_else(|| stage.review.problem());
        self.stage = Some(stage);
        self.ruler.clear();
        (self.measurer, self.measure) = (None, None);
        if !self.playhead.playing && self.stage.as_ref().is_some_and(Stage::is_design) {
            self.check();
        }
        match problem {
            Some(problem) => self.say(problem, true),
            None => self.message = None,
        }
        self.say_warnings();
    }

    /// Shows a message if files have warnings, such as missing meshes. The list of findings has their
    /// full text.
    fn say_warnings(&mut self) {
        let Some(stage) = self.stage.as_ref().filter(|_| self.message.is_none()) else { return };
        let mut warnings = stage.show.scene.notes.iter().filter(|note| note.kind.is_warning());
        let Some(first) = warnings.next() else { return };
        let short: String = first.text.chars().take(LONGEST_WARNING).collect();
        let dots = if short.len() < first.text.len() { "…" } else { "" };
        let more = match warnings.count() {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        self.say(format!("{short}{dots}{more}: see Findings"), false);
    }

    pub fn aspect(&self) -> f64 {
        f64::from(self.area.width().max(1.0)) / f64::from(self.area.height().max(1.0))
    }
}
