//! A hand that flicks a ball up a sloping table, on which two walls lead the ball back. \[cab\] §4,
//! Table 5
//!
//! The hand's joints curl and stretch as recorded by a glove. The ball rolls by a formula, so that
//! counts do not depend on the solver.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::hand_links::{hand_of_file, own_hand};
use super::linkage::{Linkage, about_axis};
use super::motion::{FRAME, Links};
use crate::ShapeError;
use crate::arrays::MapEach;
use crate::generate::{Triangles, cuboid, sphere};
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::scene::SceneName;

/// Lengths as shares of the hand's reach, the distance from the palm's center to the fingertips.
const BALL: f64 = 0.22;
const BALL_SEGMENTS: usize = 40;
const WALL: [f64; 3] = [6.0, 0.24, 0.1];
const TABLE: [f64; 3] = [12.0, 0.2, 12.0];
/// Distance from the lowest point of the hand to the table, as a share of the reach.
const CLEARANCE: f64 = 0.1;
/// Half the angle between the walls, rad.
const OPENING: f64 = 0.6;

/// Time between flicks, s, and delay from one finger to the next, as a share of this time.
const PERIOD: f64 = 2.0;
const DELAY: f64 = 0.015;
/// Share of the joints' range that is used, and share of a period during which the fingers stretch.
const CURLED: f64 = 0.75;
const STRETCH: f64 = 0.15;

/// Distance that the ball rolls up the table, as a share of the hand's reach; time to roll up and back,
/// s; share of a period at which the fingers hit the ball.
const FAR: f64 = 1.5;
const ROLL: f64 = 1.8;
const FLICK: f64 = 0.06;

/// Hand and its surroundings. The links come first, then the ball, the table and the two walls.
pub struct Hand {
    pub linkage: Linkage,
    meshes: Vec<Option<Arc<Mesh>>>,
    lie: HandPlacement,
    /// Height by which the hand is lifted over the table, m.
    lift: f64,
}

/// Names of the bodies that are not links.
pub const SURROUNDINGS: [&str; 4] = ["ball", "table", "left wall", "right wall"];

impl Hand {
    /// Creates the built-in hand of 18 links, or a hand from the articulated model of a file.
    pub fn new(file: Option<&SceneName>) -> Result<Self, ShapeError> {
        let fault = |source| ShapeError::Generate { source };
        let (mut meshes, linkage) = match file {
            None => own_hand().map_err(fault)?,
            Some(file) => hand_of_file(file)?,
        };
        let lie = HandPlacement::new(&meshes, &linkage);
        let mut hand = Self { linkage, meshes: Vec::new(), lie, lift: 0.0 };
        let period = (0..=(PERIOD / FRAME) as usize).map(|f| hand.fingers(f as f64 * FRAME));
        let lowest = period.map(|poses| lowest_point(&meshes, &poses)).fold(f64::INFINITY, f64::min);
        hand.lift = CLEARANCE * hand.lie.reach - if lowest.is_finite() { lowest } else { 0.0 };
        meshes.extend(surroundings(hand.lie.reach).map_err(fault)?);
        Ok(Self { meshes, ..hand })
    }

    /// Returns links and surroundings over `frame_count` frames.
    pub fn links(&self, frame_count: usize) -> Links {
        let poses = (0..frame_count).flat_map(|f| self.poses(f as f64 * FRAME)).collect();
        Links { meshes: self.meshes.clone(), poses }
    }

    /// Returns the poses of links and surroundings at a time (s).
    fn poses(&self, time: f64) -> Vec<Pose> {
        let reach = self.lie.reach;
        let to_and_fro = |rate: f64| 0.5 * (1.0 + libm::sin(rate * time));
        let sway = DVec3::new(-0.06 * to_and_fro(1.1), 0.03 * to_and_fro(1.7), 0.05 * libm::sin(0.7 * time));
        let by = reach * sway + self.lift * DVec3::Y;
        let mut poses = self.fingers(time);
        poses.iter_mut().for_each(|pose| pose.position += by);
        poses.extend([ball(reach, time), Pose::from_position(-0.5 * TABLE[1] * reach * DVec3::Y)]);
        poses.extend([-1.0, 1.0].map_each(|side| wall(reach, side)));
        poses
    }

    /// Returns the poses of the links at a time (s), before sway and lift are added.
    fn fingers(&self, time: f64) -> Vec<Pose> {
        self.linkage.pose(&self.lie.root, |branch| curl(branch, time))
    }
}

/// Creates the surfaces of ball, table and walls for a hand with a reach of `reach` m.
fn surroundings(reach: f64) -> Result<[Option<Arc<Mesh>>; 4], MeshError> {
    let slab = |size: [f64; 3]| {
        let [x, y, z] = size.map_each(|s| (s * reach) as f32);
        cuboid(Vec3::new(x, y, z), f64::from(x))
    };
    let mesh =
        |name, (positions, triangles): Triangles| Mesh::new(name, &positions, &triangles).map(Arc::new);
    let ball = mesh(SURROUNDINGS[0], sphere((BALL * reach) as f32, BALL_SEGMENTS))?;
    let table = mesh(SURROUNDINGS[1], slab(TABLE))?;
    let wall = mesh("wall", slab(WALL))?;
    Ok([ball, table, wall.clone(), wall].map(Some))
}

/// Returns the position of the ball before it is flicked, in front of the curled fingertips. These are
/// at the origin.
fn start(reach: f64) -> DVec3 {
    BALL * reach * DVec3::new(2.0, 1.02, 0.0)
}

/// Returns the pose of the ball at a time (s). It rolls up the slope and back, then rests until the
/// next flick.
fn ball(reach: f64, time: f64) -> Pose {
    let share = time / PERIOD - FLICK;
    let rolled = ((share - share.floor()) * PERIOD / ROLL).min(1.0);
    let way = 4.0 * FAR * reach * rolled * (1.0 - rolled);
    Pose::new(about_axis(DVec3::Z, -way / (BALL * reach)), start(reach) + way * DVec3::X)
}

/// Returns the pose of a wall; `side` is 1 or −1. The walls meet behind the ball, which touches them
/// before it is flicked.
fn wall(reach: f64, side: f64) -> Pose {
    let apex = start(reach).x - (BALL + 0.5 * WALL[2]) * reach / libm::sin(OPENING);
    let turn = about_axis(DVec3::Y, side * OPENING);
    let middle = turn * DVec3::X * (0.5 * WALL[0] * reach);
    Pose::new(turn, DVec3::new(apex + middle.x, 0.5 * WALL[1] * reach, middle.z))
}

/// Returns the curl of a branch of links, from 0 (stretched) to 1. Fingers stretch quickly and curl
/// slowly. The arm (branch 0) only nods.
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

/// Pose of the hand in which it flicks along x.
struct HandPlacement {
    root: Pose,
    /// Distance from the palm's center to the fingertips, m.
    reach: f64,
}

impl HandPlacement {
    fn new(meshes: &[Option<Arc<Mesh>>], linkage: &Linkage) -> Self {
        let tips = linkage.tips();
        let posed = |share: f64| linkage.pose(&Pose::IDENTITY, |b| if b == 0 { 0.5 } else { share });
        let mean = |poses: &[Pose]| {
            tips.iter().map(|&t| poses[t].transform_point(middle(meshes, t))).sum::<DVec3>()
                / tips.len().max(1) as f64
        };
        let straight = posed(0.0);
        let palm = straight[linkage.palm()].transform_point(middle(meshes, linkage.palm()));
        let tip = mean(&straight);
        let forward = (tip - palm).try_normalize().unwrap_or(DVec3::X);
        // The tips move down as they curl.
        let down = mean(&posed(1.0)) - tip;
        let down = down - forward * forward.dot(down);
        let up = (-down).try_normalize().unwrap_or(forward.any_orthonormal_vector());
        let side = forward.cross(up);
        let turn = DQuat::from_mat3(&DMat3::from_cols(forward, up, side).transpose()).normalize();
        let curled = mean(&posed(CURLED));
        Self { root: Pose::new(turn, -(turn * curled)), reach: tip.distance(palm).max(1e-3) }
    }
}

/// Returns the center of a link's bounds in body space.
fn middle(meshes: &[Option<Arc<Mesh>>], link: usize) -> DVec3 {
    meshes[link].as_ref().map_or(DVec3::ZERO, |m| m.bounds().center().as_dvec3())
}

/// Returns the height of the lowest point of the boxes around the links, m.
fn lowest_point(meshes: &[Option<Arc<Mesh>>], poses: &[Pose]) -> f64 {
    let low = |(mesh, pose): (&Option<Arc<Mesh>>, &Pose)| {
        Some(f64::from(mesh.as_ref()?.bounds().transformed(pose).min.y))
    };
    meshes.iter().zip(poses).filter_map(low).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ball_is_flicked_and_comes_back_to_the_hand() {
        let hand = Hand::new(None).unwrap();
        assert_eq!((hand.linkage.link_count, hand.meshes.len()), (18, 22));
        let links = hand.links(360);
        let at = |frame: usize, body: usize| links.poses[frame * 22 + body].position;
        let start = start(hand.lie.reach);
        let far = (0..360).map(|f| at(f, 18).x - start.x).fold(0.0, f64::max);
        assert!((0.05..1.0).contains(&far), "{far}");
        // After its first roll, the ball is back in the corner of the walls.
        let back = (90..240).map(|f| at(f, 18).distance(start)).fold(f64::INFINITY, f64::min);
        assert!(back < 1e-9, "{back}");
        let below = |f: usize| lowest_point(&links.meshes[..18], &links.poses[f * 22..f * 22 + 18]);
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
