//! Comparison of a finding with an earlier one of the same two parts: which of the two is worse.

use super::document::FindingFigures;
use crate::check::Kind;

/// Relative increase of a depth from which a finding counts as worse. It exceeds the accuracy of both
/// depths.
const DEEPER: f64 = 0.1;
/// Number of tolerances by which a depth or a distance must differ to count as worse.
const TOLERANCES: f64 = 10.0;

/// Returns whether a finding is worse than an earlier one: of a graver kind, deeper, nearer where a
/// distance is required, or farther apart where a contact is required. An allowed contact is never worse.
pub(super) fn is_worse(finding: &FindingFigures, old: &FindingFigures) -> bool {
    if finding.is_allowed() {
        return false;
    }
    let off = TOLERANCES * finding.tolerance_m;
    let is_farther = finding.distance_m > old.distance_m + off;
    gravity(finding) > gravity(old)
        || is_deeper(finding, old, off)
        || (has_gap(finding) && has_gap(old) && finding.distance_m < old.distance_m - off)
        || (finding.kind == Kind::Apart && old.kind == Kind::Apart && is_farther)
}

/// Returns the rank of a finding's kind, greater for graver ones. A contact is graver than too small a
/// distance where a distance is required, and nothing where none is.
fn gravity(finding: &FindingFigures) -> u8 {
    match finding.kind {
        Kind::Contact if finding.misses_distance() => 3,
        Kind::Contact => 0,
        Kind::Apart => 1,
        Kind::Clearance => 2,
        Kind::Clash => 4,
        Kind::Inside => 5,
        Kind::Doubled => 6,
    }
}

/// Returns whether a finding is deeper than an earlier one by more than `off` (m) and by a share. The
/// depth of equal parts in one place is not compared.
fn is_deeper(finding: &FindingFigures, old: &FindingFigures, off: f64) -> bool {
    let depth = |f: &FindingFigures| f.depth_m.or(f.reach_m).unwrap_or(0.0);
    [finding, old].iter().all(|f| f.kind != Kind::Doubled)
        && depth(finding) > (1.0 + DEEPER) * depth(old) + off
}

/// Returns whether the distance of the parts must not become smaller. The distance of a part inside
/// another is that to a wall around it, which says nothing about its overlap.
fn has_gap(finding: &FindingFigures) -> bool {
    finding.kind == Kind::Clearance || finding.misses_distance()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance of a gap and depth of an overlap, m.
    type Measure = (f64, f64);

    /// Returns a finding of a kind: `-` is an allowed contact, and the other letters are in the order of
    /// gravity: apart, near, touching (a contact where a distance is required), clash, inside, doubled.
    fn finding(kind: char, (gap, deep): Measure) -> FindingFigures {
        let (kind, clearance, distance, depth) = match kind {
            '-' => ("contact", 0.0, 0.0, Some(deep)),
            'a' => ("apart", 0.0, gap, None),
            'n' => ("clearance", 0.01, gap, None),
            't' => ("contact", 0.01, 0.0, Some(deep)),
            'c' => ("clash", 0.0, 0.0, Some(deep)),
            'i' => ("inside", 0.01, gap, Some(deep)),
            _ => ("doubled", 0.0, 0.0, Some(deep)),
        };
        serde_json::from_value(serde_json::json!({
            "id": "0", "a": "a", "b": "b", "kind": kind, "distance_m": distance, "depth_m": depth,
            "depth_at_most_m": depth, "reach_m": null, "way_out_m": null, "points": [[0, 0, 0], [0, 0, 0]],
            "tolerance_m": 1e-6, "clearance_m": clearance, "proof": "triangles-intersect", "change": null,
        }))
        .unwrap()
    }

    /// Returns a row per kind before, with the kinds after that are worse.
    fn worse(before: Measure, after: Measure) -> [String; 7] {
        let kinds = ['-', 'a', 'n', 't', 'c', 'i', 'd'];
        kinds.map(|old| {
            let is_worse = |new: &char| super::is_worse(&finding(*new, after), &finding(old, before));
            kinds.into_iter().filter(is_worse).collect()
        })
    }

    #[test]
    fn a_clash_that_became_a_part_inside_another_is_worse_and_every_other_change_has_its_answer() {
        let same = worse((0.001, 0.001), (0.001, 0.001));
        assert_eq!(same, ["antcid", "ntcid", "tcid", "cid", "id", "d", ""]);
        // A greater depth is worse, also of a kind that is less grave.
        let deeper = worse((0.001, 0.001), (0.001, 0.002));
        assert_eq!(deeper, ["antcid", "ntcid", "tcid", "tcid", "tcid", "tcid", ""]);
        assert_eq!(worse((0.001, 0.002), (0.001, 0.001)), ["antcid", "ntcid", "tcid", "cid", "id", "d", ""]);
        // A smaller distance is worse only where a distance is required.
        assert_eq!(worse((0.002, 0.001), (0.001, 0.001))[..4], ["antcid", "ntcid", "ntcid", "cid"]);
        assert_eq!(worse((0.002, 0.001), (0.001, 0.001))[5], "d", "a wall that is nearer");
        // A wider gap is worse where the parts must touch.
        assert_eq!(worse((0.001, 0.001), (1.0, 0.001))[..4], ["antcid", "antcid", "tcid", "cid"]);
        assert_eq!(worse((0.001, 0.001), (1.0, 0.001))[5], "d");
    }

    #[test]
    fn differences_within_the_accuracy_are_none() {
        let same = worse((0.001, 0.001), (0.001, 0.001));
        assert_eq!(worse((0.001, 0.001), (0.001 - 9e-6, 0.00109)), same);
        assert_eq!(worse((0.001, 0.001), (0.001 + 9e-6, 0.00109)), same);
    }
}
