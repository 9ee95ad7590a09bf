//! Contacts and joints → velocities → poses: sequential impulses over sub-steps, with soft constraints that
//! push errors out and a relax pass that takes the velocity of that push away again.
//!
//! Order is part of the result: joints, then contacts between moving bodies, then contacts with what does not
//! move, each in the order of their pairs. Cost: linear in rows and sub-steps; no allocation after warm-up.
//!
//! - `contact_rows.rs`: contacts as constraints: normal, friction, rolling, restitution.
//! - `doubts.rs`: what islands rest on where not all contacts are certain.
//! - `integrate.rs`: from velocities to poses over one sub-step.
//! - `islands.rs`: bodies that touch or are joined, which sleep and wake together.
//! - `joint_aims.rs`: what each row of a joint wants of the velocity along it.
//! - `joint_frames.rs`: where a joint's two frames stand, and the row of each coordinate.
//! - `joint_poses.rs`: drives towards a pose.
//! - `joint_rows.rs`: joints as constraints, a row for each axis.
//! - `joint_tree.rs`: which joints hang together, and in which order they are eliminated.
//! - `loads.rs`: rows around bodies that bear much more than they weigh, solved until they hold.
//! - `mechanism_rows.rs`: the rows of joints that are solved at once.
//! - `mechanisms.rs`: joints that bear loads, solved at once.
//! - `moving.rs`: the solver's own copy of a body.
//! - `quarantine.rs`: bodies that turn non-finite or leave the world are set aside.
//! - `row_groups.rs`: rows that share a bound, and which of them are active.
//! - `settings.rs`: how stiff, how fast and how patient the solver is.
//! - `skyline.rs`: symmetric systems of linear equations.
//! - `tension.rs`: light bodies in tension, which swing too fast for a sub-step.

mod contact_rows;
mod doubts;
mod integrate;
mod islands;
mod joint_aims;
mod joint_frames;
mod joint_poses;
mod joint_rows;
mod joint_tree;
mod loads;
mod mechanism_rows;
mod mechanisms;
mod moving;
mod quarantine;
mod row_groups;
mod settings;
mod skyline;
mod tension;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;

pub use doubts::Support;
pub use integrate::rotation_vector;
pub use quarantine::{Quarantine, quarantine};
pub use settings::SolverSettings;

use crate::arrays::MapEach;
use crate::body::{Bodies, Joint};
use crate::contact::PairContacts;
use contact_rows::{ContactRow, RowContext};
use islands::Islands;
use joint_rows::JointImpulses;
use loads::{Loads, Rows};
use mechanism_rows::Half;
use mechanisms::Mechanisms;
use moving::Moving;

/// Keeps its buffers and the joints' impulses between steps.
#[derive(Default)]
pub struct Solver {
    settings: SolverSettings,
    moving: Vec<Moving>,
    rows: Vec<ContactRow>,
    joint_impulses: Vec<JointImpulses>,
    islands: Islands,
    loads: Loads,
    mechanisms: Mechanisms,
    stop: Arc<AtomicBool>,
}

impl Solver {
    pub fn new(settings: SolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Sub-steps end early once the flag is set.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Arc::clone(flag);
    }

    /// Advances all awake bodies by `dt` seconds in `substeps` sub-steps and leaves the impulses with the
    /// contacts. Gravity in m/s².
    pub fn solve(
        &mut self,
        dt: f64,
        substeps: u32,
        gravity: DVec3,
        bodies: &mut Bodies,
        joints: &[Joint],
        pairs: &mut [PairContacts],
    ) {
        let h = dt / f64::from(substeps);
        let settings = self.settings;
        let mut context = RowContext { settings: &settings, gravity, h, elapsed: 0.0 };
        self.islands.wake_what_is_hit(dt, &settings, bodies, pairs);
        self.moving.clear();
        self.moving.extend(bodies.states.iter().map(Moving::new));
        self.moving.push(Moving::WORLD);
        self.joint_impulses.resize(joints.len(), JointImpulses::default());
        let pull = gravity.length();
        let joined = (joints, &self.joint_impulses[..]);
        self.mechanisms.find(&self.moving, joined, pairs, (dt, h, pull), &settings);
        self.mechanisms.make_rows(&mut self.moving, (joints, &self.joint_impulses), &context);
        self.make_rows(bodies, pairs, &context);
        self.limit_speeds(dt, bodies, pairs, &context);
        self.loads.find(&self.moving, &mut self.rows, (joints, &self.mechanisms), (h, pull), &settings);
        for substep in 1..=substeps {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            for body in &mut self.moving {
                body.accelerate(gravity, h);
            }
            self.warm_start(joints);
            self.solve_rows(joints, &context, false);
            for ((body, state), info) in self.moving.iter_mut().zip(&bodies.states).zip(&bodies.infos) {
                body.advance(state, info.radius, h);
            }
            context.elapsed = h * f64::from(substep);
            self.mechanisms.make_rows(&mut self.moving, (joints, &self.joint_impulses), &context);
            for row in &mut self.rows {
                row.follow(&self.moving);
            }
            self.solve_rows(joints, &context, true);
        }
        for row in &mut self.rows {
            row.restitute(&mut self.moving, settings.restitution_threshold);
            row.store(pairs);
        }
        for ((body, state), info) in self.moving.iter_mut().zip(&mut bodies.states).zip(&bodies.infos) {
            body.store(state, info.radius);
        }
    }

    /// Counts of the last pass: rows and joints that were solved further, how often the rounds for a load
    /// were too few, and mechanisms under load that were too large to be solved at once.
    pub fn further(&self) -> [u64; 3] {
        let unfinished = self.loads.unfinished_count + self.mechanisms.unfinished_count;
        [self.loads.solved_count, unfinished, self.mechanisms.swept_count]
    }

    /// Puts islands to sleep and wakes them, after a step of `dt` seconds. Supports are those of the pairs,
    /// or none where all of them are certain.
    pub fn update_sleep(
        &mut self,
        dt: f64,
        bodies: &mut Bodies,
        (joints, pairs, supports): (&[Joint], &[PairContacts], &[Support]),
    ) {
        self.islands.update(dt, &self.settings, bodies, (joints, pairs, supports));
    }

    /// Limits the speeds of what touches driven bodies.
    fn limit_speeds(&mut self, dt: f64, bodies: &Bodies, pairs: &[PairContacts], context: &RowContext) {
        let slack = dt * context.gravity.length();
        for pair in pairs.iter().filter(|p| !p.contacts.is_empty()) {
            for (driver, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
                let [by, of] = [driver, other].map_each(|b| &bodies.infos[b as usize]);
                let driver = self.moving[driver as usize];
                if driver.is_driven() {
                    let speed = driver.linear.length() + driver.angular.length() * by.radius;
                    self.moving[other as usize].limit_speed(speed, of.radius, slack);
                }
            }
        }
    }

    /// Contacts with what does not move come last, so that they have the last word.
    fn make_rows(&mut self, bodies: &Bodies, pairs: &[PairContacts], context: &RowContext) {
        self.rows.clear();
        for with_fixed in [false, true] {
            for (at, pair) in pairs.iter().enumerate() {
                let masses = [pair.a, pair.b].map_each(|b| self.moving[b as usize].inverse_mass);
                let fixed = masses.contains(&0.0);
                let present = [pair.a, pair.b].iter().all(|&b| self.moving[b as usize].is_present);
                if fixed != with_fixed || masses == [0.0, 0.0] || !present {
                    continue;
                }
                let [pose_a, pose_b] = [pair.a, pair.b].map_each(|b| bodies.states[b as usize].pose);
                for (index, contact) in pair.contacts.iter().enumerate() {
                    let ends =
                        pose_a.transform_point(contact.point_a) + pose_b.transform_point(contact.point_b);
                    let row = ContactRow::new(pair, (at, index), 0.5 * ends, &self.moving, context);
                    self.rows.push(row);
                }
            }
        }
    }

    fn warm_start(&mut self, joints: &[Joint]) {
        for (index, (joint, impulses)) in joints.iter().zip(&self.joint_impulses).enumerate() {
            if self.mechanisms.holds(index) {
                joint_rows::warm_start_friction(joint, impulses, &mut self.moving);
            } else {
                joint_rows::warm_start(joint, impulses, &mut self.moving);
            }
        }
        self.mechanisms.warm_start(&mut self.moving, &mut self.joint_impulses);
        for row in &self.rows {
            row.warm_start(&mut self.moving);
        }
    }

    fn solve_rows(&mut self, joints: &[Joint], context: &RowContext, relax: bool) {
        self.mechanisms.begin(if relax { Half::Relax } else { Half::Push });
        for _ in 0..context.settings.iterations {
            for (index, (joint, impulses)) in joints.iter().zip(&mut self.joint_impulses).enumerate() {
                if !self.mechanisms.holds(index) {
                    joint_rows::solve(joint, impulses, &mut self.moving, context, relax);
                } else if relax {
                    joint_rows::solve_friction(joint, impulses, &mut self.moving, context.h);
                }
            }
            for index in 0..self.mechanisms.count() {
                self.mechanisms.solve(index, &mut self.moving, &mut self.joint_impulses);
            }
            for row in &mut self.rows {
                row.solve_normal(&mut self.moving, context, relax);
            }
            if relax {
                for row in &mut self.rows {
                    row.solve_friction(&mut self.moving);
                }
            }
        }
        let (contacts, impulses) = (&mut self.rows, &mut self.joint_impulses);
        let mut rows = Rows { contacts, joints, impulses, mechanisms: &mut self.mechanisms };
        self.loads.solve(&mut rows, &mut self.moving, context, relax);
    }
}
