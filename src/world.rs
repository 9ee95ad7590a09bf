//! The world: bodies, contacts and joints that step through time. [`World::step`] is one frame; each of its
//! stages opens one folder. \[cab\] §4
//!
//! A fast world takes several collision passes a step, so that bodies which can meet travel no farther
//! between two looks at the geometry than their thickness allows. Buffers live here and are cleared, not
//! dropped: after warm-up a step on one thread allocates nothing.
//!
//! - `budget/`: contacts within so many node tests a step.
//! - `contacts.rs`: the stages *test* and *query* of pairs, down to contacts.
//! - `controls.rs`: what a user or a clip sets of drives.
//! - `cores.rs`: points in the material of each body, and whether one has crossed a surface.
//! - `costliest.rs`: which pairs of bodies cost most.
//! - `counts.rs`: what a step did, in numbers.
//! - `crowd.rs`: too many bodies in one place, counted before a world is made.
//! - `cuts.rs`: pairs that lie in each other when they come to rest.
//! - `error.rs`: why a world cannot be made of a scene.
//! - `events.rs`: events of a step, for programs that act on them.
//! - `figure.rs`: figures: links that follow sampled poses.
//! - `groups.rs`: what the broad phase sees: bodies, and articulations under one box.
//! - `guard.rs`: puts back what got through a surface in a pass.
//! - `guarded.rs`: the guard's memory of a pass.
//! - `incidents.rs`: what a run must report, each body or pair once.
//! - `joint_steps.rs`: the joints at the end of a step.
//! - `joint_uses.rs`: how the joints of a run were used.
//! - `pairs.rs`: the table of near pairs.
//! - `passes.rs`: the collision passes of a step.
//! - `planning.rs`: how many passes a step takes.
//! - `scratch.rs`: what a thread of a world works with, kept so that it grows once.
//! - `setup.rs`: from a scene to a world.
//! - `skin.rs`: exact skins at work.
//! - `spread.rs`: points spread through the material of a body.
//! - `stages.rs`: the four stages of a step.
//! - `start.rs`: bodies that overlap before anything has moved.
//! - `tests/`: what is known of pairs, in every pass of whole steps.
//! - `touches.rs`: all pairs of bodies that touched in a run, and how hard.
//! - `touching.rs`: the pairs that touch at the end of a step.
//! - `visits.rs`: bodies in triggers.
//! - `watch.rs`: judges what fell out of the world or reached in, and notes what got through or was cut.
//! - `watched.rs`: what is watched for while a world steps, and what was seen.
//! - `work.rs`: estimates of the time that stages take, so that threads are called where that pays.

mod budget;
mod contacts;
mod controls;
mod cores;
mod costliest;
mod counts;
mod crowd;
mod cuts;
mod error;
mod events;
mod figure;
mod groups;
mod guard;
mod guarded;
mod incidents;
mod joint_steps;
mod joint_uses;
mod pairs;
mod passes;
mod planning;
mod scratch;
mod setup;
mod skin;
mod spread;
mod stages;
mod start;
#[cfg(test)]
mod tests;
mod touches;
mod touching;
mod visits;
mod watch;
mod watched;
mod work;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use glam::DVec3;

pub use budget::{Certainty, Check, ReliabilityBin, StarvedPair};
pub use controls::{Aim, Controls};
#[cfg(feature = "program")]
pub(crate) use cores::{Core, first_crossed};
pub use costliest::{CostlyPair, PairCosts};
pub use counts::{Counted, Measures, StepCounts};
pub use error::WorldError;
pub use events::{Event, Events};
pub use groups::{Articulated, articulated};
pub use incidents::{
    CrowdedPair, Cut, CutSpin, Fall, HeldBack, Incidents, Outrun, Passage, Reach, UnfinishedLoad,
};
pub use joint_steps::{AxisStep, JointAxes, JointStep};
pub use joint_uses::{AxisUse, JointUse, JointUses, Peak, Times};
pub use setup::{bodies_at_start, energy_at_start};
pub use skin::SkinReport;
#[cfg(feature = "program")]
pub(crate) use spread::find_cores;
pub use start::{StartOverlap, StartOverlaps};
pub use touches::{Impact, Touch, TouchPlace, Touches};
pub use touching::PairTouch;
pub(crate) use touching::place_between;
pub use visits::Visit;
pub use watched::DeepestAtRest;

use crate::body::{Bodies, BodyState, Joint, state_hash};
use crate::broad::{BroadPhase, Pair};
use crate::config::{Budget, Config};
use crate::contact::PairContacts;
use crate::mesh::Mesh;
use crate::parallel::Threads;
use crate::plan::Guided;
use crate::pose::Pose;
use crate::scene::Moment;
use crate::solver::{Quarantine, Solver};
use crate::timing::{Timings, timed};
use crate::tree::Tree;
use crate::volume::Aabb;
use budget::BudgetState;
use figure::{Figure, FigureLink};
use groups::Groups;
use joint_steps::JointSteps;
use pairs::PairTable;
use passes::Passes;
use planning::Wanted;
use scratch::Scratch;
use skin::Skins;
use touching::Touching;
use visits::Visits;
use watched::Watch;

/// Everything that steps. Made from a [`Scene`](crate::scene::Scene), which stays as it was.
pub struct World {
    config: Config,
    gravity: DVec3,
    /// Those of the scene, then the exact skins of links.
    meshes: Vec<Arc<Mesh>>,
    /// One a mesh.
    trees: Vec<Arc<Tree>>,
    /// What guidance came to, one a mesh of the scene.
    guided: Vec<Option<Guided>>,
    bodies: Bodies,
    joints: Vec<Joint>,
    controls: Controls,
    figures: Vec<Figure>,
    /// One a figure: where in its motion it will be at the end of the pass.
    moments: Vec<Option<Moment>>,
    /// One a body: the link of a figure it is, if any.
    figure_links: Vec<Option<FigureLink>>,
    skins: Skins,
    groups: Groups,
    broad: BroadPhase,
    solver: Solver,
    threads: Threads,

    step_index: u32,
    counts: StepCounts,
    /// Passes of the step that are not over, this one included.
    passes_left: u32,
    /// How long the solver's last sub-step was, s.
    substep: f64,
    quarantined: Vec<Quarantine>,

    body_boxes: Vec<Aabb>,
    /// How far each body's volumes are grown, m.
    reaches: Vec<f32>,
    group_boxes: Vec<Aabb>,
    group_pairs: Vec<Pair>,
    body_pairs: Vec<(u32, u32)>,
    pairs: PairTable,
    /// Pairs that need more than one pass.
    wanted: Vec<Wanted>,
    /// The counts of *test* in the last pass.
    last_searched: StepCounts,
    /// The effort of a step after which the searches that are left are not begun.
    step_effort: u64,
    /// The pair that the last pass left off at because it had done enough; 0 if it got to the end.
    left_off: usize,
    /// If there is a budget.
    budget_state: Option<Box<BudgetState>>,
    valid_poses: Vec<Pose>,
    watch: Watch,
    joint_steps: JointSteps,
    joint_uses: JointUses,
    visits: Visits,
    touching: Touching,
    touches: Touches,
    events: Events,
    /// One a thread.
    scratch: Vec<Mutex<Scratch>>,
    /// Whether the step is to end early, and what it started from.
    stop: Arc<AtomicBool>,
    start: Vec<BodyState>,
    start_angles: Vec<[f64; 3]>,
}

impl World {
    /// One step of `config.dt` seconds. The first three stages are the t\[upd\], t\[test\] and t\[query\] of
    /// \[cab\] §4.
    pub fn step(&mut self) -> Timings {
        self.step_seen(|_, _| ())
    }

    /// As [`World::step`]; `seen` is shown the contacts of every pass (of so many seconds) before they are
    /// solved.
    fn step_seen(&mut self, mut seen: impl FnMut(&Self, f64)) -> Timings {
        let mut t = Timings::default();
        self.counts = StepCounts::default();
        self.threads.begin_count();
        let (start, whole) = (self.time(), self.config.dt);
        self.pairs.begin_step();
        self.events.begin();
        self.solver.begin_step();
        timed(&mut t.update, || self.aim(start + whole, whole)); // figures → velocities
        self.find_near(&mut t, start); // poses → volumes → pairs that may touch in this step
        let count = timed(&mut t.query, || self.pass_count(whole)); // pairs that can meet → passes
        let mut passes = Passes::new(start, whole, self.affordable(count));
        loop {
            let dt = passes.dt();
            self.passes_left = passes.left();
            if !passes.is_single() {
                timed(&mut t.update, || self.aim(passes.arrival(), dt));
            }
            if !passes.is_first() {
                self.find_near(&mut t, passes.now());
            }
            timed(&mut t.test, || self.find_candidates(dt)); // pairs → candidate triangles: tree/
            timed(&mut t.query, || self.find_contacts(&passes)); // candidates → intersections, contacts: contact/
            seen(self, dt);
            let done = timed(&mut t.solve, || self.solve(&passes)); // contacts, joints → poses: solver/
            timed(&mut t.query, || self.guard_pass()); // poses → poses that got through no surface
            if self.is_stopped() {
                return t; // `try_step` takes it back
            }
            let plan = |rest| {
                let count = timed(&mut t.query, || self.pass_count(rest));
                self.still_affordable(count)
            };
            if !passes.end(done, plan) {
                break;
            }
        }
        timed(&mut t.solve, || self.settle()); // rest: solver/
        timed(&mut t.query, || self.judge_rest()); // what came to rest in something else
        timed(&mut t.query, || self.watch_step()); // what fell out or reached in
        timed(&mut t.query, || self.note_visits()); // what is in triggers
        self.note_touches(); // what touches, and events
        self.note_joints(passes.dt()); // what joints bear, and events
        self.skins.measure(&self.meshes);
        self.account(); // what a budget left out
        self.step_index += 1;
        t
    }

    /// As [`World::step`], but ends soon after the flag of [`World::stop_on`] is set, also inside a long
    /// stage: then `None`, and the bodies are where the last whole step left them. Such a world is to be
    /// looked at, not to go on with: what it knows of pairs is half of a step.
    pub fn try_step(&mut self) -> Option<Timings> {
        self.start.clone_from(&self.bodies.states);
        self.start_angles.clone_from(&self.bodies.angles);
        let taken = self.step_index;
        let timings = self.step();
        if self.step_index == taken {
            self.bodies.states.clone_from(&self.start);
            self.bodies.angles.clone_from(&self.start_angles);
            return None;
        }
        Some(timings)
    }

    /// The flag at which [`World::try_step`] ends early; it stays set.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Arc::clone(flag);
        self.solver.stop_on(flag);
        for thread in 0..self.scratch.len() {
            self.scratch(thread).stop_on(flag);
        }
    }

    /// Sets the effort of a step after which the searches that are left are not begun,
    /// [`STEP_EFFORT`](crate::contact::STEP_EFFORT) if it is not set.
    pub fn limit_effort(&mut self, effort: u64) {
        self.step_effort = effort;
    }

    /// Sets the target of a drive from the next step on, by the index of its control in the scene: m or rad,
    /// within its range. It moves there no faster than the control allows, and 180° or 0.5 m a second. What a
    /// clip moves, or what follows another control, stays with that.
    ///
    /// # Panics
    ///
    /// Panics if the scene has no such control.
    pub fn set_control(&mut self, control: u32, target: f64) {
        let time = self.time();
        self.controls.set(control, target, time, &self.joints);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        f64::from(self.step_index) * self.config.dt
    }

    /// Steps taken.
    pub fn step_count(&self) -> u32 {
        self.step_index
    }

    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// For tests and experiments that put a body somewhere by hand.
    pub fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    /// The surfaces that bodies name by index: those of the scene, then exact skins in their pose.
    pub fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// The hierarchies over [`World::meshes`], by the same index.
    pub fn trees(&self) -> &[Arc<Tree>] {
        &self.trees
    }

    /// Pairs of near bodies with their contacts, sorted by body.
    pub fn pairs(&self) -> &[PairContacts] {
        &self.pairs.active
    }

    /// Whether what is known of each of [`World::pairs`] is so for certain: without a budget all of it is.
    pub fn certainties(&self) -> impl Iterator<Item = Certainty> {
        let budget_state = self.budget_state.as_ref().map(|budget_state| budget_state.certainties());
        budget_state
            .into_iter()
            .flatten()
            .chain(std::iter::repeat(Certainty::Proven))
            .take(self.pairs.active.len())
    }

    /// Whether the search of each of [`World::pairs`] goes on in the next pass, so that its contacts are not
    /// all yet.
    pub fn open_searches(&self) -> impl Iterator<Item = bool> {
        let budget_state = self.budget_state.as_ref().map(|budget_state| budget_state.open_searches());
        budget_state.into_iter().flatten().chain(std::iter::repeat(false)).take(self.pairs.active.len())
    }

    /// The budget with what it comes to in node tests.
    pub fn budget(&self) -> Option<Budget> {
        self.config.budget
    }

    /// What guidance came to, for every mesh of the scene whose hierarchy was to be guided.
    pub fn guided(&self) -> impl Iterator<Item = (u32, &Guided)> {
        (0..).zip(&self.guided).filter_map(|(mesh, guided)| Some((mesh, guided.as_ref()?)))
    }

    /// Pairs that a budget left unsearched, the most starved first.
    pub fn starved_pairs(&self) -> Vec<StarvedPair> {
        self.budget_state.as_ref().map_or_else(Vec::new, |budget_state| budget_state.starved_pairs())
    }

    /// What guesses about unsearched pairs were worth; `None` without a budget.
    pub fn check(&self) -> Option<&Check> {
        self.budget_state.as_ref().map(|budget_state| &budget_state.check)
    }

    /// How far each exact skin has been from the rigid surface of its link.
    pub fn skin_reports(&self) -> impl Iterator<Item = SkinReport> {
        self.skins.reports()
    }

    /// Links that stay rigid although their figure's skin is to be exact: their triangles are not those of
    /// it.
    pub fn rigid_skin_count(&self) -> u32 {
        self.skins.rigid_count
    }

    /// What the last step met.
    pub fn counts(&self) -> StepCounts {
        self.counts
    }

    /// How long the solver's last sub-step was, s: contacts keep the impulses of that one.
    pub fn substep(&self) -> f64 {
        self.substep
    }

    /// Bodies that were set aside because their state was no longer valid.
    pub fn quarantined(&self) -> &[Quarantine] {
        &self.quarantined
    }

    /// The threads that a step may use, the one that calls included.
    pub fn thread_count(&self) -> u32 {
        self.threads.count() as u32
    }

    /// Stages of the last step, each counted in every pass, that had enough to do for more threads than one.
    pub fn shared_stages(&self) -> u64 {
        self.threads.shared_count()
    }

    /// One number for poses, velocities and activity of all bodies: equal exactly if they are, bit for bit.
    pub fn state_hash(&self) -> u64 {
        state_hash(&self.bodies)
    }

    /// What the last step left the world with.
    pub fn measures(&self) -> Measures {
        let none = Measures { energy: self.energy(), ..Measures::default() };
        let pushes = |p: &&PairContacts| !self.is_immovable(p);
        self.pairs.active.iter().filter(pushes).fold(none, |deepest, pair| {
            let penetration = pair.penetration();
            if penetration > deepest.penetration {
                Measures { penetration, deepest: Some([pair.a, pair.b]), ..deepest }
            } else {
                deepest
            }
        })
    }

    /// Kinetic and potential energy of the dynamic bodies (the latter from the world's origin), J.
    pub fn energy(&self) -> f64 {
        energy(&self.bodies.states, self.gravity)
    }

    /// Dynamic bodies that are asleep.
    pub fn sleeping_count(&self) -> u32 {
        let asleep = |s: &&crate::body::BodyState| s.activity == crate::body::Activity::Asleep;
        self.bodies.states.iter().filter(asleep).count() as u32
    }
}

/// Kinetic and potential energy of the dynamic bodies (the latter from the world's origin), J, under
/// `gravity` (m/s²).
pub fn energy(states: &[BodyState], gravity: DVec3) -> f64 {
    let energy = |s: &BodyState| {
        let turn = s.pose.inverse_transform_vector(s.angular_velocity);
        let mass = 1.0 / s.inverse_mass;
        0.5 * mass * s.linear_velocity.length_squared() + 0.5 * turn.dot(s.inertia * turn)
            - mass * s.gravity_factor * gravity.dot(s.world_center())
    };
    let moved = states.iter().filter(|s| s.is_dynamic() && s.inverse_mass > 0.0);
    // A sum of nothing would be −0.
    moved.map(energy).fold(0.0, |sum, e| sum + e)
}
