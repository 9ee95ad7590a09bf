//! The walk: one cycle in place, derived from the positions of the feet.
//!
//! During stance a foot moves back at exactly the walking speed, rolling from the heel over the flat
//! sole to the ball, so a walker advanced by [`STRIDE`] per cycle does not slide. In swing the ankle
//! follows a Hermite curve that leaves and joins the stance with its velocity. The legs follow from the
//! ankles in closed form (two bones); hips, trunk and arms are harmonics of the cycle.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec2, DVec3, Quat, Vec3};
use gltf::json::{Index, Node};

use super::glb::Track;
use super::humanoid::{JOINTS, joint};

/// Distance per cycle (two steps), m.
pub const STRIDE: f64 = 1.35;
/// Duration of a cycle, s.
pub const CYCLE: f64 = 1.1;
const KEYS: usize = 44;
/// Share of the cycle in which a foot bears weight.
const STANCE: f64 = 0.62;
/// Distance of the ankle before the hips at heel strike, as if flat, m.
const REACH: f64 = 0.33;
/// Ankle of a flat foot at the origin, (y, z), m.
const ANKLE: DVec2 = DVec2::new(0.08, 0.0);
/// Heel of that foot, (y, z), m.
const HEEL: DVec2 = DVec2::new(0.0, -0.05);
/// Ball of that foot, (y, z), m: the toe joint, so that the toes lie flat while the heel rises.
const BALL: DVec2 = DVec2::new(0.03, 0.13);
/// Height added to the ankle in the middle of swing, m.
const LIFT: f64 = 0.032;
/// Pitch of the foot over the cycle: (phase, degrees), toes up positive.
const PITCH: [(f64, f64); 10] = [
    (0.0, 17.0),
    (0.05, 7.0),
    (0.11, 0.0),
    (0.33, 0.0),
    (0.47, -14.0),
    (STANCE, -50.0),
    (0.68, -47.0),
    (0.80, -8.0),
    (0.91, 14.0),
    (0.97, 18.0),
];

fn degrees(angle: f64) -> f64 {
    angle * PI / 180.0
}

fn about(axis: DVec3, angle: f64) -> DQuat {
    let v = axis * libm::sin(angle / 2.0);
    DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(angle / 2.0))
}

/// Returns one harmonic of the cycle, largest at phase `peak`.
fn wave(phase: f64, peak: f64) -> f64 {
    libm::cos(TAU * (phase - peak))
}

/// Returns the pitch, rad: a periodic cubic through [`PITCH`] that never overshoots between keys
/// (harmonic mean slopes).
fn pitch(phase: f64) -> f64 {
    let count = PITCH.len() as isize;
    let key = |i: isize| {
        let (t, value) = PITCH[i.rem_euclid(count) as usize];
        (t + i.div_euclid(count) as f64, value)
    };
    let chord = |i: isize| (key(i + 1).1 - key(i).1) / (key(i + 1).0 - key(i).0);
    let slope = |i: isize| {
        let (before, after) = (chord(i - 1), chord(i));
        if before * after > 0.0 { 2.0 * before * after / (before + after) } else { 0.0 }
    };
    let i = PITCH.partition_point(|k| k.0 <= phase) as isize - 1;
    let span = key(i + 1).0 - key(i).0;
    let t = (phase - key(i).0) / span;
    degrees(hermite(t, [key(i).1, slope(i) * span], [key(i + 1).1, slope(i + 1) * span]))
}

/// Returns the cubic with given value and slope at both ends, at t in 0..1.
fn hermite(t: f64, from: [f64; 2], to: [f64; 2]) -> f64 {
    let s = 1.0 - t;
    from[0] * s * s * (1.0 + 2.0 * t) + from[1] * t * s * s + to[0] * t * t * (1.0 + 2.0 * s)
        - to[1] * t * t * s
}

/// Returns (y, z) of the ankle in stance. The foot rotates about its heel while the toes are up, else
/// about its ball.
fn stance_ankle(phase: f64) -> DVec2 {
    let up = pitch(phase.rem_euclid(1.0));
    let pivot = if up > 0.0 { HEEL } else { BALL };
    let arm = ANKLE - pivot;
    let (sin, cos) = (libm::sin(up), libm::cos(up));
    let turned = DVec2::new(arm.x * cos + arm.y * sin, arm.y * cos - arm.x * sin);
    pivot + turned + DVec2::new(0.0, REACH - STRIDE * phase)
}

/// Returns (y, z) of the ankle relative to a point on the ground below the hips, m.
fn ankle(phase: f64) -> DVec2 {
    if phase <= STANCE {
        return stance_ankle(phase);
    }
    const H: f64 = 1e-4;
    let span = 1.0 - STANCE;
    let (leave, meet) = (stance_ankle(STANCE), stance_ankle(0.0));
    let leave_slope = (leave - stance_ankle(STANCE - H)) / H * span;
    let meet_slope = (stance_ankle(H) - meet) / H * span;
    let t = (phase - STANCE) / span;
    let along = |axis: usize| hermite(t, [leave[axis], leave_slope[axis]], [meet[axis], meet_slope[axis]]);
    let lift = 16.0 * LIFT * t * t * (1.0 - t) * (1.0 - t);
    DVec2::new(along(0) + lift, along(1))
}

/// Returns the local rotations of upper leg, lower leg, foot and toes.
fn leg(phase: f64, first: usize, hips: DQuat, hips_position: DVec3) -> [DQuat; 4] {
    let [hip, knee, foot] = [0, 1, 2].map(|i| JOINTS[first + i].position);
    let target = ankle(phase);
    let target = DVec3::new(foot.x, target.x, target.y);
    let reach = hips.conjugate() * (target - hips_position) - (hip - JOINTS[joint::HIPS].position);
    let (upper, lower) = (hip.distance(knee), knee.distance(foot));
    let sideways = |v: DVec3| libm::atan2(v.x, -v.y);
    let lateral = sideways(reach) - sideways(foot - hip);
    let down = (reach.x * reach.x + reach.y * reach.y).sqrt();
    // A straight leg has no knee direction, so it stays slightly bent.
    let length = reach.length().min(0.9995 * (upper + lower));
    let corner = |a: f64, b: f64, opposite: f64| {
        libm::acos(((a * a + b * b - opposite * opposite) / (2.0 * a * b)).clamp(-1.0, 1.0))
    };
    let forward = libm::atan2(reach.z, down) + corner(upper, length, lower);
    let bend = PI - corner(upper, lower, length);
    let thigh = about(DVec3::Z, lateral) * about(DVec3::X, -forward);
    let shank = about(DVec3::X, bend);
    let up = pitch(phase);
    let foot = (hips * thigh * shank).conjugate() * about(DVec3::X, -up);
    // Toes stay on the ground while the heel rises and straighten early in swing.
    let flat = 1.0 - ((phase - STANCE) / 0.2).clamp(0.0, 1.0);
    let toes = about(DVec3::X, up.min(0.0) * flat * flat * (3.0 - 2.0 * flat));
    [thigh, shank, foot, toes]
}

/// Returns the local rotations of clavicle, upper arm, forearm and hand. `side` is 1 for left; `phase`
/// is that of the leg on the same side, against which the arm swings.
fn arm(phase: f64, first: usize, side: f64) -> [DQuat; 4] {
    let swing = -wave(phase, 0.02);
    let upper = JOINTS[first + 2].position - JOINTS[first + 1].position;
    let down = about(DVec3::Z, -side * degrees(23.0));
    let forward = degrees(1.0 + 19.0 * swing);
    let elbow = upper.normalize().cross(DVec3::Z);
    [
        about(DVec3::Y, side * degrees(-3.0 * swing)),
        about(DVec3::X, -forward) * down,
        about(elbow, degrees(16.0 + 10.0 * swing)),
        about(elbow, degrees(8.0)),
    ]
}

/// Returns the pose at a phase (0 is the left heel strike): the position of the hips and the rotation
/// of every joint.
fn pose(phase: f64) -> (DVec3, [DQuat; JOINTS.len()]) {
    let mut local = [DQuat::IDENTITY; JOINTS.len()];
    // Lowest just after each heel strike, highest over the supporting leg in between.
    let height = 0.892 - 0.020 * wave(2.0 * phase, 0.10);
    let hips_position = DVec3::new(0.018 * wave(phase, 0.31), height, 0.008 * wave(2.0 * phase, 0.45));
    let yaw = degrees(-5.0) * wave(phase, 0.0);
    let roll = degrees(3.0) * wave(phase, 0.28);
    let hips = about(DVec3::Y, yaw) * about(DVec3::Z, roll);
    local[joint::HIPS] = hips;
    local[joint::SPINE] =
        about(DVec3::Y, -yaw) * about(DVec3::Z, -0.8 * roll) * about(DVec3::X, degrees(2.5));
    local[joint::CHEST] = about(DVec3::Y, -1.2 * yaw) * about(DVec3::Z, -0.4 * roll);
    local[joint::NECK] = about(DVec3::Y, 0.6 * yaw);
    local[joint::HEAD] = about(DVec3::Y, 0.6 * yaw) * about(DVec3::X, degrees(-1.5 + wave(2.0 * phase, 0.2)));
    for (side, offset) in [0.0, 0.5].into_iter().enumerate() {
        let own = (phase + offset).rem_euclid(1.0);
        let (leg_first, arm_first) = (joint::LEGS[side], joint::ARMS[side]);
        local[leg_first..leg_first + 4].copy_from_slice(&leg(own, leg_first, hips, hips_position));
        let mirror = if side == 0 { 1.0 } else { -1.0 };
        local[arm_first..arm_first + 4].copy_from_slice(&arm(own, arm_first, mirror));
    }
    (hips_position, local)
}

/// Returns the key times (s) and a track per joint, plus the hips' translation. The last key repeats
/// the first.
pub fn walk(nodes: &[Index<Node>]) -> (Vec<f32>, Vec<(Index<Node>, Track)>) {
    let times: Vec<f32> = (0..=KEYS).map(|k| (CYCLE * k as f64 / KEYS as f64) as f32).collect();
    let poses: Vec<_> = (0..=KEYS).map(|k| pose((k % KEYS) as f64 / KEYS as f64)).collect();
    let translations: Vec<Vec3> = poses.iter().map(|(position, _)| position.as_vec3()).collect();
    let mut tracks = vec![(nodes[joint::HIPS], Track::Translation(translations))];
    for (index, node) in nodes.iter().enumerate() {
        let rotations: Vec<Quat> = poses
            .iter()
            // Every angle stays below 180°, so w > 0 keeps neighboring keys on the same side.
            .map(|(_, local)| if local[index].w < 0.0 { -local[index] } else { local[index] })
            .map(|rotation| rotation.normalize().as_quat())
            .collect();
        tracks.push((*node, Track::Rotation(rotations)));
    }
    (times, tracks)
}
