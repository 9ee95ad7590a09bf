//! The world: bodies, contacts and joints that are stepped through time. [`World::step`] is one frame;
//! each stage of a step calls one other folder. \[cab\] §4
//!
//! A fast world takes several collision passes per step, so that two approaching bodies travel no
//! farther between two searches than their thickness allows. Buffers are members of `World` and keep
//! their memory: after warm-up, a step on one thread allocates nothing.
//!
//! - `budget/`: contacts within a limited number of node tests per step.
//! - `collision.rs`: the impulses of a collision of two bodies at one moment.
//! - `contacts.rs`: the stages *test* and *query*: from pairs of bodies to candidates to contacts.
//! - `controls/`: targets of drives and of kinematic robots, set by a user or a clip.
//! - `cores.rs`: interior sample points of each body (cores), and whether one has crossed a surface.
//! - `costliest.rs`: the costliest pairs of bodies.
//! - `counts.rs`: the counts of a step.
//! - `crowd.rs`: rejects a scene with too many bodies close together.
//! - `cuts.rs`: pairs that overlap too deeply when they come to rest.
//! - `error.rs`: errors when a world is made from a scene.
//! - `events.rs`: events of a step, for programs that act on them.
//! - `fast.rs`: the fast bodies of a pass, and their pairs.
//! - `figure.rs`: figures (articulated characters): links that follow sampled poses.
//! - `flights.rs`: the motions of bodies in a pass.
//! - `groups.rs`: the boxes of the broad phase: single bodies, and articulations with one box each.
//! - `growth.rs`: watch over the energy of connected bodies.
//! - `guard.rs`: the tunneling guard: puts back bodies whose core crossed a surface in a pass.
//! - `guarded.rs`: the tunneling guard's data of a pass.
//! - `impacts.rs`: collisions of fast bodies at the times of their impacts.
//! - `incidents.rs`: the incidents that a run must report, each body or pair once.
//! - `joint_steps.rs`: the state of the joints at the end of a step.
//! - `joint_uses.rs`: the use of the joints over a run.
//! - `meetings.rs`: the meeting of two bodies at the time of their impact.
//! - `pairs.rs`: the table of near pairs of bodies.
//! - `passes.rs`: the collision passes of a step.
//! - `planning.rs`: the number of passes of a step.
//! - `scratch.rs`: the buffers of one thread, reused in all stages.
//! - `seams.rs`: rims along which one static part continues the surface of another.
//! - `setup.rs`: builds a world from a scene.
//! - `skin.rs`: deforms exact skins.
//! - `spread.rs`: points spread through the material of a body.
//! - `stages.rs`: the four stages of a step.
//! - `start.rs`: bodies that overlap before the first step.
//! - `tests/`: tests of the data kept per pair, in every pass of whole steps.
//! - `touches.rs`: all pairs of bodies that touched in a run, with their forces.
//! - `touching.rs`: the pairs that touch at the end of a step.
//! - `visits.rs`: visits of bodies to triggers.
//! - `watch.rs`: detects and records incidents, such as falls out of the world.
//! - `watched.rs`: the state of the watch over incidents.
//! - `work.rs`: estimated time of the stages, to decide whether more threads pay.

mod budget;
mod collision;
mod contacts;
mod controls;
mod cores;
mod costliest;
mod counts;
mod crowd;
mod cuts;
mod error;
mod events;
mod fast;
mod figure;
mod flights;
mod groups;
mod growth;
mod guard;
mod guarded;
mod impacts;
mod incidents;
mod joint_steps;
mod joint_uses;
mod meetings;
mod pairs;
mod passes;
mod planning;
mod scratch;
mod seams;
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
pub use cores::{CORE_TOLERANCE, Core, CoreStacks, first_crossed};
pub use costliest::{CostlyPair, PairCosts};
pub use counts::{Counted, Measures, StepCounts};
pub use error::WorldError;
pub use events::{Event, Events};
pub use groups::{Articulated, articulated};
pub use incidents::{
    CrowdedPair, Cut, CutSpin, Fall, Growth, HeldBack, Incidents, Outrun, Passage, Reach, SweptMechanism,
    UnfinishedLoad,
};
pub use joint_steps::{AxisStep, JointAxes, JointStep};
pub use joint_uses::{AxisUse, JointUse, JointUses, Peak, Times};
pub use setup::{bodies_at_start, energy_at_start};
pub use skin::SkinReport;
pub use spread::find_cores;
pub use start::{StartOverlap, StartOverlaps};
pub use touches::{Impact, Touch, TouchPlace, Touches};
pub use touching::PairTouch;
pub(crate) use touching::place_between;
pub use visits::Visit;
pub use watched::DeepestAtRest;

use crate::body::{Bodies, BodyState, Joint, state_hash};
use crate::broad::{BroadPhase, Pair};
use crate::config::{Budget, Config};
use crate::contact::{Bearings, PairContacts};
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
use fast::Impacts;
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

/// Simulated world: bodies, joints, surfaces and all state that a step needs. Made from a
/// [`Scene`](crate::scene::Scene), which stays unchanged.
pub struct World {
    config: Config,
    gravity: DVec3,
    /// Meshes of the scene, followed by the exact skins of links.
    meshes: Vec<Arc<Mesh>>,
    /// Hierarchies, one per mesh.
    trees: Vec<Arc<Tree>>,
    /// Result of guided construction, one per mesh of the scene; `None` for a hierarchy not guided.
    guided: Vec<Option<Guided>>,
    /// Number of diagonals exchanged in flat faces of thin triangles.
    exchanged_diagonals: u64,
    bodies: Bodies,
    joints: Vec<Joint>,
    controls: Controls,
    figures: Vec<Figure>,
    /// Time of each figure within its motion at the end of the pass; `None` for a figure without
    /// motion.
    moments: Vec<Option<Moment>>,
    /// Figure and link that each body is; `None` for other bodies.
    figure_links: Vec<Option<FigureLink>>,
    skins: Skins,
    groups: Groups,
    broad: BroadPhase,
    solver: Solver,
    threads: Threads,

    step_index: u32,
    counts: StepCounts,
    /// Number of passes of the step that are not over, including the present one.
    passes_left: u32,
    /// Duration of the solver's last sub-step, s.
    substep: f64,
    quarantined: Vec<Quarantine>,

    body_boxes: Vec<Aabb>,
    /// Distance by which each body's volume is enlarged, m.
    reaches: Vec<f32>,
    group_boxes: Vec<Aabb>,
    group_pairs: Vec<Pair>,
    body_pairs: Vec<(u32, u32)>,
    pairs: PairTable,
    /// Pairs that need more than one pass, with the number that each needs.
    wanted: Vec<Wanted>,
    /// Counts of *test* in the last pass.
    last_searched: StepCounts,
    /// Effort of a step beyond which no further search begins.
    step_effort: u64,
    /// Index of the pair at which the last pass stopped because of its effort; 0 if it tested all.
    left_off: usize,
    /// Directions in which contacts bore each body in the last pass.
    bearings: Vec<Bearings>,
    /// State of the budget of node tests, if there is one.
    budget_state: Option<Box<BudgetState>>,
    valid_poses: Vec<Pose>,
    impacts: Impacts,
    /// True for bodies that a joint connects.
    is_joined: Vec<bool>,
    watch: Watch,
    joint_steps: JointSteps,
    joint_uses: JointUses,
    visits: Visits,
    touching: Touching,
    touches: Touches,
    events: Events,
    /// Buffers, one per thread.
    scratch: Vec<Mutex<Scratch>>,
    /// Flag that ends a step early.
    stop: Arc<AtomicBool>,
    /// States of the bodies when the step began, and below them the angles of the joints.
    start: Vec<BodyState>,
    start_angles: Vec<[f64; 3]>,
}

impl World {
    /// Advances the world by `config.dt` seconds. The stages update, test and query are the t\[upd\],
    /// t\[test\] and t\[query\] of \[cab\] §4.
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
    ///         query       sweep_pass            lets fast bodies collide at the time of impact
    ///         query       guard_pass            puts back bodies that got through a surface
    ///         query       pass_count            replans the rest of the step
    ///     solve           settle                puts slow bodies to sleep
    ///     query           judge_rest ...        overlap at rest, falls, triggers, touches, joints
    /// ```
    pub fn step(&mut self) -> Timings {
        self.step_seen(|_, _| ())
    }

    /// Advances the world as [`World::step`] does. In every pass, calls `seen` before the solver, with
    /// the world and the pass's duration (s).
    fn step_seen(&mut self, mut seen: impl FnMut(&Self, f64)) -> Timings {
        let mut t = Timings::default();
        self.counts = StepCounts::default();
        self.threads.begin_count();
        let (start, whole) = (self.time(), self.config.dt);
        self.pairs.begin_step();
        self.events.begin();
        self.solver.begin_step();
        self.watch.growth.begin(&self.bodies, self.gravity);
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
            timed(&mut t.query, || self.sweep_pass(done)); // fast bodies collide at the time of impact
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
        timed(&mut t.query, || self.watch_growth()); // energy from nothing
        timed(&mut t.query, || self.note_visits()); // bodies in triggers
        self.note_touches(); // pairs that touch, and events
        self.note_joints(passes.dt()); // loads of joints, and events
        self.skins.measure(&self.meshes);
        self.account(); // pairs that a budget left out
        self.step_index += 1;
        t
    }

    /// Steps as [`World::step`] does, but ends soon after the flag of [`World::stop_on`] is set, even
    /// inside a long stage. It then returns `None` and restores the bodies to their state before the
    /// step. Such a world can be inspected, but must not step again: the state of its pairs is that of
    /// an incomplete step.
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

    /// Sets the flag that ends [`World::try_step`] early. Does not clear the flag.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Arc::clone(flag);
        self.solver.stop_on(flag);
        for thread in 0..self.scratch.len() {
            self.scratch(thread).stop_on(flag);
        }
    }

    /// Sets the effort of a step beyond which no further search begins. The default is
    /// [`STEP_EFFORT`](crate::contact::STEP_EFFORT).
    pub fn limit_effort(&mut self, effort: u64) {
        self.step_effort = effort;
    }

    /// Sets the target of a drive from the next step on. `control`: index of the drive's control in the
    /// scene. `target`: m or rad, clamped to the control's range. The present target moves to `target`
    /// no faster than the control allows, and at most by 180° or 0.5 m per second. Has no effect if a
    /// clip or another control sets the control.
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

    /// Returns the bodies for modification, for tests and experiments that place a body.
    pub fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    /// Returns the surfaces, indexed by the `mesh` of a body: those of the scene, then exact skins in
    /// their present pose.
    pub fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// Returns the hierarchies over [`World::meshes`], with the same indices.
    pub fn trees(&self) -> &[Arc<Tree>] {
        &self.trees
    }

    /// Returns the pairs of near bodies with their contacts, sorted by body index.
    pub fn pairs(&self) -> &[PairContacts] {
        &self.pairs.active
    }

    /// Returns the certainty of the result of each of [`World::pairs`]. Without a budget every result
    /// is proven.
    pub fn certainties(&self) -> impl Iterator<Item = Certainty> {
        let budget_state = self.budget_state.as_ref().map(|budget_state| budget_state.certainties());
        budget_state
            .into_iter()
            .flatten()
            .chain(std::iter::repeat(Certainty::Proven))
            .take(self.pairs.active.len())
    }

    /// Returns for each of [`World::pairs`] whether its search continues in the next pass. The contacts
    /// of such a pair are incomplete.
    pub fn open_searches(&self) -> impl Iterator<Item = bool> {
        let budget_state = self.budget_state.as_ref().map(|budget_state| budget_state.open_searches());
        budget_state.into_iter().flatten().chain(std::iter::repeat(false)).take(self.pairs.active.len())
    }

    /// Returns the budget, including its number of node tests; `None` if there is none.
    pub fn budget(&self) -> Option<Budget> {
        self.config.budget
    }

    /// Returns the result of guided construction, for every mesh of the scene whose hierarchy was
    /// guided.
    pub fn guided(&self) -> impl Iterator<Item = (u32, &Guided)> {
        (0..).zip(&self.guided).filter_map(|(mesh, guided)| Some((mesh, guided.as_ref()?)))
    }

    /// Returns the pairs that a budget left unsearched, the most starved first.
    pub fn starved_pairs(&self) -> Vec<StarvedPair> {
        self.budget_state.as_ref().map_or_else(Vec::new, |budget_state| budget_state.starved_pairs())
    }

    /// Returns the comparison of guesses about unsearched pairs with exact tests; `None` without a
    /// budget.
    pub fn check(&self) -> Option<&Check> {
        self.budget_state.as_ref().map(|budget_state| &budget_state.check)
    }

    /// Returns the deviation of each exact skin from the rigid surface of its link.
    pub fn skin_reports(&self) -> impl Iterator<Item = SkinReport> {
        self.skins.reports()
    }

    /// Returns the number of links that stay rigid although exact skins are enabled, because their
    /// triangles are not part of their figure's skin.
    pub fn rigid_skin_count(&self) -> u32 {
        self.skins.rigid_count
    }

    /// Returns the counts of the last step.
    pub fn counts(&self) -> StepCounts {
        self.counts
    }

    /// Returns the duration of the solver's last sub-step, s. The impulses stored in contacts are those
    /// of this sub-step.
    pub fn substep(&self) -> f64 {
        self.substep
    }

    /// Returns the bodies that were quarantined because their state became invalid.
    pub fn quarantined(&self) -> &[Quarantine] {
        &self.quarantined
    }

    /// Returns the number of threads that a step may use, including the calling thread.
    pub fn thread_count(&self) -> u32 {
        self.threads.count() as u32
    }

    /// Returns the number of stages of the last step that had enough work for more than one thread. A
    /// stage counts once per pass.
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

    /// Returns the kinetic and potential energy of the dynamic bodies, J. The potential energy is
    /// relative to the world's origin.
    pub fn energy(&self) -> f64 {
        energy(&self.bodies.states, self.gravity)
    }

    /// Returns the number of dynamic bodies that are asleep.
    pub fn sleeping_count(&self) -> u32 {
        let asleep = |s: &&crate::body::BodyState| s.activity == crate::body::Activity::Asleep;
        self.bodies.states.iter().filter(asleep).count() as u32
    }
}

/// Returns the kinetic and potential energy of the dynamic bodies under `gravity` (m/s²), J. The
/// potential energy is relative to the world's origin.
pub fn energy(states: &[BodyState], gravity: DVec3) -> f64 {
    // `sum` of an empty iterator would be −0.
    states.iter().map(|state| growth::energies(state, gravity)).fold(0.0, |sum, [e, u]| sum + e + u)
}
