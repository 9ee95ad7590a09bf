//! `adb-tables`: entries, time and error of the paper's look-up tables of filled bins (one table per
//! x), and of the formula that replaces them. \[adb\] §4.2.3, Fig. 15

use std::hint::black_box;
use std::time::Instant;

use super::model::{MAX_BINS, MAX_FILLED, tails};
use super::tables::{FULL_ENTRIES, Table as LookUp};
use crate::experiment::{Experiment, Family, Takes};
use crate::random::Random;
use crate::table::{Cell, Table};
use crate::turns::{self, Times, turns};
use crate::{Chart, Findings, Options, Plot, Series, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-tables",
    about: "look-up tables of filled bins, and the formula that replaces them",
    item: Some("[adb] Fig. 15"),
    family: Family::Meshes,
    takes: Takes::NOTHING,
    run: |options, watch| Ok(run(options, watch)),
};

/// Number of triples (u, v, w) per timed block, and numbers of repeats.
const BLOCK: usize = 4096;
const ROUNDS: usize = 31;
const QUICK_ROUNDS: usize = 3;

const PAPER: &str =
    "the paper: 256 MB per full table, a 17th of that on average with the cut-off, 93 hours for all ten";

fn run(options: &Options, watch: Watch) -> Findings {
    watch("filling ten tables");
    let start = Instant::now();
    let tables = LookUp::build();
    let build = start.elapsed().as_secs_f64();
    watch("looking up");
    let rounds = if options.quick { QUICK_ROUNDS } else { ROUNDS };
    let (times, formula) = times(&tables, rounds);
    let ns = |times: &Times| 1e9 * times.median() / BLOCK as f64;
    let errors = errors(&tables);
    let mut table = Table::new(&[
        "x",
        "entries",
        "MiB",
        "reduction",
        "worst error (ppm)",
        "look-up (ns)",
        "95 % (ns)",
        "formula (ns)",
        "repeats (ns)",
    ]);
    let mebibytes = |t: &LookUp| t.bytes() as f64 / f64::from(1 << 20);
    let reduction = |t: &LookUp| FULL_ENTRIES as f64 / t.entries().max(1) as f64;
    for (k, own) in tables.iter().enumerate() {
        let [interval, repeats] = times[k].cells(1e9 / BLOCK as f64);
        table.rows.push(vec![
            (k + 1).to_string().as_str().into(),
            own.entries().into(),
            mebibytes(own).into(),
            reduction(own).into(),
            (1e6 * errors[k]).into(),
            ns(&times[k]).into(),
            interval,
            Cell::Nothing,
            repeats,
        ]);
    }
    // Row of the formula.
    let [interval, repeats] = formula.cells(1e9 / BLOCK as f64);
    table.rows.push(vec![
        format!("1 to {MAX_FILLED}").as_str().into(),
        tables.iter().map(LookUp::entries).sum::<usize>().into(),
        tables.iter().map(mebibytes).sum::<f64>().into(),
        (tables.iter().map(reduction).sum::<f64>() / tables.len() as f64).into(),
        (1e6 * errors.iter().copied().fold(0.0, f64::max)).into(),
        times.iter().map(ns).sum::<f64>().into(),
        interval,
        ns(&formula).into(),
        repeats,
    ]);
    let full = FULL_ENTRIES as f64 * size_of::<f32>() as f64 / f64::from(1 << 20);
    let line = |name: &str, value: &dyn Fn(&LookUp) -> f64| Series {
        name: name.to_owned(),
        points: tables.iter().enumerate().map(|(k, t)| ((k + 1) as f64, value(t))).collect(),
    };
    let chart = Chart {
        title: "Memory of the look-up tables".to_owned(),
        plot: Plot::Lines {
            x_label: "least number of filled bins, x".to_owned(),
            y_label: "MiB".to_owned(),
            x_log: false,
            series: vec![line("in full", &|_| full), line("with the cut-off", &mebibytes)],
        },
    };
    let notes = vec![
        format!(
            "all ten tables filled in {build:.2} s; the formula gives all ten at once and stores 12 KB of constants"
        ),
        "look-ups and formula take turns over the same random triples; the tables are larger than the caches"
            .to_owned(),
        format!("{}; in the last row, that of the formula", turns::NOTE),
        PAPER.to_owned(),
    ];
    Findings { table, chart, disagreements: Vec::new(), notes }
}

/// Draws a random u of 1 to 512, and v and w of 0 to u.
fn triple(random: &mut Random) -> [u32; 3] {
    let mut below = |n: u32| (random.uniform() * f64::from(n + 1)).min(f64::from(n)) as u32;
    let u = below(MAX_BINS - 1) + 1;
    [u, below(u), below(u)]
}

/// Times blocks of look-ups in each table, and blocks of the formula, which gives all tails at once.
fn times(tables: &[LookUp], rounds: usize) -> (Vec<Times>, Times) {
    let mut random = Random::new(1, 0);
    let mut all = vec![Times::default(); tables.len() + 1];
    let mut triples = Vec::new();
    for turn in turns(rounds, 1, all.len()) {
        if turn.is_first {
            triples = (0..BLOCK).map(|_| triple(&mut random)).collect();
        }
        let start = Instant::now();
        let sum: f64 = match tables.get(turn.contender) {
            Some(table) => triples.iter().map(|&[u, v, w]| f64::from(table.get(u, v, w))).sum(),
            None => triples.iter().map(|&[u, v, w]| tails(u, v, w).iter().sum::<f64>()).sum(),
        };
        black_box(sum);
        all[turn.contender].add(0, start.elapsed());
    }
    let formula = all.pop().unwrap_or_default();
    (all, formula)
}

/// Returns, per table, the largest difference from the formula on a grid of triples.
fn errors(tables: &[LookUp]) -> Vec<f64> {
    let mut errors = vec![0.0_f64; tables.len()];
    for u in (1..=MAX_BINS).step_by(7) {
        for v in (0..=u).step_by(3) {
            for w in (0..=u).step_by(5) {
                for ((error, table), tail) in errors.iter_mut().zip(tables).zip(&tails(u, v, w)[1..]) {
                    *error = error.max((f64::from(table.get(u, v, w)) - tail).abs());
                }
            }
        }
    }
    errors
}
