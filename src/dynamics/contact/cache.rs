//! State that contacts inherit from the previous pass. A contact inherits the impulses of the previous
//! contact with the same feature key, or else of the nearest one. An orphan is a loaded contact that is
//! kept although its features are gone, because the bodies still overlap. Without orphans a heavy body
//! can drop through a gap between features.

use glam::DVec3;

use super::features::Feature;
use super::pair::PairContacts;
use super::point::Contact;
use super::ratios::{ALIKE, DEEP_SLOPS, HELD_DEPTHS, HELD_OF_SIZE, ORPHAN_ASIDE_OF_SIZE, ORPHAN_PASSES};
use super::settings::BodyPair;
use crate::pose::Pose;

/// Buffers for matching new contacts with those of the previous pass.
#[derive(Default)]
pub(super) struct Matching {
    /// True for each previous contact that has passed on its impulse.
    used: Vec<bool>,
}

impl Matching {
    /// Replaces the pair's contacts by those of `features` (space of a, sorted by key). `pair.previous`
    /// holds the old contacts, sorted by key. Returns the number of orphans kept. Orphans are kept only
    /// if `is_last_part` is set: this is the last part of a search.
    pub fn carry_over(
        &mut self,
        pair: &mut PairContacts,
        features: &[Feature],
        two: BodyPair,
        is_last_part: bool,
    ) -> u64 {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        let to_world = a.pose.rotation_matrix();
        self.used.clear();
        self.used.resize(pair.previous.len(), false);
        pair.contacts.clear();
        for feature in features {
            pair.contacts.push(Contact {
                key: feature.key,
                point_a: feature.point_a,
                point_b: b_to_a.inverse_transform_point(feature.point_b),
                normal: to_world * feature.normal,
                separation: feature.separation,
                normal_impulse: 0.0,
                friction_impulse: DVec3::ZERO,
                inset: DVec3::ZERO,
                turning_impulse: DVec3::ZERO,
                age: 0,
                orphaned_for: 0,
                is_held: false,
                round: feature.round,
            });
        }
        for contact in &mut pair.contacts {
            if let Ok(at) = pair.previous.binary_search_by_key(&contact.key, |c| c.key) {
                self.used[at] = true;
                inherit(contact, &pair.previous[at]);
            }
        }
        for contact in pair.contacts.iter_mut().filter(|c| c.age == 0) {
            if let Some(at) = self.nearest(contact, &pair.previous, pair.settings.matching) {
                self.used[at] = true;
                inherit(contact, &pair.previous[at]);
            }
        }
        // A feature that is missing in this part of the search may still be found in a later part.
        let orphan_count = if is_last_part { self.keep_orphans(pair, &a.pose, &b.pose) } else { 0 };
        Contact::sort(&mut pair.contacts);
        orphan_count
    }

    /// Returns for each previous contact whether it has passed on its impulse.
    pub fn used(&self) -> &[bool] {
        &self.used
    }

    /// Returns the index of the nearest previous contact that has not yet passed on its impulse, has a
    /// similar normal, and whose point on a is closer than `radius` (m). `None` if there is none.
    fn nearest(&self, contact: &Contact, previous: &[Contact], radius: f64) -> Option<usize> {
        let mut winner = (None, radius * radius);
        for (at, old) in previous.iter().enumerate().filter(|&(at, _)| !self.used[at]) {
            let distance = old.point_a.distance_squared(contact.point_a);
            if distance < winner.1 && old.normal.dot(contact.normal) > ALIKE {
                winner = (Some(at), distance);
            }
        }
        winner.0
    }

    /// Adds orphans to the pair's contacts: previous contacts with an impulse that passed it on to no
    /// new contact, at a point where the bodies still overlap deeply. Returns the number added. A deep
    /// new contact with a similar normal makes orphans of that direction unnecessary.
    fn keep_orphans(&self, pair: &mut PairContacts, a: &Pose, b: &Pose) -> u64 {
        let s = pair.settings;
        let mut count = 0;
        for (at, old) in pair.previous.iter().enumerate() {
            let carries = old.normal_impulse > 0.0 && old.orphaned_for < ORPHAN_PASSES;
            if self.used[at] || !carries || old.key.is_region() {
                continue;
            }
            let replaced = pair
                .contacts
                .iter()
                .any(|c| c.separation < DEEP_SLOPS * s.slop && c.normal.dot(old.normal) > ALIKE);
            if replaced {
                continue;
            }
            let gap = b.transform_point(old.point_b) - a.transform_point(old.point_a);
            let separation = old.normal.dot(gap) + pair.excused_overlap();
            let sideways = (gap - old.normal.dot(gap) * old.normal).length();
            let overlaps = separation < -DEEP_SLOPS * s.slop
                && separation > -HELD_DEPTHS * s.depth - HELD_OF_SIZE * s.size;
            if overlaps && sideways < ORPHAN_ASIDE_OF_SIZE * s.size {
                count += 1;
                pair.contacts.push(Contact {
                    separation,
                    age: old.age + 1,
                    orphaned_for: old.orphaned_for + 1,
                    is_held: false,
                    ..*old
                });
            }
        }
        count
    }
}

/// Copies the impulses of `old`, and where its friction acts, to `contact`. The solver projects the friction
/// impulse onto the new tangent plane.
fn inherit(contact: &mut Contact, old: &Contact) {
    contact.normal_impulse = old.normal_impulse;
    contact.friction_impulse = old.friction_impulse;
    contact.turning_impulse = old.turning_impulse;
    contact.inset = old.inset;
    contact.age = old.age + 1;
}
