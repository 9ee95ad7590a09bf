//! Damping ratio of a spring, from the decay of its peaks.

use std::f64::consts::PI;

use glam::DVec3;

use super::stage::{Kind, cube, driven, join, part, spring, weightless};
use super::truth::{Trial, Truth};
use crate::body::{Drive, WORLD};

/// Mass (kg), stiffness (N/m) and stretch at the start (m) of the spring. Its frequency is 20 rad/s.
const MASS: f64 = 2.0;
const STIFFNESS: f64 = 800.0;
const STRETCH: f64 = 0.1;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    [0.0, 0.05].map(ratio).into()
}

/// Returns the damping ratio of a spring whose closed form is `expected`.
fn ratio(expected: f64) -> Truth {
    let mut scene = weightless();
    let damping = 2.0 * expected * f64::sqrt(STIFFNESS * MASS);
    let cube = part(&mut scene, &cube(0.1), MASS, DVec3::ZERO);
    let drive = Drive { position_target: STRETCH, ..spring(STIFFNESS, damping) };
    join(&mut scene, [WORLD, cube], DVec3::ZERO, Kind::Slider(DVec3::X, driven(drive)));
    let name = format!("damping ratio {expected} of a spring, 2.5 s");
    Truth::within(0.0, name, (expected, "1"), scene, |trial| decay(trial, 2.5)).with_tolerance(0.002)
}

/// Returns the damping ratio by the logarithmic decrement, from the start at rest to the last peak in a
/// duration. Two peaks are half a period apart, on either side. A parabola gives each its height.
fn decay(trial: &mut Trial, seconds: f64) -> Option<f64> {
    let stretch = |trial: &Trial| (trial.center(0).x - STRETCH).abs();
    let start = stretch(trial);
    let (mut before, mut now, mut count, mut peak) = (start, start, 0, start);
    for _ in 0..trial.steps_in(seconds) {
        trial.step()?;
        let next = stretch(trial);
        if before < now && next <= now {
            let (slope, bend) = (0.5 * (next - before), 2.0 * now - before - next);
            (count, peak) = (count + 1, now + 0.5 * slope * slope / bend);
        }
        (before, now) = (now, next);
    }
    let decrement = libm::log(start / peak) / (PI * f64::from(count));
    Some(decrement / libm::hypot(1.0, decrement))
}
