//! Times of contenders, checked against values derived by hand: means, medians and their intervals, the
//! ratio of two contenders, the worst step, and contenders that are too slow for timed runs.

use super::scene::{Scripted, scene, scripted};
use crate::compare::engine::Engine;
use crate::compare::race::{Laps, Racer, Start, is_too_slow, race, spread};
use crate::compare::result::{Estimate, Spread, StageSeries};

/// Times of a run per step: update, test, query and solve, ms.
type Run = Vec<[u64; 4]>;

/// Creates a run of `steps` steps that all take `ms`, in the stage query.
fn alike(steps: usize, ms: u64) -> Run {
    vec![[0, 0, ms, 0]; steps]
}

/// Times contenders over `steps` steps. Each contender has one run per repeat.
fn timed<const N: usize>(steps: u32, all: [Vec<Run>; N]) -> [Laps; N] {
    let scene = scene();
    let repeats = all[0].len() as u32;
    let racer = |runs: Vec<Run>| {
        let of = |run: Run| -> Scripted { scripted(&scene, 0, |_, _| {}).taking(run) };
        let own = runs.iter().map(Vec::len).max().unwrap() as u32;
        let mut left = runs.into_iter().map(of).collect::<Vec<_>>().into_iter();
        let start: Start = Box::new(move || Ok(Box::new(left.next().unwrap()) as Box<dyn Engine>));
        Racer { start, steps: own, laps: Laps::default() }
    };
    let mut racers = all.map(racer);
    race(&mut racers, steps, repeats, 5, &mut |_| true).unwrap();
    racers.map(|racer| racer.laps)
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected, "{found} in place of {expected}");
}

fn assert_interval(found: Option<[f64; 2]>, expected: [f64; 2]) {
    let found = found.expect("an interval");
    assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-9 * y), "{found:?}, {expected:?}");
}

#[test]
fn a_contender_over_10_times_the_median_and_over_10_s_is_too_slow() {
    // Arguments: the contender's time and the median contender's time, s.
    assert!(is_too_slow(30.1, 3.0) && is_too_slow(10.1, 1.0) && is_too_slow(10.1, 0.0));
    assert!(!is_too_slow(29.9, 3.0), "it takes less than ten times as long");
    assert!(!is_too_slow(9.9, 0.5), "it takes less than ten seconds");
    assert!(!is_too_slow(30.0, 3.0) && !is_too_slow(10.0, 0.5), "it takes exactly so long");
    assert!(!is_too_slow(0.5, 30.0) && !is_too_slow(15.0, 14.0));
}

#[test]
fn a_step_takes_the_middle_of_all_runs_in_the_mean_and_every_run_is_kept() {
    // Seven steps form a block of five and a block of two. In the run of median time, these blocks take
    // 10 and 4 ms.
    let [laps] = timed(7, [vec![alike(7, 1), alike(7, 6), alike(7, 2)]]);
    let Estimate { value, interval } = laps.mean();
    assert_near(value, 2.0);
    // The median of three resampled runs is the fastest run in 7 of 27 cases. It is so for both blocks
    // in 6.7 of 100 cases, which is more than 2.5. The same holds for the slowest run.
    assert_interval(interval, [1.0, 6.0]);
    let runs = laps.runs();
    assert_eq!(runs.len(), 3);
    for (run, ms) in runs.into_iter().zip([1.0, 6.0, 2.0]) {
        assert_near(run, ms);
    }
    assert_near(laps.took(), 0.014);
}

#[test]
fn an_interval_of_equal_runs_is_their_mean_in_ms_and_there_is_none_of_one_run() {
    let [laps] = timed(12, [vec![alike(12, 250); 4]]);
    assert_near(laps.mean().value, 250.0);
    assert_interval(laps.mean().interval, [250.0, 250.0]);
    let [once] = timed(12, [vec![alike(12, 250)]]);
    assert_eq!((once.mean().value, once.mean().interval), (250.0, None));
    assert_eq!((Laps::default().mean(), Laps::default().runs()), (Estimate::default(), Vec::new()));
}

#[test]
fn every_stage_of_every_step_is_the_middle_of_its_runs() {
    let step = |k: u64| vec![[k, 10 * k, 100 * k, 1000 * k], [2, 4, 8, 16]];
    let [laps] = timed(2, [vec![step(1), step(5), step(3)]]);
    let series = laps.series();
    let [update, test, query, solve] =
        [[3.0, 2.0], [30.0, 4.0], [300.0, 8.0], [3000.0, 16.0]].map(|all| all.to_vec());
    assert_eq!(series, StageSeries { update, test, query, solve });
    assert_eq!(series.totals(), [3333.0, 30.0]);
    assert_eq!(series.means(), [2.5, 17.0, 154.0, 1508.0]);
    assert_eq!(
        series.stages().map(|(name, all)| (name, all[1])),
        [("update", 2.0), ("test", 4.0), ("query", 8.0), ("solve", 16.0)]
    );
    assert_eq!(StageSeries::default().means(), [0.0; 4]);
}

#[test]
fn the_times_of_steps_add_up_to_the_mean_of_the_page() {
    // Each step is disturbed in another run: the two take 10, 10 and 2 ms together, so 10 ms in the
    // middle, while the middle of each step alone is 1 ms.
    let runs: [Run; 3] = [[9, 1], [1, 9], [1, 1]].map(|steps| steps.map(|ms| [0, 0, ms, 0]).to_vec());
    let [laps] = timed(2, [runs.to_vec()]);
    assert_near(laps.mean().value, 5.0);
    for total in laps.series().totals() {
        assert_near(total, 5.0);
    }
}

#[test]
fn an_unfinished_last_block_counts_in_a_ratio_if_both_took_as_many_steps() {
    // Five steps of 1 ms and two of 8 ms take 21 ms; the other contender takes 7 ms.
    let long: Run = [alike(5, 1), alike(2, 8)].concat();
    let [own, its] = timed(7, [vec![long.clone(); 6], vec![alike(7, 1); 6]]);
    let Estimate { value, interval } = own.ratio(&its).unwrap();
    assert_near(value, 3.0);
    assert_interval(interval, [3.0, 3.0]);
    assert_near(its.ratio(&own).unwrap().value, 1.0 / 3.0);
    assert_eq!(its.ratio(&its).unwrap(), Estimate { value: 1.0, interval: Some([1.0, 1.0]) });
}

#[test]
fn a_ratio_is_of_whole_blocks_where_one_took_fewer_steps() {
    let long: Run = [alike(5, 1), alike(2, 8)].concat();
    let other: Run = [alike(5, 2), alike(7, 1)].concat();
    let [own, its] = timed(12, [vec![long; 6], vec![other; 6]]);
    assert_eq!((own.series().query.len(), its.series().query.len()), (7, 12));
    // The shorter run has only the first block whole, so only this block counts: 5 and 10 ms.
    assert_near(own.ratio(&its).unwrap().value, 0.5);
    assert_near(its.ratio(&own).unwrap().value, 2.0);
    // Ten steps are two whole blocks: 5 + 40 ms, and 10 + 5 ms of the other contender.
    let ten: Run = [alike(5, 1), alike(5, 8)].concat();
    let other: Run = [alike(5, 2), alike(7, 1)].concat();
    let [own, its] = timed(12, [vec![ten; 6], vec![other; 6]]);
    assert_near(own.ratio(&its).unwrap().value, 3.0);
    // Four steps are not a whole block, so the two have no whole block in common.
    let [own, its] = timed(5, [vec![alike(4, 1); 6], vec![alike(5, 1); 6]]);
    assert_eq!((own.ratio(&its), its.ratio(&own)), (None, None));
}

#[test]
fn nothing_has_a_ratio_to_what_took_no_time() {
    let [own, none] = timed(5, [vec![alike(5, 1); 6], vec![alike(5, 0); 6]]);
    assert_eq!([own.ratio(&none), none.ratio(&own), none.ratio(&none)], [None; 3]);
    // Five repeats are too few for an interval.
    let [own, its] = timed(5, [vec![alike(5, 3); 5], vec![alike(5, 2); 5]]);
    assert_eq!(own.ratio(&its), Some(Estimate { value: 1.5, interval: None }));
}

#[test]
fn steps_are_counted_from_one_and_percentiles_are_those_of_a_hundred() {
    // The times are 64, 65, …, 100, 1, 2, …, 63 ms, so the 37th step takes longest.
    let totals: Vec<f64> = (64..=100).chain(1..64).map(f64::from).collect();
    let expected = Spread { p50: 50.0, p95: 95.0, p99: 99.0, worst: 100.0, worst_step: 37 };
    assert_eq!(spread(&totals), expected);
    assert_eq!(spread(&[7.0]).worst_step, 1);
    assert_eq!(spread(&[]), Spread::default());
}

#[test]
fn a_race_gives_everybody_every_run_and_says_how_much_of_it_is_done() {
    let scene = scene();
    let mut shares = Vec::new();
    // Six steps are two blocks. With two racers and two repeats there are eight turns.
    let starts = std::cell::Cell::new(0);
    let racer = |steps: u32| {
        let (scene, starts) = (&scene, &starts);
        let start: Start = Box::new(move || {
            starts.set(starts.get() + 1);
            Ok(Box::new(scripted(scene, 6, |_, _| {}).taking(alike(6, 2))) as Box<dyn Engine>)
        });
        Racer { start, steps, laps: Laps::default() }
    };
    let mut racers = [racer(6), racer(3)];
    let mut go_on = |share: f64| {
        shares.push(share);
        true
    };
    race(&mut racers, 6, 2, 5, &mut go_on).unwrap();
    assert_eq!(shares, [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]);
    assert_eq!((starts.get(), racers[0].laps.hashes.len(), racers[1].laps.hashes.len()), (4, 2, 2));
    let [own, its] = [0, 1].map(|k| racers[k].laps.hashes[0] >> 32);
    assert_eq!((own, its), (6, 3), "the hash is that of the last step");
    assert_eq!(racers.each_ref().map(|racer| racer.laps.series().query.len()), [6, 3]);
    assert_eq!(racers.each_ref().map(|racer| racer.laps.runs()), [vec![2.0, 2.0], vec![2.0, 2.0]]);
}

#[test]
fn a_run_that_a_race_does_not_end_counts_for_nothing() {
    let scene = scene();
    let start = || -> Start {
        Box::new(|| Ok(Box::new(scripted(&scene, 6, |_, _| {}).taking(alike(6, 2))) as Box<dyn Engine>))
    };
    // A run of a single racer takes two turns, so five turns are two and a half runs.
    let mut turns = 0;
    let mut racers = [Racer { start: start(), steps: 6, laps: Laps::default() }];
    let mut go_on = |_: f64| {
        turns += 1;
        turns <= 5
    };
    race(&mut racers, 6, 9, 5, &mut go_on).unwrap();
    assert_eq!((racers[0].laps.hashes.len(), racers[0].laps.runs().len()), (2, 2));
    // An engine with fewer steps than planned counts as stopped, and its run as incomplete.
    let mut racers = [Racer { start: start(), steps: 7, laps: Laps::default() }];
    race(&mut racers, 7, 2, 5, &mut |_| true).unwrap();
    assert_eq!((racers[0].laps.hashes.len(), racers[0].laps.runs().len()), (0, 0));
}
