//! Sampled motion of a figure: the poses of its links at any time.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::body::{Joint, WORLD};
use crate::pose::Pose;

/// Poses sampled at even times, world space, looped or held at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkMotion {
    /// Samples a second.
    pub rate: f64,
    /// Poses of one frame.
    pub width: u32,
    /// `width` poses a frame, frame by frame.
    pub poses: Vec<Pose>,
    /// Whether the clip starts over after its last frame.
    pub looped: bool,
    /// World translation that carries a clip made in place on, evenly, m a round.
    pub stride: DVec3,
}

/// Where in a motion a time is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// First pose of the frames before and after.
    before: usize,
    after: usize,
    /// 0 at the one before, 1 at the one after.
    share: f64,
    /// How far the stride has come, world, m.
    offset: DVec3,
}

impl LinkMotion {
    /// The pose in one column at a time (s); `None` without motion.
    pub fn pose(&self, column: usize, time: f64) -> Option<Pose> {
        Some(self.pose_at(column, &self.moment(time)?))
    }

    /// Frame b of a joint seen from frame a at a time (s), if both its bodies are in the first columns, which
    /// start at a body; `None` without motion.
    pub fn between(&self, first_body: u32, joint: &Joint, time: f64) -> Option<Pose> {
        let at = |body: u32| match body {
            WORLD => Some(Pose::IDENTITY),
            body => self.pose((body - first_body) as usize, time),
        };
        Some((at(joint.b)? * joint.frame_b).relative_to(&(at(joint.a)? * joint.frame_a)))
    }

    /// The frames around a time (s); `None` without motion.
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
        // A walk in place is carried on evenly, so that nothing jumps where the clip starts over.
        let offset = if last > 0.0 { frame / last * self.stride } else { DVec3::ZERO };
        if self.looped && last > 0.0 {
            frame -= (frame / last).floor() * last;
        }
        let frame = frame.clamp(0.0, last);
        let before = (frame as usize).min(frame_count - 1);
        let after = (before + 1).min(frame_count - 1);
        Some(Moment { before: before * width, after: after * width, share: frame - before as f64, offset })
    }

    /// The pose in one column at a moment of this motion.
    pub fn pose_at(&self, column: usize, moment: &Moment) -> Pose {
        let [before, after] = [moment.before, moment.after].map_each(|first| &self.poses[first + column]);
        let pose = blend(before, after, moment.share);
        Pose::new(pose.rotation, pose.position + moment.offset)
    }
}

/// Between two nearby poses; the samples are dense, so the chord of the rotation's arc is close enough.
fn blend(a: &Pose, b: &Pose, t: f64) -> Pose {
    let near = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let rotation = (a.rotation * (1.0 - t) + near * t).normalize();
    Pose::new(rotation, a.position.lerp(b.position, t))
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    /// A figure that jumped by its stride where its walk starts over shot away whatever it met.
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
