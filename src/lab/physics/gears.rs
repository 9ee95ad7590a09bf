//! A pinion and a wheel on axles: the play of their teeth under a load, and their ratio against a brake.

use std::f64::consts::PI;

use glam::DVec3;

use super::stage::{Kind, driven, fixed, join, motor, part, set_friction, weightless};
use super::truth::{Trial, Truth};
use crate::body::{Drive, JointAxis, WORLD};
use crate::generate::Gear;
use crate::pose::{Pose, turn};
use crate::scene::Scene;

/// Distance by which the axles are farther apart than the pitch radii, m. It gives the teeth play.
const APART: f64 = 0.0002;
/// Speed of the drive: half a turn per second.
const SPEED: f64 = PI;
/// Torque of the brake, N·m.
const BRAKE: f64 = 0.5;
/// Masses of the pinion and of the wheel, kg.
const MASSES: [f64; 2] = [0.2, 0.6];

/// Returns the truths of this file. The flanks of true involutes let the pinion turn by 0.174° to either
/// side, chords of the flanks by 0.23°.
pub fn all() -> Vec<Truth> {
    let name = "pinion under 1 N·m against a wheel that stands still: turn, play 0.23°";
    vec![
        Truth::zero((0.26, "°"), name, pair(1.0, false), |trial| {
            trial.seconds(2.0)?;
            Some(angle(trial, 0).to_degrees())
        }),
        Truth::within(
            0.001,
            "ratio of gears with a brake, three turns",
            (2.0, ""),
            pair(5.0, true),
            |trial| {
                trial.seconds(0.5)?;
                let mut turned = [0.0; 2];
                for _ in 0..trial.steps_in(6.0) {
                    let before = [0, 1].map(|body| angle(trial, body));
                    trial.step()?;
                    for (body, before) in (0..).zip(before) {
                        let more = (angle(trial, body) - before + PI).rem_euclid(2.0 * PI) - PI;
                        turned[body as usize] += more;
                    }
                }
                Some(-turned[0] / turned[1])
            },
        )
        .long(),
    ]
}

/// Returns the angle of a body about z, rad.
fn angle(trial: &Trial, body: u32) -> f64 {
    let rotation = trial.body(body).pose.rotation;
    2.0 * libm::atan2(rotation.z, rotation.w)
}

/// Returns a pinion of 16 teeth, turned by a drive of at most `torque` (N·m), and a wheel of 32 teeth, which
/// is either static or has a brake.
fn pair(torque: f64, turns: bool) -> Scene {
    let mut scene = weightless();
    let [small, large] = [Gear::SMALL, Gear::LARGE].map(|gear| Gear { spacing: 0.02, ..gear });
    let center = (small.pitch_radius() + large.pitch_radius() + APART) * DVec3::X;
    // Opposite to a tooth of the pinion is a gap of the wheel.
    let half_pitch = turn(DVec3::Z, 180.0 / large.tooth_count as f64);
    let pinion = part(&mut scene, &small.triangles(), MASSES[0], DVec3::ZERO);
    let drive = Drive { max_force: torque, ..motor(SPEED, 1.0) };
    join(&mut scene, [WORLD, pinion], DVec3::ZERO, Kind::Hinge(DVec3::Z, driven(drive)));
    if turns {
        let wheel = part(&mut scene, &large.triangles(), MASSES[1], center);
        scene.bodies[wheel as usize].pose.rotation = half_pitch;
        join(&mut scene, [WORLD, wheel], center, Kind::Hinge(DVec3::Z, JointAxis::default()));
        scene.joints[1].friction = BRAKE;
    } else {
        fixed(&mut scene, &large.triangles(), Pose::new(half_pitch, center));
    }
    set_friction(&mut scene, 0.0);
    scene
}
