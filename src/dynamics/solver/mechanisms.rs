//! Mechanisms: all connected joints are solved directly together, unless they are too many. Solving joints
//! one by one passes a load on by only one body per iteration, and leaves a share of it unsolved, about the
//! ratio of the two masses. Where an anchor is far from a center of mass, it even gains energy.
//!
//! Limits without impulse and drives at their largest force are not part of the system: iterations clamp
//! and release rows. Dry friction is solved joint by joint.

use std::ops::Range;

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_frames::Frames;
use super::joint_impulses::{Joined, JoinedMut, JointImpulses};
use super::joint_tree::{JointTree, Mechanism};
use super::look_ahead::LookAhead;
use super::mechanism_rows::{MechanismJoint, MechanismRow, Outlook, Yield, add_rows, aim_rows, bend_rows};
use super::mechanism_system::System;
use super::moving::Moving;
use super::row_groups::{begin, clamp, find_bounded, release};
use super::spring_law::Half;
use super::tension::{self, Tension};
use super::welds::Welds;
use crate::arrays::MapEach;
use crate::body::{BodyState, Joint};

/// Largest number of iterations of one solution in which rows are clamped or released.
const MOST_ROUNDS: u32 = 12;
/// Iteration from which no row may be released, so that the iterations end.
const FREE_ROUNDS: u32 = 6;
/// Compliance of hard rows, as a share of that of the whole mechanism. It keeps the impulses of
/// contradictory joints finite. A load moves it by some nanometers.
const YIELD: f64 = 1e-6;

/// Mechanisms of a pass, with their buffers.
#[derive(Default)]
pub(super) struct Mechanisms {
    tree: JointTree,
    /// Frames of the joints, in the order of the tree.
    frames: Vec<Frames>,
    rows: Vec<MechanismRow>,
    /// Range of rows of each joint, in the order of the tree.
    spans: Vec<Range<usize>>,
    /// First row of each group that has a bound, counted from the first row of its mechanism, and the range
    /// of each mechanism among them.
    bounded: Vec<usize>,
    bounded_of: Vec<Range<usize>>,
    /// True if the factorization is that of the present rows; by mechanism.
    is_factorised: Vec<bool>,
    /// True if all equations held after the last solution; by mechanism.
    is_solved: Vec<bool>,
    /// True if the active rows of the present half were chosen; by mechanism.
    is_begun: Vec<bool>,
    half: Half,
    /// Systems of equations, by mechanism. Never shrinks, because mechanisms may come back.
    systems: Vec<System>,
    /// Velocities of the tree's bodies after their mechanism was last solved.
    before: Vec<[DVec3; 2]>,
    tension: Tension,
    /// Duration of the sub-step of the rows, s.
    h: f64,
    ahead: LookAhead,
    /// An entry for each time that the iterations of a mechanism were too few: its first and last body.
    pub unfinished: Vec<[usize; 2]>,
    /// Number of solutions of the equations since the pass began, and of their factorizations.
    pub counts: [u64; 2],
}

impl Mechanisms {
    /// Finds the mechanisms of a pass.
    pub fn find(&mut self, moving: &[Moving], joints: &[Joint], states: &[BodyState], welds: &Welds) {
        self.unfinished.clear();
        self.counts = [0; 2];
        self.tree.find(moving, joints);
        self.is_factorised.clear();
        self.is_factorised.resize(self.count(), false);
        self.is_solved.clear();
        self.is_solved.resize(self.count(), false);
        self.is_begun.clear();
        self.is_begun.resize(self.count(), false);
        self.before.clear();
        self.before.resize(self.tree.bodies.len(), [DVec3::ZERO; 2]);
        self.systems.resize_with(self.systems.len().max(self.count()), System::default);
        self.ahead.begin(&self.tree.bodies, moving, states, welds);
    }

    /// Returns the first and the farthest body of each mechanism of this pass that is too large to be solved
    /// directly.
    pub fn too_large(&self) -> &[[usize; 2]] {
        &self.tree.too_large
    }

    pub fn count(&self) -> usize {
        self.tree.mechanisms.len()
    }

    /// Returns whether a joint is part of a mechanism. Such a joint is not solved by itself.
    pub fn holds(&self, joint: usize) -> bool {
        self.tree.holds(joint)
    }

    pub fn bodies(&self, mechanism: usize) -> &[usize] {
        &self.tree.bodies[self.tree.mechanisms[mechanism].bodies.clone()]
    }

    pub fn joint_count(&self, mechanism: usize) -> usize {
        self.tree.mechanisms[mechanism].joints.len()
    }

    /// Builds the rows from the poses. They serve the second half of a sub-step and the first half of
    /// the next.
    pub fn make_rows(
        &mut self,
        moving: &mut [Moving],
        JoinedMut { joints, impulses, .. }: JoinedMut,
        context: &RowContext,
    ) {
        self.frames.clear();
        let frames = |&joint: &usize| Frames::new(&joints[joint], &impulses[joint].angles, moving);
        self.frames.extend(self.tree.order.iter().filter_map(frames));
        self.calm(moving, impulses, context);
        self.h = context.h;
        self.rows.clear();
        self.spans.clear();
        self.bounded.clear();
        self.bounded_of.clear();
        for (mechanism, system) in self.tree.mechanisms.iter().zip(&mut self.systems) {
            let of = |all: f64| if all > 0.0 { YIELD / all } else { 0.0 };
            let yields = Yield { linear: of(mechanism.mass), angular: of(mechanism.inertia) };
            for place in mechanism.joints.clone() {
                let (index, from) = (self.tree.order[place], self.rows.len());
                let joint = MechanismJoint {
                    index,
                    joint: &joints[index],
                    frames: &self.frames[place],
                    impulses: &impulses[index],
                };
                add_rows(&mut self.rows, &joint, moving, yields, context);
                self.spans.push(from..self.rows.len());
            }
            system.reserve(&self.tree, mechanism, &self.spans);
            let first = self.spans[mechanism.joints.clone()].first().map_or(0, |span| span.start);
            let before = self.bounded.len();
            find_bounded(&self.rows[first..], &mut self.bounded);
            self.bounded_of.push(before..self.bounded.len());
        }
        self.rows.iter().for_each(|row| row.note_stretch(impulses));
        self.is_factorised.fill(false);
    }

    /// Damps and slows the swings of light bodies in tension, based on the impulses of the sub-step.
    fn calm(&mut self, moving: &mut [Moving], impulses: &[JointImpulses], context: &RowContext) {
        self.tension.clear(if self.count() > 0 { moving.len() } else { 0 });
        for (frames, &joint) in self.frames.iter().zip(&self.tree.order) {
            self.tension.add(frames, context.h * impulses[joint].linear(frames), moving);
        }
        for mechanism in &self.tree.mechanisms {
            let bodies = &self.tree.bodies[mechanism.bodies.clone()];
            // The first rows of a pass have the poses of the last rows of the previous pass, which
            // already damped the bodies.
            if context.elapsed > 0.0 {
                bodies.iter().for_each(|&body| self.tension.count(body));
                let turning = tension::turning(bodies, self.pivot(mechanism, moving), moving);
                bodies.iter().for_each(|&body| self.tension.damp(body, turning, moving));
            }
            bodies.iter().for_each(|&body| self.tension.raise(body, moving));
        }
    }

    /// Returns the point about which a mechanism rotates, and the velocity of this point: its joint to
    /// an immovable body if there is one, otherwise its center of mass.
    fn pivot(&self, mechanism: &Mechanism, moving: &[Moving]) -> [DVec3; 2] {
        if let Some(frames) = self.frames[mechanism.joints.clone()].last() {
            let fixed = [frames.a, frames.b].into_iter().find(|&end| moving[end].inverse_mass == 0.0);
            if let Some(fixed) = fixed {
                let arm = frames.origin_b - moving[fixed].center;
                return [frames.origin_b, moving[fixed].velocity_at(arm)];
            }
        }
        let mut sum = [DVec3::ZERO; 2];
        for &body in &self.tree.bodies[mechanism.bodies.clone()] {
            let share = 1.0 / (moving[body].inverse_mass * mechanism.mass);
            sum[0] += share * moving[body].center;
            sum[1] += share * moving[body].linear;
        }
        sum
    }

    /// Begins a half of a sub-step. Until it ends, the rows hold the impulses of their joints.
    pub fn begin(&mut self, half: Half, impulses: &[JointImpulses]) {
        self.rows.iter_mut().for_each(|row| row.take_impulse(impulses));
        let is_other = self.half != half;
        self.half = half;
        self.is_solved.fill(false);
        self.is_begun.fill(false);
        for index in (0..self.count()).filter(|_| is_other) {
            let rows = self.rows_of(index);
            self.is_factorised[index] &= !self.rows[rows].iter().any(MechanismRow::differs);
        }
    }

    /// Ends a half of a sub-step: hands the impulses of the rows on to their joints.
    pub fn end(&self, impulses: &mut [JointImpulses]) {
        self.rows.iter().for_each(|row| row.hand_on(impulses));
    }

    pub fn warm_start(&self, moving: &mut [Moving], impulses: &[JointImpulses]) {
        for row in &self.rows {
            row.warm_start(moving, impulses);
        }
    }

    /// Solves a mechanism. Returns the largest change of a body's velocity, m/s; 0 if it was already
    /// solved and its bodies kept their velocities.
    pub fn solve(&mut self, mechanism: usize, moving: &mut [Moving]) -> f64 {
        let places = self.tree.mechanisms[mechanism].bodies.clone();
        let bodies = &self.tree.bodies[places.clone()];
        let before = &mut self.before[places.clone()];
        let is_same = bodies.iter().zip(&*before).all(|(&body, before)| *before == moving[body].velocities());
        if is_same && self.is_solved[mechanism] {
            return 0.0;
        }
        for (&body, before) in bodies.iter().zip(before) {
            *before = moving[body].velocities();
        }
        let is_first = !std::mem::replace(&mut self.is_begun[mechanism], true);
        if is_first {
            let rows = self.rows_of(mechanism);
            let fastest = self.fastest(mechanism, moving);
            let starts = &self.bounded[self.bounded_of[mechanism].clone()];
            self.is_factorised[mechanism] &=
                !begin((&mut self.rows[rows], starts), (moving, fastest), self.half);
        }
        self.is_solved[mechanism] = self.solve_rounds(mechanism, moving);
        if !self.is_solved[mechanism] {
            let bodies = self.bodies(mechanism);
            self.unfinished.push([bodies[0], bodies[bodies.len() - 1]]);
        }
        let mut change = 0.0_f64;
        for (&body, before) in self.tree.bodies[places.clone()].iter().zip(&mut self.before[places]) {
            change = change.max(moving[body].change_since(*before));
            *before = moving[body].velocities();
        }
        change
    }

    /// Adds the curvature of the bodies' paths to the rows, at the velocities with which a sub-step begins.
    pub fn bend(&mut self, moving: &[Moving], joints: &[Joint]) {
        for (place, &index) in self.tree.order.iter().enumerate() {
            let rows = &mut self.rows[self.spans[place].clone()];
            bend_rows(rows, &joints[index], &self.frames[place], (moving, self.h));
        }
    }

    /// Ends the first half of a sub-step for a mechanism: corrects its solution, so that the joints hold at
    /// the end of the sub-step.
    pub fn look_ahead(&mut self, mechanism: usize, moving: &mut [Moving], joined: Joined, welds: &Welds) {
        if !self.is_solved[mechanism] {
            return;
        }
        let (of, h) = (&self.tree.mechanisms[mechanism], self.h);
        let Some(turn) = self.ahead.advance(&self.tree, of, moving, h) else { return };
        // The rows foresee the curvature of the paths, so only the third power of the rotation is left.
        let size = (of.inertia / of.mass).sqrt();
        let outlook = Outlook { moving, h, most: [turn * turn, turn * turn * size] };
        for place in of.joints.clone() {
            let index = self.tree.order[place];
            let (joint, angles) = (&joined.joints[index], &joined.impulses[index].angles);
            for body in Frames::own_slots(joint, moving) {
                welds.place_body(body, &mut self.ahead.bodies);
            }
            if let Some(ahead) = Frames::new(joint, angles, &self.ahead.bodies) {
                aim_rows(&mut self.rows[self.spans[place].clone()], joint, &ahead, outlook);
            }
        }
        let system = &mut self.systems[mechanism];
        self.counts[0] += 1;
        self.is_solved[mechanism] = system.solve(&mut self.rows, moving, self.half);
    }

    /// Solves a mechanism iteratively. Returns whether every equation holds or its impulse is rightly
    /// at its bound.
    fn solve_rounds(&mut self, mechanism: usize, moving: &mut [Moving]) -> bool {
        let rows = self.rows_of(mechanism);
        let half = self.half;
        for round in 0..MOST_ROUNDS {
            let system = &mut self.systems[mechanism];
            if !self.is_factorised[mechanism] {
                let places = (&self.tree, &self.tree.mechanisms[mechanism], &*self.spans);
                system.factorise(places, &self.rows, half);
                self.counts[1] += 1;
                self.is_factorised[mechanism] = true;
                if half == Half::Relax {
                    // For the next rows. Those of the first half have the same poses.
                    system.note_responses(&mut self.rows, half);
                }
            }
            self.counts[0] += 1;
            if !system.solve(&mut self.rows, moving, half) {
                return false;
            }
            let fastest = self.fastest(mechanism, moving);
            let starts = &self.bounded[self.bounded_of[mechanism].clone()];
            let own = &mut self.rows[rows.clone()];
            if clamp((own, starts), moving) {
                self.is_factorised[mechanism] = false;
            } else if release((own, starts), (moving, fastest), half) {
                self.is_factorised[mechanism] = false;
                if round >= FREE_ROUNDS {
                    return false;
                }
            } else {
                return true;
            }
        }
        false
    }

    /// Returns the greatest speed of a body at the joints of a mechanism, m/s and rad/s.
    fn fastest(&self, mechanism: usize, moving: &[Moving]) -> [f64; 2] {
        let frames = &self.frames[self.tree.mechanisms[mechanism].joints.clone()];
        let squares = frames.iter().flat_map(|frames| [frames.a, frames.b]).map(|body| {
            let Moving { linear, angular, .. } = &moving[body];
            [linear.length_squared(), angular.length_squared()]
        });
        let most = squares.fold([0.0_f64; 2], |most, square| [0, 1].map_each(|k| most[k].max(square[k])));
        most.map_each(|square| square.sqrt())
    }

    fn rows_of(&self, mechanism: usize) -> Range<usize> {
        let spans = &self.spans[self.tree.mechanisms[mechanism].joints.clone()];
        spans.first().map_or(0, |span| span.start)..spans.last().map_or(0, |span| span.end)
    }
}
