//! The walker: a skeleton of 21 joints, a smooth skin around it, and its walk.
//!
//! It faces +z, left is +x, is 1.71 m tall, with its feet on y = 0. The skin is the smooth union of
//! round cones, each of one joint. A vertex follows the joints whose cones are about as near as the
//! nearest. At rest the arms are raised sideways, so that skin and weights of arms and trunk stay
//! apart.

use glam::{DVec3, Mat4, Vec3};
use gltf::json::extras::RawValue;

use super::Color;
use super::clip;
use super::glb::{Glb, Influences};
use super::surface_nets::surface;

/// Edge length of the skin, m.
const CELL: f64 = 0.0235;
/// Distance over which neighboring cones blend, m.
const MELT: f64 = 0.034;
/// Additional distance at which a cone has e⁻¹ of the weight of the nearest, m.
const WEIGHT_REACH: f64 = 0.024;

/// Indices of joints in [`JOINTS`].
pub mod joint {
    pub const HIPS: usize = 0;
    pub const SPINE: usize = 1;
    pub const CHEST: usize = 2;
    pub const NECK: usize = 3;
    pub const HEAD: usize = 4;
    /// First index of clavicle, upper arm, forearm, hand; left, then right.
    pub const ARMS: [usize; 2] = [5, 9];
    /// First index of upper leg, lower leg, foot, toes; left, then right.
    pub const LEGS: [usize; 2] = [13, 17];
}

pub struct Joint {
    pub name: &'static str,
    pub parent: Option<usize>,
    /// Position at rest, model space, m; all rest rotations are the identity.
    pub position: DVec3,
}

const fn at(name: &'static str, parent: usize, x: f64, y: f64, z: f64) -> Joint {
    Joint { name, parent: Some(parent), position: DVec3::new(x, y, z) }
}

pub const JOINTS: [Joint; 21] = [
    Joint { name: "hips", parent: None, position: DVec3::new(0.0, 0.93, 0.0) },
    at("spine", joint::HIPS, 0.0, 1.05, -0.005),
    at("chest", joint::SPINE, 0.0, 1.20, -0.01),
    at("neck", joint::CHEST, 0.0, 1.43, -0.015),
    at("head", joint::NECK, 0.0, 1.52, 0.0),
    at("left_clavicle", joint::CHEST, 0.03, 1.385, 0.0),
    at("left_upper_arm", 5, 0.17, 1.375, -0.01),
    at("left_forearm", 6, 0.313, 1.146, -0.01),
    at("left_hand", 7, 0.443, 0.938, -0.01),
    at("right_clavicle", joint::CHEST, -0.03, 1.385, 0.0),
    at("right_upper_arm", 9, -0.17, 1.375, -0.01),
    at("right_forearm", 10, -0.313, 1.146, -0.01),
    at("right_hand", 11, -0.443, 0.938, -0.01),
    at("left_upper_leg", joint::HIPS, 0.09, 0.92, 0.0),
    at("left_lower_leg", 13, 0.10, 0.49, 0.0),
    at("left_foot", 14, 0.105, 0.08, 0.0),
    at("left_toes", 15, 0.112, 0.03, 0.13),
    at("right_upper_leg", joint::HIPS, -0.09, 0.92, 0.0),
    at("right_lower_leg", 17, -0.10, 0.49, 0.0),
    at("right_foot", 18, -0.105, 0.08, 0.0),
    at("right_toes", 19, -0.112, 0.03, 0.13),
];

/// Round cone: two balls and their hull, squashed along z.
struct Cone {
    joint: usize,
    ends: [DVec3; 2],
    radii: [f64; 2],
    depth: f64,
}

impl Cone {
    /// Returns the signed distance of a point, m, to first order; exact if the radii are equal and
    /// nothing is squashed.
    fn distance(&self, p: DVec3) -> f64 {
        let flat = DVec3::new(1.0, 1.0, 1.0 / self.depth);
        let [a, b] = self.ends.map(|end| end * flat);
        let p = p * flat;
        let axis = b - a;
        let t = ((p - a).dot(axis) / axis.length_squared().max(1e-12)).clamp(0.0, 1.0);
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * t;
        (p.distance(a + axis * t) - radius) * self.depth.min(1.0)
    }
}

type Row = (usize, [f64; 3], [f64; 3], [f64; 2], f64);

/// Trunk and head: joint, ends, radii (m), depth.
const TRUNK: [Row; 11] = [
    (joint::HIPS, [-0.06, 0.955, -0.012], [0.06, 0.955, -0.012], [0.113, 0.113], 0.90),
    (joint::SPINE, [-0.05, 1.02, -0.006], [0.05, 1.02, -0.006], [0.106, 0.106], 0.88),
    (joint::SPINE, [-0.042, 1.09, 0.0], [0.042, 1.09, 0.0], [0.104, 0.104], 0.87),
    (joint::SPINE, [-0.044, 1.16, 0.0], [0.044, 1.16, 0.0], [0.107, 0.107], 0.87),
    (joint::CHEST, [-0.053, 1.23, 0.0], [0.053, 1.23, 0.0], [0.111, 0.111], 0.87),
    (joint::CHEST, [-0.065, 1.30, -0.004], [0.065, 1.30, -0.004], [0.106, 0.106], 0.88),
    (joint::CHEST, [-0.10, 1.375, -0.015], [0.10, 1.375, -0.015], [0.064, 0.064], 1.0),
    (joint::NECK, [0.0, 1.41, -0.022], [0.0, 1.51, -0.006], [0.062, 0.054], 1.0),
    (joint::HEAD, [0.0, 1.600, -0.004], [0.0, 1.622, -0.002], [0.083, 0.086], 1.15),
    (joint::HEAD, [0.0, 1.538, 0.030], [0.0, 1.585, 0.024], [0.050, 0.074], 1.0),
    (joint::HEAD, [0.0, 1.578, 0.088], [0.0, 1.605, 0.082], [0.017, 0.013], 1.0),
];

/// The left limbs, with joints counted from the limb's first; the right ones are their mirror image.
const ARM: [Row; 7] = [
    (0, [0.08, 1.378, -0.01], [0.15, 1.372, -0.01], [0.060, 0.060], 1.0),
    (1, [0.168, 1.368, -0.01], [0.313, 1.146, -0.01], [0.058, 0.037], 1.0),
    (2, [0.315, 1.142, -0.01], [0.345, 1.095, -0.008], [0.036, 0.038], 1.0),
    (2, [0.345, 1.095, -0.008], [0.443, 0.938, -0.01], [0.038, 0.027], 1.0),
    (3, [0.452, 0.924, -0.006], [0.484, 0.872, 0.0], [0.033, 0.036], 1.15),
    (3, [0.488, 0.866, 0.0], [0.520, 0.805, 0.006], [0.030, 0.022], 1.2),
    (3, [0.462, 0.905, 0.028], [0.474, 0.862, 0.055], [0.022, 0.019], 1.0),
];

const LEG: [Row; 6] = [
    (0, [0.088, 0.90, 0.0], [0.10, 0.49, 0.004], [0.092, 0.050], 1.0),
    (1, [0.10, 0.485, 0.006], [0.105, 0.09, -0.004], [0.048, 0.038], 1.0),
    (1, [0.102, 0.40, -0.014], [0.104, 0.28, -0.014], [0.048, 0.041], 1.0),
    (2, [0.105, 0.030, -0.030], [0.108, 0.034, 0.080], [0.041, 0.043], 1.0),
    (2, [0.105, 0.085, 0.0], [0.108, 0.045, 0.075], [0.042, 0.038], 1.0),
    (3, [0.110, 0.022, 0.115], [0.113, 0.016, 0.175], [0.042, 0.036], 1.0),
];

fn cones() -> Vec<Cone> {
    let cone = |&(joint, a, b, radii, depth): &Row, first: usize, side: f64| {
        let mirror = DVec3::new(side, 1.0, 1.0);
        let ends = [a, b].map(|end| DVec3::from_array(end) * mirror);
        Cone { joint: first + joint, ends, radii, depth }
    };
    let mut all: Vec<Cone> = TRUNK.iter().map(|row| cone(row, 0, 1.0)).collect();
    for (limb, firsts) in [(ARM.as_slice(), joint::ARMS), (LEG.as_slice(), joint::LEGS)] {
        for (first, side) in firsts.into_iter().zip([1.0, -1.0]) {
            all.extend(limb.iter().map(|row| cone(row, first, side)));
        }
    }
    all
}

/// Returns the distance to the smooth union of all cones, cut flat at the soles.
fn skin_distance(cones: &[Cone], p: DVec3) -> f64 {
    let melted = cones.iter().map(|cone| cone.distance(p)).fold(f64::INFINITY, |a, b| {
        let h = (MELT - (a - b).abs()).max(0.0) / MELT;
        a.min(b) - 0.25 * h * h * MELT
    });
    melted.max(-p.y)
}

/// Returns the four joints nearest to a point of the skin, by their cones, with their weights.
fn influence(cones: &[Cone], p: DVec3) -> ([u8; 4], [f32; 4]) {
    let mut distances = [f64::INFINITY; JOINTS.len()];
    for cone in cones {
        distances[cone.joint] = distances[cone.joint].min(cone.distance(p));
    }
    let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let weight = |d: f64| {
        let x = (d - nearest) / WEIGHT_REACH;
        libm::exp(-x * x)
    };
    let mut order: Vec<usize> = (0..JOINTS.len()).collect();
    order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    let chosen: [usize; 4] = std::array::from_fn(|i| order[i]);
    let raw = chosen.map(|j| weight(distances[j])).map(|w| if w < 0.01 { 0.0 } else { w });
    let sum: f64 = raw.iter().sum();
    let weights = raw.map(|w| (w / sum) as f32);
    (std::array::from_fn(|i| if weights[i] > 0.0 { chosen[i] as u8 } else { 0 }), weights)
}

/// Returns the bytes of `walker.glb`.
pub fn walker(color: Color) -> Vec<u8> {
    let cones = cones();
    // Odd multiples of half a cell: the grid is its own mirror image, and no sample lies on the soles.
    let low = DVec3::new(-24.5 * CELL, -1.5 * CELL, -7.5 * CELL);
    let high = DVec3::new(24.5 * CELL, 1.78, 0.28);
    let (positions, triangles) = surface(low, high, CELL, |p| skin_distance(&cones, p));
    let (joints, weights) = positions.iter().map(|p| influence(&cones, p.as_dvec3())).unzip();

    let mut file = Glb::default();
    let skeleton: Vec<(&str, Option<usize>, Vec3)> = JOINTS
        .iter()
        .map(|joint| {
            let origin = joint.parent.map_or(DVec3::ZERO, |parent| JOINTS[parent].position);
            (joint.name, joint.parent, (joint.position - origin).as_vec3())
        })
        .collect();
    let nodes = file.joints(&skeleton);
    let inverse_bind: Vec<Mat4> =
        JOINTS.iter().map(|joint| Mat4::from_translation(-joint.position.as_vec3())).collect();
    let mesh = file.mesh("walker", color, &positions, &triangles, Some(&Influences { joints, weights }));
    let extras = format!(r#"{{"stride_m":{},"cycle_s":{}}}"#, clip::STRIDE, clip::CYCLE);
    let extras = RawValue::from_string(extras).expect("numbers in an object are JSON");
    file.skinned("walker", mesh, &nodes, &inverse_bind, extras);
    let (times, tracks) = clip::walk(&nodes);
    file.clip("walk", &times, &tracks);
    file.bytes()
}
