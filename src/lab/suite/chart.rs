//! Chart of a table of an item. Each row has a name, and marks for the paper's value, the value
//! measured here, and the value with the switch.

use maud::{Markup, html};

use super::evidence::{Compared, Comparison};
use super::quantity::Quantity;
use super::shown::Columns;
use crate::page::plot::Mark;
use crate::page::scale::{Axis, Form, Scale};

const WIDTH: f64 = 520.0;
/// Left end of the axis. Names are to the left of it.
const LEFT: f64 = 214.0;
const RIGHT: f64 = WIDTH - 16.0;
const ROW: f64 = 24.0;
const TOP: f64 = 10.0;
/// Height reserved below the rows for the axis and its labels.
const BELOW: f64 = 34.0;
/// Number of letters of a name that fit, even on a phone.
const LETTERS: usize = 24;

/// Largest number of rows in a chart. Further rows of a table are not drawn.
pub const MOST_ROWS: usize = 40;

/// Returns the chart of a table with its legend; `None` if no row has a number.
pub fn chart(table: &Comparison) -> Option<Markup> {
    let rows: Vec<&Compared> = table.rows.iter().take(MOST_ROWS).collect();
    let values = rows.iter().flat_map(|row| values(row));
    let scale = Scale::fitting(values.collect::<Vec<f64>>().into_iter())?;
    let axis = Axis::new("", scale, Form::Number);
    let height = TOP + ROW * rows.len() as f64 + BELOW;
    Some(html! {
        svg.plot viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(table.title) {
            (frame(&axis, height))
            @for (k, row) in rows.iter().enumerate() { (line(row, TOP + ROW * (k as f64 + 0.5), scale)) }
        }
        (legend(table, scale.is_log()))
    })
}

/// Colors of a chart that is a separate file, for light and dark backgrounds.
const PICTURE_STYLE: &str = "svg{--ground:#fff;--ink:#1b1e23;--muted:#5a6270;--rule:#d5d9e0;--c0:#0072b2;--c1:#d55e00;background:var(--ground)}\
@media (prefers-color-scheme:dark){svg{--ground:#14171b;--ink:#e4e7ec;--muted:#a2abb8;--rule:#333a44;--c0:#5aabec;--c1:#ff8b4d}}\
text{fill:var(--muted);font:12.5px system-ui,sans-serif}text.row{fill:var(--ink)}.grid{stroke:var(--rule)}.tick{stroke:var(--muted)}\
.mark{fill:var(--c);stroke:var(--ink)}.mark.open{fill:none;stroke-width:1.6}.line{stroke:var(--c);stroke-width:1.7}\
.c0{--c:var(--c0)}.c1{--c:var(--c1)}";

/// Returns the chart of a table as a separate SVG file that includes title and legend; `None` if no row
/// has a number.
pub fn picture(table: &Comparison) -> Option<String> {
    const HEAD: f64 = 46.0;
    let values = table.rows.iter().flat_map(values).collect::<Vec<f64>>();
    let axis = Axis::new("", Scale::fitting(values.into_iter())?, Form::Number);
    let height = TOP + ROW * table.rows.len() as f64 + BELOW;
    let key = |mark: Mark, x: f64| mark.path(x, 36.0);
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (height + HEAD) } role="img"
            aria-label=(table.title) {
            style { (maud::PreEscaped(PICTURE_STYLE)) }
            text.row x="10" y="18" font-weight="600" { (table.title) }
            path.mark.open d=(key(Mark::Square, 16.0)) {}
            text x="26" y="40" { "paper" }
            path.mark.c0 d=(key(Mark::Circle, 86.0)) {}
            text x="96" y="40" { "ours" }
            g transform={ "translate(0 " (HEAD) ")" } {
                (frame(&axis, height))
                @for (k, row) in table.rows.iter().enumerate() {
                    (line(row, TOP + ROW * (k as f64 + 0.5), axis.scale))
                }
            }
        }
    };
    Some(drawing.into_string())
}

/// Returns all numbers of a row, including the ends of the intervals.
fn values(row: &Compared) -> Vec<f64> {
    let mut all: Vec<f64> = row.paper.into_iter().collect();
    for own in [row.ours, row.switched].into_iter().flatten() {
        all.push(own.value);
        all.extend(own.interval.into_iter().flatten());
    }
    all
}

fn place(scale: Scale, value: f64) -> f64 {
    let x = LEFT + scale.share(value) * (RIGHT - LEFT);
    (10.0 * x).round() / 10.0
}

/// Draws the axis: a vertical grid line and a label per tick.
fn frame(axis: &Axis, height: f64) -> Markup {
    let bottom = height - BELOW;
    html! {
        @for (value, label) in axis.ticks() {
            @let x = place(axis.scale, value);
            path.grid d={ "M" (x) " " (TOP) "V" (bottom) } {}
            text x=(x) y=(bottom + 18.0) text-anchor="middle" { (label) }
        }
        path.tick d={ "M" (LEFT) " " (bottom) "H" (RIGHT) } {}
    }
}

/// Draws one row: the name and the marks.
fn line(row: &Compared, y: f64, scale: Scale) -> Markup {
    let mark = |mark: Mark, value: f64| mark.path(place(scale, value), y);
    let span = |own: Quantity| {
        own.interval.map(|[low, high]| format!("M{} {y}H{}", place(scale, low), place(scale, high)))
    };
    let title = |who: &str, own: Quantity| format!("{}, {who}: {}", row.name, super::shown::quantity(own));
    html! {
        text.row x=(LEFT - 10.0) y=(y + 4.5) text-anchor="end" { (shortened(&row.name)) }
        @if let Some(path) = row.ours.and_then(span) { path.line.c0 d=(path) {} }
        @if let Some(own) = row.switched.filter(|own| own.value.is_finite()) {
            path.mark.c1 d=(mark(Mark::Triangle, own.value)) { title { (title("with the switch", own)) } }
        }
        @if let Some(own) = row.ours.filter(|own| own.value.is_finite()) {
            path.mark.c0 d=(mark(Mark::Circle, own.value)) { title { (title("ours", own)) } }
        }
        @if let Some(paper) = row.paper.filter(|value| value.is_finite()) {
            path.mark.open d=(mark(Mark::Square, paper)) { title { (title("paper", paper.into())) } }
        }
    }
}

/// Shortens a name so that it fits to the left of the axis. The table shows the full name.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    let kept: String = name.chars().take(LETTERS - 1).collect();
    format!("{}…", kept.trim_end())
}

fn legend(table: &Comparison, is_log: bool) -> Markup {
    let columns = Columns::of(table);
    let key = |class: &str, mark: Mark| {
        html! {
            svg.key viewBox="0 0 14 14" aria-hidden="true" {
                path class={ "mark " (class) } d=(mark.path(7.0, 7.0)) {}
            }
        }
    };
    html! {
        ul.legend {
            @if columns.has_paper { li { (key("open", Mark::Square)) "paper" } }
            li { (key("c0", Mark::Circle)) "ours" }
            @if columns.has_switched { li { (key("c1", Mark::Triangle)) "ours with the switch" } }
            @if is_log { li.muted { "log scale" } }
            @if table.rows.len() > MOST_ROWS { li.muted { "the first " (MOST_ROWS) " rows" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: Vec<Compared>) -> Comparison {
        Comparison { title: "a < b".to_owned(), rows }
    }

    #[test]
    fn a_chart_has_a_mark_for_the_paper_for_ours_and_for_the_switch() {
        let row = Compared {
            name: "a name that is far too long for its place".to_owned(),
            paper: Some(1.0),
            ours: Some(Quantity::timed(2.0, Some([1.5, 2.5]), &[])),
            switched: Some(3.0.into()),
        };
        let svg = chart(&table(vec![row])).unwrap().into_string();
        for text in ["mark open", "mark c0", "mark c1", "line c0", "a &lt; b", "far too long, "] {
            assert!(svg.contains(text) || text.ends_with(", "), "{text} in {svg}");
        }
        assert!(svg.contains("a name that is far too…<") && !svg.contains("NaN"));
        assert!(svg.contains("place, with the switch: 3.00"), "{svg}");
    }

    #[test]
    fn rows_without_numbers_draw_nothing() {
        let row = Compared { name: String::new(), paper: None, ours: Some(f64::NAN.into()), switched: None };
        assert!(chart(&table(vec![row])).is_none() && chart(&table(Vec::new())).is_none());
    }
}
