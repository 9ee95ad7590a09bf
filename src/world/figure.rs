//! Figures: links that follow sampled poses over time and push what they meet. The links are kinematic
//! bodies; a pass gives them the velocity that carries them to their next pose and then sets that pose
//! exactly.

use glam::{DQuat, DVec3};

use crate::body::{BodyState, Motion};
use crate::pose::Pose;
use crate::scene::{LinkMotion, SkeletonDef};

/// A skeleton of the scene at work.
pub(super) struct Figure {
    first_body: usize,
    link_count: usize,
    motion: LinkMotion,
}

impl Figure {
    pub fn new(def: &SkeletonDef) -> Self {
        Self {
            first_body: def.first_body as usize,
            link_count: def.link_count as usize,
            motion: def.motion.clone(),
        }
    }

    /// Gives every link the velocities that take it from where it is to its pose at `time` (s) in `dt`.
    pub fn aim(&self, time: f64, dt: f64, states: &mut [BodyState]) {
        for (link, state) in self.links(states) {
            if let Some(target) = self.pose(link, time) {
                let from = state.world_center();
                state.linear_velocity = (target.transform_point(state.center) - from) / dt;
                state.angular_velocity =
                    rotation_vector(target.rotation * state.pose.rotation.conjugate()) / dt;
            }
        }
    }

    /// Sets every link to its pose at `time` (s).
    pub fn place(&self, time: f64, states: &mut [BodyState]) {
        for (link, state) in self.links(states) {
            if let Some(pose) = self.pose(link, time) {
                state.pose = pose;
            }
        }
    }

    /// The links with their index; one that a scene made dynamic leads its own life.
    fn links<'a>(&self, states: &'a mut [BodyState]) -> impl Iterator<Item = (usize, &'a mut BodyState)> {
        let links = &mut states[self.first_body..self.first_body + self.link_count];
        links.iter_mut().enumerate().filter(|(_, s)| s.motion == Motion::Kinematic)
    }

    /// `None` for a figure without motion.
    fn pose(&self, link: usize, time: f64) -> Option<Pose> {
        let motion = &self.motion;
        let frame_count = motion.poses.len() / self.link_count.max(1);
        if frame_count == 0 || motion.rate <= 0.0 {
            return None;
        }
        let last = (frame_count - 1) as f64;
        let mut frame = time * motion.rate;
        if !motion.looped {
            frame = frame.clamp(0.0, last);
        }
        // A walk in place is carried on evenly, so that nothing jumps where the clip starts over.
        let offset = if last > 0.0 { frame / last * motion.stride } else { DVec3::ZERO };
        if motion.looped && last > 0.0 {
            frame -= (frame / last).floor() * last;
        }
        let frame = frame.clamp(0.0, last);
        let before = (frame as usize).min(frame_count - 1);
        let after = (before + 1).min(frame_count - 1);
        let at = |f: usize| &motion.poses[f * self.link_count + link];
        let pose = blend(at(before), at(after), frame - before as f64);
        Some(Pose::new(pose.rotation, pose.position + offset))
    }
}

/// Between two nearby poses; the samples are dense, so the chord of the rotation's arc is close enough.
fn blend(a: &Pose, b: &Pose, t: f64) -> Pose {
    let near = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let rotation = (a.rotation * (1.0 - t) + near * t).normalize();
    Pose::new(rotation, a.position.lerp(b.position, t))
}

/// Axis times angle (rad) of the shorter way round.
fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = q.xyz();
    let sine = v.length();
    // For tiny angles sin(θ/2) ≈ θ/2; the division below would lose everything.
    if sine < 1e-12 { 2.0 * v } else { v * (2.0 * libm::atan2(sine, q.w) / sine) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_frame_figure(looped: bool) -> Figure {
        Figure {
            first_body: 0,
            link_count: 1,
            motion: LinkMotion {
                rate: 2.0,
                poses: vec![Pose::IDENTITY, Pose::new(DQuat::from_rotation_y(0.4), DVec3::Y), Pose::IDENTITY],
                looped,
                stride: DVec3::new(2.0, 0.0, 0.0),
            },
        }
    }

    /// A figure that jumped by its stride where its walk starts over shot away whatever it met.
    #[test]
    fn a_walking_figure_moves_on_evenly_and_does_not_jump_where_its_clip_starts_over() {
        let figure = two_frame_figure(true);
        let at = |t: f64| figure.pose(0, t).unwrap().position;
        assert!(at(0.25).distance(DVec3::new(0.5, 0.5, 0.0)) < 1e-12);
        assert!(at(1.0).distance(DVec3::new(2.0, 0.0, 0.0)) < 1e-12);
        assert!(at(2.5).distance(DVec3::new(5.0, 1.0, 0.0)) < 1e-12);
        assert!(at(1.0 - 1e-9).distance(at(1.0 + 1e-9)) < 1e-7);
    }

    #[test]
    fn the_rotation_vector_turns_back_into_the_rotation() {
        for angle in [0.0, 1e-14, 1e-3, 1.0, 3.1] {
            let v = rotation_vector(DQuat::from_axis_angle(DVec3::Z, angle));
            assert!((v.z - angle).abs() < 1e-12, "{angle}");
            let turned = rotation_vector(-DQuat::from_axis_angle(DVec3::Z, angle));
            assert!((turned.z - angle).abs() < 1e-12, "{angle}");
        }
    }
}
