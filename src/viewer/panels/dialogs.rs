//! What opens over the view: the picker of scenes, and the help.

use super::super::actions::{BINDINGS, MOUSE};
use super::super::app::{App, Dialog};
use crate::scene::builtin_scenes;

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    match app.dialog {
        Dialog::None => {}
        Dialog::Help => help(ui, app),
        Dialog::Picker => picker(ui, app),
    }
}

/// Built-in scenes, and a field for anything else.
fn picker(ui: &mut egui::Ui, app: &mut App) {
    let mut chosen = None;
    let modal = egui::Modal::new(egui::Id::unique("picker")).show(ui.ctx(), |ui| {
        ui.set_width(440.0);
        ui.heading("Open");
        ui.weak("A built-in scene, or any scene (.toml), model (.glb, .gltf) or recording. A file can also be dropped on the window.");
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
                .desired_width(310.0);
            let response = ui.add(field).labelled_by(label.id);
            // What is typed goes here without a click first.
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
        ui.set_width(470.0);
        ui.horizontal(|ui| {
            ui.heading("Keys and mouse");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.button("Close").clicked()
            })
            .inner
        })
        .inner
        .then(|| ui.close());
        let height = (ui.ctx().content_rect().height() - 140.0).max(100.0);
        egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([18.0, 3.0]).striped(true).show(ui, |ui| {
                for (what, does) in MOUSE {
                    ui.strong(what);
                    ui.label(does);
                    ui.end_row();
                }
                for binding in &BINDINGS {
                    ui.strong(binding.key_text());
                    ui.label(binding.text);
                    ui.end_row();
                }
            });
        });
    });
    if modal.should_close() {
        app.dialog = Dialog::None;
    }
}
