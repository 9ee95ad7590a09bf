//! Watch over incidents that a run must report. It finds bodies that fall out of the world, and moving
//! links that intersect bodies that no contact can move. It also records incidents that other parts of
//! a step find: bodies that passed through a surface or were held back (`guard.rs`), and bodies that
//! are cut into each other (`cuts.rs`).
//!
//! Output: incidents by name, each pair once per kind. No allocation in a step without an incident.

use super::events::Event;
use super::growth::Grown;
use super::incidents::{
    CrowdedPair, Cut, CutSpin, Fall, Growth, HeldBack, Incidents, Outrun, Passage, Reach, SweptMechanism,
    UnfinishedLoad,
};
use super::spread::find_cores;
use super::watched::{DeepestAtRest, Watch};
use super::{StepCounts, World};
use crate::arrays::MapEach;
use crate::body::{Bodies, Motion};
use crate::contact::{Crowding, PairContacts, PairRule};
use crate::solver::SpinCut;
use crate::volume::Aabb;

impl World {
    /// Returns the incidents so far.
    pub fn incidents(&self) -> &Incidents {
        &self.watch.incidents
    }

    /// Returns the greatest depth of the pairs that came to rest so far.
    pub fn deepest_at_rest(&self) -> DeepestAtRest {
        self.watch.deepest_at_rest
    }

    /// Computes the cores and the floor of a world that has not stepped yet.
    pub(super) fn begin_watch(&mut self) {
        let surface = |mesh: u32| (&*self.trees[mesh as usize], &*self.meshes[mesh as usize]);
        let cores = find_cores(&self.bodies, self.meshes.len(), &surface);
        let Bodies { states, infos, .. } = &self.bodies;
        // A hanging body may sink by up to the diagonal of the dynamic bodies' box. No other body can
        // hold a body that is lower than that.
        let (mut all, mut moving) = (Aabb::EMPTY, Aabb::EMPTY);
        for (state, info) in states.iter().zip(infos) {
            let Some(mesh) = info.mesh else { continue };
            let bounds = self.meshes[mesh as usize].bounds().transformed(&state.pose);
            all = all.union(&bounds);
            moving = if state.is_dynamic() { moving.union(&bounds) } else { moving };
        }
        let up = (-self.gravity).try_normalize().filter(|_| !moving.is_empty());
        let floor = up.map(|up| {
            let [low, high] = [all.min, all.max].map_each(|corner| corner.as_dvec3() * up);
            (up, low.min(high).element_sum() - f64::from(moving.diagonal()))
        });
        let has_fallen = vec![false; states.len()];
        self.watch = Watch { cores, floor, has_fallen, ..Watch::default() };
    }

    /// Records the crowded pairs, reaches and falls of the step that ends.
    pub(super) fn watch_step(&mut self) {
        let (mut watch, mut events) = (std::mem::take(&mut self.watch), std::mem::take(&mut self.events));
        let step = self.step_index + 1;
        let mut counts = StepCounts::default();
        for pair in self.pairs.active.iter().filter(|pair| !self.is_at_rest(pair)) {
            if let Some(crowding) = pair.judged.crowding {
                watch.note_crowded(pair, crowding, step, &self.bodies);
            }
            if self.pairs.is_sensor_pair(pair) || pair.rule == PairRule::Permanent || pair.is_in_parts {
                continue;
            }
            let is_excused = pair.rule.clearance() > 0.0 && pair.overlap() == 0.0;
            if self.is_immovable(pair) && pair.judged.is_intersecting && !is_excused {
                counts.reaches += 1;
                let depth = pair.overlap().max(pair.judged.crossing_extent.unwrap_or(0.0));
                watch.note_reach(pair, depth, step, &self.bodies);
            }
        }
        counts.falls = watch.note_falls(step, &self.bodies);
        let falls = &watch.incidents.falls;
        let fell = falls[falls.len() - counts.falls as usize..].iter();
        fell.for_each(|fall| events.tell(Event::FellOut { body: fall.body }));
        self.counts += counts;
        (self.watch, self.events) = (watch, events);
    }

    /// Records the groups whose energy grew in the step that ends.
    pub(super) fn watch_growth(&mut self) {
        let mut growth = std::mem::take(&mut self.watch.growth);
        let touching = (&self.joints[..], &self.pairs.active[..]);
        let (step, watch, bodies) = (self.step_index + 1, &mut self.watch, &self.bodies);
        let held = std::mem::take(&mut watch.incidents.held_back);
        let held_now = held.iter().filter(|held| held.last_step == step).map(|held| held.body);
        growth.end(bodies, touching, self.gravity, held_now, |grown| watch.note_growth(&grown, step, bodies));
        watch.incidents.held_back = held;
        self.watch.growth = growth;
    }

    /// Records the bodies that moved farther than their free distance in the solver's last pass, those
    /// whose spin was cut, and the loads that did not converge. Under a budget, held pairs have no free
    /// distance; they are reported as starved instead.
    pub(super) fn watch_pass(&mut self) {
        let step = self.step_index + 1;
        let outran = if self.budget_state.is_some() { &[] } else { self.solver.outran() };
        for &body in outran {
            self.counts.outruns += u64::from(self.watch.note_outrun(body, step, &self.bodies));
        }
        for &cut in self.solver.cut_spins() {
            self.counts.cut_spins += u64::from(self.watch.note_cut_spin(cut, step, &self.bodies));
        }
        for two in self.solver.unfinished() {
            self.counts.unfinished_loads += 1;
            self.watch.note_load(two, step, &self.bodies);
        }
        for two in self.solver.swept() {
            self.counts.swept_mechanisms += 1;
            self.watch.note_swept(two.map(|body| body as u32), step, &self.bodies);
        }
    }
}

impl Watch {
    /// Records a body that was held back. Returns whether this is the pair's first time in this step.
    pub fn note_held_back(&mut self, (body, by): (u32, u32), step: u32, bodies: &Bodies) -> bool {
        let held = &mut self.incidents.held_back;
        let at = *self.held_of.entry((body, by)).or_insert_with(|| {
            let [body_name, by_name] = [body, by].map(|b| bodies.infos[b as usize].name.clone());
            held.push(HeldBack {
                body,
                by,
                body_name,
                by_name,
                first_step: step,
                last_step: 0,
                step_count: 0,
            });
            held.len() - 1
        });
        let is_new = held[at].last_step != step;
        held[at].last_step = step;
        held[at].step_count += u32::from(is_new);
        is_new
    }

    /// Records a body that passed through another. Returns whether this is the pair's first time in
    /// this step.
    pub fn note_passage(&mut self, (body, through): (u32, u32), step: u32, bodies: &Bodies) -> bool {
        let passages = &mut self.incidents.passages;
        let at = *self.passage_of.entry((body, through)).or_insert_with(|| {
            let [body_name, through_name] = [body, through].map(|b| bodies.infos[b as usize].name.clone());
            let (first_step, last_step, step_count) = (step, 0, 0);
            passages.push(Passage {
                body,
                through,
                body_name,
                through_name,
                first_step,
                last_step,
                step_count,
            });
            passages.len() - 1
        });
        let is_new = passages[at].last_step != step;
        passages[at].last_step = step;
        passages[at].step_count += u32::from(is_new);
        is_new
    }

    /// Records two bodies that are cut into each other, by a depth into a thickness (m). Returns whether the
    /// pair was not cut in the previous step.
    pub fn note_cut(
        &mut self,
        pair: &PairContacts,
        [depth, thickness]: [f64; 2],
        step: u32,
        bodies: &Bodies,
    ) -> bool {
        let &PairContacts { a, b, .. } = pair;
        let cuts = &mut self.incidents.cuts;
        let at = *self.cut_of.entry((a, b)).or_insert_with(|| {
            let [a_name, b_name] = [a, b].map(|body| bodies.infos[body as usize].name.clone());
            let (first_step, last_step, step_count, deepest_step) = (step, 0, 0, step);
            cuts.push(Cut {
                a,
                b,
                a_name,
                b_name,
                first_step,
                last_step,
                step_count,
                depth,
                deepest_step,
                thickness,
            });
            cuts.len() - 1
        });
        let cut = &mut cuts[at];
        let is_new = cut.step_count == 0 || cut.last_step + 1 < step;
        cut.step_count += u32::from(cut.last_step != step);
        cut.last_step = step;
        if depth > cut.depth {
            (cut.depth, cut.deepest_step, cut.thickness) = (depth, step, thickness);
        }
        is_new
    }

    /// Records two intersecting bodies that no contact can move, with their depth (m).
    fn note_reach(&mut self, pair: &PairContacts, depth: f64, step: u32, bodies: &Bodies) {
        let still = |body: u32| bodies.states[body as usize].motion == Motion::Static;
        let (link, into) = if still(pair.a) { (pair.b, pair.a) } else { (pair.a, pair.b) };
        let reaches = &mut self.incidents.reaches;
        let at = *self.reach_of.entry((link, into)).or_insert_with(|| {
            let [link_name, into_name] = [link, into].map(|b| bodies.infos[b as usize].name.clone());
            reaches.push(Reach {
                link,
                into,
                link_name,
                into_name,
                first_step: step,
                last_step: step,
                step_count: 0,
                depth: 0.0,
                deepest_step: step,
                is_deeper: false,
            });
            reaches.len() - 1
        });
        let reach = &mut reaches[at];
        reach.last_step = step;
        reach.step_count += 1;
        if depth > reach.depth {
            (reach.depth, reach.deepest_step) = (depth, step);
        }
        reach.is_deeper |= pair.is_interpenetrating() || depth >= pair.settings.surely_found();
    }

    /// Records a pair that kept its old contacts because new ones would have taken too long to find.
    fn note_crowded(
        &mut self,
        &PairContacts { a, b, .. }: &PairContacts,
        crowding: Crowding,
        step: u32,
        bodies: &Bodies,
    ) {
        let crowded = &mut self.incidents.crowded_pairs;
        let at = *self.crowded_of.entry((a, b)).or_insert_with(|| {
            let [a_name, b_name] = [a, b].map(|body| bodies.infos[body as usize].name.clone());
            let (first_step, last_step, step_count, is_too_much) = (step, step, 0, false);
            crowded.push(CrowdedPair {
                a,
                b,
                a_name,
                b_name,
                first_step,
                last_step,
                step_count,
                is_too_much,
            });
            crowded.len() - 1
        });
        crowded[at].last_step = step;
        crowded[at].step_count += 1;
        crowded[at].is_too_much |= crowding == Crowding::OfPair;
    }

    /// Records a body that moved farther than its free distance. Returns whether this is its first time
    /// in this step.
    fn note_outrun(&mut self, body: u32, step: u32, bodies: &Bodies) -> bool {
        let outruns = &mut self.incidents.outruns;
        let at = *self.outrun_of.entry(body).or_insert_with(|| {
            let name = bodies.infos[body as usize].name.clone();
            outruns.push(Outrun { body, name, first_step: step, last_step: 0, step_count: 0 });
            outruns.len() - 1
        });
        let is_new = outruns[at].last_step != step;
        outruns[at].last_step = step;
        outruns[at].step_count += u32::from(is_new);
        is_new
    }

    /// Records a body whose spin was cut. Returns whether this is its first time in this step.
    fn note_cut_spin(&mut self, SpinCut { body, spin, kept }: SpinCut, step: u32, bodies: &Bodies) -> bool {
        let cuts = &mut self.incidents.cut_spins;
        let at = *self.cut_spin_of.entry(body).or_insert_with(|| {
            let name = bodies.infos[body as usize].name.clone();
            let (first_step, last_step, step_count, fastest_step) = (step, 0, 0, step);
            cuts.push(CutSpin { body, name, first_step, last_step, step_count, spin, kept, fastest_step });
            cuts.len() - 1
        });
        let cut = &mut cuts[at];
        let is_new = cut.last_step != step;
        cut.last_step = step;
        cut.step_count += u32::from(is_new);
        if spin > cut.spin {
            (cut.spin, cut.kept, cut.fastest_step) = (spin, kept, step);
        }
        is_new
    }

    /// Records the two bodies of a load that did not converge.
    fn note_load(&mut self, two: [usize; 2], step: u32, bodies: &Bodies) {
        let loads = &mut self.incidents.unfinished_loads;
        let at = *self.load_of.entry(two).or_insert_with(|| {
            let [a, b] = two.map_each(|body| (body < bodies.infos.len()).then_some(body as u32));
            let name = |body: Option<u32>| {
                body.map_or_else(|| "world".to_owned(), |body| bodies.infos[body as usize].name.clone())
            };
            let [a_name, b_name] = [name(a), name(b)];
            loads.push(UnfinishedLoad {
                a,
                b,
                a_name,
                b_name,
                first_step: step,
                last_step: 0,
                step_count: 0,
            });
            loads.len() - 1
        });
        loads[at].step_count += u32::from(loads[at].last_step != step);
        loads[at].last_step = step;
    }

    /// Records a group whose energy grew.
    fn note_growth(&mut self, grown: &Grown, step: u32, bodies: &Bodies) {
        let growths = &mut self.incidents.growths;
        let at = *self.growth_of.entry(grown.body).or_insert_with(|| {
            let name = bodies.infos[grown.body as usize].name.clone();
            growths.push(Growth {
                body: grown.body,
                name,
                body_count: grown.count,
                first_step: step,
                last_step: step,
                step_count: 0,
                gain: 0.0,
                motion: grown.motion,
            });
            growths.len() - 1
        });
        let growth = &mut growths[at];
        growth.last_step = step;
        growth.step_count += 1;
        growth.gain += grown.gain;
    }

    /// Records a mechanism that was too large to be solved directly, by two of its bodies.
    fn note_swept(&mut self, two: [u32; 2], step: u32, bodies: &Bodies) {
        let all = &mut self.incidents.swept;
        let at = *self.swept_of.entry(two).or_insert_with(|| {
            let [a, b] = two;
            let [a_name, b_name] = two.map(|body| bodies.infos[body as usize].name.clone());
            let (first_step, last_step, step_count) = (step, 0, 0);
            all.push(SweptMechanism { a, b, a_name, b_name, first_step, last_step, step_count });
            all.len() - 1
        });
        all[at].step_count += u32::from(all[at].last_step != step);
        all[at].last_step = step;
    }

    /// Records the bodies that fell out of the world. Returns their number.
    fn note_falls(&mut self, step: u32, bodies: &Bodies) -> u64 {
        let Some((up, height)) = self.floor else { return 0 };
        let before = self.incidents.falls.len();
        let all = bodies.states.iter().zip(&bodies.infos).zip(&mut self.has_fallen);
        for (body, ((state, info), has_fallen)) in (0..).zip(all) {
            let falls = state.is_dynamic() && state.is_awake() && info.mesh.is_some();
            if falls && !*has_fallen && up.dot(state.world_center()) + info.radius < height {
                *has_fallen = true;
                self.incidents.falls.push(Fall { body, name: info.name.clone(), step });
            }
        }
        (self.incidents.falls.len() - before) as u64
    }
}
