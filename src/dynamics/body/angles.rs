//! Joint angles that count whole turns.
//!
//! A pose shows an angle only up to whole turns. So each joint stores its angles, and the new angle is
//! the one nearest to the stored one. Otherwise a limit at 400° would equal one at 40°, and a drive to
//! two turns would equal one to none. Turns are counted about the axis of a hinge and about both axes
//! of a universal joint. A joint that rotates about all three axes, or swings about two, can return to
//! a pose by rotations that no number of turns tells apart. Its angles are those of the pose.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::joint::{AxisRange, Joint, WORLD};
use super::{Bodies, BodyState};
use crate::arrays::MapEach;
use crate::pose::Pose;

impl Joint {
    /// Returns whether each angular axis is locked.
    #[inline]
    pub(crate) fn locked_angles(&self) -> [bool; 3] {
        self.angular.map_each(|axis| axis.range == AxisRange::Locked)
    }

    /// Returns the index of the axis that rotates if both others are locked, as for a hinge. Otherwise
    /// returns 0: the joint twists about x and swings about y and z.
    #[inline]
    pub(crate) fn main_axis(&self) -> usize {
        match self.locked_angles() {
            [true, false, true] => 1,
            [true, true, false] => 2,
            _ => 0,
        }
    }

    /// Returns whether the joint counts whole turns about an axis (0–2).
    #[inline]
    pub fn counts_turns(&self, axis: usize) -> bool {
        let locked = self.locked_angles();
        let open = locked.iter().filter(|is_locked| !**is_locked).count();
        !locked[axis] && (open == 1 || (open == 2 && !locked[0]))
    }

    /// Returns the coordinate of frame b: its position along an axis of frame a (0–2), m, or its
    /// rotation about one (3–5), rad, at these poses of the bodies (the world's is the identity). An
    /// angle that counts turns is the one nearest to `near`.
    #[inline]
    pub fn coordinate(&self, axis: u32, poses: [Pose; 2], near: f64) -> f64 {
        let seen = self.seen(poses);
        match axis as usize {
            axis @ 0..3 => seen.position[axis],
            axis => self.counted_angle(axis - 3, seen.rotation, near),
        }
    }

    /// Returns [`Joint::coordinate`] for the pose `seen` of frame b relative to frame a. An angle that
    /// counts turns is the one nearest to the angle of that axis in `angles`. Any other angle is the
    /// one nearest to the middle of its range.
    pub fn coordinate_seen(&self, axis: u32, seen: &Pose, angles: &[f64; 3]) -> f64 {
        let index = axis as usize;
        if index < 3 {
            return seen.position[index];
        }
        let angle = self.counted_angle(index - 3, seen.rotation, angles[index - 3]);
        match self.axis(axis).range {
            AxisRange::Limited { min, max }
                if !self.counts_turns(index - 3) && min.is_finite() && max.is_finite() =>
            {
                nearest_turn(angle, 0.5 * (min + max))
            }
            _ => angle,
        }
    }

    /// Returns the angles (rad) once frame b has the rotation `seen` relative to frame a. An angle that
    /// counts turns is the one nearest to the same angle in `before`; any other angle is 0.
    #[inline]
    pub(crate) fn angles_after(&self, before: [f64; 3], seen: DQuat) -> [f64; 3] {
        [0, 1, 2].map_each(|axis| {
            if self.counts_turns(axis) { self.counted_angle(axis, seen, before[axis]) } else { 0.0 }
        })
    }

    /// Returns the initial angles (rad) of a joint at these poses of its bodies. They have the whole
    /// turns that the joint specifies, and lie within their ranges if a number of turns achieves this.
    #[inline]
    pub fn angles_at_start(&self, poses: [Pose; 2]) -> [f64; 3] {
        let turned = self.angular.map_each(|axis| TAU * f64::from(axis.turns));
        let angles = self.angles_after(turned, self.seen(poses).rotation);
        [0, 1, 2].map_each(|axis| match self.angular[axis].range {
            AxisRange::Limited { min, max } if self.counts_turns(axis) => {
                angles[axis] + turns_into(angles[axis], min, max)
            }
            _ => angles[axis],
        })
    }

    /// Returns the poses of the joint's two bodies; the world's is the identity.
    pub fn poses(&self, states: &[BodyState]) -> [Pose; 2] {
        [self.a, self.b].map_each(|body| match body {
            WORLD => Pose::IDENTITY,
            body => states[body as usize].pose,
        })
    }

    /// Returns the pose of frame b relative to frame a.
    #[inline]
    pub fn seen(&self, [a, b]: [Pose; 2]) -> Pose {
        (b * self.frame_b).relative_to(&(a * self.frame_a))
    }

    fn counted_angle(&self, axis: usize, seen: DQuat, near: f64) -> f64 {
        let angle = angle_of_pose(self.main_axis(), axis, seen);
        if self.counts_turns(axis) { nearest_turn(angle, near) } else { angle }
    }
}

impl Bodies {
    /// Initializes the angles of new joints from the current poses of their bodies.
    #[inline]
    pub fn begin_angles(&mut self, joints: &[Joint]) {
        let states = &self.states;
        let begun = joints.iter().skip(self.angles.len());
        self.angles.extend(begun.map(|joint| joint.angles_at_start(joint.poses(states))));
    }
}

/// Returns the number of whole turns in an angle (rad).
#[inline]
pub fn whole_turns(angle: f64) -> i32 {
    (angle / TAU).round() as i32
}

/// Returns the angle of the rotation `seen` about an axis, rad, from −π to π. About the main axis it is
/// the twist. About another axis it is the angle by which the main axis is tilted, so that the swings
/// of a hinge do not depend on its twist.
#[inline]
pub(crate) fn angle_of_pose(main: usize, axis: usize, seen: DQuat) -> f64 {
    if axis == main {
        let seen = if seen.w < 0.0 { -seen } else { seen };
        return 2.0 * libm::atan2(seen.xyz()[main], seen.w);
    }
    let [next, last] = [(main + 1) % 3, (main + 2) % 3];
    let seen = seen * DVec3::AXES[main];
    let side = if axis == next { -seen[last] } else { seen[next] };
    libm::atan2(side, seen[main])
}

/// Returns the angle that differs from `angle` by whole turns and is nearest to `near`, rad.
#[inline]
pub(crate) fn nearest_turn(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// Returns the smallest whole number of turns, in rad, that brings an angle into a range, or as near to
/// it as whole turns can.
pub(super) fn turns_into(angle: f64, min: f64, max: f64) -> f64 {
    let (beyond, side) = match (min - angle, angle - max) {
        (below, _) if below > 0.0 => (below, 1.0),
        (_, above) if above > 0.0 => (above, -1.0),
        _ => return 0.0,
    };
    let turns = TAU * (beyond / TAU).ceil();
    let past = turns - beyond;
    let (over, short) = (past - (max - min), TAU - past);
    side * if over > short { turns - TAU } else { turns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_starts_within_its_range_or_as_near_as_turns_take_it() {
        let degrees = |angle: f64, min: f64, max: f64| {
            let turns = turns_into(angle.to_radians(), min.to_radians(), max.to_radians());
            (angle.to_radians() + turns).to_degrees().round()
        };
        assert_eq!(degrees(20.0, 0.0, 90.0), 20.0);
        assert_eq!(degrees(-175.0, 170.0, 190.0), 185.0);
        assert_eq!(degrees(0.0, 10.0, 20.0), 0.0);
        assert_eq!(degrees(0.0, -1000.0, 5000.0), 0.0);
        assert_eq!(degrees(10.0, 720.0, f64::INFINITY), 730.0);
        assert_eq!(degrees(10.0, f64::NEG_INFINITY, -720.0), -1070.0);
        assert_eq!(degrees(0.0, 200.0, 210.0), 360.0);
    }

    #[test]
    fn turns_count_where_a_number_of_them_tells_poses_apart() {
        let (free, locked) = (AxisRange::Free, AxisRange::Locked);
        let mut joint = Joint {
            name: String::new(),
            a: WORLD,
            b: 0,
            frame_a: Pose::IDENTITY,
            frame_b: Pose::IDENTITY,
            linear: Default::default(),
            angular: Default::default(),
            cone: None,
            friction: 0.0,
            collide: false,
            distance: None,
            pose_drive: None,
        };
        let mut counts = |ranges: [AxisRange; 3]| {
            for (axis, range) in joint.angular.iter_mut().zip(ranges) {
                axis.range = range;
            }
            [0, 1, 2].map_each(|axis| joint.counts_turns(axis))
        };
        assert_eq!(counts([locked, free, locked]), [false, true, false], "a hinge");
        assert_eq!(counts([free, locked, free]), [true, false, true], "a universal joint");
        assert_eq!(counts([locked, free, free]), [false; 3], "two swings");
        assert_eq!(counts([free; 3]), [false; 3], "a ball joint");
        assert_eq!(counts([locked; 3]), [false; 3]);
    }
}
