//! Volume of a convex polytope given by its planes: the sum of the pyramids from every face to the
//! origin.
//!
//! A face is a large square in its plane, cut by all other planes. A redundant plane has no face. The
//! result is exact up to rounding of `f64`, even if many planes meet in a point or two planes coincide.

use glam::DVec3;

/// Set of all points p between two parallel planes: `low <= along · p <= high`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub along: DVec3,
    pub low: f64,
    pub high: f64,
}

/// Returns the volume (m³) of the intersection of all layers. The intersection must lie within `radius`
/// of the origin, and no two layers may be parallel. Rounding errors grow with the distance from the
/// origin.
pub(super) fn volume(layers: &[Layer], radius: f64) -> f64 {
    let mut face = Vec::with_capacity(2 * layers.len());
    let mut rest = Vec::with_capacity(2 * layers.len());
    let mut volume = 0.0;
    for (index, layer) in layers.iter().enumerate() {
        let length = layer.along.length();
        let (normal, low, high) = (layer.along / length, layer.low / length, layer.high / length);
        let (u, v) = normal.any_orthonormal_pair();
        for (normal, height) in [(normal, high), (-normal, -low)] {
            // Square that contains the disc of `radius` in the plane.
            let (foot, u, v) = (height * normal, 1.01 * radius * u, 1.01 * radius * v);
            face.clear();
            face.extend([foot + u + v, foot - u + v, foot - u - v, foot + u - v]);
            for (_, other) in layers.iter().enumerate().filter(|(other, _)| *other != index) {
                cut(&mut face, &mut rest, |p| other.along.dot(p) - other.high);
                cut(&mut face, &mut rest, |p| other.low - other.along.dot(p));
            }
            volume += height * area(&face) / 3.0;
        }
    }
    volume.max(0.0)
}

/// Cuts off the part of a convex polygon whose height is above zero.
fn cut(polygon: &mut Vec<DVec3>, rest: &mut Vec<DVec3>, height: impl Fn(DVec3) -> f64) {
    rest.clear();
    for (k, &to) in polygon.iter().enumerate() {
        let from = polygon[(k + polygon.len() - 1) % polygon.len()];
        let (below, above) = (height(from), height(to));
        if (below <= 0.0) != (above <= 0.0) {
            rest.push(from.lerp(to, below / (below - above)));
        }
        if above <= 0.0 {
            rest.push(to);
        }
    }
    std::mem::swap(polygon, rest);
}

fn area(polygon: &[DVec3]) -> f64 {
    let Some(&first) = polygon.first() else { return 0.0 };
    let crosses = polygon.windows(2).map(|side| (side[0] - first).cross(side[1] - first));
    0.5 * crosses.sum::<DVec3>().length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn cube(half: DVec3) -> Vec<Layer> {
        let layer = |k: usize| Layer { along: DVec3::AXES[k], low: -half[k], high: half[k] };
        (0..3).map(layer).collect()
    }

    fn edges(high: f64) -> impl Iterator<Item = Layer> {
        let along = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]];
        along.into_iter().map(move |d| Layer { along: DVec3::from_array(d.map(f64::from)), low: -high, high })
    }

    #[test]
    fn a_cube_without_its_edges_is_the_rhombic_dodecahedron() {
        let mut layers = cube(DVec3::new(1.0, 2.0, 3.0));
        assert!((volume(&layers, 4.0) - 48.0).abs() < 1e-12);
        layers = cube(DVec3::ONE).into_iter().chain(edges(1.0)).collect();
        assert!((volume(&layers, 2.0) - 2.0).abs() < 1e-12);
        layers.extend(edges(1.0).map(|l| Layer {
            along: 2.0 * l.along + 0.1 * DVec3::X,
            low: -9.0,
            high: 9.0,
        }));
        assert!((volume(&layers, 2.0) - 2.0).abs() < 1e-12, "planes far out cut nothing");
    }

    #[test]
    fn volumes_of_flat_shifted_and_nan_polytopes_are_right() {
        let mut layers = cube(DVec3::ONE);
        let along = DVec3::ONE;
        layers.push(Layer { along, low: 0.5, high: 0.5 });
        assert!(volume(&layers, 2.0) < 1e-12, "{}", volume(&layers, 2.0));
        layers[3] = Layer { along, low: 0.5, high: 0.4999999999999999 };
        assert!(volume(&layers, 2.0) < 1e-12, "{}", volume(&layers, 2.0));
        let moved = |l: &Layer| {
            let by = l.along.dot(DVec3::new(3.0, -5.0, 7.0));
            Layer { along: l.along, low: l.low + by, high: l.high + by }
        };
        layers[3] = Layer { along, low: -1.0, high: 2.0 };
        let far: Vec<Layer> = layers.iter().map(moved).collect();
        let (here, there) = (volume(&layers, 2.0), volume(&far, 12.0));
        assert!((here - there).abs() < 1e-12, "{here}, {there}");
        // The cube without the corner beyond x + y + z = 2 and the opposite corner beyond −1.
        assert!((here - (8.0 - 1.0 / 6.0 - 8.0 / 6.0)).abs() < 1e-12, "{here}");
        layers[3].high = f64::NAN;
        assert!(volume(&layers, 2.0).is_finite() && volume(&layers, f64::INFINITY).is_finite());
    }

    #[test]
    fn random_polytopes_hold_as_many_points_as_their_volume_says() {
        let mut random = Random::new(5, 0);
        for _ in 0..5 {
            let mut layers = cube(DVec3::ONE);
            layers.extend((0..6).map(|_| {
                let along = random.rotation() * DVec3::X;
                Layer { along, low: -1.0 - 0.4 * random.signed(), high: 0.7 + 0.4 * random.signed() }
            }));
            let count = 200_000;
            let inside = (0..count).filter(|_| {
                let p = DVec3::new(random.signed(), random.signed(), random.signed());
                layers.iter().all(|l| (l.low..=l.high).contains(&l.along.dot(p)))
            });
            let (share, found) = (inside.count() as f64 / f64::from(count), volume(&layers, 2.0));
            assert!((8.0 * share - found).abs() < 0.04, "{} counted, {found}", 8.0 * share);
        }
    }
}
