//! Steps of a running simulation in memory, so that the run can be viewed backward.
//!
//! A step is stored as its changes, costs and contacts; the state of all bodies can be restored for any
//! stored step. Storing a step costs in proportion to the bodies that moved. When the memory budget is
//! used up, the oldest steps are dropped, one keyframe interval at a time.

use std::collections::VecDeque;

use super::format::StepRecord;
use super::frame::{Changes, Frame};
use super::marks::{ContactMark, contact_marks};
use crate::body::Motion;
use crate::contact::{PairContacts, PairRule};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Certainty, Check, CostlyPair, Incidents, World};

/// Pair whose surfaces intersect at the end of a step although no rule excludes it from collision.
/// Either neither body can be pushed, or they overlap deeper than contacts can resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
}

/// Pair for which a step could not prove whether its surfaces intersect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    /// Probability of an intersection, 0 to 1.
    pub probability: f32,
}

/// Most recent steps of a run.
pub struct History {
    changes: Changes,
    entries: VecDeque<Entry>,
    /// Number of steps that were dropped before the first entry.
    dropped: u32,
    bytes: usize,
    budget: usize,
    /// Incidents up to the last step.
    incidents: Incidents,
    /// Whether each body is a trigger, whose intersections are not overlaps.
    is_trigger: Vec<bool>,
}

struct Entry {
    record: StepRecord,
    keyframe: bool,
    contacts: Vec<ContactMark>,
    overlaps: Vec<Overlap>,
    guesses: Vec<Guess>,
    costliest: Vec<CostlyPair>,
    calibration_error: Option<f64>,
}

impl Entry {
    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&self.record.poses[..])
            + size_of_val(&self.record.rests[..])
            + size_of_val(&self.record.turns[..])
            + size_of_val(&self.contacts[..])
            + size_of_val(&self.overlaps[..])
            + size_of_val(&self.guesses[..])
            + size_of_val(&self.costliest[..])
    }
}

impl History {
    /// Creates a history that stores as many steps as fit into `budget` bytes, but at least the last
    /// 60.
    pub fn new(scene: &Scene, budget: usize) -> Self {
        let is_trigger = scene.bodies.iter().map(|b| b.trigger).collect();
        let (changes, entries) = (Changes::new(scene), VecDeque::new());
        let incidents = Incidents::default();
        Self { changes, entries, dropped: 0, bytes: 0, budget, incidents, is_trigger }
    }

    /// Appends the state of the world after its next step.
    pub fn append(&mut self, world: &World, timings: &Timings) {
        let mut record = StepRecord::default();
        let costs = (timings, &world.counts(), &world.measures());
        let keyframe = self.changes.take(self.last_step() + 1, world.bodies(), costs, &mut record);
        record.poses.shrink_to_fit();
        record.rests.shrink_to_fit();
        record.turns.shrink_to_fit();
        let entry = Entry {
            record,
            keyframe,
            contacts: contact_marks(world),
            overlaps: self.overlaps_of(world),
            guesses: guesses(world),
            costliest: world.costliest_pairs(),
            calibration_error: world.check().map(Check::expected_calibration_error),
        };
        self.incidents.clone_from(world.incidents());
        self.bytes += entry.byte_count();
        self.entries.push_back(entry);
        while self.bytes > self.budget && self.drop_oldest() {}
    }

    fn overlaps_of(&self, world: &World) -> Vec<Overlap> {
        let states = &world.bodies().states;
        let is_pushed = |body: u32| states[body as usize].motion == Motion::Dynamic;
        let is_overlap = |p: &&PairContacts| {
            let is_immovable = !is_pushed(p.a) && !is_pushed(p.b);
            let has_trigger = self.is_trigger[p.a as usize] || self.is_trigger[p.b as usize];
            let is_meant = has_trigger || p.rule == PairRule::Permanent;
            !is_meant && (is_immovable && p.judged.is_intersecting || p.is_interpenetrating())
        };
        world.pairs().iter().filter(is_overlap).map(|p| Overlap { a: p.a, b: p.b }).collect()
    }

    /// Drops all steps before the second keyframe. Returns `false`, and drops nothing, if there is no
    /// second keyframe.
    fn drop_oldest(&mut self) -> bool {
        let Some(count) = self.entries.iter().skip(1).position(|e| e.keyframe).map(|p| p + 1) else {
            return false;
        };
        for entry in self.entries.drain(..count) {
            self.bytes -= entry.byte_count();
        }
        self.dropped += count as u32;
        true
    }

    /// Returns the incidents (faults of the run) up to the last step.
    pub fn incidents(&self) -> &Incidents {
        &self.incidents
    }

    /// Returns the first stored step. It is 0, the scene itself, until steps are dropped.
    pub fn first_step(&self) -> u32 {
        if self.dropped == 0 { 0 } else { self.dropped + 1 }
    }

    pub fn last_step(&self) -> u32 {
        self.dropped + self.entries.len() as u32
    }

    /// Returns the changes and costs of a step; `None` for step 0 and for steps that are not stored.
    pub fn record(&self, step: u32) -> Option<&StepRecord> {
        self.entry(step).map(|e| &e.record)
    }

    /// Returns the contacts of a step, sorted by bodies; none at step 0.
    pub fn contacts(&self, step: u32) -> &[ContactMark] {
        self.entry(step).map_or(&[], |e| &e.contacts)
    }

    /// Returns the overlaps of a step, sorted by bodies; none at step 0.
    pub fn overlaps(&self, step: u32) -> &[Overlap] {
        self.entry(step).map_or(&[], |e| &e.overlaps)
    }

    /// Returns the guesses of a step, sorted by bodies; none at step 0, and none without a budget.
    pub fn guesses(&self, step: u32) -> &[Guess] {
        self.entry(step).map_or(&[], |e| &e.guesses)
    }

    /// Returns the pairs of bodies that cost most in a step, in descending order.
    pub fn costliest(&self, step: u32) -> &[CostlyPair] {
        self.entry(step).map_or(&[], |e| &e.costliest)
    }

    /// Returns the expected calibration error of the guesses that were tested up to a step; `None`
    /// without a budget.
    pub fn calibration_error(&self, step: u32) -> Option<f64> {
        self.entry(step)?.calibration_error
    }

    fn entry(&self, step: u32) -> Option<&Entry> {
        self.entries.get(step.checked_sub(self.dropped + 1)? as usize)
    }

    /// Moves a frame of this run to a step, or to the nearest stored one.
    pub fn seek(&self, scene: &Scene, frame: &mut Frame, step: u32) {
        let step = step.clamp(self.first_step(), self.last_step());
        if step == frame.step {
            return;
        }
        let is_keyframe = |k: &u32| self.entry(*k).is_some_and(|e| e.keyframe);
        let keyframe = (self.first_step()..=step).rev().find(is_keyframe).unwrap_or(0);
        let first = if (keyframe..=step).contains(&frame.step) {
            frame.step + 1
        } else {
            *frame = Frame::start(scene);
            keyframe.max(1)
        };
        for entry in (first..=step).filter_map(|k| self.entry(k)) {
            frame.apply(scene, &entry.record, entry.keyframe);
        }
    }
}

fn guesses(world: &World) -> Vec<Guess> {
    let pairs = world.pairs().iter().zip(world.certainties());
    let guess = |(pair, certainty): (&PairContacts, Certainty)| match certainty {
        Certainty::Proven => None,
        Certainty::Likely(p) => Some(Guess { a: pair.a, b: pair.b, probability: p as f32 }),
    };
    pairs.filter_map(guess).collect()
}

#[cfg(test)]
mod tests {
    use super::super::marks::Basis;
    use super::*;
    use crate::config::Budget;
    use crate::scene::load_scene;

    /// Runs the chain. Returns the scene, the history, and the poses of all bodies after every step.
    fn run(step_count: u32, budget: usize) -> (Scene, History, Vec<Vec<crate::pose::Pose>>) {
        let mut scene = load_scene("chain", None).unwrap();
        scene.config.threads = 1;
        let mut world = World::new(&scene).unwrap();
        let mut history = History::new(&scene, budget);
        let poses = |world: &World| world.bodies().states.iter().map(|s| s.pose).collect::<Vec<_>>();
        let mut all = vec![poses(&world)];
        for _ in 0..step_count {
            let timings = world.step();
            history.append(&world, &timings);
            all.push(poses(&world));
        }
        (scene, history, all)
    }

    #[test]
    fn every_step_can_be_seen_again_in_any_order() {
        let (scene, history, all) = run(130, usize::MAX);
        assert_eq!((history.first_step(), history.last_step()), (0, 130));
        let mut frame = Frame::start(&scene);
        for step in [130, 0, 1, 2, 61, 60, 62, 121, 120, 59, 58, 130, 129] {
            history.seek(&scene, &mut frame, step);
            assert_eq!(frame.step, step);
            assert_eq!(frame.poses, all[step as usize], "step {step}");
        }
    }

    #[test]
    fn a_full_history_lets_go_of_its_oldest_steps_and_keeps_the_rest_whole() {
        let (scene, history, all) = run(200, 0);
        assert_eq!((history.first_step(), history.last_step()), (181, 200));
        let mut frame = Frame::start(&scene);
        for (asked, shown) in [(190, 190), (200, 200), (3, 181), (0, 181), (999, 200)] {
            history.seek(&scene, &mut frame, asked);
            assert_eq!(frame.step, shown);
            assert_eq!(frame.poses, all[shown as usize]);
        }
        assert!(history.record(180).is_none() && history.record(181).is_some());
    }

    #[test]
    fn links_that_reach_into_each_other_are_overlaps_and_what_is_in_a_trigger_is_not() {
        let mut scene = load_scene("walk-through", None).unwrap();
        scene.config.threads = 1;
        // While the figure walks, some links that a joint connects intersect.
        scene.skeletons[0].self_collision = true;
        let first = scene.skeletons[0].first_body;
        let links = first..first + scene.skeletons[0].link_count;
        let overlaps = |scene: &Scene| {
            let mut world = World::new(scene).unwrap();
            let mut history = History::new(scene, usize::MAX);
            let timings = world.step();
            history.append(&world, &timings);
            history.overlaps(1).to_vec()
        };
        let found = overlaps(&scene);
        assert!(!found.is_empty());
        assert!(found.iter().all(|o| o.a < o.b && links.contains(&o.a) && links.contains(&o.b)), "{found:?}");
        for link in links {
            scene.bodies[link as usize].trigger = true;
        }
        assert_eq!(overlaps(&scene), []);
    }

    #[test]
    fn forces_bear_what_rests_on_them() {
        let mut scene = load_scene("parts-tray", None).unwrap();
        scene.config.threads = 1;
        let tray = scene.bodies.iter().position(|b| b.name == "tray").unwrap() as u32;
        scene.bodies.truncate(tray as usize + 2);
        let part = tray + 1;
        scene.bodies[part as usize].pose.position.y = 0.06;
        let mut world = World::new(&scene).unwrap();
        let mut history = History::new(&scene, usize::MAX);
        for _ in 0..240 {
            let timings = world.step();
            history.append(&world, &timings);
        }
        let marks = history.contacts(240).iter().filter(|m| m.a == part || m.b == part);
        let up = |m: &ContactMark| f64::from(m.force * m.normal.y) * if m.b == part { 1.0 } else { -1.0 };
        let borne: f64 = marks.map(up).sum();
        let weight = 9.81 * scene.bodies[part as usize].mass;
        assert!((borne / weight - 1.0).abs() < 0.05, "{borne} N bear {weight} N");
    }

    #[test]
    fn unproven_pairs_of_a_budget_are_kept_with_the_step() {
        let guesses = |tests: u64| {
            let mut scene = load_scene("chain", None).unwrap();
            scene.config.threads = 1;
            scene.config.budget = Some(Budget { tests: Some(tests), ..Budget::default() });
            let mut world = World::new(&scene).unwrap();
            let mut history = History::new(&scene, usize::MAX);
            for _ in 0..30 {
                let timings = world.step();
                history.append(&world, &timings);
            }
            assert!(history.calibration_error(30).is_some() && history.guesses(0).is_empty());
            let marks = history.contacts(30);
            assert!(marks.iter().all(|m| {
                let is_guess = history.guesses(30).iter().any(|g| (g.a, g.b) == (m.a, m.b));
                m.basis == Basis::Region || is_guess == (m.basis == Basis::Held)
            }));
            history.guesses(30).to_vec()
        };
        assert_eq!(guesses(u64::MAX), []);
        let starved = guesses(0);
        assert!(!starved.is_empty() && starved.iter().all(|g| (0.0..=1.0).contains(&g.probability)));
    }
}
