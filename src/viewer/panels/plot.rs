//! The cost of each step: the four stages stacked, over the steps of the timeline. *Test* and *query*
//! are at the bottom, so that a budget in time is one horizontal line over them. A click on a step
//! shows the step.
//!
//! If there are more steps than fit, several neighboring steps are drawn as one, namely the costliest
//! of them. So no peak is lost.

use egui_plot::{
    FilledArea, GridInput, GridMark, HLine, Line, LineStyle, Plot, PlotPoints, VLine, uniform_grid_spacer,
};

use super::super::app::App;
use super::style::{STAGES, UNPROVEN};
use crate::timing::Timings;

/// Least width of a drawn step, points.
const POINTS_A_STEP: f32 = 1.5;

/// The stages from the bottom up. Those that a budget limits come first.
const STACKED: [usize; 4] = [1, 2, 0, 3];

pub fn stages(timings: &Timings) -> [f64; 4] {
    [timings.update, timings.test, timings.query, timings.solve].map(|d| 1e3 * d.as_secs_f64())
}

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    let Some(stage) = &app.stage else { return };
    let (first, last) = stage.source.range();
    let (start, end) = stage.span();
    let shown = stage.frame.step;
    let room = (ui.available_width() / POINTS_A_STEP).max(60.0) as u32;
    let costs = stage.source.peaks(first..=last, (end - start).div_ceil(room).max(1));
    let steps: Vec<f64> = costs.iter().map(|(step, _)| f64::from(*step)).collect();
    let mut below = vec![0.0; costs.len()];
    let mut areas = Vec::with_capacity(STAGES.len());
    for at in STACKED {
        let (name, color) = STAGES[at];
        let top: Vec<f64> = costs.iter().zip(&below).map(|((_, c), b)| b + stages(c)[at]).collect();
        areas.push(FilledArea::new(name, &steps, &below, &top).fill_color(color));
        below = top;
    }
    let budget = stage.show.scene.config.budget.and_then(|b| b.us).map(|us| us as f64 / 1e3);
    let peak = with_budget(below.iter().copied().fold(0.0, f64::max).max(0.01), budget);
    let total: PlotPoints = steps.iter().zip(&below).map(|(&x, &y)| [x, y]).collect();
    let mark = mark_spacing(peak);
    let response = Plot::new("cost")
        .y_grid_spacer(uniform_grid_spacer(move |_| [mark, 2.0 * mark, 4.0 * mark]))
        .height(108.0)
        .show_axes([true, true])
        .x_grid_spacer(move |_: GridInput| step_marks(start, end))
        .x_axis_formatter(|mark, _| step_label(mark.value as u32))
        .show_grid([false, true])
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .y_axis_min_width(48.0)
        .y_axis_formatter(|mark, _| format!("{} ms", (1e4 * mark.value).round() / 1e4))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(f64::from(start)..=f64::from(end));
            plot.set_plot_bounds_y(0.0..=1.08 * peak);
            for area in areas {
                plot.add(area);
            }
            plot.line(Line::new("step", total).color(egui::Color32::from_white_alpha(90)).width(0.8));
            if let Some(budget) = budget {
                plot.hline(HLine::new("budget", budget).color(UNPROVEN).style(LineStyle::dashed_loose()));
            }
            plot.vline(VLine::new("shown", f64::from(shown)).color(egui::Color32::WHITE).width(1.5));
            let clicked = plot.response().clicked() || plot.response().dragged();
            clicked.then(|| plot.pointer_coordinate()).flatten().map(|p| p.x)
        });
    let label = "Cost of every step, ms, by stage";
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, label));
    if let Some(x) = response.inner {
        // A click selects the nearest of the drawn steps.
        let nearest = steps.iter().copied().min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()));
        app.playhead.stop_at((nearest.unwrap_or(x).round().max(0.0) as u32).clamp(first, last));
    }
}

/// Formats a step, for example `step 100`.
fn step_label(step: u32) -> String {
    format!("step {step}")
}

/// Returns the steps with labels. They are up to eight round numbers, with room for the labels.
fn step_marks(start: u32, end: u32) -> Vec<GridMark> {
    let apart = mark_spacing(f64::from(end - start) / 1.5).max(1.0);
    let air = 0.04 * f64::from(end - start);
    let first = ((f64::from(start) + air) / apart).ceil() as u32;
    let values = (first..).map(|k| f64::from(k) * apart).take_while(|&at| at <= f64::from(end) - air);
    values.map(|value| GridMark { value, step_size: apart }).collect()
}

/// Returns the height of the plot. It includes the budget, unless the budget is far above the costs.
fn with_budget(peak: f64, budget: Option<f64>) -> f64 {
    budget.filter(|&b| b < 3.0 * peak).map_or(peak, |b| peak.max(b))
}

/// Returns the spacing of the marks, which is 1, 2 or 5 times a power of ten. Two or three marks fit
/// below the peak.
fn mark_spacing(peak: f64) -> f64 {
    let power = 10f64.powf((0.5 * peak).log10().floor());
    let fits = |times: &f64| times * power <= 0.5 * peak;
    power * [5.0, 2.0].into_iter().find(fits).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_in_sight_unless_steps_are_far_below_it() {
        let cases = [(2.0, None, 2.0), (2.0, Some(1.0), 2.0), (2.0, Some(5.0), 5.0), (0.1, Some(5.0), 0.1)];
        for (peak, budget, height) in cases {
            assert_eq!(with_budget(peak, budget), height);
        }
    }

    #[test]
    fn steps_are_named_at_round_numbers() {
        let marks = |start, end| step_marks(start, end).iter().map(|m| m.value as u32).collect::<Vec<_>>();
        assert_eq!(marks(0, 600), [200, 400]);
        assert_eq!(marks(0, 3), [1, 2]);
        assert_eq!(marks(181, 1200), [400, 600, 800, 1000]);
    }

    #[test]
    fn marks_are_round_and_few() {
        for (peak, mark) in [(0.011, 0.005), (0.35, 0.1), (1.0, 0.5), (9.0, 2.0), (230.0, 100.0)] {
            assert!((mark_spacing(peak) - mark).abs() < 1e-9, "{peak}: {}", mark_spacing(peak));
        }
    }
}
