//! Checks that a scene can be stepped, made before a recording stores it and after it is read. A
//! checksum only proves that the bytes are those that were written, not that the writer was correct.
//! Each check returns its first fault as a message.

use std::collections::BTreeSet;

use glam::Vec3;

use crate::articulation::Skeleton;
use crate::body::{CoordinateClip, Joint, WORLD};
use crate::import::limits::BODIES;
use crate::import::model::Influence;
use crate::mesh::Surface;
use crate::pose::Pose;
use crate::scene::looks::{Carrier, DrawnSurface, Follows, Paint, Skinning};
use crate::scene::{BodyDef, Scene, SkeletonDef};

/// Largest deviation from 1 of the sum of a vertex's weights, for rounding.
const WEIGHT_TOLERANCE: f32 = 1e-3;

/// Checks that vertex indices are in range, vertices are finite, and lists per triangle have the right
/// length.
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

/// Checks that every index is in range, and that every initial value that the solver uses is finite.
/// The scene must have its meshes.
pub fn scene(scene: &Scene) -> Result<(), String> {
    let body_count = scene.bodies.len();
    if body_count > BODIES {
        return Err(format!("it has {body_count} bodies, the limit is {BODIES}"));
    }
    for item in &scene.bodies {
        body(scene, item).map_err(|problem| format!("body \"{}\": {problem}", item.name))?;
    }
    mechanisms(scene)?;
    let mut is_taken = vec![false; body_count];
    for item in &scene.skeletons {
        skeleton(scene, item, &mut is_taken)
            .map_err(|problem| format!("skeleton \"{}\": {problem}", item.name))?;
    }
    pairing(scene)?;
    if !scene.gravity.is_finite() {
        return Err("its gravity is not finite".to_owned());
    }
    scene.config.check()?;
    looks(scene)
}

fn body(scene: &Scene, body: &BodyDef) -> Result<(), &'static str> {
    let mesh = match body.mesh {
        Some(index) => Some(scene.meshes.get(index as usize).ok_or("its mesh is missing")?),
        None => None,
    };
    let triangle_count = mesh.map_or(0, |m| m.triangles().len());
    if body.parts.iter().any(|p| p.first_triangle as usize > triangle_count) {
        return Err("a part begins after its last triangle");
    }
    if !body.pose.is_rigid() {
        return Err("its pose is not a rigid transform");
    }
    let vectors = [body.linear_velocity, body.angular_velocity, body.center];
    let numbers = [body.gravity_factor, body.friction, body.restitution, body.rolling, body.spinning];
    if !vectors.iter().all(|v| v.is_finite()) || !numbers.iter().all(|n| n.is_finite()) {
        return Err("a number is not finite");
    }
    if body.mass.is_nan() || body.mass < 0.0 || body.inertia.is_nan() {
        return Err("its mass is negative, or its mass or inertia is not a number");
    }
    if body.friction < 0.0 || body.restitution < 0.0 {
        return Err("its friction or restitution is below 0");
    }
    if body.rolling < 0.0 || body.spinning < 0.0 {
        return Err("its resistance to rolling or spinning is below 0");
    }
    Ok(())
}

/// Checks joints, controls and clips.
fn mechanisms(scene: &Scene) -> Result<(), String> {
    let is_missing = |index: u32| index != WORLD && index as usize >= scene.bodies.len();
    for joint in &scene.joints {
        if is_missing(joint.a) || is_missing(joint.b) {
            return Err(format!("joint \"{}\": its bodies are missing", joint.name));
        }
        if !joint.frame_a.is_rigid() || !joint.frame_b.is_rigid() {
            return Err(format!("joint \"{}\": its frames are not rigid transforms", joint.name));
        }
        if let Some(fault) = joint.fault() {
            return Err(format!("joint \"{}\": {fault}", joint.name));
        }
    }
    for control in &scene.controls {
        if let Some(fault) = control.fault(scene.joints.len(), scene.clips.len(), &scene.controls) {
            return Err(format!("control \"{}\": {fault}", control.name));
        }
    }
    match scene.clips.iter().find_map(CoordinateClip::fault) {
        Some(fault) => Err(format!("a clip of joints: {fault}")),
        None => Ok(()),
    }
}

/// Checks a skeleton. `is_taken` says per body whether an earlier skeleton owns it; the bodies of this
/// skeleton are marked.
fn skeleton(scene: &Scene, skeleton: &SkeletonDef, is_taken: &mut [bool]) -> Result<(), &'static str> {
    let (first, link_count) = (skeleton.first_body as usize, skeleton.link_count as usize);
    if link_count == 0 || first + link_count > scene.bodies.len() {
        return Err("its bodies are missing");
    }
    let is_tree = || {
        let anchors = vec![Vec3::ZERO; link_count];
        Skeleton::new(skeleton.parents.clone(), anchors).is_ok()
    };
    if !(skeleton.parents.is_empty() || is_tree()) {
        return Err("its links are not connected");
    }
    if is_taken[first..first + link_count].iter_mut().any(|taken| std::mem::replace(taken, true)) {
        return Err("its bodies belong to another skeleton too");
    }
    let motion = &skeleton.motion;
    let width = link_count + skeleton.joints.len();
    let fits = motion.width as usize == width && motion.poses.len().is_multiple_of(width);
    if !(motion.poses.is_empty() || fits) || !motion.poses.iter().all(Pose::is_rigid) {
        return Err("its motion does not fit its links");
    }
    let has_rate = motion.rate.is_finite() && motion.rate > 0.0;
    if !motion.poses.is_empty() && !has_rate {
        return Err("its motion has no rate");
    }
    if !skeleton.joints.iter().all(Pose::is_rigid) {
        return Err("its joints are not rigid transforms");
    }
    if !motion.stride.is_finite() {
        return Err("its stride is not finite");
    }
    let drives =
        |joint: &Joint| is_link(skeleton, joint.b) && (joint.a == WORLD || is_link(skeleton, joint.a));
    if !skeleton.driven.iter().all(|&j| scene.joints.get(j as usize).is_some_and(drives)) {
        return Err("a driven joint does not join its links");
    }
    Ok(())
}

fn is_link(skeleton: &SkeletonDef, body: u32) -> bool {
    body.checked_sub(skeleton.first_body).is_some_and(|k| k < skeleton.link_count)
}

/// Checks the collision filters and the pair rules of a scene.
fn pairing(scene: &Scene) -> Result<(), String> {
    if !scene.filters.is_sound() {
        return Err("the collision filters are inconsistent".to_owned());
    }
    if scene.pair_rules.iter().any(|&(a, b, _)| a >= b || b as usize >= scene.bodies.len()) {
        return Err("a pair rule names a missing body".to_owned());
    }
    let is_sound = |clearance: f64| clearance.is_finite() && clearance >= 0.0;
    if scene.pair_rules.iter().any(|rule| !is_sound(rule.2.clearance())) {
        return Err("the clearance of a pair rule is invalid".to_owned());
    }
    if !scene.pair_rules.is_sorted_by_key(|&(a, b, _)| (a, b)) {
        return Err("the pair rules are not in order".to_owned());
    }
    Ok(())
}

/// Checks that every body has a paint with enough colors, and that every drawn surface is valid.
fn looks(scene: &Scene) -> Result<(), String> {
    let mut known = BTreeSet::new();
    for body in &scene.bodies {
        let Some(paint) = scene.paints.get(body.paint as usize) else {
            return Err(format!("body \"{}\": its paint is missing", body.name));
        };
        let Some((mesh, Paint::Corners(corners))) = body.mesh.zip(Some(paint)) else { continue };
        // Copies share both mesh and paint, so each combination is checked once.
        if !known.insert((mesh, body.paint)) {
            continue;
        }
        let source = &scene.meshes[mesh as usize].surface().source;
        if source.iter().any(|&t| t as usize >= corners.len()) {
            return Err(format!("body \"{}\": its paint has too few triangles", body.name));
        }
    }
    scene.drawn.iter().try_for_each(|surface| {
        drawn(scene, surface).map_err(|problem| format!("drawn surface \"{}\": {problem}", surface.name))
    })
}

/// Checks a drawn surface: vertices, indices, colors, and the body or joints that it follows.
fn drawn(scene: &Scene, surface: &DrawnSurface) -> Result<(), &'static str> {
    let DrawnSurface { positions, triangles, paint, follows, .. } = surface;
    if !positions.iter().all(|p| p.is_finite()) {
        return Err("a vertex is not finite");
    }
    if triangles.as_flattened().iter().any(|&v| v as usize >= positions.len()) {
        return Err("a triangle names a missing vertex");
    }
    match scene.paints.get(*paint as usize) {
        None => return Err("its paint is missing"),
        Some(Paint::Corners(corners)) if corners.len() != triangles.len() => {
            return Err("its paint must have one color per triangle");
        }
        Some(_) => {}
    }
    match follows {
        Follows::World => Ok(()),
        Follows::Body(body) if (*body as usize) < scene.bodies.len() => Ok(()),
        Follows::Body(_) => Err("its body is missing"),
        Follows::Joints(skinning) => skin(scene, surface, skinning),
    }
}

/// Checks the skinning of a drawn surface: joints, influences and owners.
fn skin(scene: &Scene, surface: &DrawnSurface, skinning: &Skinning) -> Result<(), &'static str> {
    let Skinning { skeleton, joints, influences, owners } = skinning;
    let Some(skeleton) = scene.skeletons.get(*skeleton as usize) else {
        return Err("its skeleton is missing");
    };
    let is_carrier = |carrier: Carrier| match carrier {
        Carrier::Body(body) => is_link(skeleton, body),
        Carrier::Joint(joint) => (joint as usize) < skeleton.joints.len(),
    };
    if !joints.iter().all(|j| is_carrier(j.carrier) && j.bind.is_finite()) {
        return Err("a joint has no carrier or is not finite");
    }
    let fits = |i: &Influence| {
        let total: f32 = i.weights.iter().sum();
        // A NaN weight fails every comparison.
        i.joints.iter().all(|&j| usize::from(j) < joints.len())
            && i.weights.iter().all(|w| *w >= 0.0)
            && (total - 1.0).abs() <= WEIGHT_TOLERANCE
    };
    if influences.len() != surface.positions.len() || !influences.iter().all(fits) {
        return Err("its influences do not fit");
    }
    if owners.len() != surface.triangles.len() || !owners.iter().all(|&o| is_link(skeleton, o)) {
        return Err("its owners do not fit");
    }
    Ok(())
}
