//! Conversion to rapier3d and back, checked against values derived by hand: shapes, joints with their
//! motors, and contacts.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, Vec3};
use rapier3d::prelude::{JointAxesMask, JointAxis as Axis, MotorModel};

use super::places::boxes;
use super::scene::{joint, scene};
use crate::body::Motion::{Dynamic, Static};
use crate::body::{Activity, AxisRange, Control, Drive, DriveKind, JointAxis, PoseDrive, SetBy, Spring};
use crate::compare::contender::RapierShapes;
use crate::compare::engine::Engine;
use crate::compare::rapier::{Rapier, length_unit};
use crate::compare::rapier_joints::{self, Differences};
use crate::compare::rapier_shapes::Shapes;
use crate::generate::{self, Triangles};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};
use crate::world::Aim;

fn in_rapier(scene: &Scene) -> Rapier {
    Rapier::new(scene, &Shapes::new(scene, RapierShapes::Convex))
}

#[test]
fn the_length_unit_is_the_middle_of_the_longest_sides_of_what_moves() {
    let part = |side: f32, x: f64, motion| (Vec3::new(0.25, side, 0.5), DVec3::X * x, motion);
    let all = [part(8.0, 0.0, Dynamic), part(2.0, 9.0, Dynamic), part(1.0, 18.0, Dynamic)];
    assert_eq!(length_unit(&boxes(&all)), 2.0);
    assert_eq!(length_unit(&boxes(&[all[0], part(64.0, 99.0, Static), part(32.0, 50.0, Static)])), 8.0);
    assert_eq!(length_unit(&boxes(&[part(64.0, 99.0, Static)])), 1.0);
}

#[test]
fn contacts_pairs_and_the_deepest_overlap_are_those_of_a_cube_in_a_plate_and_a_post() {
    // The cube is 1/16 m deep in the plate below it, with four corners, and 1/8 m deep in the post
    // beside it.
    let (cube, plate) = (Vec3::ONE, Vec3::new(8.0, 1.0, 8.0));
    let below = (plate, DVec3::new(0.0, -0.9375, 0.0), Static);
    let far = (cube, DVec3::new(64.0, 64.0, 64.0), Dynamic);
    let of = |all: &[_]| {
        let mut scene = boxes(all);
        (scene.config.dt, scene.gravity) = (1e-3, DVec3::ZERO);
        let mut rapier = in_rapier(&scene);
        rapier.step().unwrap();
        rapier.observe().unwrap();
        rapier
    };
    let rapier = of(&[below, far, (cube, DVec3::ZERO, Dynamic)]);
    let (counts, measures) = rapier.record();
    assert_eq!((counts.pairs, counts.contacts, counts.awake_bodies), (1, 4, 2));
    assert!((measures.penetration - 0.0625).abs() < 1e-5, "{}", measures.penetration);
    assert_eq!(measures.deepest, Some([0, 2]));
    assert_eq!([0, 1, 2].map(|body| rapier.touched(body)), [Some(2), None, Some(0)]);
    let post = (Vec3::new(1.0, 8.0, 1.0), DVec3::new(0.875, 0.0, 0.0), Static);
    let high = (plate, DVec3::new(0.0, 16.0, 0.0), Static);
    for (all, deepest) in
        [([below, (cube, DVec3::ZERO, Dynamic), post], 2), ([post, (cube, DVec3::ZERO, Dynamic), below], 0)]
    {
        let rapier = of(&all);
        let (_, measures) = rapier.record();
        assert!((measures.penetration - 0.125).abs() < 1e-5, "{}", measures.penetration);
        assert_eq!(rapier.touched(1), Some(deepest));
    }
    let (counts, measures) = of(&[high, (cube, DVec3::ZERO, Dynamic)]).record();
    assert_eq!((counts.pairs, counts.contacts, measures.penetration, measures.deepest), (0, 0, 0.0, None));
}

#[test]
fn velocities_and_the_share_of_gravity_are_those_of_the_scene() {
    let cube = |x: f64| (Vec3::ONE, DVec3::X * x, Dynamic);
    let mut scene = boxes(&[cube(0.0), cube(8.0), cube(16.0)]);
    (scene.config.dt, scene.gravity) = (0.0625, DVec3::new(0.0, -8.0, 0.0));
    (scene.bodies[0].gravity_factor, scene.bodies[1].gravity_factor) = (0.0, 0.5);
    scene.bodies[0].angular_velocity = DVec3::new(0.0, 3.0, 0.0);
    scene.bodies[2].linear_velocity = DVec3::new(0.0, 0.0, 2.0);
    let mut rapier = in_rapier(&scene);
    rapier.step().unwrap();
    rapier.observe().unwrap();
    let states = &rapier.bodies().states;
    // An acceleration of 8 m/s² over a sixteenth of a second gives 0.5 m/s.
    let near = |found: DVec3, expected: DVec3| assert!(found.distance(expected) < 1e-4, "{found}");
    near(states[0].angular_velocity, DVec3::new(0.0, 3.0, 0.0));
    near(states[0].linear_velocity, DVec3::ZERO);
    near(states[1].linear_velocity, DVec3::new(0.0, -0.25, 0.0));
    near(states[2].linear_velocity, DVec3::new(0.0, -0.5, 2.0));
    assert!(states.iter().all(|state| state.activity == Activity::Awake { slow_for: 0.0 }));
}

#[test]
fn a_body_that_nothing_moves_falls_asleep() {
    let mut scene = boxes(&[(Vec3::ONE, DVec3::ZERO, Dynamic)]);
    (scene.config.dt, scene.gravity) = (0.25, DVec3::ZERO);
    let mut rapier = in_rapier(&scene);
    (0..40).for_each(|_| assert!(rapier.step().is_some()));
    rapier.observe().unwrap();
    assert_eq!(rapier.bodies().states[0].activity, Activity::Asleep);
    assert_eq!(rapier.record().0.awake_bodies, 0);
}

/// Creates the shapes of a scene that has one body.
fn shapes((positions, triangles): &Triangles, is_fixed: bool) -> (Shapes, Scene) {
    let mut scene = Scene::new("shape");
    let mesh = scene.add_mesh(Mesh::new("shape", positions, triangles).unwrap());
    let made = if is_fixed { BodyDef::fixed(&scene, mesh) } else { BodyDef::dynamic(&scene, mesh, 1000.0) };
    scene.add_body(made);
    (Shapes::new(&scene, RapierShapes::Convex), scene)
}

#[test]
fn a_box_is_a_box_with_half_its_sides_where_it_is_and_no_box_if_a_corner_is_off() {
    let (positions, triangles) = generate::cuboid(Vec3::new(0.5, 1.0, 2.0), 2.0);
    let moved: Vec<Vec3> = positions.iter().map(|&p| p + Vec3::new(3.0, 0.0, 0.0)).collect();
    for is_fixed in [true, false] {
        let (found, _) = shapes(&(moved.clone(), triangles.clone()), is_fixed);
        let placed = found.of(0).unwrap();
        assert_eq!(placed.shape.as_cuboid().unwrap().half_extents, Vec3::new(0.25, 0.5, 1.0));
        assert_eq!(placed.pose.position, DVec3::new(3.0, 0.0, 0.0));
    }
    // A ten-thousandth of the longest half size is 0.1 mm.
    let is_box = |off: f32| {
        let mut bent = positions.clone();
        let inside = -bent[0].y.signum();
        bent[0].y += inside * off;
        shapes(&(bent, triangles.clone()), false).0.of(0).unwrap().shape.as_cuboid().is_some()
    };
    assert!(is_box(0.9e-4) && !is_box(1.1e-4));
}

#[test]
fn a_ball_is_a_ball_of_its_radius_and_what_is_not_round_or_has_few_corners_is_none() {
    let radius = |shape: &Triangles| {
        let (found, _) = shapes(shape, false);
        found.of(0).unwrap().shape.as_ball().map(|ball| ball.radius)
    };
    assert_eq!(radius(&generate::sphere(0.5, 16)), Some(0.5));
    assert_eq!(radius(&generate::ellipsoid(Vec3::new(0.5, 0.5, 0.49), 16)), None);
    // A sphere of eight segments has 26 vertices: four segments from pole to pole give three rings of
    // eight, and two poles. That is too few for a ball.
    assert_eq!(radius(&generate::sphere(0.5, 8)), None);
    // A part that is neither a box nor a ball keeps its triangles if it is static, and becomes a convex
    // hull if it moves.
    let is_mesh = |is_fixed: bool| {
        let (found, _) = shapes(&generate::sphere(0.5, 8), is_fixed);
        let shape = &found.of(0).unwrap().shape;
        [shape.as_trimesh().is_some(), shape.as_convex_polyhedron().is_some()]
    };
    assert_eq!([is_mesh(true), is_mesh(false)], [[true, false], [false, true]]);
}

#[test]
fn ranges_drives_and_friction_of_axes_become_limits_and_motors() {
    let mut own = joint(0, 1, false);
    let drive = Drive {
        kind: DriveKind::Force,
        position_target: 0.5,
        target_speed: 9.0,
        velocity_target: 0.25,
        stiffness: 64.0,
        damping: 8.0,
        max_force: 16.0,
    };
    own.linear[0].range = AxisRange::Limited { min: -0.25, max: 0.75 };
    own.linear[1].range = AxisRange::Locked;
    own.linear[2].drive = Some(drive);
    own.angular[0].range = AxisRange::Limited { min: f64::NEG_INFINITY, max: 1.5 };
    own.angular[1].range = AxisRange::Locked;
    own.friction = 0.125;
    let mut unlike = Differences::default();
    let made = rapier_joints::joint(&own, &mut unlike);
    assert_eq!((made.limits[0].min, made.limits[0].max), (-0.25, 0.75));
    assert_eq!((made.limits[3].min, made.limits[3].max), (-f32::MAX, 1.5));
    assert_eq!(made.locked_axes, JointAxesMask::LIN_Y | JointAxesMask::ANG_Y);
    let motor = made.motors[2];
    assert_eq!((motor.target_pos, motor.target_vel, motor.max_force), (0.5, 0.25, 16.0));
    assert_eq!((motor.stiffness, motor.damping, motor.model), (64.0, 8.0, MotorModel::ForceBased));
    // Dry friction becomes a motor on each of the two free rotation axes.
    for axis in [3, 5] {
        let motor = made.motors[axis];
        assert_eq!((motor.max_force, motor.damping, motor.target_vel), (0.125, 1e6, 0.0));
    }
    assert_eq!(made.motor_axes, JointAxesMask::LIN_Z | JointAxesMask::ANG_X | JointAxesMask::ANG_Z);
    assert_eq!(
        unlike.lines().collect::<Vec<_>>(),
        ["friction about each axis separately, not in total: 0 to 1"]
    );
    // With only one free rotation axis, the joint has no difference to report.
    own.angular[2].range = AxisRange::Locked;
    own.linear[2].drive = Some(Drive { kind: DriveKind::Acceleration, max_force: f64::INFINITY, ..drive });
    let mut unlike = Differences::default();
    let made = rapier_joints::joint(&own, &mut unlike);
    assert_eq!((made.motors[2].model, made.motors[2].max_force), (MotorModel::AccelerationBased, f32::MAX));
    assert_eq!(unlike.lines().count(), 0);
}

#[test]
fn a_cone_holds_both_swings_by_its_angle() {
    let mut own = joint(0, 1, false);
    own.cone = Some(0.5);
    let made = rapier_joints::joint(&own, &mut Differences::default());
    assert_eq!(made.coupled_axes, JointAxesMask::ANG_Y | JointAxesMask::ANG_Z);
    let limits = made.limits(Axis::AngY).unwrap();
    assert_eq!((limits.min, limits.max), (0.0, 0.5));
    own.angular[1] = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
    let mut unlike = Differences::default();
    assert!(rapier_joints::joint(&own, &mut unlike).coupled_axes.is_empty());
    assert_eq!(unlike.lines().collect::<Vec<_>>(), ["no cone, because the swings have ranges: 0 to 1"]);
}

#[test]
fn a_drive_to_a_pose_aims_its_six_motors_the_shorter_way_round() {
    let rotation = DQuat::from_rotation_z(PI / 3.0);
    let drive = PoseDrive {
        kind: DriveKind::Force,
        target: Pose::IDENTITY,
        linear_velocity: DVec3::new(1.0, 2.0, 3.0),
        angular_velocity: DVec3::new(4.0, 5.0, 6.0),
        linear: Spring { stiffness: 7.0, damping: 8.0, max_force: 9.0 },
        angular: Spring { stiffness: 10.0, damping: 11.0, max_force: 12.0 },
    };
    let mut own = joint(0, 1, false);
    own.linear[1].range = AxisRange::Locked;
    for rotation in [rotation, -rotation] {
        let mut made = rapier_joints::joint(&own, &mut Differences::default());
        let target = Pose::new(rotation, DVec3::new(0.25, 0.5, 0.75));
        rapier_joints::aim(&drive, &target, &mut made);
        assert!(!made.motor_axes.contains(JointAxesMask::LIN_Y), "a locked axis has none");
        let places = [0.25, 0.0, 0.75, 0.0, 0.0, PI as f32 / 3.0];
        let speeds = [1.0, 0.0, 3.0, 4.0, 5.0, 6.0];
        for axis in [0, 2, 3, 4, 5] {
            let motor = made.motors[axis];
            assert!((motor.target_pos - places[axis]).abs() < 1e-6, "{axis}: {}", motor.target_pos);
            assert_eq!(motor.target_vel, speeds[axis]);
            let spring = [motor.stiffness, motor.damping, motor.max_force];
            assert_eq!(spring, if axis < 3 { [7.0, 8.0, 9.0] } else { [10.0, 11.0, 12.0] });
        }
    }
}

#[test]
fn a_control_aims_at_where_its_target_is_in_the_middle_of_the_step() {
    let control = Control {
        name: "turn".to_owned(),
        joint: 0,
        axis: 4,
        range: [-9.0, 9.0],
        speed: 9.0,
        set_by: SetBy::Hand,
    };
    let drive = Drive {
        kind: DriveKind::Force,
        position_target: 0.0,
        target_speed: 0.0,
        velocity_target: 0.0,
        stiffness: 64.0,
        damping: 8.0,
        max_force: 16.0,
    };
    let mut made = rapier_joints::joint(&joint(0, 1, false), &mut Differences::default());
    let aim = Aim { control: &control, target: 1.0, velocity: 2.0, moves: true };
    rapier_joints::aim_axis(&drive, &aim, 0.5, &mut made);
    // The target moves by 2 per second for a quarter of a second.
    let motor = made.motors[4];
    assert_eq!((motor.target_pos, motor.target_vel, motor.stiffness, motor.damping), (1.5, 2.0, 64.0, 8.0));
}

#[test]
fn joints_that_let_collide_and_pairs_that_a_rule_lets_collide_meet_in_rapier_too() {
    // Moves the hand into the arm, the case into the lid, the sleeve into the pin, the body at index 8
    // into that at 7, and right into left.
    let mut scene = scene();
    scene.config.dt = 1e-3;
    for (first, second) in [(1, 2), (3, 4), (5, 6), (7, 8), (14, 15)] {
        let place = scene.bodies[first].pose.position + DVec3::new(0.375, 0.0, 0.0);
        scene.bodies[second].pose.position = place;
    }
    let mut rapier = in_rapier(&scene);
    rapier.step().unwrap();
    rapier.observe().unwrap();
    let touched = [1, 3, 5, 7, 14].map(|body| rapier.touched(body));
    assert_eq!(touched, [None, Some(4), Some(6), None, Some(15)]);
    let note = "shaft and hub overlap as modelled: rapier pushes them apart".to_owned();
    assert_eq!(rapier.unmapped(), [note]);
}
