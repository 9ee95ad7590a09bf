//! The axes of a parent box by principal component analysis of its children's corners, the OBB of \[cab\] §4.

use glam::{Mat3A, Vec3A, Vec3Swizzles};

use super::oriented::OrientedBox;

/// Beside the diagonal may be left what turns an axis by no more than about this.
const ACCURACY: f32 = 1e-4;

/// Eigenvectors of the covariance of the sixteen corners. A box's own corners have Σ hₖ² aₖ aₖᵀ about its
/// centre, so none is looked at by itself.
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
        // yz, zx, xy
        beside += weighted.yzx() * v.zxy();
    }
    eigenvectors(diagonal, beside)
}

/// Perpendicular unit eigenvectors of a symmetric matrix, by Jacobi rotations; `beside` holds yz, zx, xy.
fn eigenvectors(diagonal: Vec3A, beside: Vec3A) -> Mat3A {
    let [mut xx, mut yy, mut zz] = diagonal.to_array();
    let [mut yz, mut zx, mut xy] = beside.to_array();
    let mut v = Mat3A::IDENTITY;
    let enough = ACCURACY * (xx + yy + zz);
    // Each sweep about squares what is left; four suffice for any matrix.
    for _ in 0..6 {
        if xy.abs().max(yz.abs()).max(zx.abs()) <= enough {
            break;
        }
        let turn = Turn::new(xx, yy, xy);
        (xx, yy, xy) = (xx - turn.tangent * xy, yy + turn.tangent * xy, 0.0);
        (zx, yz) = turn.pair(zx, yz);
        (v.x_axis, v.y_axis) = turn.axes(v.x_axis, v.y_axis);
        let turn = Turn::new(xx, zz, zx);
        (xx, zz, zx) = (xx - turn.tangent * zx, zz + turn.tangent * zx, 0.0);
        (xy, yz) = turn.pair(xy, yz);
        (v.x_axis, v.z_axis) = turn.axes(v.x_axis, v.z_axis);
        let turn = Turn::new(yy, zz, yz);
        (yy, zz, yz) = (yy - turn.tangent * yz, zz + turn.tangent * yz, 0.0);
        (xy, zx) = turn.pair(xy, zx);
        (v.y_axis, v.z_axis) = turn.axes(v.y_axis, v.z_axis);
    }
    // A dozen rotations leave them perpendicular only up to as many roundings.
    let x = v.x_axis * (1.0 / v.x_axis.length_squared().sqrt());
    let z = x.cross(v.y_axis);
    let z = z * (1.0 / z.length_squared().sqrt());
    Mat3A::from_cols(x, z.cross(x), z)
}

/// A rotation that clears one element beside the diagonal.
struct Turn {
    tangent: f32,
    cosine: f32,
    sine: f32,
}

impl Turn {
    fn new(pp: f32, qq: f32, pq: f32) -> Self {
        if pq == 0.0 {
            return Self { tangent: 0.0, cosine: 1.0, sine: 0.0 };
        }
        let theta = (qq - pp) / (2.0 * pq);
        let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        Self { tangent, cosine, sine: tangent * cosine }
    }

    fn pair(&self, p: f32, q: f32) -> (f32, f32) {
        (self.cosine * p - self.sine * q, self.sine * p + self.cosine * q)
    }

    fn axes(&self, p: Vec3A, q: Vec3A) -> (Vec3A, Vec3A) {
        (p * self.cosine - q * self.sine, p * self.sine + q * self.cosine)
    }
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
        left <= 3.0 * ACCURACY * (diagonal.x + diagonal.y + diagonal.z)
    }

    fn is_orthonormal(v: Mat3A) -> bool {
        let d = v.transpose() * v;
        (0..3).all(|i| (0..3).all(|j| (d.col(i)[j] - f32::from(i == j)).abs() < 1e-6))
    }

    #[test]
    fn eigenvectors_are_perpendicular_units_of_any_matrix() {
        let mut random = Random::new(3, 0);
        for round in 0..2000 {
            let scale = [1.0, 1e-20, 1e12, 1e-3][round % 4];
            let mut vector =
                || Vec3A::new(random.signed() as f32, random.signed() as f32, random.signed() as f32);
            // A sum of squares, as covariances are; every fifth flat, every seventh straight.
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
