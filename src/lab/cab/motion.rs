//! Recorded motion: where every link was in every frame of a simulation, so that all contenders see the same.

use glam::DVec3;

use crate::body::{AxisRange, Joint, JointAxis, Motion};
use crate::config::Config;
use crate::generate::Triangles;
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::scene::{BodyDef, FigureKind, LinkMotion, Scene, SkeletonDef};
use crate::world::World;

/// kg/m³; of flesh.
const DENSITY: f64 = 1000.0;

/// An empty scene under gravity, on one thread, in which nothing falls asleep.
pub fn scene(name: &str) -> Scene {
    Scene { config: Config { threads: 1, sleep: false, ..Config::default() }, ..Scene::new(name) }
}

/// Adds a surface; returns its index.
pub fn add_mesh(scene: &mut Scene, name: &str, triangles: &Triangles) -> Result<u32, MeshError> {
    Ok(scene.add_mesh(Mesh::new(name, &triangles.0, &triangles.1)?))
}

/// Adds a body, by its mesh or without one; returns its index.
pub fn add_body(scene: &mut Scene, mesh: Option<u32>, motion: Motion, pose: Pose) -> u32 {
    let body = match mesh {
        Some(mesh) => BodyDef::dynamic(scene, mesh, DENSITY),
        None => BodyDef::empty(format!("anchor.{}", scene.bodies.len())),
    };
    let mass = if motion == Motion::Dynamic { body.mass } else { f64::INFINITY };
    scene.add_body(BodyDef { motion, pose, mass, friction: 0.3, restitution: 0.2, ..body })
}

/// Lets bodies from `first` on follow poses (`width` a frame, of `dt` seconds each), held at the end.
pub fn follow(scene: &mut Scene, first: u32, width: u32, poses: Vec<Pose>) {
    scene.skeletons.push(SkeletonDef {
        name: format!("driven.{first}"),
        first_body: first,
        link_count: width,
        kind: FigureKind::Kinematic,
        parents: vec![None; width as usize],
        self_collision: false,
        driven: Vec::new(),
        joints: Vec::new(),
        motion: LinkMotion { rate: 1.0 / scene.config.dt, width, poses, looped: false, stride: DVec3::ZERO },
    });
}

/// A ball joint that bends by up to `cone` (rad) between the x axes of its frames; `friction` in N·m.
pub fn ball_joint(bodies: [u32; 2], frames: [Pose; 2], cone: Option<f64>, friction: f64) -> Joint {
    let [a, b] = bodies;
    let axis = |range| JointAxis { range, ..JointAxis::default() };
    Joint {
        name: format!("{a}-{b}"),
        a,
        b,
        frame_a: frames[0],
        frame_b: frames[1],
        linear: [axis(AxisRange::Locked); 3],
        angular: [axis(AxisRange::Free); 3],
        cone,
        distance: None,
        pose_drive: None,
        friction,
        collide: false,
    }
}

/// A hinge about the y axes of its frames, from one angle (rad) to another.
pub fn hinge(bodies: [u32; 2], frames: [Pose; 2], [min, max]: [f64; 2]) -> Joint {
    let mut joint = ball_joint(bodies, frames, None, 0.0);
    let locked = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
    joint.angular = [locked; 3];
    joint.angular[1].range = AxisRange::Limited { min, max };
    joint
}

/// Where bodies were, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// World, all recorded bodies a frame.
    pub poses: Vec<Pose>,
    /// A hash of the states of all bodies after every frame.
    pub hash: u64,
}

impl Recording {
    /// Steps the world and keeps where some of its bodies are after each step.
    pub fn new(world: &mut World, bodies: &[u32], frame_count: usize) -> Self {
        let mut poses = Vec::with_capacity(bodies.len() * frame_count);
        let mut hash = 0;
        for _ in 0..frame_count {
            world.step();
            let states = &world.bodies().states;
            poses.extend(bodies.iter().map(|&b| states[b as usize].pose));
            hash = (hash ^ world.state_hash()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        Self { poses, hash }
    }
}
