//! Mechanisms under load. If bodies bear much more than their weight, or drives hold joints in place,
//! all connected joints are solved directly together. Solving joints one by one passes a load on by
//! only one body per iteration, and leaves a share of it unsolved, about the ratio of the two masses.
//!
//! The rows of a mechanism form one system, A·λ = residual, A = J·M⁻¹·Jᵀ, in the order of the tree,
//! leaves first: few entries of the factorization are nonzero (D. Baraff, "Linear-time dynamics using
//! Lagrange multipliers", SIGGRAPH 1996). Limits without impulse and drives at their largest force are
//! not part of it: iterations clamp and release rows. Dry friction is solved joint by joint.

use std::ops::Range;

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_frames::Frames;
use super::joint_impulses::{Joined, JointImpulses};
use super::joint_tree::{JointTree, Mechanism, Signs};
use super::mechanism_rows::{Half, MechanismJoint, MechanismRow, NONE_SHARED, Yield, add_rows};
use super::moving::Moving;
use super::row_groups::{Group, begin, clamp, release};
use super::settings::SolverSettings;
use super::skyline::Skyline;
use super::speeds::LoadTest;
use super::tension::{self, Tension};
use crate::arrays::MapEach;
use crate::contact::PairContacts;

/// Largest number of iterations of one solution in which rows are clamped or released.
const MOST_ROUNDS: u32 = 12;
/// Iteration from which no row may be released, so that the iterations end.
const FREE_ROUNDS: u32 = 6;
/// Compliance added to the rows, as a share of that of the whole mechanism. It keeps the impulses of
/// contradictory joints finite. A load moves it by some nanometers.
const YIELD: f64 = 1e-4;

/// Mechanisms of a pass, with their buffers.
#[derive(Default)]
pub(super) struct Mechanisms {
    tree: JointTree,
    /// Frames of the joints, in the order of the tree.
    frames: Vec<Frames>,
    rows: Vec<MechanismRow>,
    /// Range of rows of each joint, in the order of the tree.
    spans: Vec<Range<usize>>,
    /// True if the factorization is that of the present rows; by mechanism.
    is_factorised: Vec<bool>,
    /// True if all equations held after the last solution; by mechanism.
    is_solved: Vec<bool>,
    half: Half,
    signs: Signs,
    skyline: Skyline,
    values: Vec<f64>,
    /// Velocities of the tree's bodies after their mechanism was last solved.
    before: Vec<[DVec3; 2]>,
    tension: Tension,
    /// Number of loaded mechanisms of this pass that are too large to be solved directly.
    pub swept_count: u64,
    /// An entry for each time that the iterations of a mechanism were too few: its first and last body.
    pub unfinished: Vec<[usize; 2]>,
}

impl Mechanisms {
    /// Finds the mechanisms under load from the impulses of the last pass, from heavy bodies that touch
    /// a light body of a mechanism, and from heavy bodies that hang from a light one.
    pub fn find(
        &mut self,
        moving: &[Moving],
        Joined { joints, impulses }: Joined,
        pairs: &[PairContacts],
        LoadTest { dt, h, weight }: LoadTest,
        settings: &SolverSettings,
    ) {
        self.unfinished.clear();
        let signs = &mut self.signs;
        signs.load_ratio = settings.load_ratio;
        signs.loaded_for.resize(joints.len(), 0.0);
        let least = settings.load_share * weight * h;
        for ((joint, impulses), loaded_for) in joints.iter().zip(impulses).zip(&mut signs.loaded_for) {
            let light = Frames::slots(joint, moving).map_each(|body| moving[body].inverse_mass);
            let is_pulled = impulses.pull() * light[0].max(light[1]) > least;
            *loaded_for = if is_pulled || joint.is_held_by_drive() { *loaded_for + dt } else { 0.0 };
        }
        self.find_pressed(if joints.is_empty() { &[] } else { pairs }, moving, settings.load_ratio);
        self.swept_count = self.tree.find(moving, joints, &self.signs);
        self.is_factorised.clear();
        self.is_factorised.resize(self.count(), false);
        self.is_solved.clear();
        self.is_solved.resize(self.count(), false);
        self.before.clear();
        self.before.resize(self.tree.bodies.len(), [DVec3::ZERO; 2]);
    }

    /// Finds the bodies that touch a body more than `load_ratio` times as heavy.
    fn find_pressed(&mut self, pairs: &[PairContacts], moving: &[Moving], load_ratio: f64) {
        self.signs.is_pressed.clear();
        self.signs.is_pressed.resize(moving.len(), false);
        for pair in pairs.iter().filter(|pair| !pair.contacts.is_empty()) {
            for [body, other] in [[pair.a, pair.b], [pair.b, pair.a]] {
                let [own, others] = [body, other].map_each(|body| moving[body as usize].inverse_mass);
                self.signs.is_pressed[body as usize] |= others > 0.0 && own > load_ratio * others;
            }
        }
    }

    pub fn count(&self) -> usize {
        self.tree.mechanisms.len()
    }

    /// Returns whether a joint is part of a loaded mechanism. Such a joint is not solved by itself.
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
        Joined { joints, impulses }: Joined,
        context: &RowContext,
    ) {
        self.frames.clear();
        let frames = |&joint: &usize| Frames::new(&joints[joint], &impulses[joint].angles, moving);
        self.frames.extend(self.tree.order.iter().filter_map(frames));
        self.calm(moving, impulses, context);
        self.rows.clear();
        self.spans.clear();
        self.skyline.clear();
        for mechanism in &self.tree.mechanisms {
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
                let first = self.spans[self.tree.first[place]].start;
                (from..self.rows.len()).for_each(|_| self.skyline.add_row(first));
            }
        }
        self.values.resize(self.rows.len(), 0.0);
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

    /// Begins a half of a sub-step.
    pub fn begin(&mut self, half: Half) {
        self.half = half;
        self.is_solved.fill(false);
    }

    pub fn warm_start(&self, moving: &mut [Moving], impulses: &[JointImpulses]) {
        for row in &self.rows {
            row.warm_start(moving, impulses);
        }
    }

    /// Solves a mechanism. Returns the largest change of a body's velocity, m/s; 0 if it was already
    /// solved and its bodies kept their velocities.
    pub fn solve(&mut self, mechanism: usize, moving: &mut [Moving], impulses: &mut [JointImpulses]) -> f64 {
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
        self.is_solved[mechanism] = self.solve_rounds(mechanism, moving, impulses);
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

    /// Solves a mechanism iteratively. Returns whether every equation holds or its impulse is rightly
    /// at its bound.
    fn solve_rounds(
        &mut self,
        mechanism: usize,
        moving: &mut [Moving],
        impulses: &mut [JointImpulses],
    ) -> bool {
        let rows = self.rows_of(mechanism);
        let half = self.half;
        self.is_factorised[mechanism] &= !begin(&mut self.rows[rows.clone()], moving, impulses, half);
        for round in 0..MOST_ROUNDS {
            if !self.is_factorised[mechanism] {
                self.fill(mechanism);
                let all = &self.rows;
                self.skyline.factorise(rows.clone(), |row| all[row].is_active);
                self.is_factorised[mechanism] = true;
                self.note_responses(rows.clone(), impulses);
            }
            if !self.solve_active(rows.clone(), moving, impulses) {
                return false;
            }
            let own = &mut self.rows[rows.clone()];
            if clamp(own, moving, impulses) {
                self.is_factorised[mechanism] = false;
            } else if release(own, moving, impulses, half) {
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

    /// Computes the responses of the whole mechanism to its drives that set an acceleration.
    fn note_responses(&mut self, rows: Range<usize>, impulses: &mut [JointImpulses]) {
        for index in rows.clone() {
            if self.rows[index].accelerates() {
                self.values[rows.clone()].fill(0.0);
                self.values[index] = 1.0;
                self.skyline.solve(rows.clone(), &mut self.values);
                self.rows[index].note_response(self.values[index], impulses);
            }
        }
    }

    fn rows_of(&self, mechanism: usize) -> Range<usize> {
        let spans = &self.spans[self.tree.mechanisms[mechanism].joints.clone()];
        spans.first().map_or(0, |span| span.start)..spans.last().map_or(0, |span| span.end)
    }

    /// Writes the responses of the mechanism's rows to each other into the skyline.
    fn fill(&mut self, mechanism: usize) {
        for place in self.tree.mechanisms[mechanism].joints.clone() {
            for index in self.spans[place].clone() {
                let (first, entries) = self.skyline.row(index);
                entries.fill(0.0);
                let row = &self.rows[index];
                for other in self.tree.first[place]..=place {
                    let shared = self.tree.shared(place, other);
                    if shared != NONE_SHARED {
                        for column in self.spans[other].start..self.spans[other].end.min(index + 1) {
                            entries[column - first] = row.answer(&self.rows[column], &shared);
                        }
                    }
                }
                let (k, gives) = row.gives();
                for before in 0..=k {
                    entries[index - k + before - first] += gives[before];
                }
            }
        }
    }

    /// Solves the equations of all active rows. Returns whether the impulses are finite; if they are
    /// not, changes nothing.
    fn solve_active(
        &mut self,
        rows: Range<usize>,
        moving: &mut [Moving],
        impulses: &mut [JointImpulses],
    ) -> bool {
        let (values, half) = (&mut self.values, self.half);
        let mut at = rows.start;
        Group::each(&mut self.rows[rows.clone()], |group| {
            let missed = group.residual(moving, impulses, half);
            for k in 0..group.0.len() {
                values[at + k] = -missed[k];
            }
            at += group.0.len();
        });
        self.skyline.solve(rows.clone(), values);
        if !values[rows.clone()].iter().all(|value| value.is_finite()) {
            return false;
        }
        for index in rows {
            self.rows[index].push(moving, impulses, self.values[index]);
        }
        true
    }
}
