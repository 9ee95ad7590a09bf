//! Construction of the scenes: parts of given mass, static parts, and joints.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Vec3};

use crate::body::{AxisRange, Drive, DriveKind, Joint, JointAxis, WORLD};
use crate::generate::{Triangles, cuboid};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};

/// Returns an empty scene without gravity.
pub fn weightless() -> Scene {
    Scene { gravity: DVec3::ZERO, ..Scene::new("truth") }
}

/// Adds a movable part of a mass (kg) with its origin at `at`, world, m. Returns its index.
pub fn part(scene: &mut Scene, shape: &Triangles, mass: f64, at: DVec3) -> u32 {
    let mesh = surface(scene, shape);
    let body = BodyDef::dynamic(scene, mesh, 1.0).at(at);
    let inertia = body.inertia * (mass / body.mass);
    scene.add_body(BodyDef { mass, inertia, ..body })
}

/// Adds a static part. Returns its index.
pub fn fixed(scene: &mut Scene, shape: &Triangles, pose: Pose) -> u32 {
    let mesh = surface(scene, shape);
    let body = BodyDef::fixed(scene, mesh);
    scene.add_body(BodyDef { pose, ..body })
}

/// Adds a static slab whose upper face goes through the origin and has the given rotation. Returns its
/// index.
pub fn slab(scene: &mut Scene, size: Vec3, rotation: DQuat) -> u32 {
    let middle = rotation * DVec3::NEG_Y * (0.5 * f64::from(size.y));
    fixed(scene, &cuboid(size, f64::from(size.max_element())), Pose::new(rotation, middle))
}

/// Returns a cube with two triangles per face; `side` is in m.
pub fn cube(side: f32) -> Triangles {
    cuboid(Vec3::splat(side), f64::from(side))
}

/// Returns a box with two triangles per face, m.
pub fn bar(x: f32, y: f32, z: f32) -> Triangles {
    cuboid(Vec3::new(x, y, z), f64::from(x.max(y).max(z)))
}

/// Returns a tube along z, m.
pub fn tube([inner, outer]: [f64; 2], half_length: f64, sides: usize) -> Triangles {
    let ring = |radius: f64, z: f64| {
        (0..sides).map(move |k| {
            let angle = TAU * k as f64 / sides as f64;
            Vec3::new((radius * libm::cos(angle)) as f32, (radius * libm::sin(angle)) as f32, z as f32)
        })
    };
    let outside = ring(outer, -half_length).chain(ring(outer, half_length));
    let points = outside.chain(ring(inner, half_length)).chain(ring(inner, -half_length));
    let at = |round: usize, k: usize| ((round % 4) * sides + k % sides) as u32;
    let quads = (0..4).flat_map(|round| (0..sides).map(move |k| (round, k)));
    let triangles = quads.flat_map(|(round, k)| {
        let [a, b, c, d] = [at(round, k), at(round, k + 1), at(round + 1, k), at(round + 1, k + 1)];
        [[a, b, c], [b, d, c]]
    });
    (points.collect(), triangles.collect())
}

/// Sets the friction of all bodies of a scene.
pub fn set_friction(scene: &mut Scene, friction: f64) {
    scene.bodies.iter_mut().for_each(|body| body.friction = friction);
}

/// Sets the restitution of all bodies of a scene.
pub fn set_restitution(scene: &mut Scene, restitution: f64) {
    scene.bodies.iter_mut().for_each(|body| body.restitution = restitution);
}

fn surface(scene: &mut Scene, (positions, triangles): &Triangles) -> u32 {
    // Does not fail: generated shapes are finite and have triangles.
    let mesh = Mesh::new("part", positions, triangles).expect("a generated shape is a mesh");
    scene.add_mesh(mesh)
}

/// Kind of a joint.
pub enum Kind {
    Ball,
    Fixed,
    /// Hinge about an axis, world.
    Hinge(DVec3, JointAxis),
    /// Slider along an axis, world.
    Slider(DVec3, JointAxis),
}

/// Adds a joint at `anchor` (world, m) between two bodies, or between [`WORLD`] and a body.
pub fn join(scene: &mut Scene, [a, b]: [u32; 2], anchor: DVec3, kind: Kind) {
    let locked = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
    let (mut linear, mut angular, mut axis) = ([locked; 3], [locked; 3], DVec3::X);
    match kind {
        Kind::Ball => angular = [JointAxis::default(); 3],
        Kind::Fixed => (),
        Kind::Hinge(about, own) => (axis, angular[0]) = (about, own),
        Kind::Slider(along, own) => (axis, linear[0]) = (along, own),
    }
    let frame = Pose::new(DQuat::from_rotation_arc(DVec3::X, axis), anchor);
    let on = |body: u32| match body {
        WORLD => frame,
        body => frame.relative_to(&scene.bodies[body as usize].pose),
    };
    let joint = Joint {
        name: format!("joint.{}", scene.joints.len()),
        a,
        b,
        frame_a: on(a),
        frame_b: on(b),
        linear,
        angular,
        cone: None,
        distance: None,
        friction: 0.0,
        collide: false,
        pose_drive: None,
    };
    scene.joints.push(joint);
}

/// Returns a drive without a target, of a stiffness (N/m or N·m/rad) and damping (N·s/m or N·m·s/rad).
pub fn spring(stiffness: f64, damping: f64) -> Drive {
    Drive {
        kind: DriveKind::Force,
        position_target: 0.0,
        target_speed: 0.0,
        velocity_target: 0.0,
        stiffness,
        damping,
        max_force: f64::INFINITY,
    }
}

/// Returns a drive towards a speed, m/s or rad/s.
pub fn motor(speed: f64, damping: f64) -> Drive {
    Drive { velocity_target: speed, ..spring(0.0, damping) }
}

/// Returns a free axis with a drive.
pub fn driven(drive: Drive) -> JointAxis {
    JointAxis { drive: Some(drive), ..JointAxis::default() }
}

/// Returns an axis with limits, m or rad.
pub fn between(min: f64, max: f64) -> JointAxis {
    JointAxis { range: AxisRange::Limited { min, max }, ..JointAxis::default() }
}
