//! Numbers, claims and measurements as text.

use super::evidence::{Compared, Comparison, Evidence};
use super::items::PEERS;
use super::measured::Measured;
use super::quantity::Quantity;
use super::verdict::{Claim, Test};
use crate::page::number::{NOTHING, digits, interval};

/// Optional columns of an item's table. Each is shown if any row has a value in it.
pub struct Columns {
    pub has_paper: bool,
    pub has_switched: bool,
}

impl Columns {
    pub fn of(table: &Comparison) -> Self {
        Self {
            has_paper: table.has(|row| row.paper.is_some()),
            has_switched: table.has(|row| row.switched.is_some()),
        }
    }

    pub fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if self.has_paper {
            names.push("paper");
        }
        names.push("ours");
        if self.has_paper {
            names.push("ours / paper");
        }
        if self.has_switched {
            names.push("with the switch");
        }
        names
    }

    pub fn cells(&self, row: &Compared) -> Vec<String> {
        let number = |value: Option<f64>| value.map_or(NOTHING.to_owned(), digits);
        let ratio = row.paper.zip(row.ours).map(|(paper, ours)| ours.value / paper);
        let mut cells = Vec::new();
        if self.has_paper {
            cells.push(number(row.paper));
        }
        cells.push(row.ours.map_or(NOTHING.to_owned(), quantity));
        if self.has_paper {
            cells.push(number(ratio.filter(|ratio| ratio.is_finite())));
        }
        if self.has_switched {
            cells.push(row.switched.map_or(NOTHING.to_owned(), quantity));
        }
        cells
    }
}

/// Formats a number, with its interval in parentheses.
pub fn quantity(own: Quantity) -> String {
    match own.interval {
        Some([low, high]) if low < high => format!("{} ({})", digits(own.value), interval([low, high])),
        _ => digits(own.value),
    }
}

/// Formats a test: both numbers and the outcome, such as "1.2 is below 1.5".
fn test(test: Test) -> String {
    let (own, [holds, fails], other) = match test {
        Test::Less(less, more) => (less, ["is below", "is not below"], quantity(more)),
        Test::Alike(one, other) => (one, ["is like", "is unlike"], quantity(other)),
        Test::AtMost(own, most) => (own, ["is at most", "is above"], digits(most)),
        Test::AtLeast(own, least) => (own, ["is at least", "is below"], digits(least)),
    };
    format!("{} {} {other}", quantity(own), if test.holds() { holds } else { fails })
}

/// Formats a claim with its numbers. If the claim fails, the numbers with the switch follow.
pub fn claim(own: &Claim) -> String {
    let mut text = format!("{}: {}", own.text, test(own.ours));
    if let Some(switched) = own.switched.filter(|_| !own.ours.holds()) {
        text += &format!("; with the switch, {}", test(switched));
    }
    text
}

/// Returns a note if the paper has no numbers, or if the test is our reading of its words.
pub fn papers(evidence: &Evidence) -> Option<&'static str> {
    match (evidence.has_paper(), evidence.is_our_reading) {
        (true, false) => None,
        (true, true) => Some("states its claim in words; the test is our interpretation"),
        (false, false) => Some("prints no numbers"),
        (false, true) => Some("prints no numbers; the test is our interpretation"),
    }
}

/// Formats the date, commit, compiler and duration of a measurement.
pub fn provenance(measured: &Measured) -> String {
    let own = &measured.provenance;
    format!("{}, commit {}, {}, {} s", own.date, own.commit, own.compiler, digits(measured.seconds))
}

/// Returns descriptions of the distinct machines of the measurements, except that of the other
/// libraries.
pub fn machines(all: &[Measured]) -> Vec<String> {
    let mut machines: Vec<String> = Vec::new();
    for measured in all.iter().filter(|measured| measured.name != PEERS) {
        let own = &measured.provenance;
        let text = format!("{}, {} cores, {}", own.processor, own.cores, own.system);
        if !machines.contains(&text) {
            machines.push(text);
        }
    }
    machines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_says_how_its_numbers_compare_and_what_the_switch_makes_of_them() {
        let ours = Test::Less(Quantity::timed(2.0, Some([1.5, 2.5]), &[]), 1.0.into());
        let mut own =
            Claim { text: "faster".to_owned(), ours, switched: Some(Test::AtMost(1.0.into(), 2.0)) };
        let text = "faster: 2.00 (1.50–2.50) is not below 1.00; with the switch, 1.00 is at most 2.00";
        assert_eq!(claim(&own), text);
        own.ours = Test::Alike(1.0.into(), 1.2.into());
        assert_eq!(claim(&own), "faster: 1.00 is like 1.20", "nothing fails that a switch could restore");
    }
}
