//! A four-bar linkage with a motor, a closed loop of hinges: its turns and the gaps of its hinges.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::stage::{Kind, bar, driven, join, motor, part, weightless};
use super::truth::Truth;
use crate::body::{JointAxis, WORLD};
use crate::pose::turn;
use crate::scene::Scene;

/// Lengths of the crank, which can go round, the coupler and the rocker, and the distance of the two
/// fixed hinges, m.
const CRANK: f64 = 0.15;
const COUPLER: f64 = 0.5;
const ROCKER: f64 = 0.35;
const BASE: f64 = 0.5;
/// Speed of the motor: half a turn per second.
const SPEED: f64 = PI;
const SECONDS: f64 = 20.0;
/// Duration of the runs with stiffer motors, s.
const STIFF_SECONDS: f64 = 10.0;
/// Damping of the usual motor, N·m·s/rad.
const DAMPING: f64 = 50.0;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let turns = SPEED * SECONDS / TAU;
    let mut all = vec![
        Truth::within(
            0.01,
            "crank of a four-bar linkage, 20 s",
            (turns, "turns"),
            four_bar(DAMPING),
            |trial| Some(trial.turned(0, DVec3::Z, SPEED, SECONDS)? / TAU),
        )
        .long(),
        Truth::zero((1.0, "mm"), "gap at the last hinge of a four-bar linkage", four_bar(DAMPING), |trial| {
            let mut gap = 0.0_f64;
            for _ in 0..trial.steps_in(4.0) {
                trial.step()?;
                let ends = [(1, COUPLER), (2, -ROCKER)]
                    .map(|(body, length)| trial.body(body).pose.transform_point(DVec3::X * 0.5 * length));
                gap = gap.max(ends[0].distance(ends[1]));
            }
            Some(1e3 * gap)
        }),
    ];
    all.extend([200.0, 2000.0].into_iter().flat_map(stiffly_driven));
    all
}

/// Returns the turns of the crank and the largest gap of any hinge with a motor of another damping.
fn stiffly_driven(damping: f64) -> [Truth; 2] {
    let turns = SPEED * STIFF_SECONDS / TAU;
    let name = |what: &str| format!("{what} of a four-bar linkage, damping {damping}, 10 s");
    [
        Truth::within(0.01, name("crank"), (turns, "turns"), four_bar(damping), |trial| {
            Some(trial.turned(0, DVec3::Z, SPEED, STIFF_SECONDS)? / TAU)
        })
        .long(),
        Truth::zero((0.05, "mm"), name("largest gap"), four_bar(damping), |trial| {
            trial.widest_gap(STIFF_SECONDS)
        })
        .long(),
    ]
}

/// Returns the linkage with its crank upright and a motor of the given damping, N·m·s/rad. The coupler
/// goes from the crank to the rocker, the rocker from there to its fixed hinge.
fn four_bar(damping: f64) -> Scene {
    let mut scene = weightless();
    let (crank_end, base) = (DVec3::Y * CRANK, DVec3::X * BASE);
    let between = base - crank_end;
    let reach = between.length();
    let along = (COUPLER * COUPLER - ROCKER * ROCKER + reach * reach) / (2.0 * reach);
    let aside = (COUPLER * COUPLER - along * along).max(0.0).sqrt();
    let way = between / reach;
    let top = crank_end + along * way + aside * DVec3::Z.cross(way);
    let corners = [DVec3::ZERO, crank_end, top, base];
    let mut before = WORLD;
    for pair in corners.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let link = part(&mut scene, &bar(from.distance(to) as f32, 0.02, 0.02), 1.0, from.midpoint(to));
        let angle = libm::atan2(to.y - from.y, to.x - from.x).to_degrees();
        scene.bodies[link as usize].pose.rotation = turn(DVec3::Z, angle);
        let axis = if before == WORLD { driven(motor(SPEED, damping)) } else { JointAxis::default() };
        join(&mut scene, [before, link], from, Kind::Hinge(DVec3::Z, axis));
        before = link;
    }
    join(&mut scene, [WORLD, before], base, Kind::Hinge(DVec3::Z, JointAxis::default()));
    scene
}
