//! `cab-crowd`: figures that walk through standing parts, many at once, in whole steps of a world.

use std::time::Duration;

use glam::{DVec3, Vec3};

use super::MotionError;
use super::motion::{add_body, add_mesh};
use super::replay::KINDS;
use crate::articulation::LinkTreeKind;
use crate::body::Motion;
use crate::config::Config;
use crate::experiment::table::{Cell, Table};
use crate::experiment::{Chart, ExperimentError, Findings, Options, Plot, ShapeError, Watch, lines_by_size};
use crate::mesh::generate::cuboid;
use crate::pose::Pose;
use crate::scene::{Scene, load_scene};
use crate::timing::Timings;
use crate::world::{StepCounts, World};

const QUICK: [u32; 1] = [4];
const FULL: [u32; 3] = [10, 100, 1000];
const THREADS: [u32; 2] = [1, 2];
/// From one figure with its parts to the next, aside and behind, m: as near as the parts allow.
const AISLE: f64 = 2.3;
const ROW: f64 = 7.4;
/// Steps that one kind takes before the next has its turn.
const BLOCK: u32 = 5;

/// One world and what its steps took.
struct Run {
    kind: LinkTreeKind,
    world: World,
    sum: Timings,
    counts: StepCounts,
}

pub fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let step_count = options.steps(20, 60);
    let mut table = Table::new(&[
        "figures",
        "links",
        "bodies",
        "kind",
        "threads",
        "update (ms)",
        "test (ms)",
        "query (ms)",
        "solve (ms)",
        "total (ms)",
        "volume tests",
        "pairs",
        "state",
    ]);
    let (mut points, mut disagreements) = (Vec::new(), Vec::new());
    for &count in if options.quick { &QUICK[..] } else { &FULL } {
        let scene = crowd(count)?;
        let mut expected = None;
        for threads in THREADS {
            watch(&format!("{count} figures, {} bodies, {threads} threads", scene.bodies.len()));
            for run in measure(&scene, threads, step_count)? {
                let hash = run.world.state_hash();
                let expected = *expected.get_or_insert(hash);
                if hash != expected {
                    disagreements.push(format!(
                        "{count} figures: {} on {threads} threads ends at {hash:016x}, others at {expected:016x}",
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
    let notes = vec![format!(
        "means over {step_count} steps; volume tests and pairs a step; state: of all bodies after the last step"
    )];
    let chart = Chart {
        title: "Walking figures among standing parts, one thread".to_owned(),
        plot: Plot::Lines {
            x_label: "figures".to_owned(),
            y_label: "update and test (ms a step)".to_owned(),
            x_log: true,
            series: lines_by_size(&points, 1.0),
        },
    };
    Ok(Findings { table, chart, disagreements, notes })
}

/// The built-in figure with what stands in its way, side by side and one behind the other.
fn crowd(count: u32) -> Result<Scene, ShapeError> {
    let one = load_scene("walk-through", None)?;
    let ground = |s: &Scene| s.bodies.iter().position(|b| b.name == "ground");
    let without = ground(&one);
    let mut scene = Scene { bodies: Vec::new(), skeletons: Vec::new(), drawn: Vec::new(), ..one.clone() };
    scene.pair_rules.clear();
    let side = f64::from(count).sqrt().ceil();
    for k in 0..count {
        let place = DVec3::new(AISLE * (f64::from(k) % side), 0.0, ROW * (f64::from(k) / side).floor());
        let first = scene.bodies.len() as u32;
        let mut index = vec![None; one.bodies.len()];
        for (i, body) in one.bodies.iter().enumerate().filter(|(i, _)| Some(*i) != without) {
            index[i] = Some(scene.bodies.len() as u32 - first);
            let mut body = body.clone();
            body.pose.position += place;
            scene.bodies.push(body);
        }
        for figure in &one.skeletons {
            let mut figure = figure.clone();
            let moved = index[figure.first_body as usize].unwrap_or(0);
            figure.first_body = first + moved;
            figure.motion.poses.iter_mut().for_each(|p| p.position += place);
            scene.skeletons.push(figure);
        }
    }
    let size = (AISLE * side).max(ROW * side) + 40.0;
    let slab = cuboid(Vec3::new(size as f32, 1.0, size as f32), size);
    let ground = add_mesh(&mut scene, "ground", &slab).map_err(|source| ShapeError::Generate { source })?;
    let middle = DVec3::new(0.5 * AISLE * side, -0.5, 0.5 * ROW * side);
    add_body(&mut scene, Some(ground), Motion::Static, Pose::from_position(middle));
    Ok(scene)
}

/// Every kind in turn, a few steps each.
fn measure(scene: &Scene, threads: u32, step_count: u32) -> Result<Vec<Run>, MotionError> {
    let start = |kind| -> Result<Run, MotionError> {
        let config = Config { links: kind, threads, ..scene.config.clone() };
        let world = World::new(&Scene { config, ..scene.clone() })?;
        Ok(Run { kind, world, sum: Timings::default(), counts: StepCounts::default() })
    };
    let mut runs = KINDS.into_iter().map(start).collect::<Result<Vec<_>, _>>()?;
    for first in (0..step_count).step_by(BLOCK as usize) {
        for run in &mut runs {
            for _ in first..step_count.min(first + BLOCK) {
                let timings = run.world.step();
                run.sum.update += timings.update;
                run.sum.test += timings.test;
                run.sum.query += timings.query;
                run.sum.solve += timings.solve;
                run.counts += run.world.counts();
            }
        }
    }
    Ok(runs)
}

fn row(scene: &Scene, run: &Run, threads: u32, step_count: u32) -> Vec<Cell> {
    let a_step = |time: Duration| milliseconds(time) / f64::from(step_count);
    let mean = |count: u64| count as f64 / f64::from(step_count);
    let Timings { update, test, query, solve } = run.sum;
    let mut cells: Vec<Cell> = vec![
        scene.skeletons.len().into(),
        scene.skeletons.iter().map(|s| s.link_count as usize).sum::<usize>().into(),
        scene.bodies.len().into(),
        run.kind.label().into(),
        u64::from(threads).into(),
    ];
    cells.extend([update, test, query, solve, run.sum.total()].map(|t| Cell::from(a_step(t))));
    cells.extend([run.counts.node_tests, run.counts.pairs].map(|c| Cell::from(mean(c))));
    cells.push(format!("{:016x}", run.world.state_hash()).as_str().into());
    cells
}

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
