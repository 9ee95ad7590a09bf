//! The section plane: its position, the shown half, and the areas that it cuts.

use egui::{DragValue, ScrollArea, Slider, Ui};
use glam::DVec3;

use super::super::actions::Action;
use super::super::app::App;
use super::super::cut::CutPart;
use super::inspector::{grid, grouped, row};
use super::selected::significant;
use super::{button, hint};
use crate::query::Plane;

/// Largest offset of a plane from the origin, mm. Larger numbers do not fit into the panel.
const FAR: f64 = 1e7;
/// Largest height of the list of parts, points. The next constant is the largest number of parts in it.
const HEIGHT: f32 = 120.0;
const MOST_PARTS: usize = 200;

pub fn show(ui: &mut Ui, app: &mut App) {
    let Some(plane) = app.options.section else { return };
    ui.horizontal_wrapped(|ui| {
        for (name, axis) in [("X", DVec3::X), ("Y", DVec3::Y), ("Z", DVec3::Z)] {
            let is_on = plane.normal.dot(axis).abs() > 1.0 - 1e-9;
            let choice = ui.selectable_label(is_on, name);
            if choice
                .on_hover_text(format!("across {name}, through the middle of the selection or of all"))
                .clicked()
            {
                app.options.section = app.middle_plane(axis).or(app.options.section);
            }
        }
        button(ui, app, "Flip", "Flip the cut", Action::FlipSection);
        ui.weak("along a face: Shift+O").on_hover_text(hint(Action::SectionFace));
    });
    offset(ui, app);
    areas(ui, app);
}

/// Shows the offset of the plane along its normal, mm, as a slider over the selection or focus and as a
/// number.
fn offset(ui: &mut Ui, app: &mut App) {
    let (Some(plane), Some([min, max])) = (app.options.section, app.section_bounds()) else { return };
    let corner = |bits: u32| {
        let side = |k: usize| if bits >> k & 1 == 0 { min[k] } else { max[k] };
        plane.normal.dot(DVec3::new(side(0), side(1), side(2)))
    };
    let ends = (0..8).map(corner).fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
    // For a plane that is perpendicular to an axis, the number is the coordinate, whichever half is
    // shown.
    let sign = if plane.normal[plane.normal.abs().max_position()] < 0.0 { -1.0 } else { 1.0 };
    let before = 1e3 * sign * plane.offset + 0.0;
    let mut at = before;
    ui.horizontal(|ui| {
        let label = ui.label("at");
        ui.spacing_mut().slider_width = (ui.available_width() - 96.0).max(40.0);
        let [a, b] = ends.map(|end| 1e3 * sign * end);
        let range = a.min(b)..=a.max(b);
        let slider = Slider::new(&mut at, range).show_value(false).clamping(egui::SliderClamping::Never);
        let slider = ui.add(slider).on_hover_text("how far along its normal the plane lies from the origin");
        slider.labelled_by(label.id);
        let speed = (1e3 * (ends[1] - ends[0]) / 500.0).max(1e-6);
        // The number takes effect only when the user has finished it. A comma counts as a decimal
        // point.
        let number = DragValue::new(&mut at).speed(speed).max_decimals(4).suffix(" mm").range(-FAR..=FAR);
        let number = number.update_while_editing(false).custom_parser(|text| {
            text.trim().trim_end_matches("mm").trim_end().replace(',', ".").parse().ok()
        });
        ui.add(number).labelled_by(label.id);
    });
    if at.is_finite() && at != before {
        app.options.section = Some(Plane { offset: 1e-3 * sign * at, ..plane });
    }
}

/// Shows the area of each part's cut, the largest first, and the sum of the areas.
fn areas(ui: &mut Ui, app: &mut App) {
    let Some(stage) = &app.stage else { return };
    let parts = stage.cut.parts();
    if parts.is_empty() {
        ui.weak("the plane cuts nothing that is shown");
        return;
    }
    // The fold starts at 0, because the sum of an empty iterator is −0.
    let sum = parts.iter().filter_map(|part| part.area).fold(0.0, |sum, area| sum + area);
    let open = parts.iter().filter(|part| part.area.is_none()).count();
    grid(ui, "section", |ui| {
        row(ui, "area of the cut", square(sum));
        if open > 0 {
            row(ui, "open parts", format!("{open}, without an area"));
        }
    });
    let mut chosen = None;
    ScrollArea::vertical().id_salt("cut parts").max_height(HEIGHT).auto_shrink([false, true]).show(
        ui,
        |ui| {
            let mut sorted: Vec<&CutPart> = parts.iter().collect();
            let size = |part: &CutPart| part.area.unwrap_or(0.0);
            sorted.sort_by(|x, y| size(y).total_cmp(&size(x)));
            for part in sorted.into_iter().take(MOST_PARTS) {
                let name = &stage.show.scene.bodies[part.body as usize].name;
                let area = part.area.map_or("open".to_owned(), square);
                let text = format!("{area}  {name}");
                let button = egui::Button::selectable(app.selection.has(part.body), text).truncate();
                if ui.add(button).on_hover_text(name).clicked() {
                    chosen = Some(part.body);
                }
            }
            if let Some(more) = parts.len().checked_sub(MOST_PARTS).filter(|n| *n > 0) {
                ui.weak(format!("and {more} more"));
            }
        },
    );
    if let Some(body) = chosen {
        app.select(Some(body));
    }
}

/// Formats an area with four significant digits, in mm² or m².
fn square(area: f64) -> String {
    match 1e6 * area {
        mm if mm.abs() < 1000.0 => format!("{} mm²", significant(mm)),
        mm if mm.abs() < 999_999.5 => format!("{} mm²", grouped(mm.abs().round() as u64)),
        _ => format!("{} m²", significant(area)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_have_a_unit_in_which_they_can_be_read() {
        let all = [0.0, 2.5e-9, 3.1416e-4, 0.04, 1.0, 2.04].map(square);
        let right = ["0 mm²", "0.0025 mm²", "314.2 mm²", "40\u{202f}000 mm²", "1 m²", "2.04 m²"];
        assert_eq!(all, right);
    }
}
