//! Measures as text: the distance or depth of two parts, and the distance of two picked points. Each is
//! also written beside its line in the view.

use egui::{Align2, Color32, FontId, Rect, Ui, pos2, vec2};
use glam::DVec3;

use super::super::app::App;
use super::super::measure::{Gap, Measure};
use super::super::ruler::Span;
use super::inspector::{grid, row};
use crate::check::written;

/// Shows the measure of the two selected parts, and the ruler.
pub fn show(ui: &mut Ui, app: &App) {
    let Some(stage) = &app.stage else { return };
    if let Some(pair) = app.selection.pair() {
        match (&app.measure, app.unmeasurable(pair)) {
            (_, Some(reason)) => drop(ui.add(egui::Label::new(reason).wrap())),
            (Some(measure), None) => of_parts(ui, measure, stage.frame.step),
            (None, None) => {
                ui.horizontal(|ui| {
                    ui.spinner();
                    ui.weak("measuring…");
                });
            }
        }
        if let Some(note) = app.measure_note(pair) {
            ui.add(egui::Label::new(egui::RichText::new(note).weak()).wrap());
        }
    }
    if let Some(span) = app.ruler.span(&stage.frame) {
        of_points(ui, &span);
    } else if app.ruler.is_on {
        ui.weak("click on two points; corners are taken where they are near");
    }
}

fn of_parts(ui: &mut Ui, measure: &Measure, step: u32) {
    let (name, text) = in_words(measure);
    let other = other_step(measure, step);
    grid(ui, "measure", |ui| {
        row(ui, name, text);
        if let Gap::Apart(_) | Gap::Deep(_) = measure.gap {
            components(ui, measure.points);
        }
        if let Some(other) = other {
            row(ui, "of step", other.to_string());
        }
    });
}

/// Returns the step of a measure if this is not the shown step.
fn other_step(measure: &Measure, shown: u32) -> Option<u32> {
    Some(measure.step).filter(|step| *step != shown)
}

/// Returns a measure as the name of its kind and its length.
fn in_words(measure: &Measure) -> (&'static str, String) {
    let (name, length) = match measure.gap {
        Gap::Apart(length) => ("distance", length),
        Gap::Inside(length) => ("inside, walls apart", length),
        Gap::Deep(length) => ("depth", length),
        Gap::Crossing(length) => ("sheets reach through", length),
    };
    let at_least = match (measure.is_bound, measure.gap) {
        (false, _) => "",
        (true, Gap::Apart(_) | Gap::Inside(_)) => "at most ",
        (true, _) => "at least ",
    };
    (name, format!("{at_least}{}", written(length)))
}

fn components(ui: &mut Ui, [a, b]: [DVec3; 2]) {
    let way = b - a;
    row(ui, "x, y, z, mm", format!("{:.3}  {:.3}  {:.3}", 1e3 * way.x, 1e3 * way.y, 1e3 * way.z));
}

fn of_points(ui: &mut Ui, span: &Span) {
    grid(ui, "ruler", |ui| {
        row(ui, "points", written(span.points[0].distance(span.points[1])));
        components(ui, span.points);
        if let Some(angle) = span.angle {
            row(ui, "faces", format!("{:.2}°", angle.to_degrees()));
        }
        if let Some(between) = span.between_faces {
            row(ui, "faces apart", written(between));
        }
    });
}

/// Draws the labels of measures beside their lines in the view.
pub fn labels(ui: &Ui, app: &App, area: Rect) {
    let Some(stage) = &app.stage else { return };
    if let Some(measure) = &app.measure {
        let (text, is_old) = label_text(measure, stage.frame.step);
        label(ui, app, area, measure.points, (&text, is_old));
    }
    if let Some(span) = app.ruler.span(&stage.frame) {
        let mut text = written(span.points[0].distance(span.points[1]));
        if let Some(angle) = span.angle {
            text += &format!(", faces {:.2}°", angle.to_degrees());
        }
        label(ui, app, area, span.points, (&text, false));
    }
}

/// Returns the text beside the line of a measure, and whether the measure belongs to another step than
/// the shown one.
fn label_text(measure: &Measure, shown: u32) -> (String, bool) {
    let (name, text) = in_words(measure);
    match other_step(measure, shown) {
        Some(step) => (format!("{name} {text} in step {step}"), true),
        None => (format!("{name} {text}"), false),
    }
}

/// Draws a label beside the middle of a line in the view. The label is gray if it belongs to another
/// step.
fn label(ui: &Ui, app: &App, area: Rect, [a, b]: [DVec3; 2], (text, is_old): (&str, bool)) {
    let Some(at) = app.camera.project(0.5 * (a + b), app.aspect()) else { return };
    if at.abs().max_element() > 1.0 {
        return;
    }
    let share = vec2(0.5 + 0.5 * at.x as f32, 0.5 - 0.5 * at.y as f32);
    let at = area.min + share * area.size() + vec2(10.0, -10.0);
    let color = if is_old { Color32::from_gray(150) } else { Color32::WHITE };
    let painter = ui.painter().with_clip_rect(area);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), color);
    // Near the right edge, the label is moved to stay in the view.
    let left = at.x.min(area.max.x - galley.size().x - 8.0).max(area.min.x + 8.0);
    let rect = Align2::LEFT_BOTTOM.anchor_size(pos2(left, at.y.max(area.min.y + 24.0)), galley.size());
    painter.rect_filled(rect.expand2(vec2(5.0, 2.0)), 4.0, Color32::from_black_alpha(200));
    painter.galley(rect.min, galley, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_says_the_step_of_a_measure_that_is_not_the_one_shown() {
        let (gap, points) = (Gap::Apart(0.25), [DVec3::ZERO, DVec3::X]);
        let measure = Measure { pair: [1, 2], step: 7, gap, points, is_bound: false };
        assert_eq!(label_text(&measure, 7), ("distance 250.0 mm".to_owned(), false));
        assert_eq!(label_text(&measure, 8), ("distance 250.0 mm in step 7".to_owned(), true));
        assert_eq!((other_step(&measure, 7), other_step(&measure, 6)), (None, Some(7)));
        let bound = Measure { is_bound: true, ..measure };
        assert_eq!(label_text(&bound, 7).0, "distance at most 250.0 mm");
        let deep = Measure { gap: Gap::Deep(2e-3), ..bound };
        assert_eq!(label_text(&deep, 7).0, "depth at least 2.000 mm");
    }
}
