//! A look at the triangle pairs of two bodies that may matter: it lasts for as long as the bodies stay near
//! where they were looked at, and its pairs need only be judged.
//!
//! It changes nothing that is found: what a pair of triangles gives depends on where the bodies are when it
//! is judged, and all that give something are among those of the look. So how far a look reaches is a matter
//! of cost alone.

use super::motion::greatest_motion;
use super::settings::BodyPair;
use crate::pose::Pose;

/// Where the candidates of a pair are all that matter, and how long that lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateList {
    /// b in a's space.
    pub at: Pose,
    /// Within which triangles matter, m.
    pub margin: f64,
    /// Below which distance contacts are foreseen, m.
    pub speculative: f64,
    pub skin: Skin,
    /// What it took to find the candidates, and how many there are.
    pub node_tests: u64,
    pub candidates: u64,
    /// Passes in which they were judged.
    pub passes: u32,
}

/// How far bodies may move against each other before they are looked at anew.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Skin {
    /// m
    pub motion: f64,
    /// More than they can turn within it, rad.
    pub turn: f64,
}

/// Shares of the margin that may be added to it as room.
const SHARES: [f64; 8] = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
/// What a node test takes, and the judgement of a candidate, ns.
const NODE_TEST: f64 = 6.0;
const JUDGEMENT: f64 = 30.0;
/// Share of the margin that bodies are taken to move in a pass at least.
const STILL: f64 = 1e-3;
/// Chord of an angle beyond which bodies may turn in any way.
const WIDE_TURN: f64 = 0.5;

impl Skin {
    /// For two bodies that may move by so much, m.
    pub fn new(motion: f64, [(_, a), (_, b)]: BodyPair) -> Self {
        let chord = motion / a.radius.min(b.radius);
        // Up to there the angle of a chord is at most 1.02 times as large.
        let turn = if chord < WIDE_TURN { 1.02 * chord } else { 4.0 };
        Self { motion, turn }
    }
}

impl CandidateList {
    /// Whether all that matters within a margin (m) to contacts that are foreseen below a distance (m) is
    /// still among the candidates.
    pub fn covers(&self, margin: f64, speculative: f64, bodies: BodyPair) -> bool {
        let more = (margin - self.margin).max(speculative - self.speculative).max(0.0);
        // What is no number does not hold.
        self.motion(bodies) + more <= self.skin.motion
    }

    /// Room for the next look, so that finding and judging candidates take least: as many more are judged as
    /// the square of the reach grows, in every pass, and are found the less often the longer that lasts.
    pub(super) fn next_skin(&self, margin: f64, bodies: BodyPair) -> Skin {
        let motion = self.motion(bodies) / f64::from(self.passes.max(1));
        let lasts = margin / motion.max(STILL * margin);
        let finding = NODE_TEST * self.node_tests as f64 / (1.0 + JUDGEMENT * self.candidates as f64);
        let cost = |share: f64| (1.0 + share).powi(2) * (1.0 + finding / (1.0 + share * lasts));
        let share = SHARES.into_iter().min_by(|&x, &y| cost(x).total_cmp(&cost(y)));
        Skin::new(share.unwrap_or(0.0) * margin, bodies)
    }

    /// How far the bodies have moved against each other since, at most, m.
    fn motion(&self, bodies: BodyPair) -> f64 {
        greatest_motion(&self.at, &bodies[1].0.pose.relative_to(&bodies[0].0.pose), bodies)
    }
}
