//! Verlet list of a pair's candidate triangle pairs. The list is valid while the bodies stay within a
//! distance (the skin) of the pose at which it was searched. Until then, each pass tests the listed
//! candidates without a new search.
//!
//! The skin does not change the contacts, only the cost: the list holds every triangle pair that can
//! give a contact at any pose within the skin, and each pass tests the pairs at the current pose.

use super::motion::greatest_motion;
use super::settings::BodyPair;
use crate::pose::Pose;

/// Validity of a pair's candidates: the pose, margin and skin of their search. The candidates
/// themselves are in `Search::candidates`.
///
/// ```text
///          search at pose `at`, within margin + skin
///  no list ------------------------------------------> list
///                                                     |    ^
///   covers(margin, ...)     : test its candidates,    |    |
///                             passes + 1              +----+
///   moved beyond the skin   : search again, with the skin of next_skin
///   surface changed, sensor : no list
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateList {
    /// Pose of b in a's space at the search.
    pub at: Pose,
    /// Search margin, m: the largest distance of two triangles that can give a contact. Does not
    /// include the skin.
    pub margin: f64,
    /// Speculative distance, m: largest separation of a contact.
    pub speculative: f64,
    /// Distance beside both faces of a concave edge within which a vertex counts as over them, m.
    pub corner: f64,
    pub skin: Skin,
    /// Node tests of the search that found the candidates.
    pub node_tests: u64,
    /// Number of candidates found.
    pub candidates: u64,
    /// Number of passes that have tested the candidates, the pass of the search included.
    pub passes: u32,
}

/// Relative motion of two bodies up to which a candidate list stays valid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Skin {
    /// Relative motion, m.
    pub motion: f64,
    /// Upper bound of the relative rotation of two bodies that move by `motion`, rad (4, which is no
    /// bound, if the rotation is large).
    pub turn: f64,
}

/// Skins that `next_skin` compares, as shares of the margin.
const SHARES: [f64; 8] = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
/// Cost of one node test, ns.
const NODE_TEST: f64 = 6.0;
/// Cost of testing one candidate, ns.
const CANDIDATE_TEST: f64 = 30.0;
/// Least motion per pass that `next_skin` assumes, as a share of the margin.
const STILL: f64 = 1e-3;
/// Chord in units of the radius from which the rotation is not bounded.
const WIDE_TURN: f64 = 0.5;

impl Skin {
    /// Returns the skin that allows `motion` (m) of two bodies relative to each other.
    pub fn new(motion: f64, [(_, a), (_, b)]: BodyPair) -> Self {
        let chord = motion / a.radius.min(b.radius);
        // Up to `WIDE_TURN` the angle of a chord is at most 1.02 times the chord.
        let turn = if chord < WIDE_TURN { 1.02 * chord } else { 4.0 };
        Self { motion, turn }
    }
}

impl CandidateList {
    /// Returns whether the candidates still include every triangle pair that can give a contact within
    /// `margin` (m), with a separation of at most `speculative` (m), and up to `corner` (m) behind a concave
    /// edge.
    pub fn covers(&self, [margin, speculative, corner]: [f64; 3], bodies: BodyPair) -> bool {
        let grown = [margin - self.margin, speculative - self.speculative, corner - self.corner];
        let more = grown.into_iter().fold(0.0, f64::max);
        // NaN compares false: the list is not valid.
        self.motion(bodies) + more <= self.skin.motion
    }

    /// Returns the skin of the next list: of the shares `SHARES` of `margin` (m), the one with the
    /// least expected cost per pass of searching and testing. A wider skin adds candidates to every
    /// pass, as the square of the distance searched, but the search is repeated less often.
    pub(super) fn next_skin(&self, margin: f64, bodies: BodyPair) -> Skin {
        let motion = self.motion(bodies) / f64::from(self.passes.max(1));
        let lasts = margin / motion.max(STILL * margin);
        let finding = NODE_TEST * self.node_tests as f64 / (1.0 + CANDIDATE_TEST * self.candidates as f64);
        let cost = |share: f64| (1.0 + share).powi(2) * (1.0 + finding / (1.0 + share * lasts));
        let share = SHARES.into_iter().min_by(|&x, &y| cost(x).total_cmp(&cost(y)));
        Skin::new(share.unwrap_or(0.0) * margin, bodies)
    }

    /// Returns an upper bound of the relative motion of the bodies since the search, m.
    fn motion(&self, bodies: BodyPair) -> f64 {
        greatest_motion(&self.at, &bodies[1].0.pose.relative_to(&bodies[0].0.pose), bodies)
    }
}
