//! Contacts and joints → velocities → poses: sequential impulses over sub-steps, with soft constraints that
//! push errors out and a relax pass that takes the velocity of that push away again.
//!
//! Order is part of the result: joints, then contacts between moving bodies, then contacts with what does not
//! move, each in the order of their pairs. Cost: linear in rows and sub-steps; no allocation after warm-up.
//!
//! - `conjugate.rs`: conjugate gradients over the impulses of contacts.
//! - `contact_rows.rs`: contacts as constraints: normal, friction, rolling, restitution.
//! - `doubts.rs`: what islands rest on where not all contacts are certain.
//! - `foresight.rs`: how far bodies may travel in a pass before it must end.
//! - `further.rs`: further rounds over the rows of a load.
//! - `integrate.rs`: from velocities to poses over one sub-step.
//! - `islands.rs`: bodies that touch or are joined, which sleep and wake together.
//! - `joint_frames.rs`: where a joint's two frames stand, and the row of each coordinate.
//! - `joint_poses.rs`: drives towards a pose.
//! - `joint_rows.rs`: joints as constraints, a row for each axis.
//! - `loads.rs`: which rows are around bodies that bear much more than they weigh.
//! - `moving.rs`: the solver's own copy of a body.
//! - `quarantine.rs`: bodies that turn non-finite or leave the world are set aside.
//! - `settings.rs`: how stiff, how fast and how patient the solver is.

mod conjugate;
mod contact_rows;
mod doubts;
mod foresight;
mod further;
mod integrate;
mod islands;
mod joint_frames;
mod joint_poses;
mod joint_rows;
mod loads;
mod moving;
mod quarantine;
mod settings;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;

pub use doubts::Support;
pub use integrate::rotation_vector;
pub use quarantine::{Quarantine, quarantine};
pub use settings::SolverSettings;

use crate::arrays::MapEach;
use crate::body::{Bodies, Joint};
use crate::contact::{Ahead, PairContacts};
use contact_rows::{ContactRow, RowContext};
use foresight::Foresight;
use further::{Further, Rows};
use islands::Islands;
use joint_rows::JointImpulses;
use loads::Loads;
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
    further: Further,
    foresight: Foresight,
    /// How long the sub-steps of the last pass were, s.
    last_h: f64,
    stop: Arc<AtomicBool>,
}

/// The time of a collision pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// s
    pub dt: f64,
    pub substeps: u32,
    /// The seconds for which the boxes of bodies are grown, if the pass may end early.
    pub grown_for: Option<f64>,
}

impl Solver {
    pub fn new(settings: SolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Sub-steps end early once the flag is set.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Arc::clone(flag);
    }

    /// Advances all awake bodies by `pass.dt` seconds and leaves the impulses with the contacts. Returns the
    /// seconds by which they advanced: fewer if velocities came to be so high that bodies would go farther than
    /// was foreseen. Gravity in m/s².
    pub fn solve(
        &mut self,
        pass: Pass,
        gravity: DVec3,
        bodies: &mut Bodies,
        joints: &[Joint],
        pairs: &mut [PairContacts],
    ) -> f64 {
        let Pass { dt, substeps, grown_for } = pass;
        let h = dt / f64::from(substeps);
        let settings = self.settings;
        let mut context = RowContext { settings: &settings, gravity, h, elapsed: 0.0 };
        self.islands.wake_what_is_hit(dt, &settings, bodies, pairs);
        self.moving.clear();
        self.moving.extend(bodies.states.iter().map(Moving::new));
        self.moving.push(Moving::WORLD);
        self.joint_impulses.resize(joints.len(), JointImpulses::default());
        // The same force gives a longer sub-step a larger impulse.
        let scale = if self.last_h > 0.0 { h / self.last_h } else { 1.0 };
        self.last_h = h;
        if scale != 1.0 {
            for contact in pairs.iter_mut().flat_map(|pair| &mut pair.contacts) {
                contact.normal_impulse *= scale;
                contact.friction_impulse *= scale;
            }
            for impulses in &mut self.joint_impulses {
                *impulses = impulses.scaled(scale);
            }
        }
        self.make_rows(bodies, pairs, &context);
        self.limit_speeds(dt, bodies, pairs, &context);
        self.loads.find(
            &self.moving,
            &mut self.rows,
            (joints, &self.joint_impulses),
            (h, gravity.length()),
            &settings,
        );
        self.further.clear();
        if let Some(step) = grown_for {
            self.foresight.begin(bodies, pairs, &self.moving, Ahead { dt: step, gravity });
        }
        let mut advanced = dt;
        for substep in 1..=substeps {
            if self.stop.load(Ordering::Relaxed) {
                return dt;
            }
            for body in &mut self.moving {
                body.accelerate(gravity, h);
            }
            self.warm_start(joints);
            self.solve_rows(joints, &context, false);
            let spent = h * f64::from(substep - 1);
            let share = match grown_for {
                Some(_) => self.foresight.share((spent, h), &self.moving, bodies, pairs),
                None => 1.0,
            };
            self.advance(bodies, (share, h), gravity);
            context.elapsed = if share < 1.0 { spent + share * h } else { h * f64::from(substep) };
            for row in &mut self.rows {
                row.follow(&self.moving);
            }
            self.solve_rows(joints, &context, true);
            if share < 1.0 {
                advanced = context.elapsed;
                break;
            }
        }
        for row in &mut self.rows {
            row.restitute(&mut self.moving, settings.restitution_threshold);
            row.store(pairs);
        }
        for ((body, state), info) in self.moving.iter_mut().zip(&mut bodies.states).zip(&bodies.infos) {
            body.store(state, info.radius);
        }
        advanced
    }

    /// Advances poses by a share of a sub-step of `h` seconds.
    fn advance(&mut self, bodies: &Bodies, (share, h): (f64, f64), gravity: DVec3) {
        for ((body, state), info) in self.moving.iter_mut().zip(&bodies.states).zip(&bodies.infos) {
            if share < 1.0 {
                // Takes back what gravity added for the time that is not spent.
                body.accelerate(gravity, (share - 1.0) * h);
            }
            body.advance(state, info.radius, share * h);
        }
    }

    /// Rows and joints that were solved further in the last pass.
    pub fn further_count(&self) -> u64 {
        self.further.solved_count
    }

    /// For each time that the rounds of the last pass were too few for a load, two bodies: those farthest from
    /// where the load would hold. One may stand for the world, beyond all bodies.
    pub fn unfinished(&self) -> &[[usize; 2]] {
        &self.further.unfinished
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
        for (joint, impulses) in joints.iter().zip(&self.joint_impulses) {
            joint_rows::warm_start(joint, impulses, &mut self.moving);
        }
        for row in &self.rows {
            row.warm_start(&mut self.moving);
        }
    }

    fn solve_rows(&mut self, joints: &[Joint], context: &RowContext, relax: bool) {
        for _ in 0..context.settings.iterations {
            for (joint, impulses) in joints.iter().zip(&mut self.joint_impulses) {
                joint_rows::solve(joint, impulses, &mut self.moving, context, relax);
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
        let mut rows = Rows { contacts: &mut self.rows, joints, impulses: &mut self.joint_impulses };
        self.further.solve(&self.loads, &mut rows, &mut self.moving, context, relax);
    }
}
