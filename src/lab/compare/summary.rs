//! A comparison in words and as tables: who is faster by how much, who loses parts, where they part.

use super::engine::COUNT_NAMES;
use super::result::{Comparison, ContenderResult, Estimate, Parting};
use crate::digits::grouped;
use crate::lab::table::{Cell, Table};

const COLUMNS: [&str; 13] = [
    "contender",
    "mean (ms)",
    "95 % (ms)",
    "times the first",
    "95 %",
    "p95 (ms)",
    "p99 (ms)",
    "worst (ms)",
    "overlap (mm)",
    "lost",
    "at rest after",
    "shiver (mm/s)",
    "parted at",
];

/// A row a contender: times of a step, what became of the bodies.
pub fn table(comparison: &Comparison) -> Table {
    let mut table = Table::new(&COLUMNS);
    for one in &comparison.contenders {
        let interval = |estimate: &Estimate| estimate.interval.map_or(Cell::Nothing, Cell::Interval);
        table.rows.push(vec![
            one.name.as_str().into(),
            one.mean.value.into(),
            interval(&one.mean),
            one.ratio.map_or(Cell::Nothing, |r| r.value.into()),
            one.ratio.as_ref().map_or(Cell::Nothing, interval),
            one.spread.p95.into(),
            one.spread.p99.into(),
            one.spread.worst.into(),
            (1e3 * one.deepest_overlap()).into(),
            one.lost.len().into(),
            one.rest.since.map_or(Cell::Nothing, |step| u64::from(step).into()),
            one.rest.shiver.map_or(Cell::Nothing, |speed| (1e3 * speed).into()),
            one.parting.as_ref().map_or(Cell::Nothing, |p| u64::from(p.step).into()),
        ]);
    }
    table
}

/// A row a step and contender: times, counts, energy, deviation.
pub fn steps(comparison: &Comparison) -> Table {
    let is_counted = |name: &&str| comparison.contenders.iter().any(|one| one.counts.contains_key(*name));
    let counted: Vec<&'static str> = COUNT_NAMES.into_iter().filter(is_counted).collect();
    let before = ["contender", "step", "update (ms)", "test (ms)", "query (ms)", "solve (ms)"];
    let after = ["energy (J)", "farthest deviation (m)", "middle deviation (m)"];
    let mut table = Table::new(&[&before[..], &counted, &after].concat());
    for one in &comparison.contenders {
        for step in 0..one.times.update.len() {
            let at = |series: &[f64]| series.get(step).map_or(Cell::Nothing, |&x| x.into());
            let count = |name: &&str| one.counts.get(*name).and_then(|all| all.get(step));
            let mut row: Vec<Cell> = vec![one.name.as_str().into(), (step as u64 + 1).into()];
            row.extend(one.times.stages().map(|(_, series)| at(series)));
            row.extend(counted.iter().map(|name| count(name).map_or(Cell::Nothing, |&n| n.into())));
            row.extend([at(&one.energy), at(&one.deviation.farthest), at(&one.deviation.middle)]);
            table.rows.push(row);
        }
    }
    table
}

/// What one would say of it first: speed, losses, motion.
pub fn opening(comparison: &Comparison) -> String {
    let Some((first, others)) = comparison.contenders.split_first() else {
        return "Nothing was compared.".to_owned();
    };
    if comparison.steps == 0 {
        return "No step was taken.".to_owned();
    }
    let mut sentences: Vec<String> = others.iter().map(|other| speed(&first.name, other)).collect();
    sentences.push(losses(comparison));
    sentences.extend(motions(comparison, first, others));
    sentences.join(" ")
}

/// How much longer one takes than the other, whichever is slower.
fn speed(first: &str, other: &ContenderResult) -> String {
    let name = &other.name;
    let Some(ratio) = other.ratio.filter(|r| r.value.is_finite() && r.value > 0.0) else {
        return format!("{name} was not timed.");
    };
    match ratio.interval {
        Some([low, high]) if low <= 1.0 && 1.0 <= high => {
            let holds = format!("the interval {low:.2}–{high:.2} holds 1");
            if high - low < 0.1 {
                format!("{first} and {name} take equally long: {holds}.")
            } else {
                format!("Which of {first} and {name} is faster cannot be said: {holds}.")
            }
        }
        interval if ratio.value >= 1.0 => longer(name, first, ratio.value, interval),
        interval => {
            longer(first, name, 1.0 / ratio.value, interval.map(|[low, high]| [1.0 / high, 1.0 / low]))
        }
    }
}

/// Small differences are said in per cent.
fn longer(slow: &str, fast: &str, ratio: f64, interval: Option<[f64; 2]>) -> String {
    const SMALL: f64 = 1.1;
    let percent = |x: f64| 100.0 * (x - 1.0);
    let (said, range) = if ratio < SMALL {
        let range = interval.map(|[low, high]| format!("{:.1}–{:.1} %", percent(low), percent(high)));
        (format!("{slow} takes {:.1} % longer than {fast}", percent(ratio)), range)
    } else {
        let range = interval.map(|[low, high]| format!("{low:.2}–{high:.2}"));
        (format!("{slow} takes {ratio:.2} times as long as {fast}"), range)
    };
    format!("{said} ({}).", range.as_deref().unwrap_or("too few repeats for an interval"))
}

fn losses(comparison: &Comparison) -> String {
    let said = |one: &ContenderResult| {
        let (lost, all) = (one.lost.len() as u64, u64::from(comparison.bodies));
        let which = if lost == all { "all".to_owned() } else { format!("{} of", grouped(lost)) };
        format!("{} loses {which} {} bodies", one.name, grouped(all))
    };
    let all: Vec<String> = comparison.contenders.iter().filter(|c| !c.lost.is_empty()).map(said).collect();
    if all.is_empty() { "No body is lost.".to_owned() } else { format!("{}.", all.join("; ")) }
}

/// Who moves bodies as the first does, and where the others part from it.
fn motions(comparison: &Comparison, first: &ContenderResult, others: &[ContenderResult]) -> Vec<String> {
    let mut all = Vec::new();
    let (same, different): (Vec<&ContenderResult>, Vec<&ContenderResult>) =
        others.iter().partition(|other| other.first_difference.is_none());
    if let Some((last, rest)) = same.split_last() {
        let (who, moves) = if rest.is_empty() {
            (last.name.clone(), "moves")
        } else {
            let names: Vec<&str> = rest.iter().map(|one| one.name.as_str()).collect();
            (format!("{} and {}", names.join(", "), last.name), "move")
        };
        let taken = same.iter().map(|one| one.times.update.len()).chain([first.times.update.len()]).min();
        let steps = match taken.unwrap_or(0) {
            0 => return all,
            1 => "in the one step".to_owned(),
            taken if taken < comparison.steps as usize => {
                format!("in the {} steps that all of them took", grouped(taken as u64))
            }
            taken => format!("in all {} steps", grouped(taken as u64)),
        };
        all.push(format!("{who} {moves} every body as {} does, bit for bit, {steps}.", first.name));
    }
    all.extend(different.iter().map(|other| match &other.parting {
        None => format!(
            "{} keeps every body within a hundredth of its size of where {} has it.",
            other.name, first.name
        ),
        Some(parting) => format!("{} parts from {} {}.", other.name, first.name, place(parting)),
    }));
    all
}

/// When and with what bodies part: "at step 41 with body gear_3, which touches tray".
pub fn place(parting: &Parting) -> String {
    let touching =
        parting.touching.as_ref().map_or(String::new(), |other| format!(", which touches {other}"));
    format!("at step {} with body {}{touching}", grouped(parting.step.into()), parting.body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::compare::page::fixture::empty;
    use crate::lab::compare::result::{Deepest, Loss, Lost, StageSeries};

    fn contender(name: &str, ratio: Option<(f64, Option<[f64; 2]>)>) -> ContenderResult {
        let two = vec![1.0, 2.0];
        ContenderResult {
            name: name.to_owned(),
            ratio: ratio.map(|(value, interval)| Estimate { value, interval }),
            times: StageSeries { update: two.clone(), test: two.clone(), query: two.clone(), solve: two },
            ..ContenderResult::default()
        }
    }

    fn comparison(contenders: Vec<ContenderResult>) -> Comparison {
        Comparison { steps: 2, bodies: 56, contenders, ..empty() }
    }

    fn parting(touching: Option<&str>) -> Parting {
        let touching = touching.map(str::to_owned);
        Parting { step: 41, body: "gear_3".to_owned(), touching, distance: 0.002 }
    }

    #[test]
    fn speed_is_said_from_the_slower_one_with_its_interval() {
        let said = |value: f64, interval: Option<[f64; 2]>| {
            speed("boxtree8", &contender("rapier", Some((value, interval))))
        };
        assert_eq!(
            said(2.31, Some([2.28, 2.35])),
            "rapier takes 2.31 times as long as boxtree8 (2.28–2.35)."
        );
        assert_eq!(said(0.5, Some([0.4, 0.625])), "boxtree8 takes 2.00 times as long as rapier (1.60–2.50).");
        assert_eq!(said(1.031, Some([1.02, 1.04])), "rapier takes 3.1 % longer than boxtree8 (2.0–4.0 %).");
        assert_eq!(
            said(1.0, Some([0.99, 1.01])),
            "boxtree8 and rapier take equally long: the interval 0.99–1.01 holds 1."
        );
        assert_eq!(
            said(1.2, Some([0.7, 1.9])),
            "Which of boxtree8 and rapier is faster cannot be said: the interval 0.70–1.90 holds 1."
        );
        assert_eq!(
            said(3.0, None),
            "rapier takes 3.00 times as long as boxtree8 (too few repeats for an interval)."
        );
        assert_eq!(said(f64::NAN, None), "rapier was not timed.");
    }

    #[test]
    fn the_opening_says_who_loses_bodies_and_who_moves_as_the_first_does() {
        let mut rapier = contender("rapier", Some((2.31, Some([2.28, 2.35]))));
        let lost = |k: u32| Lost { body: format!("gear_{k}"), step: k, how: Loss::Fell };
        rapier.lost = (0..15).map(lost).collect();
        rapier.first_difference = Some(parting(None));
        rapier.parting = Some(parting(Some("tray")));
        let equal = Some((1.0, Some([0.99, 1.01])));
        let all =
            vec![contender("boxtree8", None), contender("aabb", equal), contender("paper", equal), rapier];
        assert_eq!(
            opening(&comparison(all)),
            "boxtree8 and aabb take equally long: the interval 0.99–1.01 holds 1. \
            boxtree8 and paper take equally long: the interval 0.99–1.01 holds 1. \
            rapier takes 2.31 times as long as boxtree8 (2.28–2.35). \
            rapier loses 15 of 56 bodies. \
            aabb and paper move every body as boxtree8 does, bit for bit, in all 2 steps. \
            rapier parts from boxtree8 at step 41 with body gear_3, which touches tray."
        );
    }

    #[test]
    fn small_deviations_and_short_runs_are_told_from_equal_motion() {
        let mut near = contender("near", Some((1.5, None)));
        near.first_difference = Some(parting(None));
        let mut short = contender("short", Some((1.5, None)));
        short.times.update.pop();
        let all = opening(&comparison(vec![contender("a", None), near, short]));
        assert!(
            all.contains("near keeps every body within a hundredth of its size of where a has it."),
            "{all}"
        );
        assert!(all.contains("short moves every body as a does, bit for bit, in the one step."), "{all}");
        assert!(all.contains("No body is lost."), "{all}");
        assert_eq!(opening(&comparison(Vec::new())), "Nothing was compared.");
        assert_eq!(
            opening(&Comparison { steps: 0, ..comparison(vec![contender("a", None)]) }),
            "No step was taken."
        );
    }

    #[test]
    fn steps_have_a_column_for_what_anybody_counts_and_an_empty_field_where_one_does_not() {
        let mut own = contender("a", None);
        own.counts.insert("contacts".to_owned(), vec![3, 4]);
        own.energy = vec![0.5];
        let csv =
            String::from_utf8(steps(&comparison(vec![own, contender("b", None)])).csv().unwrap()).unwrap();
        assert_eq!(
            csv,
            "contender,step,update (ms),test (ms),query (ms),solve (ms),contacts,energy (J),\
            farthest deviation (m),middle deviation (m)\n\
            a,1,1,1,1,1,3,0.5,,\na,2,2,2,2,2,4,,,\nb,1,1,1,1,1,,,,\nb,2,2,2,2,2,,,,\n"
        );
    }

    #[test]
    fn the_table_has_a_row_a_contender_and_shows_no_interval_that_was_not_measured() {
        let mut own = contender("a", None);
        own.mean = Estimate { value: 1.5, interval: Some([1.25, 2.0]) };
        own.deepest = Some(Deepest { step: 1, bodies: ["a".to_owned(), "b".to_owned()], depth: 0.002 });
        let table = table(&comparison(vec![own, contender("b", Some((2.0, None)))]));
        assert_eq!(table.rows.len(), 2);
        assert!(table.rows.iter().all(|row| row.len() == COLUMNS.len()));
        assert_eq!(table.rows[0][2..4], [Cell::Interval([1.25, 2.0]), Cell::Nothing]);
        assert_eq!(table.rows[0][8], Cell::Number(2.0));
        assert_eq!(table.rows[1][3..5], [Cell::Number(2.0), Cell::Nothing]);
    }
}
