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
/// for a surface that is near it. Vertices that no triangle uses do not count.
///
/// An origin is a multiple of a power of two about as large as the surface. So the subtraction of far
/// coordinates is exact, and equal surfaces at round distances stay equal.
pub(super) fn near(points: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, DVec3) {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &vertex in triangles.as_flattened() {
        let point = points[vertex as usize];
        (min, max) = (min.min(point), max.max(point));
    }
    let size = (max - min).max_element();
    let farthest = min.abs().max(max.abs()).max_element();
    // Comparisons with the infinite numbers of an empty surface are false.
    let origin = if farthest > FAR * size && size > 0.0 {
        // A size below the rounding of the coordinates is none.
        let unit = libm::exp2(libm::log2(size.max(f64::EPSILON * farthest)).ceil());
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
        let triangle = [[0, 1, 2]];
        let (own, origin) = near(&shape, &triangle);
        assert_eq!((own, origin), (shape.map(|p| p.as_vec3()).to_vec(), DVec3::ZERO));
        for at in [DVec3::new(2_600_000.0, 400.0, 1_199_999.5), DVec3::splat(-700.3), DVec3::X * 3.0] {
            let far = shape.map(|p| p + at);
            let (own, origin) = near(&far, &triangle);
            for (own, far) in own.iter().zip(far) {
                assert!((own.as_dvec3() + origin).distance(far) < 2e-8, "{own} {origin} {far}");
            }
        }
        let point = DVec3::splat(1e6);
        assert_eq!(near(&[], &[]), (vec![], DVec3::ZERO));
        assert_eq!(near(&[point], &[]), (vec![point.as_vec3()], DVec3::ZERO));
        // A vertex that no triangle uses is left at the origin of the file.
        let far = [shape[0] + point, shape[1] + point, shape[2] + point, DVec3::ZERO];
        assert!(near(&far, &triangle).1.distance(point) < 1.0);
        // The smallest number divides by no less than the rounding.
        let thin = [DVec3::Y * 1e10, DVec3::new(1e-310, 1e10, 0.0), DVec3::new(0.0, 1e10, 1e-310)];
        let (own, origin) = near(&thin, &triangle);
        assert!(origin.is_finite() && own.iter().all(|p| p.is_finite()), "{own:?} {origin}");
    }
}
