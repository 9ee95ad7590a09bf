//! Small generated scenes, each with a different kind of motion: heaps, stacks, rolling, bouncing,
//! hanging and pushed bodies, bodies that start inside others, and bodies too fast for one search per
//! step.

use glam::{DQuat, DVec3, Vec3};
use tumble::body::Motion;
use tumble::generate::{self, Gear, Triangles};
use tumble::random::Random;
use tumble::scene::Scene;

use crate::common::{add_body, add_floor, add_mesh, scene};

/// Returns all generated scenes, under the names that the pins use.
pub fn generated() -> Vec<Scene> {
    vec![
        boxes(),
        tori(),
        tower(),
        slope(),
        bounces(),
        gear(),
        slivers(),
        sheets(),
        rings(),
        dominoes(),
        bullet(),
        mass_ratio(),
        inside_each_other(),
        paddle(),
    ]
}

/// Returns a scene with a floor whose top is at y = 0.
fn with_floor(name: &str) -> Scene {
    let mut scene = scene(name);
    add_floor(&mut scene, 4.0);
    scene
}

fn cube(side: f32) -> Triangles {
    generate::cuboid(Vec3::splat(side), f64::from(side))
}

fn drop_at(scene: &mut Scene, mesh: u32, place: [f64; 3]) -> usize {
    add_body(scene, mesh, Motion::Dynamic, DVec3::from(place))
}

/// Returns a dozen boxes that fall over each other.
fn boxes() -> Scene {
    let mut scene = with_floor("boxes");
    let mesh = add_mesh(&mut scene, "box", &cube(0.2));
    let mut random = Random::new(1, 0);
    for k in 0..12 {
        let place = [0.16 * f64::from(k % 2), 0.2 + 0.24 * f64::from(k / 4), 0.16 * f64::from(k / 2 % 2)];
        let body = drop_at(&mut scene, mesh, place);
        scene.bodies[body].pose.rotation = random.rotation();
    }
    scene
}

/// Returns rings that hook into each other as they land.
fn tori() -> Scene {
    let mut scene = with_floor("tori");
    let mesh = add_mesh(&mut scene, "torus", &generate::torus(0.2, 0.06, 16, 8));
    let mut random = Random::new(2, 0);
    for k in 0..5 {
        let body = drop_at(&mut scene, mesh, [0.05 * f64::from(k % 2), 0.3 + 0.3 * f64::from(k), 0.0]);
        scene.bodies[body].pose.rotation = random.rotation();
    }
    scene
}

/// Returns boxes stacked on each other, at rest from the start.
fn tower() -> Scene {
    let mut scene = with_floor("tower");
    let mesh = add_mesh(&mut scene, "box", &cube(0.2));
    for k in 0..5 {
        drop_at(&mut scene, mesh, [0.01 * f64::from(k % 2), 0.1 + 0.2 * f64::from(k), 0.0]);
    }
    scene
}

/// Returns a slope with three bodies: a ball that rolls down, a box that slides, and a box that sticks.
fn slope() -> Scene {
    let mut scene = with_floor("slope");
    scene.bodies[0].pose.rotation = DQuat::from_rotation_z(-0.3);
    let ball = add_mesh(&mut scene, "ball", &generate::sphere(0.1, 12));
    let mesh = add_mesh(&mut scene, "box", &cube(0.15));
    for (mesh, x, friction) in [(ball, -0.6, 0.5), (mesh, 0.0, 0.05), (mesh, 0.6, 0.9)] {
        let body = drop_at(&mut scene, mesh, [x, 0.15 - 0.3 * x, 0.0]);
        (scene.bodies[body].friction, scene.bodies[body].pose.rotation) =
            (friction, DQuat::from_rotation_z(-0.3));
    }
    scene
}

/// Returns balls that fall from the same height. One does not bounce, one loses energy, and one keeps
/// its energy.
fn bounces() -> Scene {
    let mut scene = with_floor("bounces");
    let ball = add_mesh(&mut scene, "ball", &generate::sphere(0.1, 12));
    for (k, restitution) in [0.0, 0.6, 1.0].into_iter().enumerate() {
        let body = drop_at(&mut scene, ball, [0.5 * k as f64, 0.8, 0.0]);
        scene.bodies[body].restitution = restitution;
    }
    scene
}

/// Returns a gear whose teeth and bore land on an edge of a box.
fn gear() -> Scene {
    let mut scene = with_floor("gear");
    let gear = add_mesh(&mut scene, "gear", &Gear::SMALL.triangles());
    let mesh = add_mesh(&mut scene, "box", &cube(0.04));
    drop_at(&mut scene, mesh, [0.0, 0.02, 0.0]);
    let body = drop_at(&mut scene, gear, [0.02, 0.1, 0.005]);
    scene.bodies[body].pose.rotation = DQuat::from_rotation_x(1.1);
    scene
}

/// Divides every triangle at a point almost on one of its edges, which gives slivers.
pub fn with_slivers((mut positions, triangles): Triangles) -> Triangles {
    let mut slivers = Vec::new();
    for [a, b, c] in triangles {
        let [p, q, r] = [a, b, c].map(|v| positions[v as usize]);
        let middle = positions.len() as u32;
        positions.push(p.lerp(q, 0.3).lerp(r, 2e-4));
        slivers.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
    }
    (positions, slivers)
}

/// Returns slabs of slivers.
fn slivers() -> Scene {
    let mut scene = with_floor("slivers");
    let slab = with_slivers(generate::cuboid(Vec3::new(0.3, 0.06, 0.2), 0.1));
    let mesh = add_mesh(&mut scene, "slab", &slab);
    for k in 0..3 {
        let body = drop_at(&mut scene, mesh, [0.05 * f64::from(k), 0.1 + 0.2 * f64::from(k), 0.0]);
        scene.bodies[body].pose.rotation = DQuat::from_rotation_y(0.7 * f64::from(k));
    }
    scene
}

/// Returns open surfaces without an inside, over a ball.
fn sheets() -> Scene {
    let mut scene = with_floor("sheets");
    let corners =
        |k: i32| Vec3::new(0.1 * (k % 4) as f32 - 0.15, 0.02 * (k % 3) as f32, 0.1 * (k / 4) as f32);
    let squares =
        (0..9).map(|k| k % 3 + 4 * (k / 3)).flat_map(|k: u32| [[k, k + 4, k + 1], [k + 1, k + 4, k + 5]]);
    let sheet = ((0..16).map(corners).collect(), squares.collect());
    let mesh = add_mesh(&mut scene, "sheet", &sheet);
    let ball = add_mesh(&mut scene, "ball", &generate::sphere(0.1, 12));
    drop_at(&mut scene, ball, [0.0, 0.1, 0.15]);
    for k in 0..2 {
        drop_at(&mut scene, mesh, [0.03 * f64::from(k), 0.3 + 0.2 * f64::from(k), 0.0]);
    }
    scene
}

/// Returns a ring that hangs in another ring, which is static.
fn rings() -> Scene {
    let mut scene = scene("rings");
    let mesh = add_mesh(&mut scene, "ring", &generate::torus(0.2, 0.05, 24, 12));
    add_body(&mut scene, mesh, Motion::Static, DVec3::ZERO);
    let body = drop_at(&mut scene, mesh, [0.0, -0.25, 0.02]);
    scene.bodies[0].pose.rotation = DQuat::from_rotation_x(1.57);
    scene.bodies[body].pose.rotation = DQuat::from_rotation_z(1.57);
    scene
}

/// Returns dominoes. The first one falls and topples all others.
fn dominoes() -> Scene {
    let mut scene = with_floor("dominoes");
    let mesh = add_mesh(&mut scene, "domino", &generate::cuboid(Vec3::new(0.04, 0.3, 0.15), 0.3));
    for k in 0..6 {
        drop_at(&mut scene, mesh, [0.12 * f64::from(k), 0.15, 0.0]);
    }
    scene.bodies[1].angular_velocity = DVec3::new(0.0, 0.0, -2.0);
    scene
}

/// Returns a body so fast that a step needs many passes.
fn bullet() -> Scene {
    let mut scene = with_floor("bullet");
    let mesh = add_mesh(&mut scene, "bullet", &cube(0.05));
    let wall = add_mesh(&mut scene, "wall", &generate::cuboid(Vec3::new(0.02, 0.6, 0.6), 0.3));
    drop_at(&mut scene, wall, [0.0, 0.3, 0.0]);
    let body = drop_at(&mut scene, mesh, [-1.0, 0.35, 0.05]);
    scene.bodies[body].linear_velocity = DVec3::new(60.0, 0.0, 0.0);
    scene
}

/// Returns a heavy box on a light one.
fn mass_ratio() -> Scene {
    let mut scene = with_floor("mass-ratio");
    let mesh = add_mesh(&mut scene, "box", &cube(0.2));
    for (k, times) in [1.0, 20.0].into_iter().enumerate() {
        let body = drop_at(&mut scene, mesh, [0.0, 0.12 + 0.22 * k as f64, 0.0]);
        scene.bodies[body].mass *= times;
        scene.bodies[body].inertia *= times;
    }
    scene
}

/// Returns bodies modeled with overlap, as press fits are.
fn inside_each_other() -> Scene {
    let mut scene = with_floor("inside-each-other");
    let mesh = add_mesh(&mut scene, "torus", &generate::torus(0.2, 0.06, 16, 8));
    for k in 0..2 {
        drop_at(&mut scene, mesh, [0.1 * f64::from(k), 0.3, 0.0]);
    }
    scene
}

/// Returns a kinematic arm that pushes boxes about, in and out of a trigger.
fn paddle() -> Scene {
    let mut scene = with_floor("paddle");
    let arm = add_mesh(&mut scene, "arm", &generate::cuboid(Vec3::new(1.2, 0.1, 0.1), 0.3));
    let mesh = add_mesh(&mut scene, "box", &cube(0.2));
    let body = add_body(&mut scene, arm, Motion::Kinematic, DVec3::new(0.0, 0.1, 0.0));
    scene.bodies[body].angular_velocity = DVec3::new(0.0, 2.0, 0.0);
    for k in 0..4 {
        let angle = 0.4 + 1.5 * f64::from(k);
        drop_at(&mut scene, mesh, [0.45 * angle.cos(), 0.1, 0.45 * angle.sin()]);
    }
    let trigger = add_body(&mut scene, mesh, Motion::Static, DVec3::new(0.5, 0.1, 0.5));
    scene.bodies[trigger].trigger = true;
    scene
}
