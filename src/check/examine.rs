//! Examination of one pair of parts: clash, contact, too small a distance, or one inside the other.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::finding::{Depth, Finding, Kind, Proof};
use super::placed::PlacedParts;
use super::way_out::WayOutSearch;
use crate::arrays::MapEach;
use crate::query::{PairMemory, Placed, Seed, crossing_reach, distance, penetration};
use crate::volume::Aabb;

/// Demands on a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Least distance, m, unless the two touch.
    pub clearance: f64,
    /// Allowed depth of overlap, m.
    pub overlap: f64,
}

/// Examiner of pairs; reused from pair to pair for its buffers.
pub(super) struct Examiner {
    memory: PairMemory,
    way_out: Option<WayOutSearch>,
    /// Depth or distance up to which two parts only touch, m. If `None`, the function `tolerance`
    /// computes it for each pair.
    tolerance: Option<f64>,
}

/// Number of closest-point searches for all pairs together; they find the depths and take about ten
/// seconds.
const SEARCHES: usize = 1 << 23;
/// Least number of closest-point searches per pair: about a tenth of a millisecond.
const LEAST_SEARCHES: usize = 64;
/// Depth or distance up to which two parts only touch, as a share of the diagonal of the smaller one's
/// bounding box.
const TOUCHING: f64 = 1e-6;
/// Number of `f32` roundings by which a coordinate may be off: rounding of the coordinate itself, and
/// of a rotation and a translation.
const ROUNDINGS: f64 = 8.0;

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
        Self { memory, way_out: asks_way_out.then(WayOutSearch::default), tolerance }
    }

    /// Returns whether a pair examined since the last call of this function could not be examined
    /// completely.
    pub fn has_given_up(&mut self) -> bool {
        self.memory.has_given_up()
    }

    /// Returns the finding for two parts, or `None` if they meet the demand and do not touch.
    ///
    /// If several points are equally deep or near, the one found depends on the order of the two parts.
    /// The order follows from their positions and bounds, so a file that stores or names the parts
    /// differently gives the same points.
    pub fn examine(&mut self, parts: &PlacedParts, pair: [u32; 2], demand: Demand) -> Option<Finding> {
        let [a, b] = pair;
        if !comes_first(parts, b, a) {
            return self.examine_in_order(parts, pair, demand);
        }
        let mut finding = self.examine_in_order(parts, [b, a], demand)?;
        finding.parts.reverse();
        finding.points.reverse();
        finding.triangles.reverse();
        Some(finding)
    }

    /// Examines two parts in the given order.
    fn examine_in_order(&mut self, parts: &PlacedParts, pair: [u32; 2], demand: Demand) -> Option<Finding> {
        let [a, b] = [parts.placed(pair[0])?, parts.placed(pair[1])?];
        let tolerance = self.tolerance.unwrap_or_else(|| tolerance(&[a, b]));
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
            if nearest.distance == 0.0 {
                finding.proof = Proof::TrianglesIntersect;
                self.judge_crossing(&a, &b, demand, &mut finding);
                return Some(finding);
            }
        }
        if may_be_inside(parts, pair, &a, &b) && self.judge_inside(&a, &b, &mut finding) {
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
    fn judge_crossing(&mut self, a: &Placed, b: &Placed, demand: Demand, finding: &mut Finding) {
        let allowed = finding.tolerance.max(demand.overlap);
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
        finding.kind = if is_deep { Kind::Clash } else { Kind::Contact };
        if is_deep {
            finding.way_out = self.way_out.as_mut().and_then(|search| search.shortest(a, b));
        }
    }

    /// Classifies two surfaces that do not intersect. Returns whether one is inside the other.
    fn judge_inside(&mut self, a: &Placed, b: &Placed, finding: &mut Finding) -> bool {
        let Some(deep) = penetration(a, b, &mut self.memory) else { return false };
        finding.depth = Some(Depth { found: deep.depth, at_most: deep.at_most });
        (finding.kind, finding.proof) = (Kind::Inside, Proof::PointsInside);
        finding.points = deep.points;
        if let Some(nearest) = distance(a, b, f64::INFINITY, &mut self.memory) {
            (finding.distance, finding.triangles) = (nearest.distance, nearest.triangles);
        }
        finding.way_out = self.way_out.as_mut().and_then(|search| search.shortest(a, b));
        true
    }
}

/// Returns the depth or distance up to which two parts only touch, m: a millionth of the smaller part's
/// diagonal, plus the `f32` rounding of the coordinates and of the relative position.
fn tolerance(two: &[Placed; 2]) -> f64 {
    let sizes = two.each_ref().map(|p| f64::from(p.mesh.bounds().diagonal()));
    let largest = two.each_ref().map(|p| {
        let bounds = p.mesh.bounds();
        f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
    });
    let between = two[0].pose.position.distance(two[1].pose.position);
    let rounded = largest[0] + largest[1] + between;
    TOUCHING * sizes[0].min(sizes[1]) + ROUNDINGS * f64::from(f32::EPSILON) * rounded
}

/// Returns an upper bound of the tolerance of any two parts of a scene, m.
pub(super) fn greatest_tolerance(parts: &PlacedParts) -> f64 {
    let (mut size, mut largest, mut all) = (0.0_f64, 0.0_f64, Aabb::EMPTY);
    for placed in parts.parts().filter_map(|part| parts.placed(part)) {
        let bounds = placed.mesh.bounds();
        size = size.max(f64::from(bounds.diagonal()));
        largest = largest.max(f64::from(bounds.min.abs().max(bounds.max.abs()).max_element()));
        let place = placed.pose.position.as_vec3();
        all = all.union(&Aabb::new(place, place));
    }
    let rounded = 2.0 * largest + f64::from(all.diagonal());
    TOUCHING * size + ROUNDINGS * f64::from(f32::EPSILON) * rounded
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
