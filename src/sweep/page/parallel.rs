//! All keys, and the main figures, as parallel axes. A run is a line across them.

use maud::{Markup, html};

use super::super::merge::Merged;
use super::super::row::{FIGURES, Row};
use crate::page::scale::{Axis, Form, Scale, range};

/// Size of the drawing, and its edges around the axes.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 400.0;
const SIDES: [f64; 2] = [90.0, 90.0];
const TOP: f64 = 44.0;
const BELOW: f64 = 20.0;
/// Largest number of lines. More would make the page large and hide one another.
const LINES: usize = 2000;
/// Largest number of keys with an axis.
const KEYS: usize = 10;
/// Largest number of labels of an axis with words.
const WORDS: usize = 14;
/// Figures that have an axis, and the names of the axes.
const SHOWN: [(&str, &str); 2] =
    [("deepest_overlap_mm", "deepest overlap, mm"), ("greatest_force_n", "greatest force, N")];

/// An axis: the place of each run on it (0 at the bottom, 1 at the top), and its labels.
struct Rail {
    name: String,
    places: Vec<Option<f64>>,
    labels: Vec<(f64, String)>,
}

impl Rail {
    /// Makes the axis of numbers, or of words in the order in which they appear.
    fn of(name: &str, values: &[Option<String>]) -> Self {
        let given: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
        let numbers: Option<Vec<f64>> = given.iter().map(|value| value.parse::<f64>().ok()).collect();
        let number = |value: &Option<String>| value.as_ref().and_then(|value| value.parse::<f64>().ok());
        let ends = numbers.and_then(|numbers| range(numbers.into_iter()));
        if let Some((low, high)) = ends {
            let axis = Axis::new(name, Scale::linear(low, high), Form::Number);
            let ticks = axis.ticks().into_iter();
            return Self {
                name: axis.label,
                places: values.iter().map(|value| number(value).map(|own| axis.scale.share(own))).collect(),
                labels: ticks.map(|(value, label)| (axis.scale.share(value), label)).collect(),
            };
        }
        let mut words: Vec<&str> = Vec::new();
        given.iter().for_each(|word| {
            if !words.contains(word) {
                words.push(word);
            }
        });
        let place = |k: usize| (k as f64 + 0.5) / words.len().max(1) as f64;
        let find = |value: &Option<String>| words.iter().position(|word| Some(*word) == value.as_deref());
        let every = words.len().div_ceil(WORDS).max(1);
        Self {
            name: name.to_owned(),
            places: values.iter().map(|value| find(value).map(place)).collect(),
            labels: words
                .iter()
                .enumerate()
                .step_by(every)
                .map(|(k, word)| (place(k), (*word).to_owned()))
                .collect(),
        }
    }
}

/// Draws the axes of keys, which are given by their places, and of the main figures.
pub(super) fn axes(merged: &Merged, keys: &[usize]) -> Markup {
    let names: Vec<&str> = merged.manifest.plan.keys().collect();
    let rows = chosen(&merged.rows);
    let mut rails: Vec<Rail> = keys
        .iter()
        .take(KEYS)
        .map(|&key| {
            let values: Vec<Option<String>> = rows.iter().map(|row| Some(row.values[key].clone())).collect();
            Rail::of(names[key], &values)
        })
        .collect();
    for (figure, name) in SHOWN {
        let Some(place) = FIGURES.iter().position(|(own, _)| *own == figure) else { continue };
        let values: Vec<Option<String>> =
            rows.iter().map(|row| row.figures[place].map(|own| own.to_string())).collect();
        if values.iter().any(Option::is_some) {
            rails.push(Rail::of(name, &values));
        }
    }
    let left_out = keys.len().saturating_sub(KEYS);
    html! {
        h2 { "All runs" }
        p.note {
            "A line is a run; a failing run is "
            span.failing { "orange" }
            ". Point at a line to see its values."
            @if rows.len() < merged.rows.len() { " " (rows.len()) " of " (merged.rows.len()) " runs are drawn, failing ones first." }
            @if left_out > 0 { " " (left_out) " more keys are not drawn." }
        }
        div.wide tabindex="0" {
            svg.parallel viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label="The values and results of all runs" {
                @for (k, row) in rows.iter().enumerate() { (line(&rails, k, row, &names)) }
                @for (k, rail) in rails.iter().enumerate() { (drawn(rail, x(k, rails.len()), k % 2 == 1)) }
            }
        }
    }
}

/// Returns the rows to draw: failing ones last, so that they are on top; evenly thinned if there are too
/// many.
fn chosen(rows: &[Row]) -> Vec<&Row> {
    let (failing, held): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.is_failing());
    let thin = |rows: Vec<&'_ Row>, most: usize| -> Vec<usize> {
        let every = rows.len().div_ceil(most.max(1)).max(1);
        (0..rows.len()).step_by(every).take(most).collect()
    };
    let drawn_failing = thin(failing.clone(), LINES);
    let drawn_held = thin(held.clone(), LINES - drawn_failing.len());
    drawn_held.into_iter().map(|k| held[k]).chain(drawn_failing.into_iter().map(|k| failing[k])).collect()
}

/// Draws the line of a run. It is interrupted where the run has no value.
fn line(rails: &[Rail], run: usize, row: &Row, names: &[&str]) -> Markup {
    let mut path = String::new();
    let mut is_down = false;
    for (k, rail) in rails.iter().enumerate() {
        match rail.places[run] {
            Some(place) => {
                path +=
                    &format!("{}{:.0} {:.1}", if is_down { "L" } else { "M" }, x(k, rails.len()), y(place));
                is_down = true;
            }
            None => is_down = false,
        }
    }
    let values: Vec<String> =
        names.iter().zip(&row.values).map(|(key, value)| format!("{key} {value}")).collect();
    html! {
        path.run.failing[row.is_failing()] d=(path) { title { "run " (row.run) ": " (values.join(", ")) } }
    }
}

/// Draws an axis with its labels. The names of neighbors are at two heights, so that they do not
/// overlap.
fn drawn(rail: &Rail, x: f64, is_lower: bool) -> Markup {
    html! {
        path.tick d={ "M" (x.round()) " " (TOP) "V" (HEIGHT - BELOW) } {}
        text.axis x=(x.round()) y=(if is_lower { TOP - 10.0 } else { TOP - 28.0 }) text-anchor="middle" { (rail.name) }
        @for (place, label) in &rail.labels {
            text.label x=(x.round() - 6.0) y=((10.0 * (y(*place) + 4.0)).round() / 10.0) text-anchor="end" { (label) }
        }
    }
}

fn x(rail: usize, count: usize) -> f64 {
    SIDES[0] + (WIDTH - SIDES[0] - SIDES[1]) * rail as f64 / (count.max(2) - 1) as f64
}

fn y(place: f64) -> f64 {
    HEIGHT - BELOW - place * (HEIGHT - BELOW - TOP)
}
