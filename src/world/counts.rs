//! What a step did, in numbers: \[cab\]'s counts and what stands beside them. Summed over the step's
//! collision passes.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepCounts {
    /// Collision passes the step took.
    pub passes: u64,
    /// Pairs of bodies whose boxes overlap and that may touch.
    pub pairs: u64,
    /// Bodies whose box has a NaN or is turned inside out, so that no pair is found for them.
    pub invalid_boxes: u64,
    /// Bounding-volume tests: broad phase, links, hierarchies.
    pub node_tests: u64,
    /// Triangle pairs handed to the exact stage.
    pub candidates: u64,
    /// Candidates that neither intersect nor give a contact.
    pub false_alarms: u64,
    /// Candidates whose triangles intersect exactly.
    pub intersections: u64,
    /// Contacts handed to the solver.
    pub contacts: u64,
    /// Loaded contacts kept although the features that made them are gone.
    pub orphans: u64,
    /// Pairs whose contacts were too many and were cut to the limit.
    pub capped: u64,
    /// Pairs that touch in more places than are looked at: their contacts are held.
    pub crowded: u64,
    /// What judging candidates took, in triangle pairs that touch: the same for every hierarchy.
    pub effort: u64,
    /// Pairs that overlap without a contact that would part them.
    pub interpenetrating: u64,
    /// Pairs of links of one kinematic figure, watched for it, that intersect.
    pub self_collisions: u64,
    /// Bodies whose core crossed another's surface.
    pub passages: u64,
    /// Bodies that fell out of the world.
    pub falls: u64,
    /// Pairs that intersect and of which nothing deflects either.
    pub reaches: u64,
    /// Pairs whose hierarchies were searched, as what was found before does not hold any more, and those of
    /// them whose search was ended early.
    pub searched: u64,
    pub interrupted: u64,
    /// Pairs whose contacts were only carried along with the bodies: all that may touch is among them.
    pub carried: u64,
    /// Pairs that needed a search and got none: their contacts are held.
    pub held: u64,
    /// Contacts that stand for a region of two surfaces.
    pub cell_contacts: u64,
    pub units_used: u64,
    /// Held or interrupted pairs asked exactly; those that were said to collide and do not, and the reverse.
    pub sampled: u64,
    pub false_collisions: u64,
    pub missed_collisions: u64,
    /// Dynamic bodies awake at the end of the step.
    pub awake_bodies: u64,
}

/// What a step left the world with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// Kinetic and potential energy of the dynamic bodies, J.
    pub energy: f64,
    /// Deepest overlap beyond what is accepted at any contact, m.
    pub penetration: f64,
    /// Between which bodies (a < b) that is, if there is any.
    pub deepest: Option<[u32; 2]>,
}

impl std::ops::AddAssign for StepCounts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::Add for StepCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }
}

impl StepCounts {
    /// The larger of the two, each count by itself.
    pub fn max(self, other: Self) -> Self {
        self.zip(other, u64::max)
    }

    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            passes: f(self.passes, other.passes),
            pairs: f(self.pairs, other.pairs),
            invalid_boxes: f(self.invalid_boxes, other.invalid_boxes),
            node_tests: f(self.node_tests, other.node_tests),
            candidates: f(self.candidates, other.candidates),
            false_alarms: f(self.false_alarms, other.false_alarms),
            intersections: f(self.intersections, other.intersections),
            contacts: f(self.contacts, other.contacts),
            orphans: f(self.orphans, other.orphans),
            capped: f(self.capped, other.capped),
            crowded: f(self.crowded, other.crowded),
            effort: f(self.effort, other.effort),
            interpenetrating: f(self.interpenetrating, other.interpenetrating),
            self_collisions: f(self.self_collisions, other.self_collisions),
            passages: f(self.passages, other.passages),
            falls: f(self.falls, other.falls),
            reaches: f(self.reaches, other.reaches),
            searched: f(self.searched, other.searched),
            interrupted: f(self.interrupted, other.interrupted),
            carried: f(self.carried, other.carried),
            held: f(self.held, other.held),
            cell_contacts: f(self.cell_contacts, other.cell_contacts),
            units_used: f(self.units_used, other.units_used),
            sampled: f(self.sampled, other.sampled),
            false_collisions: f(self.false_collisions, other.false_collisions),
            missed_collisions: f(self.missed_collisions, other.missed_collisions),
            awake_bodies: f(self.awake_bodies, other.awake_bodies),
        }
    }
}
