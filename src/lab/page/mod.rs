//! Common parts of the pages that the lab writes: plots as SVG, numbers, and a style sheet for light and dark
//! ground, paper and phones.
//!
//! - `number.rs`: numbers as pages write them.
//! - `plot.rs`: a plot as SVG.
//! - `scale.rs`: from values to places along an axis, and its ticks.
//! - `style.css`: the style sheet.
//! - `trace.rs`: values as SVG paths, reduced to what can be seen.

pub mod number;
pub mod plot;
pub mod scale;
mod trace;

/// The style sheet of every page.
pub const STYLE: &str = include_str!("style.css");
