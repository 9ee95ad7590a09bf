//! Whether a scene can be stepped, asked before it is stored and after it is read: a checksum says that it
//! is what was written, not that a sane program wrote it. Scene and surfaces → the first thing wrong, in
//! words.

use glam::DVec3;

use crate::body::WORLD;
use crate::mesh::Surface;
use crate::pose::Pose;
use crate::scene::Scene;

/// Corners in range, vertices finite, one entry a triangle.
pub fn surface(surface: &Surface) -> Result<(), String> {
    let Surface { name, vertices, triangles, two_sided, source, .. } = surface;
    if two_sided.len() != triangles.len() || source.len() != triangles.len() {
        return Err(format!("mesh \"{name}\": its lists differ in length"));
    }
    if triangles.is_empty() {
        return Err(format!("mesh \"{name}\": no triangles"));
    }
    if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
        return Err(format!("mesh \"{name}\": vertex {vertex} is not finite"));
    }
    match triangles.iter().position(|t| t.iter().any(|&v| v as usize >= vertices.len())) {
        Some(triangle) => Err(format!("mesh \"{name}\": triangle {triangle} names a missing vertex")),
        None => Ok(()),
    }
}

/// Every index names something, every number the solver starts from is finite. After the meshes are in.
pub fn scene(scene: &Scene) -> Result<(), String> {
    let body_count = scene.bodies.len();
    let is_body = |index: u32| (index as usize) < body_count;
    for body in &scene.bodies {
        let what = |problem: &str| Err(format!("body \"{}\": {problem}", body.name));
        let mesh = match body.mesh {
            Some(index) => match scene.meshes.get(index as usize) {
                Some(mesh) => Some(mesh),
                None => return what("its mesh is missing"),
            },
            None => None,
        };
        let triangle_count = mesh.map_or(0, |m| m.triangles().len());
        if body.parts.iter().any(|p| p.first_triangle as usize > triangle_count) {
            return what("a part begins after its last triangle");
        }
        if !is_pose(&body.pose) {
            return what("its pose is not one");
        }
        let vectors = [body.linear_velocity, body.angular_velocity, body.center];
        let numbers = [body.gravity_factor, body.friction, body.restitution];
        if !vectors.iter().all(|v| v.is_finite()) || !numbers.iter().all(|n| n.is_finite()) {
            return what("a number is not finite");
        }
        if body.mass.is_nan() || body.inertia.is_nan() {
            return what("its mass is not a number");
        }
    }
    for joint in &scene.joints {
        if [joint.a, joint.b].iter().any(|&index| index != WORLD && !is_body(index)) {
            return Err(format!("joint \"{}\": its bodies are missing", joint.name));
        }
        if !is_pose(&joint.frame_a) || !is_pose(&joint.frame_b) {
            return Err(format!("joint \"{}\": its frames are not poses", joint.name));
        }
    }
    for skeleton in &scene.skeletons {
        let what = |problem: &str| Err(format!("skeleton \"{}\": {problem}", skeleton.name));
        let link_count = skeleton.link_count as usize;
        if link_count == 0 || skeleton.first_body as usize + link_count > body_count {
            return what("its bodies are missing");
        }
        let motion = &skeleton.motion;
        let width = link_count + skeleton.joints.len();
        let fits = motion.width as usize == width && motion.poses.len().is_multiple_of(width);
        if !(motion.poses.is_empty() || fits) || !motion.poses.iter().all(is_pose) {
            return what("its motion does not fit its links");
        }
        let has_rate = motion.rate.is_finite() && motion.rate > 0.0;
        if !motion.poses.is_empty() && !has_rate {
            return what("its motion has no rate");
        }
        if !motion.stride.is_finite() {
            return what("its stride is not finite");
        }
    }
    if scene.pair_rules.iter().any(|&(a, b, _)| a >= b || !is_body(b)) {
        return Err("a pair rule names a missing body".to_owned());
    }
    if !scene.pair_rules.is_sorted_by_key(|&(a, b, _)| (a, b)) {
        return Err("the pair rules are not in order".to_owned());
    }
    let dt = scene.config.dt;
    if !(dt.is_finite() && dt > 0.0) || scene.config.substeps == 0 || !scene.gravity.is_finite() {
        return Err("its time step or gravity is not one".to_owned());
    }
    Ok(())
}

/// Finite, with a rotation of about unit length (1 % covers whatever an integrator leaves).
pub fn is_pose(pose: &Pose) -> bool {
    pose.is_finite() && (pose.rotation.length_squared() - 1.0).abs() < 0.01 && small(pose.position)
}

/// Farther out than this (m) even `f64` arithmetic on squares says nothing about a body.
fn small(position: DVec3) -> bool {
    position.abs().max_element() < 1e100
}
