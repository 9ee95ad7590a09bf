//! The bar below. It has the buttons to play and step, a slider over the simulated steps, and the cost
//! of each step.

use std::cmp::Ordering;

use super::super::actions::Action;
use super::super::app::App;
use super::super::playhead::Playhead;
use super::icons::{self, Icon};
use super::style::UNPROVEN;
use super::{budget, hint, plot};
use crate::digits::seconds;

/// Width, points. In a narrower bar, the step is shown only as a number.
const SHORT: f32 = 340.0;

/// Height of the window, points. In a lower window there is no plot, as the plot would take the view's
/// room.
const LOW: f32 = 420.0;

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    egui::Panel::bottom("transport").show(ui, |ui| {
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            let (play, play_label) =
                if app.playhead.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
            for (icon, label, action) in [
                (Icon::Restart, "Restart", Action::Restart),
                (Icon::StepBack, "Step back", Action::StepBack),
                (play, play_label, Action::PlayOrPause),
                (Icon::StepForward, "Step forward", Action::StepForward),
            ] {
                if icons::button(ui, icon, label).on_hover_text(hint(action)).clicked() {
                    app.act(action);
                }
            }
            speed(ui, app);
            scrub(ui, app);
        });
        if let Some(stage) = &app.stage {
            budget::line(ui, stage);
        }
        if ui.ctx().content_rect().height() >= LOW {
            plot::show(ui, app);
        }
        ui.add_space(3.0);
    });
}

fn speed(ui: &mut egui::Ui, app: &mut App) {
    let name = |speed: f64| format!("{speed}×");
    let wished = app.playhead.speed;
    let (text, meaning) = match app.slower_pace() {
        Some(pace) => (
            egui::RichText::new(format!("{}× of {}", two_digits(pace), name(wished))).color(UNPROVEN),
            "real-time factor: the simulation is behind the speed that is wished for",
        ),
        None => (egui::RichText::new(name(wished)), "speed: simulated seconds a second"),
    };
    let mut chosen = wished;
    egui::ComboBox::from_id_salt("speed")
        .selected_text(text)
        .width(96.0)
        .show_ui(ui, |ui| {
            for speed in Playhead::SPEEDS {
                ui.selectable_value(&mut chosen, speed, name(speed));
            }
        })
        .response
        .on_hover_text(format!("{meaning}; {}; {}", hint(Action::Slower), hint(Action::Faster)))
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Speed"));
    if chosen != wished {
        app.playhead.set_speed(chosen);
    }
}

/// Formats a number with two significant digits, for example `0.16` or `0.0024`.
fn two_digits(number: f64) -> String {
    let digits = if number > 0.0 { (1 - number.log10().floor() as i32).clamp(0, 6) } else { 0 };
    format!("{number:.*}", digits as usize)
}

fn scrub(ui: &mut egui::Ui, app: &mut App) {
    let Some(stage) = &app.stage else { return };
    let (first, last) = stage.source.range();
    let (_, whole) = stage.span();
    let dt = stage.show.scene.config.dt;
    let shown = stage.frame.step;
    let end = stage.end().unwrap_or(last);
    let place = match shown.cmp(&end) {
        Ordering::Less => format!("step {shown} of {end}"),
        Ordering::Equal => format!("step {shown}, the end"),
        Ordering::Greater => format!("step {shown}, past {end}"),
    };
    let text = match ui.available_width() {
        width if width < SHORT => shown.to_string(),
        _ => format!("{place}   {:.2} s", stage.time()),
    };
    // All digits of the font have the same width.
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let text_width = ui.fonts_mut(|f| f.glyph_width(&font, '0')) * text.chars().count() as f32;
    let width = (ui.available_width() - text_width - 3.0 * ui.spacing().item_spacing.x).max(60.0);
    ui.spacing_mut().slider_width = width;
    let mut step = shown;
    let slider = egui::Slider::new(&mut step, first..=whole).show_value(false);
    let response = ui.add(slider).on_hover_text(match first {
        0 => "every step; those that are simulated can be shown".to_owned(),
        _ => format!("the first {} were let go to bound the memory", seconds(f64::from(first - 1) * dt)),
    });
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(shown), "Timeline"));
    if let Some(at) = pressed_at(ui, &response) {
        step = step_at(ui, response.rect, at, (first, whole));
    }
    if step != shown || response.dragged() || response.changed() {
        app.playhead.stop_at(step.min(last));
    }
    ui.monospace(text);
}

/// Returns the position at which the pointer was pressed on a slider since the last picture. This is
/// needed because a slider follows a drag, but misses a press that ends before the next picture.
fn pressed_at(ui: &egui::Ui, slider: &egui::Response) -> Option<f32> {
    let pressed = |event: &egui::Event| match event {
        egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed: true, .. } => {
            Some(*pos)
        }
        _ => None,
    };
    let press = ui.input(|i| i.events.iter().find_map(pressed)).filter(|p| slider.rect.contains(*p))?;
    // The press counts only if no window covers the slider there.
    let top = ui.ctx().layer_id_at(press);
    (top == Some(slider.layer_id)).then_some(press.x)
}

/// Returns the step at a position on the rail of a slider. At each end, the rail is shorter than its
/// rectangle by half a handle.
fn step_at(ui: &egui::Ui, rail: egui::Rect, x: f32, (first, last): (u32, u32)) -> u32 {
    let radius = rail.height() / 2.5;
    let half = match ui.visuals().handle_shape {
        egui::style::HandleShape::Circle => radius,
        egui::style::HandleShape::Rect { aspect_ratio } => radius * aspect_ratio,
    };
    let rail = rail.x_range().shrink(half);
    let share = ((x - rail.min) / rail.span().max(1.0)).clamp(0.0, 1.0);
    first + (f64::from(share) * f64::from(last - first)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_has_two_digits_that_count() {
        for (pace, text) in [(0.163, "0.16"), (0.0024, "0.0024"), (0.98, "0.98"), (7.43, "7.4"), (0.0, "0")] {
            assert_eq!(two_digits(pace), text);
        }
    }
}
