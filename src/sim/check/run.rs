//! Examination of all pairs of parts, on all threads. The findings do not depend on the number of
//! threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::examine::{Demand, Examiner};
use super::finding::{Finding, Kind};
use super::pairing::{Pairing, Said};
use super::placed::{PlacedParts, TooManyPairs};
use super::rules::Rules;
use super::tolerance::{Coarse, greatest_tolerance};

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
    /// Pairs whose tolerance is too coarse for their verdict; `None` if there are none.
    pub coarse: Option<Coarse>,
    /// Number of near pairs that were not examined because a rule ignores them.
    pub ignored_count: usize,
    /// Whether the check was stopped before its end.
    pub is_stopped: bool,
}

impl Checked {
    /// Returns whether every near pair was examined completely.
    pub fn is_complete(&self) -> bool {
        !self.is_stopped && self.open_count == 0 && self.asked_count + self.ignored_count == self.near_count
    }
}

/// Observer of a check.
pub trait Watch: Sync {
    /// Reports that `count` of the `of` pairs were examined.
    fn done(&self, count: u64, of: u64);

    /// Takes the answer for a pair, by the pair's number. It may be called from several threads at once.
    fn answered(&self, _number: u32, _answer: &Answer) {}
}

/// Result for one pair, before the scene's rules about the pair are applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub finding: Option<Box<Finding>>,
    /// Whether the pair could not be examined completely.
    pub is_open: bool,
    /// Whether the tolerance of the pair is too coarse for the verdict.
    #[serde(default)]
    pub is_coarse: bool,
}

/// A check of all pairs of parts that are near each other. The pairs have numbers, so that several
/// processes can examine a share of them each.
pub struct Examination<'a> {
    parts: &'a PlacedParts<'a>,
    rules: &'a Rules,
    pairing: Pairing,
    near_count: usize,
    /// Near pairs that no rule ignores, with the demands on them.
    asked: Vec<([u32; 2], Demand)>,
    examiners: Vec<Mutex<Examiner>>,
    stop: Arc<AtomicBool>,
}

impl<'a> Examination<'a> {
    /// Finds the pairs of parts that are near each other. Once `stop` is set, examining ends early.
    ///
    /// # Errors
    /// Returns an error if more than the supported number of pairs are near each other.
    pub fn new(
        parts: &'a PlacedParts<'a>,
        (rules, demands): (&'a Rules, Demands),
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, TooManyPairs> {
        let pairing = Pairing::new(parts.scene());
        let widest = demands.clearance.max(rules.widest_clearance());
        let touching = demands.tolerance.unwrap_or_else(|| greatest_tolerance(parts));
        let near = parts.near(widest.max(touching))?;
        let asked = |&pair: &[u32; 2]| {
            let overlap = fit_clearance(&pairing, pair);
            let demand = Demand { clearance: demands.clearance, overlap, may_touch: false };
            rules.demand(pair, demand).map(|demand| (pair, demand))
        };
        let asked: Vec<_> = near.iter().filter_map(asked).collect();
        let examiner = || Examiner::new(demands.tolerance, demands.way_out, near.len(), stop);
        let examiners = (0..parts.threads().count()).map(|_| Mutex::new(examiner())).collect();
        let stop = Arc::clone(stop);
        Ok(Self { parts, rules, pairing, near_count: near.len(), asked, examiners, stop })
    }

    /// Returns the pairs with the demands on them. The number of a pair is its index.
    pub fn pairs(&self) -> &[([u32; 2], Demand)] {
        &self.asked
    }

    /// Examines the pairs with these numbers, on all threads. Returns the answers in the same order;
    /// `None` for pairs that were not examined because the examination was stopped.
    pub fn examine(&self, numbers: &[u32], watch: &dyn Watch) -> Vec<Option<Answer>> {
        let done = AtomicU64::new(0);
        self.parts.threads().all().map(numbers, |thread, &number| {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let (pair, demand) = self.asked[number as usize];
            let mut examiner = self.examiners[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let finding = examiner.examine(self.parts, pair, demand);
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let answer = Answer {
                finding: finding.map(Box::new),
                is_open: examiner.has_given_up(),
                is_coarse: examiner.is_coarse(),
            };
            watch.answered(number, &answer);
            watch.done(done.fetch_add(1, Ordering::Relaxed) + 1, numbers.len() as u64);
            Some(answer)
        })
    }

    /// Examines all pairs.
    pub fn examine_all(&self, watch: &dyn Watch) -> Checked {
        let all: Vec<u32> = (0..).take(self.asked.len()).collect();
        self.gather(self.examine(&all, watch).into_iter())
    }

    /// Puts together the answers for all pairs, by the number of the pair; `None` for pairs that were not
    /// examined.
    pub fn gather(&self, answers: impl Iterator<Item = Option<Answer>>) -> Checked {
        let ignored_count = self.near_count - self.asked.len();
        let mut checked = Checked { near_count: self.near_count, ignored_count, ..Checked::default() };
        for ((pair, _), answer) in self.asked.iter().zip(answers) {
            let Some(answer) = answer else { continue };
            if answer.is_coarse && !matches!(self.pairing.said(pair[0], pair[1]), Said::Apart(_)) {
                checked.coarse = Some(Coarse::with(checked.coarse, *pair, self.parts));
            }
            checked.asked_count += 1;
            checked.open_count += usize::from(answer.is_open);
            checked.findings.extend(answer.finding.map(|finding| excluded(*finding, &self.pairing)));
        }
        let untouched = untouched(self.parts, self.rules, &checked.findings, &self.examiners, &self.stop);
        checked.findings.extend(untouched);
        checked.is_stopped = self.stop.load(Ordering::Relaxed);
        checked.findings.sort_by(|x, y| {
            let ((kind, measure), (other_kind, other)) = (x.severity(), y.severity());
            kind.cmp(&other_kind).then(measure.total_cmp(&other)).then(x.parts.cmp(&y.parts))
        });
        checked
    }
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
    Ok(Examination::new(parts, (rules, demands), stop)?.examine_all(watch))
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
        Said::Permanent => {
            finding.may_touch = true;
            if finding.kind == Kind::Clash {
                finding.kind = Kind::Contact;
            }
        }
        Said::Collide | Said::Fit { .. } => {}
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
    let touching: Vec<[u32; 2]> =
        findings.iter().filter(|f| f.distance <= f.tolerance || f.kind.is_clash()).map(|f| f.parts).collect();
    let touches_any = |others: &[u32]| {
        let mut touches = vec![false; parts.scene().bodies.len()];
        for &[a, b] in &touching {
            touches[a as usize] |= others.binary_search(&b).is_ok();
            touches[b as usize] |= others.binary_search(&a).is_ok();
        }
        touches
    };
    let mut found = Vec::new();
    for (first, second) in rules.touching() {
        let touches = touches_any(second);
        let missing: Vec<u32> = first.iter().copied().filter(|&part| !touches[part as usize]).collect();
        let nearest = parts.threads().all().map(&missing, |thread, &part| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut examiner = examiners[thread].lock().unwrap_or_else(PoisonError::into_inner);
            // If the nearest pair touches, the check did not report it because a rule ignores the pair.
            let gap = nearest(parts, &mut examiner, part, second);
            gap.filter(|gap| gap.kind == Kind::Clearance && !stop.load(Ordering::Relaxed)).map(Box::new)
        });
        found.extend(nearest.into_iter().flatten().map(|gap| Finding { kind: Kind::Apart, ..*gap }));
    }
    found.sort_by_key(|finding| finding.parts);
    found.dedup_by_key(|finding| finding.parts);
    found
}

/// Returns the finding for a part and the nearest of others.
fn nearest(parts: &PlacedParts, examiner: &mut Examiner, part: u32, others: &[u32]) -> Option<Finding> {
    let bounds = |part: u32| {
        let around = parts.bounds(part);
        [around.min.as_dvec3(), around.max.as_dvec3()]
    };
    let [min, max] = bounds(part);
    let gap = |other: u32| {
        let [other_min, other_max] = bounds(other);
        (other_min - max).max(min - other_max).max_element()
    };
    let gaps: Vec<(u32, f64)> =
        others.iter().filter(|&&other| other != part).map(|&other| (other, gap(other))).collect();
    let mut ask = |other: u32, clearance: f64| {
        let pair = [part.min(other), part.max(other)];
        examiner.examine(parts, pair, Demand { clearance, overlap: 0.0, may_touch: true })
    };
    // No part with a greater gap than this distance is the nearest.
    let (first, _) = gaps.iter().min_by(|x, y| x.1.total_cmp(&y.1))?;
    let most = ask(*first, f64::MAX).map_or(f64::MAX, |found| found.distance);
    let mut nearest: Option<Finding> = None;
    for &(other, gap) in &gaps {
        let bound = nearest.as_ref().map_or(f64::MAX, |n| n.distance);
        if gap > bound.min(most) {
            continue;
        }
        if let Some(found) = ask(other, bound)
            && nearest.as_ref().is_none_or(|n| found.distance < n.distance)
        {
            nearest = Some(Finding { clearance: 0.0, ..found });
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::scene::{BodyDef, CheckEntry, Scene};

    /// Greatest number of pairs done, and number of all pairs.
    #[derive(Default)]
    struct Last(AtomicU64, AtomicU64);

    impl Watch for Last {
        fn done(&self, count: u64, of: u64) {
            self.0.fetch_max(count, Ordering::Relaxed);
            self.1.store(of, Ordering::Relaxed);
        }
    }

    /// Checks cubes of 1 m in a row, each moved by `step` (m) from the one before.
    fn check(step: f64, entries: &[CheckEntry]) -> (Checked, [u64; 2]) {
        let mut scene = Scene::new("row");
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let cube = scene.add_mesh(Mesh::new("cube", &positions, &triangles).unwrap());
        for (at, name) in (0..).zip(["a", "b", "c", "d"]) {
            let body = BodyDef::fixed(&scene, cube).at(f64::from(at) * step * DVec3::X);
            scene.add_body(BodyDef { name: name.to_owned(), ..body });
        }
        let poses = scene.bodies.iter().map(|body| body.pose).collect();
        let parts = PlacedParts::new(&scene, poses, 2).unwrap();
        let rules = Rules::new(entries, &scene).unwrap();
        let (last, demands) = (Last::default(), Demands { clearance: 0.0, tolerance: None, way_out: false });
        let checked = examine_all(&parts, (&rules, demands), &last, &Arc::default()).unwrap();
        (checked, [last.0.into_inner(), last.1.into_inner()])
    }

    fn rule(a: &str, b: &str, ignore: bool) -> CheckEntry {
        let (a, b) = (a.to_owned(), b.to_owned());
        CheckEntry { a, b, min: None, overlap: None, ignore, touching: !ignore }
    }

    #[test]
    fn the_progress_ends_with_the_number_of_pairs_that_no_rule_ignores() {
        let (checked, done) = check(0.9, &[rule("a", "b", true)]);
        assert_eq!((checked.asked_count, checked.ignored_count, done), (2, 1, [2, 2]));
        assert!(checked.is_complete());
    }

    #[test]
    fn a_part_that_must_touch_and_does_not_is_told_with_the_nearest_of_the_others() {
        let (checked, _) = check(0.9, &[rule("*", "a", false), rule("b", "*", false)]);
        let apart = checked.findings.iter().filter(|f| f.kind == Kind::Apart).map(|f| f.parts);
        assert_eq!(apart.collect::<Vec<_>>(), [[0, 3], [0, 2]]);
        let (checked, _) = check(1.5, &[rule("c", "{a,b,d}", false)]);
        let [finding] = &checked.findings[..] else { panic!("{checked:?}") };
        assert_eq!((finding.kind, finding.parts), (Kind::Apart, [1, 2]));
        assert!((finding.distance - 0.5).abs() < 1e-9);
    }
}
