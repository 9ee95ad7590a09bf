//! Moving objects: the state of every body, the data that stay constant while it moves, and the joints
//! between bodies.
//!
//! Body space is the space of the body's mesh. A body's pose transforms body space to world space; its
//! velocities are those of the center of mass. Poses and velocities are in world space, m, m/s, rad/s.
//!
//! - `angles.rs`: joint angles, which accumulate over whole turns.
//! - `combine.rs`: the combination of two bodies' friction and restitution.
//! - `control.rs`: drive targets that a user or a clip sets.
//! - `filters.rs`: collision filters of the parts of bodies.
//! - `gaps.rs`: the distance and the angle by which a joint is open.
//! - `hash.rs`: the state hash, equal only if every body is in the same state bit by bit.
//! - `joint.rs`: joints as data: six axes, each free, locked, limited or driven.
//! - `seams.rs`: edges and vertices along which other parts continue a surface.

mod angles;
mod combine;
mod control;
mod filters;
mod gaps;
mod hash;
mod joint;
mod seams;

use std::sync::Arc;

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

pub use angles::whole_turns;
pub(crate) use angles::{angle_of_pose, nearest_turn};
pub use combine::{Combine, CombineModes};
pub use control::{Control, CoordinateClip, Gear, SetBy};
pub use filters::{FilterTable, PartFilters};
pub use hash::state_hash;
pub use joint::{
    AxisRange, Distance, Drive, DriveKind, Joint, JointAxis, PoseDrive, SoftLimit, Spring, WORLD,
};
pub use seams::Seams;

use crate::pose::Pose;

/// Kind of motion of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// Static: never moves.
    Static,
    /// Follows a prescribed motion and pushes other bodies.
    Kinematic,
    /// Moved by forces.
    #[default]
    Dynamic,
}

/// State that the solver reads and writes every sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Transformation from body space to the world.
    pub pose: Pose,
    /// Velocity of the center of mass, world, m/s.
    pub linear_velocity: DVec3,
    /// Angular velocity, world, rad/s.
    pub angular_velocity: DVec3,
    /// Inverse mass, 1/kg; zero for static and kinematic bodies.
    pub inverse_mass: f64,
    /// Center of mass, body space, m.
    pub center: DVec3,
    /// Inertia about the center of mass, body axes, kg·m²; zero where `inverse_inertia` is.
    pub inertia: DMat3,
    /// Inverse inertia about the center of mass, body axes, 1/(kg·m²); zero for static and kinematic
    /// bodies.
    pub inverse_inertia: DMat3,
    pub gravity_factor: f64,
    pub motion: Motion,
    pub activity: Activity,
}

/// Activity of a body in a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Activity {
    /// The body moves. `slow_for` is the time for which it has been slow, s.
    Awake { slow_for: f64 },
    /// The body rests with its whole island until it is woken.
    Asleep,
    /// The body's state became non-finite, and it was disabled at its last valid pose.
    Quarantined,
}

impl Bodies {
    /// Returns a body's state and its constant data.
    #[inline]
    pub fn both(&self, body: u32) -> (&BodyState, &BodyInfo) {
        (&self.states[body as usize], &self.infos[body as usize])
    }

    /// Returns whether forces move a body; false for [`WORLD`].
    #[inline]
    pub fn is_dynamic(&self, body: u32) -> bool {
        body != WORLD && self.states[body as usize].is_dynamic()
    }

    /// Returns whether the body's surface has changed since the last collision pass.
    #[inline]
    pub fn is_reshaped(&self, body: u32) -> bool {
        self.reshaped.get(body as usize).is_some_and(|r| *r)
    }
}

impl BodyState {
    /// Returns the center of mass, world, m.
    #[inline]
    pub fn world_center(&self) -> DVec3 {
        self.pose.transform_point(self.center)
    }

    /// Returns the inverse inertia about the center of mass, world axes.
    #[inline]
    pub fn world_inverse_inertia(&self) -> DMat3 {
        let r = self.pose.rotation_matrix();
        r * self.inverse_inertia * r.transpose()
    }

    /// Returns the velocity (world, m/s) of the body at `point` (world, m).
    #[inline]
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.linear_velocity + self.angular_velocity.cross(point - self.world_center())
    }

    #[inline]
    pub fn is_dynamic(&self) -> bool {
        self.motion == Motion::Dynamic
    }

    #[inline]
    pub fn is_awake(&self) -> bool {
        matches!(self.activity, Activity::Awake { .. })
    }

    #[inline]
    pub fn is_finite(&self) -> bool {
        self.pose.is_finite() && self.linear_velocity.is_finite() && self.angular_velocity.is_finite()
    }
}

/// Data of a body that stay constant while it moves; only the radius of a deforming (skinned) surface
/// changes.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyInfo {
    pub name: String,
    /// Index of its mesh in the scene; `None` for a body without a surface.
    pub mesh: Option<u32>,
    pub friction: f64,
    pub restitution: f64,
    /// Lever arm of the rolling resistance, m.
    pub rolling: f64,
    /// Lever arm of the spinning resistance, m.
    pub spinning: f64,
    /// Distance from the center of mass to its farthest vertex, m.
    pub radius: f64,
    /// Smallest side of its mesh's bounding box, m.
    pub thickness: f64,
    /// Median length of its mesh's edges, m.
    pub edge: f64,
    /// True if its surface has sharp concave edges.
    pub has_corners: bool,
    pub combine: CombineModes,
    /// Collision filters, if those of some body differ by part.
    pub filters: Option<Arc<PartFilters>>,
    /// Seams with other parts, if the body never moves and others continue its surface.
    pub seams: Option<Arc<Seams>>,
}

/// All bodies of a world, by their index.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    pub states: Vec<BodyState>,
    pub infos: Vec<BodyInfo>,
    /// Whether each body's surface has changed since the last pass; empty if none ever changes.
    pub reshaped: Vec<bool>,
    /// Angles of each joint about x, y and z of its frame a, rad, including whole turns; 0 about an
    /// axis that does not count turns.
    pub angles: Vec<[f64; 3]>,
}
