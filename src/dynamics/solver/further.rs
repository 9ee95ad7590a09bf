//! Further iterations over the rows of a load (light bodies that bear much heavier ones) until they
//! converge.
//!
//! An iteration solves only rows with a body that was moved in this or the previous iteration, which
//! makes it cheap. Conjugate gradients take over if the first iterations do not suffice.

use std::cmp::Ordering;

use glam::DVec3;

use super::conjugate::Conjugate;
use super::contact_rows::{ContactRow, RowContext};
use super::joint_frames::Frames;
use super::joint_impulses::JointImpulses;
use super::joint_rows;
use super::loads::{Loads, Members, capacity};
use super::mechanisms::Mechanisms;
use super::moving::Moving;
use super::spring_law::Half;
use crate::arrays::MapEach;
use crate::body::Joint;

/// Number of plain iterations before conjugate gradients take over.
const PLAIN_ROUNDS: u32 = 8;

/// All rows of a pass.
pub(super) struct Rows<'a> {
    pub contacts: &'a mut [ContactRow],
    pub joints: &'a [Joint],
    pub impulses: &'a mut [JointImpulses],
    pub mechanisms: &'a mut Mechanisms,
}

/// Buffers and counts of the further iterations.
#[derive(Default)]
pub(super) struct Further {
    /// Last iteration that moved each body.
    moved_in: Vec<u32>,
    conjugate: Conjugate,
    /// Bodies of the row that changed most in the last iteration over a group.
    worst: [usize; 2],
    /// Velocities of the two bodies of each contact of a group before its last iteration.
    before: Vec<[[DVec3; 2]; 2]>,
    /// Number of rows and joints solved in further iterations since the pass began.
    pub solved_count: u64,
    /// An entry for each group whose bodies still changed their velocities in the last of all iterations:
    /// the two bodies of the row that changed most.
    pub unfinished: Vec<[usize; 2]>,
}

/// One iteration over a group.
struct Round<'a> {
    index: u32,
    moved_in: &'a mut [u32],
    tolerance: f64,
    /// Greatest change of a velocity in this iteration, m/s, and the bodies of its row.
    worst: (f64, [usize; 2]),
}

impl Round<'_> {
    /// Returns whether this or the previous iteration moved any of the bodies.
    fn is_due(&self, bodies: &[usize]) -> bool {
        bodies.iter().any(|&body| self.moved_in[body] + 1 >= self.index)
    }

    /// Records that the velocities of `bodies` changed by `change`, m/s. A mechanism of one body names no
    /// two bodies.
    fn note(&mut self, bodies: &[usize], change: f64, moving: &[Moving]) {
        if change > self.worst.0 {
            self.worst.0 = change;
            if let [first, .., last] = *bodies {
                self.worst.1 = [first, last];
            }
        }
        self.mark(bodies, change, moving);
    }

    /// Marks the bodies as moved if their velocities changed by more than the tolerance, so that their
    /// rows are solved again.
    fn mark(&mut self, bodies: &[usize], change: f64, moving: &[Moving]) {
        if change > self.tolerance {
            // An immovable body transmits no change to its other rows.
            for body in bodies.iter().copied().filter(|&body| moving[body].inverse_mass > 0.0) {
                self.moved_in[body] = self.index;
            }
        }
    }
}

impl Further {
    /// Begins a pass. `contacts` and `bodies` are their numbers in the whole pass, so that the buffers
    /// do not grow whenever a load appears.
    pub fn begin(&mut self, contacts: usize, bodies: usize) {
        self.solved_count = 0;
        self.unfinished.clear();
        self.moved_in.clear();
        self.moved_in.reserve(bodies);
        self.conjugate.reserve(capacity(contacts));
        self.before.clear();
        self.before.reserve(capacity(contacts));
    }

    /// Iterates over the rows of each group until no row changes a velocity by more than the tolerance,
    /// or the largest number of iterations is reached.
    pub fn solve(
        &mut self,
        loads: &Loads,
        rows: &mut Rows,
        moving: &mut [Moving],
        context: &RowContext,
        half: Half,
    ) {
        if loads.groups.is_empty() {
            return;
        }
        // All rows of a group are solved in its first iteration.
        self.moved_in.clear();
        self.moved_in.resize(moving.len(), 0);
        let most = context.settings.most_rounds;
        for group in &loads.groups {
            let tolerance = group.share_of_tolerance * context.speeds.tolerance;
            let members = loads.members(group);
            let mut index = 1;
            while self.solve_round((index, tolerance), &members, rows, moving, context, half) {
                match index.cmp(&PLAIN_ROUNDS) {
                    _ if index == most => {
                        if self.greatest_change(&members, rows, moving) > tolerance {
                            self.unfinished.push(self.worst);
                        }
                        break;
                    }
                    Ordering::Less => {}
                    Ordering::Equal => self.conjugate.begin(members.rows, rows.contacts),
                    Ordering::Greater => {
                        let moved_in = &mut self.moved_in;
                        let mut round = Round { index, moved_in, tolerance, worst: (0.0, [0; 2]) };
                        let moved = |bodies: [usize; 2], change: f64, moving: &[Moving]| {
                            round.mark(&bodies, change, moving);
                        };
                        self.conjugate.carry_on(members.rows, rows.contacts, moving, moved);
                    }
                }
                index += 1;
                if index == most {
                    let bodies = members.rows.iter().map(|&(_, row)| rows.contacts[row as usize].bodies());
                    self.before.clear();
                    self.before.extend(bodies.map(|two| two.map_each(|body| moving[body].velocities())));
                }
            }
        }
    }

    /// Returns the greatest change of a body's velocity in the last iteration over a group, m/s. Contacts
    /// that bear a load together may pass it to each other for long, while their bodies keep their
    /// velocities.
    fn greatest_change(&self, members: &Members, rows: &Rows, moving: &[Moving]) -> f64 {
        let bodies = members.rows.iter().map(|&(_, row)| rows.contacts[row as usize].bodies());
        let changes = bodies.zip(&self.before).map(|(two, before)| {
            let of = |k: usize| moving[two[k]].change_since(before[k]);
            of(0).max(of(1))
        });
        changes.fold(0.0, f64::max)
    }

    /// Solves one iteration. Returns whether a row changed a velocity by more than the tolerance (m/s).
    fn solve_round(
        &mut self,
        (index, tolerance): (u32, f64),
        members: &Members,
        rows: &mut Rows,
        moving: &mut [Moving],
        context: &RowContext,
        half: Half,
    ) -> bool {
        let first = rows.contacts[members.rows[0].1 as usize].bodies();
        let mut round = Round { index, moved_in: &mut self.moved_in, tolerance, worst: (0.0, first) };
        for &(_, index) in members.joints {
            let joint = &rows.joints[index as usize];
            let bodies = Frames::slots(joint, moving);
            if round.is_due(&bodies) {
                let before = bodies.map_each(|body| moving[body].velocities());
                joint_rows::solve(joint, &mut rows.impulses[index as usize], moving, context, half);
                let change = [0, 1].map_each(|k| moving[bodies[k]].change_since(before[k]));
                round.note(&bodies, change[0].max(change[1]), moving);
                self.solved_count += 1;
            }
        }
        for &(_, index) in members.mechanisms {
            let index = index as usize;
            if round.is_due(rows.mechanisms.bodies(index)) {
                let change = rows.mechanisms.solve(index, moving);
                round.note(rows.mechanisms.bodies(index), change, moving);
                self.solved_count += rows.mechanisms.joint_count(index) as u64;
            }
        }
        for &(_, index) in members.rows {
            let row = &mut rows.contacts[index as usize];
            if round.is_due(&row.bodies()) {
                let change = row.solve_normal(moving, context, half == Half::Relax);
                round.note(&row.bodies(), change, moving);
                self.solved_count += 1;
            }
        }
        for &(_, index) in members.rows.iter().filter(|_| half == Half::Relax) {
            let row = &mut rows.contacts[index as usize];
            if round.is_due(&row.bodies()) {
                let change = row.solve_friction(moving);
                round.note(&row.bodies(), change, moving);
            }
        }
        let (change, bodies) = round.worst;
        self.worst = bodies;
        change > tolerance
    }
}
