//! The query of one pair: candidates → features that touch and triangles that intersect → contacts.
//!
//! The result depends on the candidates as a set, not on their order nor on which hierarchy found them: each
//! is judged by its geometry first, and features are sorted before anything is chosen among them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::{DQuat, DVec3};

use super::cache::Matching;
use super::counts::QueryCounts;
use super::crossing::{depth_of_crossing, extent_of_crossing};
use super::effort::WAY_OUT;
use super::features::{Carried, Feature, Scope, boxes_overlap};
use super::motion::{accept, greatest_motion};
use super::pair::{Crowding, PairContacts};
use super::point::Contact;
use super::reduce::Reduction;
use super::settings::{Ahead, Two};
use super::sides::drop_far_sides;
use super::standing::Certainty;
use crate::mesh::{Mesh, intersects};

use crate::pose::Pose;
use crate::query::crosses;
use crate::tree::{SegmentStack, Tree};

/// What one thread works with; grows to the largest pair it meets.
#[derive(Default)]
pub struct Scratch {
    carried: Carried,
    features: Vec<Feature>,
    group: Vec<Feature>,
    reduction: Reduction,
    matching: Matching,
    segments: SegmentStack,
    /// Ends queries early once it is set: what they leave is of no use then.
    pub stop: Arc<AtomicBool>,
}

/// Triangle pairs between two looks at whether to stop: well below a millisecond.
const LOOKED_AFTER: usize = 256;

/// Whether a loop over triangle pairs is to end here.
fn ends_at(index: usize, stop: &AtomicBool) -> bool {
    index.is_multiple_of(LOOKED_AFTER) && stop.load(Ordering::Relaxed)
}

/// A surface with its hierarchy.
pub type Surface<'a> = (&'a Tree, &'a Mesh);

/// Relative motion, as a share of the slop, within which contacts are only moved, not found anew.
const STILL: f64 = 0.1;

impl PairContacts {
    /// If the bodies have hardly moved against each other since their contacts were found, brings those up to
    /// date and returns true: there is nothing to search.
    pub fn refresh(&mut self, two: Two) -> bool {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        let Some(found_at) = self.found_at else { return false };
        if greatest_motion(&found_at, &b_to_a, two) > STILL * self.settings.slop {
            return false;
        }
        self.turn_along(a.pose.rotation);
        self.held_at = Some(b_to_a);
        for contact in &mut self.contacts {
            let gap = b.pose.transform_point(contact.point_b) - a.pose.transform_point(contact.point_a);
            contact.separation = accept(contact.normal.dot(gap), self.baseline);
            contact.age += 1;
        }
        true
    }

    /// Finds the pair's contacts anew from its candidates. `initial`: the scene starts here, so that overlap
    /// is how it was modelled and is accepted. `refill` replaces candidates that were judged by more, if there are
    /// any, and returns whether there were.
    pub fn find_contacts(
        &mut self,
        scratch: &mut Scratch,
        surfaces: [Surface; 2],
        bodies: Two,
        (ahead, initial): (Ahead, bool),
        mut refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool,
    ) -> QueryCounts {
        let [(a, _), (b, _)] = bodies;
        let b_to_a = b.pose.relative_to(&a.pose);
        if self.standing.search.is_part() || self.standing.is_bounded {
            self.hold(bodies);
        }
        let (mut counts, sunk) = self.judge(scratch, surfaces, bodies, ahead, &mut refill);
        counts.effort = self.bounded(counts.effort);
        if scratch.stop.load(Ordering::Relaxed) {
            return counts;
        }
        self.effort = Some(counts.effort);
        if self.is_too_much(counts.effort) {
            let left = self.leave_crowded(Crowding::OfPair, bodies, initial);
            return QueryCounts { effort: counts.effort, candidate_count: counts.candidate_count, ..left };
        }
        scratch.features.sort_unstable_by_key(|f| f.key);
        self.drop_false_depths(scratch, surfaces, &b_to_a);
        if scratch.stop.load(Ordering::Relaxed) {
            return counts;
        }
        drop_far_sides(&mut scratch.features, &mut scratch.group, self.settings.slop);
        self.accept_overlap(&mut scratch.features, bodies, initial);
        scratch
            .features
            .sort_unstable_by(|x, y| x.separation.total_cmp(&y.separation).then(x.key.cmp(&y.key)));
        self.turn_along(a.pose.rotation);
        std::mem::swap(&mut self.contacts, &mut self.previous);
        let capped = scratch.reduction.reduce(&mut scratch.features, &self.previous, self.settings.slop);
        counts.capped_count = u64::from(capped);
        counts.orphan_count = scratch.matching.carry_over(self, &scratch.features, bodies, &b_to_a);
        self.held_at = Some(b_to_a);
        self.note_crossing(counts.intersection_count > 0);
        let search = &mut self.standing.search;
        search.sunk = if search.is_continued { search.sunk.max(sunk) } else { sunk };
        let search = *search;
        // Features deeper than is ever looked for have no contacts: regions stand for them.
        let is_sunk = search.sunk > self.margin;
        let is_deeper = is_sunk && self.margin < self.settings.search;
        if search.is_part() || is_sunk {
            self.keep_unfound(scratch.matching.used());
        }
        if !search.is_open {
            self.found_at = Some(if search.is_continued { search.began_at } else { b_to_a });
            self.standing.modelled_at = None;
            if self.standing.is_bounded && !is_deeper {
                self.drop_held(is_sunk);
            }
            self.standing.depth_sought = if is_deeper { search.sunk } else { 0.0 };
            if is_deeper {
                self.standing.starve(1.0, b_to_a);
            }
            let bore = |c: &Contact| c.key.is_region() && c.normal_impulse > 0.0;
            let lost = self.previous.iter().any(bore) && self.region_count() == 0;
            self.standing.has_lost_support |= lost;
        }
        counts.contact_count = self.contacts.len() as u64;
        self.watch();
        counts.interpenetrating_count = u64::from(self.is_interpenetrating());
        counts
    }

    /// Collects the features that touch among the candidates. Ends early where there is too much of them. Also
    /// returns how far (m) triangles reach through each other, where that is asked.
    fn judge(
        &mut self,
        scratch: &mut Scratch,
        [(_, mesh_a), (_, mesh_b)]: [Surface; 2],
        bodies: Two,
        ahead: Ahead,
        refill: &mut impl FnMut(&mut Vec<[u32; 2]>) -> bool,
    ) -> (QueryCounts, f64) {
        let b_to_a = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        scratch.features.clear();
        scratch.carried.start(mesh_b.vertices().len());
        let mut scope = Scope {
            mesh_a,
            mesh_b,
            carried: &mut scratch.carried,
            rotation: b_to_a.rotation_matrix(),
            b_to_a,
            settings: self.settings,
            speculative: self.speculative(bodies, ahead) + self.standing.search.slack,
            margin: self.margin,
            is_crossing: false,
            found: &mut scratch.features,
        };
        let (mut counts, mut sunk) = (QueryCounts::default(), 0.0f64);
        self.crossing_depth = self.crossing_depth.map(|_| 0.0);
        let mut candidates = std::mem::take(&mut self.candidates);
        loop {
            counts.candidate_count += candidates.len() as u64;
            for (index, &[ta, tb]) in candidates.iter().enumerate() {
                if ends_at(index, &scratch.stop) || self.is_too_much(counts.effort) {
                    break;
                }
                let (corners_a, corners_b) = scope.corners(ta, tb);
                if !scope.may_touch(ta, tb, &corners_a, &corners_b) {
                    counts.false_alarm_count += 1;
                    continue;
                }
                let before = scope.found.len();
                let crossing =
                    boxes_overlap(&corners_a, &corners_b, 0.0) && intersects(&corners_a, &corners_b);
                scope.is_crossing = crossing;
                scope.find(ta, tb, &corners_a, &corners_b);
                counts.intersection_count += u64::from(crossing);
                if crossing && self.standing.is_bounded {
                    sunk = sunk.max(depth_of_crossing(&corners_a, &corners_b));
                }
                if crossing && let Some(depth) = &mut self.crossing_depth {
                    *depth = depth.max(extent_of_crossing(&corners_a, &corners_b));
                }
                let features = &scope.found[before..];
                let touches = crossing || !features.is_empty();
                counts.false_alarm_count += u64::from(!touches);
                let deep_count = features.iter().filter(|f| self.must_find_way_out(f)).count();
                counts.effort += (usize::from(touches) + features.len() + WAY_OUT * deep_count) as u64;
            }
            let is_over = scratch.stop.load(Ordering::Relaxed) || self.is_too_much(counts.effort);
            if is_over || !refill(&mut candidates) {
                break;
            }
        }
        self.candidates = candidates;
        (counts, sunk)
    }

    /// Only asks whether surfaces intersect: what a trigger does. There are no contacts.
    pub fn find_overlap(
        &mut self,
        scratch: &Scratch,
        [mesh_a, mesh_b]: [&Mesh; 2],
        b_to_a: &Pose,
        mut refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool,
    ) -> QueryCounts {
        let mut counts = QueryCounts::default();
        let mut candidates = std::mem::take(&mut self.candidates);
        loop {
            counts.candidate_count += candidates.len() as u64;
            for (index, &[ta, tb]) in candidates.iter().enumerate() {
                if ends_at(index, &scratch.stop) || self.is_too_much(counts.effort) {
                    break;
                }
                let corners_b: [DVec3; 3] = mesh_b.corners(tb).map(|c| b_to_a.transform_point(c));
                let crosses = intersects(&mesh_a.corners(ta), &corners_b);
                counts.intersection_count += u64::from(crosses);
                counts.false_alarm_count += u64::from(!crosses);
                counts.effort += u64::from(crosses);
            }
            let is_over = scratch.stop.load(Ordering::Relaxed) || self.is_too_much(counts.effort);
            if is_over || !refill(&mut candidates) {
                break;
            }
        }
        self.candidates = candidates;
        self.effort = Some(counts.effort);
        self.note_crossing(counts.intersection_count > 0);
        if !self.standing.search.is_open {
            self.standing.modelled_at = None;
        }
        counts
    }

    /// A feature can be far behind a face and yet outside the solid: beyond the other side of a thin wall. What
    /// is deep must reach its way out without crossing the surface, unless it came in under our eyes.
    fn drop_false_depths(
        &self,
        scratch: &mut Scratch,
        [(tree_a, mesh_a), (tree_b, mesh_b)]: [Surface; 2],
        b_to_a: &Pose,
    ) {
        let Scratch { features, segments: stack, stop, .. } = scratch;
        features.retain(|feature| {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            if !self.must_find_way_out(feature) {
                return true;
            }
            // The ends lie on surfaces; only what is between them counts.
            let [from, to] = [1e-4, 1.0 - 1e-4].map(|t| feature.point_a.lerp(feature.point_b, t));
            let on_a = feature.face_is_on_a() || feature.is_edge_edge();
            let on_b = !feature.face_is_on_a();
            let [from_b, to_b] = [from, to].map(|p| b_to_a.inverse_transform_point(p));
            let leaves_a = on_a && crosses(tree_a, mesh_a, from, to, stack);
            let leaves_b = on_b && crosses(tree_b, mesh_b, from_b, to_b, stack);
            !leaves_a && !leaves_b
        });
    }

    fn must_find_way_out(&self, feature: &Feature) -> bool {
        let is_deep = feature.separation <= -2.0 * self.settings.slop;
        is_deep && self.contacts.binary_search_by_key(&feature.key, |c| c.key).is_err()
    }

    /// Takes the accepted overlap off every overlapping feature. What is accepted only ever shrinks, so that
    /// bodies modelled into each other are neither blown apart nor allowed deeper.
    fn accept_overlap(&mut self, features: &mut [Feature], bodies: Two, initial: bool) {
        let search = &mut self.standing.search;
        let before = if search.is_continued { search.deepest } else { 0.0 };
        search.deepest = features.iter().map(|f| -f.separation).fold(before, f64::max);
        // What is missing may be as deep as it was.
        self.deepest = if search.is_open { search.deepest.max(self.deepest) } else { search.deepest };
        let is_open = search.is_open;
        let slop = self.settings.slop;
        let modelled = self.deepest - self.came_closer(bodies);
        self.baseline = if initial && modelled > slop {
            modelled
        } else if is_open {
            self.baseline
        } else {
            self.baseline.min(self.deepest + slop)
        };
        for feature in features {
            feature.separation = accept(feature.separation, self.baseline);
        }
    }

    /// Turns what contacts hold in world space along with a, whose rotation is now `rotation`: bodies that
    /// turn together are still to each other, their normals are not.
    pub(super) fn turn_along(&mut self, rotation: DQuat) {
        if rotation != self.turned_to {
            let turn = rotation * self.turned_to.conjugate();
            for contact in &mut self.contacts {
                contact.normal = turn * contact.normal;
                contact.friction_impulse = turn * contact.friction_impulse;
            }
            self.turned_to = rotation;
        }
    }

    /// Upper bound of how much deeper the bodies can have come since the scene started, m; nothing if they are
    /// searched for the first time there, or not in its first pass at all.
    fn came_closer(&self, bodies: Two) -> f64 {
        let b_to_a = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        let moved = self.standing.modelled_at.filter(|at| *at != b_to_a);
        moved.map_or(0.0, |at| greatest_motion(&at, &b_to_a, bodies))
    }

    /// Whether triangles of the two intersect: as a search found that ended, or one that goes on already.
    fn note_crossing(&mut self, found: bool) {
        let search = &mut self.standing.search;
        search.is_crossing = found || search.is_continued && search.is_crossing;
        if !search.is_open || search.is_crossing {
            self.is_intersecting = search.is_crossing;
        }
        if search.is_open && search.is_crossing {
            self.standing.certainty = Certainty::Likely(1.0);
        }
    }

    fn watch(&mut self) {
        let explained = self.baseline > 0.0 || self.contacts.iter().any(|c| c.separation < 0.0);
        let unexplained = self.is_intersecting && !explained;
        self.unexplained_passes = if unexplained { self.unexplained_passes.saturating_add(1) } else { 0 };
    }
}
