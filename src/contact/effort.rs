//! Limit on the effort for pairs that touch in so many places that testing all would take too long: two
//! interpenetrating triangle soups, or two fans of triangles about one point. Their contacts are
//! recycled, and the pairs are counted.
//!
//! The end of a search must not depend on the hierarchy nor on the order of candidates. So the effort
//! counts only pairs that every hierarchy finds: triangles that touch, and deep features; for very fast
//! bodies, of which nearly all triangles are near, also triangles that are only near. Fans, which no
//! hierarchy separates, are estimated from the surfaces before any search.

use glam::DVec3;

use super::counts::QueryCounts;
use super::pair::{Crowding, PairContacts};
use super::settings::BodyPair;
use crate::mesh::{Mesh, boxes_overlap};
use crate::pose::Pose;

/// Effort after which the search of a pair is given up: half a second and more. The costliest step of a
/// tray of real gears takes 0.7 of it, for all pairs and passes.
pub const PAIR_EFFORT: u64 = 1 << 20;
/// Effort of a step after which no further search begins: about four seconds.
pub const STEP_EFFORT: u64 = 3 << 20;
/// Effort of searching the way out of one deep feature. A triangle pair that touches, and a feature,
/// each count 1.
pub(super) const WAY_OUT: usize = 16;
/// Number of triangle pairs within the margin, but not touching, that count 1 together. They count only
/// for pairs with a wide margin, of which nearly all are near.
const NEAR: u64 = 8;
/// Margin from which it is wide, as a share of the smaller body's size.
const FAR: f64 = 0.5;
/// Product of the triangle counts round a vertex of each mesh beyond which the two are fans. The boxes
/// of fans overlap although the triangles are apart, so hierarchies hardly separate them.
const FANS: usize = 1 << 20;
/// Largest number of triangle pairs of fans with overlapping boxes: about a second.
const FAN_PAIRS: u64 = 1 << 26;
/// Number of triangles sampled from each fan to estimate the overlapping pairs. A prime, so that no
/// period in the order of the triangles repeats with it.
const FAN_SAMPLES: usize = 251;

impl PairContacts {
    /// Returns whether the margin is wide beside the smaller body. The body then travels so far between
    /// two tests that nearly every triangle of one may be within the margin of nearly every triangle of
    /// the other.
    pub fn searches_far(&self) -> bool {
        self.search.margin > FAR * self.settings.size
    }

    /// Returns an upper bound of the effort of testing the pair if its margin is wide, else 0.
    pub fn far_effort(&self, meshes: [&Mesh; 2]) -> u64 {
        if self.searches_far() { (pair_count(meshes) / NEAR).min(PAIR_EFFORT) } else { 0 }
    }

    /// Returns whether the two meshes are fans with more overlapping triangle boxes than are tested; an
    /// estimate from a sample.
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

    /// Recycles the pair's contacts instead of searching, because there is too much to find, and notes
    /// `why`. `is_intersecting` stays as it was: how far a search got before it was given up depends on
    /// the order of candidates.
    pub fn leave_crowded(&mut self, why: Crowding, two: BodyPair, initial: bool) -> QueryCounts {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        self.recycle(two);
        self.judged.crowding = self.judged.crowding.max(Some(why));
        if initial {
            // Overlap still counts as modelled once the pair is searched.
            self.overlap.modelled_at.get_or_insert(b_to_a);
        }
        QueryCounts { contact_count: self.contacts.len() as u64, crowded_count: 1, ..QueryCounts::default() }
    }
}

/// Returns whether both meshes have vertices with so many triangles around them that the candidates may
/// be too many.
pub fn may_be_fans(meshes: [&Mesh; 2]) -> bool {
    let [a, b] = meshes.map(|mesh| mesh.topology().most_neighbors());
    a.saturating_mul(b) > FANS && pair_count(meshes) > FAN_PAIRS
}

/// Returns the number of triangle pairs of two meshes.
fn pair_count(meshes: [&Mesh; 2]) -> u64 {
    let [a, b] = meshes.map(|mesh| mesh.triangles().len() as u64);
    a.saturating_mul(b)
}

/// Counter of triangle pairs that are near but do not touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPairs {
    is_counting: bool,
    margin: f64,
    count: u64,
}

impl NearPairs {
    /// Starts a counter of pairs within the pair's margin. It counts only if the margin is wide.
    pub fn new(pair: &PairContacts) -> Self {
        Self { is_counting: pair.searches_far(), margin: pair.search.margin, count: 0 }
    }

    /// Adds a triangle pair and returns the effort that it completes. Counts only pairs with corners
    /// within the margin of each other, which every hierarchy finds.
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
