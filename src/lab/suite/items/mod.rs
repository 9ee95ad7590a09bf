//! The 37 figures, tables and measured claims of the papers, and measurements beyond them.
//!
//! - `adb.rs`: items of \[adb\].
//! - `beyond.rs`: measurements that no paper has.
//! - `boxes.rs`: items of \[boxes\].
//! - `boxtree.rs`: items of \[boxtree\].
//! - `cab.rs`: items of \[cab\].
//! - `errors.rs`: items of \[adb\] on wrong answers.
//! - `simplify.rs`: items of \[simplify\].
//! - `trees.rs`: items of \[boxtree\] on queries and rules.

mod adb;
mod beyond;
mod boxes;
mod boxtree;
mod cab;
mod errors;
mod simplify;
mod trees;

pub use beyond::PEERS;

use super::item::{Beyond, Item};
use super::measured::{Measured, Missing, Row};
use super::quantity::{Quantity, geometric_mean};

/// Returns every item, in the order of the papers.
pub fn all() -> impl Iterator<Item = &'static Item> {
    let lists: [&'static [Item]; 7] = [
        &boxtree::ITEMS,
        &trees::ITEMS,
        &boxes::ITEMS,
        &simplify::ITEMS,
        &adb::ITEMS,
        &errors::ITEMS,
        &cab::ITEMS,
    ];
    lists.into_iter().flatten()
}

/// Returns every measurement beyond the papers.
pub fn beyond() -> &'static [Beyond] {
    &beyond::ITEMS
}

/// Returns whether a mesh stands for the CAD parts that the paper measured.
fn is_part(mesh: &str) -> bool {
    ["pipe-", "gear-", "housing-"].iter().any(|shape| mesh.starts_with(shape))
}

/// Returns the geometric mean of `number` over all rows with the texts `wanted`.
fn mean_of(
    measured: &Measured,
    wanted: &[(&str, &str)],
    number: impl Fn(&Row) -> Result<Quantity, Missing>,
) -> Result<Quantity, Missing> {
    // The mean of no rows would be 1, so at least one row must exist.
    measured.row(wanted)?;
    let all: Vec<Quantity> = measured.all(wanted).map(|row| number(&row)).collect::<Result<_, _>>()?;
    Ok(geometric_mean(&all))
}

/// Returns the geometric mean of a column without intervals over all rows with the texts `wanted`.
fn mean_count(measured: &Measured, column: &str, wanted: &[(&str, &str)]) -> Result<Quantity, Missing> {
    mean_of(measured, wanted, |row| row.count(column))
}

/// Returns the geometric mean of a column of times over all rows with the texts `wanted`.
fn mean_time(measured: &Measured, column: &str, wanted: &[(&str, &str)]) -> Result<Quantity, Missing> {
    mean_of(measured, wanted, |row| row.time(column))
}
