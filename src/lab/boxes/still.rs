//! Broad phases on static boxes: time per frame of every broad phase from scratch, and of a second
//! frame with the structure that it kept. \[boxes\] Figs. 3–5

use std::time::Duration;

use super::comparisons::comparisons;
use super::contender::{Contender, Took, milliseconds, set_number};
use super::sets::BoxSet;
use super::{table, too_slow};
use crate::arrays::MapEach;
use crate::broad::{BroadPhaseKind, Pair};
use crate::experiment::{Experiment, Family, Takes};
use crate::order::Order;
use crate::table::Cell;
use crate::turns::{REPEATS, Times, turns};
use crate::volume::Aabb;
use crate::{Chart, ExperimentError, Findings, Options, Plot, Series, Watch};

pub const RANDOM: Experiment = Experiment {
    name: "boxes-random",
    about: "broad phases on boxes crowded into a cube, k = O(n²)",
    item: Some("[boxes] Fig. 3"),
    family: Family::Boxes,
    takes: Takes::NOTHING,
    run: |options, watch| run(&RANDOM_PLAN, options, watch),
};

pub const SPHERE_DENSE: Experiment = Experiment {
    name: "boxes-sphere-dense",
    about: "broad phases on boxes crowded onto a sphere, k = O(n²)",
    item: Some("[boxes] Fig. 3"),
    family: Family::Boxes,
    takes: Takes::NOTHING,
    run: |options, watch| run(&SPHERE_DENSE_PLAN, options, watch),
};

pub const ADJACENT: Experiment = Experiment {
    name: "boxes-adjacent",
    about: "broad phases on touching cubes, built from scratch and again",
    item: Some("[boxes] Fig. 4"),
    family: Family::Boxes,
    takes: Takes::NOTHING,
    run: |options, watch| run(&ADJACENT_PLAN, options, watch),
};

pub const SPHERE: Experiment = Experiment {
    name: "boxes-sphere",
    about: "broad phases on a sphere, k = O(n), built from scratch and again",
    item: Some("[boxes] Fig. 5"),
    family: Family::Boxes,
    takes: Takes::NOTHING,
    run: |options, watch| run(&SPHERE_PLAN, options, watch),
};

pub const UNEVEN: Experiment = Experiment {
    name: "boxes-uneven",
    about: "broad phases on uneven boxes: skewed, of mixed sizes, long, or around all others",
    item: None,
    family: Family::Boxes,
    takes: Takes::NOTHING,
    run: |options, watch| run(&UNEVEN_PLAN, options, watch),
};

/// Time of a frame above which a contender runs in one round only.
const LONG: Duration = Duration::from_secs(1);

const COLUMNS: &str = "median of up to five rounds, each from scratch; total: update and find; again: the same \
                       boxes a second time, with the state that was kept; sort, which orders the pairs, is in \
                       neither; comparisons: of a comparison sort of all ends, like the paper's, and of one of \
                       sorted ends; ours are radix sorts";

/// Sets of an experiment, and their numbers of boxes.
struct Plan {
    title: &'static str,
    sets: &'static [BoxSet],
    quick: &'static [u32],
    full: &'static [u32],
}

const RANDOM_PLAN: Plan = Plan {
    title: "Boxes crowded into a cube, k = O(n²)",
    sets: &[BoxSet::Random],
    quick: &[500, 1000, 2000],
    full: &[1000, 2000, 5000, 10_000, 20_000, 50_000],
};
const SPHERE_DENSE_PLAN: Plan = Plan {
    title: "Boxes crowded onto a sphere, k = O(n²)",
    sets: &[BoxSet::DenseSphere],
    quick: &[500, 1000, 2000],
    full: &[1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
};
const ADJACENT_PLAN: Plan = Plan {
    title: "Touching cubes, k = O(n)",
    sets: &[BoxSet::Adjacent],
    quick: &[512, 1000, 2197],
    full: &[1000, 2197, 4913, 10_648, 50_653, 103_823, 1_000_000],
};
const SPHERE_PLAN: Plan = Plan {
    title: "Boxes on a sphere, k = O(n)",
    sets: &[BoxSet::Sphere],
    quick: &[500, 1000, 2000],
    full: &[1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000],
};
const UNEVEN_PLAN: Plan = Plan {
    title: "Uneven boxes, geometric mean of five sets",
    sets: &[BoxSet::Uniform, BoxSet::Skewed, BoxSet::Mixed, BoxSet::Needles, BoxSet::Giant],
    quick: &[1000, 2000],
    full: &[1000, 10_000, 100_000, 1_000_000],
};

/// Results of a contender on a set.
struct Measured {
    contender: Contender,
    /// Times of frames from scratch, and of second frames with the same boxes.
    times: Times,
    first: Vec<Took>,
    again: Vec<Took>,
    pair_count: usize,
    fingerprint: u64,
    byte_count: usize,
}

fn run(plan: &Plan, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let &Plan { title, sets, .. } = plan;
    let sizes = options.sizes(plan.quick, plan.full);
    let mut table = table(&[
        "again (ms)",
        "sort (ms)",
        "tests",
        "comparisons",
        "comparisons again",
        "bytes a box",
        "repeats (ms)",
    ]);
    let mut notes = options.box_notes(COLUMNS);
    let (mut points, mut disagreements, mut slow) = (Vec::new(), Vec::new(), Vec::new());
    for &set in sets {
        // Number of boxes and time (s) of each contender on the smaller sizes.
        let mut past: Vec<(Contender, f64, f64)> = Vec::new();
        for size in sizes.iter().map(|&size| size as usize) {
            let boxes = set.boxes(size);
            watch(&format!("{}: {} boxes", set.name(), boxes.len()));
            let expected = |c: &Contender| {
                let own: Vec<_> = past.iter().filter(|p| p.0 == *c).map(|p| (p.1, p.2)).collect();
                extrapolated(&own, boxes.len() as f64)
            };
            let (able, unable): (Vec<_>, Vec<_>) =
                options.contenders(false).into_iter().partition(|c| expected(c) <= options.time_limit());
            slow.extend(unable.iter().map(|c| (c.name(), boxes.len())));
            let compared = comparisons(&boxes);
            let measured = options.on_threads(|| measure(&able, &boxes, options.threads))?;
            disagreements.extend(disagree(set, &measured));
            for m in &measured {
                let name = m.contender.label(options.threads);
                table.rows.push(row(set, boxes.len(), &name, m, compared));
                let [first, again] = [&m.first, &m.again].map_each(|took| middle(took, total));
                past.push((m.contender, boxes.len() as f64, 1e-3 * first));
                points.push((name.clone(), size, first));
                let kept = m.again.iter().any(|t| t.made == Some(false));
                if kept {
                    points.push((format!("{name} again"), size, again));
                }
            }
        }
    }
    slow.order();
    slow.dedup();
    notes.extend(too_slow(&slow, options.time_limit()));
    let chart = Chart {
        title: title.to_owned(),
        plot: Plot::Lines {
            x_label: "boxes".to_owned(),
            y_label: "update and find (ms)".to_owned(),
            x_log: true,
            series: complete(crate::lines_by_size(&points, 1.0), &points, sets.len()),
        },
    };
    Ok(Findings { table, chart, disagreements, notes })
}

/// Estimates the time on `count` boxes, s, from the last two sizes by a power law. From a single size,
/// estimates as if all pairs were tested.
fn extrapolated(past: &[(f64, f64)], count: f64) -> f64 {
    match past {
        [] => 0.0,
        [.., (n0, s0), (n, seconds)] if n0 != n => {
            let power = libm::log(seconds / s0) / libm::log(n / n0);
            seconds * libm::pow(count / n, power.clamp(1.0, 2.0))
        }
        [.., (n, seconds)] => seconds * (count / n).powi(2),
    }
}

/// Drops points to which not all sets contribute, because their means would be over other sets.
fn complete(mut lines: Vec<Series>, points: &[(String, usize, f64)], set_count: usize) -> Vec<Series> {
    for line in &mut lines {
        let count = |x: f64| points.iter().filter(|p| p.0 == line.name && p.1 as f64 == x).count();
        line.points.retain(|&(x, _)| count(x.round()) == set_count);
    }
    lines.retain(|line| !line.points.is_empty());
    lines
}

/// Runs all contenders in rounds, each with a new structure per round.
fn measure(contenders: &[Contender], boxes: &[Aabb], thread_count: usize) -> Vec<Measured> {
    let mut pairs: Vec<Pair> = Vec::new();
    let start = |&contender: &Contender| Measured {
        contender,
        times: Times::default(),
        first: Vec::new(),
        again: Vec::new(),
        pair_count: 0,
        fingerprint: 0,
        byte_count: 0,
    };
    let mut measured: Vec<Measured> = contenders.iter().map(start).collect();
    for turn in turns(REPEATS, 1, contenders.len()) {
        let m = &mut measured[turn.contender];
        if turn.repeat > 0 && m.first[0].total() > LONG {
            continue;
        }
        let mut finder = m.contender.make(thread_count);
        let first = finder.frame(boxes, &mut pairs);
        m.times.add(0, first.total());
        m.first.push(first);
        let found = set_number(&pairs);
        m.again.push(finder.frame(boxes, &mut pairs));
        (m.pair_count, m.byte_count) = (pairs.len(), finder.byte_count());
        // If the two frames of a contender find different pairs, its fingerprint is made different from
        // that of every other contender.
        m.fingerprint = if set_number(&pairs) == found { found } else { !found };
    }
    measured
}

fn row(set: BoxSet, count: usize, name: &str, m: &Measured, compared: [u64; 2]) -> Vec<Cell> {
    let optional = |pick: fn(&Took) -> Option<f64>| {
        let known = m.first.iter().all(|t| pick(t).is_some());
        if known { middle(&m.first, |t| pick(t).unwrap_or(0.0)).into() } else { Cell::Nothing }
    };
    let [interval, repeats] = m.times.cells(1e3);
    let is_sweep = matches!(m.contender, Contender::Own(BroadPhaseKind::Sweep(..)));
    let counted = |k: usize| if is_sweep { compared[k].into() } else { Cell::Nothing };
    vec![
        set.name().into(),
        count.into(),
        name.into(),
        m.pair_count.into(),
        middle(&m.first, |t| milliseconds(t.update)).into(),
        middle(&m.first, |t| milliseconds(t.find)).into(),
        middle(&m.first, total).into(),
        interval,
        middle(&m.again, total).into(),
        optional(|t| t.sort.map(milliseconds)),
        m.first[0].test_count.map_or(Cell::Nothing, Cell::from),
        counted(0),
        counted(1),
        (m.byte_count as f64 / count as f64).into(),
        repeats,
    ]
}

fn total(took: &Took) -> f64 {
    milliseconds(took.total())
}

fn middle(rounds: &[Took], pick: impl Fn(&Took) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(pick).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn disagree(set: BoxSet, measured: &[Measured]) -> Vec<String> {
    let Some(first) = measured.first() else { return Vec::new() };
    let others = measured.iter().filter(|m| m.fingerprint != first.fingerprint);
    let say = |m: &Measured| {
        format!(
            "{}: {} finds {} pairs, {} finds different pairs: {}",
            set.name(),
            m.contender.name(),
            m.pair_count,
            first.contender.name(),
            first.pair_count
        )
    };
    others.map(say).collect()
}
