//! What the nodes of a model say of physics: shapes, motion, colliders, joints.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{CombineModes, Distance, JointAxis, Motion};

/// KHR_implicit_shapes (and OMI_physics_shape): centerd at the origin, axis +y.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Box {
        size: DVec3,
    },
    Sphere {
        radius: f64,
    },
    Capsule {
        height: f64,
        radius_top: f64,
        radius_bottom: f64,
    },
    Cylinder {
        height: f64,
        radius_top: f64,
        radius_bottom: f64,
    },
    Plane {
        size_x: Option<f64>,
        size_z: Option<f64>,
        double_sided: bool,
    },
    /// OMI: the shape is a glTF mesh.
    Mesh {
        geometry: u32,
        convex: bool,
    },
}

/// A body is a node with this.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionSettings {
    pub motion: Motion,
    /// kg
    pub mass: Option<f64>,
    /// Node space, m.
    pub center: Option<DVec3>,
    pub inertia: Option<Inertia>,
    /// Node space, m/s.
    pub linear_velocity: DVec3,
    /// Node space, rad/s.
    pub angular_velocity: DVec3,
    pub gravity_factor: f64,
}

/// About the center, kg·m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inertia {
    /// Moments along principal axes, a zero being infinite, and what carries the axes to node space.
    Principal { diagonal: DVec3, axes: DQuat },
    /// In node space.
    Tensor(DMat3),
}

impl MotionSettings {
    /// At rest, under full gravity, with nothing said of its mass.
    pub fn new(motion: Motion) -> Self {
        Self {
            motion,
            mass: None,
            center: None,
            inertia: None,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            gravity_factor: 1.0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColliderGeometry {
    Shape(u32),
    /// That node's mesh and its children's.
    Node {
        node: u32,
        convex_hull: bool,
    },
    /// A mesh, by its index among the geometries.
    Mesh {
        geometry: u32,
        convex_hull: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    pub geometry: ColliderGeometry,
    pub material: Option<u32>,
    pub filter: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// Empty for a compound of the `nodes`.
    pub geometry: Option<ColliderGeometry>,
    pub nodes: Vec<u32>,
    pub filter: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeJoint {
    pub connected: u32,
    pub settings: u32,
    pub collide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhysicsMaterial {
    pub static_friction: f64,
    pub dynamic_friction: f64,
    pub restitution: f64,
    pub combine: CombineModes,
}

/// Joint limits and drives, already reduced to one entry an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointSettings {
    pub linear: [JointAxis; 3],
    pub angular: [JointAxis; 3],
    /// From a limit over two angular axes.
    pub cone: Option<f64>,
    /// From a limit over several linear axes.
    pub distance: Option<Distance>,
    /// N·m
    pub friction: f64,
}
