//! Table of an experiment: rows under named columns, written as text, CSV or JSON.

use crate::digits::grouped;
use comfy_table::{CellAlignment, presets};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// One value of a row.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    Count(u64),
    /// A measured value. Text shows about three digits, at most three decimals, and no fewer digits
    /// than the whole part has. CSV and JSON show all.
    Number(f64),
    /// An interval, [low, high]. In CSV each end has its own column.
    Interval([f64; 2]),
    /// Values of every repeat of a measurement. Text omits them; in CSV each repeat has its own column.
    Repeats(Vec<f64>),
    /// A value that is not measured or has no meaning in this row.
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
            Self::Interval([low, high]) => format!("{}–{}", three_digits(*low), three_digits(*high)),
            Self::Repeats(_) | Self::Nothing => String::new(),
        }
    }

    /// Returns the cell's fields in CSV.
    fn written(&self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text.clone()],
            Self::Count(count) => vec![count.to_string()],
            Self::Number(number) => vec![number.to_string()],
            Self::Interval(ends) => ends.iter().map(f64::to_string).collect(),
            Self::Repeats(all) => all.iter().map(f64::to_string).collect(),
            Self::Nothing => Vec::new(),
        }
    }
}

/// Rows under named columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Column names. A unit follows in parentheses.
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(columns: &[&'static str]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Formats the table for a terminal. The text ends with a line break.
    pub fn text(&self) -> String {
        let any = |k: usize, is: fn(&Cell) -> bool| self.rows.iter().any(|row| is(&row[k]));
        let shown: Vec<usize> =
            (0..self.columns.len()).filter(|&k| !any(k, |cell| matches!(cell, Cell::Repeats(_)))).collect();
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(shown.iter().map(|&k| self.columns[k]));
        let texts = |row: &Vec<Cell>| shown.iter().map(|&k| row[k].shown()).collect::<Vec<_>>();
        table.add_rows(self.rows.iter().map(texts));
        for (column, &k) in table.column_iter_mut().zip(&shown) {
            column.set_padding((0, 2));
            if !any(k, |cell| matches!(cell, Cell::Text(_))) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Returns the CSV text: a header and all rows, with all digits.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names: Vec<Vec<String>> = (0..self.columns.len()).map(|k| self.written_names(k)).collect();
        writer.write_record(names.iter().flatten())?;
        for row in &self.rows {
            for (cell, names) in row.iter().zip(&names) {
                let mut fields = cell.written();
                fields.resize(names.len(), String::new());
                fields.iter().try_for_each(|field| writer.write_field(field))?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        Ok(writer.into_inner().map_err(csv::IntoInnerError::into_error)?)
    }

    /// Returns the names of a column's fields in CSV; intervals and repeats have several.
    fn written_names(&self, k: usize) -> Vec<String> {
        let name = self.columns[k];
        let unit = name.split_once(" (").map_or(String::new(), |(_, unit)| format!(" ({unit}"));
        let has_ends = self.rows.iter().any(|row| matches!(row[k], Cell::Interval(_)));
        let repeats = self.rows.iter().map(|row| match &row[k] {
            Cell::Repeats(all) => all.len(),
            _ => 0,
        });
        match repeats.max().unwrap_or(0) {
            0 if has_ends => ["low", "high"].map(|end| format!("95 % {end}{unit}")).to_vec(),
            0 => vec![name.to_owned()],
            count => (1..=count).map(|repeat| format!("repeat {repeat}{unit}")).collect(),
        }
    }
}

/// Serializes as a list of objects, one key per column.
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
    fn intervals_and_repeats_are_a_column_each_in_a_file_and_repeats_are_not_shown() {
        let mut table = Table::new(&["tree", "95 % (ms)", "repeats (ms)"]);
        table.rows.push(vec!["aabb".into(), Cell::Interval([1.234, 2.5]), Cell::Repeats(vec![1.5, 2.0])]);
        table.rows.push(vec!["paper".into(), Cell::Nothing, Cell::Nothing]);
        assert_eq!(table.text(), "tree   95 % (ms)\naabb   1.23–2.50\npaper\n");
        let csv = String::from_utf8(table.csv().unwrap()).unwrap();
        let expected = "tree,95 % low (ms),95 % high (ms),repeat 1 (ms),repeat 2 (ms)\n\
            aabb,1.234,2.5,1.5,2\npaper,,,,\n";
        assert_eq!(csv, expected);
        let json = serde_json::to_value(table).unwrap();
        assert_eq!(json[0]["95 % (ms)"], serde_json::json!([1.234, 2.5]));
        assert_eq!(json[0]["repeats (ms)"], serde_json::json!([1.5, 2.0]));
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
