//! Regressions since an earlier comparison. A count is worse if its sum grew at all. A time is worse if
//! it grew by more than the allowed share and the two 95 % intervals are disjoint.

use serde::Serialize;

use super::result::{Comparison, ContenderResult};

use crate::arrays::MapEach;
use crate::digits::seconds;
use crate::scene::Scene;

/// A quantity that a contender needs more of than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regression {
    pub contender: String,
    /// Name of a count, or `time`.
    pub what: String,
    /// Sum over all steps, or the mean time of a step, ms.
    pub before: f64,
    pub now: f64,
    /// Place of the growth: the first step whose count is higher, or the stage whose mean time grew
    /// most.
    pub place: String,
}

/// Result of the test of a comparison against a baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    pub regressions: Vec<Regression>,
    /// Contenders or quantities that could not be tested, with the reason.
    pub not_judged: Vec<String>,
}

/// Subject of a comparison. Only comparisons with equal subjects can be tested against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject<'a> {
    scene: &'a str,
    steps: u32,
    dt: f64,
    bodies: u32,
}

impl<'a> Subject<'a> {
    /// Returns the subject of a comparison of `scene` that is not interrupted.
    pub fn of_scene(scene: &'a Scene) -> Self {
        let bodies = scene.bodies.len() as u32;
        Self { scene: &scene.name, steps: scene.steps, dt: scene.config.dt, bodies }
    }

    fn of(comparison: &'a Comparison) -> Self {
        let &Comparison { ref scene, steps, dt, bodies, .. } = comparison;
        Self { scene, steps, dt, bodies }
    }

    /// Returns an error if the baseline `before` has another subject.
    pub fn check(&self, before: &Comparison) -> Result<(), String> {
        let before = Subject::of(before);
        if *self == before {
            return Ok(());
        }
        let said = |of: &Subject| {
            format!("{} steps of {} of {} ({} bodies)", of.steps, seconds(of.dt), of.scene, of.bodies)
        };
        Err(format!("it is of {}, this comparison is of {}", said(&before), said(self)))
    }
}

/// Tests a comparison against an earlier one of the same scene and number of steps. `allowed` is the
/// share by which a time may grow.
///
/// # Errors
/// Returns the reason if the two cannot be compared.
pub fn judge(now: &Comparison, before: &Comparison, allowed: f64) -> Result<Verdict, String> {
    Subject::of(now).check(before)?;
    let mut verdict = Verdict::default();
    let is_same_machine = now.machine == before.machine;
    if !is_same_machine {
        verdict.not_judged.push("times are not compared: the baseline is from another machine".to_owned());
    }
    for own in &now.contenders {
        let Some(earlier) = before.contenders.iter().find(|one| one.name == own.name) else {
            verdict
                .not_judged
                .push(format!("{} is not compared: the baseline has no contender of this name", own.name));
            continue;
        };
        if own.is_by_clock {
            verdict
                .not_judged
                .push(format!("counts of {} are not compared: they depend on the clock", own.name));
        } else {
            verdict.regressions.extend(counts(own, earlier));
        }
        if is_same_machine {
            match time(own, earlier, allowed) {
                Ok(slower) => verdict.regressions.extend(slower),
                Err(why) => verdict.not_judged.push(format!("times of {} are not compared: {why}", own.name)),
            }
        }
    }
    Ok(verdict)
}

/// Counts that show the cost of finding contacts. Contacts and awake bodies are not compared, because a
/// difference in them shows that the bodies moved differently, not that the search costs more.
const SEARCHED: [&str; 5] = ["passes", "pairs", "node tests", "candidates", "false alarms"];

/// Returns the counts whose sums grew.
fn counts<'a>(
    own: &'a ContenderResult,
    earlier: &'a ContenderResult,
) -> impl Iterator<Item = Regression> + 'a {
    own.counts.iter().filter_map(|(name, now)| {
        let before = earlier.counts.get(name).filter(|_| SEARCHED.contains(&name.as_str()))?;
        let sum = |all: &Vec<u64>| all.iter().sum::<u64>();
        let step = now.iter().zip(before).position(|(now, before)| now > before)?;
        (sum(now) > sum(before)).then(|| Regression {
            contender: own.name.clone(),
            what: name.clone(),
            before: sum(before) as f64,
            now: sum(now) as f64,
            place: format!("from step {} on", step + 1),
        })
    })
}

/// Returns a regression if the mean time of a step grew by more than the share `allowed` and the 95 %
/// intervals of the two means are disjoint.
fn time(
    own: &ContenderResult,
    earlier: &ContenderResult,
    allowed: f64,
) -> Result<Option<Regression>, String> {
    let ([low, _], [_, high]) =
        own.mean.interval.zip(earlier.mean.interval).ok_or("there are too few repeats for an interval")?;
    let (now, before) = (own.mean.value, earlier.mean.value);
    if now <= (1.0 + allowed) * before || low <= high {
        return Ok(None);
    }
    let growth = own.times.means().into_iter().zip(earlier.times.means()).map(|(now, before)| now - before);
    let stages = own.times.stages().map_each(|(name, _)| name).into_iter().zip(growth);
    let most = stages.max_by(|p, q| p.1.total_cmp(&q.1)).map_or("", |stage| stage.0);
    Ok(Some(Regression {
        contender: own.name.clone(),
        what: "time".to_owned(),
        before,
        now,
        place: format!("most of it in {most}"),
    }))
}

impl Regression {
    /// Describes the regression in a line.
    pub fn text(&self) -> String {
        let Self { contender, what, before, now, place } = self;
        let unit = if what == "time" { " ms per step" } else { "" };
        let percent =
            if *before > 0.0 { format!(" (+{:.1} %)", 100.0 * (now / before - 1.0)) } else { String::new() };
        let number = |x: f64| if what == "time" { format!("{x:.3}") } else { format!("{x}") };
        format!("{contender}: {what} {} → {}{unit}{percent}, {place}", number(*before), number(*now))
    }
}

#[cfg(test)]
mod tests {
    use super::super::page::fixture::falling;
    use super::super::result::Estimate;
    use super::*;

    fn baseline() -> Comparison {
        let mut all = falling(&["boxtree8", "aabb"], 20, 4);
        for one in &mut all.contenders {
            one.mean = Estimate { value: 2.0, interval: Some([1.9, 2.1]) };
        }
        all
    }

    #[test]
    fn nothing_is_worse_than_itself() {
        let before = baseline();
        assert_eq!(judge(&before, &before, 0.0).unwrap(), Verdict::default());
    }

    #[test]
    fn one_more_node_test_in_one_step_is_named() {
        let before = baseline();
        let mut now = before.clone();
        now.contenders[1].counts.get_mut("node tests").unwrap()[6] += 1;
        let [only] = &judge(&now, &before, 0.05).unwrap().regressions[..] else { panic!("one regression") };
        assert_eq!((only.what.as_str(), only.place.as_str()), ("node tests", "from step 7 on"));
        assert_eq!((only.contender.as_str(), only.now - only.before), ("aabb", 1.0));
        // A smaller count is not a regression.
        assert_eq!(judge(&before, &now, 0.05).unwrap(), Verdict::default());
    }

    #[test]
    fn a_time_is_worse_beyond_what_is_allowed_and_beyond_noise_and_on_the_same_machine() {
        let before = baseline();
        let slower = |value: f64, low: f64| {
            let mut now = before.clone();
            now.contenders[0].mean = Estimate { value, interval: Some([low, value + 0.1]) };
            now.contenders[0].times.solve.iter_mut().for_each(|t| *t += value - 2.0);
            now
        };
        let found = judge(&slower(2.5, 2.4), &before, 0.05).unwrap().regressions;
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].text(),
            "boxtree8: time 2.000 → 2.500 ms per step (+25.0 %), most of it in solve"
        );
        assert!(judge(&slower(2.5, 2.0), &before, 0.05).unwrap().regressions.is_empty(), "within noise");
        assert!(judge(&slower(2.5, 2.4), &before, 0.3).unwrap().regressions.is_empty(), "allowed");
        let mut elsewhere = slower(2.5, 2.4);
        elsewhere.machine.cores += 1;
        let verdict = judge(&elsewhere, &before, 0.05).unwrap();
        assert!(verdict.regressions.is_empty() && verdict.not_judged[0].contains("another machine"));
    }

    #[test]
    fn another_scene_is_no_baseline() {
        let before = baseline();
        let other = Comparison { steps: 19, ..before.clone() };
        assert!(judge(&other, &before, 0.05).unwrap_err().contains("19 steps"));
    }
}
