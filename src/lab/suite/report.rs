//! All items with their verdicts, from one set of measurements.

use serde::Serialize;

use super::chart::picture;
use super::evidence::Evidence;
use super::item::{Beyond, Item, Judged, Paper, Sources, SuiteError, judge};
use super::items::{self, PEERS};
use super::measured::Measured;
use super::plan::Scope;
use super::shown::claim;
use super::verdict::Verdict;

/// A measurement beyond the papers, with its numbers.
pub struct Shown {
    pub beyond: &'static Beyond,
    pub evidence: Evidence,
}

/// An item in machine-readable form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub item: String,
    /// Name of the item for `--item`.
    pub anchor: String,
    pub claim: &'static str,
    pub workload: &'static str,
    pub commands: Vec<String>,
    pub verdict: &'static str,
    /// Number of tested claims.
    pub claims: usize,
    /// Claims that fail, with their numbers.
    pub failed: Vec<String>,
    /// Switch that restores the failed claims.
    pub switch: Option<&'static str>,
}

/// The whole report.
pub struct Report<'a> {
    pub scope: Scope,
    pub measured: &'a [Measured],
    pub items: Vec<Judged>,
    pub beyond: Vec<Shown>,
}

impl<'a> Report<'a> {
    /// Tests the items with the given anchors, or every item if there are none.
    ///
    /// # Errors
    /// Returns an error for every item whose measurement is missing or lacks a number, or that neither
    /// holds nor has a switch that restores it.
    pub fn new(scope: Scope, measured: &'a [Measured], anchors: &[String]) -> Result<Self, Vec<SuiteError>> {
        let is_wanted = |anchor: &String| anchors.is_empty() || anchors.contains(anchor);
        let sources = Sources { measured };
        let (mut judged, mut beyond, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for item in items::all().filter(|item| is_wanted(&item.anchor())) {
            match judge(item, &sources) {
                Ok(own) => judged.push(own),
                Err(error) => failed.push(error),
            }
        }
        // Other libraries are measured separately by a user, so their measurement may be missing.
        let has_peers = sources.of(PEERS).is_ok();
        let is_there = |own: &&Beyond| has_peers || !own.from.contains(&PEERS);
        for own in items::beyond().iter().filter(|own| is_wanted(&own.anchor())).filter(is_there) {
            match (own.show)(&sources) {
                Ok(evidence) => beyond.push(Shown { beyond: own, evidence }),
                Err(missing) => failed.push(SuiteError::Missing { item: own.title.to_owned(), missing }),
            }
        }
        if failed.is_empty() { Ok(Self { scope, measured, items: judged, beyond }) } else { Err(failed) }
    }

    /// Returns the anchors of all items, and of the measurements beyond the papers.
    pub fn anchors() -> Vec<String> {
        let beyond = items::beyond().iter().map(Beyond::anchor);
        items::all().map(Item::anchor).chain(beyond).collect()
    }

    /// Returns the names of the measurements that the items with the given anchors read, or all items
    /// if there are none.
    pub fn needed(anchors: &[String]) -> Vec<&'static str> {
        let own = items::all().map(|item| (item.anchor(), item.from));
        let all = own.chain(items::beyond().iter().map(|own| (own.anchor(), own.from)));
        let wanted = all.filter(|(anchor, _)| anchors.is_empty() || anchors.contains(anchor));
        wanted.flat_map(|(_, from)| from.iter().copied()).collect()
    }

    /// Returns the number of items whose verdict is `verdict`.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.items.iter().filter(|own| own.verdict == verdict).count()
    }

    /// Returns whether any item of a paper is in the report.
    pub(super) fn has(&self, paper: Paper) -> bool {
        self.items.iter().any(|own| own.item.paper == paper)
    }

    /// Returns the measurements with the given names, where they exist.
    pub(super) fn sources(&self, names: &'static [&'static str]) -> impl Iterator<Item = &'a Measured> {
        names.iter().filter_map(|name| self.measured.iter().find(|own| own.name == *name))
    }

    /// Returns the chart of the README as an SVG file: Table 3 of \[simplify\] at normal density.
    /// `None` if the report lacks it.
    pub fn picture(&self) -> Option<String> {
        let own = self.items.iter().find(|own| own.item.anchor() == "simplify-table-3")?;
        let table = own.evidence.tables.iter().find(|table| table.title.ends_with("normal"))?;
        picture(table)
    }

    /// Returns items, verdicts and failed claims in machine-readable form.
    pub fn summary(&self) -> Vec<Summary> {
        let summary = |own: &Judged| Summary {
            item: own.item.name(),
            anchor: own.item.anchor(),
            claim: own.item.claim,
            workload: own.item.workload,
            commands: self.sources(own.item.from).map(|measured| measured.command.clone()).collect(),
            verdict: own.verdict.name(),
            claims: own.evidence.claims.len(),
            failed: own.evidence.claims.iter().filter(|one| !one.ours.holds()).map(claim).collect(),
            switch: own.evidence.switch.filter(|_| own.verdict == Verdict::Differs),
        };
        self.items.iter().map(summary).collect()
    }

    /// Returns the name, verdict and claim of each item, one line per item.
    pub fn lines(&self) -> Vec<String> {
        let line = |own: &Judged| {
            let Item { claim, .. } = own.item;
            format!("{:<28} {:<15} {claim}", own.item.name(), own.verdict.name())
        };
        self.items.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::plan::MEASUREMENTS;
    use super::*;

    #[test]
    fn there_are_37_items_with_names_of_their_own_and_measurements_that_are_there() {
        let all: Vec<&Item> = items::all().collect();
        assert_eq!(all.len(), 37);
        let anchors: BTreeSet<String> = all.iter().map(|item| item.anchor()).collect();
        assert_eq!(anchors.len(), 37);
        let counts = Paper::ALL.map(|paper| all.iter().filter(|item| item.paper == paper).count());
        assert_eq!(counts, [10, 5, 6, 9, 7]);
        let mut names: BTreeSet<&str> = MEASUREMENTS.iter().map(|own| own.name).collect();
        assert_eq!(names.len(), MEASUREMENTS.len());
        names.insert(PEERS);
        let used = all.iter().flat_map(|item| item.from).chain(items::beyond().iter().flat_map(|b| b.from));
        let used: BTreeSet<&str> = used.copied().collect();
        assert!(used.is_subset(&names), "{:?}", used.difference(&names));
    }

    #[test]
    fn a_report_without_measurements_names_every_item() {
        let failed = Report::new(Scope::Quick, &[], &[]).err().unwrap();
        assert_eq!(failed.len(), 37 + items::beyond().len() - 1);
        assert!(failed[0].to_string().contains("[boxtree] Fig. 1: boxtree-space has no file"));
    }
}
