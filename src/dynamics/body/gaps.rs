//! Gap and twist of a joint: the distance and the angle by which its frames lie outside the poses that
//! the joint allows.
//!
//! Both depend on the poses of the two bodies alone, so they are the same measure for every engine. A
//! soft axis or distance allows every pose, and a drive bounds nothing. A pose shows an angle only up
//! to whole turns; the number of turns nearest to the range counts.

use glam::DVec3;

use super::angles::{angle_of_pose, turns_into};
use super::joint::{AxisRange, Distance, Joint, JointAxis};
use crate::arrays::MapEach;
use crate::pose::Pose;

impl Joint {
    /// Returns the distance by which frame b lies off the locked axes of frame a, beyond the limits of
    /// the others, and beyond the bounds on the distance, m. Returns `None` if the joint bounds no
    /// position. `seen`: the pose of frame b relative to frame a, as of [`Joint::seen`].
    pub fn gap(&self, seen: &Pose) -> Option<f64> {
        let at = seen.position.to_array();
        let offs = [0, 1, 2].map_each(|axis| off(&self.linear[axis], at[axis]));
        let of_axes = offs.iter().flatten().map(|off| off * off).reduce(|x, y| x + y).map(f64::sqrt);
        let of_distance = self.distance.filter(|distance| distance.soft.is_none());
        let beyond = of_distance.map(|distance| beyond(&distance, seen.position));
        of_axes.into_iter().chain(beyond).reduce(f64::max)
    }

    /// Returns the angle by which frame b is rotated about the locked axes of frame a, beyond the
    /// limits of the others, or beyond the cone, whichever is largest, rad. For a hinge it is the angle
    /// between the two axes. Returns `None` if the joint bounds no rotation. `seen`: as for
    /// [`Joint::gap`].
    pub fn twist(&self, seen: &Pose) -> Option<f64> {
        let main = self.main_axis();
        let limited = (0..3).filter_map(|axis| match self.angular[axis] {
            JointAxis { range: AxisRange::Limited { min, max }, soft: None, .. } => {
                let angle = angle_of_pose(main, axis, seen.rotation);
                Some(outside(angle + turns_into(angle, min, max), min, max))
            }
            _ => None,
        });
        let cone = self.cone.map(|cone| (tilt(0, seen) - cone).max(0.0));
        limited.chain(cone).chain(self.locked_twist(main, seen)).reduce(f64::max)
    }

    /// Returns the angle by which frame b is rotated about the locked axes of frame a, rad; `None` if
    /// none is locked. `main`: the main axis of the joint.
    fn locked_twist(&self, main: usize, seen: &Pose) -> Option<f64> {
        let is_hard = self.angular.map_each(|axis| axis.range == AxisRange::Locked && axis.soft.is_none());
        let [next, last] = [(main + 1) % 3, (main + 2) % 3];
        let twist = angle_of_pose(main, main, seen.rotation).abs();
        // A single locked swing keeps b's main axis in a plane of frame a.
        let across = seen.rotation * DVec3::AXES[main];
        let out = |axis: usize| libm::asin(across[axis].abs().min(1.0));
        let swing = match [is_hard[next], is_hard[last]] {
            [true, true] if is_hard[main] => {
                let rotation = seen.rotation;
                return Some(2.0 * libm::atan2(rotation.xyz().length(), rotation.w.abs()));
            }
            [true, true] => Some(tilt(main, seen)),
            [true, false] => Some(out(last)),
            [false, true] => Some(out(next)),
            [false, false] => None,
        };
        is_hard[main].then_some(twist).into_iter().chain(swing).reduce(f64::max)
    }
}

/// Returns the angle between an axis of frame b and the same axis of frame a, rad.
fn tilt(axis: usize, seen: &Pose) -> f64 {
    let own = DVec3::AXES[axis];
    let its = seen.rotation * own;
    libm::atan2(own.cross(its).length(), own.dot(its))
}

/// Returns the distance of a coordinate from a hard axis's range; `None` for an axis that bounds
/// nothing.
fn off(axis: &JointAxis, coordinate: f64) -> Option<f64> {
    match (axis.range, axis.soft) {
        (AxisRange::Free, _) | (_, Some(_)) => None,
        (AxisRange::Locked, None) => Some(coordinate.abs()),
        (AxisRange::Limited { min, max }, None) => Some(outside(coordinate, min, max)),
    }
}

/// Returns how far an offset of the frames lies beyond the bounds on its length, m.
fn beyond(distance: &Distance, offset: DVec3) -> f64 {
    let kept = DVec3::from_array(distance.axes.map_each(|is_measured| f64::from(u8::from(is_measured))));
    outside((offset * kept).length(), distance.min, distance.max)
}

/// Returns the distance of a value from a range; 0 inside.
fn outside(value: f64, min: f64, max: f64) -> f64 {
    (min - value).max(value - max).max(0.0)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::super::{SoftLimit, WORLD};
    use super::*;

    const FREE: AxisRange = AxisRange::Free;
    const LOCKED: AxisRange = AxisRange::Locked;

    /// Creates a joint between the world and a body, with the given ranges along and about the axes.
    fn joint(linear: [AxisRange; 3], angular: [AxisRange; 3]) -> Joint {
        let axis = |range| JointAxis { range, ..JointAxis::default() };
        Joint {
            name: String::new(),
            a: WORLD,
            b: 0,
            frame_a: Pose::new(DQuat::from_rotation_y(0.7), DVec3::new(1.0, 2.0, 3.0)),
            frame_b: Pose::new(DQuat::from_rotation_z(-0.4), DVec3::new(-0.5, 0.25, 0.0)),
            linear: linear.map_each(axis),
            angular: angular.map_each(axis),
            cone: None,
            friction: 0.0,
            collide: false,
            distance: None,
            pose_drive: None,
        }
    }

    /// Returns gap and twist, m and degrees, of a joint whose body b is where frame b has the pose
    /// `seen` relative to frame a.
    fn measured(joint: &Joint, seen: Pose) -> [Option<f64>; 2] {
        let b = joint.frame_a * seen * joint.frame_b.inverse();
        let seen = joint.seen([Pose::IDENTITY, b]);
        [joint.gap(&seen), joint.twist(&seen).map(f64::to_degrees)]
    }

    fn assert_near(found: [Option<f64>; 2], expected: [Option<f64>; 2]) {
        let is_near = |(x, y): (Option<f64>, Option<f64>)| match (x, y) {
            (Some(x), Some(y)) => (x - y).abs() < 1e-12,
            (x, y) => x == y,
        };
        assert!(found.into_iter().zip(expected).all(is_near), "{found:?} in place of {expected:?}");
    }

    fn turn(axis: DVec3, degrees: f64) -> DQuat {
        DQuat::from_axis_angle(axis, degrees.to_radians())
    }

    #[test]
    fn a_hinge_has_the_distance_of_its_anchors_and_the_angle_of_its_axes() {
        let hinge = joint([LOCKED; 3], [LOCKED, FREE, LOCKED]);
        let spin = turn(DVec3::Y, 130.0);
        assert_near(measured(&hinge, Pose::new(spin, DVec3::ZERO)), [Some(0.0), Some(0.0)]);
        let open = Pose::new(turn(DVec3::new(0.6, 0.0, 0.8), 2.0) * spin, DVec3::new(3e-3, 0.0, 4e-3));
        assert_near(measured(&hinge, open), [Some(5e-3), Some(2.0)]);
        let mut limited = hinge.clone();
        limited.angular[1].range = AxisRange::Limited { min: -0.5, max: 120.0_f64.to_radians() };
        assert_near(measured(&limited, open), [Some(5e-3), Some(10.0)]);
        limited.angular[1].range =
            AxisRange::Limited { min: 485.0_f64.to_radians(), max: 500.0_f64.to_radians() };
        assert_near(measured(&limited, open), [Some(5e-3), Some(2.0)]);
    }

    #[test]
    fn a_slider_has_the_distance_from_its_line_and_every_rotation() {
        let mut slider = joint([FREE, LOCKED, LOCKED], [LOCKED; 3]);
        let seen = Pose::new(turn(DVec3::new(0.48, 0.6, 0.64), 7.0), DVec3::new(9.0, -3e-3, 4e-3));
        assert_near(measured(&slider, seen), [Some(5e-3), Some(7.0)]);
        slider.linear[0].range = AxisRange::Limited { min: -1.0, max: 8.875 };
        assert_near(measured(&slider, seen), [Some((25e-6 + 0.125_f64.powi(2)).sqrt()), Some(7.0)]);
        let locked = joint([LOCKED; 3], [LOCKED; 3]);
        assert_near(measured(&locked, seen), [Some((81.0_f64 + 25e-6).sqrt()), Some(7.0)]);
    }

    #[test]
    fn a_soft_axis_does_not_count() {
        let soft = Some(SoftLimit { stiffness: 100.0, damping: 1.0 });
        let mut sprung = joint([LOCKED; 3], [LOCKED; 3]);
        (sprung.linear[2].soft, sprung.angular[0].soft) = (soft, soft);
        let seen = Pose::new(turn(DVec3::X, 20.0), DVec3::new(0.0, 0.25, 2.0));
        assert_near(measured(&sprung, seen), [Some(0.25), Some(0.0)]);
        sprung.linear.iter_mut().chain(&mut sprung.angular).for_each(|axis| axis.soft = soft);
        assert_near(measured(&sprung, seen), [None, None]);
        sprung.distance = Some(Distance { axes: [true; 3], min: 0.0, max: 1.0, soft });
        assert_near(measured(&sprung, seen), [None, None]);
    }

    #[test]
    fn a_distance_counts_along_its_axes_and_a_cone_about_both_swings() {
        let mut rope = joint([FREE; 3], [FREE; 3]);
        let seen = Pose::new(turn(DVec3::new(0.0, 0.6, 0.8), 50.0), DVec3::new(3.0, 4.0, 12.0));
        assert_near(measured(&rope, seen), [None, None]);
        rope.distance = Some(Distance { axes: [true, true, false], min: 1.0, max: 4.5, soft: None });
        rope.cone = Some(40.0_f64.to_radians());
        assert_near(measured(&rope, seen), [Some(0.5), Some(10.0)]);
        rope.distance = Some(Distance { axes: [true; 3], min: 13.25, max: 14.0, soft: None });
        assert_near(measured(&rope, seen), [Some(0.25), Some(10.0)]);
    }

    #[test]
    fn one_locked_swing_counts_wherever_the_other_has_turned() {
        let universal = joint([LOCKED; 3], [FREE, LOCKED, FREE]);
        for degrees in [0.0, 90.0, 160.0] {
            let free = turn(DVec3::Z, degrees) * turn(DVec3::X, 75.0);
            assert_near(measured(&universal, Pose::new(free, DVec3::ZERO)), [Some(0.0), Some(0.0)]);
            let tilted = turn(DVec3::Z, degrees) * turn(DVec3::Y, 3.0) * turn(DVec3::X, 75.0);
            assert_near(measured(&universal, Pose::new(tilted, DVec3::ZERO)), [Some(0.0), Some(3.0)]);
        }
        let untwisted = joint([FREE; 3], [LOCKED, FREE, FREE]);
        assert_near(measured(&untwisted, Pose::new(turn(DVec3::X, -4.0), DVec3::X)), [None, Some(4.0)]);
    }
}
