//! Comparison of findings with those of an earlier check of the same model, the baseline: new,
//! existing, worse, resolved.
//!
//! Findings are matched by their ids, which follow from the paths of their parts. If nodes were
//! renamed, a finding of the same kind at the same position as an old one counts as that finding.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Kind, written};

use super::document::{Change, CheckDocument, FindingFigures, VERSION, Was};
use super::worse::is_worse;

/// Reason why a document cannot be the baseline of another.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("it is not the JSON of a check")]
    NotACheck(#[source] serde_json::Error),
    #[error("it has version {0} of the format, and version {VERSION} is read")]
    Version(u32),
    #[error(
        "it is the baseline of another model, {model}: none of the {count} parts that it names is in this one"
    )]
    OtherModel { model: String, count: usize },
}

impl CheckDocument {
    /// Reads a document from JSON.
    ///
    /// # Errors
    /// Fails if the text is not such a document, or if it has another version.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let document: Self = serde_json::from_str(text).map_err(BaselineError::NotACheck)?;
        if document.version == VERSION { Ok(document) } else { Err(BaselineError::Version(document.version)) }
    }

    /// Compares each finding with the earlier check `old`, and adds the resolved findings. `paths` are
    /// those of all parts in this check.
    ///
    /// # Errors
    /// Fails if the earlier check is of another model.
    pub fn compare(&mut self, old: Self, paths: &BTreeSet<&str>) -> Result<(), BaselineError> {
        let of_old = || old.findings.iter().chain(&old.excluded).filter(|f| is_there(f));
        let named: BTreeSet<&str> = of_old().flat_map(|f| [f.a.as_str(), f.b.as_str()]).collect();
        if !named.is_empty() && named.is_disjoint(paths) && !self.has_place_of(&old) {
            return Err(BaselineError::OtherModel { model: old.model.clone(), count: named.len() });
        }
        if !old.complete {
            self.notes
                .push("the baseline was interrupted: pairs that it did not test count as new".to_owned());
        }
        if (old.clearance_m - self.clearance_m).abs() > 1e-9 * self.clearance_m {
            let [before, now] = [old.clearance_m, self.clearance_m].map(written);
            self.notes.push(format!(
                "the baseline was checked with a clearance of {before}, this with {now}: what lies between counts as new \
                 or resolved"
            ));
        }
        mark(&mut self.findings, old.findings, paths);
        mark(&mut self.excluded, old.excluded, paths);
        Ok(())
    }

    /// Returns whether any finding of the check `old` has the kind and the position of a finding of
    /// this check.
    fn has_place_of(&self, old: &Self) -> bool {
        self.findings.iter().any(|new| old.findings.iter().take(1000).any(|old| are_one_place(new, old)))
    }
}

fn is_there(finding: &FindingFigures) -> bool {
    finding.change != Some(Change::Resolved)
}

/// Sets the change of each finding relative to the old findings, and appends the resolved ones.
///
/// A pair can have two findings: too near, and apart although it should touch. So the finding of the
/// same kind is the old one, or if there is none, another one of the same pair.
fn mark(findings: &mut Vec<FindingFigures>, old: Vec<FindingFigures>, paths: &BTreeSet<&str>) {
    let key = |finding: FindingFigures| ((finding.id.clone(), finding.kind), finding);
    let mut left: Old = old.into_iter().filter(is_there).map(key).collect();
    for finding in findings.iter_mut() {
        finding.change = Some(Change::New);
        if let Some(old) = left.remove(&(finding.id.clone(), finding.kind)) {
            set_change(finding, &old);
        }
    }
    let is_new = |finding: &&mut FindingFigures| finding.change == Some(Change::New);
    for finding in findings.iter_mut().filter(is_new) {
        let other = Kind::ALL.into_iter().find_map(|kind| left.remove(&(finding.id.clone(), kind)));
        if let Some(old) = other {
            set_change(finding, &old);
        }
    }
    mark_renamed(findings, &mut left, paths);
    findings.extend(left.into_values().map(|finding| FindingFigures {
        change: Some(Change::Resolved),
        was: None,
        ..finding
    }));
}

/// Old findings without a new one, by id and kind.
type Old = BTreeMap<(String, Kind), FindingFigures>;

/// Finds the old findings of parts that have another name now. They have the place and the kind of a new
/// finding.
fn mark_renamed(findings: &mut [FindingFigures], left: &mut Old, paths: &BTreeSet<&str>) {
    // If nodes were renamed, at least one path of an old finding no longer exists.
    let is_gone = |f: &&FindingFigures| !paths.contains(f.a.as_str()) || !paths.contains(f.b.as_str());
    let mut gone: Vec<FindingFigures> = left.values().filter(is_gone).cloned().collect();
    gone.sort_by(|x, y| x.points[0][0].total_cmp(&y.points[0][0]));
    for finding in findings.iter_mut().filter(|finding| finding.change == Some(Change::New)) {
        let reach = reach(finding);
        let [x, other] = [finding.points[0][0], finding.points[1][0]];
        for x in [x, other] {
            let first = gone.partition_point(|f| f.points[0][0] < x - reach);
            let near = gone[first..].iter().take_while(|f| f.points[0][0] <= x + reach);
            let is_left = |old: &&FindingFigures| left.contains_key(&(old.id.clone(), old.kind));
            let same = near.filter(is_left).find(|old| are_one_place(finding, old));
            if let Some(old) = same {
                left.remove(&(old.id.clone(), old.kind));
                finding.id.clone_from(&old.id);
                set_change(finding, old);
                break;
            }
        }
    }
}

/// Sets the change of a finding relative to an old one.
fn set_change(finding: &mut FindingFigures, old: &FindingFigures) {
    finding.change = Some(if is_worse(finding, old) { Change::Worse } else { Change::Existing });
    finding.was = Some(Was { kind: old.kind, distance_m: old.distance_m, depth_m: old.depth_m });
}

/// Returns the distance up to which two points of findings count as equal, m.
fn reach(finding: &FindingFigures) -> f64 {
    10.0 * finding.tolerance_m
}

/// Returns whether two findings have the same kind, distance and points.
fn are_one_place(x: &FindingFigures, y: &FindingFigures) -> bool {
    let reach = reach(x);
    let near = |p: &[f64; 3], q: &[f64; 3]| p.iter().zip(q).all(|(p, q)| (p - q).abs() <= reach);
    let [p, q] = &x.points;
    let [r, s] = &y.points;
    x.kind == y.kind
        && (x.distance_m - y.distance_m).abs() <= reach
        && ((near(p, r) && near(q, s)) || (near(p, s) && near(q, r)))
}
