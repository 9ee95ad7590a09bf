//! Times of steps: over the run, per stage, their spread, and their intervals.

use maud::{Markup, html};

use super::shared::{SharedPlot, class, color, figure, lines, values};
use crate::arrays::MapEach;
use crate::compare::result::{Comparison, ContenderResult};
use crate::page::number::digits;
use crate::page::plot::{HEIGHT, Layer, Mark, Plot, Shape, area_key, by_step, line_key};
use crate::page::scale::{Axis, Form, Scale, range};

/// Returns the section on times over the steps, for all stages together and for each stage.
pub fn section(comparison: &Comparison) -> Markup {
    let all = || comparison.contenders.iter().flat_map(|one| one.times.totals());
    let scale = Scale::from_zero(all()).unwrap_or(Scale::linear(0.0, 1.0));
    let (most, usual) = (range(all()), range(comparison.contenders.iter().map(|one| one.spread.p99)));
    // If the longest time is a rare spike, the axis is cut, because a spike would flatten all other
    // values.
    let cut = match (most, usual) {
        (Some((_, most)), Some((_, usual))) if usual > 0.0 && most > 3.0 * usual => Some(1.5 * usual),
        _ => None,
    };
    let scale = cut.map_or(scale, |high| Scale::linear(0.0, high));
    html! {
        section {
            h2 { "Time of each step" }
            p.note {
                "The plots of single contenders stack the stages of a step; all of them have the same scale."
                @if let Some(high) = cut {
                    " It ends at " (digits(high))
                    " ms; higher spikes are cut off there, but not in the first plot."
                }
            }
            div.plots {
                (totals(comparison))
                @for (k, one) in comparison.contenders.iter().enumerate() {
                    (stacked(k, one, comparison.steps, scale))
                }
            }
        }
    }
}

fn totals(comparison: &Comparison) -> Markup {
    let lines = lines(comparison, |one| by_step(one.times.totals()));
    let scale = Scale::fitting(values(&lines)).unwrap_or(Scale::linear(0.0, 1.0));
    let plot = SharedPlot {
        title: "All stages together",
        x: Axis::steps(comparison.steps),
        y: Axis::new("ms per step", scale, Form::Number),
        lines,
        missing: "no steps",
        marks: Vec::new(),
        note: None,
    };
    plot.figure(&comparison.contenders)
}

fn stacked(k: usize, one: &ContenderResult, steps: u32, scale: Scale) -> Markup {
    let mut sums = vec![0.0; one.times.update.len()];
    let mut layers: Vec<Layer> = Vec::new();
    let stages = one.times.stages();
    for (stage, (name, series)) in stages.iter().enumerate() {
        sums.iter_mut().zip(*series).for_each(|(sum, time)| *sum += time);
        // A step is drawn with its full width on the axis, so that a single step is visible.
        let wide = by_step(sums.iter().copied()).into_iter().flat_map(|(x, y)| [(x - 0.5, y), (x + 0.5, y)]);
        let shape = Shape::Area(wide.collect());
        layers.push(Layer { class: format!("s{stage}"), name: (*name).to_owned(), shape });
    }
    layers.reverse();
    let plot = Plot {
        name: format!("Time of each stage over steps: {}", one.name),
        height: HEIGHT,
        x: Axis::steps(steps),
        y: Axis::new("ms per step", scale, Form::Number),
        layers,
    };
    let legend = html! {
        ul.legend {
            @for (stage, (name, _)) in stages.iter().enumerate().rev() {
                li { (area_key(&format!("s{stage}"))) (name) }
            }
        }
    };
    figure(html! { (line_key(&class(k))) (one.name) ", by stage" }, plot.svg(), legend, None)
}

/// Returns the section on the spread of step times, and on the differences between runs.
pub fn spread_section(comparison: &Comparison) -> Markup {
    html! {
        section {
            h2 { "Spread and noise" }
            div.plots { (cumulative(comparison)) (noise(comparison)) }
        }
    }
}

/// Plots the cumulative share of steps against their time.
fn cumulative(comparison: &Comparison) -> Markup {
    let line = |one: &ContenderResult| {
        let mut times = one.times.totals();
        times.retain(|t| t.is_finite());
        times.sort_unstable_by(f64::total_cmp);
        let share = 100.0 / times.len().max(1) as f64;
        let stair = |(k, t): (usize, &f64)| [(*t, share * k as f64), (*t, share * (k + 1) as f64)];
        times.iter().enumerate().flat_map(stair).collect()
    };
    let lines = lines(comparison, line);
    let times = || lines.iter().flatten().map(|p| p.0);
    let (low, high) = range(times().filter(|&t| t > 0.0)).unwrap_or((0.1, 1.0));
    let of = |share: f64, time: fn(&ContenderResult) -> f64| {
        let timed = comparison.contenders.iter().filter(|one| !one.times.update.is_empty());
        timed.map(|one| (time(one), share)).collect()
    };
    let marks = vec![
        (Mark::Circle, "p50", of(50.0, |one| one.spread.p50)),
        (Mark::Square, "p95", of(95.0, |one| one.spread.p95)),
        (Mark::Triangle, "p99", of(99.0, |one| one.spread.p99)),
    ];
    let plot = SharedPlot {
        title: "Share of steps that take at most a given time",
        x: Axis::new("ms per step", Scale::log(low.max(1e-6 * high) / 1.1, 1.1 * high), Form::Number),
        y: Axis::new("% of the steps", Scale::linear(0.0, 102.0), Form::Number),
        lines,
        missing: "no steps",
        marks,
        note: None,
    };
    plot.figure(&comparison.contenders)
}

/// Plots each run relative to the contender's mean, with the interval of the mean.
fn noise(comparison: &Comparison) -> Markup {
    let percent = |one: &ContenderResult, x: f64| 100.0 * (x / one.mean.value - 1.0);
    let count = comparison.contenders.len() as f64;
    let timed = || comparison.contenders.iter().enumerate().filter(|(_, one)| one.mean.value > 0.0);
    let ends = timed().flat_map(|(_, one)| {
        let all = one.runs.iter().chain(one.mean.interval.iter().flatten());
        all.map(move |&x| percent(one, x))
    });
    let (low, high) = range(ends).unwrap_or((-1.0, 1.0));
    let pad = (0.05 * (high - low)).max(0.1);
    let mut layers = Vec::new();
    for (k, one) in timed() {
        let y = count - k as f64 - 0.75;
        let mut add = |class: String, name: &str, shape| {
            layers.push(Layer { class, name: name.to_owned(), shape });
        };
        if let Some(interval) = one.mean.interval {
            let ends = interval.map_each(|x| (percent(one, x), y)).to_vec();
            add(format!("{} bar", color(k)), "95 % interval of the mean", Shape::Line(ends));
        }
        let runs = one.runs.iter().map(|&x| (percent(one, x), y)).collect();
        add(class(k), &one.name, Shape::Marks(Mark::Circle, runs));
        let name: String = one.name.chars().take(32).collect();
        add(
            String::new(),
            &format!("{name}: {} ms", digits(one.mean.value)),
            Shape::Text(low - pad, y + 0.38),
        );
    }
    let plot = Plot {
        name: "Mean step time of each run, compared with that of all runs".to_owned(),
        height: 80.0 + 36.0 * count,
        x: Axis::new(
            "% above the mean of all runs",
            Scale::linear(low.min(0.0) - pad, high.max(0.0) + pad),
            Form::Number,
        ),
        y: Axis::new("", Scale::linear(0.0, count.max(1.0)), Form::Bare),
        layers,
    };
    let legend = html! {
        ul.legend {
            li { (Mark::Circle.key()) "mean of a run" }
            li { (line_key("bar")) "95 % interval of the mean of all runs" }
        }
    };
    let title = html! { "Differences between the timed runs" };
    figure(title, plot.svg(), legend, None)
}
