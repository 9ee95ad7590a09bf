//! Axes of a parent box by the CAB method: from the longest axes of its children. \[cab\] §3.2.1

use glam::{Mat3A, Vec3A};

use super::oriented::OrientedBox;

/// Largest |cos| between two longest axes that do not count as parallel.
const PARALLEL: f32 = 1.0 - 1e-5;

/// Squared length below which a vector has no reliable direction, m².
const SHORTEST_SQUARED: f32 = 1e-30;

/// Choice of the parent's first axis if the far ends of its two limbs are nearer to each other than to
/// the joint between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folded {
    /// The longer one of the children's longest axes.
    Longest,
    /// The sum of the children's longest axes, each scaled by its half length. \[cab\] footnote 1
    Sum,
}

/// Returns the axes of the parent of `a` and `b`. `joint` is the position at which the children are
/// connected.
///
/// The paper tests whether the dot product of the longest axes is near 1. A straight chain, the
/// commonest pose of all, has the dot product −1, but its plane is as undefined as that of a folded
/// chain. So the absolute value is tested.
pub(super) fn axes(a: &OrientedBox, b: &OrientedBox, joint: Vec3A, folded: Folded) -> Mat3A {
    let (unit_a, half_a) = longest_axis(a, joint);
    let (unit_b, half_b) = longest_axis(b, joint);
    if unit_a.dot(unit_b).abs() > PARALLEL {
        return if second_longest(b.half) > second_longest(a.half) { b.axes } else { a.axes };
    }
    let (along_a, along_b) = (unit_a * half_a, unit_b * half_b);
    let ends = along_a - along_b;
    let (squared_a, squared_b) = (half_a * half_a, half_b * half_b);
    let (mut major, mut squared) =
        if squared_b > squared_a { (along_b, squared_b) } else { (along_a, squared_a) };
    let ends_squared = ends.length_squared();
    if ends_squared > squared {
        (major, squared) = (ends, ends_squared);
    } else if folded == Folded::Sum && ends_squared < squared_a.min(squared_b) {
        major = along_a + along_b;
        squared = major.length_squared();
    }
    if squared < SHORTEST_SQUARED {
        return a.axes;
    }
    // The smaller the angle between the limbs, the larger the rounding error of their plane's normal.
    // So the third axis is the cross product of the first axis and the normal, which is perpendicular
    // to the first axis in any case. The second axis, across the plane, is the cross product of these
    // two.
    let third = major.cross(unit_a.cross(unit_b));
    let major = major * (1.0 / squared.sqrt());
    let third = third * (1.0 / third.length_squared().sqrt());
    Mat3A::from_cols(major, third.cross(major), third)
}

/// Returns the unit vector along the box's longest axis that points away from the joint, and the half
/// extent along it.
fn longest_axis(b: &OrientedBox, joint: Vec3A) -> (Vec3A, f32) {
    let [x, y, z] = b.half.to_array();
    let (mut axis, mut half) = (b.axes.x_axis, x);
    if y > half {
        (axis, half) = (b.axes.y_axis, y);
    }
    if z > half {
        (axis, half) = (b.axes.z_axis, z);
    }
    let points_away = (b.center - joint).dot(axis) >= 0.0;
    (if points_away { axis } else { -axis }, half)
}

fn second_longest(half: Vec3A) -> f32 {
    let [x, y, z] = half.to_array();
    x.min(y).max(x.max(y).min(z))
}

#[cfg(test)]
mod tests {
    use glam::{Mat3, Quat, Vec3};

    use super::*;
    use crate::articulation::oriented::OrientedBoxes;
    use crate::articulation::principal;
    use crate::random::Random;
    use crate::volume::Obb;

    fn boxed(center: Vec3, rotation: Quat, half: Vec3) -> OrientedBox {
        let mut lanes = OrientedBoxes::ABSENT;
        lanes.set(0, &Obb { axes: Mat3::from_quat(rotation), center, half });
        lanes.get(0)
    }

    fn volume(b: &OrientedBox) -> f32 {
        b.half.x * b.half.y * b.half.z
    }

    /// Builds the parent of two links of proportions 6:1 that meet at the origin. The second link is
    /// bent by `angle` (rad) from straight.
    fn bent(angle: f32) -> OrientedBox {
        let half = Vec3::new(3.0, 0.5, 0.5);
        let turn = Quat::from_rotation_z(angle);
        let a = boxed(-3.0 * Vec3::X, Quat::IDENTITY, half);
        let b = boxed(turn * (3.0 * Vec3::X), turn, half);
        OrientedBox::around(axes(&a, &b, Vec3A::ZERO, Folded::Longest), &a, &b)
    }

    #[test]
    fn a_straight_limb_and_a_folded_one_have_the_width_of_a_link() {
        let sorted = |b: OrientedBox| {
            let mut half = b.half.to_array();
            half.sort_unstable_by(f32::total_cmp);
            half
        };
        for (angle, expected) in [(0.0, [0.5, 0.5, 6.0]), (std::f32::consts::PI, [0.5, 0.5, 3.0])] {
            for (half, expected) in sorted(bent(angle)).into_iter().zip(expected) {
                assert!((half - expected).abs() < 1e-4, "{angle}: {half} {expected}");
            }
        }
    }

    #[test]
    fn a_bent_limb_lies_along_its_far_ends() {
        let right = bent(std::f32::consts::FRAC_PI_2);
        let along = Vec3A::new(1.0, 1.0, 0.0).normalize();
        assert!(right.axes.x_axis.dot(along).abs() > 1.0 - 1e-6, "{right:?}");
        assert!(right.axes.y_axis.dot(Vec3A::Z).abs() > 1.0 - 1e-6, "{right:?}");
    }

    #[test]
    fn boxes_of_hinged_links_are_as_small_as_by_covariance() {
        let mut random = Random::new(9, 0);
        let (mut cab, mut covariance) = (0.0, 0.0);
        for _ in 0..6000 {
            let half = Vec3::new(3.0, 0.5, 0.5);
            let turn = Quat::from_rotation_z(3.0 * random.signed() as f32);
            let a = boxed(-3.0 * Vec3::X, Quat::IDENTITY, half);
            let b = boxed(turn * (3.0 * Vec3::X), turn, half);
            cab += volume(&OrientedBox::around(axes(&a, &b, Vec3A::ZERO, Folded::Longest), &a, &b));
            covariance += volume(&OrientedBox::around(principal::axes(&a, &b), &a, &b));
        }
        let ratio = cab / covariance;
        assert!((0.95..1.02).contains(&ratio), "{ratio}");
    }

    /// Checks that boxes along the sum are larger by a few percent, as the paper says of its variant,
    /// and only where limbs are folded.
    #[test]
    fn boxes_along_the_sum_of_folded_limbs_are_slightly_larger() {
        let of = |turn: f32, folded| {
            let half = Vec3::new(3.0, 0.5, 0.5);
            let turn = Quat::from_rotation_z(turn);
            let a = boxed(-3.0 * Vec3::X, Quat::IDENTITY, half);
            let b = boxed(turn * (3.0 * Vec3::X), turn, half);
            volume(&OrientedBox::around(axes(&a, &b, Vec3A::ZERO, folded), &a, &b))
        };
        let sum = |from: i16, to: i16, folded| {
            (from..to).map(|k| of(f32::from(k).to_radians(), folded)).sum::<f32>()
        };
        // If the limb is bent by more than 120° from straight, its ends are nearer to each other than
        // to the joint.
        assert_eq!(sum(1, 119, Folded::Sum), sum(1, 119, Folded::Longest));
        let ratio = sum(121, 179, Folded::Sum) / sum(121, 179, Folded::Longest);
        assert!((1.001..1.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn boxes_without_a_length_have_axes() {
        let point = boxed(Vec3::ONE, Quat::IDENTITY, Vec3::ZERO);
        let turned = boxed(Vec3::ONE, Quat::from_rotation_z(1.0), Vec3::ZERO);
        for (a, b) in [(&point, &point), (&point, &turned)] {
            assert_eq!(axes(a, b, Vec3A::ONE, Folded::Longest), a.axes);
        }
    }
}
