//! What moves: the state of every body, hot and cold halves apart, and the joints between them.
//!
//! Body space is the space of the body's mesh. A body's pose carries body space to world space; its
//! velocities are those of the centre of mass. Poses and velocities are world space, m, m/s, rad/s.
//!
//! - `angles.rs`: angles of joints, which count on over whole turns.
//! - `combine.rs`: how friction and bounce of two bodies become those of the pair.
//! - `control.rs`: the targets of drives that a user or a clip sets.
//! - `filters.rs`: collision filters of the parts of bodies.
//! - `hash.rs`: the state hash, equal only if every body is in the same state bit by bit.
//! - `joint.rs`: joints as data: six axes, each free, locked, limited or driven.

mod angles;
mod combine;
mod control;
mod filters;
mod hash;
mod joint;

use std::sync::Arc;

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

pub(crate) use angles::{angle_of_pose, nearest_turn, whole_turns};
pub use combine::{Combine, CombineModes};
pub use control::{Control, CoordinateClip, Gear, SetBy};
pub(crate) use filters::words_a_row;
pub use filters::{FilterTable, PartFilters};
pub use hash::state_hash;
pub use joint::{
    AxisRange, Distance, Drive, DriveKind, Joint, JointAxis, PoseDrive, SoftLimit, Spring, WORLD,
};

use crate::pose::Pose;

/// What decides a body's motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// Never moves.
    Static,
    /// Follows a prescribed motion and pushes the rest.
    Kinematic,
    /// Moved by forces.
    #[default]
    Dynamic,
}

/// The state the solver reads and writes every sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Body space → world.
    pub pose: Pose,
    /// Velocity of the centre of mass, world, m/s.
    pub linear_velocity: DVec3,
    /// World, rad/s.
    pub angular_velocity: DVec3,
    /// 1/kg; zero for static and kinematic bodies.
    pub inverse_mass: f64,
    /// Centre of mass, body space, m.
    pub center: DVec3,
    /// About the centre, body axes, kg·m²; zero where `inverse_inertia` is.
    pub inertia: DMat3,
    /// About the centre, body axes, 1/(kg·m²); zero for static and kinematic bodies.
    pub inverse_inertia: DMat3,
    pub gravity_factor: f64,
    pub motion: Motion,
    pub activity: Activity,
}

/// Whether a body takes part in a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Activity {
    /// Moves; holds how long it has been slow, s.
    Awake { slow_for: f64 },
    /// At rest with its whole island until something wakes it.
    Asleep,
    /// Turned non-finite and was disabled at its last valid pose.
    Quarantined,
}

impl Bodies {
    /// A body's state, and what does not change of it.
    pub fn both(&self, body: u32) -> (&BodyState, &BodyInfo) {
        (&self.states[body as usize], &self.infos[body as usize])
    }

    /// Returns whether forces move a body; none moves the world.
    pub fn is_dynamic(&self, body: u32) -> bool {
        body != WORLD && self.states[body as usize].is_dynamic()
    }

    /// Whether the body's surface is not what it was a pass ago.
    pub fn is_reshaped(&self, body: u32) -> bool {
        self.reshaped.get(body as usize).is_some_and(|r| *r)
    }
}

impl BodyState {
    /// The centre of mass, world, m.
    pub fn world_center(&self) -> DVec3 {
        self.pose.transform_point(self.center)
    }

    /// About the centre of mass, world axes.
    pub fn world_inverse_inertia(&self) -> DMat3 {
        let r = self.pose.rotation_matrix();
        r * self.inverse_inertia * r.transpose()
    }

    /// The velocity of a point of the body, given in world space, m/s.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.linear_velocity + self.angular_velocity.cross(point - self.world_center())
    }

    pub fn is_dynamic(&self) -> bool {
        self.motion == Motion::Dynamic
    }

    pub fn is_awake(&self) -> bool {
        matches!(self.activity, Activity::Awake { .. })
    }

    pub fn is_finite(&self) -> bool {
        self.pose.is_finite() && self.linear_velocity.is_finite() && self.angular_velocity.is_finite()
    }
}

/// What is known of a body and does not change while it moves (of an exact skin, the radius does).
#[derive(Clone, Debug, PartialEq)]
pub struct BodyInfo {
    pub name: String,
    /// Index of its mesh in the scene; `None` for a body without a surface.
    pub mesh: Option<u32>,
    pub friction: f64,
    pub restitution: f64,
    /// Arms of the resistance to rolling and to spinning, m.
    pub rolling: f64,
    pub spinning: f64,
    /// Distance from the centre of mass to its farthest vertex, m.
    pub radius: f64,
    /// Smallest side of its mesh's bounding box, m.
    pub thickness: f64,
    /// Median length of its mesh's edges, m.
    pub edge: f64,
    pub combine: CombineModes,
    /// Its collision filters, where those of some body differ by part.
    pub filters: Option<Arc<PartFilters>>,
}

/// All bodies of a world; index = `BodyIndex` everywhere.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    pub states: Vec<BodyState>,
    pub infos: Vec<BodyInfo>,
    /// Whether the surface is not what it was a pass ago; empty where none ever changes.
    pub reshaped: Vec<bool>,
    /// By joint, the angles about x, y and z of its frame a, rad, with their whole turns; 0 about an axis
    /// where turns do not count.
    pub angles: Vec<[f64; 3]>,
}
