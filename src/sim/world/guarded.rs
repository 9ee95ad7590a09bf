//! Tunneling guard's data of a pass: the poses before and after it, the bodies that were moved, and the
//! crossings.

use super::cores::{CoreCrossing, CoreStacks};
use crate::body::BodyState;
use crate::pose::Pose;

/// Tunneling guard's data of a pass.
#[derive(Default)]
pub(super) struct Guard {
    /// Poses of the bodies when the pass began.
    pub before: Vec<Pose>,
    /// Poses of the bodies after the solver. A body that is moved out of another has its new pose here.
    pub after: Vec<Pose>,
    /// State of each body.
    pub held: Vec<Held>,
    /// Crossings found in the present round.
    pub found: Vec<Found>,
    pub stacks: CoreStacks,
    /// Number of pairs tested in this pass, and of paths of cores.
    pub test_count: u64,
    pub path_count: u64,
}

/// State of a body that the guard may have moved in a pass.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Share of its path in the pass that the body keeps.
    pub share: f64,
    /// Body that pushed this body to its present position. Afterwards, only that body may move it.
    pub pushed_by: Option<u32>,
    /// True if the body was moved in the last round.
    pub was_moved: bool,
    /// True if the body was moved in the present round.
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
    /// Slop of the pair, m.
    pub slop: f64,
}

impl Guard {
    /// Stores the poses at the start of a pass, before the solver. A program may have changed them
    /// since the last pass.
    pub fn begin_pass(&mut self, states: &[BodyState]) {
        self.before.clear();
        self.before.extend(states.iter().map(|s| s.pose));
    }

    /// Stores the poses after the solver.
    pub fn begin_rounds(&mut self, states: &[BodyState]) {
        (self.test_count, self.path_count) = (0, 0);
        self.after.clear();
        self.after.extend(states.iter().map(|s| s.pose));
        self.held.clear();
        self.held.resize(states.len(), Held::FREE);
    }

    /// Ends a round: the bodies moved in this round become those of the last round.
    pub fn end_round(&mut self) {
        for held in &mut self.held {
            (held.was_moved, held.is_moved) = (held.is_moved, false);
        }
    }
}
