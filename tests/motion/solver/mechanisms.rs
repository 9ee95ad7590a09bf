//! Joints solved directly together (mechanisms) that cannot all be satisfied: their states stay finite.

use glam::{DQuat, DVec3};
use tumble::body::AxisRange::{self, Free, Locked};
use tumble::body::{Drive, DriveKind, WORLD};
use tumble::pose::Pose;
use tumble::scene::{BodyDef, Scene};
use tumble::world::World;

use super::lab::{Lab, Shape, joint};

/// Half of a link of 0.3 m.
const END: DVec3 = DVec3::new(0.15, 0.0, 0.0);

/// Returns ten links of 1 kg along x. The first is joined to the world, and a load is joined to the
/// last.
fn row(dt: f64, load: f64, angular: [AxisRange; 3]) -> Lab {
    let mut lab = Lab::new(dt, 4);
    let mut before = (WORLD, DVec3::ZERO);
    for k in 0..=10 {
        let mass = if k < 10 { 1.0 } else { load };
        let middle = END * f64::from(2 * k + 1);
        let shape = Shape::Box { half: DVec3::new(0.14, 0.02, 0.02) };
        let body = lab.add(shape, mass, Pose::from_position(middle)) as u32;
        let ends = [before.1, -END].map(Pose::from_position);
        lab.joints.push(joint([before.0, body], ends, [Locked; 3], angular));
        before = (body, END);
    }
    lab
}

/// Takes `steps` steps and returns the largest distance of any body from its start, m.
fn farthest(mut lab: Lab, steps: u32) -> f64 {
    for step in 0..steps {
        lab.step();
        for body in 0..lab.bodies.states.len() {
            assert!(lab.bodies.states[body].is_finite(), "body {body}, step {step}");
        }
    }
    let states = &lab.bodies.states;
    (0..).zip(states).map(|(k, s)| s.pose.position.distance(END * f64::from(2 * k + 1))).fold(0.0, f64::max)
}

#[test]
fn a_cantilever_holds_a_billion_times_its_weight() {
    for (dt, bound) in [(1e-6, 1e-6), (1.0 / 60.0, 1e-3), (1.0, 0.1)] {
        let moved = farthest(row(dt, 1e9, [Locked; 3]), 200);
        assert!(moved < bound, "{dt} s: moved by {moved} m");
    }
}

/// Welds ten thousand cubes in a row, whose far end no system of equations would reach in time.
#[test]
fn ten_thousand_welded_bodies_stand_as_one() {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    let mut before = (WORLD, DVec3::ZERO);
    for k in 0..10_000 {
        let shape = Shape::Box { half: DVec3::splat(0.14) };
        let middle = END * f64::from(2 * k + 1);
        let body = lab.add(shape, 1.0, Pose::from_position(middle)) as u32;
        let ends = [before.1, -END].map(Pose::from_position);
        lab.joints.push(joint([before.0, body], ends, [Locked; 3], [Locked; 3]));
        before = (body, END);
    }
    let moved = farthest(lab, 10);
    assert!(moved < 1e-9, "moved by {moved} m");
}

#[test]
fn a_chain_that_drops_a_load_stays_finite_at_any_step() {
    for dt in [1e-6, 1.0 / 60.0, 1.0] {
        for load in [1e3, 1e9] {
            farthest(row(dt, load, [Free; 3]), 200);
        }
    }
}

#[test]
fn drives_of_a_billion_newtons_stay_finite() {
    let mut lab = row(1.0 / 60.0, 1e3, [Locked, Locked, Free]);
    for joint in &mut lab.joints {
        joint.angular[2].drive = Some(Drive {
            kind: DriveKind::Force,
            position_target: 0.0,
            target_speed: 0.0,
            velocity_target: 5.0,
            stiffness: 0.0,
            damping: 1e9,
            max_force: 1e9,
        });
    }
    // The joints hold, so no body moves by more than twice the length of the row.
    let moved = farthest(lab, 200);
    assert!(moved < 6.6 + 0.1, "moved by {moved} m");
}

/// Fixes the first link to the world twice, at poses that differ by 0.2 m and half a radian, and the
/// load to the last link in the same manner.
#[test]
fn contradicting_joints_settle_in_between() {
    let mut lab = row(1.0 / 60.0, 1e3, [Locked; 3]);
    for index in [0, 10] {
        let mut other = lab.joints[index].clone();
        let frame = other.frame_a;
        let turned = frame.rotation * DQuat::from_rotation_y(0.5);
        other.frame_a = Pose::new(turned, frame.position + DVec3::new(0.0, 0.2, 0.0));
        lab.joints.push(other);
    }
    let moved = farthest(lab, 600);
    assert!(moved > 0.05 && moved < 3.0, "moved by {moved} m");
}

/// Duplicates every joint of a loaded row. The two joints of each pair share the load.
#[test]
fn duplicate_joints_share_a_load() {
    let mut lab = row(1.0 / 60.0, 1e3, [Locked; 3]);
    let again = lab.joints.clone();
    lab.joints.extend(again);
    let moved = farthest(lab, 200);
    assert!(moved < 1e-4, "moved by {moved} m");
}

/// Hangs a net of 16 × 16 knots from its first row. It is too large and too interconnected to be solved
/// directly together, which is counted.
#[test]
fn a_net_too_large_to_be_solved_at_once_is_swept_and_counted() {
    let mut scene = Scene::new("net");
    let place = |row: u32, column: u32| DVec3::new(0.1 * f64::from(column), -0.1 * f64::from(row), 0.0);
    for row in 0..16 {
        for column in 0..16 {
            let knot = scene.add_body(BodyDef::empty("knot").at(place(row, column)));
            let mut tie = |other: u32, arm: DVec3| {
                let ends = [Pose::from_position(-arm), Pose::from_position(arm)];
                scene.joints.push(joint([other, knot], ends, [Locked; 3], [Free; 3]));
            };
            if row > 0 {
                tie(knot - 16, DVec3::Y * 0.05);
            } else {
                tie(WORLD, DVec3::ZERO);
            }
            if column > 0 {
                tie(knot - 1, DVec3::X * -0.05);
            }
        }
    }
    for (column, tie) in scene.joints.iter_mut().filter(|joint| joint.a == WORLD).enumerate() {
        tie.frame_a.position = place(0, column as u32);
    }
    let mut world = World::new(&scene).unwrap();
    for _ in 0..10 {
        world.step();
        let counts = world.counts();
        assert_eq!(counts.swept_mechanisms, counts.passes);
        assert!(world.bodies().states.iter().all(|state| state.is_finite()));
    }
}
