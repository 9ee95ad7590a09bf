//! Axes of a parent box by principal component analysis of its children's corners: the OBB of \[cab\]
//! §4.

use glam::{Mat3A, Vec3A, Vec3Swizzles};

use super::oriented::OrientedBox;

/// Returns the eigenvectors of the covariance of all sixteen corners. The covariance of one box's
/// corners about its center is Σ hₖ² aₖ aₖᵀ (half extents h, axes a), so no corner is computed.
pub(super) fn axes(a: &OrientedBox, b: &OrientedBox) -> Mat3A {
    let own = |x: &OrientedBox| {
        let squares = 0.5 * x.half * x.half;
        [(x.axes.x_axis, squares.x), (x.axes.y_axis, squares.y), (x.axes.z_axis, squares.z)]
    };
    let between = (b.center - a.center, 0.25);
    let terms = own(a).into_iter().chain(own(b)).chain([between]);
    let [mut diagonal, mut beside] = [Vec3A::ZERO; 2];
    for (v, weight) in terms {
        let weighted = v * weight;
        diagonal += weighted * v;
        // Products yz, zx, xy.
        beside += weighted.yzx() * v.zxy();
    }
    eigenvectors(diagonal, beside)
}

/// Returns perpendicular unit eigenvectors of a symmetric matrix without negative eigenvalues. `beside`
/// holds its elements yz, zx, xy.
///
/// The first eigenvector is the largest column of the matrix's 64th power (squared six times). The
/// other two follow from the rotation that diagonalizes the matrix in the plane perpendicular to the
/// first. If the two largest eigenvalues differ little, the first is inexact, but then boxes along any
/// axes in their plane differ little.
fn eigenvectors(diagonal: Vec3A, beside: Vec3A) -> Mat3A {
    let scaled = |diagonal: Vec3A, beside: Vec3A| {
        let trace = diagonal.x + diagonal.y + diagonal.z;
        let scale = if trace > 1e-30 { 1.0 / trace } else { 0.0 };
        (diagonal * scale, beside * scale)
    };
    let squared = |d: Vec3A, b: Vec3A| {
        let squares = b * b;
        (d * d + (squares.yzx() + squares.zxy()), b.yzx() * b.zxy() + b * (d.yzx() + d.zxy()))
    };
    let (diagonal, beside) = scaled(diagonal, beside);
    let (mut d, mut b) = (diagonal, beside);
    for _ in 0..2 {
        for _ in 0..3 {
            (d, b) = squared(d, b);
        }
        (d, b) = scaled(d, b);
    }
    // All columns are parallel to the first eigenvector. The longest column has the smallest relative
    // rounding error.
    let first = if d.x >= d.y && d.x >= d.z {
        Vec3A::new(d.x, b.z, b.y)
    } else if d.y >= d.z {
        Vec3A::new(b.z, d.y, b.x)
    } else {
        Vec3A::new(b.y, b.x, d.z)
    };
    let squared_length = first.length_squared();
    if squared_length < 1e-6 {
        return Mat3A::IDENTITY;
    }
    let first = first * (1.0 / squared_length.sqrt());
    let aside = if first.x.abs() < 0.6 { Vec3A::X } else { Vec3A::Y };
    let u = first.cross(aside);
    let u = u * (1.0 / u.length_squared().sqrt());
    let w = first.cross(u);
    let times = |v: Vec3A| diagonal * v + beside.yzx() * v.zxy() + beside.zxy() * v.yzx();
    let (by_u, by_w) = (times(u), times(w));
    // Half the angle whose tangent is 2 (u, w) / ((u, u) − (w, w)), where (a, b) = aᵀ M b.
    let (across, along) = (2.0 * u.dot(by_w), u.dot(by_u) - w.dot(by_w));
    let (x, y) = if along >= 0.0 { (along, across) } else { (-along, -across) };
    let x = x + (x * x + y * y).sqrt();
    let squared_length = x * x + y * y;
    if squared_length < 1e-24 {
        return Mat3A::from_cols(first, u, w);
    }
    let scale = 1.0 / squared_length.sqrt();
    let second = u * (x * scale) + w * (y * scale);
    Mat3A::from_cols(first, second, first.cross(second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn is_diagonal_along(v: Mat3A, diagonal: Vec3A, beside: Vec3A) -> bool {
        let [yz, zx, xy] = beside.to_array();
        let m = Mat3A::from_cols(
            Vec3A::new(diagonal.x, xy, zx),
            Vec3A::new(xy, diagonal.y, yz),
            Vec3A::new(zx, yz, diagonal.z),
        );
        let d = v.transpose() * m * v;
        let left = d.x_axis.y.abs().max(d.x_axis.z.abs()).max(d.y_axis.z.abs());
        // The largest remainder of the second eigenvector after the 64th power: (1 - x) x⁶⁴.
        left <= 0.006 * (diagonal.x + diagonal.y + diagonal.z)
    }

    fn is_orthonormal(v: Mat3A) -> bool {
        let d = v.transpose() * v;
        (0..3).all(|i| (0..3).all(|j| (d.col(i)[j] - f32::from(i == j)).abs() < 1e-6))
    }

    #[test]
    fn eigenvectors_are_perpendicular_units_of_any_matrix() {
        let mut random = Random::new(3, 0);
        for round in 0..2000 {
            let scale = [1.0, 1e-12, 1e12, 1e-3][round % 4];
            let mut vector =
                || Vec3A::new(random.signed() as f32, random.signed() as f32, random.signed() as f32);
            // A sum of squares, like a covariance; every fifth is flat, every seventh is a line.
            let mut terms = [vector(), vector(), vector()].map(|v| v * scale);
            if round % 5 == 0 {
                terms[2] = Vec3A::ZERO;
            }
            if round % 7 == 0 {
                terms[1] = Vec3A::ZERO;
                terms[2] = Vec3A::ZERO;
            }
            let diagonal = terms.iter().map(|&v| v * v).sum();
            let beside = terms.iter().map(|v| v.yzx() * v.zxy()).sum();
            let v = eigenvectors(diagonal, beside);
            assert!(is_orthonormal(v), "{diagonal} {beside}: {v}");
            assert!(is_diagonal_along(v, diagonal, beside), "{diagonal} {beside}: {v}");
        }
        assert!(is_orthonormal(eigenvectors(Vec3A::ZERO, Vec3A::ZERO)));
        assert!(is_orthonormal(eigenvectors(Vec3A::ONE, Vec3A::ZERO)));
        assert!(is_orthonormal(eigenvectors(Vec3A::splat(4e30), Vec3A::splat(-2e30))));
    }
}
