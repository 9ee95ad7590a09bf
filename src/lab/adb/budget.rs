//! `adb-budget`: whole scenes whose contacts are found under shrinking budgets. It measures the time of
//! a step, the pairs left unsearched, the share of wrong guesses about them, and the deviation of the
//! motion.
//!
//! A budget is a share of the node tests that a step without a limit takes on average.

use std::time::Duration;

use glam::DVec3;

use crate::arrays::MapEach;
use crate::body::Motion;
use crate::cab::MotionError;
use crate::chart::Panel;
use crate::config::{Budget, Config};
use crate::experiment::{Experiment, Family, Takes};
use crate::scene::{DEFAULT_SCENE, Scene, SceneName, load_scene};
use crate::table::{Cell, Table};
use crate::turns::{self, FEW_REPEATS, Times, turns};
use crate::world::{Check, StepCounts, World};
use crate::{Chart, ExperimentError, Findings, Options, Plot, Series, ShapeError, Watch, distinct, shapes};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-budget",
    about: "scenes under decreasing budgets: time, wrong estimates, and the motion that results",
    item: None,
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

/// Budgets as shares of the mean cost of an unlimited step.
const SHARES: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.0];
/// One of every `SAMPLE` unsearched pairs is also searched exactly.
const SAMPLE: u32 = 4;
/// Number of steps that a world makes before the next world takes its turn.
const BLOCK: usize = 5;

const COLUMNS: [&str; 21] = [
    "scene",
    "tree",
    "steps",
    "budget (%)",
    "node tests",
    "mean (ms)",
    "95 % (ms)",
    "worst (ms)",
    "used",
    "over (%)",
    "starved",
    "interrupted",
    "sampled",
    "false (%)",
    "missed (%)",
    "calibration (%)",
    "penetration (mm)",
    "lowest (m)",
    "energy (J)",
    "asleep",
    "repeats (ms)",
];

const NOTES: [&str; 2] = [
    "budget: share of the mean cost of a step without a budget, or none; node tests: other work counts as node \
     tests too; mean, worst: test and query of a step, mean of the median run and worst of the last of three \
     runs; used, starved, interrupted: node tests, unsearched pairs and searches that ended early, per step; \
     over: steps that used more than the budget; sampled: unsearched pairs that were tested exactly afterwards; \
     false, missed, calibration: errors of the estimates for them; all other columns: after the last step; \
     lowest: center of the lowest movable body",
    turns::NOTE,
];

/// Budget of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Allowed {
    /// Share of the mean cost of an unlimited step.
    share: f64,
    node_tests: u64,
}

/// One world, with its counts and the times of its steps in the last repeat.
struct BudgetRun {
    /// Budget; `None` for an unlimited run.
    allowed: Option<Allowed>,
    world: World,
    repeats: Times,
    times: Vec<Duration>,
    counts: StepCounts,
    steps_over: u32,
}

/// Point of the chart: one scene under one budget.
struct Point {
    name: String,
    allowed: Allowed,
    figures: Figures,
}

/// Quantities of one run that are drawn.
#[derive(Clone, Copy, Debug)]
struct Figures {
    /// Mean time of a step, ms.
    mean: f64,
    worst: f64,
    /// Wrong guesses in % of all guesses; `missed` is the share of missed intersections.
    false_share: f64,
    missed: f64,
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let own = [SceneName::from(DEFAULT_SCENE)];
    let files = if options.meshes.is_empty() { &own[..] } else { &options.meshes };
    let (mut table, mut points) = (Table::new(&COLUMNS), Vec::new());
    for file in files {
        let name = shapes::label(file, files);
        let mut scene = load_scene(file.clone(), None).map_err(ShapeError::Scene)?;
        let steps = options.steps(scene.steps.min(20), scene.steps);
        let split = options.adb_rule_or(scene.config.split)?;
        let kinds = if options.kinds.is_empty() { vec![scene.config.tree] } else { options.kinds(&[]) };
        for &tree in &kinds {
            scene.config = Config { threads: 1, tree, split, budget: None, ..scene.config };
            let name = if kinds.len() > 1 { format!("{name}, {}", tree.name()) } else { name.clone() };
            watch(&format!("{name}: {steps} steps to measure their cost"));
            let mean = mean_cost(&scene, steps)?;
            watch(&format!("{name}: {steps} steps, {} budgets", SHARES.len()));
            for run in measure(&scene, mean, steps)? {
                let figures = run.figures();
                table.rows.push(row(&name, &scene, &run, figures));
                points.extend(run.allowed.map(|allowed| Point { name: name.clone(), allowed, figures }));
            }
        }
    }
    Ok(Findings {
        table,
        chart: chart(&points),
        disagreements: Vec::new(),
        notes: NOTES.map(str::to_owned).to_vec(),
    })
}

fn world(scene: &Scene, tests: Option<u64>) -> Result<World, MotionError> {
    let budget = tests.map(|tests| Budget { us: None, tests: Some(tests), sample: SAMPLE });
    Ok(World::new(&Scene { config: Config { budget, ..scene.config }, ..scene.clone() })?)
}

/// Returns the mean number of node tests of an unlimited step. The median would be too small, because
/// in most steps of a long run all bodies are at rest.
fn mean_cost(scene: &Scene, steps: u32) -> Result<u64, MotionError> {
    let mut world = world(scene, Some(u64::MAX))?;
    let mut sum = 0;
    for _ in 0..steps {
        world.step();
        sum += world.counts().units_used;
    }
    Ok(sum / u64::from(steps.max(1)))
}

/// Runs the scene without a budget and under each budget; the worlds take turns.
fn measure(scene: &Scene, mean: u64, steps: u32) -> Result<Vec<BudgetRun>, MotionError> {
    let allowed = SHARES.map_each(|share| Some(Allowed { share, node_tests: (share * mean as f64) as u64 }));
    let start = |allowed: Option<Allowed>| -> Result<BudgetRun, MotionError> {
        let world = world(scene, allowed.map(|a| a.node_tests))?;
        let (repeats, times, counts) = Default::default();
        Ok(BudgetRun { allowed, world, repeats, times, counts, steps_over: 0 })
    };
    let mut runs = [None].into_iter().chain(allowed).map(start).collect::<Result<Vec<_>, _>>()?;
    let steps: Vec<u32> = (0..steps).collect();
    let blocks: Vec<_> = steps.chunks(BLOCK).collect();
    for turn in turns(FEW_REPEATS, blocks.len(), runs.len()) {
        let run = &mut runs[turn.contender];
        if turn.block == 0 && turn.repeat > 0 {
            *run = BudgetRun { repeats: std::mem::take(&mut run.repeats), ..start(run.allowed)? };
        }
        let took = blocks[turn.block].iter().map(|_| run.step()).sum();
        run.repeats.add(turn.block, took);
    }
    Ok(runs)
}

impl BudgetRun {
    /// Makes a step and returns the time of its stages *test* and *query*.
    fn step(&mut self) -> Duration {
        let timings = self.world.step();
        let counts = self.world.counts();
        let took = timings.test + timings.query;
        self.times.push(took);
        self.counts += counts;
        self.steps_over += u32::from(self.allowed.is_some_and(|a| counts.units_used > a.node_tests));
        took
    }

    fn figures(&self) -> Figures {
        let ms = |time: Duration| 1e3 * time.as_secs_f64();
        let guesses = |wrong: u64| 100.0 * wrong as f64 / self.counts.sampled.max(1) as f64;
        Figures {
            mean: 1e3 * self.repeats.median() / self.times.len().max(1) as f64,
            worst: ms(self.times.iter().max().copied().unwrap_or_default()),
            false_share: guesses(self.counts.false_collisions),
            missed: guesses(self.counts.missed_collisions),
        }
    }

    /// Returns the height of the lowest movable body, m, or NaN if there is none.
    fn lowest(&self, gravity: DVec3) -> f64 {
        let up = (-gravity).try_normalize().unwrap_or(DVec3::Y);
        let states = self.world.bodies().states.iter().filter(|s| s.motion == Motion::Dynamic);
        states.map(|s| up.dot(s.world_center())).fold(f64::NAN, f64::min)
    }
}

fn row(name: &str, scene: &Scene, run: &BudgetRun, figures: Figures) -> Vec<Cell> {
    let steps = run.times.len().max(1) as f64;
    let [interval, repeats] = run.repeats.cells(1e3 / steps);
    let under = |value: f64| if run.allowed.is_some() { value.into() } else { Cell::Nothing };
    let guessed = |value: f64| if run.counts.sampled > 0 { value.into() } else { Cell::Nothing };
    let starved: u32 = run.world.starved_pairs().iter().map(|pair| pair.starved_steps).sum();
    let calibration = run.world.check().map_or(0.0, Check::expected_calibration_error);
    vec![
        name.into(),
        scene.config.tree.name().as_str().into(),
        run.times.len().into(),
        run.allowed.map_or("none".into(), |a| Cell::from(100.0 * a.share)),
        run.allowed.map_or(Cell::Nothing, |a| a.node_tests.into()),
        figures.mean.into(),
        interval,
        figures.worst.into(),
        under(run.counts.units_used as f64 / steps),
        under(100.0 * f64::from(run.steps_over) / steps),
        under(f64::from(starved) / steps),
        under(run.counts.interrupted as f64 / steps),
        run.allowed.map_or(Cell::Nothing, |_| run.counts.sampled.into()),
        guessed(figures.false_share),
        guessed(figures.missed),
        guessed(100.0 * calibration),
        (1e3 * run.world.measures().penetration).into(),
        run.lowest(scene.gravity).into(),
        run.world.measures().energy.into(),
        u64::from(run.world.sleeping_count()).into(),
        repeats,
    ]
}

/// Draws the results against the budget, on a logarithmic axis without the budget of zero.
fn chart(points: &[Point]) -> Chart {
    let names = distinct(&points.iter().map(|p| &p.name[..]).collect::<Vec<_>>());
    let panel = |y_label: &str, y_log: bool, value: fn(&Figures) -> f64| {
        let line = |name: &&str| {
            let own = points.iter().filter(|p| p.name == *name && p.allowed.share > 0.0);
            let points = own.map(|p| (100.0 * p.allowed.share, value(&p.figures))).collect();
            Series { name: (*name).to_owned(), points }
        };
        Panel { y_label: y_label.to_owned(), y_log, series: names.iter().map(line).collect() }
    };
    Chart {
        title: "Scenes under a budget".to_owned(),
        plot: Plot::Panels {
            x_label: "budget (% of the mean cost of a step)".to_owned(),
            x_log: true,
            panels: vec![
                panel("mean time (ms)", false, |f| f.mean),
                panel("worst time (ms)", true, |f| f.worst),
                panel("false collisions (%)", false, |f| f.false_share),
                panel("missed collisions (%)", false, |f| f.missed),
            ],
        },
    }
}
