//! Evidence of one item: the numbers measured here, the paper's numbers, and the claims tested by them.

use super::quantity::Quantity;
use super::verdict::{Claim, Test};

/// Numbers and claims of one item.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub tables: Vec<Comparison>,
    pub claims: Vec<Claim>,
    /// Name and effect of the switch that restores the paper's statement, if the program differs from
    /// it by default.
    pub switch: Option<&'static str>,
    /// Whether the paper makes its claims in words only, so that the tested numbers are an
    /// interpretation.
    pub is_our_reading: bool,
    /// Sentence that a reader needs to interpret the numbers.
    pub remark: Option<&'static str>,
}

/// Table of numbers with the same unit; it has one chart.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the quantity, with its unit.
    pub title: String,
    pub rows: Vec<Compared>,
}

/// A row: a number of the paper, the number measured here, and the number with the switch.
#[derive(Clone, Debug)]
pub struct Compared {
    pub name: String,
    pub paper: Option<f64>,
    pub ours: Option<Quantity>,
    /// Number measured here with the item's switch.
    pub switched: Option<Quantity>,
}

impl Comparison {
    pub fn has(&self, pick: fn(&Compared) -> bool) -> bool {
        self.rows.iter().any(pick)
    }
}

impl Evidence {
    /// Returns whether the paper prints any of the compared numbers.
    pub fn has_paper(&self) -> bool {
        self.tables.iter().any(|table| table.has(|row| row.paper.is_some()))
    }

    /// Creates evidence with one empty table.
    pub fn new(title: &str) -> Self {
        let mut evidence = Self::default();
        evidence.table(title);
        evidence
    }

    /// Begins another, empty table.
    pub fn table(&mut self, title: &str) {
        self.tables.push(Comparison { title: title.to_owned(), rows: Vec::new() });
    }

    /// Adds a row to the last table, without a value for the switch.
    pub fn row(&mut self, name: &str, paper: Option<f64>, ours: impl Into<Quantity>) {
        self.compare(name, paper, Some(ours.into()), None);
    }

    /// Adds a row to the last table; `switched` is the value with the switch.
    pub fn compare(
        &mut self,
        name: &str,
        paper: Option<f64>,
        ours: Option<Quantity>,
        switched: Option<Quantity>,
    ) {
        let row = Compared { name: name.to_owned(), paper, ours, switched };
        if let Some(table) = self.tables.last_mut() {
            table.rows.push(row);
        }
    }

    /// Adds the claim that one quantity is less than another.
    pub fn less(&mut self, text: &str, less: Quantity, more: Quantity) {
        self.claim(text, Test::Less(less, more), None);
    }

    /// Adds the claim that two quantities are about equal.
    pub fn alike(&mut self, text: &str, one: impl Into<Quantity>, other: impl Into<Quantity>) {
        self.claim(text, Test::Alike(one.into(), other.into()), None);
    }

    /// Adds the claim that a quantity is at most `most`.
    pub fn at_most(&mut self, text: &str, own: impl Into<Quantity>, most: f64) {
        self.claim(text, Test::AtMost(own.into(), most), None);
    }

    /// Adds the claim that a quantity is at least `least`.
    pub fn at_least(&mut self, text: &str, own: impl Into<Quantity>, least: f64) {
        self.claim(text, Test::AtLeast(own.into(), least), None);
    }

    /// Adds a claim with its test. `switched` is the same test on the values with the switch, if there
    /// is one.
    pub fn claim(&mut self, text: &str, ours: Test, switched: Option<Test>) {
        self.claims.push(Claim { text: text.to_owned(), ours, switched });
    }
}
