//! Physics of a model's nodes: shapes, motion, colliders and joints.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{CombineModes, Distance, JointAxis, Motion};

/// Shape of KHR_implicit_shapes or OMI_physics_shape, centered at the origin. Its axis, or the normal
/// of a plane, points along +y.
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
    /// Mesh of the file as a shape; only OMI has it.
    Mesh {
        geometry: u32,
        convex: bool,
    },
}

/// Motion of a body. A node with these settings is a body.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionSettings {
    pub motion: Motion,
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Center of mass in node space, m.
    pub center: Option<DVec3>,
    pub inertia: Option<Inertia>,
    /// Linear velocity in node space, m/s.
    pub linear_velocity: DVec3,
    /// Angular velocity in node space, rad/s.
    pub angular_velocity: DVec3,
    pub gravity_factor: f64,
}

/// Inertia about the center of mass, kg·m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inertia {
    /// Moments about principal axes, where 0 means infinite, and the rotation from the principal axes
    /// to node space.
    Principal { diagonal: DVec3, axes: DQuat },
    /// Inertia tensor in node space.
    Tensor(DMat3),
}

impl MotionSettings {
    /// Creates settings for a body at rest, under full gravity, with unspecified mass.
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
    /// Meshes of a node and of all nodes below it.
    Node {
        node: u32,
        convex_hull: bool,
    },
    /// Mesh, by its index among the geometries.
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
    /// Geometry; `None` if the trigger consists of other triggers, those of `nodes`.
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

/// Limits and drives of a joint: settings of each axis, and limits that span several axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointSettings {
    pub linear: [JointAxis; 3],
    pub angular: [JointAxis; 3],
    /// Largest angle between the x axes of the two frames, rad: one limit for two angular axes.
    pub cone: Option<f64>,
    /// Range of the distance between the frames' origins: one limit for several linear axes.
    pub distance: Option<Distance>,
    /// Torque of friction against rotation, N·m.
    pub friction: f64,
}
