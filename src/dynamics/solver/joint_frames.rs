//! Two frames of a joint in the world, the joint's coordinates, and the row along which each coordinate
//! changes.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::{AxisRange, Joint, JointAxis, WORLD, angle_of_pose, nearest_turn};

/// Squared sine (of half the angle, for a twist) below which the direction of a rotation is undefined.
const SINGULAR: f64 = 1e-12;

/// Jacobian row: a direction of relative motion, along which an impulse acts.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// Direction of the relative velocity of b, world; zero for an angular row.
    pub linear: DVec3,
    pub angular_a: DVec3,
    pub angular_b: DVec3,
}

/// Frames of a joint in the world during one sub-step.
pub(super) struct Frames {
    /// Indices of the bodies or compounds on which the joint acts.
    pub a: usize,
    pub b: usize,
    /// Centers of mass of these two, world, m.
    pub centers: [DVec3; 2],
    /// Axes of frame a, world.
    pub axes: [DVec3; 3],
    pub origin_b: DVec3,
    /// Vector from frame a's origin to frame b's, world, m.
    pub offset: DVec3,
    /// Direction (world) and length (m) of the offset along the axes of the joint's distance.
    apart: (DVec3, f64),
    /// Rotation of frame b relative to frame a, as a quaternion with w ≥ 0.
    pub relative: DQuat,
    /// Axis of the joint's twist (0–2). The other two axes are axes of swing.
    main: usize,
    /// True if the angle about each axis is locked.
    locked: [bool; 3],
    /// Last angle about each axis, rad; `None` for an axis whose full rotations are not counted.
    near: [Option<f64>; 3],
    /// True if the joint holds a point: [`Joint::has_hard_point`].
    pub has_point: bool,
    pub swing_a: DVec3,
    pub swing_b: DVec3,
}

impl Frames {
    /// Returns the indices of the joint's bodies in `moving`. The last entry of `moving` is the world.
    pub fn own_slots(joint: &Joint, moving: &[Moving]) -> [usize; 2] {
        [joint.a, joint.b].map_each(|body| if body == WORLD { moving.len() - 1 } else { body as usize })
    }

    /// Returns the indices in `moving` of the bodies or compounds on which the joint acts.
    pub fn slots(joint: &Joint, moving: &[Moving]) -> [usize; 2] {
        let last = moving.len() - 1;
        Self::own_slots(joint, moving).map_each(|body| moving[body].moves_as.min(last))
    }

    /// Returns the indices of the bodies or compounds on which a joint acts; `None` if it cannot act:
    /// neither is movable, both are the same, or one of its bodies is quarantined.
    pub fn ends(joint: &Joint, moving: &[Moving]) -> Option<[usize; 2]> {
        let [a, b] = Self::slots(joint, moving);
        let (ma, mb) = (&moving[a], &moving[b]);
        let is_movable = ma.inverse_mass > 0.0 || mb.inverse_mass > 0.0;
        (a != b && ma.is_present && mb.is_present && is_movable).then_some([a, b])
    }

    /// Returns the rotation of frame b relative to frame a.
    pub fn relative(joint: &Joint, [a, b]: [&Moving; 2]) -> DQuat {
        let [a, b] =
            [(a, &joint.frame_a), (b, &joint.frame_b)].map_each(|(m, frame)| m.rotation * frame.rotation);
        a.conjugate() * b
    }

    /// Returns the frames of a joint, or `None` if the joint cannot act. `angles`: the last angles,
    /// rad.
    pub fn new(joint: &Joint, angles: &[f64; 3], moving: &[Moving]) -> Option<Self> {
        let [a, b] = Self::ends(joint, moving)?;
        let [ma, mb] = Self::own_slots(joint, moving).map_each(|body| &moving[body]);
        let rotation_a = ma.rotation * joint.frame_a.rotation;
        let rotation_b = mb.rotation * joint.frame_b.rotation;
        let origin_a = ma.carry_point(joint.frame_a.position);
        let origin_b = mb.carry_point(joint.frame_b.position);
        let relative = Self::relative(joint, [ma, mb]);
        let axes = DVec3::AXES.map_each(|axis| rotation_a * axis);
        let offset = origin_b - origin_a;
        Some(Self {
            a,
            b,
            centers: [moving[a].center, moving[b].center],
            axes,
            origin_b,
            offset,
            apart: joint.distance.map_or((DVec3::ZERO, 0.0), |d| apart(d.axes, axes, offset)),
            relative: if relative.w < 0.0 { -relative } else { relative },
            main: joint.main_axis(),
            locked: joint.locked_angles(),
            near: [0, 1, 2].map_each(|axis| joint.counts_turns(axis).then_some(angles[axis])),
            has_point: joint.has_hard_point(),
            swing_a: rotation_a * DVec3::X,
            swing_b: rotation_b * DVec3::X,
        })
    }

    /// Returns an estimate of a joint's angles after `h` seconds at the present rates, rad. If the
    /// bodies rotate slowly, returns `angles`. The estimate is needed for fast rotations, because a
    /// pose does not show the number of full rotations.
    pub fn ahead(joint: &Joint, angles: [f64; 3], moving: &[Moving], h: f64) -> [f64; 3] {
        let [a, b] = Self::slots(joint, moving).map_each(|body| &moving[body]);
        let is_fast = (b.angular - a.angular).length() * h > FRAC_PI_2;
        let frames = if is_fast { Self::new(joint, &angles, moving) } else { None };
        frames.map_or(angles, |frames| {
            [0, 1, 2].map_each(|axis| angles[axis] + h * frames.row(3 + axis).velocity(a, b))
        })
    }

    /// Returns the row along (`index` 0–2) or about (3–5) an axis of frame a.
    pub fn row(&self, index: usize) -> Row {
        if index < 3 {
            self.linear_row(self.axes[index])
        } else {
            let axis = self.angle(index - 3).1;
            Row::angular(axis)
        }
    }

    /// Returns the row along a direction. Both ends act at frame b's origin.
    pub fn linear_row(&self, direction: DVec3) -> Row {
        let [angular_a, angular_b] =
            self.centers.map_each(|center| (self.origin_b - center).cross(direction));
        Row { linear: direction, angular_a, angular_b }
    }

    /// Returns the row along a direction. Each end acts at the origin of its own frame.
    pub fn point_row(&self, direction: DVec3) -> Row {
        let [arm_a, arm_b] = self.point_arms();
        Row { linear: direction, angular_a: arm_a.cross(direction), angular_b: arm_b.cross(direction) }
    }

    /// Returns the vectors from the center of each body to the origin of its frame, world, m.
    pub fn point_arms(&self) -> [DVec3; 2] {
        [self.origin_b - self.offset - self.centers[0], self.origin_b - self.centers[1]]
    }

    /// Returns the position of frame b along an axis of frame a, m, or its angle about one, rad. Of all
    /// angles that differ by full rotations, the angle is the one nearest to the last angle if full
    /// rotations are counted about that axis, and otherwise the one nearest to `near`.
    fn coordinate(&self, index: usize, near: Option<f64>) -> f64 {
        if index < 3 {
            return self.axes[index].dot(self.offset);
        }
        let angle = self.angle(index - 3).0;
        self.near[index - 3].or(near).map_or(angle, |near| nearest_turn(angle, near))
    }

    /// Returns the coordinate that a range limits. If full rotations are not counted, an angle is the
    /// one nearest to the middle of the range.
    pub fn limited_coordinate(&self, index: usize, axis: &JointAxis) -> f64 {
        match axis.range {
            AxisRange::Limited { min, max } if min.is_finite() && max.is_finite() => {
                self.coordinate(index, Some(0.5 * (min + max)))
            }
            _ => self.coordinate(index, None),
        }
    }

    /// Returns the coordinate that a drive moves. If full rotations are not counted and there is no
    /// range, the drive takes the shorter direction to its target.
    pub fn driven_coordinate(&self, index: usize, axis: &JointAxis) -> f64 {
        match (axis.range, axis.drive) {
            (AxisRange::Free, Some(drive)) => self.coordinate(index, Some(drive.position_target)),
            _ => self.limited_coordinate(index, axis),
        }
    }

    /// Returns the angle about an axis of frame a, rad, and a vector: the dot product of this vector
    /// and the relative angular velocity is the rate of the angle. For a locked swing, returns the sine
    /// of the angle instead.
    ///
    /// About the main axis, the angle is the twist of b's rotation. About the other two axes, it
    /// depends only on b's main axis, so that the locked swings of a wheel do not depend on its
    /// rotation.
    fn angle(&self, axis: usize) -> (f64, DVec3) {
        // x, y, z are the main axis and the two axes after it.
        let [i, j, k] = [self.main, (self.main + 1) % 3, (self.main + 2) % 3];
        let [x, y, z] = [self.axes[i], self.axes[j], self.axes[k]];
        let angle = || angle_of_pose(i, axis, self.relative);
        let v = self.relative.xyz();
        if axis == i {
            let (w, square) = (self.relative.w, self.relative.w * self.relative.w + v[i] * v[i]);
            let swing = (w * v[k] + v[i] * v[j]) * y + (v[i] * v[k] - w * v[j]) * z;
            // For a swing of 180° the twist is undefined.
            let rate = if square > SINGULAR { x + swing / square } else { x };
            return (angle(), rate);
        }
        let seen = self.relative * DVec3::AXES[i];
        let (along, up, aside) = (seen[i], seen[j], seen[k]);
        // The angle of the swing is that of the vector (along, side) in the plane perpendicular to
        // `axis`; `out` is the component out of that plane.
        let (side, out, about, other) = if axis == j { (-aside, up, y, z) } else { (up, aside, z, y) };
        if self.locked[axis] {
            // The sine stays well-defined where the other swing passes 90°.
            return (side, along * about - out * x);
        }
        let square = along * along + side * side;
        let across = if axis == j { aside } else { up };
        let rate =
            if square > SINGULAR { about - out * (along * x + across * other) / square } else { about };
        (angle(), rate)
    }

    /// Returns the bounded distance between the frames, m, and the row along which this distance grows.
    pub fn distance(&self) -> (f64, Row) {
        let (direction, length) = self.apart;
        (length, self.linear_row(direction))
    }

    /// Returns the row about which a rotation opens the angle of the cone.
    pub fn cone_row(&self) -> Row {
        Row::angular(self.swing_a.cross(self.swing_b).normalize_or_zero())
    }
}

impl Row {
    pub fn angular(axis: DVec3) -> Self {
        Self { linear: DVec3::ZERO, angular_a: axis, angular_b: axis }
    }

    pub fn velocity(&self, a: &Moving, b: &Moving) -> f64 {
        self.linear.dot(b.linear - a.linear) + self.angular_b.dot(b.angular) - self.angular_a.dot(a.angular)
    }

    pub fn response(&self, a: &Moving, b: &Moving) -> f64 {
        (a.inverse_mass + b.inverse_mass) * self.linear.length_squared()
            + self.angular_a.dot(a.inverse_inertia * self.angular_a)
            + self.angular_b.dot(b.inverse_inertia * self.angular_b)
    }

    pub fn push(&self, a: &mut Moving, b: &mut Moving, impulse: f64) {
        a.linear -= a.inverse_mass * impulse * self.linear;
        b.linear += b.inverse_mass * impulse * self.linear;
        a.twist(-impulse * self.angular_a);
        b.twist(impulse * self.angular_b);
    }
}

/// Returns the direction and the length of the part of `offset` along some of three axes. At zero
/// length the direction is undefined, so the first of these axes is used.
fn apart(along: [bool; 3], axes: [DVec3; 3], offset: DVec3) -> (DVec3, f64) {
    let part = |k: usize| if along[k] { axes[k].dot(offset) * axes[k] } else { DVec3::ZERO };
    let whole = part(0) + part(1) + part(2);
    let first = (0..3).find(|&k| along[k]).map_or(axes[0], |k| axes[k]);
    (whole.try_normalize().unwrap_or(first), whole.length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;

    /// Returns the frames of a joint between the world and a body that is rotated by `relative`. The
    /// joint's frames are the bodies' own axes.
    fn frames(angular: [AxisRange; 3], relative: DQuat) -> Frames {
        frames_from([0.0; 3], angular, relative)
    }

    /// Returns the same [`frames`] for a joint whose last angles were `angles`.
    fn frames_from(angles: [f64; 3], angular: [AxisRange; 3], relative: DQuat) -> Frames {
        let axis = |range| JointAxis { range, ..JointAxis::default() };
        let joint = Joint {
            name: String::new(),
            a: WORLD,
            b: 0,
            frame_a: Pose::IDENTITY,
            frame_b: Pose::IDENTITY,
            linear: [axis(AxisRange::Locked); 3],
            angular: angular.map(axis),
            cone: None,
            distance: None,
            friction: 0.0,
            collide: false,
            pose_drive: None,
        };
        let mut b = Moving::WORLD;
        (b.inverse_mass, b.rotation, b.moves_as) = (1.0, relative, 0);
        Frames::new(&joint, &angles, &[b, Moving::WORLD]).unwrap()
    }

    #[test]
    fn every_angle_changes_at_the_rate_its_row_says() {
        let (free, locked) = (AxisRange::Free, AxisRange::Locked);
        let kinds = [
            [free; 3],
            [locked; 3],
            [free, locked, locked],
            [locked, free, locked],
            [locked, locked, free],
            [free, locked, free],
        ];
        let relative = DQuat::from_euler(glam::EulerRot::YXZ, 0.4, -0.7, 0.3);
        let step = 1e-6;
        for angular in kinds {
            for turn in DVec3::AXES {
                let ends = [-step, step].map(|s| {
                    let turned = DQuat::from_axis_angle(turn, s) * relative;
                    let frames = frames(angular, turned);
                    [3, 4, 5].map(|index| frames.coordinate(index, None))
                });
                let here = frames(angular, relative);
                for (axis, (before, after)) in ends[0].iter().zip(ends[1]).enumerate() {
                    let measured = (after - before) / (2.0 * step);
                    let rate = here.angle(axis).1.dot(turn);
                    assert!((measured - rate).abs() < 1e-8, "{angular:?} {axis}: {measured}, {rate}");
                }
            }
        }
    }

    #[test]
    fn locked_swings_do_not_depend_on_how_far_a_hinge_has_turned() {
        let mut angular = [AxisRange::Locked; 3];
        for main in 0..3 {
            angular[main] = AxisRange::Free;
            let axes = [main, (main + 1) % 3, (main + 2) % 3].map(|i| DVec3::AXES[i]);
            for degrees in [0.0_f64, 90.0, 179.99, 180.0, 270.0] {
                let turn = DQuat::from_axis_angle(axes[0], degrees.to_radians());
                let swing = DQuat::from_axis_angle(axes[1], 1e-3);
                let frames = frames(angular, swing * turn);
                let swings = [1, 2].map(|k| frames.coordinate(3 + (main + k) % 3, None));
                assert!((swings[0] - 1e-3).abs() < 1e-9, "{main}, {degrees}°");
                assert!(swings[1].abs() < 1e-9, "{main}, {degrees}°");
            }
            angular[main] = AxisRange::Locked;
        }
    }

    #[test]
    fn an_angle_counts_on_from_the_one_before() {
        let (free, locked) = (AxisRange::Free, AxisRange::Locked);
        let degrees = |before: f64, now: f64, ranges: [AxisRange; 3], axis: JointAxis| {
            let turned = DQuat::from_rotation_x(now.to_radians());
            let frames = frames_from([before.to_radians(), 0.0, 0.0], ranges, turned);
            frames.limited_coordinate(3, &axis).to_degrees()
        };
        let hinge = [free, locked, locked];
        for (before, now, counted) in [(170.0, -175.0, 185.0), (-710.0, 5.0, -715.0), (4000.0, 50.0, 4010.0)]
        {
            let found = degrees(before, now, hinge, JointAxis::default());
            assert!((found - counted).abs() < 1e-9, "{found}");
        }
        // Full rotations of a ball joint's twist are not counted: its angle follows from its range.
        let range = AxisRange::Limited { min: 0.0, max: 1.5 * std::f64::consts::PI };
        let found = degrees(0.0, 225.0, [range, free, free], JointAxis { range, ..JointAxis::default() });
        assert!((found - 225.0).abs() < 1e-9, "{found}");
    }
}
