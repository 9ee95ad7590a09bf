//! A scene that tumble passes to rapier3d moves like the same scene that is written for rapier3d by
//! hand.

use glam::{DQuat, DVec3, Vec3};
use rapier3d::prelude::{
    ColliderBuilder, FixedJointBuilder, GenericJoint, MotorModel, PhysicsWorld, Pose as RapierPose,
    RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder,
};
use tumble::body::{
    AxisRange, Control, CoordinateClip, Drive, DriveKind, Joint, JointAxis, Motion, SetBy, WORLD,
};
use tumble::generate::{self, Triangles};
use tumble::lab::compare::{CompareOptions, Comparison, Contender, compare};
use tumble::pose::Pose;
use tumble::record::RunReader;
use tumble::scene::Scene;

use crate::common;

const DENSITY: f64 = 1000.0;

/// A scene for tumble, and the same scene for rapier, made by hand.
struct Twin {
    /// Name of the contender.
    contender: &'static str,
    scene: Scene,
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

impl Twin {
    fn new(contender: &'static str, length_unit: f32) -> Self {
        let mut world = PhysicsWorld { gravity: Vec3::new(0.0, -9.81, 0.0), ..PhysicsWorld::default() };
        world.integration_parameters.length_unit = length_unit;
        Self { contender, scene: common::scene("twin"), world, handles: Vec::new() }
    }

    /// Adds a body of 1000 kg/m³ to both scenes. Returns its index.
    fn body(
        &mut self,
        shape: &Triangles,
        motion: Motion,
        pose: Pose,
        [friction, restitution]: [f32; 2],
    ) -> usize {
        let mesh = common::add_mesh(&mut self.scene, "part", shape);
        let index = common::add_body(&mut self.scene, mesh, motion, DVec3::ZERO);
        let def = &mut self.scene.bodies[index];
        (def.pose, def.friction, def.restitution) = (pose, friction.into(), restitution.into());
        let builder = match motion {
            Motion::Dynamic => RigidBodyBuilder::dynamic(),
            _ => RigidBodyBuilder::fixed(),
        };
        let place = RapierPose::from_parts(pose.position.as_vec3(), pose.rotation.as_quat());
        let handle = self.world.insert_body(builder.pose(place));
        let surface = match self.contender {
            "rapier" => ColliderBuilder::trimesh(shape.0.clone(), shape.1.clone()).unwrap(),
            _ => primitive(shape),
        };
        let collider = surface.density(DENSITY as f32).friction(friction).restitution(restitution);
        self.world.insert_collider(collider, Some(handle));
        self.handles.push(handle);
        index
    }

    fn joint(&mut self, own: Joint, by_hand: impl Into<GenericJoint>) {
        let fixed = self.world.insert_body(RigidBodyBuilder::fixed());
        let handle = |body: u32| if body == WORLD { fixed } else { self.handles[body as usize] };
        let (a, b) = (handle(own.a), handle(own.b));
        self.world.insert_impulse_joint(a, b, by_hand.into());
        self.scene.joints.push(own);
    }

    /// Runs both scenes. Returns the poses of a body after every step: those of the harness, then those
    /// of the scene made by hand.
    fn poses(mut self, body: usize, steps: u32) -> [Vec<Pose>; 2] {
        let folder = tempfile::tempdir().unwrap();
        let comparison = self.compare(folder.path(), steps);
        let file = comparison.contenders[1].recording.as_ref().unwrap();
        let mut reader = RunReader::open(&folder.path().join(file)).unwrap();
        let harness = (1..=steps).map(|step| reader.seek(step).unwrap().poses[body]).collect();
        let by_hand = (1..=steps).map(|_| {
            self.world.step();
            let place = self.world.bodies[self.handles[body]].position();
            let rotation = place.rotation;
            let rotation =
                DQuat::from_xyzw(rotation.x.into(), rotation.y.into(), rotation.z.into(), rotation.w.into());
            Pose::new(rotation, place.translation.as_dvec3())
        });
        [harness, by_hand.collect()]
    }

    fn compare(&self, folder: &std::path::Path, steps: u32) -> Comparison {
        let contenders = Contender::list(["scene", self.contender]).unwrap();
        let options =
            CompareOptions { steps, recordings: Some(folder.to_owned()), ..CompareOptions::default() };
        compare(&self.scene, &contenders, &options, &mut |_, _| true).unwrap()
    }
}

/// Returns a box about the origin, or a ball if the shape has more vertices.
fn primitive((vertices, _): &Triangles) -> ColliderBuilder {
    let half = vertices.iter().fold(Vec3::ZERO, |half, v| half.max(v.abs()));
    if vertices.len() > 8 {
        ColliderBuilder::ball(half.x)
    } else {
        ColliderBuilder::cuboid(half.x, half.y, half.z)
    }
}

/// Asserts that both paths agree within a hundredth of their length.
fn assert_alike([harness, by_hand]: &[Vec<Pose>; 2], start: DVec3, what: &str) {
    let way = by_hand.iter().map(|pose| pose.position.distance(start)).fold(0.0, f64::max);
    for (step, (own, hand)) in harness.iter().zip(by_hand).enumerate() {
        let off = own.position.distance(hand.position);
        assert!(off < 0.01 * way, "{what}, step {}: {off} m of {way} m", step + 1);
    }
}

fn slope(degrees: f64) -> ([Vec<Pose>; 2], DVec3) {
    let mut twin = Twin::new("rapier-convex", 0.2);
    let tilt = DQuat::from_rotation_z(degrees.to_radians());
    let slab = generate::cuboid(Vec3::new(8.0, 0.2, 2.0), 8.0);
    twin.body(&slab, Motion::Static, Pose::new(tilt, DVec3::ZERO), [0.5, 0.0]);
    let start = tilt * DVec3::new(2.0, 0.201, 0.0);
    let body = twin.body(
        &generate::cuboid(Vec3::splat(0.2), 0.2),
        Motion::Dynamic,
        Pose::new(tilt, start),
        [0.5, 0.0],
    );
    (twin.poses(body, 60), start)
}

#[test]
fn a_box_stays_on_a_slope_below_the_angle_of_friction_and_slides_above_it() {
    // The friction angle is 26.6°.
    let way = |poses: &[Vec<Pose>; 2], start: DVec3| poses[0][59].position.distance(start);
    let (poses, start) = slope(22.0);
    assert!(way(&poses, start) < 0.01, "{}", way(&poses, start));
    let (poses, start) = slope(35.0);
    assert_alike(&poses, start, "slides");
    // g (sin α − µ cos α) t² / 2, for t = 1 s.
    let angle = 35.0_f64.to_radians();
    let expected = 0.5 * 9.81 * (angle.sin() - 0.5 * angle.cos());
    assert!((way(&poses, start) - expected).abs() < 0.05 * expected, "{} {expected}", way(&poses, start));
}

#[test]
fn a_pendulum_swings_as_by_hand() {
    let mut twin = Twin::new("rapier", 0.2);
    let start = DVec3::new(1.0, 2.0, 0.0);
    let bob = twin.body(
        &generate::cuboid(Vec3::splat(0.2), 0.2),
        Motion::Dynamic,
        Pose::from_position(start),
        [0.5, 0.0],
    );
    let own = joint([WORLD, bob as u32], DVec3::new(0.0, 2.0, 0.0), DVec3::NEG_X, [AxisRange::Free; 3]);
    let by_hand = SphericalJointBuilder::new()
        .local_anchor1(Vec3::new(0.0, 2.0, 0.0))
        .local_anchor2(Vec3::NEG_X)
        .contacts_enabled(false);
    twin.joint(own, by_hand);
    let poses = twin.poses(bob, 120);
    assert_alike(&poses, start, "swings");
    assert!(poses[0].iter().any(|pose| pose.position.x < -0.9), "swings to the other side");
}

/// Loads the chain with eighty times the mass of a link. The joints of rapier yield, and they also
/// yield in the scene made by hand.
#[test]
fn a_loaded_chain_stretches_as_by_hand() {
    let mut twin = Twin::new("rapier", 0.1);
    let link = generate::cuboid(Vec3::new(0.1, 0.02, 0.02), 0.1);
    let load = generate::cuboid(Vec3::splat(0.15), 0.15);
    let at = |x: f64| Pose::from_position(DVec3::new(x, 0.0, 0.0));
    let mut before = WORLD;
    for k in 0..6 {
        let body = twin.body(&link, Motion::Dynamic, at(0.05 + 0.1 * f64::from(k)), [0.5, 0.0]) as u32;
        let anchor = DVec3::new(if before == WORLD { 0.0 } else { 0.05 }, 0.0, 0.0);
        let own = joint([before, body], anchor, DVec3::new(-0.05, 0.0, 0.0), [AxisRange::Free; 3]);
        let by_hand = SphericalJointBuilder::new()
            .local_anchor1(anchor.as_vec3())
            .local_anchor2(Vec3::new(-0.05, 0.0, 0.0))
            .contacts_enabled(false);
        twin.joint(own, by_hand);
        before = body;
    }
    let start = DVec3::new(0.675, 0.0, 0.0);
    let weight = twin.body(&load, Motion::Dynamic, Pose::from_position(start), [0.5, 0.0]);
    let own = joint(
        [before, weight as u32],
        DVec3::new(0.05, 0.0, 0.0),
        DVec3::new(-0.075, 0.0, 0.0),
        [AxisRange::Free; 3],
    );
    let by_hand = SphericalJointBuilder::new()
        .local_anchor1(Vec3::new(0.05, 0.0, 0.0))
        .local_anchor2(Vec3::new(-0.075, 0.0, 0.0))
        .contacts_enabled(false);
    twin.joint(own, by_hand);
    let poses = twin.poses(weight, 30);
    assert_alike(&poses, start, "falls");
    let reach = poses[0].iter().map(|pose| pose.position.length()).fold(0.0, f64::max);
    assert!(reach > 0.7, "farther than the chain is long: {reach} m");
}

#[test]
fn a_drive_turns_a_hinge_as_by_hand() {
    for kind in [DriveKind::Force, DriveKind::Acceleration] {
        let mut twin = Twin::new("rapier", 0.4);
        let start = DVec3::new(0.2, 0.0, 0.0);
        let arm = twin.body(
            &generate::cuboid(Vec3::new(0.4, 0.1, 0.1), 0.4),
            Motion::Dynamic,
            Pose::from_position(start),
            [0.5, 0.0],
        );
        let locked = AxisRange::Locked;
        let mut own = joint(
            [WORLD, arm as u32],
            DVec3::ZERO,
            DVec3::new(-0.2, 0.0, 0.0),
            [AxisRange::Free, locked, locked],
        );
        let z_to_x = DQuat::from_rotation_arc(DVec3::X, DVec3::Z);
        (own.frame_a.rotation, own.frame_b.rotation) = (z_to_x, z_to_x);
        own.angular[0].drive = Some(Drive {
            kind,
            position_target: 1.0,
            target_speed: 0.0,
            velocity_target: 0.0,
            stiffness: 60.0,
            damping: 8.0,
            max_force: 40.0,
        });
        let model = match kind {
            DriveKind::Force => MotorModel::ForceBased,
            DriveKind::Acceleration => MotorModel::AccelerationBased,
        };
        let by_hand = RevoluteJointBuilder::new(Vec3::Z)
            .local_anchor1(Vec3::ZERO)
            .local_anchor2(Vec3::new(-0.2, 0.0, 0.0))
            .motor_model(model)
            .motor_position(1.0, 60.0, 8.0)
            .motor_max_force(40.0)
            .contacts_enabled(false);
        twin.joint(own, by_hand);
        let poses = twin.poses(arm, 120);
        assert_alike(&poses, start, "turns");
        // An acceleration drive uses the inertia about the center instead of the inertia about the
        // hinge.
        let is_lifted = poses[0][119].position.y > 0.02;
        assert_eq!(is_lifted, kind == DriveKind::Force, "{}", poses[0][119].position);
    }
}

/// Guards against a drive that stays at its start although tumble's drive follows the table.
#[test]
fn a_joint_that_a_table_moves_goes_there_in_rapier_too() {
    let mut twin = Twin::new("rapier", 0.4);
    let place = Pose::from_position(DVec3::new(0.2, 0.0, 0.0));
    let arm = twin.body(&generate::cuboid(Vec3::new(0.4, 0.1, 0.1), 0.4), Motion::Dynamic, place, [0.5, 0.0]);
    let locked = AxisRange::Locked;
    let of_b = DVec3::new(-0.2, 0.0, 0.0);
    let mut own = joint([WORLD, arm as u32], DVec3::ZERO, of_b, [AxisRange::Free, locked, locked]);
    own.angular[0].drive = Some(Drive {
        kind: DriveKind::Force,
        position_target: 0.0,
        target_speed: 0.0,
        velocity_target: 0.0,
        stiffness: 400.0,
        damping: 16.0,
        max_force: f64::INFINITY,
    });
    let control = Control::of_joint(0, &own).next().unwrap();
    twin.scene.joints.push(own);
    twin.scene.controls.push(Control { set_by: SetBy::Clip(0), ..control });
    twin.scene.clips.push(CoordinateClip { keys: vec![[0.0, 0.0], [1.0, 0.8]], looped: false });
    let folder = tempfile::tempdir().unwrap();
    let comparison = twin.compare(folder.path(), 90);
    for (contender, name) in comparison.contenders.iter().zip(["tumble", "rapier"]) {
        let file = contender.recording.as_ref().unwrap();
        let mut reader = RunReader::open(&folder.path().join(file)).unwrap();
        for (step, angle) in [(30, 0.4), (90, 0.8)] {
            let turned = reader.seek(step).unwrap().poses[arm].rotation.to_scaled_axis().x;
            assert!((turned - angle).abs() < 0.02, "{name}, step {step}: {turned}");
        }
    }
}

#[test]
fn a_ball_bounces_as_by_hand() {
    let mut twin = Twin::new("rapier-convex", 0.2);
    twin.body(&generate::cuboid(Vec3::new(4.0, 0.2, 4.0), 4.0), Motion::Static, Pose::IDENTITY, [0.5, 0.5]);
    let start = DVec3::new(0.0, 1.2, 0.0);
    let ball = twin.body(&generate::sphere(0.1, 24), Motion::Dynamic, Pose::from_position(start), [0.5, 0.5]);
    let poses = twin.poses(ball, 90);
    assert_alike(&poses, start, "bounces");
    let low = poses[0].iter().position(|pose| pose.position.y < 0.25).unwrap();
    let high = poses[0][low..].iter().map(|pose| pose.position.y).fold(0.0, f64::max);
    assert!(high > 0.35, "it comes back up: {high}");
}

#[test]
fn a_weld_holds_as_by_hand_and_limits_stop_a_hinge() {
    let mut twin = Twin::new("rapier", 0.2);
    let start = DVec3::new(0.5, 0.0, 0.0);
    let cube = generate::cuboid(Vec3::splat(0.2), 0.2);
    let part = twin.body(&cube, Motion::Dynamic, Pose::from_position(start), [0.5, 0.0]);
    let own = joint([WORLD, part as u32], DVec3::ZERO, DVec3::new(-0.5, 0.0, 0.0), [AxisRange::Locked; 3]);
    let by_hand = FixedJointBuilder::new()
        .local_anchor1(Vec3::ZERO)
        .local_anchor2(Vec3::new(-0.5, 0.0, 0.0))
        .contacts_enabled(false);
    twin.joint(own, by_hand);
    let [harness, by_hand] = twin.poses(part, 60);
    for (own, hand) in harness.iter().zip(&by_hand) {
        assert!(own.position.distance(hand.position) < 1e-4 && own.position.distance(start) < 0.01);
    }

    let mut twin = Twin::new("rapier", 0.2);
    let part = twin.body(&cube, Motion::Dynamic, Pose::from_position(start), [0.5, 0.0]);
    let (min, max) = (-0.5, 0.5);
    let ranges = [AxisRange::Limited { min, max }, AxisRange::Locked, AxisRange::Locked];
    let mut own = joint([WORLD, part as u32], DVec3::ZERO, DVec3::new(-0.5, 0.0, 0.0), ranges);
    let z_to_x = DQuat::from_rotation_arc(DVec3::X, DVec3::Z);
    (own.frame_a.rotation, own.frame_b.rotation) = (z_to_x, z_to_x);
    let by_hand = RevoluteJointBuilder::new(Vec3::Z)
        .local_anchor1(Vec3::ZERO)
        .local_anchor2(Vec3::new(-0.5, 0.0, 0.0))
        .limits([min as f32, max as f32])
        .contacts_enabled(false);
    twin.joint(own, by_hand);
    let poses = twin.poses(part, 120);
    assert_alike(&poses, start, "stops");
    let end = poses[0][119].position;
    assert!((end.y / 0.5 + 0.5_f64.sin()).abs() < 0.05, "hangs at its limit: {end}");
}

/// Returns a joint at `anchor` of the first body and at `of_b` of the second. Its axes are those of the
/// bodies.
fn joint([a, b]: [u32; 2], anchor: DVec3, of_b: DVec3, angular: [AxisRange; 3]) -> Joint {
    let axis = |range| JointAxis { range, ..JointAxis::default() };
    Joint {
        name: "joint".to_owned(),
        a,
        b,
        frame_a: Pose::from_position(anchor),
        frame_b: Pose::from_position(of_b),
        linear: [axis(AxisRange::Locked); 3],
        angular: angular.map(axis),
        cone: None,
        distance: None,
        friction: 0.0,
        collide: false,
        pose_drive: None,
    }
}
