//! Restitution: at the end of a pass, bodies that collided separate with a share of the speed at which
//! they collided.
//!
//! Each contact has its own rebound speed, and solving one contact changes the speed at the next. So
//! the solver iterates over all bouncing contacts until their speeds hardly change. If one body touches
//! several others in turn, its contacts see approach speeds that the body never had at one time;
//! returning all of them would create energy. So a group of bodies that bounce off each other leaves
//! with at most the energy that it had when the pass began, plus the work of gravity and moving
//! obstacles since.

use glam::{DQuat, DVec3};

use super::contact_rows::ContactRow;
use super::moving::{Moving, two};
use super::welds::Welds;
use crate::body::{Bodies, BodyState};
use crate::unions::Unions;

/// Largest number of iterations. Needed for contacts whose rebound speeds contradict each other.
const MOST_ROUNDS: u32 = 40;
/// Largest change of a speed in an iteration that counts as converged, as a share of the largest
/// rebound speed.
const AGREED: f64 = 1e-4;

/// Buffers of the bounces of a pass.
#[derive(Default)]
pub(super) struct Bounces {
    rows: Vec<Bouncing>,
    /// Linear and angular velocity of each body before the first iteration.
    before: Vec<[DVec3; 2]>,
    groups_of: Unions,
    /// Energies of the groups, by root body.
    groups: Vec<Energies>,
}

/// Row that bounces, and its impulses before the bounce, N·s.
#[derive(Clone, Copy)]
struct Bouncing {
    index: usize,
    normal: f64,
    friction: DVec3,
}

impl Bouncing {
    /// Returns the impulse on b that the bounce added to a row, N·s.
    fn added(&self, row: &ContactRow) -> DVec3 {
        (row.normal_impulse() - self.normal) * row.normal + row.friction_impulse - self.friction
    }
}

/// Energy of a group of bodies that bounce off each other, J.
#[derive(Clone, Copy, Default)]
struct Energies {
    /// Largest allowed energy: the energy at the start of the pass, plus the work of gravity and moving
    /// obstacles since.
    budget: f64,
    /// Energy without the bounces.
    stopped: f64,
    /// Coefficients of the energy if a share t of the bounces is applied: stopped + t · linear + t² ·
    /// square.
    linear: f64,
    square: f64,
    /// Upper bound of the energy that the impacts absorbed.
    taken: f64,
}

impl Energies {
    /// Returns the largest share of the bounces that the budget allows.
    fn share(&self) -> f64 {
        let mut room = self.budget - self.stopped;
        if room < 0.0 {
            // A drive has given the group more energy than the impacts absorbed.
            room = self.taken;
        }
        if self.linear + self.square <= room || self.square <= 0.0 {
            return 1.0;
        }
        let root = (self.linear * self.linear + 4.0 * self.square * room).sqrt();
        // Of the two forms of the root, this is the one without cancellation.
        let share = if self.linear > 0.0 {
            2.0 * room / (self.linear + root)
        } else {
            (root - self.linear) / (2.0 * self.square)
        };
        share.clamp(0.0, 1.0)
    }
}

impl Bounces {
    /// Separates bodies that collided faster than `threshold`, m/s.
    pub fn solve(
        &mut self,
        rows: &mut [ContactRow],
        (moving, welds): (&mut [Moving], &Welds),
        bodies: &Bodies,
        threshold: f64,
        gravity: DVec3,
    ) {
        self.rows.clear();
        let bouncing = rows.iter().enumerate().filter(|(_, row)| row.bounces(threshold));
        self.rows.extend(bouncing.map(|(index, row)| Bouncing {
            index,
            normal: row.normal_impulse(),
            friction: row.friction_impulse,
        }));
        if self.rows.is_empty() {
            return;
        }
        welds.place(moving);
        self.before.clear();
        self.before.extend(moving.iter().map(Moving::velocities));
        let highest = self.rows.iter().map(|row| rows[row.index].rebound()).fold(0.0, f64::max);
        for _ in 0..MOST_ROUNDS {
            let mut change: f64 = 0.0;
            for &Bouncing { index, normal, .. } in &self.rows {
                change = change.max(rows[index].restitute(moving, normal));
                change = change.max(rows[index].rub_rebound(moving));
            }
            if change <= AGREED * highest {
                break;
            }
        }
        welds.place(moving);
        self.find_groups(rows, moving);
        self.find_energies(rows, moving, bodies, gravity);
        self.keep_to_budgets(rows, moving);
    }

    /// Returns whether nothing bounced.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the rows that bounced, each with the impulse on b that the bounce added, N·s.
    pub fn pushes<'a>(&'a self, rows: &'a [ContactRow]) -> impl Iterator<Item = (&'a ContactRow, DVec3)> {
        self.rows.iter().map(|before| (&rows[before.index], before.added(&rows[before.index])))
    }

    /// Finds the groups of dynamic bodies that bounce off each other.
    fn find_groups(&mut self, rows: &[ContactRow], moving: &[Moving]) {
        self.groups_of.begin(moving.len());
        for row in &self.rows {
            let [a, b] = rows[row.index].bodies();
            if moving[a].inverse_mass > 0.0 && moving[b].inverse_mass > 0.0 {
                self.groups_of.unite(a as u32, b as u32);
            }
        }
        self.groups.clear();
        self.groups.resize(moving.len(), Energies::default());
    }

    /// Computes the energies of each group.
    fn find_energies(&mut self, rows: &[ContactRow], moving: &[Moving], bodies: &Bodies, gravity: DVec3) {
        for (body, state) in bodies.states.iter().enumerate() {
            let now = &moving[body];
            if now.inverse_mass == 0.0 {
                continue;
            }
            let mass = 1.0 / state.inverse_mass;
            let stopped = self.before[body];
            let more = [now.linear - stopped[0], now.angular - stopped[1]];
            let fallen = now.center - state.world_center();
            let began = [state.linear_velocity, state.angular_velocity];
            let at_start = product(state, state.pose.rotation, [&began, &began]);
            let group = &mut self.groups[self.groups_of.root(now.moves_as as u32) as usize];
            let pull = moving[now.moves_as].acceleration(gravity);
            group.budget += 0.5 * at_start + mass * pull.dot(fallen);
            group.stopped += 0.5 * product(state, now.rotation, [&stopped, &stopped]);
            group.linear += product(state, now.rotation, [&stopped, &more]);
            group.square += 0.5 * product(state, now.rotation, [&more, &more]);
        }
        // Moving obstacles do work.
        for row in rows {
            let root = self.groups_of.root(row.yielding(moving) as u32) as usize;
            self.groups[root].budget += row.work_of_obstacle(moving);
        }
        for before in &self.rows {
            let row = &rows[before.index];
            let group = &mut self.groups[self.groups_of.root(row.yielding(moving) as u32) as usize];
            let work = row.work_by(before.added(row), moving);
            group.linear -= work;
            group.budget -= work;
            group.taken += row.taken();
        }
    }

    /// Scales down the bounces of groups that exceed their energy budgets.
    fn keep_to_budgets(&mut self, rows: &mut [ContactRow], moving: &mut [Moving]) {
        for (body, before) in self.before.iter().enumerate() {
            let moves_as = moving[body].moves_as.min(self.groups.len() - 1);
            let share = self.groups[self.groups_of.root(moves_as as u32) as usize].share();
            if share < 1.0 {
                let now = &mut moving[body];
                now.linear = before[0].lerp(now.linear, share);
                now.angular = before[1].lerp(now.angular, share);
            }
        }
        for Bouncing { index, normal, friction } in &self.rows {
            let row = &mut rows[*index];
            let share = self.groups[self.groups_of.root(row.yielding(moving) as u32) as usize].share();
            row.set_impulses(
                normal + share * (row.normal_impulse() - normal),
                friction.lerp(row.friction_impulse, share),
            );
        }
    }
}

impl ContactRow {
    /// Returns whether the bodies approached at `threshold` (m/s) or faster, were pushed apart, and
    /// have a coefficient of restitution above 0.
    pub fn bounces(&self, threshold: f64) -> bool {
        self.restitution > 0.0 && self.approach <= -threshold && self.greatest_impulse > 0.0
    }

    /// Returns the first of the two bodies that has a finite mass. Every row has at least one.
    fn yielding(&self, moving: &[Moving]) -> usize {
        if moving[self.a].inverse_mass > 0.0 { self.a } else { self.b }
    }

    /// Returns the speed at which the bodies must separate, m/s.
    pub fn rebound(&self) -> f64 {
        -self.restitution * self.approach
    }

    /// Changes the normal impulse so that the bodies separate at the rebound speed. The impulse stays
    /// at or above `least` (N·s), the impulse that stopped the bodies. Returns the magnitude of the
    /// velocity change at the contact, m/s.
    pub fn restitute(&mut self, moving: &mut [Moving], least: f64) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        let wanted = self.normal_mass * (self.rebound() - self.normal_velocity(a, b));
        let total = (self.normal_impulse + wanted).max(least);
        let impulse = total - self.normal_impulse;
        self.normal_impulse = total;
        self.apply_normal(a, b, impulse);
        if self.normal_mass > 0.0 { impulse.abs() / self.normal_mass } else { 0.0 }
    }

    /// Solves the friction of a rebound against the impulses of the whole pass, because the impulse that
    /// stops the bodies may act in several sub-steps, and the friction of the rebound adds to that of the
    /// stop. Returns the magnitude of the velocity change at the contact, m/s.
    pub fn rub_rebound(&mut self, moving: &mut [Moving]) -> f64 {
        let most = self.friction * (self.pushed + self.normal_impulse).max(0.0);
        let rubbed = self.rubbed;
        self.rub(moving, |wanted| (rubbed + wanted).clamp_length_max(most) - rubbed)
    }

    /// Sets the impulses along the normal and of friction, N·s, without applying them, because the velocities
    /// were already changed.
    fn set_impulses(&mut self, normal: f64, friction: DVec3) {
        (self.normal_impulse, self.friction_impulse) = (normal, friction);
    }

    /// Returns an upper bound of the energy that the impact absorbed, J.
    pub fn taken(&self) -> f64 {
        -0.5 * self.greatest_impulse * self.approach
    }

    /// Returns the velocity at the contact of the body that impulses cannot move, and a sign: 1 if that
    /// body is a, −1 if it is b. Zero velocity and 0 if both bodies are movable.
    fn obstacle(&self, moving: &[Moving]) -> (DVec3, f64) {
        let (a, b) = (&moving[self.a], &moving[self.b]);
        if a.inverse_mass == 0.0 {
            (a.velocity_at(self.arm_a), 1.0)
        } else if b.inverse_mass == 0.0 {
            (b.velocity_at(self.arm_b), -1.0)
        } else {
            (DVec3::ZERO, 0.0)
        }
    }

    /// Returns the work that a moving obstacle does through an impulse on b, N·s, in J.
    fn work_by(&self, impulse: DVec3, moving: &[Moving]) -> f64 {
        let (velocity, sign) = self.obstacle(moving);
        sign * velocity.dot(impulse)
    }

    /// Returns the work that a moving obstacle did in this pass, J.
    pub fn work_of_obstacle(&self, moving: &[Moving]) -> f64 {
        self.work_by(self.pushed_along() + self.rubbed + self.friction_impulse, moving)
    }
}

/// Returns the product of two motions (linear and angular velocity) of a body, weighted by its mass and
/// inertia, J. For two equal motions this is twice the kinetic energy.
fn product(state: &BodyState, rotation: DQuat, [x, y]: [&[DVec3; 2]; 2]) -> f64 {
    let turn = rotation.conjugate();
    x[0].dot(y[0]) / state.inverse_mass + (turn * x[1]).dot(state.inertia * (turn * y[1]))
}
