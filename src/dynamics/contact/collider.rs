//! Query of one pair: candidates -> features that touch and triangles that intersect -> contacts.
//!
//! The result depends only on the set of candidates, not on their order or on the hierarchy that found
//! them: every candidate is tested by its geometry, and features are sorted before a subset is chosen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::DQuat;

use super::cache::Matching;
use super::counts::QueryCounts;
use super::edge_sides::drop_false_edges;
use super::effort::PAIR_EFFORT;
use super::features::{Feature, Transformed};
use super::flush::{Bearings, drop_flush};
use super::motion::greatest_motion;
use super::pair::{Crowding, PairContacts};
use super::patches::Patches;
use super::ratios::STILL_SLOPS;
use super::reduce::Reduction;
use super::round::Rounds;
use super::search::Depth;
use super::settings::{BodyPair, PairSettings};
use super::sides::drop_far_sides;
use super::smooth::Smooths;
use crate::arrays::MapEach;
use crate::mesh::{Mesh, PackedTriangles};
use crate::pose::Pose;
use crate::tree::{SegmentStack, Tree};

/// Working memory of one thread. Its buffers grow to the size of the largest pair.
#[derive(Default)]
pub struct QueryScratch {
    pub(super) carried: Transformed,
    pub(super) packed: PackedTriangles,
    /// Candidates that may touch.
    pub(super) touching: Vec<[u32; 2]>,
    pub(super) features: Vec<Feature>,
    group: Vec<Feature>,
    reduction: Reduction,
    rounds: Rounds,
    smooths: Smooths,
    patches: Patches,
    pub(super) matching: Matching,
    pub(super) segments: SegmentStack,
    /// Ends queries early once it is set. The results of such a query must not be used.
    pub stop: Arc<AtomicBool>,
}

impl QueryScratch {
    /// Returns whether queries end early.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Surface with its hierarchy.
pub type Surface<'a> = (&'a Tree, &'a Mesh);

/// Query of a pair's contacts.
#[derive(Clone, Copy)]
pub struct PairQuery<'a> {
    pub surfaces: [Surface<'a>; 2],
    pub bodies: BodyPair<'a>,
    /// Directions in which contacts bore each body in the last pass.
    pub bearings: [&'a Bearings; 2],
    /// Duration of a step, s.
    pub dt: f64,
    /// True if the scene starts with this query, so it accepts overlap as modeled.
    pub is_initial: bool,
}

/// Limits of the test of a pair's candidates.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Speculative distance, m: largest separation of a contact.
    pub speculative: f64,
    /// Effort beyond which the test ends, in units of one touching triangle pair.
    pub effort: u64,
}

/// Position of one part of a search among its parts. A search runs in parts if it finds too many
/// candidates to keep.
#[derive(Clone, Copy, Debug)]
pub struct SearchPart {
    /// Depth of the deepest feature of the earlier parts, m.
    pub depth_before: f64,
    /// True if this is the last part. A feature that no part has found does not exist.
    pub is_last: bool,
}

impl SearchPart {
    /// The whole search as one part.
    pub const WHOLE: Self = Self { depth_before: 0.0, is_last: true };
}

impl PairContacts {
    /// Recomputes the separations of the contacts if the bodies have hardly moved relative to each
    /// other since the contacts were found. Returns whether they have hardly moved; then no search is
    /// needed.
    pub fn refresh(&mut self, two: BodyPair) -> bool {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        let Some((found_at, _)) = self.place.found else { return false };
        if greatest_motion(&found_at, &b_to_a, two) > STILL_SLOPS * self.settings.slop {
            return false;
        }
        self.turn_along(a.pose.rotation);
        self.place.recycled_at = Some(b_to_a);
        let excuse = self.excuse();
        for contact in &mut self.contacts {
            let gap = b.pose.transform_point(contact.point_b) - a.pose.transform_point(contact.point_a);
            contact.separation = excuse.separation(contact.normal.dot(gap));
            contact.age += 1;
        }
        true
    }

    /// Finds the pair's contacts again from its candidates.
    ///
    /// `refill` replaces the tested candidates by the next ones and returns whether there were any.
    ///
    /// ```text
    ///  candidates
    ///    | TouchFilter::keep, Collector::test         collect
    ///    v
    ///  features that touch, number of intersections
    ///    | drop_flush         not of a flush neighbor  choose
    ///    | drop_false_depths  not inside the solid
    ///    | drop_far_sides     not the way out
    ///    | drop_false_edges   not beside a corner
    ///    | round_off          vertex -> smooth surface
    ///    | smooth_out         facets -> smooth surfaces
    ///    | accept_overlap     depth beyond the modelled overlap
    ///    | reduce             few per direction
    ///    | carry_over         impulses by feature
    ///    v
    ///  contacts
    /// ```
    pub fn find_contacts(
        &mut self,
        scratch: &mut QueryScratch,
        query: &PairQuery,
        refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool,
    ) -> QueryCounts {
        let &PairQuery { surfaces, bodies, is_initial, .. } = query;
        let b_to_a = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        if self.is_of_fans(surfaces.map(|(_, mesh)| mesh), &b_to_a) {
            return self.leave_crowded(Crowding::OfPair, bodies, is_initial);
        }
        let limits = Limits { speculative: self.search.foreseen, effort: PAIR_EFFORT };
        let mut counts = self.collect(scratch, surfaces, bodies, limits, refill, |_| {});
        if scratch.is_stopped() {
            return counts;
        }
        if counts.effort > PAIR_EFFORT {
            let left = self.leave_crowded(Crowding::OfPair, bodies, is_initial);
            return QueryCounts { effort: counts.effort, candidate_count: counts.candidate_count, ..left };
        }
        self.choose(scratch, query, SearchPart::WHOLE, &mut counts);
        if scratch.is_stopped() {
            return counts;
        }
        self.judged.is_intersecting = counts.intersection_count > 0;
        self.mark_found(b_to_a, self.search.foreseen);
        self.conclude(counts)
    }

    /// Replaces the pair's contacts by those chosen among the collected features. Returns the depth (m)
    /// of the deepest feature or recycled contact, 0 if none overlaps. If queries are stopped, it
    /// returns early and leaves the contacts as they were.
    pub fn choose(
        &mut self,
        scratch: &mut QueryScratch,
        query: &PairQuery,
        part: SearchPart,
        counts: &mut QueryCounts,
    ) -> f64 {
        let &PairQuery { surfaces, bodies, .. } = query;
        let [(a, _), (b, _)] = bodies;
        let b_to_a = b.pose.relative_to(&a.pose);
        // An overlapping feature must be inside the solid, and on the face through which it entered.
        Feature::sort(&mut scratch.features);
        let meshes = surfaces.map_each(|(_, mesh)| mesh);
        let PairSettings { slop, travel, .. } = self.settings;
        drop_flush(
            &mut scratch.features,
            [self.a, self.b],
            meshes,
            (&a.pose, &b_to_a),
            query.bearings,
            (slop, travel),
        );
        self.drop_false_depths(scratch, surfaces, &b_to_a);
        if scratch.is_stopped() {
            return 0.0;
        }
        drop_far_sides(&mut scratch.features, &mut scratch.group, slop);
        drop_false_edges(&mut scratch.features, meshes, &b_to_a, slop);
        scratch.rounds.round_off(&mut scratch.features, meshes, &b_to_a, slop);
        scratch.smooths.smooth_out(&mut scratch.features, meshes, &b_to_a, slop);
        let is_carried = self.search.depth == Depth::Recycled;
        if is_carried {
            self.recycle(bodies);
        }
        // The depth still includes the accepted overlap here.
        let beyond = if is_carried { self.depth_beyond() } else { 0.0 };
        let deepest = scratch.features.iter().map(|f| -f.separation).fold(beyond, f64::max);
        self.overlap.deepest = deepest.max(part.depth_before);
        self.accept_overlap(&mut scratch.features, bodies, query.is_initial);
        for feature in &mut scratch.features {
            let middle = a.pose.transform_point(0.5 * (feature.point_a + feature.point_b));
            let normal = a.pose.transform_vector(feature.normal);
            feature.approach = normal.dot(a.velocity_at(middle) - b.velocity_at(middle)) * query.dt;
        }
        scratch.patches.find(&scratch.features, meshes, &b_to_a, slop);
        // A few features support the bodies as well as all of them do.
        scratch
            .features
            .sort_unstable_by(|x, y| x.separation.total_cmp(&y.separation).then(x.key.cmp(&y.key)));
        self.turn_along(a.pose.rotation);
        std::mem::swap(&mut self.contacts, &mut self.previous);
        let capped = scratch.reduction.reduce(&mut scratch.features, &self.previous, slop);
        counts.capped_count = u64::from(capped);
        // Contacts that existed before keep their impulses.
        let features = &scratch.features;
        counts.orphan_count = scratch.matching.carry_over(self, features, bodies, part.is_last);
        scratch.patches.place_friction(&mut self.contacts, &a.pose, !is_carried);
        if is_carried {
            self.keep_unfound(scratch, self.search.margin);
        }
        self.place.recycled_at = Some(b_to_a);
        deepest
    }

    /// Marks the end of a search of the whole pair. `b_to_a`: pose of b in a's space at the search.
    /// `foreseen`: speculative distance of its contacts, m.
    #[inline]
    pub fn mark_found(&mut self, b_to_a: Pose, foreseen: f64) {
        self.place.found = Some((b_to_a, foreseen));
        (self.overlap.is_unknown, self.overlap.modelled_at) = (false, None);
    }

    /// Ends a query: updates the number of passes in which triangles intersect although no contact is
    /// deep and no overlap is accepted. Returns `counts` with the contacts counted.
    #[inline]
    pub fn conclude(&mut self, counts: QueryCounts) -> QueryCounts {
        // The contacts that were chosen may be shallower than the deepest feature by part of a slop, and hold
        // the bodies all the same.
        let is_held = self.overlap.deepest > 0.0 || self.contacts.iter().any(|c| c.separation < 0.0);
        let explained = self.excused_overlap() > 0.0 || is_held;
        let unexplained = self.judged.is_intersecting && !explained;
        self.overlap.unexplained_passes =
            if unexplained { self.overlap.unexplained_passes.saturating_add(1) } else { 0 };
        QueryCounts {
            contact_count: self.contacts.len() as u64,
            interpenetrating_count: u64::from(self.is_interpenetrating()),
            ..counts
        }
    }

    /// Subtracts the excused overlap from every overlapping feature. If `initial` is set, the present
    /// overlap beyond the clearance of a fit becomes the accepted one. Afterwards the accepted overlap
    /// never grows, so bodies modeled into each other are neither blown apart nor allowed deeper.
    fn accept_overlap(&mut self, features: &mut [Feature], bodies: BodyPair, initial: bool) {
        let slop = self.settings.slop;
        let deepest = self.overlap.deepest - self.rule.clearance();
        let modelled = deepest - self.came_closer(bodies);
        self.overlap.accepted = if initial && modelled > slop {
            modelled
        } else {
            self.overlap.accepted.min((deepest + slop).max(0.0))
        };
        let excuse = self.excuse();
        for feature in features {
            feature.separation = excuse.separation(feature.separation);
        }
    }

    /// Rotates the world-space vectors of the contacts along with a, whose rotation is now `rotation`.
    /// When two bodies rotate together, they do not move relative to each other, but their contact
    /// normals rotate.
    #[inline]
    pub(super) fn turn_along(&mut self, rotation: DQuat) {
        if rotation != self.place.turned_to {
            let turn = rotation * self.place.turned_to.conjugate();
            for contact in &mut self.contacts {
                contact.normal = turn * contact.normal;
                contact.friction_impulse = turn * contact.friction_impulse;
                contact.inset = turn * contact.inset;
                contact.turning_impulse = turn * contact.turning_impulse;
            }
            self.place.turned_to = rotation;
        }
    }

    /// Returns an upper bound of the depth gained since the scene started, m. 0 if the bodies are still
    /// at their modeled relative pose, or if no modeled pose is stored.
    fn came_closer(&self, bodies: BodyPair) -> f64 {
        let b_to_a = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        let moved = self.overlap.modelled_at.filter(|at| *at != b_to_a);
        moved.map_or(0.0, |at| greatest_motion(&at, &b_to_a, bodies))
    }
}
