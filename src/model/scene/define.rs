//! Scenes made in code: an empty scene, and functions that add surfaces and bodies.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::looks::Paint;
use super::{BodyDef, BodyFilters, Scene};
use crate::body::{CombineModes, Motion};
use crate::config::Config;
use crate::mesh::Mesh;
use crate::pose::Pose;

/// Gravity of the Earth, m/s². The direction is set where it is used.
pub(super) const GRAVITY: f64 = 9.81;
/// Default number of steps of a scene: ten seconds at the default time step.
const DEFAULT_STEPS: u32 = 600;
/// Coefficient of friction of bodies for which files specify none: about that of metal on wood, both
/// clean.
pub(super) const DEFAULT_FRICTION: f64 = 0.5;
/// Color of bodies in a scene without paints.
const GRAY: Paint = Paint::Plain([128; 3]);

impl Scene {
    /// Creates an empty scene under Earth's gravity, towards −y, with the default settings.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: String::new(),
            meshes: Vec::new(),
            bodies: Vec::new(),
            paints: Vec::new(),
            drawn: Vec::new(),
            skeletons: Vec::new(),
            joints: Vec::new(),
            controls: Vec::new(),
            clips: Vec::new(),
            pair_rules: Vec::new(),
            checks: Vec::new(),
            expectations: Vec::new(),
            filters: BodyFilters::default(),
            gravity: DVec3::new(0.0, -GRAVITY, 0.0),
            steps: DEFAULT_STEPS,
            config: Config::default(),
            camera: None,
            notes: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Adds a surface and returns its index, which bodies refer to.
    pub fn add_mesh(&mut self, mesh: Mesh) -> u32 {
        self.meshes.push(Arc::new(mesh));
        self.meshes.len() as u32 - 1
    }

    /// Adds a body and returns its index. If the scene has no paints yet, adds gray as paint 0.
    pub fn add_body(&mut self, body: BodyDef) -> u32 {
        if self.paints.is_empty() {
            self.paints.push(GRAY);
        }
        self.bodies.push(body);
        self.bodies.len() as u32 - 1
    }
}

impl BodyDef {
    /// Creates a body of 1 kg without a surface, at rest at the origin.
    pub fn empty(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            mesh: None,
            parts: Vec::new(),
            motion: Motion::Dynamic,
            pose: Pose::IDENTITY,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            mass: 1.0,
            center: DVec3::ZERO,
            inertia: DMat3::IDENTITY,
            gravity_factor: 1.0,
            friction: DEFAULT_FRICTION,
            restitution: 0.0,
            rolling: 0.0,
            spinning: 0.0,
            paint: 0,
            trigger: false,
            is_ground: false,
            path: String::new(),
            combine: CombineModes::default(),
        }
    }

    /// Creates a dynamic body at rest at the origin. Its surface is the mesh with index `mesh`, filled
    /// with a material of `density` kg/m³. Its name is that of the mesh and the number of bodies so
    /// far. Panics if the scene has no such mesh.
    pub fn dynamic(scene: &Scene, mesh: u32, density: f64) -> Self {
        let surface = &scene.meshes[mesh as usize];
        let volume = surface.surface().volume;
        Self {
            mesh: Some(mesh),
            mass: density * volume.volume,
            center: volume.center,
            inertia: density * volume.inertia,
            ..Self::empty(format!("{}.{}", surface.name(), scene.bodies.len()))
        }
    }

    /// Creates a static body, otherwise as [`BodyDef::dynamic`].
    pub fn fixed(scene: &Scene, mesh: u32) -> Self {
        Self { motion: Motion::Static, mass: f64::INFINITY, ..Self::dynamic(scene, mesh, 1.0) }
    }

    /// Returns this body with the origin of its surface at `position`, world, m.
    #[must_use]
    pub fn at(self, position: DVec3) -> Self {
        Self { pose: Pose::from_position(position), ..self }
    }
}
