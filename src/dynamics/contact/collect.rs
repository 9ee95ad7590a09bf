//! Test of a pair's candidates for touching features. Each candidate is tested by its geometry alone,
//! so the order of the candidates does not matter.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;

use super::candidate_list::Skin;
use super::collider::{Limits, QueryScratch, Surface};
use super::counts::QueryCounts;
use super::crossing::extent_of_crossing;
use super::effort::{NearPairs, PAIR_EFFORT, WAY_OUT};
use super::features::{Feature, FeatureSearch};
use super::other_side::is_on_other_side;
use super::pair::PairContacts;
use super::ratios::{DEEP_SLOPS, WAY_OUT_ENDS};
use super::settings::BodyPair;
use crate::arrays::MapEach;
use crate::body::{BodyInfo, PartFilters};
use crate::mesh::{Mesh, boxes_overlap, intersects};
use crate::pose::Pose;
use crate::query::{TouchFilter, crosses};

/// Two triangles that intersect, a's first, body space of a, m.
pub type Crossing<'a> = [&'a [DVec3; 3]; 2];

/// Number of triangle pairs between two checks of the stop flag. Testing these takes well below a
/// millisecond.
const STOP_CHECK_INTERVAL: usize = 256;

/// Returns whether a loop over triangle pairs must end at `index`.
fn ends_at(index: usize, stop: &AtomicBool) -> bool {
    index.is_multiple_of(STOP_CHECK_INTERVAL) && stop.load(Ordering::Relaxed)
}

/// Test of a pair's candidates for touching features.
struct Collector<'a, F> {
    features: FeatureSearch<'a>,
    /// Filters of both bodies' parts; `None` unless some parts collide and others do not.
    parts: Option<[&'a PartFilters; 2]>,
    near: NearPairs,
    counts: QueryCounts,
    /// Largest distance by which intersecting triangles reach through each other so far, m; `None` if
    /// it is not measured.
    crossing_extent: Option<f64>,
    crossed: F,
}

impl<F: FnMut(Crossing)> Collector<'_, F> {
    /// Tests one candidate. Appends the feature pairs of its triangles that make a contact, and passes
    /// the triangles to `crossed` if they intersect.
    #[inline(always)]
    fn test(&mut self, pair: &PairContacts, [ta, tb]: [u32; 2]) {
        let counts = &mut self.counts;
        if self.parts.is_some_and(|[a, b]| !a.meet(b, [ta, tb])) {
            counts.false_alarm_count += 1;
            return;
        }
        let (corners_a, corners_b) = self.features.corners(ta, tb);
        if !self.features.may_touch(ta, tb, &corners_a, &corners_b) {
            counts.false_alarm_count += 1;
            return;
        }
        let before = self.features.found.len();
        let crossing = boxes_overlap(&corners_a, &corners_b, 0.0) && intersects(&corners_a, &corners_b);
        self.features.is_crossing = crossing;
        self.features.find(ta, tb, &corners_a, &corners_b);
        counts.intersection_count += u64::from(crossing);
        if crossing {
            (self.crossed)([&corners_a, &corners_b]);
        }
        if crossing && let Some(extent) = &mut self.crossing_extent {
            *extent = extent.max(extent_of_crossing(&corners_a, &corners_b));
        }
        let found = &self.features.found[before..];
        let touches = crossing || !found.is_empty();
        counts.false_alarm_count += u64::from(!touches);
        let deep_count = found.iter().filter(|f| pair.must_find_way_out(f)).count();
        counts.effort += (usize::from(touches) + found.len() + WAY_OUT * deep_count) as u64;
        counts.effort += if touches { 0 } else { self.near.add(&corners_a, &corners_b) };
    }
}

impl PairContacts {
    /// Collects the touching features of the candidates into `scratch`, and passes intersecting
    /// triangles to `crossed`. Ends early once the effort exceeds that of `limits` or queries are
    /// stopped. For `refill` see [`PairContacts::find_contacts`].
    pub fn collect(
        &mut self,
        scratch: &mut QueryScratch,
        [(_, mesh_a), (_, mesh_b)]: [Surface; 2],
        bodies: BodyPair,
        limits: Limits,
        mut refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool,
        crossed: impl FnMut(Crossing),
    ) -> QueryCounts {
        let QueryScratch { packed, features, carried, touching, stop, .. } = scratch;
        let b_to_a = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        let near = self.near(self.search.margin, limits.speculative, Skin::default());
        let filter = TouchFilter::new([mesh_a, mesh_b], &b_to_a, near);
        packed.start();
        features.clear();
        carried.start(mesh_b.vertices().len());
        let mut collector = Collector {
            features: FeatureSearch {
                mesh_a,
                mesh_b,
                seams: bodies.map_each(|(_, info)| info.seams.as_deref()),
                carried,
                rotation: b_to_a.rotation_matrix(),
                b_to_a,
                settings: self.settings,
                speculative: limits.speculative,
                margin: self.search.margin,
                corner: self.search.corner,
                is_crossing: false,
                found: features,
            },
            parts: self.parts(bodies.map_each(|(_, info)| info)),
            near: NearPairs::new(self),
            counts: QueryCounts::default(),
            crossing_extent: self.judged.crossing_extent.map(|_| 0.0),
            crossed,
        };
        let mut candidates = std::mem::take(&mut self.search.candidates);
        loop {
            collector.counts.candidate_count += candidates.len() as u64;
            for some in candidates.chunks(STOP_CHECK_INTERVAL) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                touching.clear();
                filter.keep(packed, some, touching);
                collector.counts.false_alarm_count += (some.len() - touching.len()) as u64;
                for &pair in touching.iter() {
                    if collector.counts.effort > limits.effort {
                        break;
                    }
                    collector.test(self, pair);
                }
            }
            let is_over = stop.load(Ordering::Relaxed) || collector.counts.effort > limits.effort;
            if is_over || !refill(&mut candidates) {
                break;
            }
        }
        let Collector { mut counts, crossing_extent, .. } = collector;
        counts.record_count = packed.built_count();
        self.judged.crossing_extent = crossing_extent;
        self.search.candidates = candidates;
        // The order of the candidates decides by how much the effort exceeds the limit, so any excess
        // counts as 1.
        counts.effort = counts.effort.min(limits.effort.saturating_add(1));
        if !scratch.is_stopped() {
            self.judged.effort = Some(counts.effort);
        }
        counts
    }

    /// Returns the filters of the parts of both bodies, `None` unless some parts collide and others do
    /// not.
    fn parts<'a>(&self, [a, b]: [&'a BodyInfo; 2]) -> Option<[&'a PartFilters; 2]> {
        let filters = a.filters.as_deref().zip(b.filters.as_deref());
        filters.filter(|_| self.is_in_parts).map(|(a, b)| [a, b])
    }

    /// Tests whether the surfaces intersect, for a sensor. Does not look for contacts.
    pub fn find_overlap(
        &mut self,
        scratch: &QueryScratch,
        meshes: [&Mesh; 2],
        b_to_a: &Pose,
        refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool,
    ) -> QueryCounts {
        let counts = self.count_crossings(scratch, meshes, b_to_a, PAIR_EFFORT, refill);
        self.judged.is_intersecting = counts.intersection_count > 0;
        self.overlap.modelled_at = None;
        counts
    }

    /// Counts the candidates whose triangles intersect. Ends early once the effort exceeds
    /// `most_effort` or queries are stopped.
    pub fn count_crossings(
        &mut self,
        scratch: &QueryScratch,
        [mesh_a, mesh_b]: [&Mesh; 2],
        b_to_a: &Pose,
        most_effort: u64,
        mut refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool,
    ) -> QueryCounts {
        let mut counts = QueryCounts::default();
        let mut candidates = std::mem::take(&mut self.search.candidates);
        loop {
            counts.candidate_count += candidates.len() as u64;
            for (index, &[ta, tb]) in candidates.iter().enumerate() {
                if ends_at(index, &scratch.stop) || counts.effort > most_effort {
                    break;
                }
                let corners_b: [DVec3; 3] = mesh_b.corners(tb).map_each(|c| b_to_a.transform_point(c));
                let crosses = intersects(&mesh_a.corners(ta), &corners_b);
                counts.intersection_count += u64::from(crosses);
                counts.false_alarm_count += u64::from(!crosses);
                counts.effort += u64::from(crosses);
            }
            let is_over = scratch.stop.load(Ordering::Relaxed) || counts.effort > most_effort;
            if is_over || !refill(&mut candidates) {
                break;
            }
        }
        self.search.candidates = candidates;
        self.judged.effort = Some(counts.effort);
        counts
    }

    /// Drops features whose depth is false: the feature is far behind a face and yet outside the solid,
    /// for example beyond the other side of a thin wall. The depth of a new deep feature is true if the
    /// segment between its two points does not cross the surface. A deep feature that was a contact in
    /// the previous pass is kept without a test.
    pub(super) fn drop_false_depths(
        &self,
        scratch: &mut QueryScratch,
        surfaces: [Surface; 2],
        b_to_a: &Pose,
    ) {
        let [(tree_a, mesh_a), (tree_b, mesh_b)] = surfaces;
        let QueryScratch { features, segments: stack, stop, .. } = scratch;
        features.retain(|feature| {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            if !self.must_find_way_out(feature) {
                return true;
            }
            // The end points lie on the surfaces, so the tested segment is shorter at both ends.
            let [from, to] =
                [WAY_OUT_ENDS, 1.0 - WAY_OUT_ENDS].map_each(|t| feature.point_a.lerp(feature.point_b, t));
            let on_a = feature.face_is_on_a() || feature.is_edge_edge();
            let on_b = !feature.face_is_on_a();
            let [from_b, to_b] = [from, to].map_each(|p| b_to_a.inverse_transform_point(p));
            let leaves_a = on_a && crosses(tree_a, mesh_a, from, to, stack);
            let leaves_b = on_b && crosses(tree_b, mesh_b, from_b, to_b, stack);
            !leaves_a && !leaves_b && !is_on_other_side(feature, surfaces, b_to_a, stack)
        });
    }

    /// Returns whether a feature is deep and was no contact in the previous pass.
    fn must_find_way_out(&self, feature: &Feature) -> bool {
        let is_deep = feature.separation <= -DEEP_SLOPS * self.settings.slop;
        is_deep && self.contacts.binary_search_by_key(&feature.key, |c| c.key).is_err()
    }
}
