//! Every bound of the solver, tested from both sides. Up to the bound, the motion is the same as
//! without the bound; beyond the bound, it differs.

use glam::{DQuat, DVec3};
use tumble::body::AxisRange::{self, Free, Limited, Locked};
use tumble::body::{Activity, Drive, DriveKind, Motion, SoftLimit, WORLD};
use tumble::pose::Pose;
use tumble::solver::Support;

use super::lab::{Lab, Shape, joint};

const DT: f64 = 1.0 / 60.0;
const SUBSTEPS: u32 = 4;
const BALL: Shape = Shape::Sphere { radius: 0.05 };
const CUBE: Shape = Shape::Box { half: DVec3::splat(0.05) };

/// Returns a body of 2 kg joined to the world at its center, without gravity.
fn jointed(linear: [AxisRange; 3], angular: [AxisRange; 3]) -> (Lab, usize) {
    let mut lab = Lab::new(DT, SUBSTEPS);
    lab.gravity = DVec3::ZERO;
    let body = lab.add(CUBE, 2.0, Pose::IDENTITY);
    lab.joints.push(joint([WORLD, body as u32], [Pose::IDENTITY; 2], linear, angular));
    (lab, body)
}

/// Returns a body on a plane, both at rest.
fn on_plane(shape: Shape, height: f64) -> (Lab, usize, usize) {
    let mut lab = Lab::new(DT, SUBSTEPS);
    let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
    let body = lab.add(shape, 1.0, Pose::from_position(DVec3::Y * height));
    lab.collide(plane, body);
    (lab, plane, body)
}

fn is_asleep(lab: &Lab, body: usize) -> bool {
    lab.bodies.states[body].activity == Activity::Asleep
}

/// Lets an overlap decay. A spring of 60 Hz, a quarter of the sub-steps' rate, with ten times the
/// critical damping, closes a gap at the rate ω / (2ζ + hω) = 17.5 per second: in a tenth of a second
/// to 0.17 of its size.
#[test]
fn overlap_leaves_at_the_rate_of_its_spring_and_with_no_speed() {
    let (mut lab, _, ball) = on_plane(BALL, 0.03);
    lab.gravity = DVec3::ZERO;
    lab.run(0.1);
    let left = (0.05 - lab.state(ball).pose.position.y) / 0.02;
    assert!((0.13..0.25).contains(&left), "{left} of the overlap");
    lab.run(1.0);
    let (height, speed) = (lab.state(ball).pose.position.y, lab.state(ball).linear_velocity.y);
    assert!(height > 0.0495 && height < 0.0501 && speed.abs() < 1e-3, "{height} m, {speed} m/s");
}

/// Drops balls at speeds near the threshold: gravity gives a body 0.49 m/s in three steps.
#[test]
fn an_impact_bounces_from_three_steps_of_gravity_on() {
    for (speed, bounces) in [(0.40, false), (0.48, false), (0.50, true), (0.60, true)] {
        let (mut lab, _, ball) = on_plane(BALL, 0.05);
        lab.bodies.infos[ball].restitution = 1.0;
        lab.pairs.clear();
        lab.collide(0, ball);
        lab.state(ball).linear_velocity = DVec3::NEG_Y * speed;
        lab.step();
        let after = lab.state(ball).linear_velocity.y;
        let wanted = if bounces { speed } else { 0.0 };
        assert!((after - wanted).abs() < 0.05, "{speed} m/s: {after}");
    }
}

/// Moves a body within a soft limit, which has no effect there, and beyond it, where it acts as a
/// spring.
#[test]
fn a_soft_limit_acts_beyond_its_bound_alone() {
    let soft = Some(SoftLimit { stiffness: 20.0, damping: 1.0 });
    let range = Limited { min: -1.0, max: 1.0 };
    for side in [1.0, -1.0] {
        let (mut lab, body) = jointed([Locked; 3], [range, Locked, Locked]);
        lab.joints[0].angular[0].soft = soft;
        lab.state(body).pose.rotation = DQuat::from_rotation_x(0.2 * side);
        lab.state(body).angular_velocity = DVec3::X * side;
        lab.run(0.7);
        let spin = lab.state(body).angular_velocity.x * side;
        assert!((spin - 1.0).abs() < 1e-9, "within: {spin}");
        lab.run(0.5);
        let spin = lab.state(body).angular_velocity.x * side;
        assert!(spin < 0.99, "beyond: {spin}");

        let (mut lab, body) = jointed([range, Locked, Locked], [Locked; 3]);
        lab.joints[0].linear[0].soft = soft;
        lab.state(body).pose.position.x = 0.9 * side;
        lab.run(0.5);
        assert_eq!(lab.state(body).linear_velocity, DVec3::ZERO);
        lab.state(body).pose.position.x = 1.5 * side;
        // A force of 20 N/m over half a meter acts on 2 kg for one step.
        lab.step();
        let speed = lab.state(body).linear_velocity.x * side;
        assert!((speed / (-5.0 * DT) - 1.0).abs() < 0.05, "{speed}");
    }
}

/// Drives a body in either direction: v = F·t/m, until the target speed is reached.
#[test]
fn a_drive_pushes_to_either_side_with_its_force() {
    for (turns, side) in [(false, 1.0), (false, -1.0), (true, 1.0), (true, -1.0)] {
        let free = [Free, Locked, Locked];
        let (mut lab, body) = if turns { jointed([Locked; 3], free) } else { jointed(free, [Locked; 3]) };
        let drive = Drive {
            kind: DriveKind::Force,
            position_target: 0.0,
            target_speed: 0.0,
            velocity_target: 2.0 * side,
            stiffness: 0.0,
            damping: 1e6,
            max_force: 3.0,
        };
        let inertia = if turns { lab.state(body).inertia.x_axis.x } else { 2.0 };
        let joint = &mut lab.joints[0];
        let axis = if turns { &mut joint.angular[0] } else { &mut joint.linear[0] };
        axis.drive = Some(Drive { max_force: 3.0 * inertia / 2.0, ..drive });
        lab.run(0.5);
        let speed = |lab: &mut Lab| {
            let state = lab.state(body);
            side * if turns { state.angular_velocity.x } else { state.linear_velocity.x }
        };
        let half = speed(&mut lab);
        assert!((half - 0.75).abs() < 1e-6, "{half} after half a second, {turns} {side}");
        lab.run(1.5);
        let all = speed(&mut lab);
        assert!((all - 2.0).abs() < 1e-3, "{all} in the end, {turns} {side}");
    }
}

/// Tilts the axle of a hinge. It returns to upright as if the joint had no dry friction.
#[test]
fn dry_friction_does_not_hold_an_error_of_its_joint() {
    let lean = |friction: f64| {
        let (mut lab, body) = jointed([Locked; 3], [Free, Locked, Locked]);
        lab.joints[0].friction = friction;
        lab.state(body).pose.rotation = DQuat::from_rotation_z(0.1);
        lab.run(0.1);
        (lab.state(body).pose.rotation * DVec3::X).angle_between(DVec3::X)
    };
    let (without, with) = (lean(0.0), lean(1e6));
    assert!(without < 0.01 && with < 0.01, "of 0.1 rad {without} without friction, {with} with friction");
}

/// Squeezes a small ball between a floor and a driven ball that comes down beside its center. Without a
/// limit, the small ball would leave ten times as fast as the driven one. A ball that is hit centrally
/// and bounces leaves twice as fast.
#[test]
fn a_body_hit_by_a_driven_one_leaves_at_most_twice_as_fast() {
    let ball = |offset: f64, restitution: f64| {
        let mut lab = Lab::new(DT, SUBSTEPS);
        let floor = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
        let driver =
            lab.add(Shape::Sphere { radius: 0.2 }, 0.0, Pose::from_position(DVec3::new(0.0, 0.31, 0.0)));
        let pip = lab.add(BALL, 1.0, Pose::from_position(DVec3::new(offset, 0.05, 0.0)));
        for body in 0..3 {
            (lab.bodies.infos[body].friction, lab.bodies.infos[body].restitution) = (0.0, restitution);
        }
        lab.collide(floor, pip);
        lab.collide(driver, pip);
        lab.state(driver).motion = Motion::Kinematic;
        (lab, driver, pip)
    };
    let (mut lab, driver, pip) = ball(0.025, 0.0);
    lab.state(driver).linear_velocity = DVec3::NEG_Y * 2.0;
    let (mut speed, mut fastest) = (0.0, 0.0_f64);
    for _ in 0..10 {
        let before: f64 = speed;
        lab.step();
        speed = lab.state(pip).linear_velocity.length();
        // The alternative bound is the ball's own speed before the step, plus gravity in a step.
        assert!(speed <= before.max(4.0) + 9.81 * DT + 1e-9, "{speed} m/s after {before}");
        fastest = fastest.max(speed);
    }
    assert!(fastest > 3.9, "{fastest} m/s");

    let (mut lab, driver, pip) = ball(0.0, 1.0);
    // The same without the floor, hit from the side.
    lab.pairs.remove(0);
    lab.gravity = DVec3::ZERO;
    lab.state(driver).pose.position = DVec3::new(-0.251, 0.05, 0.0);
    lab.state(driver).linear_velocity = DVec3::X * 2.0;
    lab.run(0.1);
    let speed = lab.state(pip).linear_velocity.x;
    assert!((speed - 4.0).abs() < 1e-6, "{speed} m/s");
}

/// Slides a plate under a sleeping cube. The plate comes no nearer, so only its velocity can wake the
/// cube.
#[test]
fn a_driven_plate_wakes_what_rests_on_it_once_it_moves() {
    let (mut lab, plate, cube) = on_plane(CUBE, 0.05);
    lab.state(plate).motion = Motion::Kinematic;
    for _ in 0..90 {
        lab.step_and_sleep();
    }
    assert!(is_asleep(&lab, cube), "the plate does not move");
    lab.state(plate).linear_velocity = DVec3::X * 0.2;
    for _ in 0..90 {
        lab.step_and_sleep();
    }
    assert!(!is_asleep(&lab, cube), "the plate moves");
    let speed = lab.state(cube).linear_velocity.x;
    assert!((speed - 0.2).abs() < 1e-3, "{speed} m/s");
    lab.state(plate).linear_velocity = DVec3::ZERO;
    for _ in 0..90 {
        lab.step_and_sleep();
    }
    assert!(is_asleep(&lab, cube), "the plate stands still again");
}

/// Moves balls of 10 cm diameter slightly slower and slightly faster than 0.0196 m/s, the speed that
/// gravity gives in 2 ms.
#[test]
fn a_body_slower_than_2_cm_per_s_at_every_point_falls_asleep() {
    for (speed, sleeps) in [(0.019, true), (0.0205, false)] {
        for velocities in [[DVec3::X * speed, DVec3::ZERO], [DVec3::ZERO, DVec3::Y * speed / 0.05]] {
            let mut lab = Lab::new(DT, SUBSTEPS);
            lab.gravity = DVec3::ZERO;
            let ball = lab.add(BALL, 1.0, Pose::IDENTITY);
            [lab.state(ball).linear_velocity, lab.state(ball).angular_velocity] = velocities;
            for step in 1..=60 {
                lab.step_and_sleep();
                // Half a second is 30 steps.
                let is_due = sleeps && step > 31;
                assert!(
                    step == 30 || step == 31 || is_asleep(&lab, ball) == is_due,
                    "step {step}, {velocities:?}"
                );
            }
        }
    }
}

/// Removes a guessed support of a sleeping body. The body must then show for a tenth of a second that
/// it rests.
#[test]
fn a_sleeper_whose_support_was_a_guess_is_on_probation() {
    let (mut lab, _, cube) = on_plane(CUBE, 0.05);
    for _ in 0..90 {
        lab.step_and_sleep();
    }
    assert!(is_asleep(&lab, cube));
    let lost = [Support { is_guess: false, is_lost: true }];
    lab.step_and_sleep_on(&lost);
    assert!(!is_asleep(&lab, cube), "awake at once");
    for step in 1..=12 {
        lab.step_and_sleep();
        let is_due = step > 7;
        assert!(step == 6 || step == 7 || is_asleep(&lab, cube) == is_due, "step {step}");
    }
    // While its support is a guess, it may stay asleep.
    let (guess, both) =
        (Support { is_guess: true, is_lost: false }, Support { is_guess: true, is_lost: true });
    for supports in [guess, both] {
        lab.step_and_sleep_on(&[supports]);
        assert!(is_asleep(&lab, cube), "{supports:?}");
    }
}
