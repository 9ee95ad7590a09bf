//! A measurement of the suite in the form in which it is stored: the rows of an experiment, and the
//! date, machine and program of the measurement.

use serde::{Deserialize, Serialize};

use super::quantity::Quantity;
use crate::table::{Cell, Table};

/// Machine, date and program of a measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Commit of the program, as git describes it, or its version.
    pub commit: String,
    pub compiler: String,
    pub processor: String,
    pub cores: u32,
    pub system: String,
    /// Date in UTC: year, month and day.
    pub date: String,
}

/// The rows of one experiment, with their provenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the measurement and of its file.
    pub name: String,
    /// Command that repeats the measurement.
    pub command: String,
    pub provenance: Provenance,
    /// Duration of the whole measurement, s.
    pub seconds: f64,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    pub notes: Vec<String>,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    Count(u64),
    Number(f64),
    Interval([f64; 2]),
    Repeats(Vec<f64>),
    Text(String),
    Nothing(()),
}

impl From<&Cell> for Value {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Text(text) => Self::Text(text.clone()),
            Cell::Count(count) => Self::Count(*count),
            Cell::Number(number) if number.is_finite() => Self::Number(*number),
            Cell::Interval(ends) => Self::Interval(*ends),
            Cell::Repeats(all) => Self::Repeats(all.clone()),
            Cell::Number(_) | Cell::Nothing => Self::Nothing(()),
        }
    }
}

/// A row or a column that an item needs and a measurement lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{measurement} has no {wanted}")]
pub struct Missing {
    pub measurement: String,
    pub wanted: String,
}

impl Measured {
    /// Returns the columns and rows of a table.
    pub fn rows_of(table: &Table) -> (Vec<String>, Vec<Vec<Value>>) {
        let columns = table.columns.iter().map(|&column| column.to_owned()).collect();
        (columns, table.rows.iter().map(|row| row.iter().map(Value::from).collect()).collect())
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { measured: self, cells })
    }

    /// Returns the rows with the given texts in the given columns.
    pub fn all<'a>(&'a self, wanted: &[(&str, &str)]) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let is_wanted = |row: &Row| wanted.iter().all(|(column, text)| row.text(column) == *text);
        self.rows().filter(is_wanted).collect::<Vec<_>>().into_iter()
    }

    /// Returns the first row that has the given texts in the given columns.
    ///
    /// # Errors
    /// Fails if there is no such row.
    pub fn row(&self, wanted: &[(&str, &str)]) -> Result<Row<'_>, Missing> {
        self.all(wanted).next().ok_or_else(|| self.missing(&format!("row with {wanted:?}")))
    }

    /// Returns the distinct texts of a column, in the order of their first occurrence.
    pub fn names(&self, column: &str) -> Vec<&str> {
        let mut names = Vec::new();
        for row in self.rows() {
            let name = row.text(column);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn missing(&self, wanted: &str) -> Missing {
        Missing { measurement: self.name.clone(), wanted: wanted.to_owned() }
    }
}

/// One row of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    measured: &'a Measured,
    cells: &'a [Value],
}

impl<'a> Row<'a> {
    fn cell(&self, column: &str) -> Option<&'a Value> {
        let k = self.measured.columns.iter().position(|own| own == column)?;
        self.cells.get(k)
    }

    /// Returns the text in a column; empty if the cell holds no text.
    pub fn text(&self, column: &str) -> &'a str {
        match self.cell(column) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Returns the number in a column.
    ///
    /// # Errors
    /// Fails if the cell holds no number.
    pub fn number(&self, column: &str) -> Result<f64, Missing> {
        match self.cell(column) {
            Some(Value::Count(count)) => Ok(*count as f64),
            Some(Value::Number(number)) => Ok(*number),
            _ => Err(self.measured.missing(&format!("number in the column {column:?}"))),
        }
    }

    /// Returns a number in a column that is the same on every machine.
    ///
    /// # Errors
    /// Fails if the cell holds no number.
    pub fn count(&self, column: &str) -> Result<Quantity, Missing> {
        self.number(column).map(Quantity::from)
    }

    /// Returns the time in a column, with the interval in the column `95 % (unit)` and the repeats in
    /// `repeats (unit)` of the same unit.
    ///
    /// # Errors
    /// Fails if the cell holds no number.
    pub fn time(&self, column: &str) -> Result<Quantity, Missing> {
        let unit = column.split_once(" (").map_or("", |(_, unit)| unit);
        let interval = match self.cell(&format!("95 % ({unit}")) {
            Some(Value::Interval(ends)) => Some(*ends),
            _ => None,
        };
        let repeats = match self.cell(&format!("repeats ({unit}")) {
            Some(Value::Repeats(all)) => &all[..],
            _ => &[],
        };
        Ok(Quantity::timed(self.number(column)?, interval, repeats))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measured {
        let mut table = Table::new(&["mesh", "time (µs)", "95 % (µs)", "tests", "repeats (µs)"]);
        let repeats = || Cell::Repeats(vec![1.0, 2.0, 3.0]);
        table.rows.push(vec!["torus".into(), 1.5.into(), Cell::Interval([1.0, 2.0]), 7u64.into(), repeats()]);
        table.rows.push(vec!["soup".into(), f64::NAN.into(), Cell::Nothing, Cell::Nothing, repeats()]);
        let (columns, rows) = Measured::rows_of(&table);
        Measured {
            name: "a".to_owned(),
            command: "b".to_owned(),
            provenance: Provenance::default(),
            seconds: 1.0,
            columns,
            rows,
            notes: Vec::new(),
        }
    }

    #[test]
    fn rows_are_found_by_their_texts_and_what_is_not_there_is_named() {
        let measured = measured();
        let torus = measured.row(&[("mesh", "torus")]).unwrap();
        let time = Quantity::timed(1.5, Some([1.0, 2.0]), &[1.0, 2.0, 3.0]);
        assert_eq!(torus.time("time (µs)").unwrap(), time);
        assert_eq!(torus.count("tests").unwrap(), 7.0.into());
        assert_eq!(measured.names("mesh"), ["torus", "soup"]);
        let lacking = measured.row(&[("mesh", "soup")]).unwrap().number("tests").unwrap_err();
        assert_eq!(lacking.to_string(), "a has no number in the column \"tests\"");
        assert!(measured.row(&[("mesh", "cube")]).unwrap_err().to_string().contains("cube"));
    }

    #[test]
    fn a_file_gives_back_what_was_measured() {
        let own = measured();
        let text = serde_json::to_string(&own).unwrap();
        assert_eq!(serde_json::from_str::<Measured>(&text).unwrap(), own);
    }
}
