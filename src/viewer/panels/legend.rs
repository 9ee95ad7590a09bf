//! Legends in the corners of the view: the marks of contacts, the scale of forces, and the contents at
//! a level of parts.

use egui::{Align2, Color32, Pos2, Rect, Stroke, vec2};

use super::super::app::App;
use super::super::overlay;
use super::super::stage::Stage;
use crate::record::{Basis, Kept};

const LINES: [(Basis, &str, &str); 3] = [
    (Basis::Found, "found", "on the surfaces, up to date"),
    (Basis::Held, "held", "found earlier, moved along with the parts since"),
    (Basis::Region, "region", "boxes overlap here, the surfaces were not tested"),
];
const LINE_HEIGHT: f32 = 18.0;
const WIDTH: f32 = 410.0;

pub fn show(ui: &mut egui::Ui, app: &App, area: Rect) {
    contacts(ui, app, area);
    parts(ui, app, area);
}

/// Shows the components of the selected part, or of all parts.
fn parts(ui: &mut egui::Ui, app: &App, area: Rect) {
    let Some(((level, _), stage)) = app.part_level().filter(|_| app.options.panels).zip(app.stage.as_ref())
    else {
        return;
    };
    let Some(parts) = &stage.show.parts else { return };
    let mesh = app.selection.single().and_then(|body| stage.show.scene.bodies[body as usize].mesh);
    let all = 0..stage.show.scene.meshes.len() as u32;
    let [elements, components] = parts.describe(mesh.map_or(all, |m| m..m + 1), level);
    let text = egui::RichText::new(format!("{elements}; {components}")).size(12.5).color(Color32::WHITE);
    let font = egui::FontId::proportional(12.5);
    let size = ui.painter().layout_no_wrap(text.text().to_owned(), font, Color32::WHITE).size();
    let place = Rect::from_min_size(area.right_bottom() - size - vec2(28.0, 20.0), size);
    ui.painter().rect_filled(place.expand2(vec2(8.0, 4.0)), 6.0, Color32::from_black_alpha(190));
    ui.put(place, egui::Label::new(text).selectable(false).extend());
}

fn contacts(ui: &mut egui::Ui, app: &App, area: Rect) {
    let options = &app.options;
    let Some(stage) = app.stage.as_ref().filter(|s| s.contacts.is_some()) else { return };
    if !(options.contacts && options.panels) || area.width() < WIDTH + 24.0 {
        return;
    }
    // Recordings with only one mark per pair do not store the basis of the contacts.
    let tells_apart = stage.show.scene.config.budget.is_some() && stage.source.kept() == Kept::All;
    let lines = if tells_apart { &LINES[..] } else { &[] };
    let size = vec2(WIDTH, LINE_HEIGHT * (lines.len() + 1) as f32 + 12.0);
    let place = Rect::from_min_size(area.left_bottom() + vec2(12.0, -12.0 - size.y), size);
    ui.painter().rect_filled(place, 6.0, Color32::from_black_alpha(190));
    let middle = |row: usize| place.min.y + 6.0 + (row as f32 + 0.5) * LINE_HEIGHT;
    forces(ui, app, stage, Pos2::new(place.min.x + 18.0, middle(0)));
    let font = egui::FontId::proportional(12.5);
    for (row, (basis, name, meaning)) in lines.iter().enumerate() {
        let y = middle(row + 1);
        let painter = ui.painter();
        mark(painter, Pos2::new(place.min.x + 18.0, y), *basis);
        let write = |x: f32, text: &str, color| {
            let at = Pos2::new(place.min.x + x, y);
            painter.text(at, Align2::LEFT_CENTER, text, font.clone(), color);
        };
        write(34.0, name, Color32::WHITE);
        write(84.0, meaning, Color32::from_gray(190));
    }
}

/// Draws a line for a round force, as long as the view draws it at its middle. Names the bodies whose
/// forces are shown.
fn forces(ui: &mut egui::Ui, app: &App, stage: &Stage, from: Pos2) {
    let whose = match app.selection.parts() {
        [body] => format!("on {}", stage.show.scene.bodies[*body as usize].name),
        [_, _, ..] => format!("on {} parts", app.selection.parts().len()),
        [] if stage.source.kept() == Kept::Pairs => "of all pairs".to_owned(),
        [] => "at all contacts".to_owned(),
    };
    let (text, length) = match stage.force_scale(app.selection.parts(), &app.camera) {
        Some(scale) => {
            let pixel = app.camera.metres_per_pixel(app.area.height().into());
            let length = ((scale.length / pixel) as f32).min(0.5 * WIDTH);
            (format!("{} N, forces {whose}", scale.force), length)
        }
        None => (format!("no forces {whose}"), 0.0),
    };
    let ([r, g, b, _], ..) = overlay::mark(Basis::Found);
    let to = from + vec2(length, 0.0);
    ui.painter().line_segment([from, to], Stroke::new(2.0, Color32::from_rgb(r, g, b)));
    let text = egui::RichText::new(text).size(12.5).color(Color32::WHITE);
    let room = vec2(WIDTH - 36.0 - length, LINE_HEIGHT);
    let place = Rect::from_min_size(to + vec2(8.0, -0.5 * LINE_HEIGHT), room);
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        ui.add(egui::Label::new(text).selectable(false).truncate());
    });
}

/// Draws a mark in the same way as the view.
fn mark(painter: &egui::Painter, at: Pos2, basis: Basis) {
    let (normal, point, is_hollow) = overlay::mark(basis);
    let color = |[r, g, b, _]: [u8; 4]| Color32::from_rgb(r, g, b);
    painter.line_segment([at, at + vec2(9.0, -5.0)], Stroke::new(2.0, color(normal)));
    if is_hollow {
        painter.circle_filled(at, 4.5, color(point));
        painter.circle_filled(at, 2.5, color(overlay::HOLLOW));
    } else {
        painter.circle_filled(at, 3.0, color(point));
    }
}
