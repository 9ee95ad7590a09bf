//! Limit on the effort for pairs that touch at so many points that testing all of them would take too
//! long: two interpenetrating triangle soups, or two fans (many triangles around one vertex). Such a
//! pair is counted as crowded, and its contacts are recycled.
//!
//! The point at which a search ends must not depend on the kind of hierarchy or on the order of
//! candidates. So the effort counts only items that every hierarchy finds: touching triangle pairs and
//! deep features. Very fast bodies have a wide margin, within which nearly all triangles lie; for them
//! the effort also counts triangle pairs that are near but do not touch. No hierarchy separates fans,
//! so their pairs are estimated from the surfaces before any search.

use glam::DVec3;

use super::counts::QueryCounts;
use super::pair::{Crowding, PairContacts};
use super::settings::BodyPair;
use crate::mesh::{Mesh, boxes_overlap};
use crate::pose::Pose;

/// Effort after which the search of a pair is given up: half a second or more. The costliest step of a
/// tray of real gears needs 0.7 of this effort, summed over all pairs and passes.
pub const PAIR_EFFORT: u64 = 1 << 20;
/// Effort of a step after which no further search begins: about four seconds.
pub const STEP_EFFORT: u64 = 3 << 20;
/// Effort of testing one deep feature's way out of the solid. A touching triangle pair and a feature
/// each count 1.
pub(super) const WAY_OUT: usize = 16;
/// Number of triangle pairs within the margin, but not touching, that together count 1. They count only
/// for pairs of bodies with a wide margin.
const NEAR: u64 = 8;
/// Margin above which it counts as wide, as a share of the smaller body's size.
const FAR: f64 = 0.5;
/// Product of the greatest vertex degrees of two meshes beyond which the meshes may be fans. The boxes
/// of the triangles of fans overlap although the triangles are apart, so hierarchies hardly separate
/// them.
const FANS: usize = 1 << 20;
/// Largest number of triangle pairs of fans whose boxes overlap: testing them takes about a second.
const FAN_PAIRS: u64 = 1 << 26;
/// Number of triangles sampled from each fan to estimate the overlapping pairs. It is prime, so the
/// samples do not follow a period in the order of the triangles.
const FAN_SAMPLES: usize = 251;

impl PairContacts {
    /// Returns whether the margin is wide relative to the smaller body. Then the bodies move so far
    /// between two tests that nearly every triangle of one may be within the margin of nearly every
    /// triangle of the other.
    #[inline]
    pub fn searches_far(&self) -> bool {
        self.search.margin > FAR * self.settings.size
    }

    /// Returns an upper bound of the effort of testing the pair if its margin is wide, and 0 otherwise.
    #[inline]
    pub fn far_effort(&self, meshes: [&Mesh; 2]) -> u64 {
        if self.searches_far() { (pair_count(meshes) / NEAR).min(PAIR_EFFORT) } else { 0 }
    }

    /// Returns whether the two meshes are fans with more than `FAN_PAIRS` triangle pairs whose boxes
    /// overlap. The number is estimated from a sample.
    #[inline]
    pub(super) fn is_of_fans(&self, meshes: [&Mesh; 2], b_to_a: &Pose) -> bool {
        if !may_be_fans(meshes) {
            return false;
        }
        let [a, mut b] = meshes.map(|mesh| {
            let sample = |k| mesh.corners((k * mesh.triangles().len() / FAN_SAMPLES) as u32);
            std::array::from_fn::<_, FAN_SAMPLES, _>(sample)
        });
        b.as_flattened_mut().iter_mut().for_each(|corner| *corner = b_to_a.transform_point(*corner));
        let overlapping =
            |a: &[DVec3; 3]| b.iter().filter(|b| boxes_overlap(a, b, self.search.margin)).count();
        let found: usize = a.iter().map(overlapping).sum();
        let share = found as f64 / (FAN_SAMPLES * FAN_SAMPLES) as f64;
        share * pair_count(meshes) as f64 > FAN_PAIRS as f64
    }

    /// Recycles the pair's contacts instead of searching, because the search is too costly, and stores
    /// the reason `why`. `is_intersecting` keeps its value, because the progress of a search that was
    /// given up depends on the order of candidates. `initial`: the scene starts with this pass.
    #[inline]
    pub fn leave_crowded(&mut self, why: Crowding, two: BodyPair, initial: bool) -> QueryCounts {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        self.recycle(two);
        self.judged.crowding = self.judged.crowding.max(Some(why));
        if initial {
            // Keep the modeled pose: a later search still accepts overlap as modeled.
            self.overlap.modelled_at.get_or_insert(b_to_a);
        }
        QueryCounts { contact_count: self.contacts.len() as u64, crowded_count: 1, ..QueryCounts::default() }
    }
}

/// Returns whether both meshes have vertices with so many triangles around them that the candidates may
/// be too many to test.
#[inline]
pub fn may_be_fans(meshes: [&Mesh; 2]) -> bool {
    let [a, b] = meshes.map(|mesh| mesh.topology().most_neighbors());
    a.saturating_mul(b) > FANS && pair_count(meshes) > FAN_PAIRS
}

/// Returns the number of triangle pairs of two meshes.
fn pair_count(meshes: [&Mesh; 2]) -> u64 {
    let [a, b] = meshes.map(|mesh| mesh.triangles().len() as u64);
    a.saturating_mul(b)
}

/// Counter of triangle pairs that are near each other but do not touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPairs {
    is_counting: bool,
    margin: f64,
    count: u64,
}

impl NearPairs {
    /// Starts a counter of pairs within the pair's margin. It counts only if the margin is wide.
    #[inline]
    pub fn new(pair: &PairContacts) -> Self {
        Self { is_counting: pair.searches_far(), margin: pair.search.margin, count: 0 }
    }

    /// Adds a triangle pair. Returns 1 for every `NEAR`th pair counted and 0 otherwise: the effort to
    /// add. Counts only pairs with two corners within the margin of each other, which every hierarchy
    /// finds.
    #[inline]
    pub fn add(&mut self, a: &[DVec3; 3], b: &[DVec3; 3]) -> u64 {
        if !self.is_counting {
            return 0;
        }
        let most = self.margin * self.margin;
        let is_near = |p: &DVec3| b.iter().any(|q| p.distance_squared(*q) <= most);
        if !a.iter().any(is_near) {
            return 0;
        }
        self.count += 1;
        u64::from(self.count.is_multiple_of(NEAR))
    }
}
