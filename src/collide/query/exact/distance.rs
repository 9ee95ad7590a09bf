//! Nearest pair of triangles of two surfaces, by branch and bound. The search is limited to a distance,
//! starts from the last nearest pair, and stops as soon as two triangles intersect.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::curve::segment;
use super::scope::{PosedSurfaces, Side};
use super::triangles::{Gap, gap};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::query::approach;
use crate::query::filter::ExactFilter;
use crate::query::nearer::NearerFilter;
use crate::tree::{Counts, DescentScratch, Surfaces};

/// Number of triangle pairs after which a search gives up. They take some seconds.
const MOST_PAIRS: u64 = 1 << 28;

/// Nearest pair of triangles of two surfaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestPair {
    pub triangles: [u32; 2],
    /// Gap between the triangles; its square is 0 if they intersect.
    pub gap: Gap,
}

impl NearestPair {
    fn measured(scope: &PosedSurfaces, triangles: [u32; 2]) -> Self {
        let [ta, tb] = triangles;
        Self { triangles, gap: gap(&scope.corners(Side::A, ta), &scope.corners(Side::B, tb)) }
    }

    /// Returns whether the pair is nearer than `other`. Of equally near pairs, the one with the lower
    /// indices counts as nearer, so that the order of visits does not matter.
    fn is_before(&self, other: &Self) -> bool {
        (self.gap.square, self.triangles) < (other.gap.square, other.triangles)
    }
}

/// Returns the nearest triangles of two surfaces, or `None` if they are farther apart than `bound` (m).
/// `seed`: the last nearest pair, if any; it saves most of the search if the surfaces have moved only a
/// little. If the surfaces intersect, returns one of the intersecting pairs, which depends on the kind
/// of hierarchy. `near` is a buffer. The second value is whether the search is complete. It gives up,
/// with the nearest pair found so far, if the boxes of too many triangles overlap, or if the stop flag
/// is set.
pub(super) fn nearest_pair(
    scope: &PosedSurfaces,
    (surfaces, b_to_a): (Surfaces, &Pose),
    (bound, seed): (f64, Option<[u32; 2]>),
    (descent, near): (&mut DescentScratch, &mut Vec<[u32; 2]>),
) -> (Option<NearestPair>, bool) {
    let is_there = |triangles: &[u32; 2]| {
        let count = |side: Side| scope.mesh(side).triangles().len() as u32;
        triangles[0] < count(Side::A) && triangles[1] < count(Side::B)
    };
    let first = seed.filter(is_there).unwrap_or([0; 2]);
    let meshes = surfaces.map_each(|(_, mesh)| mesh);
    let (exact, filter) = (ExactFilter::new(meshes[0], meshes[1], b_to_a), NearerFilter::new(meshes, b_to_a));
    let mut crossing = None;
    let mut find_crossing = |pairs: &[[u32; 2]]| {
        exact.intersecting(pairs, |pair| {
            crossing = Some(pair);
            false
        });
        crossing.is_some()
    };
    let mut best = NearestPair::measured(scope, first);
    let (mut left, stop) = (MOST_PAIRS, Arc::clone(&descent.stop));
    if !find_crossing(&[first]) {
        let start = bound.min(best.gap.square.sqrt());
        approach(surfaces, b_to_a, start, descent, &mut Counts::default(), &mut |pairs| {
            left = left.saturating_sub(pairs.len() as u64);
            if left == 0 || stop.load(Ordering::Relaxed) {
                return f64::NEG_INFINITY;
            }
            near.clear();
            filter.keep(pairs, bound.min(best.gap.square.sqrt()), near);
            if find_crossing(near) {
                return f64::NEG_INFINITY;
            }
            for &next in &*near {
                let next = NearestPair::measured(scope, next);
                if next.is_before(&best) {
                    best = next;
                }
            }
            bound.min(best.gap.square.sqrt())
        });
    }
    if let Some(triangles) = crossing {
        best = NearestPair::measured(scope, triangles);
        let [p, q] = segment(scope, triangles).map_or(best.gap.points, |ends| ends.map_each(|end| end.point));
        best.gap = Gap { square: 0.0, points: [0.5 * (p + q); 2] };
    }
    let is_whole = crossing.is_some() || !(left == 0 || stop.load(Ordering::Relaxed));
    ((best.gap.square.sqrt() <= bound).then_some(best), is_whole)
}
