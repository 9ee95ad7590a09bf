//! Writes a scene file that opens a model as it was opened before. The user can start editing from it.

use std::fmt::Write;

use glam::DVec3;
use toml::Value;

use crate::body::Motion;
use crate::import::Colliders;
use crate::scene::{OpenAs, Scene, SceneName};

/// Describes how a model was opened.
#[derive(Clone, Debug)]
pub struct Opened<'a> {
    pub name: &'a SceneName,
    /// Name of the model, as the scene file gives it.
    pub file: String,
    /// Name of the table that moves a robot's joints, as the scene file gives it.
    pub joints: Option<String>,
}

/// Lists the settings that a scene file cannot express. Because of them, the scene file opens the model
/// differently.
pub fn not_in_scene_file(scene: &Scene, name: &SceneName) -> Vec<String> {
    let has = |motion| scene.bodies.iter().any(|b| !b.is_ground && b.motion == motion);
    let mut lost = Vec::new();
    if !name.read_as.package_paths.is_empty() {
        lost.push("the package paths: --package-path names them again".to_owned());
    }
    if has(Motion::Kinematic) && has(Motion::Static) && !has(Motion::Dynamic) {
        lost.push("that parts beside a figure stay where they stand: [[part]] says it".to_owned());
    }
    lost
}

/// Writes the scene file. `scene` is the opened model.
pub fn scene_file(scene: &Scene, opened: &Opened) -> String {
    let mut out = format!("name = {}\n\n[[model]]\nfile = {}\n", quoted(&scene.name), quoted(&opened.file));
    let SceneName { read_as, open_as, .. } = opened.name;
    // Writing to a string cannot fail.
    if let Some(unit) = read_as.unit {
        let _ = writeln!(out, "unit = {}", quoted(unit.name()));
    }
    if let Some(up) = read_as.up {
        let _ = writeln!(out, "up = {}", quoted(up.name()));
    }
    match open_as {
        Some(OpenAs::FixedBase) => out += "base = \"fixed\"\n",
        Some(OpenAs::Drop) if !scene.joints.is_empty() => out += "base = \"free\"\n",
        _ => {}
    }
    if scene.skeletons.iter().any(|s| s.motion.looped) {
        out += "animation = {}\n";
    }
    if let Some(joints) = &opened.joints {
        let _ = writeln!(out, "animation = {{ file = {} }}", quoted(joints));
    }
    if !read_as.pose.is_empty() {
        let joints = read_as.pose.iter().map(|(joint, value)| format!("{} = {value:?}", quoted(joint)));
        let _ = writeln!(out, "pose = {{ {} }}", joints.collect::<Vec<_>>().join(", "));
    }
    if read_as.colliders != Colliders::default() {
        let _ = writeln!(out, "colliders = {}", quoted(read_as.colliders.name()));
    }
    let bodies = || scene.bodies.iter().filter(|b| !b.is_ground);
    let is_designed = bodies().all(|b| b.motion == Motion::Static);
    if is_designed {
        out += "\n# Everything stays where it stands; a [[part]] below this one lets single parts move:\n\
                # name = \"NAME\", motion = \"dynamic\".\n[[part]]\nname = \"*\"\nmotion = \"static\"\n";
    }
    if let Some(ground) = scene.bodies.iter().find(|b| b.is_ground) {
        let side = ground.mesh.map_or(0.0, |m| f64::from(scene.meshes[m as usize].bounds().size().x));
        // The ground in a scene file is centered at the origin, so it must be larger to cover the same
        // area.
        let DVec3 { x, y, z } = ground.pose.position;
        let size = side + 2.0 * x.abs().max(z.abs());
        let _ = write!(out, "\n[ground]\ny = {y:?}\nsize = {size:?}\n");
    }
    out += "\n# The parts, as [[part]], [[pair]] and [[joint]] call them:\n";
    for body in bodies() {
        let _ = writeln!(out, "#   {}", body.name);
    }
    out
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
