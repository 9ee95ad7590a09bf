//! The effect of every action.

use super::actions::Action;
use super::app::{App, Dialog, WindowRequest};
use super::show::Look;
use super::stage::Stage;
use crate::record::Kept;

/// Returns whether an action moves between the steps of a run.
fn moves_steps(action: Action) -> bool {
    matches!(
        action,
        Action::PlayOrPause
            | Action::StepForward
            | Action::StepBack
            | Action::LeapForward
            | Action::LeapBack
            | Action::Restart
            | Action::Slower
            | Action::Faster
            | Action::ToggleBudget
    )
}

impl App {
    /// Executes an action.
    pub fn act(&mut self, action: Action) {
        if moves_steps(action) && self.stage.as_ref().is_some_and(Stage::is_design) {
            return self.say("nothing moves here, so there is nothing to play", false);
        }
        let (first, last) = self.stage.as_ref().map_or((0, 0), |s| s.source.range());
        let goes_on = self.stage.as_ref().is_some_and(|s| s.source.goes_on());
        let step = self.playhead.step();
        let ahead = |by: u32| if goes_on { step + by } else { (step + by).min(last) };
        let options = &mut self.options;
        match action {
            Action::PlayOrPause => {
                if !self.playhead.playing && !goes_on && step == last {
                    self.playhead.jump_to(first);
                }
                self.playhead.toggle(self.stage.as_ref().and_then(Stage::end));
            }
            Action::StepForward => self.playhead.stop_at(ahead(1)),
            Action::LeapForward => self.playhead.stop_at(ahead(10)),
            Action::StepBack => self.playhead.stop_at(step.saturating_sub(1).max(first)),
            Action::LeapBack => self.playhead.stop_at(step.saturating_sub(10).max(first)),
            Action::Restart => self.playhead.jump_to(first),
            Action::Reload => {
                if let Some(name) = self.stage.as_ref().map(|s| s.name.clone()) {
                    self.open(&name);
                }
            }
            Action::Slower => self.playhead.change_speed(-1),
            Action::Faster => self.playhead.change_speed(1),
            Action::Frame => self.frame_selected(),
            Action::Cancel => self.cancel(),
            Action::NextFinding => self.visit_next(1),
            Action::PreviousFinding => self.visit_next(-1),
            Action::ToggleRuler => {
                self.ruler.clear();
                self.ruler.is_on = !self.ruler.is_on;
            }
            Action::ToggleSection => self.toggle_section(),
            Action::SectionFace => self.section_face(),
            Action::FlipSection => self.flip_section(),
            Action::Hide => self.hide(),
            Action::Isolate => self.isolate(),
            Action::ShowAll => self.show_all(),
            Action::ToggleContacts => self.toggle_contacts(),
            Action::ToggleBoxes => self.toggle_boxes(),
            Action::ToggleWireframe => options.wireframe = !options.wireframe && self.has_wireframe,
            Action::ToggleLook => {
                options.look = if options.look == Look::Drawn { Look::Colliding } else { Look::Drawn };
            }
            Action::ToggleComponents => options.look = options.look.or_drawn(Look::Components),
            Action::ToggleSimplified => options.look = options.look.or_drawn(Look::Simplified),
            Action::CoarserParts | Action::FinerParts => {
                if let Some((level, count)) = self.part_level() {
                    let finer = action == Action::FinerParts;
                    let next = if finer { (level + 1).min(count) } else { level - 1 };
                    self.options.part_level = next.max(1);
                }
            }
            Action::ToggleBudget => {
                let is_on = self.budget().is_some();
                if self.can_be_limited() {
                    self.set_budget((!is_on).then_some(self.usual_budget));
                } else {
                    self.say("a recording keeps the budget it was made with", false);
                }
            }
            Action::ToggleGround => options.ground = !options.ground,
            Action::TogglePanels => options.panels = !options.panels,
            Action::ToggleHelp => self.toggle(Dialog::Help),
            Action::OpenPicker => self.toggle(Dialog::Picker),
            Action::Screenshot => self.wishes.push(WindowRequest::Screenshot),
            Action::Quit => self.wishes.push(WindowRequest::Quit),
        }
    }

    /// Closes the topmost open item: a dialog, the ruler, a visit or the selection.
    fn cancel(&mut self) {
        if self.dialog != Dialog::None {
            self.dialog = Dialog::None;
        } else if !self.ruler.clear() && !std::mem::take(&mut self.ruler.is_on) && !self.end_visit() {
            self.select(None);
        }
    }

    fn toggle_contacts(&mut self) {
        let has_none = self.stage.as_ref().is_some_and(|s| s.source.kept() == Kept::None);
        if has_none {
            return self.say("this recording keeps no contacts", false);
        }
        self.options.contacts = !self.options.contacts;
    }

    fn toggle_boxes(&mut self) {
        self.options.boxes = !self.options.boxes;
        let aspect = self.aspect();
        let Some(stage) = self.stage.as_ref().filter(|_| self.options.boxes) else { return };
        let is_seen = |corner| {
            let seen = self.camera.project(corner, aspect);
            seen.is_some_and(|p| p.abs().max_element() <= 1.0)
        };
        let mut corners = self.selection.parts().iter().flat_map(|&b| stage.show.corners(b, &stage.frame));
        let is_out_of_sight = !self.selection.parts().is_empty() && !corners.any(is_seen);
        drop(corners);
        if is_out_of_sight {
            self.say("boxes are those of the selection, which is out of sight: F frames it", false);
        }
    }

    fn toggle(&mut self, dialog: Dialog) {
        self.dialog = if self.dialog == dialog { Dialog::None } else { dialog };
    }
}
