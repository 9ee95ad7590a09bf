//! The window: receives the system's events and draws pictures. [`App`] decides the contents; this file
//! only deals with the system and with the times at which pictures are drawn.
//!
//! A picture is drawn after events, and continuously while a scene plays, but not more often than a
//! user can see.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use super::app::{App, WindowRequest};
use super::canvas::Canvas;
use super::gpu::GpuError;
use super::simulation::Wake;
use super::status::Status;
use super::system_error::SystemError;
use crate::config::Budget;
use crate::import::model::Note;
use crate::report::Distribution;
use crate::scene::{Scene, SceneName};

/// Shortest times between two pictures. A software rasterizer must leave CPU time for the simulation.
const SHORTEST_FRAME: Duration = Duration::from_micros(16_600);
const SHORTEST_SOFTWARE_FRAME: Duration = Duration::from_millis(33);
/// Time after which the window opens although loading has not finished. A failure before that is
/// reported only on the terminal.
const PATIENCE: Duration = Duration::from_millis(700);

/// Reason why no window was opened, or why it closed.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    #[error("no window can be opened here; `tumble run` and `tumble export` need none")]
    NoDisplay(#[source] SystemError),
    #[error("the system opens no window")]
    NoWindow(#[source] SystemError),
    /// Scene that cannot be loaded; the message names the file and the reason.
    #[error("{0}")]
    Load(String),
    #[error(transparent)]
    Gpu(#[from] GpuError),
    #[error("no worker thread can be started")]
    Thread(#[from] std::io::Error),
    #[error("the window failed")]
    Loop(#[source] SystemError),
}

/// Statistics of a window over the time that it was open.
#[derive(Clone, Debug, serde::Serialize)]
pub struct WindowReport {
    /// Name of the graphics device.
    pub adapter: String,
    pub is_software: bool,
    /// State of the window at the last picture.
    pub status: Status,
    pub frame_count: usize,
    /// Times from one picture to the next during playback, ms.
    pub frame_ms: Distribution,
    /// CPU times to draw a picture, ms.
    pub draw_ms: Distribution,
    /// Number of simulated steps, and their computation times, ms.
    pub step_count: u32,
    pub step_ms: Distribution,
    /// Notes of the import of the shown scene.
    pub import_notes: Vec<Note>,
}

/// Callback for every change of the shown state. It receives the new state.
pub type OnChange = Box<dyn FnMut(&Status)>;

/// Callback for every opened scene. It receives the scene's notes.
pub type OnNotes = Box<dyn FnMut(&[Note])>;

/// Options with which a window is opened.
#[derive(Default)]
pub struct WindowOptions {
    /// Name of the scene, model or recording, and its import settings.
    pub scene: SceneName,
    /// Budget that overrides the scene's.
    pub budget: Option<Budget>,
    pub close_after: Option<Duration>,
    pub on_change: Option<OnChange>,
    pub on_notes: Option<OnNotes>,
}

/// Opens a window and returns when it is closed.
pub fn open(options: WindowOptions) -> Result<WindowReport, ViewerError> {
    let events = EventLoop::<()>::with_user_event()
        .build()
        .map_err(|e| ViewerError::NoDisplay(SystemError::of(&e)))?;
    let proxy: EventLoopProxy<()> = events.create_proxy();
    let wake: Wake = Arc::new(move || {
        // Sending fails only after the event loop has ended, so the result can be ignored.
        let _ = proxy.send_event(());
    });
    let mut app = App::new(wake)?;
    if let Some(budget) = options.budget {
        app.set_budget(Some(budget));
    }
    let name = options.scene.name.clone();
    app.loader.opened = options.scene;
    app.open(&name);
    let mut shell = Shell {
        app,
        canvas: None,
        open_at: Instant::now() + PATIENCE,
        error: None,
        status: Status::default(),
        on_change: options.on_change,
        on_notes: options.on_notes,
        told: None,
        close_at: options.close_after.map(|d| Instant::now() + d),
        last_frame: None,
        next_frame: None,
        frame_ms: Vec::new(),
        draw_ms: Vec::new(),
    };
    events.run_app(&mut shell).map_err(|e| ViewerError::Loop(SystemError::of(&e)))?;
    match shell.error.take() {
        Some(error) => Err(error),
        None => Ok(shell.report()),
    }
}

/// State of the application during the event loop.
struct Shell {
    app: App,
    canvas: Option<Canvas>,
    /// Time at which the window opens, unless a scene has been loaded earlier.
    open_at: Instant,
    error: Option<ViewerError>,
    status: Status,
    on_change: Option<OnChange>,
    on_notes: Option<OnNotes>,
    /// Scene whose notes were last passed to the callback.
    told: Option<Arc<Scene>>,
    close_at: Option<Instant>,
    /// Time at which the last picture was begun, and whether the scene was moving then.
    last_frame: Option<(Instant, bool)>,
    /// Time at which the next picture is due, if one is.
    next_frame: Option<Instant>,
    frame_ms: Vec<f64>,
    draw_ms: Vec<f64>,
}

impl ApplicationHandler for Shell {
    fn resumed(&mut self, _: &ActiveEventLoop) {}

    fn user_event(&mut self, _: &ActiveEventLoop, (): ()) {
        self.want_frame(Instant::now());
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(canvas) = &mut self.canvas else { return };
        match &event {
            WindowEvent::CloseRequested => return events.exit(),
            WindowEvent::RedrawRequested => return self.draw(events),
            WindowEvent::Resized(size) => canvas.resize([size.width, size.height]),
            WindowEvent::DroppedFile(path) => self.app.open(&path.to_string_lossy()),
            _ => {}
        }
        if canvas.take_event(&event) {
            self.want_frame(Instant::now());
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let now = Instant::now();
        if self.canvas.is_none() && !self.prepare(events, now) {
            return;
        }
        if self.close_at.is_some_and(|at| now >= at) {
            return events.exit();
        }
        if self.next_frame.is_some_and(|at| now >= at)
            && let Some(canvas) = &self.canvas
        {
            self.next_frame = None;
            canvas.window.request_redraw();
        }
        let until = [self.next_frame, self.close_at].into_iter().flatten().min();
        events.set_control_flow(until.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}

impl Shell {
    fn open_canvas(&mut self, events: &ActiveEventLoop, window: Option<Arc<Window>>) {
        match Canvas::open(events, window) {
            Ok(canvas) => {
                self.app.has_wireframe = canvas.has_wireframe();
                self.canvas = Some(canvas);
                self.app.shapes_again();
                self.want_frame(Instant::now());
            }
            Err(error) => {
                self.error = Some(error);
                events.exit();
            }
        }
    }

    /// Opens the window once a scene is loaded or `PATIENCE` has passed. Returns whether the window is
    /// open.
    fn prepare(&mut self, events: &ActiveEventLoop, now: Instant) -> bool {
        self.app.receive();
        if self.gives_up(events) {
            return false;
        }
        if self.app.stage.is_some() || now >= self.open_at {
            self.open_canvas(events, None);
        } else {
            events.set_control_flow(ControlFlow::WaitUntil(self.open_at));
        }
        self.canvas.is_some()
    }

    /// Ends the event loop with an error if loading failed before any scene was shown. Returns whether
    /// it does.
    fn gives_up(&mut self, events: &ActiveEventLoop) -> bool {
        let failure = self.app.message.as_ref().filter(|m| m.is_error && self.app.stage.is_none());
        let Some(text) = failure.map(|m| m.text.clone()) else { return false };
        self.error = Some(ViewerError::Load(text));
        events.exit();
        true
    }

    /// Schedules a picture at `at`, or at the earliest time that is permitted after the last one. A
    /// picture that is due earlier stays scheduled.
    fn want_frame(&mut self, at: Instant) {
        let shortest = match &self.canvas {
            Some(canvas) if canvas.is_software() => SHORTEST_SOFTWARE_FRAME,
            _ => SHORTEST_FRAME,
        };
        let soonest = self.last_frame.map_or(at, |(last, _)| last + shortest);
        let at = at.max(soonest);
        self.next_frame = Some(self.next_frame.map_or(at, |other| other.min(at)));
    }

    /// Draws a picture and schedules the next one. Reopens the canvas if the graphics device is lost.
    fn draw(&mut self, events: &ActiveEventLoop) {
        let Some(canvas) = &mut self.canvas else { return };
        let start = Instant::now();
        if canvas.is_lost() {
            // The driver was reset: its objects are lost, but the state of the app is kept.
            let window = Arc::clone(&canvas.window);
            self.canvas = None;
            self.app.say("the graphics device was lost and has been opened again", false);
            return self.open_canvas(events, Some(window));
        }
        let was_playing = self.last_frame.replace((start, self.app.is_moving()));
        if let Some((last, true)) = was_playing {
            self.frame_ms.push(1e3 * (start - last).as_secs_f64());
        }
        let again = canvas.draw(&mut self.app);
        let status = Status::of(&self.app, canvas.size());
        self.draw_ms.push(1e3 * start.elapsed().as_secs_f64());
        if self.gives_up(events) {
            return;
        }
        self.tell_notes();
        if status != self.status {
            self.status = status;
            if let Some(on_change) = &mut self.on_change {
                on_change(&self.status);
            }
        }
        if std::mem::take(&mut self.app.wishes).contains(&WindowRequest::Quit) {
            return events.exit();
        }
        if self.app.is_moving() {
            self.want_frame(start);
        } else if let Some(delay) = again {
            self.want_frame(start + delay);
        }
    }

    /// Passes the notes of a newly opened scene to the callback `on_notes`, once.
    fn tell_notes(&mut self) {
        let Some(scene) = self.app.stage.as_ref().map(|stage| &stage.show.scene) else { return };
        if self.told.as_ref().is_some_and(|told| Arc::ptr_eq(told, scene)) {
            return;
        }
        if let Some(on_notes) = &mut self.on_notes {
            on_notes(&scene.notes);
        }
        self.told = Some(Arc::clone(scene));
    }

    /// Returns the statistics of the window.
    fn report(&mut self) -> WindowReport {
        let costs = self.app.stage.as_ref().map(|s| s.source.costs(1..=s.source.range().1));
        let costs = costs.unwrap_or_default();
        let step_ms: Vec<f64> = costs.iter().map(|(_, c)| 1e3 * c.timings.total().as_secs_f64()).collect();
        let (adapter, is_software) = match &self.canvas {
            Some(canvas) => (canvas.adapter_name(), canvas.is_software()),
            None => (String::new(), false),
        };
        WindowReport {
            adapter,
            is_software,
            status: self.status.clone(),
            frame_count: self.draw_ms.len(),
            frame_ms: Distribution::of(&self.frame_ms),
            draw_ms: Distribution::of(&self.draw_ms),
            step_count: step_ms.len() as u32,
            step_ms: Distribution::of(&step_ms),
            import_notes: self.app.stage.as_ref().map_or(Vec::new(), |stage| stage.show.scene.notes.clone()),
        }
    }
}
