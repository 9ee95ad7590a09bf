//! Choice of the few contacts of a pair that the solver needs. Contacts are grouped by direction; each
//! group keeps four points that span it, and the deepest.
//!
//! The choice starts from the outermost point, and points used in the last pass get a bonus. A choice
//! that starts from the deepest point flickers on flat contacts and makes stacks drift. Of equally good
//! points, the one with the smaller separation wins, then the smaller key.

use glam::DVec3;

use super::features::Feature;
use super::point::{Contact, FeatureKey};

use crate::arrays::MapEach;

/// Cosine of the largest angle between normals that count as one direction (about 20°).
const SAME_DIRECTION: f64 = 0.94;
/// Weight factor of a point that was used in the last pass.
const IN_USE: f64 = 1.3;
/// Least weight of a speculative point that stays far away.
const LEAST_WEIGHT: f64 = 0.02;
/// Largest number of contacts of one pair.
pub(super) const PAIR_LIMIT: usize = 64;
/// Largest number of contacts per direction: four spanning points and the deepest.
const DIRECTION_LIMIT: usize = 5;

/// Buffers of a reduction.
#[derive(Default)]
pub(super) struct Reduction {
    /// Index of the direction of each feature.
    direction: Vec<u32>,
    seeds: Vec<DVec3>,
    members: Vec<Member>,
    chosen: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Member {
    feature: usize,
    /// Point projected onto the tangent plane of its direction, m.
    point: DVec3,
    weight: f64,
}

impl Reduction {
    /// Reduces `features` (sorted by separation, then key) to those that the solver needs, sorted by
    /// key. `previous` is sorted by key. Returns whether directions were omitted because the pair has
    /// too many contacts.
    pub fn reduce(&mut self, features: &mut Vec<Feature>, previous: &[Contact], slop: f64) -> bool {
        self.find_directions(features);
        self.chosen.clear();
        let mut capped = false;
        for direction in 0..self.seeds.len() {
            if self.chosen.len() + DIRECTION_LIMIT > PAIR_LIMIT {
                capped = true;
                break;
            }
            self.choose(direction as u32, features, previous, slop);
        }
        self.chosen.sort_unstable();
        let mut at = 0;
        let chosen = &self.chosen;
        features.retain(|_| {
            at += 1;
            chosen.binary_search(&(at - 1)).is_ok()
        });
        Feature::sort(features);
        capped
    }

    /// Groups features by direction, greedily and deepest first. Each feature joins the first direction
    /// that is close to its normal, or starts a new direction.
    fn find_directions(&mut self, features: &[Feature]) {
        self.direction.clear();
        self.seeds.clear();
        for feature in features {
            let same = self.seeds.iter().position(|s| s.dot(feature.normal) >= SAME_DIRECTION);
            let direction = same.unwrap_or_else(|| {
                self.seeds.push(feature.normal);
                self.seeds.len() - 1
            });
            self.direction.push(direction as u32);
        }
    }

    /// Chooses up to four members of one direction that span it, and the deepest member if it is
    /// clearly deeper than those.
    fn choose(&mut self, direction: u32, features: &[Feature], previous: &[Contact], slop: f64) {
        let normal = self.seeds[direction as usize];
        self.members.clear();
        for (at, feature) in features.iter().enumerate() {
            if self.direction[at] != direction {
                continue;
            }
            let middle = 0.5 * (feature.point_a + feature.point_b);
            let gap = feature.separation - feature.approach;
            let near = if gap > slop { (slop / gap).clamp(LEAST_WEIGHT, 1.0) } else { 1.0 };
            let bonus = if was_in_use(feature.key, previous) { IN_USE } else { 1.0 };
            self.members.push(Member {
                feature: at,
                point: middle - middle.dot(normal) * normal,
                weight: near * bonus,
            });
        }
        if self.members.len() <= 4 {
            self.chosen.extend(self.members.iter().map(|m| m.feature));
            return;
        }
        let spanning = spanning_points(&self.members, normal);
        let start = self.chosen.len();
        for member in spanning {
            if !self.chosen[start..].contains(&member) {
                self.chosen.push(member);
            }
        }
        // Features are sorted deepest first, so the first member is the deepest.
        let deepest = self.members[0].feature;
        let chosen = &self.chosen[start..];
        let reached = chosen.iter().map(|&f| features[f].separation).fold(f64::INFINITY, f64::min);
        if features[deepest].separation < reached - 0.5 * slop && !chosen.contains(&deepest) {
            self.chosen.push(deepest);
        }
    }
}

/// Returns whether `previous` (sorted by key) has a contact with this key.
fn was_in_use(key: FeatureKey, previous: &[Contact]) -> bool {
    previous.binary_search_by_key(&key, |c| c.key).is_ok()
}

/// Returns four members (some may coincide) that span the contact: the one farthest from the middle,
/// the one farthest from the first, the one that makes the largest triangle with these two, and the one
/// farthest outside that triangle.
fn spanning_points(members: &[Member], normal: DVec3) -> [usize; 4] {
    let middle = members.iter().map(|m| m.point).sum::<DVec3>() / members.len() as f64;
    let first = best(members, |m| m.point.distance(middle));
    let second = best(members, |m| m.point.distance(first.point));
    let area = |p: DVec3, q: DVec3, r: DVec3| (q - p).cross(r - p).dot(normal);
    let third = best(members, |m| area(first.point, second.point, m.point).abs());
    let turned = area(first.point, second.point, third.point) < 0.0;
    let (p, q, r) = if turned { (first, third, second) } else { (first, second, third) };
    let fourth = best(members, |m| {
        let outside = |x: &Member, y: &Member| -area(x.point, y.point, m.point);
        outside(p, q).max(outside(q, r)).max(outside(r, p)).max(0.0)
    });
    [first, second, third, fourth].map_each(|m| m.feature)
}

/// Returns the member with the largest weighted score; among equal scores, the first.
fn best(members: &[Member], score: impl Fn(&Member) -> f64) -> &Member {
    let mut winner = (&members[0], f64::NEG_INFINITY);
    for member in members {
        let value = member.weight * score(member);
        if value > winner.1 {
            winner = (member, value);
        }
    }
    winner.0
}
