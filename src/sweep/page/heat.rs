//! Two keys as the sides of a grid. A cell shows the share of failing runs, or the deepest overlap if no
//! run fails.

use maud::{Markup, html};

use super::super::merge::Merged;
use super::super::row::Row;
use super::super::summary::Group;
use crate::page::number::{NOTHING, digits};

/// Size of the labels at the left, and of the whole drawing.
const LEFT: f64 = 150.0;
const WIDTH: f64 = 1000.0;
const TOP: f64 = 26.0;
const BELOW: f64 = 50.0;
/// Largest size of a cell, and least width of a cell in which a number is written.
const CELL: [f64; 2] = [90.0, 34.0];
const LEAST_WRITTEN: f64 = 44.0;
/// Mean width of a letter.
const LETTER: f64 = 7.0;

/// Draws the grid of two keys, which are given by their places: the one down and the one across.
pub(super) fn map(merged: &Merged, [down, across]: [usize; 2]) -> Markup {
    let keys: Vec<&str> = merged.manifest.plan.keys().collect();
    let [rows, columns] = [down, across].map(|key| merged.grouping(key));
    let mut cells: Vec<Vec<&Row>> = vec![Vec::new(); rows.labels.len() * columns.labels.len()];
    for row in &merged.rows {
        let (y, x) = (rows.place(&row.values[down]), columns.place(&row.values[across]));
        cells[y * columns.labels.len() + x].push(row);
    }
    let has_failing = merged.rows.iter().any(Row::is_failing);
    let groups: Vec<Option<Group>> =
        cells.iter().map(|rows| (!rows.is_empty()).then(|| Group::of(String::new(), rows))).collect();
    let deepest = groups.iter().flatten().filter_map(|group| group.overlap_mm).fold(0.0, f64::max);
    let width = ((WIDTH - LEFT) / columns.labels.len() as f64).min(CELL[0]);
    let height = CELL[1];
    // Labels that would overlap are left out.
    let longest = columns.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let every = (LETTER * (longest as f64 + 2.0) / width).ceil().max(1.0) as usize;
    let total = TOP + height * rows.labels.len() as f64 + BELOW;
    let meaning = match has_failing {
        true => {
            "The darker a cell, the larger the share of its runs that fail; numbers are failing runs of all."
        }
        false => {
            "No run fails. The darker a cell, the deeper the deepest overlap, in mm (the mean of its runs)."
        }
    };
    html! {
        h2 { (keys[down]) " and " (keys[across]) }
        p.note { (meaning) }
        div.wide tabindex="0" {
            svg.heat viewBox={ "0 0 " (WIDTH) " " (total) } role="img" aria-label=(meaning) {
                text.axis x="0" y="14" { (keys[down]) }
                @for (k, label) in rows.labels.iter().enumerate() {
                    text x=(LEFT - 8.0) y=(round(TOP + height * (k as f64 + 0.5) + 4.5)) text-anchor="end" { (label) }
                }
                @for (k, group) in groups.iter().enumerate() {
                    @let (x, y) = (k % columns.labels.len(), k / columns.labels.len());
                    @let shade = shade(group.as_ref(), has_failing, deepest);
                    @let name = format!(
                        "{} {}, {} {}: {}", keys[down], rows.labels[y], keys[across], columns.labels[x], shade.text
                    );
                    g {
                        title { (name) }
                        (cell(&shade, [LEFT + width * x as f64, TOP + height * y as f64], [width, height]))
                    }
                }
                @for (k, label) in columns.labels.iter().enumerate() {
                    @if k % every == 0 {
                        text x=(round(LEFT + width * (k as f64 + 0.5))) y=(round(total - BELOW + 18.0)) text-anchor="middle" { (label) }
                    }
                }
                text.axis x=(LEFT) y=(round(total - 8.0)) { (keys[across]) }
            }
        }
    }
}

/// Look of a cell.
struct Shade {
    is_failing: bool,
    opacity: f64,
    text: String,
}

/// Draws a cell at a corner, with its text if there is room.
fn cell(shade: &Shade, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> Markup {
    html! {
        rect.cell.failing[shade.is_failing] x=(round(x)) y=(round(y)) width=(round(width - 1.0))
            height=(round(height - 1.0)) fill-opacity=(format!("{:.2}", shade.opacity)) {}
        @if width >= LEAST_WRITTEN {
            text.written x=(round(x + 0.5 * width)) y=(round(y + 0.5 * height + 4.5)) text-anchor="middle" {
                (shade.text)
            }
        }
    }
}

/// Returns the look of a cell; `None` is a cell without runs.
fn shade(group: Option<&Group>, is_failing: bool, deepest: f64) -> Shade {
    let Some(group) = group else { return Shade { is_failing, opacity: 0.0, text: NOTHING.to_owned() } };
    if is_failing {
        let text = format!("{} of {}", group.failing, group.runs);
        return Shade { is_failing, opacity: group.share(), text };
    }
    let opacity = group.overlap_mm.filter(|_| deepest > 0.0).map_or(0.0, |overlap| overlap / deepest);
    Shade { is_failing, opacity, text: group.overlap_mm.map_or_else(|| NOTHING.to_owned(), digits) }
}

fn round(place: f64) -> f64 {
    (10.0 * place).round() / 10.0
}
