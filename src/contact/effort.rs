//! Pairs whose surfaces touch in so many places that looking at all of them would take for ever: two soups of
//! triangles in each other, two fans about one point. Their contacts are held, and they are counted.
//!
//! Where a search ends must not depend on which hierarchy it asks, nor on the order in which candidates come.
//! So what is counted is what every hierarchy finds: triangles that touch, and features that are deep.

use super::counts::QueryCounts;
use super::pair::{Crowding, PairContacts};
use super::settings::BodyPair;

/// The effort after which a search of a pair is given up: half a second and more. The heaviest step of a tray
/// of real gears takes 0.7 of it, for all pairs and passes.
pub const PAIR_EFFORT: u64 = 1 << 20;
/// The effort of a step after which the searches that are left are not begun: some four seconds.
pub const STEP_EFFORT: u64 = 3 << 20;
/// Effort of looking for the way out of one deep feature; a triangle pair that touches and a feature are 1
/// each.
pub(super) const WAY_OUT: usize = 16;

impl PairContacts {
    /// Leaves what is known of the pair as it is, moved along with the bodies: there is too much to find.
    /// Whether they intersect is left as well: how far a search came before it was given up depends on the
    /// order of candidates.
    pub fn leave_crowded(&mut self, why: Crowding, two: BodyPair, initial: bool) -> QueryCounts {
        let [(a, _), (b, _)] = two;
        let b_to_a = b.pose.relative_to(&a.pose);
        self.hold(two);
        self.crowding = self.crowding.max(Some(why));
        if initial {
            // Once they are searched, their overlap is still how they were modelled.
            self.modelled_at.get_or_insert(b_to_a);
        }
        QueryCounts { contact_count: self.contacts.len() as u64, crowded_count: 1, ..QueryCounts::default() }
    }
}
