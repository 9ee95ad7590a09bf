//! The selection, and operations on it. It is a list of parts of a scene, or a branch of the assembly.

use glam::DVec2;

use super::app::App;
use super::pick::{Hit, pick};

/// The selected parts in the order of their selection, or a branch of the assembly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    parts: Vec<u32>,
    branch: Option<u32>,
}

impl Selection {
    /// Selects only the given parts.
    pub fn of(parts: impl IntoIterator<Item = u32>) -> Self {
        let mut selection = Self::default();
        for part in parts {
            if !selection.has(part) {
                selection.parts.push(part);
            }
        }
        selection
    }

    /// Returns the selected parts as bodies. The list is empty if a branch is selected.
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    /// Returns the part if exactly one is selected.
    pub fn single(&self) -> Option<u32> {
        if let [part] = self.parts[..] { Some(part) } else { None }
    }

    /// Returns the two parts if exactly two are selected.
    pub fn pair(&self) -> Option<[u32; 2]> {
        self.parts[..].try_into().ok()
    }

    /// Returns the part that was selected last.
    pub fn last(&self) -> Option<u32> {
        self.parts.last().copied()
    }

    /// Returns the selected branch of the assembly, if one is selected instead of parts.
    pub fn branch(&self) -> Option<u32> {
        self.branch
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.branch.is_none()
    }

    /// Returns whether this part is selected, apart from any branch.
    pub fn has(&self, part: u32) -> bool {
        self.parts.contains(&part)
    }

    /// Adds a part. If the part is selected already, removes it.
    fn toggle(&mut self, part: u32) {
        self.branch = None;
        match self.parts.iter().position(|&p| p == part) {
            Some(at) => drop(self.parts.remove(at)),
            None => self.parts.push(part),
        }
    }

    /// Removes parts that do not exist in a scene with `body_count` bodies.
    pub(super) fn keep_within(&mut self, body_count: usize) {
        self.parts.retain(|&part| (part as usize) < body_count);
        self.branch = None;
    }
}

impl App {
    /// Replaces the selection by one part, or clears it.
    pub fn select(&mut self, body: Option<u32>) {
        self.selection = Selection::of(body);
    }

    /// Adds a part to the selection. If the part is selected already, removes it.
    pub fn select_too(&mut self, body: u32) {
        self.selection.toggle(body);
    }

    /// Selects a branch of the assembly with all its descendants.
    pub fn select_branch(&mut self, node: u32) {
        self.selection = Selection { parts: Vec::new(), branch: Some(node) };
    }

    /// Returns the bodies that are selected, as parts or in a branch.
    pub fn chosen(&self) -> Vec<u32> {
        let below = |node| self.stage.as_ref().map(|s| s.assembly.bodies(node).collect());
        self.selection.branch.and_then(below).unwrap_or_else(|| self.selection.parts.clone())
    }

    /// Hides the selected parts and clears the selection.
    pub(super) fn hide(&mut self) {
        let chosen = self.chosen();
        let Some(stage) = self.stage.as_mut().filter(|_| !chosen.is_empty()) else {
            return self.say("select a part to hide it", false);
        };
        chosen.iter().for_each(|&body| stage.show.hidden.set(body, true));
        self.select(None);
    }

    /// Hides all parts except the selection.
    pub(super) fn isolate(&mut self) {
        let chosen = self.chosen();
        match &mut self.stage {
            Some(stage) if !chosen.is_empty() => stage.show.hidden.only(&chosen),
            _ => self.say("select a part to show it alone", false),
        }
    }

    /// Shows all hidden parts.
    pub(super) fn show_all(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.show.hidden.clear();
        }
    }

    /// Moves the camera so that it shows the whole selection or, without a selection, the focus.
    pub(super) fn frame_selected(&mut self) {
        let aspect = self.aspect();
        let Some(stage) = &self.stage else { return };
        let (show, frame) = (&stage.show, &stage.frame);
        let chosen = self.chosen();
        let bodies = if chosen.is_empty() { show.focus(frame) } else { chosen };
        self.camera.frame(bodies.iter().flat_map(|&body| show.corners(body, frame)), aspect);
    }

    /// Returns the surface under a point of the view (−1 to 1, x right and y up).
    pub fn pick(&self, point: DVec2) -> Option<Hit> {
        let stage = self.stage.as_ref()?;
        let [min, max] = stage.show.stage(&stage.frame)?;
        let eye = self.camera.eye();
        let reach = eye.distance(0.5 * (min + max)) + max.distance(min);
        let direction = self.camera.direction(point, self.aspect());
        let look = (self.options.look, self.options.section.as_ref());
        pick(&stage.show, &stage.frame, look, (eye, direction, reach))
    }

    /// Returns whether a body is the ground of the scene. A click on the ground counts as a click
    /// beside the parts.
    pub fn is_ground(&self, body: u32) -> bool {
        self.stage.as_ref().is_some_and(|s| s.show.scene.bodies[body as usize].is_ground)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_selected_once_and_a_second_click_takes_one_out() {
        let mut selection = Selection::of([4, 2, 4]);
        assert_eq!(
            (selection.parts(), selection.pair(), selection.single()),
            (&[4, 2][..], Some([4, 2]), None)
        );
        selection.toggle(4);
        assert_eq!((selection.single(), selection.last()), (Some(2), Some(2)));
        selection.toggle(7);
        selection.toggle(9);
        assert_eq!((selection.parts(), selection.pair(), selection.last()), (&[2, 7, 9][..], None, Some(9)));
        selection.keep_within(9);
        assert_eq!(selection.pair(), Some([2, 7]));
        let mut branch = Selection { parts: Vec::new(), branch: Some(3) };
        assert!(!branch.is_empty());
        branch.toggle(1);
        assert_eq!((branch.branch(), branch.single()), (None, Some(1)), "a part in place of a branch");
    }
}
