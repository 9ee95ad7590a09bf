//! Examination of all pairs of parts, on all threads. The findings do not depend on the number of
//! threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::examine::{Demand, Examiner, greatest_tolerance};
use super::finding::{Finding, Kind};
use super::pairing::{Pairing, Said};
use super::placed::{PlacedParts, TooManyPairs};
use super::rules::Rules;

/// Demands on all pairs of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demands {
    /// Least distance of parts that do not touch, m, unless a rule overrides it.
    pub clearance: f64,
    /// Depth or distance up to which parts only touch, m; computed from their sizes if `None`.
    pub tolerance: Option<f64>,
    /// Whether the way out of a clash or of a part inside another is computed too.
    pub way_out: bool,
}

/// Outcome of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Findings, the worst first. Pairs that the scene keeps apart are included.
    pub findings: Vec<Finding>,
    /// Number of near pairs: their boxes are within the largest demanded distance or tolerance of each
    /// other.
    pub near_count: usize,
    /// Number of near pairs that were examined.
    pub asked_count: usize,
    /// Number of examined pairs that could not be examined completely, because too many of their
    /// triangles are near each other.
    pub open_count: usize,
    /// Number of near pairs that were not examined because a rule ignores them.
    pub ignored_count: usize,
}

impl Checked {
    /// Returns whether every near pair was examined completely.
    pub fn is_complete(&self) -> bool {
        self.open_count == 0 && self.asked_count + self.ignored_count == self.near_count
    }
}

/// Observer of a check's progress.
pub trait Watch: Sync {
    /// Reports that `count` of the `of` near pairs were examined. Pairs that a rule ignores are never
    /// counted.
    fn done(&self, count: u64, of: u64);
}

/// Examines all pairs of parts that are near each other, on all threads of `parts`. Stops early once
/// `stop` is set, and returns the findings so far.
///
/// # Errors
/// Returns an error if more than the supported number of pairs are near each other.
pub fn examine_all(
    parts: &PlacedParts,
    (rules, demands): (&Rules, Demands),
    watch: &dyn Watch,
    stop: &Arc<AtomicBool>,
) -> Result<Checked, TooManyPairs> {
    let threads = parts.threads();
    let pairing = Pairing::new(parts.scene());
    let widest = demands.clearance.max(rules.widest_clearance());
    let touching = demands.tolerance.unwrap_or_else(|| greatest_tolerance(parts));
    let near = parts.near(widest.max(touching))?;
    let asked = AtomicU64::new(0);
    let examiners: Vec<Mutex<Examiner>> = (0..threads.count())
        .map(|_| Mutex::new(Examiner::new(demands.tolerance, demands.way_out, near.len(), stop)))
        .collect();
    let answers = threads.all().map(&near, |thread, &pair| {
        if stop.load(Ordering::Relaxed) {
            return Answer::NotAsked;
        }
        let demand = Demand { clearance: demands.clearance, overlap: fit_clearance(&pairing, pair) };
        let Some(demand) = rules.demand(pair, demand) else { return Answer::Ignored };
        let mut examiner = examiners[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let finding = examiner.examine(parts, pair, demand);
        watch.done(asked.fetch_add(1, Ordering::Relaxed) + 1, near.len() as u64);
        if stop.load(Ordering::Relaxed) {
            return Answer::NotAsked;
        }
        let is_open = examiner.has_given_up();
        Answer::Asked(finding.map(|finding| Box::new(excluded(finding, &pairing))), is_open)
    });
    let mut checked = Checked { near_count: near.len(), ..Checked::default() };
    for answer in answers {
        match answer {
            Answer::Ignored => checked.ignored_count += 1,
            Answer::NotAsked => {}
            Answer::Asked(finding, is_open) => {
                checked.asked_count += 1;
                checked.open_count += usize::from(is_open);
                checked.findings.extend(finding.map(|finding| *finding));
            }
        }
    }
    let untouched = untouched(parts, rules, &checked.findings, &examiners, stop);
    checked.findings.extend(untouched);
    checked.findings.sort_by(|x, y| {
        let ((kind, measure), (other_kind, other)) = (x.severity(), y.severity());
        kind.cmp(&other_kind).then(measure.total_cmp(&other)).then(x.parts.cmp(&y.parts))
    });
    Ok(checked)
}

enum Answer {
    Ignored,
    NotAsked,
    /// The finding, if any, and whether the pair could not be examined completely.
    Asked(Option<Box<Finding>>, bool),
}

/// Returns the clearance of two parts that are a fit, m, by which they may overlap; otherwise 0.
fn fit_clearance(pairing: &Pairing, [a, b]: [u32; 2]) -> f64 {
    if let Said::Fit { clearance } = pairing.said(a, b) { clearance } else { 0.0 }
}

/// Stores the reason in the finding if the scene keeps the two apart. A clash becomes a contact if a
/// pair rule declares the overlap as modelled (press fits).
fn excluded(mut finding: Finding, pairing: &Pairing) -> Finding {
    let [a, b] = finding.parts;
    match pairing.said(a, b) {
        Said::Apart(reason) => finding.excluded = Some(reason),
        Said::Permanent if finding.kind == Kind::Clash => finding.kind = Kind::Contact,
        Said::Permanent | Said::Collide | Said::Fit { .. } => {}
    }
    finding
}

/// Returns a finding for each part that a rule requires to touch at least one part of a list, and that
/// touches none. It names the nearest part of that list.
fn untouched(
    parts: &PlacedParts,
    rules: &Rules,
    findings: &[Finding],
    examiners: &[Mutex<Examiner>],
    stop: &AtomicBool,
) -> Vec<Finding> {
    let touches = |a: u32, others: &[u32]| {
        findings.iter().any(|f| {
            let touching = f.distance <= f.tolerance || f.kind.is_clash();
            touching && f.parts.contains(&a) && f.parts.iter().any(|b| *b != a && others.contains(b))
        })
    };
    let mut found = Vec::new();
    for (first, second) in rules.touching() {
        for &part in first {
            if stop.load(Ordering::Relaxed) || touches(part, second) {
                continue;
            }
            let mut examiner = examiners[0].lock().unwrap_or_else(PoisonError::into_inner);
            let mut nearest: Option<Finding> = None;
            for &other in second.iter().filter(|&&other| other != part) {
                let bound = nearest.as_ref().map_or(f64::MAX, |n| n.distance);
                let pair = [part.min(other), part.max(other)];
                let gap = examiner.examine(parts, pair, Demand { clearance: bound, overlap: 0.0 });
                if let Some(gap) = gap
                    && nearest.as_ref().is_none_or(|n| gap.distance < n.distance)
                {
                    nearest = Some(Finding { clearance: 0.0, ..gap });
                }
            }
            // If the nearest pair touches, the check did not report it because a rule ignores the pair.
            let gap = nearest.filter(|gap| gap.kind == Kind::Clearance);
            found.extend(gap.map(|gap| Finding { kind: Kind::Apart, ..gap }));
        }
    }
    found.sort_by_key(|finding| finding.parts);
    found.dedup_by_key(|finding| finding.parts);
    found
}
