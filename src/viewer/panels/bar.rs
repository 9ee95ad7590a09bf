//! The bar on top: the open scene, the dialog for others, and the options of the view.

use super::super::actions::Action;
use super::super::app::App;
use super::super::overlay;
use super::super::show::Look;
use super::{button, hint};

/// Width of the window, points. In a narrower window, the options are in a menu.
const NARROW: f32 = 960.0;

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    egui::Panel::top("bar").show(ui, |ui| {
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            button(ui, app, "Open…", "Open", Action::OpenPicker);
            ui.separator();
            if ui.ctx().content_rect().width() < NARROW {
                ui.menu_button("Show", |ui| options(ui, app));
            } else {
                options(ui, app);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                button(ui, app, "?", "Help", Action::ToggleHelp);
                button(ui, app, "Picture", "Save a picture", Action::Screenshot);
                button(ui, app, "Frame", "Frame", Action::Frame);
            });
        });
        ui.add_space(2.0);
    });
}

fn options(ui: &mut egui::Ui, app: &mut App) {
    let options = &mut app.options;
    let deepest = app.stage.as_ref().map_or(0, |s| overlay::deepest(&s.show, app.selection.parts()));
    let has_contacts = app.stage.as_ref().is_some_and(|s| s.contacts.is_some());
    let has_looks = app.stage.as_ref().is_some_and(|s| s.show.has_looks());
    ui.add_enabled_ui(has_contacts, |ui| {
        ui.checkbox(&mut options.contacts, "Contacts")
            .on_hover_text(hint(Action::ToggleContacts))
            .on_disabled_hover_text("this recording keeps no contacts");
    });
    ui.checkbox(&mut options.boxes, "Boxes").on_hover_text(hint(Action::ToggleBoxes));
    if options.boxes {
        options.level = options.level.min(deepest);
        let label = ui.label("level");
        ui.spacing_mut().slider_width = 120.0;
        ui.add(egui::Slider::new(&mut options.level, 0..=deepest))
            .on_hover_text("which level of the hierarchies; 0 is the root. Of the selected part, or of all")
            .labelled_by(label.id);
    }
    ui.add_enabled_ui(app.has_wireframe, |ui| {
        ui.checkbox(&mut options.wireframe, "Wires")
            .on_hover_text(hint(Action::ToggleWireframe))
            .on_disabled_hover_text("this graphics driver draws no wires");
    });
    ui.checkbox(&mut options.ground, "Ground").on_hover_text(hint(Action::ToggleGround));
    let (mut is_cut, mut measures) = (options.section.is_some(), app.ruler.is_on);
    if ui.checkbox(&mut is_cut, "Section").on_hover_text(hint(Action::ToggleSection)).changed() {
        app.act(Action::ToggleSection);
    }
    if ui.checkbox(&mut measures, "Ruler").on_hover_text(hint(Action::ToggleRuler)).changed() {
        app.act(Action::ToggleRuler);
    }
    let options = &mut app.options;
    ui.add_enabled_ui(has_looks, |ui| {
        let mut colliding = options.look == Look::Colliding;
        ui.checkbox(&mut colliding, "As it collides")
            .on_hover_text(hint(Action::ToggleLook))
            .on_disabled_hover_text("everything here looks as it collides");
        if colliding || options.look == Look::Colliding {
            options.look = if colliding { Look::Colliding } else { Look::Drawn };
        }
    });
    parts(ui, app);
}

/// Shows the choice between components and simplified models, and their level.
fn parts(ui: &mut egui::Ui, app: &mut App) {
    for (look, name, action) in [
        (Look::Components, "Components", Action::ToggleComponents),
        (Look::Simplified, "Simplified", Action::ToggleSimplified),
    ] {
        let mut shown = app.options.look == look;
        if ui.checkbox(&mut shown, name).on_hover_text(hint(action)).changed() {
            app.act(action);
        }
    }
    if let Some((level, count)) = app.part_level() {
        app.options.part_level = level;
        let label = ui.label("detail");
        ui.spacing_mut().slider_width = 50.0;
        ui.add_enabled(count > 1, egui::Slider::new(&mut app.options.part_level, 1..=count.max(1)))
            .on_hover_text(format!(
                "which level of the simplified models; 1 is the coarsest. {}, {}",
                hint(Action::CoarserParts),
                hint(Action::FinerParts)
            ))
            .on_disabled_hover_text("nothing here has more than one level")
            .labelled_by(label.id);
    }
}
