//! Contacts that a limited search has not found anew: carried along with the bodies, and contacts that stand
//! for a whole region of two surfaces of which only their boxes are known. \[adb\] §3

use glam::{DQuat, DVec3};

use super::collider::QueryScratch;
use super::features::Face;
use super::motion::{accept, greatest_motion};
use super::pair::PairContacts;
use super::point::{Contact, FeatureKey, Round};
use super::ratios::{ALIKE, HELD_DEPTHS, HELD_OF_SIZE, REGION_ALIKE};
use super::reduce::PAIR_LIMIT;
use super::region::Region;
use super::settings::BodyPair;
use crate::pose::Pose;

impl PairContacts {
    /// Carries the contacts along with the bodies, however far they moved: a vertex stays where it is on its
    /// body and its face goes on as a plane; two edges stay the points they were. What is known of the pair
    /// is as old as before.
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
        let (accepted, slop) = (self.overlap.accepted, self.settings.slop);
        let smaller_is_b = info_b.radius < info_a.radius;
        self.contacts.retain_mut(|contact| {
            let face = contact.key.face();
            if face == Face::OfB {
                contact.normal = (turned_b * contact.normal).normalize();
            }
            contact.roll(&a.pose, &b.pose);
            let [on_a, on_b] = ends(contact, &a.pose, &b.pose);
            let gap = contact.normal.dot(on_b - on_a);
            let slides_on_a = match face {
                Face::OfA => true,
                Face::OfB => false,
                Face::None => smaller_is_b,
            };
            if slides_on_a {
                contact.point_a = a.pose.inverse_transform_point(on_b - gap * contact.normal);
            } else {
                contact.point_b = b.pose.inverse_transform_point(on_a + gap * contact.normal);
            }
            let separation = accept(gap, accepted);
            // A region has no surface to be pushed out of: only as far as keeps it from creeping.
            let least = if contact.key.is_region() { -slop } else { f64::NEG_INFINITY };
            contact.separation = separation.max(least);
            contact.age += 1;
            gap.is_finite() && (contact.key.is_region() || gap > deepest)
        });
    }

    /// Puts a contact into each of the regions, in place of those of other regions: the bodies may part,
    /// slide and turn about it, not come closer. Impulses of regions that were there before stay, and so do
    /// contacts of features, which hold already.
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

    /// Upper bound of how far the bodies moved against each other since the last whole search, m; infinite if
    /// there was none.
    pub fn drift(&self, two: BodyPair) -> f64 {
        self.place.found.map_or(f64::INFINITY, |(at, _)| self.motion_since(&at, two))
    }

    /// Upper bound of how far the bodies moved against each other since b was at a pose in a's space, m.
    pub fn motion_since(&self, at: &Pose, two: BodyPair) -> f64 {
        greatest_motion(at, &two[1].0.pose.relative_to(&two[0].0.pose), two)
    }

    /// For surfaces that were shown to be farther apart than `margin` (m): as a search that finds nothing.
    pub fn mark_apart(&mut self, margin: f64, two: BodyPair) {
        let b_to_a = two[1].0.pose.relative_to(&two[0].0.pose);
        self.contacts.clear();
        self.previous.clear();
        self.place.recycled_at = Some(b_to_a);
        (self.overlap.accepted, self.overlap.deepest, self.search.margin) = (0.0, 0.0, margin);
        self.judged.is_intersecting = false;
        self.mark_found(b_to_a, margin);
    }

    /// For surfaces that changed: nothing that was found before says where they are.
    pub fn forget_place(&mut self) {
        self.place.found = None;
        self.overlap.is_unknown = true;
    }

    /// Whether the last query took away every region, and one of them bore a load.
    pub fn has_lost_regions(&self) -> bool {
        let bore = |c: &Contact| c.key.is_region() && c.normal_impulse > 0.0;
        self.previous.iter().any(bore) && self.region_count() == 0
    }

    /// Whether any contact was found on the surfaces, not in a region.
    pub fn has_features(&self) -> bool {
        self.contacts.iter().any(|c| !c.key.is_region())
    }

    /// Contacts that stand for regions.
    pub fn region_count(&self) -> usize {
        self.contacts.iter().filter(|c| c.key.is_region()).count()
    }

    /// Before a search: what is known is of an earlier one from now on.
    pub fn age(&mut self) {
        self.contacts.iter_mut().for_each(|c| c.is_held = true);
    }

    /// Depth (m) of the deepest contact beyond the margin of the search, which does not find it.
    pub(super) fn depth_beyond(&self) -> f64 {
        self.contacts
            .iter()
            .map(Contact::depth)
            .filter(|depth| *depth > self.search.margin)
            .fold(0.0, f64::max)
    }

    /// After a search or a part of one, with what it found in place: keeps of the contacts before, held,
    /// those at least as deep as `depth` (m) that nothing found stands for.
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

    /// After the last part of a search: what no part of it found is gone, but for regions if they are to
    /// stay.
    pub fn drop_held(&mut self, regions_stay: bool) {
        self.contacts.retain(|c| !c.is_held || regions_stay && c.key.is_region());
    }
}

/// Where the contact is on a and on b, world, m.
fn ends(contact: &Contact, a: &Pose, b: &Pose) -> [DVec3; 2] {
    [a.transform_point(contact.point_a), b.transform_point(contact.point_b)]
}
