//! The guard's memory of a pass: the poses before and after it, the bodies that were moved, the crossings.

use super::cores::CoreCrossing;
use crate::body::BodyState;
use crate::pose::Pose;
use crate::tree::{PointStack, SegmentStack};

/// The guard's memory of a pass.
#[derive(Default)]
pub(super) struct Guard {
    /// The poses of the bodies when the pass began, and those in which the solver left them; a body that is
    /// moved out of another has its new pose here.
    pub before: Vec<Pose>,
    pub after: Vec<Pose>,
    /// One a body.
    pub held: Vec<Held>,
    /// The crossings of a round.
    pub found: Vec<Found>,
    pub segments: SegmentStack,
    pub points: PointStack,
}

/// How far a body was put back in a pass.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// The share of its way that it keeps.
    pub share: f64,
    /// The body that pushed it to where it stands: it yields to no other.
    pub pushed_by: Option<u32>,
    /// Whether it was moved in the last round, and in this one.
    pub was_moved: bool,
    pub is_moved: bool,
}

impl Held {
    const FREE: Self = Self { share: 1.0, pushed_by: None, was_moved: true, is_moved: false };
}

/// A core of `body` that crossed the surface of `through`.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub body: u32,
    pub through: u32,
    pub crossing: CoreCrossing,
    /// The slop of the two, m.
    pub slop: f64,
}

impl Guard {
    /// Notes where the bodies are as the solver begins a pass: a program may have put them there.
    pub fn begin_pass(&mut self, states: &[BodyState]) {
        self.before.clear();
        self.before.extend(states.iter().map(|s| s.pose));
    }

    /// Notes where the solver left the bodies.
    pub fn begin_rounds(&mut self, states: &[BodyState]) {
        self.after.clear();
        self.after.extend(states.iter().map(|s| s.pose));
        self.held.clear();
        self.held.resize(states.len(), Held::FREE);
    }

    /// Makes the bodies that were moved those of the round before.
    pub fn end_round(&mut self) {
        for held in &mut self.held {
            (held.was_moved, held.is_moved) = (held.is_moved, false);
        }
    }
}
