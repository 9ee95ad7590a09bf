//! What each step cost: the four stages stacked, over the steps around the one that is shown. *Test* and *query*
//! are at the bottom, so that a budget in time is one line over them. A click on a step shows it.

use egui_plot::{FilledArea, HLine, Line, LineStyle, Plot, PlotPoints, VLine, uniform_grid_spacer};

use super::super::app::App;
use super::style::{STAGES, UNPROVEN};
use crate::timing::Timings;

/// Steps shown at most.
const SPAN: u32 = 300;

/// The stages from the bottom up: what a budget limits comes first.
const STACKED: [usize; 4] = [1, 2, 0, 3];

pub fn stages(timings: &Timings) -> [f64; 4] {
    [timings.update, timings.test, timings.query, timings.solve].map(|d| 1e3 * d.as_secs_f64())
}

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    let Some(stage) = &app.stage else { return };
    let (first, last) = stage.source.range();
    let shown = stage.frame.step;
    // The shown step stays in sight; a live run is followed at its end.
    let end = last.min(shown.max(first) + SPAN / 2).max(SPAN.min(last));
    let start = end.saturating_sub(SPAN).max(first);
    let costs = stage.source.costs(start..=end);
    let steps: Vec<f64> = costs.iter().map(|(step, _)| f64::from(*step)).collect();
    let mut below = vec![0.0; costs.len()];
    let mut areas = Vec::with_capacity(STAGES.len());
    for at in STACKED {
        let (name, color) = STAGES[at];
        let top: Vec<f64> = costs.iter().zip(&below).map(|((_, c), b)| b + stages(&c.timings)[at]).collect();
        areas.push(FilledArea::new(name, &steps, &below, &top).fill_color(color));
        below = top;
    }
    let budget = stage.show.scene.config.budget.and_then(|b| b.us).map(|us| us as f64 / 1e3);
    let peak = with_budget(below.iter().copied().fold(0.0, f64::max).max(0.01), budget);
    let total: PlotPoints = steps.iter().zip(&below).map(|(&x, &y)| [x, y]).collect();
    let mark = mark_spacing(peak);
    let response = Plot::new("cost")
        .y_grid_spacer(uniform_grid_spacer(move |_| [mark, 2.0 * mark, 4.0 * mark]))
        .height(92.0)
        .show_axes([false, true])
        .show_grid([false, true])
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .y_axis_min_width(48.0)
        .y_axis_formatter(|mark, _| format!("{} ms", (1e4 * mark.value).round() / 1e4))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(f64::from(end.saturating_sub(SPAN))..=f64::from(end.max(SPAN)));
            plot.set_plot_bounds_y(0.0..=1.08 * peak);
            for area in areas {
                plot.add(area);
            }
            plot.line(Line::new("step", total).color(egui::Color32::from_white_alpha(90)).width(0.8));
            if let Some(budget) = budget {
                plot.hline(HLine::new("budget", budget).color(UNPROVEN).style(LineStyle::dashed_loose()));
            }
            plot.vline(
                VLine::new("shown", f64::from(shown)).color(egui::Color32::from_rgb(255, 140, 30)).width(1.5),
            );
            let clicked = plot.response().clicked() || plot.response().dragged();
            clicked.then(|| plot.pointer_coordinate()).flatten().map(|p| p.x)
        });
    let label = "Cost of every step, ms, by stage";
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, label));
    if let Some(x) = response.inner {
        app.playhead.stop_at((x.round().max(0.0) as u32).clamp(first, last));
    }
}

/// As high as the plot must be: a budget far above what steps cost is out of sight.
fn with_budget(peak: f64, budget: Option<f64>) -> f64 {
    budget.filter(|&b| b < 3.0 * peak).map_or(peak, |b| peak.max(b))
}

/// 1, 2 or 5 times a power of ten: two or three marks up to the peak.
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
    fn marks_are_round_and_few() {
        for (peak, mark) in [(0.011, 0.005), (0.35, 0.1), (1.0, 0.5), (9.0, 2.0), (230.0, 100.0)] {
            assert!((mark_spacing(peak) - mark).abs() < 1e-9, "{peak}: {}", mark_spacing(peak));
        }
    }
}
