//! The report of the papers: every figure, table and measured claim of the five papers beside our
//! measurement, with a verdict by fixed rules. `tumble bench --suite paper` measures the items and
//! writes the report.
//!
//! - `chart.rs`: chart of an item's numbers.
//! - `evidence.rs`: an item's numbers and the claims that they test.
//! - `item.rs`: an item, and its verdict.
//! - `items/`: the items.
//! - `markdown.rs`: the report as Markdown.
//! - `measured.rs`: a measurement in the form of a file.
//! - `page.rs`: the report as HTML.
//! - `plan.rs`: the measurements, each one command.
//! - `quantity.rs`: numbers with their intervals.
//! - `readings.rs`: a paragraph of interpretation for each paper.
//! - `report.rs`: all items with their verdicts.
//! - `shown.rs`: numbers, claims and measurements as text.
//! - `style.css`: style rules of this page, in addition to those of all pages.
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
