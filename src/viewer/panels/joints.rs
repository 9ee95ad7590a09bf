//! A slider for every drive that can be set, both of a robot's joints and of other joints.

use std::f64::consts::PI;
use std::sync::Arc;

use egui::{ScrollArea, Slider, SliderClamping, Ui};

use super::super::app::App;
use super::super::controls::targets_at_start;
use super::super::source::Source;
use super::super::stage::Stage;
use crate::body::{Control, SetBy};

/// Largest height of the list, points.
const HEIGHT: f32 = 240.0;
/// Range of a slider to either side, for a prismatic joint without limits, m.
const ENDLESS_WAY: f64 = 1.0;
/// Width beside a slider for its number and unit, points.
const NUMBER_WIDTH: f32 = 96.0;

pub fn show(ui: &mut Ui, app: &mut App) {
    let Some(stage) = &app.stage else { return };
    let scene = Arc::clone(&stage.show.scene);
    let is_live = matches!(stage.source, Source::Live(_));
    let mut wanted = Vec::new();
    let start = targets_at_start(&scene);
    let was_set = stage.targets != start;
    ui.add_enabled_ui(was_set, |ui| {
        let button = ui.button("As at the start").on_hover_text("sets all joints to where they started");
        if button.clicked() {
            let all = (0..).zip(&scene.controls).zip(&start).filter(|((_, c), _)| c.set_by == SetBy::Hand);
            wanted.extend(all.map(|((index, _), target)| (index, *target)));
        }
    });
    ScrollArea::vertical().id_salt("joints").max_height(HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        for (index, control) in (0..).zip(&scene.controls) {
            if let Some(target) = row(ui, stage, index, control, is_live) {
                wanted.push((index, target));
            }
        }
    });
    for (control, target) in wanted {
        app.set_control(control, target);
    }
}

/// Shows the name of a joint and its slider. Returns the new target if the user set one.
fn row(ui: &mut Ui, stage: &Stage, index: u32, control: &Control, is_live: bool) -> Option<f64> {
    let is_free = is_live && control.set_by == SetBy::Hand;
    let now = stage.coordinate(control);
    let mut target = if is_free { stage.targets[index as usize] } else { now };
    let label = ui.add(egui::Label::new(&control.name).truncate());
    let whose = match control.set_by {
        _ if !is_live => "a recording moves as it did".to_owned(),
        SetBy::Clip(_) => "moves as its table says".to_owned(),
        SetBy::Other { control, .. } => {
            format!("follows {}", stage.show.scene.controls[control as usize].name)
        }
        SetBy::Hand => String::new(),
    };
    let unit = if control.turns() { " rad" } else { " m" };
    let at = format!("it is at {now:.4}{unit}{}", degrees(control, now));
    ui.spacing_mut().slider_width = (ui.available_width() - NUMBER_WIDTH).max(40.0);
    let slider =
        Slider::new(&mut target, range(control)).suffix(unit).max_decimals(4).clamping(SliderClamping::Edits);
    let response = ui
        .add_enabled(is_free, slider)
        .labelled_by(label.id)
        .on_hover_text(&at)
        .on_disabled_hover_text(format!("{whose}; {at}"));
    response.changed().then_some(target)
}

/// Returns the ends of a slider.
fn range(control: &Control) -> std::ops::RangeInclusive<f64> {
    let way = if control.turns() { PI } else { ENDLESS_WAY };
    match control.range {
        [min, max] if min.is_finite() && max.is_finite() => min..=max,
        [min, _] if min.is_finite() => min..=min + 2.0 * way,
        [_, max] if max.is_finite() => max - 2.0 * way..=max,
        _ => -way..=way,
    }
}

fn degrees(control: &Control, angle: f64) -> String {
    if control.turns() { format!(", {:.1}°", angle.to_degrees()) } else { String::new() }
}
