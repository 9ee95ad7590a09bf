//! Free flight, spin, and collisions of balls in free flight.

use glam::DVec3;

use super::stage::{bar, part, set_restitution, weightless};
use super::truth::{G, Trial, Truth};
use crate::generate::sphere;
use crate::scene::Scene;

/// Tolerance of a flight, as a share. Even the explicit method of first order, whose error is g·t·h/2
/// with a sub-step of h = 1/240 s, misses a fall of 4 s by no more.
const OF_FLIGHT: f64 = 1e-3;
/// Tolerance of other values, as a share.
const PERCENT: f64 = 0.01;
/// Height of the start of flights, m.
const HEIGHT: f64 = 100.0;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all = thrown();
    all.extend([10.0, 100.0, 300.0].map(spin));
    all.extend([10.0, 100.0].map(|rate| tumbling_energy(rate).long()));
    all.push(tumbling_momentum());
    all.push(free_precession());
    all.extend(collisions());
    all
}

/// Returns a scene with a brick of 1 kg in flight.
fn flight(velocity: DVec3) -> Scene {
    let mut scene = Scene::new("flight");
    let brick = part(&mut scene, &bar(0.1, 0.2, 0.3), 1.0, DVec3::Y * HEIGHT);
    scene.bodies[brick as usize].linear_velocity = velocity;
    scene
}

fn thrown() -> Vec<Truth> {
    let above = |height: f64| move |trial: &Trial| trial.center(0).y - height;
    let (velocity, drop) = (DVec3::new(3.0, 10.0, 0.0), 2.0);
    vec![
        Truth::within(OF_FLIGHT, "free fall, 2 s", (0.5 * G * 4.0, "m"), flight(DVec3::ZERO), |trial| {
            trial.seconds(2.0)?;
            Some(HEIGHT - trial.center(0).y)
        }),
        Truth::within(OF_FLIGHT, "free fall, 4 s", (0.5 * G * 16.0, "m"), flight(DVec3::ZERO), |trial| {
            trial.seconds(4.0)?;
            Some(HEIGHT - trial.center(0).y)
        }),
        Truth::within(
            OF_FLIGHT,
            "speed after a fall of 2 m",
            ((2.0 * G * drop).sqrt(), "m/s"),
            flight(DVec3::ZERO),
            move |trial| {
                let time = trial.falls_through_zero(2.0, above(HEIGHT - drop))?;
                Some(-trial.body(0).linear_velocity.y - G * (trial.time() - time))
            },
        ),
        Truth::within(
            OF_FLIGHT,
            "range of a throw",
            (2.0 * velocity.x * velocity.y / G, "m"),
            flight(velocity),
            move |trial| {
                let time = trial.falls_through_zero(4.0, above(HEIGHT))?;
                Some(trial.center(0).x - trial.body(0).linear_velocity.x * (trial.time() - time))
            },
        ),
        Truth::within(
            OF_FLIGHT,
            "height of a throw",
            (0.5 * velocity.y * velocity.y / G, "m"),
            flight(velocity),
            |trial| {
                let mut top = f64::NEG_INFINITY;
                for _ in 0..trial.steps_in(2.0) {
                    trial.step()?;
                    top = top.max(trial.center(0).y - HEIGHT);
                }
                Some(top)
            },
        ),
    ]
}

/// Returns a scene with a brick of 1 kg that spins without gravity; `spin` is in rad/s.
fn spinning(spin: DVec3) -> Scene {
    let mut scene = weightless();
    let brick = part(&mut scene, &bar(0.1, 0.2, 0.3), 1.0, DVec3::ZERO);
    scene.bodies[brick as usize].angular_velocity = spin;
    scene
}

/// Returns the speed at which a brick turns about its axis of greatest inertia, measured from its poses.
fn spin(rate: f64) -> Truth {
    let name = format!("spin of {rate} rad/s, kept for 5 s");
    Truth::within(OF_FLIGHT, name, (rate, "rad/s"), spinning(DVec3::X * rate), move |trial| {
        trial.seconds(4.0)?;
        trial.turned(0, DVec3::X, rate, 1.0)
    })
}

/// Returns the largest change of energy of a brick that tumbles about its middle axis.
fn tumbling_energy(rate: f64) -> Truth {
    let scene = spinning(rate * DVec3::new(0.01, 1.0, 0.0));
    Truth::zero((1.0, "%"), format!("energy of a brick that tumbles at {rate} rad/s, 20 s"), scene, |trial| {
        let start = trial.energy();
        let mut off = 0.0_f64;
        for _ in 0..trial.steps_in(20.0) {
            trial.step()?;
            off = off.max((trial.energy() / start - 1.0).abs());
        }
        Some(100.0 * off)
    })
}

fn tumbling_momentum() -> Truth {
    let scene = spinning(DVec3::new(0.1, 10.0, 0.0));
    Truth::zero((1.0, "%"), "momentum of a brick that tumbles at 10 rad/s, 5 s", scene, |trial| {
        let start = trial.spin_momentum(0);
        trial.seconds(5.0)?;
        Some(100.0 * trial.spin_momentum(0).distance(start) / start.length())
    })
}

/// Returns the speed L/I at which the axis of a spinning square plate goes round its momentum. I is the
/// inertia across the axis.
fn free_precession() -> Truth {
    let mut scene = weightless();
    part(&mut scene, &bar(0.4, 0.1, 0.4), 1.0, DVec3::ZERO);
    let plate = &mut scene.bodies[0];
    plate.angular_velocity = DVec3::new(2.0, 10.0, 0.0);
    let across = plate.inertia.x_axis.x;
    let rate = (plate.inertia * plate.angular_velocity).length() / across;
    Truth::within(PERCENT, "precession of a free plate", (rate, "rad/s"), scene, |trial| {
        let momentum = trial.spin_momentum(0).normalize();
        let arm = |trial: &Trial| (trial.body(0).pose.rotation * DVec3::Y).reject_from(momentum);
        let (mut before, mut angle, start) = (arm(trial), 0.0, trial.time());
        for _ in 0..trial.steps_in(2.0) {
            trial.step()?;
            let now = arm(trial);
            angle += libm::atan2(momentum.dot(before.cross(now)), before.dot(now));
            before = now;
        }
        Some(angle / (trial.time() - start))
    })
}

/// Returns collisions of a ball of 1 kg at 2 m/s with a ball at rest.
fn collisions() -> Vec<Truth> {
    let ball = sphere(0.1, 32);
    let scene = |mass: f64, restitution: f64| {
        let mut scene = weightless();
        let striker = part(&mut scene, &ball, 1.0, DVec3::X * -0.5);
        part(&mut scene, &ball, mass, DVec3::ZERO);
        scene.bodies[striker as usize].linear_velocity = DVec3::X * 2.0;
        set_restitution(&mut scene, restitution);
        scene
    };
    let speed = |body: u32| {
        move |trial: &mut Trial| {
            trial.seconds(1.0)?;
            Some(trial.body(body).linear_velocity.x)
        }
    };
    vec![
        Truth::within(PERCENT, "equal balls, e = 1: the struck one", (2.0, "m/s"), scene(1.0, 1.0), speed(1)),
        Truth::zero((0.02, "m/s"), "equal balls, e = 1: the striker", scene(1.0, 1.0), speed(0)),
        Truth::within(
            PERCENT,
            "equal balls, e = .5: the struck one",
            (1.5, "m/s"),
            scene(1.0, 0.5),
            speed(1),
        ),
        Truth::within(PERCENT, "equal balls, e = 0: the struck one", (1.0, "m/s"), scene(1.0, 0.0), speed(1)),
        Truth::within(PERCENT, "balls 1:3, e = 1: the striker", (-1.0, "m/s"), scene(3.0, 1.0), speed(0)),
        Truth::zero((0.02, "N·s"), "balls 1:3, e = .5: change of momentum", scene(3.0, 0.5), |trial| {
            trial.seconds(1.0)?;
            Some(trial.body(0).linear_velocity.x + 3.0 * trial.body(1).linear_velocity.x - 2.0)
        }),
    ]
}
