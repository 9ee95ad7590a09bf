//! Figures (articulated characters). Their links follow sampled poses over time and push the bodies
//! that they touch. In a pass, a kinematic link gets the velocity that takes it to its next pose, and
//! at the end exactly that pose. The drives of a powered figure get the poses as their targets.

use crate::body::{BodyState, Joint, Motion};
use crate::pose::Pose;
use crate::scene::{LinkMotion, Moment, SkeletonDef};
use crate::solver::rotation_vector;

/// The figure and link that a body represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FigureLink {
    pub figure: u32,
    pub link: u32,
}

/// Runtime state of a skeleton of the scene.
pub(super) struct Figure {
    first_body: usize,
    link_count: usize,
    motion: LinkMotion,
    /// World poses at rest of the joints without a link.
    joints: Vec<Pose>,
    /// Indices of the joints whose drives follow the motion.
    driven: Vec<u32>,
}

impl Figure {
    pub fn new(def: &SkeletonDef) -> Self {
        Self {
            first_body: def.first_body as usize,
            link_count: def.link_count as usize,
            motion: def.motion.clone(),
            joints: def.joints.clone(),
            driven: def.driven.clone(),
        }
    }

    /// Returns the world pose of a figure's joint without a link at `time` (s).
    pub fn joint_pose(&self, joint: usize, time: f64) -> Pose {
        self.motion.pose(self.link_count + joint, time).unwrap_or(self.joints[joint])
    }

    /// Returns `time` (s) as a moment of the figure's motion; `None` without motion.
    pub fn moment(&self, time: f64) -> Option<Moment> {
        self.motion.moment(time)
    }

    /// Gives a link the velocities that take it from its present pose to its pose at `moment` in `dt`
    /// seconds.
    pub fn aim(&self, link: usize, moment: &Moment, dt: f64, state: &mut BodyState) {
        aim_at(&self.motion.pose_at(link, moment), dt, state);
    }

    /// Gives the driven joints their targets for the pass of `dt` seconds that ends at `time` (s).
    pub fn aim_drives(&self, time: f64, dt: f64, joints: &mut [Joint]) {
        for &index in &self.driven {
            let joint = &mut joints[index as usize];
            let target = |time: f64| self.motion.between(self.first_body as u32, joint, time);
            let Some((from, to)) = target(time - dt).zip(target(time)) else {
                continue;
            };
            if let Some(drive) = &mut joint.pose_drive {
                drive.target = from;
                drive.linear_velocity = (to.position - from.position) / dt;
                drive.angular_velocity = rotation_vector(to.rotation * from.rotation.conjugate()) / dt;
            }
        }
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

/// Gives a body the velocities that take it from its present pose to `target` in `dt` seconds.
pub(super) fn aim_at(target: &Pose, dt: f64, state: &mut BodyState) {
    let from = state.world_center();
    state.linear_velocity = (target.transform_point(state.center) - from) / dt;
    state.angular_velocity = rotation_vector(target.rotation * state.pose.rotation.conjugate()) / dt;
}

/// Returns whether a link follows its figure's motion. A link that the scene made dynamic does not.
pub(super) fn follows(state: &BodyState) -> bool {
    state.motion == Motion::Kinematic
}
