//! The rows of an experiment: one list of named columns, written as text, CSV and JSON.

use crate::digits::grouped;
use comfy_table::{CellAlignment, presets};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// One value of a row.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    Count(u64),
    /// Measured: shown to three digits, written in full.
    Number(f64),
    /// Not measured, or without meaning here.
    Nothing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl Cell {
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Number(number) => three_digits(*number),
            Self::Nothing => String::new(),
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Nothing => String::new(),
        }
    }
}

/// Rows under named columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// With the unit in brackets where there is one.
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(columns: &[&'static str]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// For a terminal; ends with a line break.
    pub fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(self.columns.iter().copied());
        table.add_rows(self.rows.iter().map(|row| row.iter().map(Cell::shown).collect::<Vec<_>>()));
        let is_text = |k: usize| self.rows.iter().any(|row| matches!(row[k], Cell::Text(_)));
        for (k, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if !is_text(k) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// With a header, all digits.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Cell::written))?;
        }
        Ok(writer.into_inner().map_err(csv::IntoInnerError::into_error)?)
    }
}

/// As a list of objects, a key a column.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Row<'a>(&'a [&'static str], &'a [Cell]);
        impl Serialize for Row<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.len()))?;
                for (column, cell) in self.0.iter().zip(self.1) {
                    map.serialize_entry(column, cell)?;
                }
                map.end()
            }
        }
        let mut list = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in &self.rows {
            list.serialize_element(&Row(&self.columns, row))?;
        }
        list.end()
    }
}

fn signed(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}", grouped(number.abs().round_ties_even() as u64))
}

fn three_digits(number: f64) -> String {
    if !number.is_finite() {
        return "-".to_owned();
    }
    let whole = number.abs();
    let decimals = match whole {
        w if w >= 100.0 || w == 0.0 => 0,
        w if w >= 10.0 => 1,
        w if w >= 1.0 => 2,
        _ => 3,
    };
    if decimals == 0 { signed(number) } else { format!("{number:.decimals$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["tree", "time (µs)", "pairs"]);
        table.rows.push(vec!["aabb, plain".into(), 1234.5678.into(), 7u64.into()]);
        table.rows.push(vec!["boxtree".into(), 0.01234.into(), Cell::Nothing]);
        table
    }

    #[test]
    fn text_rounds_and_lines_up_while_csv_and_json_keep_every_digit() {
        assert_eq!(
            table().text(),
            "tree         time (µs)  pairs\naabb, plain      1,235      7\nboxtree          0.012\n"
        );
        let csv = String::from_utf8(table().csv().unwrap()).unwrap();
        assert_eq!(csv, "tree,time (µs),pairs\n\"aabb, plain\",1234.5678,7\nboxtree,0.01234,\n");
        assert_eq!(
            serde_json::to_value(table()).unwrap(),
            serde_json::json!([
                {"tree": "aabb, plain", "time (µs)": 1234.5678, "pairs": 7},
                {"tree": "boxtree", "time (µs)": 0.01234, "pairs": null},
            ])
        );
    }
}
