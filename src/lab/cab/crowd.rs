//! `cab-crowd`: time of whole steps under every link hierarchy, with many articulated characters that
//! walk through static parts.

use std::time::Duration;

use glam::{DVec3, Vec3};

use super::MotionError;
use super::methods::KINDS;
use super::motion::{add_body, add_mesh};
use crate::articulation::LinkTreeKind;
use crate::body::Motion;
use crate::config::Config;
use crate::experiment::{Experiment, Family, Takes};
use crate::generate::cuboid;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene, SkeletonDef, load_scene};
use crate::table::{Cell, Table};
use crate::timing::Timings;
use crate::turns::{self, FEW_REPEATS, Times, turns};
use crate::world::{StepCounts, World};
use crate::{Chart, ExperimentError, Findings, Options, Plot, ShapeError, Watch, lines_by_size};

pub const EXPERIMENT: Experiment = Experiment {
    name: "cab-crowd",
    about: "steps with crowds of walking figures, on one and two threads",
    item: None,
    family: Family::Links,
    takes: Takes::NOTHING,
    run,
};

const QUICK: [u32; 1] = [4];
const FULL: [u32; 3] = [10, 100, 1000];
const THREADS: [u32; 2] = [1, 2];
/// Number of characters in front of one set of parts, their lateral distance, m, and their lead over
/// the position in the built-in scene, m. With these values elbows overlap, and the first crates are
/// two steps away.
const ABREAST: u32 = 4;
const ELBOW: f64 = 0.5;
const AHEAD: f64 = 2.2;
/// Distance from one set of parts to the next, sideways and backward, m.
const AISLE: f64 = 2.3;
const ROW: f64 = 7.4;
const GROUND: &str = "ground";
/// Largest number of steps times characters. Larger crowds make fewer steps.
const MOST: u32 = 20_000;
/// Number of steps that a world makes before the next world takes its turn.
const BLOCK: usize = 5;

const NOTE: &str = "means over the steps of the last of three runs; total: of the median run; state: hash of all \
                    bodies after the last step, the same for every kind and number of threads";

/// One world, with the times and counts of its steps in the last repeat.
struct CrowdRun {
    kind: LinkTreeKind,
    world: World,
    /// Times of whole steps.
    times: Times,
    sum: Timings,
    counts: StepCounts,
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let steps = options.steps(20, 60);
    let mut table = Table::new(&[
        "figures",
        "links",
        "bodies",
        "kind",
        "threads",
        "steps",
        "update (ms)",
        "test (ms)",
        "query (ms)",
        "solve (ms)",
        "total (ms)",
        "95 % (ms)",
        "volume tests",
        "pairs",
        "state",
        "repeats (ms)",
    ]);
    let (mut points, mut disagreements) = (Vec::new(), Vec::new());
    for &count in if options.quick { &QUICK[..] } else { &FULL } {
        let scene = crowd(count)?;
        let step_count = steps.min(MOST / count);
        let mut expected = None;
        for threads in THREADS {
            watch(&format!("{count} figures, {} bodies, {threads} threads", scene.bodies.len()));
            for run in measure(&scene, threads, step_count)? {
                let hash = run.world.state_hash();
                let expected = *expected.get_or_insert(hash);
                if hash != expected {
                    disagreements.push(format!(
                        "{count} figures: {} on {threads} threads ends in state {hash:016x}, the others in \
                         {expected:016x}",
                        run.kind.label()
                    ));
                }
                table.rows.push(row(&scene, &run, threads, step_count));
                if threads == 1 {
                    let update = milliseconds(run.sum.update + run.sum.test) / f64::from(step_count);
                    points.push((run.kind.label().to_owned(), count as usize, update));
                }
            }
        }
    }
    let notes = [NOTE, turns::NOTE].map(str::to_owned).to_vec();
    let chart = Chart {
        title: "Walking figures among resting parts, one thread".to_owned(),
        plot: Plot::Lines {
            x_label: "figures".to_owned(),
            y_label: "update and test (ms per step)".to_owned(),
            x_log: true,
            series: lines_by_size(&points, 1.0),
        },
    };
    Ok(Findings { table, chart, disagreements, notes })
}

/// Creates a scene with groups of the built-in character, several abreast in front of a copy of its
/// parts.
fn crowd(count: u32) -> Result<Scene, ShapeError> {
    let one = load_scene("walk-through", None)?;
    let mut scene = Scene { bodies: Vec::new(), skeletons: Vec::new(), drawn: Vec::new(), ..one.clone() };
    scene.pair_rules.clear();
    let mut in_figure = vec![false; one.bodies.len()];
    for figure in &one.skeletons {
        in_figure[links(figure)].fill(true);
    }
    let placed = |body: &BodyDef, by: DVec3| {
        let mut body = body.clone();
        body.pose.position += by;
        body
    };
    let side = f64::from(count.div_ceil(ABREAST)).sqrt().ceil();
    for k in 0..count {
        let tile = f64::from(k / ABREAST);
        let tile = DVec3::new(AISLE * (tile % side), 0.0, ROW * (tile / side).floor());
        if k % ABREAST == 0 {
            let parts =
                one.bodies.iter().zip(&in_figure).filter(|(b, in_figure)| !**in_figure && b.name != GROUND);
            scene.bodies.extend(parts.map(|(body, _)| placed(body, tile)));
        }
        let aside = f64::from(k % ABREAST) - 0.5 * f64::from(ABREAST - 1);
        let by = tile + DVec3::new(ELBOW * aside, 0.0, AHEAD);
        for figure in &one.skeletons {
            let first_body = scene.bodies.len() as u32;
            scene.bodies.extend(one.bodies[links(figure)].iter().map(|body| placed(body, by)));
            let mut figure = SkeletonDef { first_body, ..figure.clone() };
            figure.motion.poses.iter_mut().for_each(|p| p.position += by);
            scene.skeletons.push(figure);
        }
    }
    let size = (AISLE * side).max(ROW * side) + 40.0;
    let slab = cuboid(Vec3::new(size as f32, 1.0, size as f32), size);
    let ground = add_mesh(&mut scene, GROUND, &slab).map_err(|source| ShapeError::Generate { source })?;
    let middle = DVec3::new(0.5 * AISLE * side, -0.5, 0.5 * ROW * side);
    add_body(&mut scene, Some(ground), Motion::Static, Pose::from_position(middle));
    Ok(scene)
}

fn links(figure: &SkeletonDef) -> std::ops::Range<usize> {
    figure.first_body as usize..(figure.first_body + figure.link_count) as usize
}

/// Runs the worlds of all kinds in turns of a few steps, with several repeats.
fn measure(scene: &Scene, threads: u32, step_count: u32) -> Result<Vec<CrowdRun>, MotionError> {
    let start = |kind| -> Result<CrowdRun, MotionError> {
        let config = Config { links: kind, threads, ..scene.config.clone() };
        let world = World::new(&Scene { config, ..scene.clone() })?;
        let (times, sum, counts) = Default::default();
        Ok(CrowdRun { kind, world, times, sum, counts })
    };
    let mut runs = KINDS.into_iter().map(start).collect::<Result<Vec<_>, _>>()?;
    let steps: Vec<u32> = (0..step_count).collect();
    let blocks: Vec<_> = steps.chunks(BLOCK).collect();
    for turn in turns(FEW_REPEATS, blocks.len(), runs.len()) {
        let run = &mut runs[turn.contender];
        if turn.block == 0 && turn.repeat > 0 {
            *run = CrowdRun { times: std::mem::take(&mut run.times), ..start(run.kind)? };
        }
        let mut took = Duration::ZERO;
        for _ in blocks[turn.block] {
            let timings = run.world.step();
            took += timings.total();
            run.sum += timings;
            run.counts += run.world.counts();
        }
        run.times.add(turn.block, took);
    }
    Ok(runs)
}

fn row(scene: &Scene, run: &CrowdRun, threads: u32, step_count: u32) -> Vec<Cell> {
    let a_step = |time: Duration| milliseconds(time) / f64::from(step_count);
    let mean = |count: u64| count as f64 / f64::from(step_count);
    let Timings { update, test, query, solve } = run.sum;
    let [interval, repeats] = run.times.cells(1e3 / f64::from(step_count));
    let mut cells: Vec<Cell> = vec![
        scene.skeletons.len().into(),
        scene.skeletons.iter().map(|s| s.link_count as usize).sum::<usize>().into(),
        scene.bodies.len().into(),
        run.kind.label().into(),
        u64::from(threads).into(),
        u64::from(step_count).into(),
    ];
    cells.extend([update, test, query, solve].map(|t| Cell::from(a_step(t))));
    cells.extend([(1e3 * run.times.median() / f64::from(step_count)).into(), interval]);
    cells.extend([run.counts.node_tests, run.counts.pairs].map(|c| Cell::from(mean(c))));
    cells.extend([format!("{:016x}", run.world.state_hash()).as_str().into(), repeats]);
    cells
}

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
