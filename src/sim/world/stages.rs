//! The four stages of [`World::step`].

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::budget::BudgetState;
use super::figure::{FigureLink, aim_at, follows};
use super::groups::Placement;
use super::passes::Passes;
use super::scratch::Scratch;
use super::{StepCounts, World, work};
use crate::arrays::MapEach;
use crate::body::{Bodies, BodyState, Motion};
use crate::broad::LEAST_PARALLEL;
use crate::check::Meeting;
use crate::contact::{self, Ahead, BodyPair, Due, PairContacts, PairCost, PairRule};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::solver::{Pass, quarantine};
use crate::timing::{Timings, timed};
use crate::tree::Tree;
use crate::volume::{Aabb, round_up};

impl World {
    /// Gives drives and figures the velocities that take them to their targets at `arrival` (s), the
    /// end of a pass of `dt` seconds (stage *update*).
    pub(super) fn aim(&mut self, arrival: f64, dt: f64) {
        self.controls.aim(arrival, dt, &mut self.joints, &mut self.bodies.states);
        for (body, pose) in self.controls.led(arrival) {
            let state = &mut self.bodies.states[body as usize];
            if follows(state) {
                aim_at(&pose, dt, state);
            }
        }
        if self.figures.is_empty() {
            return;
        }
        self.moments.clear();
        self.moments.extend(self.figures.iter().map(|figure| figure.moment(arrival)));
        for figure in &self.figures {
            figure.aim_drives(arrival, dt, &mut self.joints);
        }
        let (figures, moments) = (&self.figures, &self.moments);
        let links = &self.figure_links;
        let aim = |body: usize, state: &mut BodyState| {
            if let Some(FigureLink { figure, link }) = links[body].filter(|_| follows(state))
                && let Some(moment) = &moments[figure as usize]
            {
                figures[figure as usize].aim(link as usize, moment, dt, state);
            }
        };
        let states = &mut self.bodies.states;
        self.threads.team(work::AIM * states.len() as u64).for_each(states, 1, aim);
    }

    /// Finds the bodies that may touch in the remaining step, from their poses at `time` (s).
    pub(super) fn find_near(&mut self, t: &mut Timings, time: f64) {
        timed(&mut t.update, || self.update_volumes(time)); // poses → volumes: broad/
        timed(&mut t.test, || self.find_groups()); // volumes → pairs of bodies and articulations: broad/
        timed(&mut t.update, || self.update_links()); // links of those → volumes: articulation/
        timed(&mut t.test, || self.find_pairs()); // volumes → links, pairs of bodies
    }

    /// Computes every body's box at `time` (s), enlarged by the distance that the body may reach in a
    /// whole step. Updates the broad phase (stage *update*).
    fn update_volumes(&mut self, time: f64) {
        self.deform_skins(time);
        self.place_bodies();
        for bounds in self.body_boxes.iter_mut().filter(|b| b.is_empty() && **b != Aabb::EMPTY) {
            // An invalid box must not make the box of its articulation empty.
            *bounds = Aabb::EMPTY;
            self.counts.invalid_boxes += 1;
        }
        for (slot, bounds) in self.group_boxes.iter_mut().zip(self.groups.bounds(&self.body_boxes)) {
            *slot = bounds;
        }
        let (broad, boxes) = (&mut self.broad, &self.group_boxes);
        self.threads.inside(boxes.len() >= LEAST_PARALLEL, || broad.update(boxes));
    }

    /// Computes every body's enlarged box.
    fn place_bodies(&mut self) {
        let (meshes, step) = (&self.meshes, self.ahead(self.config.dt));
        let Bodies { states, infos, .. } = &self.bodies;
        let place = |body: usize, bounds: &mut Aabb, reach: &mut f32| {
            let (state, info) = (&states[body], &infos[body]);
            if let Some(mesh) = info.mesh {
                let length = contact::reach(state, info, step);
                *bounds = meshes[mesh as usize].bounds().transformed(&state.pose).inflated(length);
                *reach = round_up(length);
            }
        };
        let (boxes, reaches) = (&mut self.body_boxes, &mut self.reaches);
        self.threads.team(work::PLACE * states.len() as u64).for_each_beside(boxes, reaches, 1, place);
    }

    /// Deforms exact skins to the poses at `time` (s).
    fn deform_skins(&mut self, time: f64) {
        if self.skins.is_empty() {
            return;
        }
        let surfaces = (&mut self.meshes[..], &mut self.trees[..]);
        self.skins.deform(time, &mut self.bodies, &self.figures, surfaces, &self.threads);
        for (body, is_reshaped) in self.skins.reshaped() {
            self.bodies.reshaped[body as usize] = is_reshaped;
            if let Some(mesh) = self.bodies.infos[body as usize].mesh.filter(|_| is_reshaped) {
                self.groups.set_shape(body, &self.meshes[mesh as usize]);
            }
        }
    }

    /// Finds pairs of groups with the broad phase (stage *test*).
    fn find_groups(&mut self) {
        let (broad, pairs) = (&mut self.broad, &mut self.group_pairs);
        self.counts.node_tests +=
            self.threads.inside(self.group_boxes.len() >= LEAST_PARALLEL, || broad.pairs(pairs));
    }

    /// Updates the hierarchies over the links of articulations that are in a pair or may touch
    /// themselves (stage *update*).
    fn update_links(&mut self) {
        let at = Placement { states: &self.bodies.states, reaches: &self.reaches };
        self.groups.update(&self.group_pairs, &at, &self.threads);
    }

    /// Converts the broad phase's pairs of groups into the table of body pairs (stage *test*).
    fn find_pairs(&mut self) {
        let at = Placement { states: &self.bodies.states, reaches: &self.reaches };
        self.body_pairs.clear();
        self.counts.node_tests += self.groups.body_pairs(&self.group_pairs, &at, &mut self.body_pairs);
        self.body_pairs.sort_unstable();
        // Without a budget, the first pass searches all pairs, so no modeled pose has to be kept.
        let is_start = self.is_first_pass();
        let may_wait = self.budget_state.is_some() && is_start;
        self.pairs.begin();
        for &(a, b) in &self.body_pairs {
            let rule = match self.pairs.pairing.meeting(a, b) {
                Meeting::Apart => continue,
                Meeting::Permanent => PairRule::Permanent,
                Meeting::Fit { clearance } => PairRule::Fit { clearance },
                Meeting::Collide | Meeting::Sensor => PairRule::Collide,
            };
            let infos = [a, b].map_each(|i| &self.bodies.infos[i as usize]);
            let states = [a, b].map_each(|i| &self.bodies.states[i as usize]);
            self.pairs.keep(a, b, |pair| {
                pair.start(a, b, rule, infos);
                pair.overlap.is_unknown = is_start;
                pair.overlap.modelled_at = may_wait.then(|| states[1].pose.relative_to(&states[0].pose));
            });
        }
        self.pairs.finish();
        if let Some(budget_state) = &mut self.budget_state {
            budget_state.follow(&self.pairs.active);
        }
    }

    /// Solves velocities, then poses, and sets the links of figures exactly to their poses (stage
    /// *solve*). Quarantines bodies with an invalid state after every pass, because the search margin
    /// of the next pass grows with their speed. Returns the time by which all bodies advanced, s.
    pub(super) fn solve(&mut self, passes: &Passes) -> f64 {
        let (dt, substeps) = (passes.dt(), passes.substeps(self.config.substeps));
        let can_go_on = self.budget_state.as_ref().is_none_or(|budget_state| budget_state.can_go_on());
        let may_be_cut = passes.may_be_cut() && can_go_on;
        let pass = Pass { dt, substeps, grown_for: self.config.dt, may_end_early: may_be_cut };
        self.watch.guard.begin_pass(&self.bodies.states);
        let pairs = &mut self.pairs.active;
        let done = self.solver.solve(pass, self.gravity, &mut self.bodies, &self.joints, pairs);
        self.substep = dt / f64::from(substeps.max(1));
        self.counts.further_rows += self.solver.further_count();
        let [solutions, factorizations] = self.solver.mechanism_counts();
        self.counts.mechanism_solutions += solutions;
        self.counts.factorizations += factorizations;
        self.counts.cut_passes += u64::from(done < dt);
        self.watch_pass();
        let arrival = if done < dt { passes.now() + done } else { passes.arrival() };
        for figure in &self.figures {
            figure.place(arrival, &mut self.bodies.states);
        }
        for (body, pose) in self.controls.led(arrival) {
            let state = &mut self.bodies.states[body as usize];
            if follows(state) {
                state.pose = pose;
            }
        }
        quarantine(&mut self.bodies, &mut self.valid_poses, self.step_index + 1, &mut self.quarantined);
        done
    }

    /// Ends *solve* in the last pass: puts slow bodies to sleep.
    pub(super) fn settle(&mut self) {
        if self.config.sleep {
            let pairs = &self.pairs.active;
            let supports =
                self.budget_state.as_mut().map_or(&[][..], |budget_state| budget_state.supports(pairs));
            let touching = (&self.joints[..], &pairs[..], supports);
            self.solver.update_sleep((self.config.dt, self.gravity), &mut self.bodies, touching);
        }
        let awake = self.bodies.states.iter().filter(|s| s.is_dynamic() && s.is_awake());
        self.counts.awake_bodies = awake.count() as u64;
    }

    /// Ends a step under a budget, outside the timed stages: counts the unsearched pairs, and tests a
    /// sample of the guesses about them.
    pub(super) fn account(&mut self) {
        let Some(mut budget_state) = self.budget_state.take() else { return };
        self.counts.units_used = BudgetState::used(&self.counts);
        self.check_guesses(&mut budget_state);
        budget_state
            .take_stock(self.step_index + 1, self.pairs.active.iter().map(|pair| !self.is_at_rest(pair)));
        self.budget_state = Some(budget_state);
    }

    /// Returns the interval of `dt` seconds ahead, for predictions of motion.
    pub(super) fn ahead(&self, dt: f64) -> Ahead {
        Ahead { dt, gravity: self.gravity }
    }

    pub(super) fn is_first_pass(&self) -> bool {
        self.step_index == 0 && self.counts.passes == 0
    }

    /// Returns whether neither body of the pair moves: each is static or asleep.
    pub(super) fn is_at_rest(&self, pair: &PairContacts) -> bool {
        self.two(pair).iter().all(|(s, _)| s.motion == Motion::Static || !s.is_awake())
    }

    /// Returns whether neither body is dynamic. Such a pair is tested for intersection, but no contact
    /// can move its bodies.
    pub(super) fn is_immovable(&self, pair: &PairContacts) -> bool {
        self.two(pair).iter().all(|(s, _)| s.motion != Motion::Dynamic)
    }

    /// Returns the pose of b in a's space.
    pub(super) fn b_to_a(&self, pair: &PairContacts) -> Pose {
        let [(a, _), (b, _)] = self.two(pair);
        b.pose.relative_to(&a.pose)
    }

    pub(super) fn two(&self, pair: &PairContacts) -> BodyPair<'_> {
        [pair.a, pair.b].map_each(|i| (&self.bodies.states[i as usize], &self.bodies.infos[i as usize]))
    }

    /// Returns the hierarchy and mesh of both bodies; `None` if a body has no surface.
    pub(super) fn surfaces(&self, pair: &PairContacts) -> Option<[(&Tree, &Mesh); 2]> {
        let surface = |body: u32| {
            let mesh = self.bodies.infos[body as usize].mesh? as usize;
            Some((&*self.trees[mesh], &*self.meshes[mesh]))
        };
        Some([surface(pair.a)?, surface(pair.b)?])
    }

    /// Returns whether the pair needs no work: it is at rest and no query is due.
    pub(super) fn is_settled(&self, pair: &PairContacts) -> bool {
        pair.search.due == Due::Nothing && self.is_at_rest(pair)
    }

    /// Runs `work` on a range of the active pairs, except those that need no work, and adds up its
    /// counts. `cost`: approximate time of all of the work on one thread, ns.
    pub(super) fn for_some_pairs<W>(&mut self, range: Range<usize>, cost: u64, work: W) -> StepCounts
    where
        W: Fn(&World, &mut PairContacts, &mut Scratch) -> StepCounts + Sync,
    {
        let is_settled = |world: &World, pair: &PairContacts, (): &()| world.is_settled(pair);
        // A `Vec<()>` does not allocate.
        let mut nothing = vec![(); range.len()];
        self.for_pairs_beside(range, &mut nothing, (cost, is_settled), |world, pair, (), s| {
            work(world, pair, s)
        })
    }

    /// Runs `work` as [`World::for_some_pairs`] does, with one element of `beside` per pair.
    /// `is_settled` returns whether a pair is skipped. The pairs are independent, so the result depends
    /// neither on threads nor on their order.
    pub(super) fn for_pairs_beside<T, I, W>(
        &mut self,
        range: Range<usize>,
        beside: &mut [T],
        (cost, is_settled): (u64, I),
        work: W,
    ) -> StepCounts
    where
        T: Send,
        I: Fn(&World, &PairContacts, &T) -> bool + Sync,
        W: Fn(&World, &mut PairContacts, &mut T, &mut Scratch) -> StepCounts + Sync,
    {
        let mut active = std::mem::take(&mut self.pairs.active);
        let world = &*self;
        let is_busy = |(pair, beside): &(&mut PairContacts, &mut T)| {
            !world.is_stopped() && !is_settled(world, pair, beside)
        };
        let work = |(pair, beside): (&mut PairContacts, &mut T), scratch: &mut Scratch| {
            let counts = work(world, pair, beside, scratch);
            pair.cost += PairCost {
                node_tests: counts.node_tests,
                candidates: counts.candidates,
                false_alarms: counts.false_alarms,
                searches: counts.searched,
                margin: if counts.searched > 0 { pair.search.margin } else { 0.0 },
            };
            counts
        };
        let some = &mut active[range];
        let team = world.threads.team(cost);
        let size = team.piece(some.len(), 1);
        let sum = Mutex::new(StepCounts::default());
        team.share(some.chunks_mut(size).zip(beside.chunks_mut(size)), |thread, (pairs, beside)| {
            let scratch = &mut world.scratch(thread);
            let busy = pairs.iter_mut().zip(beside).filter(&is_busy);
            let counts = busy.fold(StepCounts::default(), |sum, pair| sum + work(pair, scratch));
            *sum.lock().unwrap_or_else(PoisonError::into_inner) += counts;
        });
        self.pairs.active = active;
        sum.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn scratch(&self, thread: usize) -> MutexGuard<'_, Scratch> {
        // Each thread has its own scratch, so the lock is never contended. It guards buffers only.
        self.scratch[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
