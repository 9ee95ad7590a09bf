//! `boxes-dynamic`: time per frame of every broad phase on moving boxes, with the structure that it
//! keeps between frames. \[boxes\] §3.4, and the question at the end of §5.

use std::time::Duration;

use super::contender::{Contender, Finder, Took, milliseconds, set_number};
use super::sets::{BoxSet, Motion, MovingSet};
use super::{table, too_slow};
use crate::arrays::MapEach;
use crate::broad::Pair;
use crate::experiment::{Experiment, Family, Takes};
use crate::fingerprint;
use crate::order::Order;
use crate::table::Cell;
use crate::turns::{FEW_REPEATS, Times, turns};
use crate::{Chart, ExperimentError, Findings, Options, Plot, Watch, lines_by_size};

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxes-dynamic",
    about: "broad phases over frames of motion, with the structures kept between frames",
    item: Some("[boxes] §3.4"),
    family: Family::Boxes,
    takes: Takes::NOTHING,
    run,
};

/// Number of frames that a contender runs before the next contender takes its turn.
const BLOCK: usize = 10;

const COLUMNS: &str = "means over the frames; total: update and find, median of three runs; other columns: of the \
                       last run; sort, which orders the pairs, is not in the total; made anew: frames in which \
                       the structure was built from scratch";

/// Largest time per frame, as a share of the usual time limit. It is below 1 because there are many
/// frames.
const LIMIT: f64 = 0.1;

const QUICK: [u32; 2] = [1000, 2000];
const FULL: [u32; 3] = [1600, 10_000, 100_000];

/// Results of a contender over all frames of the last repeat.
struct FrameResults {
    contender: Contender,
    finder: Box<dyn Finder>,
    times: Times,
    frames: Vec<Took>,
    pair_count: usize,
    /// Fingerprint of the pairs of all frames.
    fingerprint: u64,
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut table = table(&["max (ms)", "sort (ms)", "made anew", "frames", "bytes a box", "repeats (ms)"]);
    let mut notes = options.box_notes(COLUMNS);
    let (mut points, mut disagreements, mut slow) = (Vec::new(), Vec::new(), Vec::new());
    let frame_count = options.steps(20, 100) as usize;
    let limit = LIMIT * options.time_limit();
    let sizes: Vec<usize> = options.sizes(&QUICK, &FULL).into_iter().map(|size| size as usize).collect();
    for set in MovingSet::ALL {
        for &size in &sizes {
            let motion = set.start(size);
            watch(&format!("{}: {size} boxes, {frame_count} frames", set.name()));
            let contenders = options.contenders(true);
            // On the smallest set no contender is excluded for its time.
            let own_limit = if Some(&size) == sizes.iter().min() { f64::INFINITY } else { limit };
            let (runs, unable) = options
                .on_threads(|| measure(&contenders, &motion, frame_count, own_limit, options.threads))?;
            slow.extend(unable.iter().map(|c| (c.name(), size)));
            let count = motion.frame(0).len();
            for run in &runs {
                if run.fingerprint != runs[0].fingerprint {
                    let [own, first] = [run, &runs[0]].map_each(|r| (r.contender.name(), r.pair_count));
                    disagreements.push(format!(
                        "{}: {} finds {} pairs in all frames, {} finds different pairs: {}",
                        set.name(),
                        own.0,
                        own.1,
                        first.0,
                        first.1
                    ));
                }
                let name = run.contender.label(options.threads);
                table.rows.push(row(set, count, &name, run));
                if set == MovingSet::Drift(BoxSet::Uniform) {
                    points.push((name, count, run.mean()));
                }
            }
        }
    }
    slow.order();
    slow.dedup();
    notes.extend(too_slow(&slow, limit));
    let chart = Chart {
        title: format!(
            "Uniform boxes that drift by 1 % of their size per frame, mean over {frame_count} frames"
        ),
        plot: Plot::Lines {
            x_label: "boxes".to_owned(),
            y_label: "update and find (ms per frame)".to_owned(),
            x_log: true,
            series: lines_by_size(&points, 1.0),
        },
    };
    Ok(Findings { table, chart, disagreements, notes })
}

/// Runs the contenders in turns, with a new structure in each repeat. Also returns the contenders that
/// were excluded, because they would take more than `limit` seconds per frame.
fn measure(
    contenders: &[Contender],
    motion: &Motion,
    frame_count: usize,
    limit: f64,
    thread_count: usize,
) -> (Vec<FrameResults>, Vec<Contender>) {
    let start = |&contender: &Contender| FrameResults {
        contender,
        finder: contender.make(thread_count),
        times: Times::default(),
        frames: Vec::with_capacity(frame_count),
        pair_count: 0,
        fingerprint: 0,
    };
    let mut runs: Vec<FrameResults> = contenders.iter().map(start).collect();
    let mut unable = Vec::new();
    let (mut pairs, mut boxes): (Vec<Pair>, Vec<_>) = Default::default();
    let frames: Vec<usize> = (0..frame_count).collect();
    let blocks: Vec<_> = frames.chunks(BLOCK).collect();
    for turn in turns(FEW_REPEATS, blocks.len(), runs.len()) {
        let run = &mut runs[turn.contender];
        if unable.contains(&run.contender) {
            continue;
        }
        if turn.is_first || boxes.is_empty() {
            boxes = blocks[turn.block].iter().map(|&frame| motion.frame(frame)).collect();
        }
        if turn.block == 0 {
            *run = FrameResults { times: std::mem::take(&mut run.times), ..start(&run.contender) };
        }
        let mut took = Duration::ZERO;
        for boxes in &boxes {
            let frame = run.finder.frame(boxes, &mut pairs);
            took += frame.total();
            run.frames.push(frame);
            run.pair_count += pairs.len();
            run.fingerprint = fingerprint::after(run.fingerprint, set_number(&pairs));
            if run.frames.len() == 1 && run.frames[0].total().as_secs_f64() > limit {
                unable.push(run.contender);
                break;
            }
        }
        run.times.add(turn.block, took);
    }
    runs.retain(|run| !unable.contains(&run.contender));
    (runs, unable)
}

fn row(set: MovingSet, count: usize, name: &str, run: &FrameResults) -> Vec<Cell> {
    let frames = &run.frames;
    let most = frames.iter().map(total).fold(0.0, f64::max);
    let [interval, repeats] = run.times.cells(1e3 / frames.len() as f64);
    let sort = if frames.iter().all(|t| t.sort.is_some()) {
        mean(frames, |t| t.sort.map_or(0.0, milliseconds)).into()
    } else {
        Cell::Nothing
    };
    let made = frames.iter().filter(|t| t.made == Some(true)).count();
    let made = if frames.iter().all(|t| t.made.is_some()) { made.into() } else { Cell::Nothing };
    vec![
        set.name().into(),
        count.into(),
        name.into(),
        (run.pair_count as f64 / frames.len() as f64).into(),
        mean(frames, |t| milliseconds(t.update)).into(),
        mean(frames, |t| milliseconds(t.find)).into(),
        run.mean().into(),
        interval,
        most.into(),
        sort,
        made,
        frames.len().into(),
        (run.finder.byte_count() as f64 / count as f64).into(),
        repeats,
    ]
}

impl FrameResults {
    /// Returns the mean time per frame, ms.
    fn mean(&self) -> f64 {
        1e3 * self.times.median() / self.frames.len() as f64
    }
}

fn total(took: &Took) -> f64 {
    milliseconds(took.total())
}

fn mean(frames: &[Took], pick: impl Fn(&Took) -> f64) -> f64 {
    frames.iter().map(pick).sum::<f64>() / frames.len() as f64
}
