//! Document of a check: every finding, by the paths of its parts. The document does not depend on the
//! number of threads. An `id` stays the same if a file only shuffles its nodes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::finding::{id, path};
use super::remarks::{CoarseTolerance, doubts, missing, notes, overlap_of_all, unproven};
use super::review::{Review, Reviewed};
use crate::check::{Checked, Demands, Finding, Kind, PlacedParts, Proof, Reason, written};
use crate::import::model::Note;

/// Name of the document's format, and its version. The version rises when a field changes its meaning.
const FORMAT: &str = "tumble-check";
pub(super) const VERSION: u32 = 1;

/// Description of the object of a check.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Name of the checked file, scene or recording.
    pub model: String,
    /// Step of the run that was checked; `None` for the start.
    pub step: Option<u32>,
}

/// Results of a check as a JSON document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckDocument {
    pub format: String,
    pub version: u32,
    pub model: String,
    pub step: Option<u32>,
    /// Required distance of parts for which no rule specifies another, m.
    pub clearance_m: f64,
    pub part_count: usize,
    /// Number of triangles of all parts. A surface that several parts share counts once per part.
    pub triangle_count: usize,
    /// Number of pairs of parts whose boxes are near enough to be tested.
    pub near_count: usize,
    /// Number of pairs that were tested.
    pub asked_count: usize,
    /// Number of pairs whose test could not be finished, because too many of their triangles are near
    /// each other.
    #[serde(default)]
    pub open_count: usize,
    /// Number of pairs that a rule excludes from the check.
    pub ignored_count: usize,
    /// Whether all pairs were tested or excluded; false if the check was interrupted.
    pub complete: bool,
    /// Geometry that is missing from the check: surfaces that the import left out, and parts without a
    /// valid pose, one text each.
    #[serde(default)]
    pub missing: Vec<String>,
    /// Pairs for which the coordinates are too coarse; `null` if there are none.
    #[serde(default)]
    pub coarse_tolerance: Option<CoarseTolerance>,
    /// Findings, the worst first, followed by those resolved since the baseline.
    pub findings: Vec<FindingFigures>,
    /// Findings of pairs that the scene excludes from collision.
    pub excluded: Vec<FindingFigures>,
    /// Notes for readers: open parts, omitted parts, tests that could not be finished.
    pub notes: Vec<String>,
    /// Notes of the import: content of the files that was left out, repaired or assumed.
    #[serde(default)]
    pub import_notes: Vec<Note>,
}

/// Change of a finding since the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// New: not in the baseline.
    New,
    /// Existing: in the baseline, and now not worse.
    Existing,
    /// Worse: in the baseline, and now of a graver kind, or deeper or nearer by more than the accuracy.
    Worse,
    /// Resolved: in the baseline but not found now; the figures are those of the baseline.
    Resolved,
}

/// Figures of a finding in the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Was {
    pub kind: Kind,
    pub distance_m: f64,
    pub depth_m: Option<f64>,
}

/// Finding with the paths of its parts in alphabetical order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingFigures {
    /// Hash of the two paths, 16 hexadecimal digits.
    pub id: String,
    pub a: String,
    pub b: String,
    pub kind: Kind,
    /// Distance of the surfaces, m; 0 if they intersect.
    pub distance_m: f64,
    /// Largest distance from a point of either surface that lies inside the other solid to that solid's
    /// surface, m; `null` if no point lies inside.
    pub depth_m: Option<f64>,
    /// Upper bound of the depth, m.
    pub depth_at_most_m: Option<f64>,
    /// Depth by which triangles of crossing open surfaces pass through each other, m.
    pub reach_m: Option<f64>,
    /// Smallest displacement of one part that separates the two, m, if it was requested.
    pub way_out_m: Option<f64>,
    /// Point on a and point on b between which the depth or distance is measured, world, m.
    pub points: [[f64; 3]; 2],
    /// Depth or distance up to which the parts count as touching, m.
    pub tolerance_m: f64,
    /// Required distance of the parts, m.
    pub clearance_m: f64,
    /// Depth that a rule allows, m.
    #[serde(default)]
    pub overlap_m: f64,
    /// Whether a rule expects the parts to touch, so that a contact does not miss the required distance.
    #[serde(default)]
    pub may_touch: bool,
    pub proof: Proof,
    /// Reason why the scene excludes the pair from collision, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excluded: Option<Reason>,
    /// Change since the baseline; `null` without a baseline.
    pub change: Option<Change>,
    /// Figures in the baseline, if the finding was there in any form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Was>,
    /// Verdict of a reviewer, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Reviewed>,
    /// Bodies of the scene; `None` for a finding from a file.
    #[serde(skip)]
    pub(super) parts: Option<[u32; 2]>,
}

impl FindingFigures {
    fn new(finding: &Finding, parts: &PlacedParts) -> Self {
        let side = |k: usize| (path(finding.parts[k], parts.scene()), finding.points[k], finding.parts[k]);
        let mut sides = [side(0), side(1)];
        sides.sort_by(|x, y| x.0.cmp(&y.0));
        let [(a, point_a, part_a), (b, point_b, part_b)] = sides;
        Self {
            id: id(&[&a, &b]),
            a,
            b,
            kind: finding.kind,
            distance_m: finding.distance,
            depth_m: finding.depth.map(|depth| depth.found),
            depth_at_most_m: finding.depth.map(|depth| depth.at_most),
            reach_m: finding.reach,
            way_out_m: finding.way_out,
            points: [point_a, point_b].map(|point| point.to_array()),
            tolerance_m: finding.tolerance,
            clearance_m: finding.clearance,
            overlap_m: finding.overlap,
            may_touch: finding.may_touch,
            proof: finding.proof,
            excluded: finding.excluded,
            change: None,
            was: None,
            review: None,
            parts: Some([part_a, part_b]),
        }
    }

    /// Returns the bodies a and b of the scene; `None` for a finding that was read from a file, as
    /// resolved ones are.
    pub fn parts(&self) -> Option<[u32; 2]> {
        self.parts
    }

    /// Describes the depth or the distance of the parts; empty if neither is known.
    pub fn measure(&self) -> String {
        let way_out = self.way_out_m.map_or(String::new(), |way| format!(", way out {}", written(way)));
        let depth = match (self.depth_m, self.depth_at_most_m) {
            (Some(depth), Some(most)) if most > 1.05 * depth && self.kind != Kind::Inside => {
                format!("{} to {} deep", written(depth), written(most))
            }
            (Some(depth), _) => format!("{} deep", written(depth)),
            (None, _) => match self.reach_m {
                Some(reach) => format!("sheets reach {} through", written(reach)),
                None => String::new(),
            },
        };
        match self.kind {
            Kind::Clearance | Kind::Apart => format!("{} apart", written(self.distance_m)),
            Kind::Doubled => String::new(),
            _ => depth + &way_out,
        }
    }

    /// Returns the depth of the overlap, or the length by which the demanded distance is missed, m;
    /// `None` if neither is known.
    pub fn excess(&self) -> Option<f64> {
        match self.kind {
            Kind::Contact if self.misses_distance() => Some(self.clearance_m - self.distance_m),
            Kind::Clash | Kind::Inside | Kind::Contact => self.depth_m.or(self.reach_m),
            Kind::Doubled => None,
            Kind::Apart => Some(self.distance_m),
            Kind::Clearance => Some(self.clearance_m - self.distance_m),
        }
    }

    /// Returns whether the parts touch although a distance is required of them.
    pub fn misses_distance(&self) -> bool {
        self.kind == Kind::Contact && self.clearance_m > 0.0 && !self.may_touch
    }

    /// Returns whether the finding is a contact, and the parts may touch.
    pub fn is_allowed(&self) -> bool {
        self.kind == Kind::Contact && !self.misses_distance()
    }

    /// Returns whether the finding is more than an allowed contact, and not resolved.
    pub fn is_fault(&self) -> bool {
        !self.is_allowed() && self.change != Some(Change::Resolved)
    }

    /// Returns whether a reviewer accepted the finding, and it has not become worse since.
    pub fn is_accepted(&self) -> bool {
        self.change != Some(Change::Resolved) && self.review.as_ref().is_some_and(Reviewed::holds)
    }

    pub fn is_clash(&self) -> bool {
        self.kind.is_clash() && self.change != Some(Change::Resolved)
    }
}

impl CheckDocument {
    pub fn new(checked: &Checked, parts: &PlacedParts, demands: Demands, setup: Setup) -> Self {
        let triangles = |part: u32| parts.placed(part).map_or(0, |placed| placed.mesh.triangles().len());
        let all = checked.findings.iter().map(|finding| FindingFigures::new(finding, parts));
        let (mut findings, mut excluded) = (Vec::new(), Vec::new());
        for finding in all {
            if finding.excluded.is_some() { excluded.push(finding) } else { findings.push(finding) }
        }
        let mut notes = notes(parts);
        notes.extend(overlap_of_all(checked, parts));
        notes.extend(unproven(checked));
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            model: setup.model,
            step: setup.step,
            clearance_m: demands.clearance,
            part_count: parts.parts().count(),
            triangle_count: parts.parts().map(triangles).sum(),
            near_count: checked.near_count,
            asked_count: checked.asked_count,
            open_count: checked.open_count,
            ignored_count: checked.ignored_count,
            complete: checked.is_complete(),
            missing: missing(parts),
            coarse_tolerance: checked.coarse.map(|coarse| CoarseTolerance::new(coarse, parts)),
            findings,
            excluded,
            notes,
            import_notes: parts.scene().notes.clone(),
        }
    }

    /// Adds the verdicts of a review to the findings, and notes the verdicts of which no finding is left.
    /// An accepted finding counts again if it became worse by more than the share `growth`. `paths` are
    /// those of all parts.
    pub fn judge(&mut self, review: &Review, growth: f64, paths: &BTreeSet<&str>) {
        for finding in self.findings.iter_mut().chain(&mut self.excluded) {
            let sides = [finding.a.clone(), finding.b.clone()];
            let key = (finding.kind.name(), finding.id.as_str(), &sides[..]);
            finding.review = review.reviewed(key, finding.excess(), (growth, 10.0 * finding.tolerance_m));
        }
        let is_there = |f: &&FindingFigures| f.change != Some(Change::Resolved);
        let all = self.findings.iter().chain(&self.excluded).filter(is_there);
        let found: BTreeSet<(&str, &str)> = all.map(|f| (f.kind.name(), f.id.as_str())).collect();
        let notes = [review.unused(&found, paths), review.unbounded()];
        self.notes.extend(notes.into_iter().flatten());
    }

    /// Describes the reasons for which a finding may be missing, apart from pairs that were not tested.
    pub fn doubts(&self) -> Vec<String> {
        doubts(&self.missing, self.coarse_tolerance.as_ref())
    }

    /// Returns the number of findings of a kind, without resolved ones.
    pub fn count(&self, kind: Kind) -> usize {
        let is_of = |f: &&FindingFigures| f.kind == kind && f.change != Some(Change::Resolved);
        self.findings.iter().filter(is_of).count()
    }
}
