//! Carriages whose centers lie beside their sliders, so that every force turns them against the slider.

use std::f64::consts::TAU;

use glam::DVec3;

use super::stage::{Kind, bar, cube, join, part};
use super::truth::{G, Trial, Truth};
use crate::body::{JointAxis, WORLD};
use crate::pose::turn;
use crate::scene::Scene;

/// Mass of a carriage, kg.
const CARRIAGE: f64 = 2.0;
/// Angle from which the pendulum on a cart is let go, degrees.
const ANGLE: f64 = 4.0;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let [gap, energy] = sliding();
    let [amplitude, period] = pendulum();
    vec![gap, energy, hanging(), amplitude.long(), period]
}

/// Returns a carriage on a slider along x through the origin. Its center is `aside` (m) along z.
fn carriage(aside: f64) -> Scene {
    let mut scene = Scene::new("carriage");
    let carriage = part(&mut scene, &cube(0.1), CARRIAGE, DVec3::Z * aside);
    join(&mut scene, [WORLD, carriage], DVec3::ZERO, Kind::Slider(DVec3::X, JointAxis::default()));
    scene
}

/// Returns the gap and the energy of a carriage that slides at 1 m/s.
fn sliding() -> [Truth; 2] {
    let scene = || {
        let mut scene = carriage(1.0);
        scene.bodies[0].linear_velocity = DVec3::X;
        scene
    };
    let name = |what: &str| format!("{what} of a carriage 1 m beside its slider, 5 s");
    [
        Truth::zero((0.05, "mm"), name("largest gap"), scene(), |trial| trial.widest_gap(5.0)),
        Truth::within(0.01, name("energy"), (100.0, "%"), scene(), |trial| {
            let start = trial.energy();
            trial.seconds(5.0)?;
            Some(100.0 * trial.energy() / start)
        }),
    ]
}

/// Returns the greatest way of a load that hangs at rest from a hinge below a carriage.
fn hanging() -> Truth {
    let aside = 0.2;
    let mut scene = carriage(aside);
    let hinge = DVec3::new(0.0, -0.05, aside);
    let load = part(&mut scene, &cube(0.2), 10.0, hinge - DVec3::Y * 0.5);
    join(&mut scene, [0, load], hinge, Kind::Hinge(DVec3::Z, JointAxis::default()));
    Truth::zero((0.05, "mm"), "10 kg hang on a carriage beside its slider: way, 5 s", scene, move |trial| {
        trial.greatest_way(load, 5.0)
    })
}

/// Returns the amplitude and the period of a rod of 1 kg and 1 m on a cart. With the masses M and m, the
/// arm l and the inertia J about the hinge, ω² = (M + m)·m·g·l / ((M + m)·J − (m·l)²) for small angles.
fn pendulum() -> [Truth; 2] {
    let (mass, arm, aside) = (1.0, 0.5, 0.2);
    let scene = || {
        let mut scene = carriage(aside);
        let (hinge, tilt) = (DVec3::Z * aside, turn(DVec3::Z, ANGLE));
        let rod = part(&mut scene, &bar(0.05, 1.0, 0.05), mass, hinge + tilt * DVec3::NEG_Y * arm);
        scene.bodies[rod as usize].pose.rotation = tilt;
        join(&mut scene, [0, rod], hinge, Kind::Hinge(DVec3::Z, JointAxis::default()));
        scene
    };
    let inertia = scene().bodies[1].inertia.z_axis.z + mass * arm * arm;
    let both = CARRIAGE + mass;
    let square = both * mass * G * arm / (both * inertia - (mass * arm).powi(2));
    let name = |what: &str| format!("{what} of a rod on a cart beside its slider");
    [
        Truth::within(0.01, name("amplitude after 10 s"), (ANGLE, "°"), scene(), |trial| {
            trial.seconds(10.0)?;
            trial.greatest(3.0, |trial| angle(trial).abs())
        }),
        Truth::within(0.01, name("period"), (TAU / square.sqrt(), "s"), scene(), |trial| {
            trial.period(4, 3.0, angle)
        }),
    ]
}

/// Returns the angle of the rod on the cart from hanging, degrees.
fn angle(trial: &Trial) -> f64 {
    let down = trial.body(1).pose.transform_vector(DVec3::NEG_Y);
    libm::atan2(down.x, -down.y).to_degrees()
}
