//! Files with their own physics, as in the drafts' own tests: boxes a meter wide that fall, turn, hang
//! and collide, loaded as a user does and stepped.

mod colliders;
mod distances;
mod filters;
mod joints;
mod materials;
mod motions;
mod omi;
mod triggers;

use std::path::PathBuf;

use glam::DVec3;
use serde_json::{Value, json};
use tempfile::TempDir;
use tumble::body::BodyState;
use tumble::import::NoteKind;
use tumble::scene::{OpenAs, Scene, SceneName, load_scene};
use tumble::world::World;

const G: f64 = 9.81;

/// Returns a file with the given nodes, and with `physics` in its root: materials, filters and joints.
/// Shape 0 is a box a meter wide, shape 1 a slab of 15 m and 1 m thick.
fn file(nodes: &[Value], physics: &Value) -> Value {
    let is_child = |at: usize| {
        let children = nodes.iter().filter_map(|n| n["children"].as_array()).flatten();
        children.into_iter().any(|child| child == at)
    };
    let roots: Vec<usize> = (0..nodes.len()).filter(|&at| !is_child(at)).collect();
    let shapes =
        json!([{ "type": "box", "box": {} }, { "type": "box", "box": { "size": [15.0, 1.0, 15.0] } }]);
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes,
        "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
        "extensions": { "KHR_implicit_shapes": { "shapes": shapes }, "KHR_physics_rigid_bodies": physics },
    })
}

/// Returns a node with the given physics. Its collider is a box unless `physics` has one.
fn cube(name: &str, at: [f64; 3], physics: Value) -> Value {
    let mut own = physics;
    if own.get("collider").is_none() {
        own["collider"] = json!({ "geometry": { "shape": 0 } });
    }
    json!({ "name": name, "translation": at, "extensions": { "KHR_physics_rigid_bodies": own } })
}

/// Opens a file as a user does, without options.
fn open(file: &Value) -> Scene {
    open_as(file, None)
}

fn open_as(file: &Value, open_as: Option<OpenAs>) -> Scene {
    try_open(file, open_as).unwrap_or_else(|e| panic!("{e}\n{file:#}"))
}

fn try_open(file: &Value, open_as: Option<OpenAs>) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = write(&folder, file);
    let name = SceneName { open_as, ..SceneName::from(path.to_str().unwrap()) };
    load_scene(name, None).map_err(|e| e.to_string())
}

fn write(folder: &TempDir, file: &Value) -> PathBuf {
    let path = folder.path().join("draft.gltf");
    std::fs::write(&path, file.to_string()).unwrap();
    path
}

fn has_note(scene: &Scene, kind: NoteKind, text: &str) -> bool {
    scene.notes.iter().any(|n| n.kind == kind && n.text.contains(text))
}

/// A scene and its world.
struct Run {
    scene: Scene,
    world: World,
}

impl Run {
    fn of(file: &Value) -> Self {
        Self::new(open(file))
    }

    /// Runs a scene file that begins with `text` and uses the file as a model.
    fn of_scene(file: &Value, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write(&folder, file);
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, format!("{text}[[model]]\nfile = \"draft.gltf\"\n")).unwrap();
        Self::new(load_scene(path.to_str().unwrap(), None).unwrap())
    }

    fn new(scene: Scene) -> Self {
        Self { world: World::new(&scene).unwrap(), scene }
    }

    fn seconds(mut self, seconds: f64) -> Self {
        for _ in 0..(seconds * 60.0).round() as u32 {
            self.world.step();
        }
        self
    }

    fn state(&self, name: &str) -> BodyState {
        let index = self.scene.bodies.iter().position(|b| b.name == name);
        self.world.bodies().states[index.unwrap_or_else(|| panic!("no body {name}"))]
    }

    fn at(&self, name: &str) -> DVec3 {
        self.state(name).pose.position
    }
}
