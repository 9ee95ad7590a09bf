//! The observed run, whose times usually do not count. All contenders step together, and after every
//! step their bodies are compared with those of the first contender. The run also warms the caches for
//! the timed runs.

use std::sync::Arc;

use glam::DVec3;

use super::displacement::{displacement, sizes};
use super::floor::floor;
use super::gaps;
use super::observed::{Observed, Reported};
use super::overlap::{Overlap, OverlapMeter};
use super::passages::PassageMeter;
use super::result::{ContenderResult, Deepest, Loss, Lost, Parting, Passed};
use super::surfaces::Surfaces;
use crate::body::{Activity, Bodies};
use crate::pose::Pose;
use crate::scene::Scene;

/// Speed above which a body counts as moving, m/s. It is the limit below which this program lets bodies
/// sleep.
const MOVING: f64 = 0.02;
/// Displacement from the first contender's body, as a share of the body's size, beyond which the
/// motions count as parted.
const PARTED: f64 = 0.01;
/// Smallest size of a body, m. Smaller bodies, and bodies without a surface, count as this large.
const SMALL: f64 = 1e-3;
/// Number of steps, spread over the run, after which the deviations of all bodies are kept.
const TRACKED: u32 = 100;
/// Divisor that gives the number of last steps over which shivering is measured: a tenth of all steps.
const TAIL: u32 = 10;

/// Observer that steps all contenders together and fills in their results, except for times.
pub struct Observer<'a> {
    scene: &'a Scene,
    steps: u32,
    overlaps: OverlapMeter,
    passages: PassageMeter,
    /// Direction against gravity, and the height below which a body has fallen, m.
    floor: Option<(DVec3, f64)>,
    /// Distance of the farthest corner of each body's bounds from its center of mass, m.
    sizes: Vec<f64>,
}

impl<'a> Observer<'a> {
    pub fn new(scene: &'a Scene, steps: u32) -> Self {
        let surfaces = Arc::new(Surfaces::new(scene));
        Self {
            scene,
            steps,
            overlaps: OverlapMeter::new(surfaces.clone()),
            passages: PassageMeter::new(scene, surfaces),
            floor: floor(scene),
            sizes: sizes(scene),
        }
    }

    /// Measures the current overlap of every contender.
    pub fn sample(&mut self, step: u32, all: &mut [Observed]) {
        for one in all.iter_mut().filter(|one| one.is_there()) {
            let depth = self.note_overlap(step, &one.before, &mut one.result);
            one.result.overlap.push(depth);
        }
    }

    /// Measures the overlap of every contender before and after the step whose contacts were deepest by
    /// the contender's own report. Called once, after the last step.
    pub fn sample_reported(&mut self, all: &mut [Observed]) {
        for one in all {
            if let Some(Reported { step, poses, .. }) = one.reported.take() {
                for (step, poses) in [step - 1, step].into_iter().zip(&poses) {
                    self.note_overlap(step, poses, &mut one.result);
                }
            }
        }
    }

    /// Measures the overlap at `poses`, after a step, and keeps it in `result` if it is the deepest so
    /// far. Returns its depth, m.
    fn note_overlap(&mut self, step: u32, poses: &[Pose], result: &mut ContenderResult) -> f64 {
        let Some(Overlap { bodies, depth }) = self.overlaps.deepest(poses) else { return 0.0 };
        if depth > result.deepest_overlap() {
            let bodies = bodies.map(|b| self.scene.bodies[b as usize].name.clone());
            result.deepest = Some(Deepest { step, bodies, depth });
        }
        depth
    }

    /// Takes step `step` (from 1) with every contender that has not ended. Returns whether any
    /// contender took it.
    pub fn step(&mut self, step: u32, all: &mut [Observed]) -> bool {
        let mut is_any = false;
        for one in all.iter_mut().filter(|one| one.is_there()) {
            if one.step(self.scene) {
                is_any = true;
                self.note_passages(step, one);
                gaps::note(&self.scene.joints, step, one.engine.bodies(), &mut one.result);
                self.note(step, one);
            }
        }
        let Some((first, others)) = all.split_first_mut().filter(|(first, _)| first.is_there()) else {
            return is_any;
        };
        for other in others.iter_mut().filter(|one| one.is_there()) {
            self.compare(step, first.engine.bodies(), other);
        }
        is_any
    }

    /// Notes the bodies that passed through surfaces in a step. Each pair is noted once.
    fn note_passages(&mut self, step: u32, one: &mut Observed) {
        let found = self.passages.passages(&one.before, one.engine.bodies());
        for (body, through) in found {
            if one.has_passed.insert((body, through)) {
                let name = |body: u32| self.scene.bodies[body as usize].name.clone();
                let passed = Passed { body: name(body), through: name(through), step };
                one.result.passages.get_or_insert_default().push(passed);
            }
        }
    }

    /// Updates a contender's speeds and lost bodies after a step.
    fn note(&self, step: u32, one: &mut Observed) {
        let bodies = one.engine.bodies();
        let dt = self.scene.config.dt;
        let (mut fastest, mut sum, mut count) = (0.0_f64, 0.0, 0_u32);
        for (index, (state, before)) in bodies.states.iter().zip(&one.before).enumerate() {
            if !state.is_dynamic() {
                continue;
            }
            let speed = displacement(&state.pose, before, state.center, self.sizes[index]) / dt;
            (fastest, sum, count) = (fastest.max(speed), sum + speed, count + 1);
            let lost = if state.activity == Activity::Quarantined {
                Some(Loss::NotFinite)
            } else {
                let is_low = self.floor.is_some_and(|(up, low)| up.dot(state.world_center()) < low);
                is_low.then_some(Loss::Fell)
            };
            let name = &self.scene.bodies[index].name;
            match (lost, one.is_lost[index]) {
                (Some(how), false) => one.result.lost.push(Lost { body: name.clone(), step, how }),
                // The body has returned above the floor, so it is not lost.
                (None, true) => one.result.lost.retain(|lost| lost.body != *name),
                _ => continue,
            }
            one.is_lost[index] = lost.is_some();
        }
        if fastest > MOVING {
            one.last_moving = step;
        }
        if step > self.steps - self.steps.div_ceil(TAIL) {
            one.tail = (one.tail.0 + sum / f64::from(count.max(1)), one.tail.1 + 1);
        }
        one.before.clear();
        one.before.extend(bodies.states.iter().map(|s| s.pose));
        one.result.state_hash = format!("{:016x}", one.engine.state_hash());
        one.result.rest.since = (one.last_moving < step).then_some(one.last_moving);
        one.result.rest.shiver = (one.tail.1 > 0).then(|| one.tail.0 / f64::from(one.tail.1));
    }

    /// Returns whether the deviation of every body is kept after a step.
    pub fn is_tracked(&self, step: u32) -> bool {
        step.is_multiple_of(self.steps.div_ceil(TRACKED).max(1)) || step == self.steps
    }

    /// Compares a contender's bodies with those of the first contender.
    fn compare(&self, step: u32, first: &Bodies, other: &mut Observed) {
        let bodies = other.engine.bodies();
        let mut all = Vec::with_capacity(bodies.states.len());
        let mut different: Option<(usize, f64)> = None;
        let mut parted = different;
        for (index, (own, its)) in bodies.states.iter().zip(&first.states).enumerate() {
            let distance =
                displacement(&own.pose, &its.pose, own.center, self.sizes[index]).min(f64::from(f32::MAX));
            all.push(distance);
            if own.pose != its.pose && different.is_none_or(|(_, most)| distance > most) {
                different = Some((index, distance));
            }
            if distance > PARTED * self.sizes[index].max(SMALL)
                && parted.is_none_or(|(_, most)| distance > most)
            {
                parted = Some((index, distance));
            }
        }
        let name = |body: u32| self.scene.bodies[body as usize].name.clone();
        let parting = |(body, distance): (usize, f64)| Parting {
            step,
            body: name(body as u32),
            touching: other.engine.touched(body as u32).map(name),
            distance,
        };
        if other.result.first_difference.is_none() {
            other.result.first_difference = different.map(parting);
        }
        if other.result.parting.is_none() {
            other.result.parting = parted.map(parting);
        }
        if self.is_tracked(step) {
            for (track, &distance) in other.tracks.iter_mut().zip(&all) {
                track.push(distance as f32);
            }
        }
        let deviation = &mut other.result.deviation;
        deviation.farthest.push(all.iter().copied().fold(0.0, f64::max));
        let middle = all.len() / 2;
        let middle = if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f64::total_cmp).1 };
        deviation.middle.push(middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::spoiled::observed;

    #[test]
    fn a_body_that_is_moved_by_a_nanometre_is_named_with_its_step() {
        let [_, result] = observed(|step, state| {
            if step >= 5 {
                state.pose.position.x += 1e-9;
            }
        });
        let first = result.first_difference.unwrap();
        assert_eq!((first.step, first.body.as_str()), (5, "ball.0"));
        assert!((first.distance - 1e-9).abs() < 1e-15, "{}", first.distance);
        assert_eq!((result.parting, result.deviation.farthest[3]), (None, 0.0));
        assert_eq!(result.deviation.bodies["ball.0"].len(), 10);
        assert!(!result.deviation.bodies.contains_key("plate.0"), "it cannot move");
    }

    #[test]
    fn a_pose_that_is_no_number_ends_a_contender_and_leaves_the_others() {
        let [own, result] = observed(|step, state| {
            if step == 4 {
                state.pose.position.y = f64::NAN;
            }
        });
        let ended = result.ended.unwrap();
        assert_eq!((ended.step, ended.reason.contains("\"ball.0\" is not finite")), (3, true));
        let lost = Lost { body: "ball.0".to_owned(), step: 4, how: Loss::NotFinite };
        assert_eq!((result.lost, result.energy.len(), own.energy.len()), (vec![lost], 3, 10));
        assert_eq!(own.ended, None);
    }

    #[test]
    fn a_body_that_falls_out_is_lost_unless_it_returns() {
        let [_, result] = observed(|step, state| {
            if step >= 6 {
                state.pose.position.y = -50.0;
            }
        });
        assert_eq!(result.lost, [Lost { body: "ball.0".to_owned(), step: 6, how: Loss::Fell }]);
        let [_, result] = observed(|step, state| {
            if step == 6 {
                state.pose.position.y = -50.0;
            }
        });
        assert_eq!(result.lost, []);
    }
    #[test]
    fn a_ball_that_gets_through_a_plate_is_listed_once_and_one_that_goes_round_it_is_not() {
        let [own, result] = observed(|step, state| {
            // In one step the ball returns above the plate, and in the next it passes through the plate
            // again.
            let height = if step == 8 { 0.5 } else { -0.5 };
            if step >= 6 {
                state.pose.position = DVec3::new(0.7, height, 0.0);
            }
        });
        let passed = Passed { body: "ball.0".to_owned(), through: "plate.0".to_owned(), step: 6 };
        assert_eq!((own.passages, result.passages), (Some(Vec::new()), Some(vec![passed])));
        let [_, result] = observed(|step, state| {
            if step >= 6 {
                state.pose.position = DVec3::new(3.0, -0.5, 0.0);
            }
        });
        assert_eq!(result.passages, Some(Vec::new()));
    }
}
