//! Sampled motion of a figure: the poses of its links at any time.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::body::{Joint, WORLD};
use crate::pose::Pose;

/// Poses sampled at even time steps, world space. After the last sample the motion starts over or stays
/// there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkMotion {
    /// Samples per second.
    pub rate: f64,
    /// Number of columns: poses per frame.
    pub width: u32,
    /// Poses, `width` per frame, frame by frame.
    pub poses: Vec<Pose>,
    /// Whether the motion starts over after its last frame.
    pub looped: bool,
    /// World translation per round, applied evenly, m. It moves a clip forward whose figure walks on
    /// the spot.
    pub stride: DVec3,
}

/// Point in time, as a position between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Index of the first pose of the frame before.
    before: usize,
    /// Index of the first pose of the frame after.
    after: usize,
    /// Interpolation weight: 0 at `before`, 1 at `after`.
    share: f64,
    /// Translation by the stride so far, world, m.
    offset: DVec3,
}

impl LinkMotion {
    /// Returns the pose of one column at a time (s); `None` without motion.
    pub fn pose(&self, column: usize, time: f64) -> Option<Pose> {
        Some(self.pose_at(column, &self.moment(time)?))
    }

    /// Returns frame b of a joint relative to frame a at a time (s); `None` without motion. Each body
    /// of the joint must be a link of the figure, whose first body is `first_body`, or the world.
    pub fn between(&self, first_body: u32, joint: &Joint, time: f64) -> Option<Pose> {
        let at = |body: u32| match body {
            WORLD => Some(Pose::IDENTITY),
            body => self.pose((body - first_body) as usize, time),
        };
        Some((at(joint.b)? * joint.frame_b).relative_to(&(at(joint.a)? * joint.frame_a)))
    }

    /// Returns the two frames around a time (s) and the interpolation weight; `None` without motion.
    pub fn moment(&self, time: f64) -> Option<Moment> {
        let width = self.width as usize;
        let frame_count = self.poses.len() / width.max(1);
        if frame_count == 0 || self.rate <= 0.0 {
            return None;
        }
        let last = (frame_count - 1) as f64;
        let mut frame = time * self.rate;
        if !self.looped {
            frame = frame.clamp(0.0, last);
        }
        // The stride is spread evenly over a round, so the figure does not jump when the clip starts
        // over.
        let offset = if last > 0.0 { frame / last * self.stride } else { DVec3::ZERO };
        if self.looped && last > 0.0 {
            frame -= (frame / last).floor() * last;
        }
        let frame = frame.clamp(0.0, last);
        let before = (frame as usize).min(frame_count - 1);
        let after = (before + 1).min(frame_count - 1);
        Some(Moment { before: before * width, after: after * width, share: frame - before as f64, offset })
    }

    /// Returns the pose of one column at a moment that `moment` returned for this motion.
    pub fn pose_at(&self, column: usize, moment: &Moment) -> Pose {
        let [before, after] = [moment.before, moment.after].map_each(|first| &self.poses[first + column]);
        let pose = blend(before, after, moment.share);
        Pose::new(pose.rotation, pose.position + moment.offset)
    }
}

/// Interpolates between two nearby poses. Rotations are blended linearly and normalized, which is close
/// enough because samples are dense.
fn blend(a: &Pose, b: &Pose, t: f64) -> Pose {
    let near = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let rotation = (a.rotation * (1.0 - t) + near * t).normalize();
    Pose::new(rotation, a.position.lerp(b.position, t))
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    /// Guards against a figure that jumps back by its stride when its clip starts over, and shoots away
    /// the bodies that it hits.
    #[test]
    fn a_walking_figure_moves_on_evenly_and_does_not_jump_where_its_clip_starts_over() {
        let motion = LinkMotion {
            rate: 2.0,
            width: 1,
            poses: vec![Pose::IDENTITY, Pose::new(DQuat::from_rotation_y(0.4), DVec3::Y), Pose::IDENTITY],
            looped: true,
            stride: DVec3::new(2.0, 0.0, 0.0),
        };
        let at = |t: f64| motion.pose(0, t).unwrap().position;
        assert!(at(0.25).distance(DVec3::new(0.5, 0.5, 0.0)) < 1e-12);
        assert!(at(1.0).distance(DVec3::new(2.0, 0.0, 0.0)) < 1e-12);
        assert!(at(2.5).distance(DVec3::new(5.0, 1.0, 0.0)) < 1e-12);
        assert!(at(1.0 - 1e-9).distance(at(1.0 + 1e-9)) < 1e-7);
    }
}
