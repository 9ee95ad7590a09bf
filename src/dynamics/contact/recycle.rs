//! Contacts that a limited search has not found again, and that are transformed with the bodies instead
//! (recycled). Also contacts that stand for a region of two surfaces of which only the boxes are known.
//! \[adb\] §3

use glam::{DQuat, DVec3};

use super::collider::QueryScratch;
use super::curves::Curves;
use super::features::Face;
use super::motion::greatest_motion;
use super::pair::PairContacts;
use super::point::{Contact, FeatureKey, Round};
use super::ratios::{ALIKE, HELD_DEPTHS, HELD_OF_SIZE, REGION_ALIKE};
use super::reduce::PAIR_LIMIT;
use super::region::Region;
use super::settings::BodyPair;
use crate::pose::Pose;

impl PairContacts {
    /// Transforms the contacts with the bodies, however far the bodies moved. Contacts of smooth surfaces
    /// follow them. Otherwise the vertex of a contact moves with its body, and the touched face continues as
    /// a plane. The contact of two edges keeps its point on the smaller body. Contacts that become too
    /// deep are dropped. The rest of the pair's state is not updated.
    pub fn recycle(&mut self, two: BodyPair) {
        let [(a, info_a), (b, info_b)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        self.turn_along(a.pose.rotation);
        let turned_b = match self.place.recycled_at {
            Some(at) => {
                a.pose.rotation * (b_to_a.rotation * at.rotation.conjugate()) * a.pose.rotation.conjugate()
            }
            None => DQuat::IDENTITY,
        };
        self.place.recycled_at = Some(b_to_a);
        let deepest = -HELD_DEPTHS * self.settings.depth - HELD_OF_SIZE * self.settings.size;
        let (excuse, slop) = (self.excuse(), self.settings.slop);
        let smaller_is_b = info_b.radius < info_a.radius;
        self.contacts.retain_mut(|contact| {
            let face = contact.key.face();
            let is_smooth = !contact.round.is_sharp();
            let face_is_of_b = if is_smooth { contact.round.point_is_of_a } else { face == Face::OfB };
            if face_is_of_b {
                contact.normal = (turned_b * contact.normal).normalize();
            }
            let poses = [&a.pose, &b.pose];
            let curves = is_smooth.then(|| Curves::of(contact, poses));
            let touch = curves.and_then(|curves| Some((curves, curves.touch(poses)?)));
            let gap = if let Some((curves, touch)) = &touch {
                contact.move_to(curves, touch, poses);
                touch.gap
            } else {
                contact.slide(face == Face::OfA || face == Face::None && smaller_is_b, poses)
            };
            let separation = excuse.separation(gap);
            // A region has no surface out of which it could be pushed, so its contact pushes only
            // enough to stop creeping.
            let least = if contact.key.is_region() { -slop } else { f64::NEG_INFINITY };
            contact.separation = separation.max(least);
            contact.age += 1;
            gap.is_finite() && (contact.key.is_region() || gap > deepest)
        });
    }

    /// Replaces the contacts of earlier regions by one contact for each of `regions`, up to the limit
    /// of contacts per pair. At such a contact the bodies may separate, slide and rotate, but not come
    /// closer. A region that existed before keeps its impulses. Contacts of features stay, because they
    /// already hold the bodies.
    pub fn place_regions(&mut self, regions: &[Region], two: BodyPair) {
        let [(a, _), (b, _)] = two;
        self.turn_along(a.pose.rotation);
        std::mem::swap(&mut self.contacts, &mut self.previous);
        self.contacts.clear();
        self.contacts.extend(self.previous.iter().filter(|c| !c.key.is_region()));
        self.place.recycled_at = Some(b.pose.relative_to(&a.pose));
        let free = PAIR_LIMIT.saturating_sub(self.contacts.len());
        for &Region { center, normal, nodes } in regions.iter().take(free) {
            let key = FeatureKey::region(nodes);
            let old = self.previous.iter().find(|c| c.key == key);
            let stays = |c: &&Contact| {
                c.separation.abs() < self.settings.travel
                    && c.normal.dot(a.pose.rotation * normal) > REGION_ALIKE
            };
            if let Some(old) = old.filter(stays) {
                self.contacts.push(*old);
                continue;
            }
            let contact = Contact {
                key,
                point_a: center,
                point_b: b.pose.inverse_transform_point(a.pose.transform_point(center)),
                normal: a.pose.rotation * normal,
                separation: 0.0,
                normal_impulse: old.map_or(0.0, |c| c.normal_impulse),
                friction_impulse: old.map_or(DVec3::ZERO, |c| c.friction_impulse),
                inset: DVec3::ZERO,
                turning_impulse: old.map_or(DVec3::ZERO, |c| c.turning_impulse),
                age: old.map_or(0, |c| c.age + 1),
                orphaned_for: 0,
                is_held: true,
                round: Round::SHARP,
            };
            self.contacts.push(contact);
        }
        Contact::sort(&mut self.contacts);
        self.contacts.dedup_by_key(|c| c.key);
    }

    /// Returns an upper bound of the relative motion of the bodies since the last whole search, m;
    /// infinite if there was none.
    pub fn drift(&self, two: BodyPair) -> f64 {
        self.place.found.map_or(f64::INFINITY, |(at, _)| self.motion_since(&at, two))
    }

    /// Returns an upper bound of the relative motion of the bodies since b was at `at` in a's space, m.
    pub fn motion_since(&self, at: &Pose, two: BodyPair) -> f64 {
        greatest_motion(at, &two[1].0.pose.relative_to(&two[0].0.pose), two)
    }

    /// Sets the state that follows a search without contacts, for surfaces that were shown to be
    /// farther apart than `margin` (m).
    pub fn mark_apart(&mut self, margin: f64, two: BodyPair) {
        let b_to_a = two[1].0.pose.relative_to(&two[0].0.pose);
        self.contacts.clear();
        self.previous.clear();
        self.place.recycled_at = Some(b_to_a);
        (self.overlap.accepted, self.overlap.deepest, self.search.margin) = (0.0, 0.0, margin);
        self.judged.is_intersecting = false;
        self.mark_found(b_to_a, margin);
    }

    /// Forgets the pose of the last search because a surface changed shape. The overlap becomes unknown
    /// again.
    pub fn forget_place(&mut self) {
        self.place.found = None;
        self.overlap.is_unknown = true;
    }

    /// Returns whether the last query removed all contacts of regions although at least one of them had
    /// an impulse.
    pub fn has_lost_regions(&self) -> bool {
        let bore = |c: &Contact| c.key.is_region() && c.normal_impulse > 0.0;
        self.previous.iter().any(bore) && self.region_count() == 0
    }

    /// Returns whether the pair has any contact of features, not of a region.
    pub fn has_features(&self) -> bool {
        self.contacts.iter().any(|c| !c.key.is_region())
    }

    /// Returns the number of contacts that stand for regions.
    pub fn region_count(&self) -> usize {
        self.contacts.iter().filter(|c| c.key.is_region()).count()
    }

    /// Marks all contacts as found by an earlier search. Called before a new search.
    pub fn age(&mut self) {
        self.contacts.iter_mut().for_each(|c| c.is_held = true);
    }

    /// Returns the depth (m) of the deepest contact that is deeper than the margin, so the search
    /// cannot find it; 0 if there is none.
    pub(super) fn depth_beyond(&self) -> f64 {
        self.contacts
            .iter()
            .map(Contact::depth)
            .filter(|depth| *depth > self.search.margin)
            .fold(0.0, f64::max)
    }

    /// Adds those old contacts of at least `depth` (m) that no newly found contact replaces. Must be
    /// called after a search, or a part of one, has stored its contacts.
    pub fn keep_unfound(&mut self, scratch: &QueryScratch, depth: f64) {
        let used = scratch.matching.used();
        let matching = self.settings.matching;
        let found_count = self.contacts.len();
        for (old, _) in self.previous.iter().zip(used).filter(|(_, used)| !**used) {
            if self.contacts.len() >= PAIR_LIMIT {
                break;
            }
            if old.depth() < depth {
                continue;
            }
            let stands_for = |new: &Contact| {
                new.normal.dot(old.normal) > ALIKE && new.point_a.distance(old.point_a) < matching
            };
            if !self.contacts[..found_count].iter().any(stands_for) {
                self.contacts.push(*old);
            }
        }
        Contact::sort(&mut self.contacts);
    }

    /// Drops all contacts of earlier searches. Called after the last part of a search. If
    /// `regions_stay` is set, contacts of regions stay.
    pub fn drop_held(&mut self, regions_stay: bool) {
        self.contacts.retain(|c| !c.is_held || regions_stay && c.key.is_region());
    }
}

impl Contact {
    /// Moves one point of the contact, that on a or that on b, so that it is opposite to the other. Returns
    /// the gap, m.
    fn slide(&mut self, on_a: bool, [a, b]: [&Pose; 2]) -> f64 {
        let (at_a, at_b) = (a.transform_point(self.point_a), b.transform_point(self.point_b));
        let gap = self.normal.dot(at_b - at_a);
        if on_a {
            self.point_a = a.inverse_transform_point(at_b - gap * self.normal);
        } else {
            self.point_b = b.inverse_transform_point(at_a + gap * self.normal);
        }
        gap
    }
}
