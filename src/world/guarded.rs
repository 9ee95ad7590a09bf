//! The guard's memory of a pass: the poses before and after it, the bodies that were moved, the
//! crossings.

use super::cores::CoreCrossing;
use crate::body::BodyState;
use crate::pose::Pose;
use crate::tree::{PointStack, SegmentStack};

/// The guard's memory of a pass.
#[derive(Default)]
pub(super) struct Guard {
    /// Poses of the bodies when the pass began, and those after the solver. A body that is moved out of
    /// another has its new pose in `after`.
    pub before: Vec<Pose>,
    pub after: Vec<Pose>,
    /// State of each body.
    pub held: Vec<Held>,
    /// Crossings of a round.
    pub found: Vec<Found>,
    pub segments: SegmentStack,
    pub points: PointStack,
}

/// State of a body that may have been put back in a pass.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Share of its path that it keeps.
    pub share: f64,
    /// Body that pushed it to its present position: it then moves for no other body.
    pub pushed_by: Option<u32>,
    /// Whether it was moved in the last round, and whether in this one.
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
    /// Slop of the two, m.
    pub slop: f64,
}

impl Guard {
    /// Notes the poses at the start of a pass, before the solver. A program may have changed them since
    /// the last pass.
    pub fn begin_pass(&mut self, states: &[BodyState]) {
        self.before.clear();
        self.before.extend(states.iter().map(|s| s.pose));
    }

    /// Notes the poses after the solver.
    pub fn begin_rounds(&mut self, states: &[BodyState]) {
        self.after.clear();
        self.after.extend(states.iter().map(|s| s.pose));
        self.held.clear();
        self.held.resize(states.len(), Held::FREE);
    }

    /// Ends a round: the bodies moved in this round become those of the last.
    pub fn end_round(&mut self) {
        for held in &mut self.held {
            (held.was_moved, held.is_moved) = (held.is_moved, false);
        }
    }
}
