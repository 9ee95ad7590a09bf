//! Links of the built-in hand, or of the articulated model of a file.

use std::sync::Arc;

use glam::DVec3;

use super::linkage::{Linkage, about_axis, hinge};
use super::motion::mesh_of;
use crate::ShapeError;
use crate::body::{Joint, Motion, WORLD};
use crate::generate::Limb;
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::scene::{SceneName, load_scene};

/// Surfaces of a hand's links, and the linkage that connects them.
pub type Linked = (Vec<Option<Arc<Mesh>>>, Linkage);

/// Creates the links of a right hand with its back to +z: forearm, wrist, palm, and five fingers of
/// three links. Lengths in m.
pub fn own_hand() -> Result<Linked, MeshError> {
    let mut meshes = Vec::new();
    let mut link = |name: &str, length: f64, width: f64, depth: f64| {
        let limb = Limb { length, width, depth, dent: 0.0 };
        let (positions, triangles) = limb.triangles();
        meshes.push(Some(Arc::new(Mesh::new(name, &positions, &triangles)?)));
        Ok(meshes.len() as u32 - 1)
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
    // Values per finger: size, position on the palm, rotation about z, rotation about x.
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
    let linkage = Linkage::new(meshes.len(), &joints);
    Ok((meshes, linkage))
}

/// Loads the bodies that the joints of a model connect. A joint to the world becomes a joint to the
/// first static body with a surface.
pub fn hand_of_file(file: &SceneName) -> Result<Linked, ShapeError> {
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
    let mut meshes = Vec::new();
    let mut index = vec![None; model.bodies.len()];
    for body in joints.iter().flat_map(|j| [j.a, j.b]).map(|b| b as usize) {
        if let Some(slot) = index.get_mut(body).filter(|i| i.is_none()) {
            *slot = Some(meshes.len() as u32);
            meshes.push(mesh_of(&model, body));
        }
    }
    let own = |body: u32| index.get(body as usize).copied().flatten();
    let moved = |j: &Joint| Some(Joint { a: own(j.a)?, b: own(j.b)?, ..j.clone() });
    let joints: Vec<Joint> = joints.iter().filter_map(moved).collect();
    if joints.is_empty() {
        return Err(ShapeError::NoJoints { name: file.name.clone() });
    }
    let linkage = Linkage::new(meshes.len(), &joints);
    Ok((meshes, linkage))
}
