//! A hand that flicks a ball up a sloping table; two walls lead it back. \[cab\] §4, Table 5
//!
//! The hand is kinematic: its joints curl and stretch as a glove would record it. The ball is moved by what
//! touches it.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::linkage::{Linkage, about_axis};
use super::motion::{add_body, add_mesh, follow, hinge, scene};
use crate::arrays::MapEach;
use crate::body::{Joint, Motion, WORLD};
use crate::generate::{Limb, cuboid, sphere};
use crate::lab::ShapeError;
use crate::mesh::MeshError;
use crate::pose::Pose;
use crate::scene::{Scene, SceneName, load_scene};

/// Lengths as shares of the hand's reach, from the palm's middle to the tips.
const BALL: f64 = 0.22;
/// So fine that the ball rolls on such a slope, facet by facet.
const BALL_SEGMENTS: usize = 40;
const WALL: [f64; 3] = [6.0, 0.24, 0.1];
const TABLE: [f64; 3] = [12.0, 0.2, 12.0];
/// How far the lowest point of the hand stays above the table.
const CLEARANCE: f64 = 0.1;
/// Half the angle between the walls; the table's slope. rad
const OPENING: f64 = 0.6;
const SLOPE: f64 = 0.12;

/// From one flick to the next, s; how much later the next finger follows, as a share of it.
const PERIOD: f64 = 2.0;
const DELAY: f64 = 0.015;
/// Share of the range of the joints that is used, and the share of a period in which it is stretched.
const CURLED: f64 = 0.75;
const STRETCH: f64 = 0.15;

/// Links come first, then ball, table and two walls.
pub struct HandScene {
    pub scene: Scene,
    pub linkage: Linkage,
}

/// What is not a link.
pub const SURROUNDINGS: [&str; 4] = ["ball", "table", "left wall", "right wall"];

impl HandScene {
    /// An own hand of 18 links, or the articulated model of a file.
    pub fn new(file: Option<&SceneName>, frame_count: usize) -> Result<Self, ShapeError> {
        let fault = |source| ShapeError::Generate { source };
        let (mut scene, linkage) = match file {
            None => own_hand().map_err(fault)?,
            Some(file) => hand_of_file(file)?,
        };
        let lie = Lie::new(&scene, &linkage);
        let poses: Vec<Vec<Pose>> = (0..=frame_count)
            .map(|f| linkage.pose(&lie.root, |branch| curl(branch, f as f64 * scene.config.dt)))
            .collect();
        let lowest = poses.iter().map(|p| lowest_point(&scene, p)).fold(f64::INFINITY, f64::min);
        let reach = lie.reach;
        let lift = CLEARANCE * reach - if lowest.is_finite() { lowest } else { 0.0 };
        let sway = |f: usize| {
            let time = f as f64 * scene.config.dt;
            let to_and_fro = |rate: f64| 0.5 * (1.0 + libm::sin(rate * time));
            reach * DVec3::new(-0.06 * to_and_fro(1.1), 0.03 * to_and_fro(1.7), 0.05 * libm::sin(0.7 * time))
        };
        let raised = |(f, all): (usize, Vec<Pose>)| -> Vec<Pose> {
            let by = sway(f) + lift * DVec3::Y;
            all.into_iter().map(|p| Pose::new(p.rotation, p.position + by)).collect()
        };
        let path: Vec<Pose> = poses.into_iter().enumerate().flat_map(raised).collect();
        for (body, pose) in scene.bodies.iter_mut().zip(&path) {
            body.pose = *pose;
        }
        follow(&mut scene, 0, linkage.link_count as u32, path);
        surround(&mut scene, reach).map_err(fault)?;
        Ok(Self { scene, linkage })
    }
}

/// Ball, table and walls about a hand whose curled tips are at the origin.
fn surround(scene: &mut Scene, reach: f64) -> Result<(), MeshError> {
    let radius = BALL * reach;
    let slab = |size: [f64; 3]| {
        let [x, y, z] = size.map_each(|s| (s * reach) as f32);
        cuboid(Vec3::new(x, y, z), f64::from(x))
    };
    let ball = add_mesh(scene, SURROUNDINGS[0], &sphere(radius as f32, BALL_SEGMENTS))?;
    let table = add_mesh(scene, SURROUNDINGS[1], &slab(TABLE))?;
    let wall = add_mesh(scene, "wall", &slab(WALL))?;
    let place = DVec3::new(2.0 * radius, 1.02 * radius, 0.0);
    add_body(scene, Some(ball), Motion::Dynamic, Pose::from_position(place));
    let below = Pose::from_position(-0.5 * TABLE[1] * reach * DVec3::Y);
    add_body(scene, Some(table), Motion::Static, below);
    // The walls meet where the ball lies in front of the tips and touches both.
    let apex = place.x - (radius + 0.5 * WALL[2] * reach) / libm::sin(OPENING);
    for side in [-1.0, 1.0] {
        let turn = about_axis(DVec3::Y, side * OPENING);
        let middle = turn * DVec3::X * (0.5 * WALL[0] * reach);
        let at = DVec3::new(apex + middle.x, 0.5 * WALL[1] * reach, middle.z);
        add_body(scene, Some(wall), Motion::Static, Pose::new(turn, at));
    }
    let gravity = scene.gravity.length();
    scene.gravity = gravity * DVec3::new(-libm::sin(SLOPE), -libm::cos(SLOPE), 0.0);
    Ok(())
}

/// 1 is curled: stretched in a moment, curled again slowly. The arm (branch 0) only nods.
fn curl(branch: u32, time: f64) -> f64 {
    if branch == 0 {
        return 0.5 + 0.1 * libm::sin(TAU * time / PERIOD);
    }
    let share = time / PERIOD - DELAY * f64::from(branch);
    let share = share - share.floor();
    let smooth = |x: f64| x * x * (3.0 - 2.0 * x);
    let stretched = if share < STRETCH {
        smooth(share / STRETCH)
    } else {
        1.0 - smooth((share - STRETCH) / (1.0 - STRETCH))
    };
    CURLED * (1.0 - stretched)
}

/// How a hand must be held to flick along x.
struct Lie {
    root: Pose,
    /// m
    reach: f64,
}

impl Lie {
    fn new(scene: &Scene, linkage: &Linkage) -> Self {
        let tips = linkage.tips();
        let posed = |share: f64| linkage.pose(&Pose::IDENTITY, |b| if b == 0 { 0.5 } else { share });
        let mean = |poses: &[Pose]| {
            tips.iter().map(|&t| poses[t].transform_point(middle(scene, t))).sum::<DVec3>()
                / tips.len().max(1) as f64
        };
        let straight = posed(0.0);
        let palm = straight[linkage.palm()].transform_point(middle(scene, linkage.palm()));
        let tip = mean(&straight);
        let forward = (tip - palm).try_normalize().unwrap_or(DVec3::X);
        // Curling leads the tips down.
        let down = mean(&posed(1.0)) - tip;
        let down = down - forward * forward.dot(down);
        let up = (-down).try_normalize().unwrap_or(forward.any_orthonormal_vector());
        let side = forward.cross(up);
        let turn = DQuat::from_mat3(&DMat3::from_cols(forward, up, side).transpose()).normalize();
        let curled = mean(&posed(CURLED));
        Self { root: Pose::new(turn, -(turn * curled)), reach: tip.distance(palm).max(1e-3) }
    }
}

/// The middle of a body's bounds, body space.
fn middle(scene: &Scene, body: usize) -> DVec3 {
    let mesh = scene.bodies[body].mesh.map(|m| &scene.meshes[m as usize]);
    mesh.map_or(DVec3::ZERO, |m| m.bounds().center().as_dvec3())
}

/// By the bounds of the links.
fn lowest_point(scene: &Scene, poses: &[Pose]) -> f64 {
    let low = |(body, pose): (usize, &Pose)| {
        let mesh = &scene.meshes[scene.bodies[body].mesh? as usize];
        Some(f64::from(mesh.bounds().transformed(pose).min.y))
    };
    poses.iter().enumerate().filter_map(low).fold(f64::INFINITY, f64::min)
}

/// Forearm, wrist, palm and five fingers of three links, a right hand with its back to +z. Lengths in m.
fn own_hand() -> Result<(Scene, Linkage), MeshError> {
    let mut scene = scene("hand");
    let mut link = |name: &str, length: f64, width: f64, depth: f64| {
        let limb = Limb { length, width, depth, dent: 0.0 };
        let mesh = add_mesh(&mut scene, name, &limb.triangles())?;
        Ok(add_body(&mut scene, Some(mesh), Motion::Kinematic, Pose::IDENTITY))
    };
    let end = |length: f64| Pose::from_position((0.5 * length + 0.002) * DVec3::X);
    let start = |length: f64| Pose::from_position(-(0.5 * length + 0.002) * DVec3::X);
    let (forearm, wrist, palm) = (0.22, 0.05, 0.1);
    let arm = [
        link("forearm", forearm, 0.07, 0.06)?,
        link("wrist", wrist, 0.055, 0.045)?,
        link("palm", palm, 0.085, 0.03)?,
    ];
    let mut joints = vec![
        hinge([arm[0], arm[1]], [end(forearm), start(wrist)], [-0.2, 0.2]),
        hinge([arm[1], arm[2]], [end(wrist), start(palm)], [-0.3, 0.3]),
    ];
    // Size, where it starts on the palm, how it is turned about z and x.
    let fingers = [
        (0.9, DVec3::new(-0.015, 0.05, -0.01), 0.9, -0.8),
        (0.95, DVec3::new(0.052, 0.031, 0.0), 0.1, 0.0),
        (1.05, DVec3::new(0.056, 0.01, 0.0), 0.03, 0.0),
        (1.0, DVec3::new(0.053, -0.011, 0.0), -0.05, 0.0),
        (0.8, DVec3::new(0.047, -0.031, 0.0), -0.13, 0.0),
    ];
    for (size, place, aside, roll) in fingers {
        let turn = about_axis(DVec3::Z, aside) * about_axis(DVec3::X, roll);
        let mut above = (arm[2], Pose::new(turn, place));
        for (name, length, most) in [("proximal", 0.045, 1.2), ("middle", 0.03, 1.5), ("distal", 0.024, 1.0)]
        {
            let length = size * length;
            let own = link(name, length, size * 0.018, size * 0.016)?;
            joints.push(hinge([above.0, own], [above.1, start(length)], [0.0, most]));
            above = (own, end(length));
        }
    }
    let linkage = Linkage::new(scene.bodies.len(), &joints);
    Ok((scene, linkage))
}

/// The bodies that the joints of a model hold together. Joints to the world are taken as joints to the first
/// static body.
fn hand_of_file(file: &SceneName) -> Result<(Scene, Linkage), ShapeError> {
    let model = load_scene(file.clone(), None)?;
    let base = model.bodies.iter().position(|b| b.motion == Motion::Static && b.mesh.is_some());
    let grounded = |joint: &Joint| match base {
        Some(base) if joint.a == WORLD => Joint {
            a: base as u32,
            frame_a: model.bodies[base].pose.inverse() * joint.frame_a,
            ..joint.clone()
        },
        _ => joint.clone(),
    };
    let joints: Vec<Joint> = model.joints.iter().map(grounded).collect();
    let mut scene = scene("hand");
    scene.meshes = model.meshes.clone();
    let mut index = vec![None; model.bodies.len()];
    for body in joints.iter().flat_map(|j| [j.a, j.b]).map(|b| b as usize) {
        if let Some(slot) = index.get_mut(body).filter(|i| i.is_none()) {
            *slot = Some(add_body(&mut scene, model.bodies[body].mesh, Motion::Kinematic, Pose::IDENTITY));
        }
    }
    let own = |body: u32| index.get(body as usize).copied().flatten();
    let moved = |j: &Joint| Some(Joint { a: own(j.a)?, b: own(j.b)?, ..j.clone() });
    let joints: Vec<Joint> = joints.iter().filter_map(moved).collect();
    if joints.is_empty() {
        return Err(ShapeError::NoJoints { name: file.name.clone() });
    }
    let linkage = Linkage::new(scene.bodies.len(), &joints);
    Ok((scene, linkage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::cab::motion::Recording;
    use crate::world::World;

    #[test]
    fn the_ball_is_flicked_and_comes_back_to_the_hand() {
        let hand = HandScene::new(None, 360).unwrap();
        assert_eq!((hand.linkage.link_count, hand.scene.bodies.len()), (18, 22));
        let bodies: Vec<u32> = (0..22).collect();
        let recording = Recording::new(&mut World::new(&hand.scene).unwrap(), &bodies, 360);
        let at = |frame: usize, body: usize| recording.poses[frame * 22 + body].position;
        let start = hand.scene.bodies[18].pose.position;
        let far = (0..360).map(|f| at(f, 18).x - start.x).fold(0.0, f64::max);
        assert!((0.05..1.0).contains(&far), "{far}");
        // After the first flick it lies at the walls' corner again.
        let back = (90..240).map(|f| at(f, 18).distance(start)).fold(f64::INFINITY, f64::min);
        assert!(back < 0.2 * far, "{back}");
        let below = |f: usize| lowest_point(&hand.scene, &recording.poses[f * 22..f * 22 + 18]);
        assert!((0..360).all(|f| below(f) > 0.0));
    }

    #[test]
    fn a_finger_stretches_in_a_moment_and_curls_slowly() {
        let at = |share: f64| curl(1, PERIOD * (share + DELAY));
        assert_eq!(at(0.0), CURLED);
        assert!(at(STRETCH).abs() < 1e-9 && at(0.5 * (1.0 + STRETCH)) < 0.6 * CURLED);
        assert!(curl(2, PERIOD * (STRETCH + DELAY)) > at(STRETCH));
    }
}
