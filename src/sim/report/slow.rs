//! Slow steps of a run, with the pair of bodies that caused most work.

use std::time::Duration;

use serde::Serialize;

use super::costs::{Costs, SLOW_STEP};
use crate::arrays::MapEach;
use crate::digits::grouped;
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{CostlyPair, World};

/// Ratio to the longest reported step from which a longer step is reported again. It limits the reports
/// of a slow run to a few lines.
const SAID_AGAIN: f64 = 1.5;

/// Advice for steps in which finding contacts takes long.
const ADVICE: &str =
    "--budget-us 100000 limits contact detection to about 0.1 s per step: other pairs keep their contacts";

/// Slow step with its timings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowStep {
    pub step: u32,
    pub timings: Timings,
    /// Pair that caused most work; `None` if no pair caused any.
    pub costliest: Option<CostlyPair>,
}

/// Watcher for slow steps during a run.
#[derive(Clone, Debug, Default)]
pub struct SlowSteps {
    slowest: Option<SlowStep>,
    said: Duration,
    is_advised: bool,
}

impl SlowSteps {
    /// Examines the last step of the world. Returns the step if it must be reported now.
    pub fn add(&mut self, world: &World, timings: &Timings) -> Option<SlowStep> {
        let duration = timings.total();
        let slowest = self.slowest.map_or(SLOW_STEP, |slow| slow.timings.total());
        if duration <= slowest {
            return None;
        }
        let costliest = world.costliest_pairs().first().copied();
        let slow = SlowStep { step: world.step_count(), timings: *timings, costliest };
        self.slowest = Some(slow);
        let is_said = duration > self.said.mul_f64(SAID_AGAIN);
        self.said = if is_said { duration } else { self.said };
        is_said.then_some(slow)
    }

    pub fn slowest(&self) -> Option<SlowStep> {
        self.slowest
    }

    /// Returns advice on a slow step if most of its time went into finding contacts and the run has no
    /// budget; at most once per run.
    pub fn advice(&mut self, slow: &SlowStep, world: &World) -> Option<&'static str> {
        let is_wanted = !self.is_advised && slow.is_collision_work() && world.budget().is_none();
        self.is_advised |= is_wanted;
        is_wanted.then_some(ADVICE)
    }
}

impl SlowStep {
    /// Returns whether most of the step's time went into finding contacts.
    fn is_collision_work(&self) -> bool {
        self.timings.test + self.timings.query >= self.timings.total() / 2
    }

    /// Describes the step in one sentence, with names.
    pub fn text(&self, scene: &Scene) -> String {
        let t = &self.timings;
        let total = t.total().as_secs_f64();
        let text = format!("step {} took {total:.1} s", self.step);
        let share = |stage: Duration| 100.0 * stage.as_secs_f64() / total;
        match self.costliest {
            Some(pair) if self.is_collision_work() => {
                let [a, b] = [pair.a, pair.b].map_each(|body| &scene.bodies[body as usize].name);
                let (candidates, alarms) = (pair.cost.candidates, pair.cost.false_alarms);
                let alarms = 100.0 * alarms as f64 / candidates.max(1) as f64;
                // A percentage below 100 must not be rounded to 100.
                let alarms = if alarms < 100.0 { alarms.min(99.0) } else { alarms };
                format!(
                    "{text}: {:.0} % of its collision work is for {a} – {b} ({} candidates in {} searches within up to {:.2} mm, \
                     {alarms:.0} % of them false alarms; edges of its finer mesh are {:.2} mm long)",
                    100.0 * pair.share,
                    grouped(candidates),
                    grouped(pair.cost.searches),
                    1e3 * pair.cost.margin,
                    1e3 * pair.edge,
                )
            }
            _ => {
                let stages = [("update", t.update), ("test", t.test), ("query", t.query), ("solve", t.solve)];
                let longest = stages.into_iter().max_by_key(|(_, stage)| *stage);
                let (name, stage) = longest.unwrap_or_default();
                format!("{text}, {:.0} % of it in {name}", share(stage))
            }
        }
    }
}

/// Slow steps of a run, for JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlowStepFigures {
    pub over_ms: f64,
    pub count: usize,
    /// Slowest step; `None` if there was none.
    pub slowest: Option<SlowestFigures>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlowestFigures {
    pub step: usize,
    pub ms: f64,
    /// Pair that caused most of the step's collision work, and its share of that work; `None` if not
    /// known.
    pub a: Option<String>,
    pub b: Option<String>,
    pub share: Option<f64>,
}

impl SlowStepFigures {
    /// Creates the figures from the costs of all steps and from the slowest step that was observed,
    /// which knows its costliest pair.
    pub fn of(scene: &Scene, costs: &Costs, seen: Option<&SlowStep>) -> Self {
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        let slowest = costs.slowest().map(|(step, duration)| {
            let pair = seen.filter(|seen| seen.step as usize == step).and_then(|seen| seen.costliest);
            SlowestFigures {
                step,
                ms: duration.as_secs_f64() * 1e3,
                a: pair.map(|pair| name(pair.a)),
                b: pair.map(|pair| name(pair.b)),
                share: pair.map(|pair| pair.share),
            }
        });
        Self { over_ms: SLOW_STEP.as_secs_f64() * 1e3, count: costs.slow_count(), slowest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Budget;
    use crate::contact::PairCost;
    use crate::report::StepCost;
    use crate::scene::load_scene;

    fn timings(query_ms: u64, solve_ms: u64) -> Timings {
        let [query, solve] = [query_ms, solve_ms].map(Duration::from_millis);
        Timings { query, solve, ..Timings::default() }
    }

    #[test]
    fn a_slow_step_names_the_pair_or_the_stage_that_it_was_spent_on() {
        let scene = load_scene("chain", None).unwrap();
        let cost =
            PairCost { node_tests: 1, candidates: 200, false_alarms: 198, searches: 12, margin: 1.8e-3 };
        let costliest = Some(CostlyPair { a: 0, b: 1, cost, edge: 6e-4, share: 0.934, steps: 1 });
        let slow = SlowStep { step: 3, timings: timings(2000, 100), costliest };
        let [a, b] = [0, 1].map(|body: usize| &scene.bodies[body].name);
        let expected = format!(
            "step 3 took 2.1 s: 93 % of its collision work is for {a} – {b} (200 candidates in 12 searches within up to \
             1.80 mm, 99 % of them false alarms; edges of its finer mesh are 0.60 mm long)"
        );
        assert_eq!(slow.text(&scene), expected);
        let slow = SlowStep { timings: timings(100, 900), ..slow };
        assert_eq!(slow.text(&scene), "step 3 took 1.0 s, 90 % of it in solve");
    }

    #[test]
    fn a_slow_step_is_told_of_the_budget_once_and_not_under_one() {
        let mut scene = load_scene("chain", None).unwrap();
        let slow = |query_ms, solve_ms| {
            let timings = timings(query_ms, solve_ms);
            SlowStep { step: 3, timings, costliest: None }
        };
        let world = World::new(&scene).unwrap();
        let mut steps = SlowSteps::default();
        assert_eq!(steps.advice(&slow(100, 900), &world), None);
        assert_eq!(steps.advice(&slow(900, 100), &world), Some(ADVICE));
        assert_eq!(steps.advice(&slow(900, 100), &world), None);
        scene.config.budget = Some(Budget { tests: Some(1000), ..Budget::default() });
        let world = World::new(&scene).unwrap();
        assert_eq!(SlowSteps::default().advice(&slow(900, 100), &world), None);
    }

    #[test]
    fn a_run_of_slow_steps_says_only_those_that_are_much_slower_than_the_last_said() {
        let world = World::new(&load_scene("chain", None).unwrap()).unwrap();
        let mut steps = SlowSteps::default();
        let said = [499, 501, 700, 760, 1000, 900, 1141, 300].map(|ms| {
            let said = steps.add(&world, &timings(ms, 0));
            said.map(|slow| slow.timings.total().as_millis())
        });
        assert_eq!(said, [None, Some(501), None, Some(760), None, None, Some(1141), None]);
        assert_eq!(steps.slowest().map(|slow| slow.timings.total().as_millis()), Some(1141));
        let mut costs = Costs::default();
        for query in [100, 600, 501] {
            costs.add(&StepCost { timings: timings(query, 0), ..StepCost::default() });
        }
        let scene = load_scene("chain", None).unwrap();
        let figures = SlowStepFigures::of(&scene, &costs, None);
        assert_eq!((figures.count, figures.slowest.map(|s| (s.step, s.ms))), (2, Some((2, 600.0))));
    }
}
