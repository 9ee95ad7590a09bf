//! The dialogs over the view: the picker of scenes, and the help.

use super::super::actions::{BINDINGS, MOUSE};
use super::super::app::{App, Dialog};
use crate::import::model_extensions;
use crate::scene::builtin_scenes;

/// Width of a column of the help, which lists keys and actions, points.
const COLUMN_WIDTH: f32 = 470.0;
/// Width of the button beside the path field, points.
const BUTTON_WIDTH: f32 = 84.0;

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    match app.dialog {
        Dialog::None => {}
        Dialog::Help => help(ui, app),
        Dialog::Picker => picker(ui, app),
    }
}

/// Shows the built-in scenes, and a field into which the user can type any path.
fn picker(ui: &mut egui::Ui, app: &mut App) {
    let mut chosen = None;
    let modal = egui::Modal::new(egui::Id::unique("picker")).show(ui.ctx(), |ui| {
        ui.set_width((ui.ctx().content_rect().width() - 60.0).min(440.0));
        ui.heading("Open");
        ui.weak(format!(
            "A built-in scene, or any scene (.toml), model ({}) or recording. A file can also be dropped on the window.",
            model_extensions()
        ));
        ui.add_space(6.0);
        for scene in builtin_scenes() {
            let response = ui.add(egui::Button::new(scene.name).min_size(egui::vec2(130.0, 0.0)));
            if response.clicked() {
                chosen = Some(scene.name.to_owned());
            }
            ui.weak(scene.description());
            ui.add_space(4.0);
        }
        ui.separator();
        ui.horizontal(|ui| {
            let label = ui.label("File");
            let field = egui::TextEdit::singleline(&mut app.picker_text)
                .hint_text("path of a file")
                .desired_width((ui.available_width() - BUTTON_WIDTH).max(60.0));
            let response = ui.add(field).labelled_by(label.id);
            // The field gets the keyboard focus, so that the user can type without a click first.
            if ui.memory(|m| m.focused().is_none()) && !response.lost_focus() {
                response.request_focus();
            }
            let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            let pressed = ui.button("Open file").clicked();
            if (entered || pressed) && !app.picker_text.trim().is_empty() {
                chosen = Some(app.picker_text.trim().to_owned());
            }
        });
    });
    if let Some(name) = chosen {
        app.open(&name);
    } else if modal.should_close() {
        app.dialog = Dialog::None;
    }
}

fn help(ui: &mut egui::Ui, app: &mut App) {
    let modal = egui::Modal::new(egui::Id::unique("help")).show(ui.ctx(), |ui| {
        let room = ui.ctx().content_rect().size() - egui::vec2(60.0, 110.0);
        let column_count = if room.x >= 2.0 * COLUMN_WIDTH { 2 } else { 1 };
        ui.set_width((column_count as f32 * COLUMN_WIDTH).min(room.x));
        ui.horizontal(|ui| {
            ui.heading("Keys and mouse");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.button("Close").clicked()
            })
            .inner
        })
        .inner
        .then(|| ui.close());
        let mouse = MOUSE.iter().map(|&(what, does)| (what.to_owned(), does));
        let rows: Vec<_> = mouse.chain(BINDINGS.iter().map(|b| (b.key_text(), b.text))).collect();
        let height = room.y.max(100.0);
        let area = egui::ScrollArea::both().max_height(height).min_scrolled_height(height);
        area.show(ui, |ui| {
            ui.set_min_width(COLUMN_WIDTH * column_count as f32 - 30.0);
            ui.columns(column_count, |columns| {
                let parts = rows.chunks(rows.len().div_ceil(column_count));
                for (number, (ui, rows)) in columns.iter_mut().zip(parts).enumerate() {
                    let grid = egui::Grid::new(("keys", number)).num_columns(2).spacing([18.0, 3.0]);
                    grid.striped(true).show(ui, |ui| {
                        for (what, does) in rows {
                            ui.strong(what);
                            ui.label(*does);
                            ui.end_row();
                        }
                    });
                }
            });
        });
    });
    if modal.should_close() {
        app.dialog = Dialog::None;
    }
}
