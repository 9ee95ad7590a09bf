//! The tables of a sweep. `table.csv` and `table.json` hold what is the same whenever and wherever the
//! runs are made, byte for byte; `timings.csv` holds times and memory.

use serde_json::{Map, Number, Value, json};

use super::merge::Merged;
use super::row::{FIGURES, Row, TIMES};

impl Merged {
    /// Returns the table as CSV, a line per run. Values are texts as in the command.
    ///
    /// # Errors
    /// Returns an error if a line cannot be formatted.
    pub fn table_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let keys: Vec<&str> = self.manifest.plan.keys().collect();
        let expectation_count = self.expectations().len();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut head = vec!["run".to_owned()];
        head.extend(keys.iter().map(|key| (*key).to_owned()));
        head.push("end".to_owned());
        head.extend((1..=expectation_count).map(|number| format!("expectation_{number}")));
        head.push("reason".to_owned());
        head.extend(FIGURES.iter().map(|(name, _)| (*name).to_owned()));
        head.push("state_hash".to_owned());
        writer.write_record(&head)?;
        for row in &self.rows {
            let mut line = vec![row.run.to_string()];
            line.extend(row.values.iter().cloned());
            line.push(row.end.name().to_owned());
            line.extend((0..expectation_count).map(|at| verdict(row, at).map_or("", word).to_owned()));
            line.push(row.reason.clone());
            line.extend(row.figures.iter().map(number));
            line.push(row.state_hash.clone().unwrap_or_default());
            writer.write_record(&line)?;
        }
        finished(writer)
    }

    /// Returns the table as JSON. Values are numbers and booleans where they can be.
    ///
    /// # Errors
    /// Returns an error if it cannot be formatted.
    pub fn table_json(&self) -> serde_json::Result<Vec<u8>> {
        let keys: Vec<&str> = self.manifest.plan.keys().collect();
        let run = |row: &Row| {
            let values = keys.iter().zip(&row.values);
            let values: Map<String, Value> =
                values.map(|(key, value)| ((*key).to_owned(), typed(value))).collect();
            let verdicts: Vec<Option<bool>> = row.verdicts.iter().map(|one| one.held).collect();
            let figures = FIGURES.iter().zip(&row.figures);
            let figures: Map<String, Value> =
                figures.map(|((name, _), value)| ((*name).to_owned(), json!(value))).collect();
            json!({
                "run": row.run, "values": values, "end": row.end, "expectations": verdicts,
                "reason": row.reason, "figures": figures, "state_hash": row.state_hash,
            })
        };
        let document = json!({
            "scene": self.manifest.scene,
            "tumble": self.manifest.tumble,
            "keys": keys,
            "expectations": self.expectations(),
            "missing": self.missing,
            "faults": self.faults,
            "runs": self.rows.iter().map(run).collect::<Vec<_>>(),
        });
        serde_json::to_vec_pretty(&document)
    }

    /// Returns times and memory as CSV, a line per run.
    ///
    /// # Errors
    /// Returns an error if a line cannot be formatted.
    pub fn timings_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut head = vec!["run", "seconds", "peak_memory_bytes"];
        head.extend(TIMES.iter().map(|(name, _)| *name));
        writer.write_record(&head)?;
        for row in &self.rows {
            let memory = row.peak_memory_bytes.map(|bytes| bytes.to_string()).unwrap_or_default();
            let mut line = vec![row.run.to_string(), row.seconds.to_string(), memory];
            line.extend(row.times.iter().map(number));
            writer.write_record(&line)?;
        }
        finished(writer)
    }
}

fn finished(writer: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// Returns the verdict of a run on an expectation.
pub(super) fn verdict(row: &Row, expectation: usize) -> Option<bool> {
    row.verdicts.get(expectation)?.held
}

pub(super) fn word(held: bool) -> &'static str {
    if held { "held" } else { "broken" }
}

fn number(value: &Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Returns a value as a JSON number or boolean if it is one, else as a text.
fn typed(text: &str) -> Value {
    if let Ok(whole) = text.parse::<i64>() {
        return whole.into();
    }
    match text.parse::<f64>().ok().and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => text.parse::<bool>().map_or_else(|_| text.into(), Value::Bool),
    }
}
