//! Loads: rows around bodies that bear much more than they weigh are solved until they hold.
//!
//! A round over all rows passes a load on by one body, and of the load it leaves about the ratio of the two
//! masses. Two rounds do for bodies that bear little more than their own weight. A shim under a machine needs
//! as many as it takes. Bodies that bear a load are told by the impulses of the pass before; further rounds
//! go over the rows of these bodies and of those beside them, and of these rows only over those with a body
//! that the last round moved.

use super::contact_rows::{ContactRow, RowContext};
use super::joint_rows::{self, JointImpulses};
use super::mechanisms::Mechanisms;
use super::moving::Moving;
use super::settings::SolverSettings;
use crate::body::{Joint, WORLD};

/// How a body is concerned with a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    #[default]
    None,
    /// It touches one that bears a load.
    Beside,
    Bears,
}

/// The rows that are solved further, kept with their buffers.
#[derive(Default)]
pub(super) struct Loads {
    roles: Vec<Role>,
    /// Indices of contact rows, of joints and of mechanisms that are solved at once.
    rows: Vec<u32>,
    joints: Vec<u32>,
    mechanisms: Vec<usize>,
    /// For each body, the last round that moved it, counted over the pass.
    moved_in: Vec<u32>,
    round: u32,
    /// Rows and joints that were solved in further rounds, and how often the rounds were too few, since the
    /// pass began.
    pub solved_count: u64,
    pub unfinished_count: u64,
}

/// All rows of a pass.
pub(super) struct Rows<'a> {
    pub contacts: &'a mut [ContactRow],
    pub joints: &'a [Joint],
    pub impulses: &'a mut [JointImpulses],
    pub mechanisms: &'a mut Mechanisms,
}

impl Loads {
    /// Finds the rows by the impulses of the pass before, whose sub-steps took `h` seconds. `gravity`: m/s².
    pub fn find(
        &mut self,
        moving: &[Moving],
        contacts: &mut [ContactRow],
        (joints, mechanisms): (&[Joint], &Mechanisms),
        (h, gravity): (f64, f64),
        settings: &SolverSettings,
    ) {
        (self.solved_count, self.unfinished_count, self.round) = (0, 0, 0);
        self.rows.clear();
        self.joints.clear();
        self.mechanisms.clear();
        self.roles.clear();
        self.roles.resize(moving.len(), Role::None);
        self.moved_in.clear();
        self.moved_in.resize(moving.len(), 0);
        let least = settings.load_share * gravity * h;
        for row in contacts.iter() {
            let [a, b] = row.bodies();
            let [of_a, of_b] = [moving[a].inverse_mass, moving[b].inverse_mass];
            let (light, heavy) = (of_a.max(of_b), of_a.min(of_b));
            let is_unequal = heavy > 0.0 && light > settings.load_ratio * heavy;
            if is_unequal || least > 0.0 && row.normal_impulse() * light > least {
                self.roles[if of_a > of_b { a } else { b }] = Role::Bears;
            }
        }
        if !self.roles.contains(&Role::Bears) {
            return;
        }
        let ends = |joint: &Joint| [joint.a, joint.b].map(|body| at(body, moving));
        let all = contacts.iter().map(ContactRow::bodies).chain(joints.iter().map(ends));
        for [a, b] in all {
            for (of, other) in [(a, b), (b, a)] {
                if self.roles[of] == Role::Bears && moving[other].inverse_mass > 0.0 {
                    self.roles[other] = self.roles[other].max(Role::Beside);
                }
            }
        }
        let has_load = |[a, b]: [usize; 2]| self.roles[a].max(self.roles[b]) > Role::None;
        for (index, row) in (0..).zip(contacts).filter(|(_, row)| has_load(row.bodies())) {
            row.hold();
            self.rows.push(index);
        }
        let swept = (0..).zip(joints).filter(|(index, _)| !mechanisms.holds(*index as usize));
        let chosen = swept.filter(|(_, joint)| has_load(ends(joint)));
        self.joints.extend(chosen.map(|(index, _): (u32, _)| index));
        let has_load = |body: &usize| self.roles[*body] > Role::None;
        let chosen = (0..mechanisms.count()).filter(|&index| mechanisms.bodies(index).iter().any(has_load));
        self.mechanisms.extend(chosen);
    }

    /// Goes on with rounds over the rows until none of them changes a velocity by more than the tolerance, or
    /// there were as many rounds as may be.
    pub fn solve(&mut self, rows: &mut Rows, moving: &mut [Moving], context: &RowContext, relax: bool) {
        if self.rows.is_empty() {
            return;
        }
        // All rows are due in the first round.
        self.moved_in.fill(self.round);
        for _ in 0..context.settings.most_rounds {
            self.round += 1;
            if !self.solve_round(rows, moving, context, relax) {
                return;
            }
        }
        self.unfinished_count += 1;
    }

    /// Returns whether a row changed a velocity by more than the tolerance.
    fn solve_round(
        &mut self,
        rows: &mut Rows,
        moving: &mut [Moving],
        context: &RowContext,
        relax: bool,
    ) -> bool {
        let (round, tolerance) = (self.round, context.settings.tolerance);
        let mut has_moved = false;
        let mut moves = |moved_in: &mut [u32], moving: &[Moving], bodies: &[usize], change: f64| {
            if change > tolerance {
                has_moved = true;
                let yielding = bodies.iter().filter(|&&body| moving[body].inverse_mass > 0.0);
                yielding.for_each(|&body| moved_in[body] = round);
            }
        };
        let is_due = |moved_in: &[u32], [a, b]: [usize; 2]| moved_in[a].max(moved_in[b]) + 1 >= round;
        for &index in &self.joints {
            let joint = &rows.joints[index as usize];
            let bodies = [joint.a, joint.b].map(|body| at(body, moving));
            if is_due(&self.moved_in, bodies) {
                let before = bodies.map(|body| moving[body].velocities());
                joint_rows::solve(joint, &mut rows.impulses[index as usize], moving, context, relax);
                let change = [0, 1].map(|k| moving[bodies[k]].change_since(before[k]));
                moves(&mut self.moved_in, moving, &bodies, change[0].max(change[1]));
                self.solved_count += 1;
            }
        }
        for &index in &self.mechanisms {
            if rows.mechanisms.bodies(index).iter().any(|&body| is_due(&self.moved_in, [body; 2])) {
                let change = rows.mechanisms.solve(index, moving, rows.impulses);
                moves(&mut self.moved_in, moving, rows.mechanisms.bodies(index), change);
                self.solved_count += rows.mechanisms.joint_count(index) as u64;
            }
        }
        for &index in &self.rows {
            let row = &mut rows.contacts[index as usize];
            let bodies = row.bodies();
            if is_due(&self.moved_in, bodies) {
                let change = row.solve_normal(moving, context, relax);
                moves(&mut self.moved_in, moving, &bodies, change);
                self.solved_count += 1;
            }
        }
        if relax {
            for &index in &self.rows {
                let row = &mut rows.contacts[index as usize];
                let bodies = row.bodies();
                if is_due(&self.moved_in, bodies) {
                    let change = row.solve_friction(moving);
                    moves(&mut self.moved_in, moving, &bodies, change);
                }
            }
        }
        has_moved
    }
}

/// Where a joint's body stands: the world is the last.
fn at(body: u32, moving: &[Moving]) -> usize {
    if body == WORLD { moving.len() - 1 } else { body as usize }
}
