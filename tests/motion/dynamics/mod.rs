//! Scenes as users write them, compared with theory: shapes in glTF files, a scene file that places
//! them, shipped settings, and every stage of a step. Each test states the origin of its bound.

mod blows;
mod borders;
mod bounces;
mod contact_loads;
mod curved;
mod energy;
mod fits;
mod foresight;
mod gears;
mod guard;
mod joint_loads;
mod joints_under_load;
mod linkages;
mod loads;
mod passes;
mod pressure;
mod random_loads;
mod rest;
mod robots;
mod rolling;
mod scaled;
mod seams;
mod sheets;
mod slopes;
mod slow;
mod spins;
mod stacks;
mod turns;
mod welds;

use std::fmt::Write;

use glam::DVec3;
use tempfile::TempDir;
use tumble::body::BodyState;
use tumble::config::Config;
use tumble::generate::Triangles;
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

use crate::gltf;

const G: f64 = 9.81;

/// A scene file under construction, with the files of its shapes.
struct Setup {
    folder: TempDir,
    text: String,
}

impl Setup {
    fn new(head: &str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), text: format!("{head}\n") }
    }

    /// Places a shape as a part named `name`. `rotation` is about x, then y, then z, in degrees. `rule`
    /// holds the keys of this part.
    fn place(
        mut self,
        name: &str,
        shape: &Triangles,
        position: DVec3,
        rotation: [f64; 3],
        rule: &str,
    ) -> Self {
        gltf::write(self.folder.path(), name, shape);
        let [x, y, z] = position.to_array();
        writeln!(
            self.text,
            "[[model]]\nfile = \"{name}.gltf\"\nposition = [{x:?}, {y:?}, {z:?}]\nrotation = {rotation:?}\n\
             [[part]]\nname = \"{name}\"\n{rule}"
        )
        .unwrap();
        self
    }

    /// Opens the scene as the program does, with the settings of the scene file alone.
    fn open(self) -> Run {
        self.open_with(|_| ())
    }

    /// Opens the scene as the program does if options change the configuration.
    fn open_with(self, change: impl FnOnce(&mut Config)) -> Run {
        let path = self.folder.path().join("scene.toml");
        std::fs::write(&path, &self.text).unwrap();
        let mut scene =
            load_scene(path.to_str().unwrap(), None).unwrap_or_else(|e| panic!("{e:?}\n{}", self.text));
        assert_eq!(scene.config, Config::default(), "shipped settings");
        change(&mut scene.config);
        Run { world: World::new(&scene).unwrap(), scene }
    }
}

/// A scene and its world.
struct Run {
    scene: Scene,
    world: World,
}

impl Run {
    fn seconds(&mut self, seconds: f64) {
        for _ in 0..(seconds * 60.0).round() as u32 {
            self.world.step();
        }
    }

    fn index(&self, name: &str) -> usize {
        let infos = &self.world.bodies().infos;
        infos.iter().position(|i| i.name == name).unwrap_or_else(|| panic!("no body {name}"))
    }

    fn state(&self, name: &str) -> BodyState {
        self.world.bodies().states[self.index(name)]
    }

    fn state_mut(&mut self, name: &str) -> &mut BodyState {
        let index = self.index(name);
        &mut self.world.bodies_mut().states[index]
    }

    /// Returns the height of the body's lowest vertex, m.
    fn lowest(&self, name: &str) -> f64 {
        let index = self.index(name);
        let mesh = &self.world.meshes()[self.world.bodies().infos[index].mesh.unwrap() as usize];
        let pose = self.world.bodies().states[index].pose;
        mesh.vertices().iter().map(|v| pose.transform_point(v.as_dvec3()).y).fold(f64::INFINITY, f64::min)
    }
}
