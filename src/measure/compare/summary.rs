//! A comparison as sentences: the fastest contender and its lead, lost bodies, passages through
//! surfaces, and the steps at which contenders part.

use super::result::{Comparison, ContenderResult, JointPeak, Parting, Passed};
use crate::digits::grouped;
use crate::order::Order;
use crate::page::number::digits;

/// Returns the most important results: speed, lost bodies, passages, motion.
pub fn opening(comparison: &Comparison) -> String {
    let Some((first, others)) = comparison.contenders.split_first() else {
        return "Nothing was compared.".to_owned();
    };
    if comparison.steps == 0 {
        return "No step was taken.".to_owned();
    }
    let mut sentences: Vec<String> = others.iter().map(|other| speed(&first.name, other)).collect();
    sentences.push(losses(comparison));
    sentences.extend(passages(comparison));
    sentences.extend(motions(comparison, first, others));
    sentences.join(" ")
}

/// Returns a sentence on the ratio of the times of two contenders, which names the slower one first.
fn speed(first: &str, other: &ContenderResult) -> String {
    let name = &other.name;
    let Some(ratio) = other.ratio.filter(|r| r.value.is_finite() && r.value > 0.0) else {
        return format!("{name} was not timed.");
    };
    match ratio.interval {
        Some([low, high]) if low <= 1.0 && 1.0 <= high => {
            let holds = format!("the interval {low:.2}–{high:.2} contains 1");
            if high - low < 0.1 {
                format!("{first} and {name} take equally long: {holds}.")
            } else {
                format!("{first} and {name} cannot be ranked by time: {holds}.")
            }
        }
        interval if ratio.value >= 1.0 => longer(name, first, ratio.value, interval),
        interval => {
            longer(first, name, 1.0 / ratio.value, interval.map(|[low, high]| [1.0 / high, 1.0 / low]))
        }
    }
}

/// Describes the ratio of a slow to a fast contender. Small differences are in percent.
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

/// Returns a sentence on the numbers of bodies that passed through surfaces, each body counted once;
/// `None` if passages were not tested.
fn passages(comparison: &Comparison) -> Option<String> {
    let said = |(one, passages): (&ContenderResult, &Vec<Passed>)| {
        let mut bodies: Vec<&str> = passages.iter().map(|passed| passed.body.as_str()).collect();
        bodies.order();
        bodies.dedup();
        let count = [bodies.len() as u64, comparison.bodies.into()].map(grouped);
        format!("{} lets {} of {} bodies pass through a surface", one.name, count[0], count[1])
    };
    let judged = comparison.contenders.iter().filter_map(|one| Some((one, one.passages.as_ref()?)));
    let all: Vec<_> = judged.collect();
    let told: Vec<String> = all.iter().copied().filter(|(_, p)| !p.is_empty()).map(said).collect();
    match (all.is_empty(), told.is_empty()) {
        (true, _) => None,
        (false, true) => Some("No body passes through a surface.".to_owned()),
        (false, false) => Some(format!("{}.", told.join("; "))),
    }
}

/// Returns sentences on the contenders that move bodies as the first one does, and on the steps at
/// which the other contenders part from it.
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
            "{} keeps every body within a hundredth of its size of its position in {}.",
            other.name, first.name
        ),
        Some(parting) => format!("{} parts from {} {}.", other.name, first.name, place(parting)),
    }));
    all
}

/// Describes the step and the body of a parting: "at step 41 with body gear_3, which touches tray".
pub fn place(parting: &Parting) -> String {
    let touching =
        parting.touching.as_ref().map_or(String::new(), |other| format!(", which touches {other}"));
    format!("at step {} with body {}{touching}", grouped(parting.step.into()), parting.body)
}

/// Describes the largest gap and twist of a contender's joints: "largest gap 0.25 mm (hinge, step
/// 41)"; `None` if neither was measured.
pub fn joints(one: &ContenderResult) -> Option<String> {
    let of = |(kind, peak, factor, unit): (&str, &Option<JointPeak>, f64, &str)| {
        let JointPeak { joint, step, value } = peak.as_ref()?;
        let value = digits(factor * value);
        Some(format!("largest {kind} {value}{unit} ({joint}, step {})", grouped((*step).into())))
    };
    let both = [("gap", &one.joint_gap, 1e3, " mm"), ("twist", &one.joint_twist, 1.0_f64.to_degrees(), "°")];
    let said: Vec<String> = both.into_iter().filter_map(of).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::page::fixture::{of_56_bodies, of_two_steps};
    use crate::compare::result::{Loss, Lost};

    fn parting(touching: Option<&str>) -> Parting {
        let touching = touching.map(str::to_owned);
        Parting { step: 41, body: "gear_3".to_owned(), touching, distance: 0.002 }
    }

    fn passed(k: u32, step: u32) -> Passed {
        Passed { body: format!("gear_{k}"), through: format!("tray_{step}"), step }
    }

    #[test]
    fn speed_is_said_from_the_slower_one_with_its_interval() {
        let said = |value: f64, interval: Option<[f64; 2]>| {
            speed("boxtree8", &of_two_steps("rapier", Some((value, interval))))
        };
        assert_eq!(
            said(2.31, Some([2.28, 2.35])),
            "rapier takes 2.31 times as long as boxtree8 (2.28–2.35)."
        );
        assert_eq!(said(0.5, Some([0.4, 0.625])), "boxtree8 takes 2.00 times as long as rapier (1.60–2.50).");
        assert_eq!(said(1.031, Some([1.02, 1.04])), "rapier takes 3.1 % longer than boxtree8 (2.0–4.0 %).");
        assert_eq!(
            said(1.0, Some([0.99, 1.01])),
            "boxtree8 and rapier take equally long: the interval 0.99–1.01 contains 1."
        );
        assert_eq!(
            said(1.2, Some([0.7, 1.9])),
            "boxtree8 and rapier cannot be ranked by time: the interval 0.70–1.90 contains 1."
        );
        assert_eq!(
            said(3.0, None),
            "rapier takes 3.00 times as long as boxtree8 (too few repeats for an interval)."
        );
        assert_eq!(said(f64::NAN, None), "rapier was not timed.");
    }

    #[test]
    fn the_opening_says_who_loses_bodies_and_who_moves_as_the_first_does() {
        let mut rapier = of_two_steps("rapier", Some((2.31, Some([2.28, 2.35]))));
        let lost = |k: u32| Lost { body: format!("gear_{k}"), step: k, how: Loss::Fell };
        rapier.lost = (0..15).map(lost).collect();
        rapier.passages = Some([(2, 1), (4, 2), (2, 2)].map(|(k, step)| passed(k, step)).into());
        rapier.first_difference = Some(parting(None));
        rapier.parting = Some(parting(Some("tray")));
        let equal = Some((1.0, Some([0.99, 1.01])));
        let all = vec![
            of_two_steps("boxtree8", None),
            of_two_steps("aabb", equal),
            of_two_steps("paper", equal),
            rapier,
        ];
        assert_eq!(
            opening(&of_56_bodies(all)),
            "boxtree8 and aabb take equally long: the interval 0.99–1.01 contains 1. boxtree8 and paper take \
             equally long: the interval 0.99–1.01 contains 1. rapier takes 2.31 times as long as boxtree8 \
             (2.28–2.35). rapier loses 15 of 56 bodies. rapier lets 2 of 56 bodies pass through a surface. aabb \
             and paper move every body as boxtree8 does, bit for bit, in all 2 steps. rapier parts from boxtree8 \
             at step 41 with body gear_3, which touches tray."
        );
    }

    #[test]
    fn small_deviations_and_short_runs_are_told_from_equal_motion() {
        let mut near = of_two_steps("near", Some((1.5, None)));
        near.first_difference = Some(parting(None));
        let mut short = of_two_steps("short", Some((1.5, None)));
        short.times.update.pop();
        let all = opening(&of_56_bodies(vec![of_two_steps("a", None), near, short]));
        assert!(
            all.contains("near keeps every body within a hundredth of its size of its position in a."),
            "{all}"
        );
        assert!(all.contains("short moves every body as a does, bit for bit, in the one step."), "{all}");
        assert!(all.contains("No body is lost."), "{all}");
        assert_eq!(opening(&of_56_bodies(Vec::new())), "Nothing was compared.");
        assert_eq!(
            opening(&Comparison { steps: 0, ..of_56_bodies(vec![of_two_steps("a", None)]) }),
            "No step was taken."
        );
    }
    #[test]
    fn bodies_that_get_through_are_said_of_each_contender_and_only_where_they_were_judged() {
        let with = |name: &str, passages: Option<Vec<Passed>>| ContenderResult {
            passages,
            ..of_two_steps(name, None)
        };
        let said = |all: Vec<ContenderResult>| passages(&of_56_bodies(all));
        let one = || Some(vec![passed(1, 1)]);
        assert_eq!(said(vec![with("a", None), with("b", None)]), None);
        assert_eq!(
            said(vec![with("a", Some(Vec::new())), with("b", None)]).unwrap(),
            "No body passes through a surface."
        );
        assert_eq!(
            said(vec![with("a", one()), with("b", Some(Vec::new())), with("c", one())]).unwrap(),
            "a lets 1 of 56 bodies pass through a surface; c lets 1 of 56 bodies pass through a surface."
        );
    }
    #[test]
    fn joints_are_said_with_their_names_and_steps() {
        let peak = |value| Some(JointPeak { joint: "hinge".to_owned(), step: 1041, value });
        let with =
            |joint_gap, joint_twist| ContenderResult { joint_gap, joint_twist, ..of_two_steps("a", None) };
        assert_eq!(joints(&with(None, None)), None);
        assert_eq!(joints(&with(peak(2.5e-4), None)).unwrap(), "largest gap 0.250 mm (hinge, step 1,041)");
        assert_eq!(
            joints(&with(peak(0.0), peak(std::f64::consts::PI))).unwrap(),
            "largest gap 0 mm (hinge, step 1,041), largest twist 180° (hinge, step 1,041)"
        );
    }
}
