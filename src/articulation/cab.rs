//! The axes of a parent box after CAB: from the longest axes of its children. \[cab\] §3.2.1

use glam::{Mat3A, Vec3A};

use super::oriented::OrientedBox;

/// Longest axes with a larger |cos| between them count as parallel.
const PARALLEL: f32 = 1.0 - 1e-5;

/// A squared length below which its root says little about a direction, m².
const SHORTEST_SQUARED: f32 = 1e-30;

/// The parent's axes; `joint` is where the children hang together.
///
/// The text compares the axes' dot product itself; a chain that is straight, the commonest pose of all, has it
/// at −1, and its plane is as undefined as that of a folded one. So the absolute value is compared.
pub(super) fn axes(a: &OrientedBox, b: &OrientedBox, joint: Vec3A) -> Mat3A {
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
    }
    if squared < SHORTEST_SQUARED {
        return a.axes;
    }
    let major = major * (1.0 / squared.sqrt());
    let minor = unit_a.cross(unit_b);
    // The plane's normal is rounded; the third axis is made perpendicular to the first, then the second to both.
    let third = major.cross(minor);
    let third = third * (1.0 / third.length_squared().sqrt());
    let major = major * (1.0 / major.length_squared().sqrt());
    Mat3A::from_cols(major, third.cross(major), third)
}

/// The longest axis, pointing away from the joint, and half its length.
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
