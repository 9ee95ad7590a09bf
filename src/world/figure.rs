//! Figures: links that follow sampled poses over time and push what they meet. The links are kinematic
//! bodies; a pass gives them the velocity that carries them to their next pose and then sets that pose
//! exactly.

use crate::body::{BodyState, Motion};
use crate::pose::Pose;
use crate::scene::{LinkMotion, Moment, SkeletonDef};
use crate::solver::rotation_vector;

/// A skeleton of the scene at work.
pub(super) struct Figure {
    first_body: usize,
    link_count: usize,
    motion: LinkMotion,
    /// At rest, world, of the joints without a link.
    joints: Vec<Pose>,
}

impl Figure {
    pub fn new(def: &SkeletonDef) -> Self {
        Self {
            first_body: def.first_body as usize,
            link_count: def.link_count as usize,
            motion: def.motion.clone(),
            joints: def.joints.clone(),
        }
    }

    /// Of a joint without a link at `time` (s).
    pub fn joint_pose(&self, joint: usize, time: f64) -> Pose {
        self.motion.pose(self.link_count + joint, time).unwrap_or(self.joints[joint])
    }

    /// Where in its motion the figure is at `time` (s); `None` without motion.
    pub fn moment(&self, time: f64) -> Option<Moment> {
        self.motion.moment(time)
    }

    /// Gives a link the velocities that take it from where it is to its pose at a moment `dt` seconds on.
    pub fn aim(&self, link: usize, moment: &Moment, dt: f64, state: &mut BodyState) {
        let target = self.motion.pose_at(link, moment);
        let from = state.world_center();
        state.linear_velocity = (target.transform_point(state.center) - from) / dt;
        state.angular_velocity = rotation_vector(target.rotation * state.pose.rotation.conjugate()) / dt;
    }

    /// Sets every link to its pose at `time` (s).
    pub fn place(&self, time: f64, states: &mut [BodyState]) {
        let Some(moment) = self.motion.moment(time) else { return };
        let links = &mut states[self.first_body..self.first_body + self.link_count];
        for (link, state) in links.iter_mut().enumerate().filter(|(_, s)| follows(s)) {
            state.pose = self.motion.pose_at(link, &moment);
        }
    }
}

/// Whether a link follows its figure's motion; one that a scene made dynamic leads its own life.
pub(super) fn follows(state: &BodyState) -> bool {
    state.motion == Motion::Kinematic
}
