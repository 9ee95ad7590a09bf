//! Joints: pendulums, a gyroscope, limits, springs and motors.

use std::f64::consts::TAU;

use glam::DVec3;

use super::stage::{Kind, bar, between, cube, driven, join, motor, part, spring, weightless};
use super::truth::{G, Trial, Truth};
use crate::body::{Drive, DriveKind, JointAxis, WORLD};
use crate::pose::turn;
use crate::scene::Scene;

/// Tolerance, as a share.
const PERCENT: f64 = 0.01;
/// Tolerance of hard constraints and of times, as a share.
const OF_CONSTRAINT: f64 = 1e-3;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all: Vec<Truth> =
        [10.0, 90.0, 170.0].into_iter().map(|angle| swing_energy(angle).long()).collect();
    all.push(swing_gap().long());
    all.extend([5.0, 90.0, 150.0].map(swing_period));
    all.extend([rod_period(), cone_period(), double_pendulum(), gyroscope()]);
    all.extend(limits());
    all.extend(springs());
    all.push(acceleration_drive());
    all.extend([0.9, 1.1].map(lift));
    all.extend([constant_force(), damper(), dry_friction()]);
    all.extend([fast_motor(), slow_motor()]);
    all
}

/// Returns a pendulum with a cube of 1 kg on a circle of 1 m, at rest at `degrees` from its lowest
/// point.
fn pendulum(degrees: f64) -> Scene {
    let mut scene = Scene::new("pendulum");
    let cube = part(&mut scene, &cube(0.2), 1.0, turn(DVec3::Z, degrees) * DVec3::NEG_Y);
    join(&mut scene, [WORLD, cube], DVec3::ZERO, Kind::Hinge(DVec3::Z, JointAxis::default()));
    scene
}

/// Returns the inertia of the first body about the z axis through the origin, kg·m².
fn inertia(scene: &Scene) -> f64 {
    let body = &scene.bodies[0];
    body.inertia.z_axis.z + body.mass * body.pose.transform_point(body.center).length_squared()
}

/// Returns the period of a physical pendulum of 1 kg whose center is `arm` (m) from its axis, s. It is
/// 2π·√(I/(m·g·l)) over the arithmetic-geometric mean of 1 and cos(θ/2).
fn period(scene: &Scene, arm: f64, degrees: f64) -> f64 {
    let (mut a, mut b) = (1.0, libm::cos(0.5 * degrees.to_radians()));
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    TAU * (inertia(scene) / (G * arm)).sqrt() / a
}

/// Returns the energy that a pendulum has after a minute, in percent of its first.
fn swing_energy(degrees: f64) -> Truth {
    let name = format!("energy of a pendulum from {degrees}°, 60 s");
    Truth::within(PERCENT, name, (100.0, "%"), pendulum(degrees), |trial| {
        let above = |trial: &Trial| trial.energy() + G;
        let start = above(trial);
        trial.seconds(60.0)?;
        Some(100.0 * above(trial) / start)
    })
}

/// Returns the greatest distance of a pendulum from its circle.
fn swing_gap() -> Truth {
    Truth::zero((1.0, "mm"), "gap at the pivot of a pendulum from 170°", pendulum(170.0), |trial| {
        let mut gap = 0.0_f64;
        for _ in 0..trial.steps_in(60.0) {
            trial.step()?;
            gap = gap.max((trial.center(0).length() - 1.0).abs());
        }
        Some(1e3 * gap)
    })
}

fn swing_period(degrees: f64) -> Truth {
    let scene = pendulum(degrees);
    let expected = period(&scene, 1.0, degrees);
    let name = format!("period of a pendulum from {degrees}°");
    Truth::within(OF_CONSTRAINT, name, (expected, "s"), scene, |trial| {
        trial.period(4, 5.0, |trial| trial.center(0).x)
    })
}

/// Returns the period of a rod that swings about its end.
fn rod_period() -> Truth {
    let mut scene = Scene::new("rod");
    let rod = part(&mut scene, &bar(0.05, 1.0, 0.05), 1.0, turn(DVec3::Z, 10.0) * DVec3::NEG_Y * 0.5);
    scene.bodies[rod as usize].pose.rotation = turn(DVec3::Z, 10.0);
    join(&mut scene, [WORLD, rod], DVec3::ZERO, Kind::Hinge(DVec3::Z, JointAxis::default()));
    let expected = period(&scene, 0.5, 10.0);
    Truth::within(OF_CONSTRAINT, "period of a rod from 10°", (expected, "s"), scene, |trial| {
        trial.period(4, 5.0, |trial| trial.center(0).x)
    })
}

/// Returns the time of a turn of a cube that goes round on a ball joint, 30° from the vertical:
/// 2π·√(l·cos θ/g). The inertia of a cube is the same about all axes, and so has no effect.
fn cone_period() -> Truth {
    let (mut scene, tilt) = (Scene::new("cone"), 30.0_f64);
    let at = turn(DVec3::Z, tilt) * DVec3::NEG_Y;
    let cube = part(&mut scene, &cube(0.2), 1.0, at);
    join(&mut scene, [WORLD, cube], DVec3::ZERO, Kind::Ball);
    let spin = DVec3::Y * (G / libm::cos(tilt.to_radians())).sqrt();
    scene.bodies[cube as usize].angular_velocity = spin;
    scene.bodies[cube as usize].linear_velocity = spin.cross(at);
    let expected = TAU / spin.y;
    Truth::within(OF_CONSTRAINT, "turn of a conical pendulum at 30°", (expected, "s"), scene, |trial| {
        trial.period(4, 5.0, |trial| trial.center(0).x)
    })
}

/// Returns the change of energy of two hinged rods, released level, in percent of what they can release.
fn double_pendulum() -> Truth {
    let mut scene = Scene::new("double pendulum");
    let [a, b] = [0.5, 1.5].map(|x| part(&mut scene, &bar(1.0, 0.05, 0.05), 1.0, DVec3::X * x));
    join(&mut scene, [WORLD, a], DVec3::ZERO, Kind::Hinge(DVec3::Z, JointAxis::default()));
    join(&mut scene, [a, b], DVec3::X, Kind::Hinge(DVec3::Z, JointAxis::default()));
    Truth::zero((1.0, "%"), "energy of a double pendulum, 20 s", scene, |trial| {
        let start = trial.energy();
        trial.seconds(20.0)?;
        Some(100.0 * (trial.energy() - start) / (2.0 * G))
    })
    .long()
}

/// Returns the precession of a level wheel on a ball joint, m·g·r/(I·ω). The start has it already.
fn gyroscope() -> Truth {
    let (arm, spin, mut scene) = (0.3, 100.0, Scene::new("gyroscope"));
    let wheel = part(&mut scene, &bar(0.1, 0.4, 0.4), 1.0, DVec3::X * arm);
    join(&mut scene, [WORLD, wheel], DVec3::ZERO, Kind::Ball);
    let body = &mut scene.bodies[wheel as usize];
    let rate = G * arm / (body.inertia.x_axis.x * spin);
    body.angular_velocity = DVec3::new(spin, rate, 0.0);
    body.linear_velocity = DVec3::NEG_Z * rate * arm;
    Truth::within(PERCENT, "precession of a gyroscope", (rate, "rad/s"), scene, |trial| {
        let (mut before, mut angle) = (trial.center(0).with_y(0.0), 0.0);
        for _ in 0..trial.steps_in(2.0) {
            trial.step()?;
            let now = trial.center(0).with_y(0.0);
            angle += libm::atan2(before.cross(now).y, before.dot(now));
            before = now;
        }
        Some(angle / trial.time())
    })
}

/// Returns a rod of 1 kg and 1 m along x that is hinged at the origin.
fn beam(axis: JointAxis) -> Scene {
    let mut scene = Scene::new("beam");
    let rod = part(&mut scene, &bar(1.0, 0.05, 0.05), 1.0, DVec3::X * 0.5);
    join(&mut scene, [WORLD, rod], DVec3::ZERO, Kind::Hinge(DVec3::Z, axis));
    scene
}

/// Returns a cube of 1 kg on a slider.
fn carriage(mut scene: Scene, along: DVec3, axis: JointAxis) -> Scene {
    let cube = part(&mut scene, &cube(0.1), 1.0, DVec3::ZERO);
    join(&mut scene, [WORLD, cube], DVec3::ZERO, Kind::Slider(along, axis));
    scene
}

/// Returns the angle of a beam after some seconds, degrees.
fn angle(trial: &mut Trial, seconds: f64) -> Option<f64> {
    trial.seconds(seconds)?;
    let center = trial.center(0);
    Some(libm::atan2(center.y, center.x).to_degrees())
}

fn limits() -> [Truth; 2] {
    let hinge = beam(between(-45.0_f64.to_radians(), 90.0_f64.to_radians()));
    let slider = carriage(Scene::new("slider"), DVec3::Y, between(-0.5, 0.5));
    [
        Truth::within(OF_CONSTRAINT, "beam on the limit of its hinge", (-45.0, "°"), hinge, |trial| {
            angle(trial, 4.0)
        }),
        Truth::within(OF_CONSTRAINT, "cube on the limit of its slider", (-0.5, "m"), slider, |trial| {
            trial.seconds(4.0)?;
            Some(trial.center(0).y)
        }),
    ]
}

fn springs() -> [Truth; 4] {
    let (torsion, stiffness) = (100.0, 100.0);
    // The beam sinks to the angle θ = (m·g·l/k)·cos θ.
    let sunk = (0..20).fold(0.0, |angle, _| 0.5 * G / torsion * libm::cos(angle));
    let sags = beam(driven(spring(torsion, 60.0)));
    let hangs = carriage(Scene::new("spring"), DVec3::Y, driven(spring(1000.0, 60.0)));
    let swings = || {
        let drive = Drive { position_target: 0.1, ..spring(stiffness, 0.0) };
        carriage(weightless(), DVec3::X, driven(drive))
    };
    let period = TAU / f64::sqrt(stiffness);
    [
        Truth::within(PERCENT, "beam on a spring", (-sunk.to_degrees(), "°"), sags, |trial| {
            angle(trial, 8.0)
        }),
        Truth::within(PERCENT, "cube that hangs on a spring", (-1e3 * G / 1000.0, "mm"), hangs, |trial| {
            trial.seconds(4.0)?;
            Some(1e3 * trial.center(0).y)
        }),
        Truth::within(PERCENT, "period of a cube on a spring", (period, "s"), swings(), |trial| {
            trial.period(5, 1.0, |trial| trial.center(0).x - 0.1)
        }),
        Truth::within(PERCENT, "amplitude after 5 s on a spring", (100.0, "mm"), swings(), move |trial| {
            trial.seconds(5.0)?;
            let (off, speed) = (trial.center(0).x - 0.1, trial.body(0).linear_velocity.x);
            Some(1e3 * libm::hypot(off, speed / f64::sqrt(stiffness)))
        }),
    ]
}

/// Returns the angle of a beam whose drive accelerates it towards 90° with critical damping, 1/ω after
/// the start: 1 − 2/e of the way.
fn acceleration_drive() -> Truth {
    let target = std::f64::consts::FRAC_PI_2;
    let drive = Drive { kind: DriveKind::Acceleration, position_target: target, ..spring(4.0, 4.0) };
    let scene = Scene { gravity: DVec3::ZERO, ..beam(driven(drive)) };
    let expected = 90.0 * (1.0 - 2.0 * libm::exp(-1.0));
    Truth::within(PERCENT, "beam after 0.5 s of an acceleration drive", (expected, "°"), scene, |trial| {
        angle(trial, 0.5)
    })
}

/// Returns the speed after 0.5 s of a load whose drive pushes with a share of its weight.
fn lift(share: f64) -> Truth {
    let weight = 101.0 * G;
    let drive = Drive { max_force: share * weight, ..motor(1.0, 1e6) };
    let mut scene = carriage(Scene::new("lift"), DVec3::Y, driven(drive));
    let load = part(&mut scene, &cube(0.2), 100.0, DVec3::Y * 0.3);
    join(&mut scene, [0, load], DVec3::Y * 0.1, Kind::Fixed);
    let name = format!("100 kg on a drive of {share} times the weight");
    Truth::within(PERCENT, name, ((share - 1.0) * G * 0.5, "m/s"), scene, move |trial| {
        trial.seconds(0.5)?;
        Some(trial.body(load).linear_velocity.y)
    })
}

/// Returns the speed that a drive at its largest force, 5 N, gives to 1 kg in a second.
fn constant_force() -> Truth {
    let drive = Drive { max_force: 5.0, ..motor(50.0, 1e4) };
    let scene = carriage(weightless(), DVec3::X, driven(drive));
    Truth::within(PERCENT, "1 kg on a drive of 5 N, 1 s", (5.0, "m/s"), scene, |trial| {
        trial.seconds(1.0)?;
        Some(trial.body(0).linear_velocity.x)
    })
}

/// Returns the speed that a damper leaves of 1 m/s after m/c, 1/e.
fn damper() -> Truth {
    let mut scene = carriage(weightless(), DVec3::X, driven(spring(0.0, 1.0)));
    scene.bodies[0].linear_velocity = DVec3::X;
    Truth::within(PERCENT, "speed in a damper, 1 s", (libm::exp(-1.0), "m/s"), scene, |trial| {
        trial.seconds(1.0)?;
        Some(trial.body(0).linear_velocity.x)
    })
}

/// Returns the spin that dry friction in a hinge leaves of 10 rad/s after a second.
fn dry_friction() -> Truth {
    let mut scene = weightless();
    let brick = part(&mut scene, &bar(0.1, 0.2, 0.3), 1.0, DVec3::ZERO);
    join(&mut scene, [WORLD, brick], DVec3::ZERO, Kind::Hinge(DVec3::Z, JointAxis::default()));
    scene.joints[0].friction = 5.0 * inertia(&scene);
    scene.bodies[0].angular_velocity = DVec3::Z * 10.0;
    Truth::within(PERCENT, "spin on a hinge with dry friction, 1 s", (5.0, "rad/s"), scene, |trial| {
        trial.seconds(1.0)?;
        Some(trial.body(0).angular_velocity.z)
    })
}

/// Returns a brick of 1 kg on a hinge through its center, with a motor.
fn rotor(speed: f64) -> Scene {
    let mut scene = weightless();
    let brick = part(&mut scene, &bar(0.1, 0.2, 0.3), 1.0, DVec3::ZERO);
    join(&mut scene, [WORLD, brick], DVec3::ZERO, Kind::Hinge(DVec3::Z, driven(motor(speed, 50.0))));
    scene
}

/// Returns the speed of a motor at 3,000 rpm, measured from its poses.
fn fast_motor() -> Truth {
    let speed = 50.0 * TAU;
    Truth::within(OF_CONSTRAINT, "motor at 3,000 rpm", (speed, "rad/s"), rotor(speed), move |trial| {
        trial.seconds(1.0)?;
        trial.turned(0, DVec3::Z, speed, 1.0)
    })
}

/// Returns the angle through which a slow motor turns.
fn slow_motor() -> Truth {
    let speed = 1.0_f64.to_radians();
    Truth::within(OF_CONSTRAINT, "motor at 1°/s, 20 s", (20.0, "°"), rotor(speed), move |trial| {
        Some(trial.turned(0, DVec3::Z, speed, 20.0)?.to_degrees())
    })
}
