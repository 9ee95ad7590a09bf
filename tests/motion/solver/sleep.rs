//! Sleep: resting bodies fall asleep together, and wake when they are hit or lose their support.

use glam::DVec3;
use tumble::body::Activity;
use tumble::pose::Pose;

use super::lab::{Lab, Shape};

const CUBE: Shape = Shape::Box { half: DVec3::splat(0.05) };

/// Returns three boxes on a plane, asleep.
fn sleeping_stack() -> (Lab, usize, [usize; 3]) {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
    let boxes = [0.05, 0.15, 0.25].map(|y| lab.add(CUBE, 1.0, Pose::from_position(DVec3::Y * y)));
    for pair in [plane, boxes[0], boxes[1], boxes[2]].windows(2) {
        lab.collide(pair[0], pair[1]);
    }
    for _ in 0..180 {
        lab.step_and_sleep();
    }
    (lab, plane, boxes)
}

fn sleeping_count(lab: &Lab) -> usize {
    lab.bodies.states.iter().filter(|s| s.activity == Activity::Asleep).count()
}

#[test]
fn a_stack_falls_asleep_and_does_not_move_on() {
    let (mut lab, _, _) = sleeping_stack();
    assert_eq!(sleeping_count(&lab), 3);
    let poses: Vec<Pose> = lab.bodies.states.iter().map(|s| s.pose).collect();
    for _ in 0..60 {
        lab.step_and_sleep();
    }
    assert!(lab.bodies.states.iter().zip(&poses).all(|(s, pose)| s.pose == *pose));
}

#[test]
fn a_stack_wakes_as_a_whole_when_its_top_is_hit() {
    let (mut lab, _, boxes) = sleeping_stack();
    let ball = lab.add(CUBE, 1.0, Pose::from_position(DVec3::Y * 0.6));
    lab.collide(boxes[2], ball);
    while lab.state(ball).linear_velocity.y < -1.0 || lab.state(ball).pose.position.y > 0.5 {
        lab.step_and_sleep();
        assert!(lab.state(ball).pose.position.y > 0.3);
    }
    lab.step_and_sleep();
    assert_eq!(sleeping_count(&lab), 0);
    for _ in 0..180 {
        lab.step_and_sleep();
    }
    assert_eq!(sleeping_count(&lab), 4);
}

/// Hits a sleeping ball with an equal ball, e = 0. Both move on with half the speed, as if the second
/// ball had been awake.
#[test]
fn a_hit_on_a_sleeper_loses_no_momentum() {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    lab.gravity = DVec3::ZERO;
    let ball = Shape::Sphere { radius: 0.1 };
    let sleeper = lab.add(ball, 1.0, Pose::IDENTITY);
    for _ in 0..60 {
        lab.step_and_sleep();
    }
    assert_eq!(lab.state(sleeper).activity, Activity::Asleep);
    let hitter = lab.add(ball, 1.0, Pose::from_position(DVec3::X * -1.0));
    lab.collide(sleeper, hitter);
    lab.state(hitter).linear_velocity = DVec3::X * 4.0;
    for _ in 0..60 {
        lab.step_and_sleep();
    }
    for body in [sleeper, hitter] {
        let velocity = lab.state(body).linear_velocity;
        assert!(velocity.distance(DVec3::X * 2.0) < 1e-9, "{velocity}");
    }
}

#[test]
fn a_stack_falls_when_what_held_it_is_gone() {
    let (mut lab, _, boxes) = sleeping_stack();
    lab.pairs.remove(0);
    for _ in 0..30 {
        lab.step_and_sleep();
    }
    // The path is g·t²/2 for half a second, minus the step in which the loss of support was noticed.
    assert!(lab.state(boxes[2]).pose.position.y < -0.7, "{}", lab.state(boxes[2]).pose.position);
}

/// Sets aside a body whose state is NaN. The NaN must not spread to the bodies that it touches.
#[test]
fn a_body_that_is_set_aside_leaves_the_others_as_if_it_were_not_there() {
    let run = |broken: bool| {
        let mut lab = Lab::new(1.0 / 60.0, 4);
        let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
        let body = lab.add(CUBE, 1.0, Pose::from_position(DVec3::Y * 0.08));
        lab.collide(plane, body);
        if broken {
            let other = lab.add(CUBE, 1.0, Pose::from_position(DVec3::Y * 0.17));
            lab.collide(body, other);
            lab.state(other).linear_velocity.x = f64::NAN;
        }
        let (mut valid, mut found) = (Vec::new(), Vec::new());
        for step in 1..=120 {
            lab.step_and_sleep();
            tumble::solver::quarantine(&mut lab.bodies, &mut valid, step, &mut found);
        }
        (*lab.state(body), found)
    };
    let (expected, none) = run(false);
    let (state, found) = run(true);
    assert_eq!(state, expected);
    assert!(none.is_empty());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].body, found[0].step), (2, 1));
}
