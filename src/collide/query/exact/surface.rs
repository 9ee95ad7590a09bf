//! Exact query of two surfaces by their triangles, for links that are not convex.
//!
//! The hierarchies decide exactly whether the surfaces intersect. A surface inside a closed one also
//! counts as intersecting. The distance is found by branch and bound over the same hierarchies. A depth
//! belongs to a patch of contact, and the query returns that of the deepest patch.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glam::DVec3;

use super::WayOut;
use super::curve::{Curve, Patch};
use super::depth::{Deepest, DepthSearch};
use super::distance::{NearestPair, nearest_pair};
use super::local_depth::{Overlap, Place};
use super::reach::reach;
use super::region::InnerRegion;
use super::scope::{PosedSurfaces, Side};
use crate::pose::Pose;
use crate::query::{Coherence, find_intersections_within, intersect_coherently};
use crate::tree::{Counts, DescentScratch, SegmentStack, Surfaces};

/// Data of a pair of surfaces from its last query.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    coherence: Coherence,
    /// Nearest pair of triangles.
    nearest: Option<[u32; 2]>,
}

#[derive(Default)]
pub(super) struct Scratch {
    descent: DescentScratch,
    segments: SegmentStack,
    pairs: Vec<[u32; 2]>,
    depth: DepthSearch,
    gave_up: bool,
    curve: Curve,
    region: InnerRegion,
    /// Normals to be tested, each with space for its width.
    normals: Vec<(f64, DVec3)>,
}

/// Number of node tests after which the search for crossings gives up: some seconds.
const MOST_NODE_TESTS: u64 = 1 << 31;
/// Number of crossing pairs after which the search gives up: 32 MB.
const MOST_CROSSINGS: usize = 1 << 22;
/// Largest number of moves of a in the attempt to come free.
const MAX_MOVE_COUNT: usize = 8;
/// Largest overlap that counts as touching, as a share of the size.
const TOUCHING: f64 = 1e-6;
/// Relative amount by which a computed depth may be too small.
const SHORT: f64 = 2e-4;

/// Relation of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Apart,
    Crossing,
    /// Inside: the given side is inside the other solid and does not touch its surface.
    Inside(Side),
}

impl Scratch {
    /// Returns whether the solids share a point.
    pub fn intersects(&mut self, surfaces: Surfaces, b_to_a: &Pose, memory: &mut Memory) -> bool {
        self.relation(&PosedSurfaces::new(surfaces, b_to_a), surfaces, b_to_a, memory) != Relation::Apart
    }

    /// Returns the distance of the surfaces, or the depth and direction of their overlap.
    pub fn query(&mut self, surfaces: Surfaces, b_to_a: &Pose, memory: &mut Memory) -> WayOut {
        let scope = PosedSurfaces::new(surfaces, b_to_a);
        match self.relation(&scope, surfaces, b_to_a, memory) {
            Relation::Apart => {
                let Some(NearestPair { gap, .. }) = self.nearest(surfaces, b_to_a, f64::INFINITY, memory)
                else {
                    return WayOut::infinitely_apart();
                };
                let way = gap.points[0] - gap.points[1];
                let normal = unit_or(way, &scope);
                WayOut { distance: gap.square.sqrt(), depth: 0.0, normal, points: gap.points }
            }
            Relation::Crossing => {
                self.trace(&scope, surfaces, b_to_a);
                let mut answer = self.deepest_patch(&scope);
                self.follow(surfaces, b_to_a, &mut answer);
                answer
            }
            Relation::Inside(side) => {
                let Some(NearestPair { gap, .. }) = self.nearest(surfaces, b_to_a, f64::INFINITY, memory)
                else {
                    return WayOut::infinitely_apart();
                };
                // The direction of separation is towards the nearest point of the outer surface.
                let way = gap.points[1] - gap.points[0];
                self.region.fill_with(&scope, side);
                let normal = unit_or(way, &scope);
                self.normals.clear();
                self.normals.push((0.0, normal));
                let place = Place { scope: &scope, region: &self.region, patch: 0, is_through: false };
                let overlap = place.measure(&mut self.normals, &mut self.segments);
                answer(overlap, normal, gap.points[0])
            }
        }
    }

    /// Returns whether the surfaces are apart, cross, or one lies inside the other.
    fn relation(
        &mut self,
        scope: &PosedSurfaces,
        surfaces: Surfaces,
        b_to_a: &Pose,
        memory: &mut Memory,
    ) -> Relation {
        let counts = &mut Counts::default();
        if intersect_coherently(surfaces, b_to_a, &mut memory.coherence, &mut self.descent, counts) {
            return Relation::Crossing;
        }
        let inside = Side::BOTH.into_iter().find(|&side| scope.is_inside(side, &mut self.segments));
        inside.map_or(Relation::Apart, Relation::Inside)
    }

    /// Returns the nearest triangles of the two surfaces, or `None` if they are farther apart than
    /// `bound` (m).
    pub fn nearest(
        &mut self,
        surfaces: Surfaces,
        b_to_a: &Pose,
        bound: f64,
        memory: &mut Memory,
    ) -> Option<NearestPair> {
        let scope = PosedSurfaces::new(surfaces, b_to_a);
        let buffers = (&mut self.descent, &mut self.pairs);
        let (nearest, is_whole) = nearest_pair(&scope, (surfaces, b_to_a), (bound, memory.nearest), buffers);
        self.gave_up |= !is_whole;
        let nearest = nearest?;
        memory.nearest = Some(nearest.triangles);
        Some(nearest)
    }

    /// Returns the penetration depth of the solids; `None` if no point of a surface is inside the other
    /// solid. If too many triangles cross, the depth is 0 and only its upper bound is valid.
    pub fn deepest(&mut self, surfaces: Surfaces, b_to_a: &Pose) -> Option<Deepest> {
        let scope = PosedSurfaces::new(surfaces, b_to_a);
        if self.find_crossings(surfaces, b_to_a) {
            return self.depth.deepest(&scope, &self.pairs);
        }
        self.gave_up = true;
        let at_most =
            surfaces.iter().map(|(_, mesh)| f64::from(mesh.bounds().diagonal())).fold(0.0, f64::max);
        let [ta, _] = *self.pairs.first()?;
        let [point, ..] = scope.corners(Side::A, ta);
        Some(Deepest { depth: 0.0, at_most, points: [point; 2] })
    }

    /// Returns whether a point of one surface is deeper than `depth` (m) inside the other solid; true if
    /// too many triangles cross to know.
    pub fn is_deeper(&mut self, surfaces: Surfaces, b_to_a: &Pose, (side, depth): (Side, f64)) -> bool {
        let scope = PosedSurfaces::new(surfaces, b_to_a);
        if self.find_crossings(surfaces, b_to_a) {
            return self.depth.is_deeper(&scope, &self.pairs, (side, depth));
        }
        self.gave_up = true;
        true
    }

    /// Returns the distance by which crossing triangles reach through each other, m; a lower bound if
    /// too many cross.
    pub fn reach(&mut self, surfaces: Surfaces, b_to_a: &Pose) -> f64 {
        self.gave_up |= !self.find_crossings(surfaces, b_to_a);
        reach(&PosedSurfaces::new(surfaces, b_to_a), &self.pairs)
    }

    /// Returns whether any query since the last call of this function gave up, so that its result is
    /// only a bound.
    pub fn has_given_up(&mut self) -> bool {
        std::mem::take(&mut self.gave_up)
    }

    /// Sets the limit of [`DepthSearch::limit_searches`].
    pub fn limit_searches(&mut self, most: u32) {
        self.depth.limit_searches(most);
    }

    /// Sets the depth of [`DepthSearch::neglect`].
    pub fn neglect(&mut self, depth: f64) {
        self.depth.neglect(depth);
    }

    pub fn stop_on(&mut self, stop: Arc<AtomicBool>) {
        self.descent.stop = stop;
    }

    /// Finds all intersecting pairs of triangles, sorted. Returns false if there are too many.
    fn find_crossings(&mut self, surfaces: Surfaces, b_to_a: &Pose) -> bool {
        self.pairs.clear();
        let (most, descent) = ((MOST_NODE_TESTS, MOST_CROSSINGS), &mut self.descent);
        let counts = &mut Counts::default();
        let is_whole = find_intersections_within(most, surfaces, b_to_a, descent, &mut self.pairs, counts);
        self.pairs.sort_unstable();
        is_whole
    }

    /// Computes the patches and the inner region; both are empty if the surfaces do not cross.
    fn trace(&mut self, scope: &PosedSurfaces, surfaces: Surfaces, b_to_a: &Pose) {
        self.find_crossings(surfaces, b_to_a);
        self.curve.trace(scope, &self.pairs);
        self.region.fill(scope, &self.curve, &mut self.segments);
    }

    /// Moves a further along the normal until the surfaces no longer cross, because the first depth may
    /// be too small. Adds the moves to the depth.
    fn follow(&mut self, surfaces: Surfaces, b_to_a: &Pose, answer: &mut WayOut) {
        let size: f64 = surfaces.iter().map(|(_, mesh)| f64::from(mesh.bounds().diagonal())).sum();
        for _ in 0..MAX_MOVE_COUNT {
            // A little farther: where surfaces only touch, the inner region consists of rounding
            // errors.
            let way = (1.0 + SHORT) * answer.depth + TOUCHING * size;
            let moved = Pose::new(b_to_a.rotation, b_to_a.position - way * answer.normal);
            let scope = PosedSurfaces::new(surfaces, &moved);
            self.trace(&scope, surfaces, &moved);
            let mut more: f64 = 0.0;
            for first in 0..self.curve.patches.len() as u32 {
                let count = self.patches(first).count();
                if count > 0 {
                    let place =
                        Place { scope: &scope, region: &self.region, patch: first, is_through: count > 1 };
                    more = more.max(place.along(answer.normal, &mut self.segments));
                }
            }
            if more <= TOUCHING * size + SHORT * answer.depth {
                return;
            }
            answer.depth += more;
        }
    }

    /// Returns the overlap at the deepest patch.
    fn deepest_patch(&mut self, scope: &PosedSurfaces) -> WayOut {
        let middle = unit_or(-scope.between(), scope);
        let mut best: Option<Overlap> = None;
        for first in 0..self.curve.patches.len() as u32 {
            if self.region.first_patch(first) != first {
                continue;
            }
            let is_through = self.collect_normals(scope, first, middle);
            let place = Place { scope, region: &self.region, patch: first, is_through };
            let overlap = place.measure(&mut self.normals, &mut self.segments);
            if let Some(overlap) = overlap
                && best.is_none_or(|b| overlap.depth > b.depth)
            {
                best = Some(overlap);
            }
        }
        let touched = self.curve.patches.first();
        let across = touched.map_or(DVec3::ZERO, Patch::across);
        let normal = if across == DVec3::ZERO { middle } else { across };
        answer(best, normal, touched.map_or(DVec3::ZERO, |p| p.point))
    }

    /// Returns the patches merged with `first`; none if `first` is not the first of them.
    fn patches(&self, first: u32) -> impl Iterator<Item = &Patch> {
        let numbers = self.curve.patches.iter().zip(0..);
        numbers.filter(move |(_, number)| self.region.first_patch(*number) == first).map(|(patch, _)| patch)
    }

    /// Collects the normals to be tested at the patches merged with `first`. Returns whether several
    /// patches are merged.
    fn collect_normals(&mut self, scope: &PosedSurfaces, first: u32, middle: DVec3) -> bool {
        let mut normals = std::mem::take(&mut self.normals);
        normals.clear();
        normals.extend(self.patches(first).map(|patch| (0.0, patch.across())));
        self.normals = normals;
        let is_several = self.normals.len() > 1;
        if is_several {
            self.normals.push((0.0, middle));
        }
        for (&[ta, tb], &patch) in self.pairs.iter().zip(self.curve.patch_of_pairs()) {
            if self.region.first_patch(patch) == first {
                self.normals.extend([(0.0, -scope.normal(Side::A, ta)), (0.0, scope.normal(Side::B, tb))]);
            }
        }
        self.normals.retain(|(_, normal)| *normal != DVec3::ZERO);
        is_several
    }
}

/// Builds the result. Without an overlap, the two solids touch at `point`.
fn answer(overlap: Option<Overlap>, normal: DVec3, point: DVec3) -> WayOut {
    match overlap {
        Some(Overlap { depth, normal, points, .. }) => WayOut { distance: 0.0, depth, normal, points },
        None => WayOut { distance: 0.0, depth: 0.0, normal, points: [point; 2] },
    }
}

/// Returns the unit vector of `way`; if that is zero, of the vector from b's center to a's, or else the
/// x axis.
fn unit_or(way: DVec3, scope: &PosedSurfaces) -> DVec3 {
    way.try_normalize().or_else(|| (-scope.between()).try_normalize()).unwrap_or(DVec3::X)
}
