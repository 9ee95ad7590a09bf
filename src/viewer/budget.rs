//! The effect of a budget on a step, in numbers and text: the used share, the unproven pairs, and the
//! quality of the guesses. Steps and marks → data for the panels.

use super::stage::Stage;
use crate::body::Motion;
use crate::config::{Budget, Config};
use crate::record::{ContactMark, Guess, Rest};
use crate::timing::Timings;

/// Choice of the budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BudgetChoice {
    /// Budget of the scene, if it has one.
    #[default]
    OfScene,
    /// No budget: every pair is searched.
    Exact,
    Within(Budget),
}

impl BudgetChoice {
    /// The budget if neither the scene nor the user specifies one. With it, a step and its drawing fit
    /// into one frame.
    pub const USUAL: Budget = Budget { us: Some(2000), tests: None, sample: 16 };

    pub fn apply(self, config: &mut Config) {
        match self {
            Self::OfScene => {}
            Self::Exact => config.budget = None,
            Self::Within(budget) => config.limit(budget),
        }
    }
}

/// Returns the time of the stages that a budget limits, *test* and *query*, ms.
pub fn detection(timings: &Timings) -> f64 {
    1e3 * (timings.test + timings.query).as_secs_f64()
}

/// Numbers of a step under a budget, and of the steps before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The budget, also converted to node tests.
    pub budget: Budget,
    /// Node tests of the step. Candidates are included, converted to node tests.
    pub used: u64,
    /// Time of the detection, ms.
    pub detection: f64,
    /// Number of the step's unproven pairs in which at least one body moves. `None` for recordings,
    /// which do not store such pairs.
    pub starved: Option<usize>,
    /// Number of steps over which the sums below are taken: the shown step and the steps before it.
    pub steps: usize,
    /// Number of steps that took longer than the budget, if it is a budget in time.
    pub late: Option<usize>,
    /// Number of unproven pairs that were tested exactly. The next two fields count the false and the
    /// missed collisions among them.
    pub sampled: u64,
    pub false_collisions: u64,
    pub missed_collisions: u64,
    /// Calibration error of all guesses since the start of the run.
    pub calibration_error: Option<f64>,
}

impl Figures {
    /// Returns the numbers of the shown step, or `None` without a budget. Sums and shares are over the
    /// last `window` steps.
    pub fn of(stage: &Stage, window: u32) -> Option<Self> {
        let budget = stage.show.scene.config.budget?;
        let frame = &stage.frame;
        let costs = stage.source.costs(frame.step.saturating_sub(window.saturating_sub(1))..=frame.step);
        let is_late = |us: u64| costs.iter().filter(|(_, c)| 1e3 * detection(&c.timings) > us as f64).count();
        let guesses = stage.guesses.as_ref();
        Some(Self {
            budget,
            used: frame.counts.units_used,
            detection: detection(&frame.timings),
            starved: guesses.map(|_| starved(stage).count()),
            steps: costs.len(),
            late: budget.us.map(is_late),
            sampled: costs.iter().map(|(_, c)| c.counts.sampled).sum(),
            false_collisions: costs.iter().map(|(_, c)| c.counts.false_collisions).sum(),
            missed_collisions: costs.iter().map(|(_, c)| c.counts.missed_collisions).sum(),
            calibration_error: guesses.map(|g| g.1),
        })
    }

    /// Returns the share of the budget that the step used.
    pub fn share(&self) -> f64 {
        self.used as f64 / self.budget.tests.unwrap_or(u64::MAX).max(1) as f64
    }

    /// Formats a count as a share of the sampled pairs, for example `3.1 %`.
    pub fn rate(&self, count: u64) -> String {
        match self.sampled {
            0 => "none tested".to_owned(),
            all => format!("{:.1} %", 100.0 * count as f64 / all as f64),
        }
    }
}

/// Returns the unproven pairs of the shown step. Pairs at rest are left out, as they need no search.
pub fn starved(stage: &Stage) -> impl Iterator<Item = &Guess> {
    let moves = |body: u32| {
        stage.show.scene.bodies[body as usize].motion != Motion::Static
            && stage.frame.rests[body as usize] == Rest::Awake
    };
    stage.guesses.iter().flat_map(|g| &g.0).filter(move |g| moves(g.a) || moves(g.b))
}

/// A body that touches, or may touch, the selected body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partner {
    pub body: u32,
    /// Number of contacts. The next field is the depth of the deepest contact, m.
    pub points: u32,
    pub depth: f32,
    /// Probability that the two bodies intersect; `None` if this is proven.
    pub likely: Option<f32>,
}

/// Returns the partners of a body, in ascending order of their numbers.
pub fn partners(marks: &[ContactMark], guesses: &[Guess], body: u32) -> Vec<Partner> {
    let other = |a: u32, b: u32| if a == body { Some(b) } else { (b == body).then_some(a) };
    let mut partners: Vec<Partner> = Vec::new();
    for mark in marks {
        if let Some(other) = other(mark.a, mark.b) {
            let partner = at(&mut partners, other);
            partner.points += 1;
            partner.depth = partner.depth.max(mark.depth());
        }
    }
    for guess in guesses {
        if let Some(other) = other(guess.a, guess.b) {
            at(&mut partners, other).likely = Some(guess.probability);
        }
    }
    partners
}

/// Returns the entry of a body. If there is none, inserts one at the place that keeps the order.
fn at(partners: &mut Vec<Partner>, body: u32) -> &mut Partner {
    let place = partners.binary_search_by_key(&body, |p| p.body).unwrap_or_else(|place| {
        partners.insert(place, Partner { body, points: 0, depth: 0.0, likely: None });
        place
    });
    &mut partners[place]
}

/// Formats a probability, for example `proven` or `likely 73 %`.
pub fn certainty(likely: Option<f32>) -> String {
    match likely.map(|p| 100.0 * p) {
        None => "proven".to_owned(),
        Some(p) if p < 1.0 => "likely < 1 %".to_owned(),
        Some(p) if p > 99.0 && p < 100.0 => "likely > 99 %".to_owned(),
        Some(p) => format!("likely {p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::record::Basis;

    #[test]
    fn certainty_is_never_rounded_to_a_proof() {
        let texts = [None, Some(0.0), Some(0.734), Some(0.999), Some(1.0)].map(certainty);
        assert_eq!(texts, ["proven", "likely < 1 %", "likely 73 %", "likely > 99 %", "likely 100 %"]);
    }

    #[test]
    fn a_body_is_listed_with_all_it_touches_or_may() {
        let mark = |a, b, depth: f32| ContactMark {
            a,
            b,
            point: Vec3::ZERO,
            normal: Vec3::Y,
            gap: -depth,
            force: 0.0,
            friction: Vec3::ZERO,
            basis: Basis::Found,
        };
        let marks = [mark(0, 3, 0.1), mark(0, 3, 0.2), mark(1, 2, 9.0), mark(3, 5, 0.0)];
        let guesses = [Guess { a: 2, b: 3, probability: 0.25 }, Guess { a: 3, b: 5, probability: 0.75 }];
        let partner = |body, points, depth, likely| Partner { body, points, depth, likely };
        assert_eq!(
            partners(&marks, &guesses, 3),
            [partner(0, 2, 0.2, None), partner(2, 0, 0.0, Some(0.25)), partner(5, 1, 0.0, Some(0.75))]
        );
        assert_eq!(partners(&marks, &guesses, 4), []);
    }
}
