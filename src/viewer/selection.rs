//! What is selected of a scene: a part, or a branch of the assembly, and what is done with it.

use glam::DVec2;

use super::app::App;
use super::pick::{Hit, pick};

impl App {
    /// Selects a part, or nothing, in place of what was.
    pub fn select(&mut self, body: Option<u32>) {
        (self.selected, self.branch) = (body, None);
    }

    /// Selects a branch of the assembly with all below it.
    pub fn select_branch(&mut self, node: u32) {
        (self.selected, self.branch) = (None, Some(node));
    }

    /// The bodies that are selected.
    pub fn chosen(&self) -> Vec<u32> {
        let below = |node| self.stage.as_ref().map(|s| s.assembly.bodies(node).collect());
        self.branch.and_then(below).unwrap_or_else(|| self.selected.into_iter().collect())
    }

    /// Hides what is selected, which then no longer is.
    pub(super) fn hide(&mut self) {
        let chosen = self.chosen();
        let Some(stage) = self.stage.as_mut().filter(|_| !chosen.is_empty()) else {
            return self.say("select a part to hide it", false);
        };
        chosen.iter().for_each(|&body| stage.show.hidden.set(body, true));
        self.select(None);
    }

    /// Hides all but what is selected.
    pub(super) fn isolate(&mut self) {
        let chosen = self.chosen();
        match &mut self.stage {
            Some(stage) if !chosen.is_empty() => stage.show.hidden.only(&chosen),
            _ => self.say("select a part to show it alone", false),
        }
    }

    /// Hides nothing any longer.
    pub(super) fn show_all(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.show.hidden.clear();
        }
    }

    /// Shows what is selected whole, or everything that matters.
    pub(super) fn frame_selected(&mut self) {
        let aspect = self.aspect();
        let Some(stage) = &self.stage else { return };
        let (show, frame) = (&stage.show, &stage.frame);
        let chosen = self.chosen();
        let bodies = if chosen.is_empty() { show.focus(frame) } else { chosen };
        self.camera.frame(bodies.iter().flat_map(|&body| show.corners(body, frame)), aspect);
    }

    /// What is under a point of the view (−1 to 1, right and up).
    pub fn pick(&self, point: DVec2) -> Option<Hit> {
        let stage = self.stage.as_ref()?;
        let [min, max] = stage.show.stage(&stage.frame)?;
        let eye = self.camera.eye();
        let reach = eye.distance(0.5 * (min + max)) + max.distance(min);
        let direction = self.camera.direction(point, self.aspect());
        pick(&stage.show, &stage.frame, self.options.look, eye, direction, reach)
    }

    /// Whether a body is the ground under the scene: a click there is one beside the parts.
    pub fn is_ground(&self, body: u32) -> bool {
        self.stage.as_ref().is_some_and(|s| s.show.scene.bodies[body as usize].is_ground)
    }
}
