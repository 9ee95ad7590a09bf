//! The panels around the view, and the dialogs over it. Each shows a part of the [`App`], and changes
//! it through actions or through its public fields. None depends on the window or the graphics device.
//!
//! - `assembly.rs`: the parts as a tree.
//! - `bar.rs`: the bar on top.
//! - `budget.rs`: the budget of the search for contacts.
//! - `costliest.rs`: the pairs of bodies with the most work in the shown step.
//! - `dialogs.rs`: the picker of scenes, and the help.
//! - `findings.rs`: the findings, which a click visits.
//! - `icons.rs`: the signs of the transport buttons.
//! - `inspector.rs`: the panel on the right: costs, selection, parts, notes.
//! - `joints.rs`: sliders for the targets of drives.
//! - `legend.rs`: legends of the marks in the view.
//! - `measure.rs`: measures as text.
//! - `plot.rs`: the cost of each step, stage by stage.
//! - `section.rs`: the section plane, and the areas that it cuts.
//! - `selected.rs`: the selected parts.
//! - `style.rs`: colors and spacing.
//! - `transport.rs`: the bar below, to play, step and scrub.
//! - `view.rs`: the view itself, and the mouse in it.

mod assembly;
mod bar;
mod budget;
mod costliest;
mod dialogs;
mod findings;
mod icons;
mod inspector;
mod joints;
mod legend;
mod measure;
mod plot;
mod section;
mod selected;
mod style;
mod transport;
mod view;

pub use style::{BACKGROUND, apply as apply_style};

use super::actions::{self, Action, Binding};
use super::app::{App, Dialog};

/// Runs one frame of the whole interface: keys, panels, view and dialogs.
pub fn show(ui: &mut egui::Ui, app: &mut App) {
    // In the picker, letters belong to the path, even if its field does not have the keyboard focus
    // yet.
    let is_focused = ui.memory(|m| m.focused().is_some()) || app.was_focused;
    let letters_taken =
        app.writing || is_focused || app.dialog == Dialog::Picker || view::is_flying(ui.ctx());
    for action in actions::pressed(ui.ctx(), letters_taken) {
        // If Escape removes the focus from a control, it has no other effect.
        if !(action == Action::Cancel && is_focused && app.dialog == Dialog::None) {
            app.act(action);
        }
    }
    if app.options.panels {
        bar::show(ui, app);
        // A design has no steps to play.
        if app.stage.as_ref().is_none_or(|stage| !stage.is_design()) {
            transport::show(ui, app);
        }
        inspector::show(ui, app);
    }
    view::show(ui, app);
    dialogs::show(ui, app);
    app.writing = ui.ctx().text_edit_focused();
    app.was_focused = ui.memory(|m| m.focused().is_some());
}

/// Returns the tooltip for the button of an action.
fn hint(action: Action) -> String {
    Binding::of(action).map_or_else(String::new, |b| format!("{} ({})", b.text, b.key_text()))
}

/// Shows a button for an action that also has keys. `label` is its name for screen readers.
fn button(ui: &mut egui::Ui, app: &mut App, sign: &str, label: &str, action: Action) {
    let response = ui.button(sign).on_hover_text(hint(action));
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, label));
    if response.clicked() {
        app.act(action);
    }
}
