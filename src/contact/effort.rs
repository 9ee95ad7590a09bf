//! Pairs whose surfaces touch in so many places that looking at all of them would take for ever: two soups of
//! triangles in each other, two fans about one point. Their contacts are held, and they are counted.
//!
//! Where a search ends must not depend on which hierarchy it asks, nor on the order in which candidates come.
//! So what is counted is what every hierarchy finds: triangles that touch, and features that are deep; where
//! bodies are so fast that nearly all triangles are near, also those that only are. What no hierarchy finds
//! the end of is estimated by the surfaces alone, before it is searched.

use glam::DVec3;

use super::counts::QueryCounts;
use super::pair::{Crowding, PairContacts};
use super::settings::BodyPair;
use crate::mesh::{Mesh, boxes_overlap};
use crate::pose::Pose;

/// The effort after which a search of a pair is given up: half a second and more. The heaviest step of a tray
/// of real gears takes 0.7 of it, for all pairs and passes.
pub const PAIR_EFFORT: u64 = 1 << 20;
/// The effort of a step after which the searches that are left are not begun: some four seconds.
pub const STEP_EFFORT: u64 = 3 << 20;
/// Effort of looking for the way out of one deep feature; a triangle pair that touches and a feature are 1
/// each.
pub(super) const WAY_OUT: usize = 16;
/// Triangle pairs within the margin that do not touch and are 1 effort together, where bodies look so far
/// that nearly all are.
const NEAR: u64 = 8;
/// From which margin on they do, as a share of the smaller body's size.
const FAR: f64 = 0.5;
/// Triangles round a vertex of one mesh times those round a vertex of the other beyond which the two are
/// fans: their boxes overlap although they are apart, so that hierarchies find no end of them.
const FANS: usize = 1 << 20;
/// Triangle pairs of fans whose boxes may overlap: a second.
const FAN_PAIRS: u64 = 1 << 26;
/// Triangles of each fan by which it is estimated how many do; a prime, so that no order of them repeats
/// with it.
const FAN_SAMPLES: usize = 251;

impl PairContacts {
    /// Whether the margin is wide beside the smaller body: it travels so far between two looks that nearly
    /// every triangle of one may be within it of nearly every triangle of the other.
    pub fn searches_far(&self) -> bool {
        self.search.margin > FAR * self.settings.size
    }

    /// What judging the pair takes at most, if it looks so far that all its triangles may be near.
    pub fn far_effort(&self, meshes: [&Mesh; 2]) -> u64 {
        if self.searches_far() { (pair_count(meshes) / NEAR).min(PAIR_EFFORT) } else { 0 }
    }

    /// Whether two fans have more triangles in each other's boxes than are looked at.
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

    /// Leaves what is known of the pair as it is, moved along with the bodies: there is too much to find.
    /// Whether they intersect is left as well: how far a search came before it was given up depends on the
    /// order of candidates.
    pub fn leave_crowded(&mut self, why: Crowding, two: BodyPair, initial: bool) -> QueryCounts {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        self.recycle(two);
        self.judged.crowding = self.judged.crowding.max(Some(why));
        if initial {
            // Once they are searched, their overlap is still how they were modelled.
            self.overlap.modelled_at.get_or_insert(b_to_a);
        }
        QueryCounts { contact_count: self.contacts.len() as u64, crowded_count: 1, ..QueryCounts::default() }
    }
}

/// Whether the two have vertices with so many triangles round them that their candidates may have no end.
pub fn may_be_fans(meshes: [&Mesh; 2]) -> bool {
    let [a, b] = meshes.map(|mesh| mesh.topology().most_neighbors());
    a.saturating_mul(b) > FANS && pair_count(meshes) > FAN_PAIRS
}

fn pair_count(meshes: [&Mesh; 2]) -> u64 {
    let [a, b] = meshes.map(|mesh| mesh.triangles().len() as u64);
    a.saturating_mul(b)
}

/// Counts triangle pairs that are near and do not touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPairs {
    is_counting: bool,
    margin: f64,
    count: u64,
}

impl NearPairs {
    /// Counts those within the pair's margin if it looks far.
    pub fn new(pair: &PairContacts) -> Self {
        Self { is_counting: pair.searches_far(), margin: pair.search.margin, count: 0 }
    }

    /// The effort that this pair of triangles completes. Those with corners within the margin of each other
    /// are found by every hierarchy.
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
