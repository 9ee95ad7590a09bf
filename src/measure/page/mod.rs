//! Common parts of the pages that the lab writes: plots as SVG, numbers, and a style sheet for light
//! and dark screens, paper and phones.
//!
//! - `number.rs`: numbers as pages write them.
//! - `plot.rs`: a plot as SVG.
//! - `scale.rs`: scales from values to coordinates along an axis, and ticks.
//! - `style.css`: the style sheet.
//! - `trace.rs`: values as SVG paths, reduced to visible detail.

pub mod number;
pub mod plot;
pub mod scale;
mod trace;

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style sheet of every page.
const STYLE: &str = include_str!("style.css");

/// Returns a complete document. `own_style` are style rules besides those of every page. Control
/// characters of terminals are removed, because names from files may contain them.
pub fn document(title: &str, own_style: &str, body: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(own_style)) }
            }
            body { (body) }
        }
    };
    let mut page = document.into_string();
    page.retain(|c| !c.is_control() || c == '\n');
    page
}
