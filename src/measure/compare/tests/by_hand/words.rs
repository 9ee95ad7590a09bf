//! A comparison as sentences, as tables, and tested against a baseline, at the limits of each rule.

use crate::compare::page::fixture::{of_56_bodies, of_two_steps};
use crate::compare::result::{
    Comparison, ContenderResult, Deepest, Estimate, Loss, Lost, Parting, Passed, Rest, Spread,
};
use crate::compare::{Regression, Verdict, judge, opening, step_table, table};
use crate::table::Cell;

/// Returns the opening sentence for two contenders, where `value` and `interval` are the second's ratio
/// of times.
fn speed(value: f64, interval: Option<[f64; 2]>) -> String {
    let all = vec![of_two_steps("a", None), of_two_steps("b", Some((value, interval)))];
    opening(&of_56_bodies(all))
}

#[test]
fn equally_long_is_said_of_an_interval_that_holds_one_and_is_narrow() {
    let equal = |low: f64, high: f64| {
        let said = speed(1.0, Some([low, high]));
        assert!(said.contains(" contains 1."), "{said}");
        said.contains("equally long")
    };
    assert!(equal(0.96, 1.05) && equal(1.0, 1.05) && equal(0.95, 1.0));
    assert!(!equal(0.94, 1.05) && !equal(1.0, 1.11) && !equal(0.5, 1.0));
    assert!(speed(1.03, Some([1.01, 1.05])).starts_with("b takes 3.0 % longer than a (1.0–5.0 %)."));
    assert!(speed(0.97, Some([0.8, 0.98])).starts_with("a takes 3.1 % longer than b (2.0–25.0 %)."));
}

#[test]
fn a_tenth_and_more_is_said_as_a_factor() {
    assert!(speed(1.09, None).starts_with("b takes 9.0 % longer than a (too few repeats for an interval)."));
    assert!(speed(1.11, None).starts_with("b takes 1.11 times as long as a (too few"));
    assert!(speed(1.1, Some([1.05, 1.25])).starts_with("b takes 1.10 times as long as a (1.05–1.25)."));
    assert!(speed(0.8, None).starts_with("a takes 1.25 times as long as b (too few"));
    assert!(speed(0.25, Some([0.2, 0.5])).starts_with("a takes 4.00 times as long as b (2.00–5.00)."));
    assert!(speed(1.0, None).starts_with("b takes 0.0 % longer than a"));
    assert!(speed(0.0, None).starts_with("b was not timed."));
    assert!(speed(f64::INFINITY, None).starts_with("b was not timed."));
}

#[test]
fn losing_all_bodies_differs_from_losing_some() {
    let with = |name: &str, count: u32| {
        let lost = |k: u32| Lost { body: format!("part_{k}"), step: 1, how: Loss::Fell };
        ContenderResult { lost: (0..count).map(lost).collect(), ..of_two_steps(name, None) }
    };
    let said = |count: u32| opening(&of_56_bodies(vec![with("a", count), with("b", 1)]));
    assert!(said(56).contains("a loses all 56 bodies; b loses 1 of 56 bodies. "), "{}", said(56));
    assert!(said(55).contains("a loses 55 of 56 bodies; "), "{}", said(55));
    assert!(said(0).contains(" timed. b loses 1 of 56 bodies. "), "{}", said(0));
    let many = Comparison { bodies: 12_345, ..of_56_bodies(vec![with("a", 1200)]) };
    assert!(opening(&many).starts_with("a loses 1,200 of 12,345 bodies."));
}

#[test]
fn motion_that_is_the_same_is_said_of_the_steps_that_all_took() {
    let of = |name: &str, steps: usize| {
        let mut one = of_two_steps(name, Some((3.0, None)));
        one.times.update = vec![1.0; steps];
        one
    };
    let said = |all: Vec<ContenderResult>| opening(&Comparison { steps: 5000, ..of_56_bodies(all) });
    let all = said(vec![of("a", 5000), of("b", 5000)]);
    assert!(all.ends_with("b moves every body as a does, bit for bit, in all 5,000 steps."), "{all}");
    let all = said(vec![of("a", 5000), of("b", 4999), of("c", 5000)]);
    let expected =
        "b and c move every body as a does, bit for bit, in the 4,999 steps that all of them took.";
    assert!(all.ends_with(expected), "{all}");
    let all = said(vec![of("a", 2), of("b", 5000)]);
    assert!(all.ends_with("in the 2 steps that all of them took."), "{all}");
    let all = said(vec![of("a", 1), of("b", 7)]);
    assert!(all.ends_with("in the one step."), "{all}");
    let all = said(vec![of("a", 0), of("b", 7)]);
    assert!(all.ends_with("No body is lost."), "{all}");
}

/// Creates a contender whose values all differ.
fn numbered() -> ContenderResult {
    let mut one = of_two_steps("a", Some((1.5, Some([1.25, 1.75]))));
    one.mean = Estimate { value: 6.0, interval: Some([5.0, 7.0]) };
    one.spread = Spread { p50: 8.0, p95: 9.0, p99: 10.0, worst: 11.0, worst_step: 12 };
    let bodies = ["x".to_owned(), "y".to_owned()];
    one.deepest = Some(Deepest { step: 13, bodies, depth: 0.25 });
    one.lost = vec![Lost { body: "x".to_owned(), step: 14, how: Loss::Fell }; 3];
    one.passages = Some(vec![Passed { body: "x".to_owned(), through: "y".to_owned(), step: 15 }; 4]);
    one.rest = Rest { since: Some(16), shiver: Some(0.125) };
    one.first_difference = Some(Parting { step: 17, body: "x".to_owned(), touching: None, distance: 0.5 });
    one.parting = Some(Parting { step: 18, body: "x".to_owned(), touching: None, distance: 0.5 });
    one
}

#[test]
fn a_row_of_the_table_has_every_number_in_its_unit() {
    let found = table(&of_56_bodies(vec![numbered(), of_two_steps("b", None)]));
    let csv = String::from_utf8(found.csv().unwrap()).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    // The overlap of 0.25 m is printed as 250 mm, the shiver of 0.125 m/s as 125 mm/s.
    assert_eq!(lines[1], "a,6,5,7,1.5,1.25,1.75,9,10,11,250,3,4,16,125,18");
    assert_eq!(lines[2], "b,0,,,,,,0,0,0,0,0,,,,");
    let columns = "contender,mean (ms),95 % low (ms),95 % high (ms),times the first,95 % low,95 % high,p95 \
                   (ms),p99 (ms),worst (ms),overlap (mm),lost,passed,at rest after,shiver (mm/s),parted at";
    assert_eq!(lines[0], columns);
}

#[test]
fn a_row_of_a_step_has_what_that_step_took_and_did() {
    let mut one = of_two_steps("a", None);
    one.times.test = vec![3.0, 4.0];
    one.times.query = vec![5.0, 6.0];
    one.times.solve = vec![7.0, 8.0];
    one.counts.insert("pairs".to_owned(), vec![9, 10]);
    one.counts.insert("passes".to_owned(), vec![11, 12]);
    one.energy = vec![13.0, 14.0];
    one.deviation.farthest = vec![15.0, 16.0];
    one.deviation.middle = vec![17.0, 18.0];
    let found = step_table(&of_56_bodies(vec![one]));
    let row = |step: u64, times: [f64; 4], counts: [u64; 2], rest: [f64; 3]| {
        let mut row = vec![Cell::from("a"), step.into()];
        row.extend(times.map(Cell::from));
        row.extend(counts.map(Cell::from));
        row.extend(rest.map(Cell::from));
        row
    };
    assert_eq!(
        found.rows,
        [
            row(1, [1.0, 3.0, 5.0, 7.0], [11, 9], [13.0, 15.0, 17.0]),
            row(2, [2.0, 4.0, 6.0, 8.0], [12, 10], [14.0, 16.0, 18.0])
        ]
    );
}

/// Creates a comparison of one contender with the given mean time of a step, its interval, and the node
/// tests of two steps.
fn measured(value: f64, interval: [f64; 2], tests: [u64; 2]) -> Comparison {
    let mut one = of_two_steps("a", None);
    one.mean = Estimate { value, interval: Some(interval) };
    one.counts.insert("node tests".to_owned(), tests.into());
    of_56_bodies(vec![one])
}

#[test]
fn a_time_is_worse_beyond_the_allowed_share_and_only_if_the_intervals_do_not_meet() {
    let before = measured(10.0, [9.0, 11.0], [4, 4]);
    let slower = |value: f64, low: f64| {
        let now = measured(value, [low, value + 1.0], [4, 4]);
        !judge(&now, &before, 0.25).unwrap().regressions.is_empty()
    };
    assert!(slower(12.6, 11.1));
    assert!(!slower(12.4, 11.1), "a quarter more is allowed");
    assert!(!slower(12.5, 11.1), "just a quarter is");
    assert!(!slower(12.6, 10.9), "the intervals meet");
    assert!(!slower(12.6, 11.0), "they touch");
    assert!(!slower(7.0, 6.0), "it is faster");
}

#[test]
fn a_count_is_worse_if_its_sum_is_and_is_named_with_its_first_step() {
    let before = measured(10.0, [9.0, 11.0], [4, 4]);
    let worse = |tests: [u64; 2]| judge(&measured(10.0, [9.0, 11.0], tests), &before, 0.0).unwrap();
    assert_eq!(worse([5, 3]), Verdict::default(), "as many in all");
    assert_eq!(worse([6, 1]), Verdict::default(), "fewer in all");
    let regression = |now: f64, place: &str| Regression {
        contender: "a".to_owned(),
        what: "node tests".to_owned(),
        before: 8.0,
        now,
        place: place.to_owned(),
    };
    assert_eq!(worse([6, 3]).regressions, [regression(9.0, "from step 1 on")]);
    assert_eq!(worse([3, 7]).regressions, [regression(10.0, "from step 2 on")]);
    let text = regression(10.0, "from step 2 on").text();
    assert_eq!(text, "a: node tests 8 → 10 (+25.0 %), from step 2 on");
    let text = Regression { before: 0.0, ..regression(10.0, "from step 2 on") }.text();
    assert_eq!(text, "a: node tests 0 → 10, from step 2 on");
}

#[test]
fn counts_unrelated_to_the_search_or_dependent_on_the_clock_are_not_compared() {
    let with = |name: &str, count: u64, is_by_clock: bool| {
        let mut all = measured(10.0, [9.0, 11.0], [4, 4]);
        all.contenders[0].counts.insert(name.to_owned(), vec![count; 2]);
        all.contenders[0].is_by_clock = is_by_clock;
        all
    };
    for name in ["passes", "pairs", "node tests", "candidates", "false alarms", "contacts", "awake bodies"] {
        let found = judge(&with(name, 3, false), &with(name, 2, false), 0.0).unwrap().regressions;
        assert_eq!(found.len(), usize::from(!["contacts", "awake bodies"].contains(&name)), "{name}");
        let verdict = judge(&with(name, 3, true), &with(name, 2, true), 0.0).unwrap();
        assert!(verdict.regressions.is_empty(), "{name}");
        assert_eq!(verdict.not_judged, ["counts of a are not compared: they depend on the clock"]);
    }
}

#[test]
fn the_stage_that_grew_most_is_named_and_every_way_in_which_a_baseline_is_another() {
    let mut before = measured(10.0, [9.0, 11.0], [4, 4]);
    before.contenders[0].times.solve = vec![12.0, 18.0];
    let mut now = measured(20.0, [19.0, 21.0], [4, 4]);
    let one = &mut now.contenders[0];
    // The means of test, query and solve grow by 2, 3 and 4 ms, and query triples. The mean of update
    // falls.
    (one.times.test, one.times.query, one.times.solve) = (vec![5.0, 2.0], vec![1.0, 8.0], vec![19.0; 2]);
    one.times.update = vec![0.0; 2];
    let found = judge(&now, &before, 0.0).unwrap().regressions;
    let [Regression { before: was, now: is, place, what, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!((*was, *is, place.as_str(), what.as_str()), (10.0, 20.0, "most of it in solve", "time"));
    let refused = |change: fn(&mut Comparison)| {
        let mut other = before.clone();
        change(&mut other);
        judge(&before, &other, 0.0).unwrap_err()
    };
    let now = "this comparison is of 2 steps of 0.005 s of gears (56 bodies)";
    let says = |was: &str| format!("it is of {was}, {now}");
    assert_eq!(refused(|all| all.steps = 3), says("3 steps of 0.005 s of gears (56 bodies)"));
    assert_eq!(refused(|all| all.dt = 0.01), says("2 steps of 0.01 s of gears (56 bodies)"));
    assert_eq!(refused(|all| all.bodies = 55), says("2 steps of 0.005 s of gears (55 bodies)"));
    assert_eq!(refused(|all| all.scene = "cogs".into()), says("2 steps of 0.005 s of cogs (56 bodies)"));
    let once = |mut all: Comparison| {
        all.contenders[0].mean.interval = None;
        all
    };
    let verdict = judge(&once(before.clone()), &before, 0.0).unwrap();
    assert_eq!(
        verdict.not_judged,
        ["times of a are not compared: there are too few repeats for an interval"]
    );
    let verdict = judge(&before, &once(before.clone()), 0.0).unwrap();
    assert_eq!(verdict.not_judged.len(), 1);
}
