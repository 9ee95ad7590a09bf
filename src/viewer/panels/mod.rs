//! The panels around the view and the dialogs over it. Each shows a part of the [`App`] and changes it
//! through actions or its public fields; none knows the window or the graphics card.
//!
//! - `assembly.rs`: the parts as a tree.
//! - `bar.rs`: the bar on top.
//! - `budget.rs`: the budget of the search for contacts.
//! - `dearest.rs`: the pairs of bodies that the shown step did most for.
//! - `dialogs.rs`: the picker of scenes, and the help.
//! - `findings.rs`: the findings, and a way to each.
//! - `icons.rs`: the signs of the transport buttons.
//! - `inspector.rs`: the panel on the right: costs, selection, parts, assumptions.
//! - `joints.rs`: sliders for what drives hold.
//! - `legend.rs`: what the marks in the view mean.
//! - `measure.rs`: measures in words.
//! - `plot.rs`: what each step cost, stage by stage.
//! - `section.rs`: the section plane, and the areas that it cuts.
//! - `selected.rs`: the selected parts.
//! - `style.rs`: colors and spacing.
//! - `transport.rs`: the bar below: play, step, scrub.
//! - `view.rs`: the view itself, and what the mouse does in it.

mod assembly;
mod bar;
mod budget;
mod dearest;
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

/// One pass over everything: keys, panels, view, dialogs.
pub fn show(ui: &mut egui::Ui, app: &mut App) {
    // In the picker letters are part of a path, also before its field has taken the keyboard.
    let is_focused = ui.memory(|m| m.focused().is_some()) || app.was_focused;
    let letters_taken =
        app.writing || is_focused || app.dialog == Dialog::Picker || view::is_flying(ui.ctx());
    for action in actions::pressed(ui.ctx(), letters_taken) {
        // An Escape that leaves a control leaves the rest as it is.
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

/// What a button for an action says when the mouse rests on it.
fn hint(action: Action) -> String {
    Binding::of(action).map_or_else(String::new, |b| format!("{} ({})", b.text, b.key_text()))
}

/// A button that does what keys do too. `label` is what it says to who cannot see its sign.
fn button(ui: &mut egui::Ui, app: &mut App, sign: &str, label: &str, action: Action) {
    let response = ui.button(sign).on_hover_text(hint(action));
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, label));
    if response.clicked() {
        app.act(action);
    }
}
