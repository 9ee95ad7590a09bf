//! Test bench for the panels: an app without a window, its mouse and keys, and waiting for its threads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::{DVec2, DVec3};
use tumble::viewer::{App, show_panels};

/// Interval at which a window draws while it waits.
const FRAME: Duration = Duration::from_millis(16);
const PATIENCE: Duration = Duration::from_secs(120);

/// Panels of a window over an app, and the reports of its threads.
pub struct Bench {
    pub harness: Harness<'static, App>,
    news: Receiver<()>,
}

impl Bench {
    pub fn empty() -> Self {
        Self::of_size(vec2(1280.0, 1100.0))
    }

    /// Creates a bench with a window of a size, points.
    pub fn of_size(size: egui::Vec2) -> Self {
        let (send, news) = channel();
        // The receiver is gone once the test is over.
        let wake = move || {
            let _ = send.send(());
        };
        let app = App::new(Arc::new(wake)).unwrap();
        let draw = |ui: &mut egui::Ui, app: &mut App| {
            app.update();
            show_panels(ui, app);
        };
        let builder = Harness::builder().with_size(size).with_step_dt(1.0 / 60.0);
        Self { harness: builder.with_max_steps(20).build_ui_state(draw, app), news }
    }

    /// Opens the built-in scene `chain`, paused at its start.
    pub fn with_chain() -> Self {
        Self::with("chain")
    }

    /// Opens a scene, paused at its start.
    pub fn with(name: &str) -> Self {
        let mut bench = Self::empty();
        bench.app().open(name);
        bench.wait(name, |app| app.stage.is_some());
        bench.key(Key::Space);
        bench.key(Key::R);
        bench.wait_for_step(0);
        bench
    }

    pub fn app(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    /// Draws as the window does, on reports and at intervals, until `holds` is true.
    pub fn wait(&mut self, what: &str, holds: impl Fn(&App) -> bool) {
        let start = Instant::now();
        loop {
            self.harness.step();
            if holds(self.harness.state()) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come: {:?}", self.message());
            // The next picture is due with or without a report.
            let _ = self.news.recv_timeout(FRAME);
        }
    }

    pub fn wait_for_step(&mut self, step: u32) {
        let shown = move |app: &App| app.stage.as_ref().is_some_and(|s| s.frame.step == step);
        self.wait(&format!("step {step}"), shown);
        assert!(!self.app().playhead.playing, "a step that is asked for stays");
    }

    pub fn message(&self) -> Option<&str> {
        self.harness.state().message.as_ref().map(|m| m.text.as_str())
    }

    pub fn key(&mut self, key: Key) {
        self.chord(Modifiers::NONE, key);
    }

    pub fn chord(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(3);
    }

    pub fn button(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::Button, label).click();
        // A new panel is measured in one picture and drawn in the next.
        self.harness.run_steps(3);
    }

    pub fn type_into(&mut self, label: &str, text: &str) {
        self.harness.get_by_role_and_label(Role::TextInput, label).click();
        self.harness.step();
        self.type_text(text);
    }

    /// Types as a keyboard does: keys and their letters.
    pub fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            let key = Key::from_name(&letter.to_uppercase().to_string());
            key.into_iter().for_each(|k| self.harness.key_down(k));
            self.harness.event(egui::Event::Text(letter.into()));
            key.into_iter().for_each(|k| self.harness.key_up(k));
        }
        self.harness.step();
    }

    pub fn press(&self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }

    pub fn click_at(&mut self, pos: Pos2) {
        self.harness.hover_at(pos);
        self.press(pos, PointerButton::Primary, true);
        self.press(pos, PointerButton::Primary, false);
        self.harness.run();
    }

    /// Presses and releases before the next picture is drawn.
    pub fn tap_at(&mut self, pos: Pos2) {
        self.harness.hover_at(pos);
        self.harness.step();
        let event = |pressed| egui::Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.harness.input_mut().events.extend([event(true), event(false)]);
        self.harness.step();
    }

    pub fn drag(&mut self, button: PointerButton, from: Pos2, by: egui::Vec2) {
        self.harness.hover_at(from);
        self.press(from, button, true);
        (1..=4).for_each(|quarter| self.harness.hover_at(from + by * quarter as f32 / 4.0));
        self.press(from + by, button, false);
        self.harness.step();
    }

    /// Returns the screen position of a point of the view (−1 to 1, right and up).
    pub fn on_screen(&mut self, point: DVec2) -> Pos2 {
        let area = self.app().area;
        let share = 0.5 * DVec2::new(point.x + 1.0, 1.0 - point.y);
        area.min + vec2(share.x as f32, share.y as f32) * area.size()
    }

    /// Returns the index of a body, and the screen position of its triangle nearest to the eye.
    pub fn place_of(&mut self, body: &str) -> (u32, Pos2) {
        let app = self.app();
        let (camera, aspect) = (app.camera, app.aspect());
        let stage = app.stage.as_ref().unwrap();
        let index = stage.show.scene.bodies.iter().position(|b| b.name == body).unwrap();
        let mesh = &stage.show.scene.meshes[stage.show.scene.bodies[index].mesh.unwrap() as usize];
        let pose = &stage.frame.poses[index];
        let middle = |t: u32| pose.transform_point(mesh.corners(t).into_iter().sum::<DVec3>() / 3.0);
        let away = |p: &DVec3| p.distance(camera.eye());
        let nearest =
            (0..mesh.triangles().len() as u32).map(middle).min_by(|a, b| away(a).total_cmp(&away(b)));
        let seen = camera.project(nearest.unwrap(), aspect).unwrap();
        (index as u32, self.on_screen(seen))
    }
}
