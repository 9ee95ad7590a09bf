//! The exact query of two surfaces by their triangles, for links that are not convex.
//!
//! Whether they intersect is decided exactly, by the hierarchies; one closed surface inside another counts.
//! How far apart they are is a branch and bound over the same hierarchies, how deep they are in each other is
//! local to a patch of contact, and the deepest patch is answered.

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

/// What is known of a pair of surfaces from its last query.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    coherence: Coherence,
    /// The pair of triangles that was nearest.
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
    /// To be tried, each with room for a measure.
    normals: Vec<(f64, DVec3)>,
}

/// Node tests and pairs of triangles after which the search for those that cross is given up: some seconds,
/// and 32 MB.
const MOST_NODE_TESTS: u64 = 1 << 31;
const MOST_CROSSINGS: usize = 1 << 22;
/// How often a is moved on to come free.
const MAX_MOVE_COUNT: usize = 8;
/// Share of the size by which surfaces may overlap and be taken to touch.
const TOUCHING: f64 = 1e-6;
/// Share of itself by which a depth may be short.
const SHORT: f64 = 2e-4;

/// How two surfaces lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Apart,
    Crossing,
    /// This one is inside the other and does not touch it.
    Inside(Side),
}

impl Scratch {
    /// Whether the solids share a point.
    pub fn intersects(&mut self, surfaces: Surfaces, b_to_a: &Pose, memory: &mut Memory) -> bool {
        self.relation(&PosedSurfaces::new(surfaces, b_to_a), surfaces, b_to_a, memory) != Relation::Apart
    }

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
                // Out through where the outer surface is nearest.
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

    /// Returns the nearest triangles, or `None` if they are farther apart than `bound` (m).
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

    /// Returns how deep the solids are in each other; `None` if no point of a surface is inside the other. If
    /// too many triangles cross only a bound is known.
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

    /// Returns how far triangles that cross reach through each other, m; a lower bound if too many do.
    pub fn reach(&mut self, surfaces: Surfaces, b_to_a: &Pose) -> f64 {
        self.gave_up |= !self.find_crossings(surfaces, b_to_a);
        reach(&PosedSurfaces::new(surfaces, b_to_a), &self.pairs)
    }

    /// Returns whether a query since the last call gave up, and its answer is no more than a bound.
    pub fn has_given_up(&mut self) -> bool {
        std::mem::take(&mut self.gave_up)
    }

    /// See [`DepthSearch::limit_searches`].
    pub fn limit_searches(&mut self, most: u32) {
        self.depth.limit_searches(most);
    }

    pub fn stop_on(&mut self, stop: Arc<AtomicBool>) {
        self.descent.stop = stop;
    }

    /// Finds all pairs of triangles that intersect, in order; returns false if there are too many.
    fn find_crossings(&mut self, surfaces: Surfaces, b_to_a: &Pose) -> bool {
        self.pairs.clear();
        let (most, descent) = ((MOST_NODE_TESTS, MOST_CROSSINGS), &mut self.descent);
        let counts = &mut Counts::default();
        let is_whole = find_intersections_within(most, surfaces, b_to_a, descent, &mut self.pairs, counts);
        self.pairs.sort_unstable();
        is_whole
    }

    /// Finds the patches and what is inside; none if the surfaces do not cross.
    fn trace(&mut self, scope: &PosedSurfaces, surfaces: Surfaces, b_to_a: &Pose) {
        self.find_crossings(surfaces, b_to_a);
        self.curve.trace(scope, &self.pairs);
        self.region.fill(scope, &self.curve, &mut self.segments);
    }

    /// Moves a on along the normal until the surfaces do not cross any more: what the first overlap did not
    /// tell.
    fn follow(&mut self, surfaces: Surfaces, b_to_a: &Pose, answer: &mut WayOut) {
        let size: f64 = surfaces.iter().map(|(_, mesh)| f64::from(mesh.bounds().diagonal())).sum();
        for _ in 0..MAX_MOVE_COUNT {
            // A little farther: where surfaces only touch, what is inside is all rounding.
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

    /// The patches that are one with `first`, if that is the first of them.
    fn patches(&self, first: u32) -> impl Iterator<Item = &Patch> {
        let numbers = self.curve.patches.iter().zip(0..);
        numbers.filter(move |(_, number)| self.region.first_patch(*number) == first).map(|(patch, _)| patch)
    }

    /// The normals to try at the patches that are one with `first`; whether there are several.
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

/// Without an overlap the two touch at a point.
fn answer(overlap: Option<Overlap>, normal: DVec3, point: DVec3) -> WayOut {
    match overlap {
        Some(Overlap { depth, normal, points, .. }) => WayOut { distance: 0.0, depth, normal, points },
        None => WayOut { distance: 0.0, depth: 0.0, normal, points: [point; 2] },
    }
}

/// A direction of length one: this one, or from b's middle to a's, or any.
fn unit_or(way: DVec3, scope: &PosedSurfaces) -> DVec3 {
    way.try_normalize().or_else(|| (-scope.between()).try_normalize()).unwrap_or(DVec3::X)
}
