//! The world: bodies, contacts and joints that are stepped through time. [`World::step`] is one frame;
//! each stage of a step calls one other folder. \[cab\] §4
//!
//! A fast world takes several collision passes per step, so that two bodies that can meet travel no
//! farther between two searches than their thickness allows. Buffers are members of `World`; they are
//! cleared, not dropped: after warm-up a step on one thread allocates nothing.
//!
//! - `budget/`: contacts within a limited number of node tests per step.
//! - `contacts.rs`: the stages *test* and *query* of pairs, down to contacts.
//! - `controls.rs`: targets of drives, set by a user or a clip.
//! - `cores.rs`: points in the material of each body, and tests whether one has crossed a surface.
//! - `costliest.rs`: the costliest pairs of bodies.
//! - `counts.rs`: the counts of a step.
//! - `crowd.rs`: refuses a scene with too many bodies in one place.
//! - `cuts.rs`: pairs that overlap when they come to rest.
//! - `error.rs`: errors when a world is made from a scene.
//! - `events.rs`: events of a step, for programs that act on them.
//! - `figure.rs`: figures (articulated characters): links that follow sampled poses.
//! - `groups.rs`: the boxes of the broad phase: single bodies, and articulations under one box.
//! - `guard.rs`: puts back bodies that got through a surface in a pass.
//! - `guarded.rs`: the guard's memory of a pass.
//! - `incidents.rs`: the incidents that a run must report, each body or pair once.
//! - `joint_steps.rs`: the joints at the end of a step.
//! - `joint_uses.rs`: how the joints of a run were used.
//! - `pairs.rs`: the table of near pairs.
//! - `passes.rs`: the collision passes of a step.
//! - `planning.rs`: how many passes a step takes.
//! - `scratch.rs`: the buffers of a thread of a world, kept so that they grow once.
//! - `setup.rs`: from a scene to a world.
//! - `skin.rs`: deforms exact skins.
//! - `spread.rs`: points spread through the material of a body.
//! - `stages.rs`: the four stages of a step.
//! - `start.rs`: bodies that overlap before the first step.
//! - `tests/`: tests of the kept data of pairs, in every pass of whole steps.
//! - `touches.rs`: all pairs of bodies that touched in a run, and how hard.
//! - `touching.rs`: the pairs that touch at the end of a step.
//! - `visits.rs`: bodies in triggers.
//! - `watch.rs`: finds bodies that fell out of the world or reached in, and notes passages and cuts.
//! - `watched.rs`: the incidents that are watched for while a world steps, and those seen.
//! - `work.rs`: estimates of the time of stages, so that threads are called where that pays.

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

/// Bodies, joints, surfaces and all state that a step needs. Made from a
/// [`Scene`](crate::scene::Scene), which stays unchanged.
pub struct World {
    config: Config,
    gravity: DVec3,
    /// Meshes of the scene, then the exact skins of links.
    meshes: Vec<Arc<Mesh>>,
    /// Hierarchies, one per mesh.
    trees: Vec<Arc<Tree>>,
    /// Outcome of guiding the hierarchy, one per mesh of the scene.
    guided: Vec<Option<Guided>>,
    bodies: Bodies,
    joints: Vec<Joint>,
    controls: Controls,
    figures: Vec<Figure>,
    /// Moments in the motion of the figures at the end of the pass, one per figure.
    moments: Vec<Option<Moment>>,
    /// The link of a figure that a body is, if any; one per body.
    figure_links: Vec<Option<FigureLink>>,
    skins: Skins,
    groups: Groups,
    broad: BroadPhase,
    solver: Solver,
    threads: Threads,

    step_index: u32,
    counts: StepCounts,
    /// Passes of the step that are not over, including the present one.
    passes_left: u32,
    /// Duration of the solver's last sub-step, s.
    substep: f64,
    quarantined: Vec<Quarantine>,

    body_boxes: Vec<Aabb>,
    /// Distances by which the volumes of the bodies are grown, m.
    reaches: Vec<f32>,
    group_boxes: Vec<Aabb>,
    group_pairs: Vec<Pair>,
    body_pairs: Vec<(u32, u32)>,
    pairs: PairTable,
    /// Pairs that need more than one pass.
    wanted: Vec<Wanted>,
    /// The counts of *test* in the last pass.
    last_searched: StepCounts,
    /// Effort of a step after which the remaining searches are not begun.
    step_effort: u64,
    /// Index of the pair at which the last pass stopped because of its effort; 0 if it tested all
    /// pairs.
    left_off: usize,
    /// State of the budget, if there is one.
    budget_state: Option<Box<BudgetState>>,
    valid_poses: Vec<Pose>,
    watch: Watch,
    joint_steps: JointSteps,
    joint_uses: JointUses,
    visits: Visits,
    touching: Touching,
    touches: Touches,
    events: Events,
    /// Buffers, one per thread.
    scratch: Vec<Mutex<Scratch>>,
    /// Flag that ends a step early, and the states that the step started from.
    stop: Arc<AtomicBool>,
    start: Vec<BodyState>,
    start_angles: Vec<[f64; 3]>,
}

impl World {
    /// Advances the world by `config.dt` seconds. The first three stages are the t\[upd\], t\[test\]
    /// and t\[query\] of \[cab\] §4.
    ///
    /// ```text
    /// step
    ///     update          aim, find_near        poses -> velocities of figures, volumes, near pairs
    ///     query           pass_count            pairs that can meet -> number of passes
    ///     for each pass
    ///         update      aim, find_near        skipped where the lines above have done it
    ///         test        find_candidates       pairs -> candidate triangle pairs
    ///         query       find_contacts         candidates -> contacts
    ///         solve       solve                 sub-steps: contacts and joints -> velocities -> poses
    ///         query       guard_pass            puts back bodies that got through a surface
    ///         query       pass_count            replans the rest of the step
    ///     solve           settle                puts slow bodies to sleep
    ///     query           judge_rest ...        overlap at rest, falls, triggers, touches, joints
    /// ```
    pub fn step(&mut self) -> Timings {
        self.step_seen(|_, _| ())
    }

    /// Advances the world as [`World::step`] does. Calls `seen` in every pass, before the solver, with
    /// the world and the pass's duration (s).
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
            timed(&mut t.query, || self.guard_pass()); // puts back bodies that got through a surface
            if self.is_stopped() {
                return t; // `try_step` restores the states
            }
            let plan = |rest| {
                let count = timed(&mut t.query, || self.pass_count(rest));
                self.still_affordable(count)
            };
            if !passes.end(done, plan) {
                break;
            }
        }
        timed(&mut t.solve, || self.settle()); // sleep: solver/
        timed(&mut t.query, || self.judge_rest()); // overlap of pairs that came to rest
        timed(&mut t.query, || self.watch_step()); // falls and reaches
        timed(&mut t.query, || self.note_visits()); // bodies in triggers
        self.note_touches(); // pairs that touch, and events
        self.note_joints(passes.dt()); // loads of joints, and events
        self.skins.measure(&self.meshes);
        self.account(); // pairs that a budget left out
        self.step_index += 1;
        t
    }

    /// Steps as [`World::step`] does, but ends soon after the flag of [`World::stop_on`] is set, even
    /// inside a long stage. It then returns `None`, and the bodies are where the last whole step left
    /// them. Such a world can be inspected, but must not be stepped on: its pairs are in the state of
    /// half a step.
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

    /// Sets the flag at which [`World::try_step`] ends early. It does not clear the flag.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Arc::clone(flag);
        self.solver.stop_on(flag);
        for thread in 0..self.scratch.len() {
            self.scratch(thread).stop_on(flag);
        }
    }

    /// Sets the effort of a step after which the remaining searches are not begun. The default is
    /// [`STEP_EFFORT`](crate::contact::STEP_EFFORT).
    pub fn limit_effort(&mut self, effort: u64) {
        self.step_effort = effort;
    }

    /// Sets the target of a drive from the next step on, by the index of its control in the scene: m or
    /// rad, clamped to its range. The target moves there no faster than the control allows, and at most
    /// 180° or 0.5 m per second. A control that a clip or another control sets is left unchanged.
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

    /// Returns the simulated time, s.
    pub fn time(&self) -> f64 {
        f64::from(self.step_index) * self.config.dt
    }

    /// Returns the number of steps taken.
    pub fn step_count(&self) -> u32 {
        self.step_index
    }

    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Returns the bodies for tests and experiments that place a body by hand.
    pub fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    /// Returns the surfaces, indexed by the `mesh` of a body: those of the scene, then exact skins in
    /// their pose.
    pub fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// Returns the hierarchies over [`World::meshes`], by the same index.
    pub fn trees(&self) -> &[Arc<Tree>] {
        &self.trees
    }

    /// Returns the pairs of near bodies with their contacts, sorted by body.
    pub fn pairs(&self) -> &[PairContacts] {
        &self.pairs.active
    }

    /// Returns how certain the result of each of [`World::pairs`] is. Without a budget every result is
    /// proven.
    pub fn certainties(&self) -> impl Iterator<Item = Certainty> {
        let budget_state = self.budget_state.as_ref().map(|budget_state| budget_state.certainties());
        budget_state
            .into_iter()
            .flatten()
            .chain(std::iter::repeat(Certainty::Proven))
            .take(self.pairs.active.len())
    }

    /// Returns whether the search of each of [`World::pairs`] continues in the next pass, so that its
    /// contacts are still incomplete.
    pub fn open_searches(&self) -> impl Iterator<Item = bool> {
        let budget_state = self.budget_state.as_ref().map(|budget_state| budget_state.open_searches());
        budget_state.into_iter().flatten().chain(std::iter::repeat(false)).take(self.pairs.active.len())
    }

    /// Returns the budget, including its number of node tests.
    pub fn budget(&self) -> Option<Budget> {
        self.config.budget
    }

    /// Returns the outcome of guidance for every mesh of the scene whose hierarchy was to be guided.
    pub fn guided(&self) -> impl Iterator<Item = (u32, &Guided)> {
        (0..).zip(&self.guided).filter_map(|(mesh, guided)| Some((mesh, guided.as_ref()?)))
    }

    /// Returns the pairs that a budget left unsearched, the most starved first.
    pub fn starved_pairs(&self) -> Vec<StarvedPair> {
        self.budget_state.as_ref().map_or_else(Vec::new, |budget_state| budget_state.starved_pairs())
    }

    /// Returns how good the guesses about unsearched pairs were; `None` without a budget.
    pub fn check(&self) -> Option<&Check> {
        self.budget_state.as_ref().map(|budget_state| &budget_state.check)
    }

    /// Returns how far each exact skin has been from the rigid surface of its link.
    pub fn skin_reports(&self) -> impl Iterator<Item = SkinReport> {
        self.skins.reports()
    }

    /// Returns the number of links that stay rigid although their figure's skin is to be exact, because
    /// their triangles are not part of the skin.
    pub fn rigid_skin_count(&self) -> u32 {
        self.skins.rigid_count
    }

    /// Returns the counts of the last step.
    pub fn counts(&self) -> StepCounts {
        self.counts
    }

    /// Returns the duration of the solver's last sub-step, s. The impulses of contacts are those of
    /// this sub-step.
    pub fn substep(&self) -> f64 {
        self.substep
    }

    /// Returns the bodies that were set aside because their state was no longer valid.
    pub fn quarantined(&self) -> &[Quarantine] {
        &self.quarantined
    }

    /// Returns the number of threads that a step may use, including the calling thread.
    pub fn thread_count(&self) -> u32 {
        self.threads.count() as u32
    }

    /// Returns the number of stages of the last step, counted per pass, that had enough work for more
    /// than one thread.
    pub fn shared_stages(&self) -> u64 {
        self.threads.shared_count()
    }

    /// Returns a hash of the poses, velocities and activity of all bodies. Equal states, bit for bit,
    /// have equal hashes.
    pub fn state_hash(&self) -> u64 {
        state_hash(&self.bodies)
    }

    /// Returns the energy and the deepest penetration after the last step.
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

    /// Returns the kinetic and potential energy of the dynamic bodies (the latter from the world's
    /// origin), J.
    pub fn energy(&self) -> f64 {
        energy(&self.bodies.states, self.gravity)
    }

    /// Returns the number of dynamic bodies that are asleep.
    pub fn sleeping_count(&self) -> u32 {
        let asleep = |s: &&crate::body::BodyState| s.activity == crate::body::Activity::Asleep;
        self.bodies.states.iter().filter(asleep).count() as u32
    }
}

/// Returns the kinetic and potential energy of the dynamic bodies (the latter from the world's origin),
/// J, under `gravity` (m/s²).
pub fn energy(states: &[BodyState], gravity: DVec3) -> f64 {
    let energy = |s: &BodyState| {
        let turn = s.pose.inverse_transform_vector(s.angular_velocity);
        let mass = 1.0 / s.inverse_mass;
        0.5 * mass * s.linear_velocity.length_squared() + 0.5 * turn.dot(s.inertia * turn)
            - mass * s.gravity_factor * gravity.dot(s.world_center())
    };
    let moved = states.iter().filter(|s| s.is_dynamic() && s.inverse_mass > 0.0);
    // `sum` of an empty iterator would be −0.
    moved.map(energy).fold(0.0, |sum, e| sum + e)
}
