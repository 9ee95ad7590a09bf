//! Solver from contacts and joints to velocities and poses: sequential impulses over sub-steps, with
//! soft constraints that push errors out and relax iterations that remove the velocity of that push.
//!
//! The order of rows is part of the result: joints, then contacts between movable bodies, then contacts
//! with immovable bodies, each in the order of their pairs. The cost is linear in rows and sub-steps,
//! plus the further iterations for loaded bodies. No allocation after warm-up.
//!
//! - `bounces.rs`: the rebound of bodies that collided.
//! - `conjugate.rs`: conjugate gradients over the impulses of contacts.
//! - `contact_rows.rs`: contacts as constraints: normal, friction, restitution.
//! - `curved_rows.rs`: contacts of smooth surfaces, which follow the bodies.
//! - `doubts.rs`: doubts about the support of islands under a budget.
//! - `foresight.rs`: the distance that bodies may travel in a pass before it must end.
//! - `further.rs`: further iterations over the rows of a load.
//! - `gears.rs`: joints whose coordinate is a multiple of another's.
//! - `integrate.rs`: from velocities to poses over one sub-step.
//! - `islands.rs`: bodies that touch or are joined, which sleep and wake together.
//! - `joint_aims.rs`: the wanted velocity along each row of a joint.
//! - `joint_bends.rs`: the curvature of the paths that joints impose within a sub-step.
//! - `joint_frames.rs`: a joint's two frames in the world, and the row of each coordinate.
//! - `joint_impulses.rs`: the impulses of a joint, and its load.
//! - `joint_inertia.rs`: the inertia that a drive moves.
//! - `joint_poses.rs`: drives toward a pose.
//! - `joint_rows.rs`: joints as constraints, one row per axis.
//! - `joint_tree.rs`: the joints of each mechanism, and their order of elimination.
//! - `loads.rs`: finds the rows around bodies that bear much more than they weigh.
//! - `look_ahead.rs`: bodies of mechanisms at the end of a sub-step, as predicted.
//! - `mechanism_rows.rs`: the rows of joints that are solved directly together.
//! - `mechanism_system.rs`: the system of equations of a mechanism.
//! - `mechanisms.rs`: connected joints, solved directly together.
//! - `moving.rs`: the solver's own copy of a body.
//! - `owed.rs`: distinguishes slow motion from rest.
//! - `pass.rs`: a pass of the solver, from rows to sub-steps.
//! - `quarantine.rs`: sets aside bodies that turn non-finite or leave the world.
//! - `rolling.rs`: resistance of a contact to rolling and spinning.
//! - `row_groups.rs`: rows that share a bound, and which of them are active.
//! - `settings.rs`: stiffness, speeds and effort of the solver.
//! - `short_steps.rs`: sub-steps that end early.
//! - `skyline.rs`: symmetric systems of linear equations.
//! - `speeds.rs`: limits of speeds for bounces, convergence and rest.
//! - `spring_law.rs`: springs and dampers in the two halves of a sub-step.
//! - `tension.rs`: light bodies in tension, which swing too fast for a sub-step.
//! - `weld_groups.rs`: groups of bodies that welds connect.
//! - `weld_loads.rs`: forces and moments in welds.
//! - `weld_steps.rs`: loads of welds in each sub-step.
//! - `welds.rs`: welded bodies, which move as one.

mod bounces;
mod conjugate;
mod contact_rows;
mod curved_rows;
mod doubts;
mod foresight;
mod further;
mod gears;
mod integrate;
mod islands;
mod joint_aims;
mod joint_bends;
mod joint_frames;
mod joint_impulses;
mod joint_inertia;
mod joint_poses;
mod joint_rows;
mod joint_tree;
mod loads;
mod look_ahead;
mod mechanism_rows;
mod mechanism_system;
mod mechanisms;
mod moving;
mod owed;
mod pass;
mod quarantine;
mod rolling;
mod row_groups;
mod settings;
mod short_steps;
mod skyline;
mod speeds;
mod spring_law;
mod tension;
mod weld_groups;
mod weld_loads;
mod weld_steps;
mod welds;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use doubts::Support;
pub use integrate::{rotation_vector, turned};
pub use joint_impulses::JointLoad;
pub use quarantine::{Quarantine, quarantine};
pub use settings::SolverSettings;

use glam::DVec3;

use crate::body::{Bodies, Gear, Joint};
use crate::contact::PairContacts;
use bounces::Bounces;
use contact_rows::ContactRow;
use curved_rows::CurvedRow;
use foresight::Foresight;
use further::Further;
use gears::GearRow;
use islands::{Held, Islands};
use joint_frames::Frames;
use joint_impulses::JointImpulses;
use loads::Loads;
use mechanisms::Mechanisms;
use moving::Moving;
use speeds::{Speeds, weight};
use weld_loads::WeldLoads;
use welds::Welds;

/// Duration of a collision pass, and its division into sub-steps.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Duration of the pass, s.
    pub dt: f64,
    pub substeps: u32,
    /// Time for which the boxes of bodies are enlarged, s.
    pub grown_for: f64,
    /// True if the pass may end early.
    pub may_end_early: bool,
}

/// A spin that was too fast for a sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinCut {
    /// Body index.
    pub body: u32,
    /// Spin before the cut, rad/s.
    pub spin: f64,
    /// Spin after the cut, rad/s.
    pub kept: f64,
}

/// Share of its largest force from which a drive counts as at the limit. The difference from 1 allows
/// for rounding.
const AT_LIMIT: f64 = 1.0 - 1e-9;

/// Solver of contacts and joints. Keeps its buffers and the joints' impulses between steps.
#[derive(Default)]
pub struct Solver {
    settings: SolverSettings,
    moving: Vec<Moving>,
    rows: Vec<ContactRow>,
    /// Smooth surfaces of some of the rows.
    curved_rows: Vec<CurvedRow>,
    bounces: Bounces,
    joint_impulses: Vec<JointImpulses>,
    gears: Vec<GearRow>,
    islands: Islands,
    loads: Loads,
    further: Further,
    mechanisms: Mechanisms,
    welds: Welds,
    weld_loads: WeldLoads,
    foresight: Foresight,
    /// True for the bodies of mechanisms that touch nothing; only for a sub-step that ends early.
    alone: Vec<bool>,
    /// Spins that were cut in the last pass. A body may occur more than once.
    cut_spins: Vec<SpinCut>,
    /// Duration of the sub-steps of the last pass, s.
    last_h: f64,
    stop: Arc<AtomicBool>,
}

impl Solver {
    pub fn new(settings: SolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Sets the gears of the next passes, by the indices of their joints.
    pub fn set_gears(&mut self, gears: impl IntoIterator<Item = Gear>) {
        self.gears = gears.into_iter().map(GearRow::new).collect();
    }

    /// Sets the flag that ends a pass early.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Arc::clone(flag);
    }

    /// Returns the distance (m) by which a soft contact yields under the weight of the body that it bears.
    pub fn deflection(&self, gravity: DVec3) -> f64 {
        let rate = 2.0 * std::f64::consts::PI * self.settings.contact_hertz;
        weight(gravity) / rate.powi(2)
    }

    /// Returns the number of rows and joints solved in further iterations in the last pass.
    pub fn further_count(&self) -> u64 {
        self.further.solved_count
    }

    /// Returns the number of solutions of the equations of mechanisms in the last pass, and of their
    /// factorizations.
    pub fn mechanism_counts(&self) -> [u64; 2] {
        self.mechanisms.counts
    }

    /// Returns two bodies for each time that the iterations of the last pass were too few. Of a load:
    /// the bodies of the row that was farthest from its solution. Of a mechanism: its first and last
    /// body. The index after the last body stands for the world.
    pub fn unfinished(&self) -> impl Iterator<Item = [usize; 2]> {
        let all = self.further.unfinished.iter().chain(&self.mechanisms.unfinished);
        all.map(|two| two.map(|index| self.welds.body_of(index)))
    }

    /// Returns the mechanisms of the last pass that were too large to be solved directly, each by its first
    /// body and the one farthest from it.
    pub fn swept(&self) -> impl Iterator<Item = [usize; 2]> {
        self.mechanisms.too_large().iter().map(|two| two.map(|index| self.welds.body_of(index)))
    }

    /// Returns the bodies that traveled farther in the last pass than their free distance. A body may
    /// occur more than once.
    pub fn outran(&self) -> &[u32] {
        self.foresight.outran()
    }

    /// Returns the distance that a body was free to travel in the last pass, m.
    pub fn room_of(&self, body: u32) -> f64 {
        self.foresight.room_of(body)
    }

    /// Returns the spins that were cut in the last pass. A body may occur more than once.
    pub fn cut_spins(&self) -> &[SpinCut] {
        &self.cut_spins
    }

    /// Resets the loads of the joints at the start of a step.
    pub fn begin_step(&mut self) {
        self.joint_impulses.iter_mut().for_each(JointImpulses::begin_step);
        self.weld_loads.begin_step();
    }

    /// Returns the load of a joint in the present step of `dt` seconds. `None` if the joint could not
    /// act in the last pass: no impulse could move either body, one was quarantined, or the joint is a weld
    /// that closes a loop of welds.
    pub fn load(&self, index: usize, joint: &Joint, dt: f64) -> Option<JointLoad> {
        if let Some(impulses) = self.weld_loads.sum(index) {
            let [force, torque] = impulses.map(|impulse| impulse.length() / dt);
            return Some(JointLoad { force, torque, ..JointLoad::default() });
        }
        let impulses = self.joint_impulses.get(index)?;
        Frames::ends(joint, &self.moving)?;
        let frames = || Frames::new(joint, &impulses.angles, &self.moving);
        Some(impulses.load(joint, frames, dt))
    }

    /// Returns whether the drive of an axis exerted its largest force in the last sub-step.
    pub fn is_drive_at_most(&self, index: usize, joint: &Joint, axis: u32) -> bool {
        let most = joint.axis(axis).drive.map_or(f64::INFINITY, |drive| drive.max_force * self.last_h);
        let drives = |impulses: &JointImpulses| impulses.drives_with(axis) >= AT_LIMIT * most;
        most > 0.0 && most.is_finite() && self.joint_impulses.get(index).is_some_and(drives)
    }

    /// Returns the speed (m/s) below which a body counts as slow, in steps of `dt` seconds under
    /// `gravity` (m/s²). `radius`: distance of its farthest point from its center of mass, m.
    pub fn rest_speed(&self, radius: f64, gravity: DVec3, dt: f64) -> f64 {
        Speeds::new(&self.settings, gravity, dt).at_rest(radius)
    }

    /// Puts islands to sleep and wakes them, after a step of `dt` seconds under `gravity` (m/s²).
    /// `supports`: support that each pair gives; empty if all supports are certain.
    pub fn update_sleep(
        &mut self,
        (dt, gravity): (f64, DVec3),
        bodies: &mut Bodies,
        (joints, pairs, supports): (&[Joint], &[PairContacts], &[Support]),
    ) {
        let speeds = Speeds::new(&self.settings, gravity, dt);
        let held = Held { joints, gears: &self.gears, pairs, supports };
        self.islands.update(dt, (&self.settings, &speeds), bodies, &held);
    }
}
