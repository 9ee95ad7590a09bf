//! Surfaces near an origin of their own: positions in `f32`, without the loss of digits far from the
//! origin of a file.
//!
//! Drawings of buildings have the coordinates of a national grid, thousands of kilometers from its
//! origin, where neighboring numbers in `f32` are a quarter of a meter apart. So such a surface gets an
//! origin near it, which stays in `f64`, and its vertices are stored relative to that.

use glam::{DVec3, Vec3};

/// Number of times its size that a surface may be away from the origin of its file. Up to there, the
/// rounding of a coordinate is less than a millionth of the size.
const FAR: f64 = 8.0;

/// Returns positions relative to an origin, and the origin, in the unit of `points`. The origin is zero
/// for a surface that is near it.
///
/// An origin is a multiple of a power of two about as large as the surface, so that the subtraction is
/// exact, and equal surfaces at round distances stay equal.
pub(super) fn near(points: &[DVec3]) -> (Vec<Vec3>, DVec3) {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &point in points {
        (min, max) = (min.min(point), max.max(point));
    }
    let size = (max - min).max_element();
    let farthest = min.abs().max(max.abs()).max_element();
    // Comparisons with the infinite numbers of an empty surface are false.
    let origin = if farthest > FAR * size && size > 0.0 {
        let unit = libm::exp2(libm::log2(size).ceil());
        (0.5 * (min + max) / unit).round() * unit
    } else {
        DVec3::ZERO
    };
    (points.iter().map(|&point| (point - origin).as_vec3()).collect(), origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_keeps_its_digits_wherever_it_is_and_its_bits_near_the_origin() {
        let shape = [DVec3::ZERO, DVec3::new(0.123_456, 0.0, 0.0), DVec3::new(0.0, 0.2, -0.070_001)];
        let (own, origin) = near(&shape);
        assert_eq!((own, origin), (shape.map(|p| p.as_vec3()).to_vec(), DVec3::ZERO));
        for at in [DVec3::new(2_600_000.0, 400.0, 1_199_999.5), DVec3::splat(-700.3), DVec3::X * 3.0] {
            let far = shape.map(|p| p + at);
            let (own, origin) = near(&far);
            for (own, far) in own.iter().zip(far) {
                assert!((own.as_dvec3() + origin).distance(far) < 2e-8, "{own} {origin} {far}");
            }
        }
        let point = DVec3::splat(1e6);
        assert_eq!(near(&[]), (vec![], DVec3::ZERO));
        assert_eq!(near(&[point]), (vec![point.as_vec3()], DVec3::ZERO));
    }
}
