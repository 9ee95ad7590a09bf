//! Examination of one pair of parts: clash, contact, too small a distance, or one inside the other.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::finding::{Depth, Finding, Kind, Proof};
use super::placed::PlacedParts;
use super::sharing::{SharedPoint, Sharing};
use super::tolerance::{is_coarse, rounding, tolerance};
use super::way_out::WayOutSearch;
use crate::arrays::MapEach;
use crate::query::{PairMemory, Placed, Seed, crossing_reach, distance, penetration};

/// Demands on a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Least distance, m, unless the two touch.
    pub clearance: f64,
    /// Allowed depth of overlap, m.
    pub overlap: f64,
    /// Whether the two may touch although a clearance is demanded.
    pub may_touch: bool,
}

/// Examiner of pairs; reused from pair to pair for its buffers.
pub(super) struct Examiner {
    memory: PairMemory,
    sharing: Sharing,
    way_out: Option<WayOutSearch>,
    /// Depth or distance up to which two parts only touch, m. If `None`, the function `tolerance`
    /// computes it for each pair.
    tolerance: Option<f64>,
    /// Whether the coordinates of the last pair were too coarse for its verdict; see
    /// [`Examiner::is_coarse`].
    is_coarse: bool,
}

/// Number of closest-point searches for all pairs together; they find the depths and take about ten
/// seconds.
const SEARCHES: usize = 1 << 23;
/// Least number of closest-point searches per pair: about a tenth of a millisecond.
const LEAST_SEARCHES: usize = 64;
/// Share of the tolerance up to which a depth is not searched for.
const NEGLECTED: f64 = 0.5;

impl Examiner {
    /// Creates an examiner for a check of `pair_count` pairs in all. Once `stop` is set, a query ends
    /// early with a wrong result.
    pub fn new(
        tolerance: Option<f64>,
        asks_way_out: bool,
        pair_count: usize,
        stop: &Arc<AtomicBool>,
    ) -> Self {
        let mut memory = PairMemory::default();
        memory.stop_on(Arc::clone(stop));
        let each = (SEARCHES / pair_count.max(1)).max(LEAST_SEARCHES);
        memory.limit_searches(u32::try_from(each).unwrap_or(u32::MAX));
        let way_out = asks_way_out.then(WayOutSearch::default);
        Self { memory, sharing: Sharing::default(), way_out, tolerance, is_coarse: false }
    }

    /// Returns whether a pair examined since the last call of this function could not be examined
    /// completely.
    pub fn has_given_up(&mut self) -> bool {
        self.memory.has_given_up()
    }

    /// Returns whether a clash of the last examined pair may be missing, because its coordinates are
    /// coarse: the computed tolerance is too large, or a given one is smaller than their rounding.
    pub fn is_coarse(&self) -> bool {
        self.is_coarse
    }

    /// Returns the finding for two parts, or `None` if they meet the demand and do not touch.
    ///
    /// If several points are equally deep or near, the one found depends on the order of the two parts.
    /// The order follows from their positions and bounds, so a file that stores or names the parts
    /// differently gives the same points.
    pub fn examine(&mut self, parts: &PlacedParts, pair: [u32; 2], demand: Demand) -> Option<Finding> {
        let [a, b] = pair;
        self.is_coarse = false;
        let is_turned = comes_first(parts, b, a);
        let mut found = self.examine_in_order(parts, if is_turned { [b, a] } else { pair }, demand);
        if let Some(finding) = found.as_mut().filter(|_| is_turned) {
            finding.parts.reverse();
            finding.points.reverse();
            finding.triangles.reverse();
        }
        self.is_coarse &= found.as_ref().is_none_or(|finding| !finding.kind.is_clash());
        found
    }

    /// Examines two parts in the given order.
    fn examine_in_order(&mut self, parts: &PlacedParts, pair: [u32; 2], demand: Demand) -> Option<Finding> {
        let [a, b] = [parts.placed(pair[0])?, parts.placed(pair[1])?];
        let usual = tolerance(&[a, b]);
        let tolerance = self.tolerance.unwrap_or(usual);
        self.memory.neglect(NEGLECTED * usual.min(tolerance));
        self.memory.seed = Seed::default();
        let mut finding = Finding {
            parts: pair,
            kind: Kind::Clearance,
            distance: f64::INFINITY,
            depth: None,
            reach: None,
            way_out: None,
            points: Default::default(),
            triangles: [0; 2],
            tolerance,
            clearance: demand.clearance,
            overlap: demand.overlap,
            may_touch: demand.may_touch || demand.overlap > 0.0,
            proof: Proof::NearestTriangles,
            excluded: None,
        };
        if is_doubled(&a, &b, tolerance) {
            let middle = a.pose.transform_point(a.mesh.bounds().center().as_dvec3());
            (finding.kind, finding.distance, finding.points) = (Kind::Doubled, 0.0, [middle; 2]);
            finding.proof = Proof::SamePlace;
            return Some(finding);
        }
        let bound = demand.clearance.max(tolerance);
        if let Some(nearest) = distance(&a, &b, bound, &mut self.memory) {
            (finding.distance, finding.points) = (nearest.distance, nearest.points);
            finding.triangles = nearest.triangles;
            self.is_coarse = match self.tolerance {
                None => is_coarse(&[a, b], demand.clearance),
                Some(tolerance) => tolerance < rounding(&[a, b]),
            };
        }
        if finding.distance == 0.0 {
            finding.proof = Proof::TrianglesIntersect;
            self.judge_crossing(parts, [&a, &b], &mut finding);
            return Some(finding);
        }
        let is_near = finding.distance <= tolerance || may_be_inside(parts, pair, &a, &b);
        if is_near && self.judge_inside(parts, [&a, &b], &mut finding) {
            return Some(finding);
        }
        if finding.distance <= tolerance {
            finding.kind = Kind::Contact;
            return Some(finding);
        }
        // A distance that is smaller than demanded by at most the tolerance counts as large enough.
        (finding.distance < demand.clearance - tolerance).then_some(finding)
    }

    /// Classifies two surfaces that intersect.
    fn judge_crossing(&mut self, parts: &PlacedParts, [a, b]: [&Placed; 2], finding: &mut Finding) {
        let allowed = finding.tolerance.max(finding.overlap);
        if let Some(deep) = penetration(a, b, &mut self.memory) {
            finding.depth = Some(Depth { found: deep.depth, at_most: deep.at_most });
            finding.points = deep.points;
        }
        let is_sheet = [a, b].iter().any(|p| p.mesh.surface().flaws.two_sided_triangle_count > 0);
        let depth = finding.depth.map_or(0.0, |depth| depth.found);
        if is_sheet && depth <= allowed {
            finding.reach = Some(crossing_reach(a, b, &mut self.memory));
        }
        // If no depth was found but its upper bound exceeds the allowed depth, the overlap is not
        // proven to be allowed.
        let is_unknown = finding.depth.is_some_and(|d| d.found == 0.0 && d.at_most > allowed);
        let is_deep = depth.max(finding.reach.unwrap_or(0.0)) > allowed || is_unknown;
        finding.kind = Kind::Contact;
        if is_deep {
            finding.kind = self.nesting(parts, finding).unwrap_or(Kind::Clash);
        } else if let Some(shared) = self.sharing.shared_point(parts, finding.parts, finding.tolerance) {
            self.judge_shared(parts, shared, finding);
        }
        if finding.kind.is_clash() {
            finding.way_out = self.way_out.as_mut().and_then(|search| search.shortest(a, b));
        }
    }

    /// Classifies two surfaces that do not intersect. Returns whether the parts share material.
    fn judge_inside(&mut self, parts: &PlacedParts, [a, b]: [&Placed; 2], finding: &mut Finding) -> bool {
        let deep = penetration(a, b, &mut self.memory);
        if let Some(deep) = deep.filter(|deep| deep.depth > finding.tolerance) {
            finding.depth = Some(Depth { found: deep.depth, at_most: deep.at_most });
            finding.proof = Proof::PointsInside;
            finding.points = deep.points;
            finding.kind = self.nesting(parts, finding).unwrap_or(Kind::Clash);
        } else if finding.distance > finding.tolerance {
            // Solids that share a component have surfaces within the tolerance of each other.
            return false;
        } else {
            let shared = self.sharing.shared_point(parts, finding.parts, finding.tolerance);
            let Some(shared) = shared else { return false };
            self.judge_shared(parts, shared, finding);
        }
        if let Some(nearest) = distance(a, b, f64::INFINITY, &mut self.memory) {
            (finding.distance, finding.triangles) = (nearest.distance, nearest.triangles);
        }
        finding.way_out = self.way_out.as_mut().and_then(|search| search.shortest(a, b));
        true
    }

    /// Classifies two parts that share material, although no point of either surface is deeper inside
    /// the other solid than the tolerance and the rules allow.
    fn judge_shared(&mut self, parts: &PlacedParts, shared: SharedPoint, finding: &mut Finding) {
        let nesting = self.nesting(parts, finding);
        finding.kind = match nesting {
            Some(Kind::Doubled) => Kind::Doubled,
            _ if shared.depth <= finding.overlap => Kind::Contact,
            other => other.unwrap_or(Kind::Clash),
        };
        if finding.kind == Kind::Contact {
            return;
        }
        let [a, b] = finding.parts.map_each(|part| f64::from(parts.bounds(part).diagonal()));
        finding.depth = Some(Depth { found: shared.depth, at_most: a.min(b) });
        finding.points = [shared.point; 2];
        finding.proof = if finding.kind == Kind::Doubled { Proof::SamePlace } else { Proof::SharedMaterial };
    }

    /// Returns whether the parts of a finding are equal solids at one place (doubled), or one is within
    /// the other (inside); otherwise `None`.
    fn nesting(&mut self, parts: &PlacedParts, finding: &Finding) -> Option<Kind> {
        let [a, b] = finding.parts;
        let tolerance = finding.tolerance;
        let mut is_within = |pair| self.sharing.is_within(parts, pair, tolerance, &mut self.memory);
        match [is_within([a, b]), is_within([b, a])] {
            [true, true] => Some(Kind::Doubled),
            [false, false] => None,
            _ => Some(Kind::Inside),
        }
    }
}

/// Returns whether part `a` comes before part `b` by position, or at equal position by the bounds of
/// its surface.
fn comes_first(parts: &PlacedParts, a: u32, b: u32) -> bool {
    let numbers = |part: u32| {
        let place = parts.pose(part).position.to_array();
        let bounds = parts.bounds(part);
        [place, bounds.min.as_dvec3().to_array(), bounds.max.as_dvec3().to_array()]
    };
    let [of_a, of_b] = [a, b].map_each(numbers);
    let pairs = of_a.as_flattened().iter().zip(of_b.as_flattened());
    pairs.map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne()).is_some_and(|order| order.is_lt())
}

/// Returns whether the parts are the same mesh at the same pose: three corners and the center of its
/// bounds differ in position by at most `tolerance`, m.
fn is_doubled(a: &Placed, b: &Placed, tolerance: f64) -> bool {
    let bounds = a.mesh.bounds();
    let corners = [bounds.min, bounds.max, bounds.center()].map_each(|corner| corner.as_dvec3());
    let moved = |p| a.pose.transform_point(p).distance(b.pose.transform_point(p));
    std::ptr::eq(a.mesh, b.mesh)
        && corners.iter().all(|&p| moved(p) <= tolerance)
        && moved(corners[0].with_x(corners[1].x)) <= tolerance
}

/// Returns whether one part, or a component of it, may lie inside the other without an intersection of
/// the surfaces: one part's box contains the other box, or a part has several components and the boxes
/// overlap.
fn may_be_inside(parts: &PlacedParts, [i, j]: [u32; 2], a: &Placed, b: &Placed) -> bool {
    let (of_a, of_b) = (parts.bounds(i), parts.bounds(j));
    let slack = 1e-6 * f64::from(of_a.diagonal().max(of_b.diagonal()));
    let nests = of_a.inflated(slack).contains(of_b) || of_b.inflated(slack).contains(of_a);
    let has_parts = [a, b].iter().any(|p| p.mesh.surface().flaws.component_count > 1);
    nests || (has_parts && of_a.overlaps(of_b))
}
