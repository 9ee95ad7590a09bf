//! The report of the papers: every figure, table and measured claim of the five papers beside ours, with a
//! verdict by rule. `tumble bench --suite paper` measures and writes it.
//!
//! - `chart.rs`: an item's numbers as a drawing.
//! - `evidence.rs`: an item's numbers and the claims that they are tested by.
//! - `item.rs`: an item, and its judgement.
//! - `items/`: the items.
//! - `markdown.rs`: the report as Markdown.
//! - `measured.rs`: a measurement as it is kept in a file.
//! - `page.rs`: the report as HTML.
//! - `plan.rs`: the measurements, each one command.
//! - `quantity.rs`: numbers with their intervals.
//! - `readings.rs`: a paragraph of reading for each paper.
//! - `report.rs`: all items judged.
//! - `shown.rs`: numbers, claims and measurements in words.
//! - `style.css`: rules for this page beside those of all pages.
//! - `tables.rs`: tables of docs/results.md.
//! - `verdict.rs`: the rules.

mod chart;
mod evidence;
mod item;
mod items;
mod markdown;
mod measured;
mod page;
mod plan;
mod quantity;
mod readings;
mod report;
mod shown;
mod tables;
mod verdict;

pub use item::SuiteError;
pub use items::PEERS;
pub use markdown::markdown;
pub use measured::{Measured, Provenance};
pub use page::page;
pub use plan::{MEASUREMENTS, Measurement, Scope};
pub use report::Report;
pub use tables::{ResultTable, tables};
