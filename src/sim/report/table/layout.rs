//! Layout of the tables of a report, and the format of their numbers.

use comfy_table::{Cell, CellAlignment, Table, presets};

use crate::digits::grouped;

/// Creates a table without rules. The first column is left-aligned, other columns are right-aligned.
pub(super) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if !header.is_empty() {
        let align = |(column, &text): (usize, &&str)| {
            let side = if column == 0 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(side)
        };
        table.set_header(header.iter().enumerate().map(align));
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Formats a number with `count` decimals and its integer part in groups of three digits. A number that
/// rounds to zero has no sign.
pub(super) fn decimals(value: f64, count: usize) -> String {
    if !value.is_finite() {
        return "not finite".to_owned();
    }
    let text = format!("{value:.count$}");
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    match integer.parse() {
        Ok(integer) => {
            let is_zero = digits.bytes().all(|b| matches!(b, b'0' | b'.'));
            let sign = if text.starts_with('-') && !is_zero { "-" } else { "" };
            format!("{sign}{}.{fraction}", grouped(integer))
        }
        // The integer part exceeds the range of `u64`.
        Err(_) => text,
    }
}
