//! Estimates of the volume that two boxes share, and the exact volume. \[adb\] §3.6
//!
//! An estimate only uses data that a separating-axis test with the face axes computes anyway. No
//! estimate exceeds the smaller box, or is zero for boxes that intersect. A box without volume shares
//! none; callers that want flat boxes to count enlarge them.

use glam::{DMat3, DVec3, Mat3A, Vec3A};

use crate::arrays::MapEach;
use crate::estimate::{corner_share, sphere_share};
use crate::order::Order;

/// Boxes a and b, each described in its own frame, m.
#[derive(Clone, Copy, Debug)]
pub struct BoxPair {
    /// Half sizes.
    pub half: [Vec3A; 2],
    /// Half sizes of the box around each box, in the frame of the other box.
    pub reach: [Vec3A; 2],
    /// Vector from the center of a to the center of b, in the frame of each box.
    pub apart: [Vec3A; 2],
}

/// Method of estimating the shared volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeEstimator {
    /// Estimate as for equal boxes, of which one leaves the other through a face, an edge or a corner;
    /// the largest of the three values. Boxes of unequal size are treated as spheres. \[adb\] Fig. 10
    Corners,
    /// Volume of the smaller box times the share of its circumscribed sphere that lies in the
    /// circumscribed sphere of the larger.
    Spheres,
    /// Volume of each box, cut by the box around the other box in its frame; the smaller of both. Never
    /// too small.
    Aligned,
    /// Volume of the smallest parallelepiped between three of the six pairs of opposite faces. Each
    /// pair is narrowed to the extent of the other box. Never too small.
    Slabs,
    /// Geometric mean of [`VolumeEstimator::Slabs`] and of the volume that would be shared if one box
    /// were spread evenly over the box around it. The first is too large, the second mostly too small
    /// by about as much.
    Between,
    /// Exact volume: the faces of one box cut the other.
    Exact,
}

impl VolumeEstimator {
    pub const ALL: [Self; 6] =
        [Self::Corners, Self::Spheres, Self::Aligned, Self::Slabs, Self::Between, Self::Exact];

    pub fn name(self) -> &'static str {
        match self {
            Self::Corners => "corners",
            Self::Spheres => "spheres",
            Self::Aligned => "aligned",
            Self::Slabs => "slabs",
            Self::Between => "between",
            Self::Exact => "exact",
        }
    }

    /// Returns an estimate of the shared volume, m³. `rotation` takes vectors from b's frame to a's.
    pub fn volume(self, pair: &BoxPair, rotation: &Mat3A) -> f32 {
        match self {
            Self::Corners => corners(pair),
            Self::Spheres => spheres(pair),
            Self::Aligned => aligned(pair),
            Self::Slabs => slabs(pair.cut(), rotation),
            Self::Between => between(pair, rotation),
            Self::Exact => exact(pair, rotation),
        }
    }
}

fn product(sides: Vec3A) -> f32 {
    sides.x * sides.y * sides.z
}

impl BoxPair {
    fn volumes(&self) -> [f32; 2] {
        self.half.map_each(|half| 8.0 * product(half))
    }

    fn smaller(&self) -> f32 {
        let [a, b] = self.volumes();
        a.min(b)
    }

    /// Returns the size of each box after it is cut by the box around the other box in its frame.
    fn cut(&self) -> [Vec3A; 2] {
        let side = |own: usize, other: usize| {
            let [half, reach] = [self.half[own], self.reach[other]];
            let reached = half + reach - self.apart[own].abs();
            reached.min(2.0 * half.min(reach)).max(Vec3A::ZERO)
        };
        [side(0, 1), side(1, 0)]
    }
}

fn corners(pair: &BoxPair) -> f32 {
    corner_share(pair.half, pair.apart[0]) * pair.smaller()
}

fn spheres(pair: &BoxPair) -> f32 {
    sphere_share(pair.half, pair.apart[0]) * pair.smaller()
}

fn aligned(pair: &BoxPair) -> f32 {
    let [a, b] = pair.cut().map_each(product);
    a.min(b)
}

fn slabs([a, b]: [Vec3A; 2], rotation: &Mat3A) -> f32 {
    let [of_a, of_b] = [a, b].map_each(|w| Vec3A::new(w.y * w.z, w.z * w.x, w.x * w.y));
    let mut least = Vec3A::splat(product(a).min(product(b)));
    if least.x <= 0.0 {
        return 0.0;
    }
    // Two slabs of one box and one of the other: the triple product of their normals is the cosine
    // between the single slab's normal and the third axis of the other box.
    for (k, axis) in [rotation.x_axis, rotation.y_axis, rotation.z_axis].into_iter().enumerate() {
        least = least.min((of_a * b[k]).min(a * of_b[k]) / axis.abs());
    }
    least.min_element()
}

fn between(pair: &BoxPair, rotation: &Mat3A) -> f32 {
    let cut = pair.cut();
    let most = slabs(cut, rotation);
    if most <= 0.0 {
        return 0.0;
    }
    let [volume_a, volume_b] = pair.volumes();
    let [a, b] = cut.map_each(product);
    let [around_a, around_b] = pair.reach.map_each(|reach| 8.0 * product(reach));
    let spread = (a * (volume_b / around_b)).max(b * (volume_a / around_a));
    (most.sqrt() * spread.sqrt()).min(pair.smaller())
}

/// Returns the exact volume: box a is split into tetrahedra, and the faces of b cut each tetrahedron.
fn exact(pair: &BoxPair, rotation: &Mat3A) -> f32 {
    let turn =
        DMat3::from_cols(rotation.x_axis.as_dvec3(), rotation.y_axis.as_dvec3(), rotation.z_axis.as_dvec3());
    let [half_a, half_b] = pair.half.map_each(|half| half.as_dvec3());
    let center = pair.apart[0].as_dvec3();
    let planes = [0, 1, 2, 3, 4, 5].map_each(|face| {
        let out = if face < 3 { turn.col(face) } else { -turn.col(face - 3) };
        (out, out.dot(center) + half_b[face % 3])
    });
    // Six paths along three edges lead from one corner to the opposite one. Each path spans a
    // tetrahedron.
    let ways = [[0, 1], [1, 2], [2, 0], [1, 0], [2, 1], [0, 2]];
    let volume: f64 = ways
        .into_iter()
        .map(|[first, second]| {
            let (mut one, mut two) = (-half_a, half_a);
            one[first] = half_a[first];
            two[3 - first - second] = -half_a[3 - first - second];
            cut_volume([-half_a, one, two, half_a], &planes)
        })
        .sum();
    (volume as f32).min(pair.smaller())
}

/// Returns the volume of the part of a tetrahedron that lies behind all planes. A plane is a unit
/// normal and the distance from the origin along it.
fn cut_volume(mut corners: [DVec3; 4], planes: &[(DVec3, f64)]) -> f64 {
    let Some((&(normal, offset), rest)) = planes.split_first() else {
        let [a, b, c, d] = corners;
        return (b - a).dot((c - a).cross(d - a)).abs() / 6.0;
    };
    let height = |corner: &DVec3| normal.dot(*corner) - offset;
    corners.order_by(|p, q| height(p).total_cmp(&height(q)));
    let cut = |from: DVec3, to: DVec3| {
        let (below, above) = (height(&from), height(&to));
        from + (to - from) * (below / (below - above))
    };
    let prism = |[a, b, c]: [DVec3; 3], [d, e, f]: [DVec3; 3]| {
        [[a, b, c, f], [a, b, e, f], [a, d, e, f]].map_each(|part| cut_volume(part, rest)).iter().sum()
    };
    let [a, b, c, d] = corners;
    match corners.iter().filter(|corner| height(corner) <= 0.0).count() {
        0 => 0.0,
        1 => cut_volume([a, cut(a, b), cut(a, c), cut(a, d)], rest),
        2 => prism([a, cut(a, c), cut(a, d)], [b, cut(b, c), cut(b, d)]),
        3 => prism([a, b, c], [cut(a, d), cut(b, d), cut(c, d)]),
        _ => cut_volume(corners, rest),
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::random::Random;

    /// Creates two boxes with the given half sizes, b rotated by `turn` and moved by `way`.
    fn pair(half: [Vec3A; 2], turn: Quat, way: Vec3A) -> (BoxPair, Mat3A) {
        let rotation = Mat3A::from_quat(turn);
        let [x, y, z] = [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(Vec3A::abs);
        let absolute = Mat3A::from_cols(x, y, z);
        let reach = [absolute.transpose() * half[0], absolute * half[1]];
        (BoxPair { half, reach, apart: [way, rotation.transpose() * way] }, rotation)
    }

    fn swapped((pair, rotation): &(BoxPair, Mat3A)) -> (BoxPair, Mat3A) {
        let [a, b] = pair.apart;
        let ([half_a, half_b], [reach_a, reach_b]) = (pair.half, pair.reach);
        let pair = BoxPair { half: [half_b, half_a], reach: [reach_b, reach_a], apart: [-b, -a] };
        (pair, rotation.transpose())
    }

    /// Returns pairs of boxes that their face axes do not separate: cubes, boxes, plates and needles,
    /// of equal and of different kinds.
    fn pairs() -> Vec<(BoxPair, Mat3A)> {
        let mut random = Random::new(1, 0);
        let mut pairs = Vec::new();
        while pairs.len() < 2000 {
            let mut side = |least: f32| least * (1.0 + random.uniform() as f32);
            let least = [[1.0; 3], [0.3, 0.6, 0.9], [0.5, 0.5, 0.01], [0.5, 0.01, 0.01]][pairs.len() % 4];
            let mut half = || Vec3A::from_array(least.map(&mut side));
            let half = [half(), half() * [1.0, 3.0, 0.2][pairs.len() % 3]];
            let turn = random.rotation().as_quat();
            let way = (random.rotation() * DVec3::X).as_vec3a();
            let far = (random.uniform() as f32) * (half[0].length() + half[1].length());
            let pair = pair(half, turn, way * far);
            if aligned(&pair.0) > 0.0 {
                pairs.push(pair);
            }
        }
        pairs
    }

    fn near(x: f32, y: f32, scale: f32) -> bool {
        (x - y).abs() <= 1e-4 * scale
    }

    #[test]
    fn the_exact_volume_is_that_of_solids_that_are_known() {
        let cube = [Vec3A::ONE; 2];
        let exact = |half, turn, way| exact(&pair(half, turn, way).0, &Mat3A::from_quat(turn));
        assert!(near(exact(cube, Quat::IDENTITY, Vec3A::ZERO), 8.0, 8.0));
        assert!(near(exact(cube, Quat::IDENTITY, Vec3A::new(1.0, -0.5, 0.25)), 1.0 * 1.5 * 1.75, 8.0));
        assert_eq!(exact(cube, Quat::IDENTITY, Vec3A::new(2.5, 0.0, 0.0)), 0.0);
        // The overlaps are a regular octagonal prism, a corner of the cube, and the small cube.
        let eighth = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
        assert!(near(exact(cube, eighth, Vec3A::ZERO), 16.0 * (2.0f32.sqrt() - 1.0), 8.0));
        let upright = Quat::from_rotation_arc(glam::Vec3::X, glam::Vec3::ONE.normalize());
        let corner = Vec3A::ONE * (2.0 / 3.0 + 10.0 / 3.0f32.sqrt());
        assert!(near(exact([Vec3A::ONE, Vec3A::splat(10.0)], upright, corner), 1.0 / 6.0, 1.0));
        assert!(near(exact([Vec3A::splat(0.1), Vec3A::ONE], upright, Vec3A::ZERO), 8e-3, 8e-3));
    }

    #[test]
    fn the_exact_volume_is_the_sum_of_that_of_halves() {
        for (whole, rotation) in pairs() {
            let half = whole.half[0] * Vec3A::new(0.5, 1.0, 1.0);
            let parts = [-half.x, half.x].map(|x| {
                let way = whole.apart[0] - Vec3A::X * x;
                exact(
                    &BoxPair { half: [half, whole.half[1]], apart: [way, whole.apart[1]], ..whole },
                    &rotation,
                )
            });
            assert!(near(parts.iter().sum(), exact(&whole, &rotation), whole.smaller()), "{whole:?}");
        }
    }

    #[test]
    fn estimates_stay_between_nothing_and_the_smaller_box() {
        for (pair, rotation) in pairs() {
            for estimator in VolumeEstimator::ALL {
                let volume = estimator.volume(&pair, &rotation);
                assert!((0.0..=pair.smaller() * 1.0001).contains(&volume), "{estimator:?} {pair:?}");
                assert!(volume > 0.0 || exact(&pair, &rotation) == 0.0, "{estimator:?} {pair:?}");
            }
        }
    }

    #[test]
    fn bounds_are_never_too_small() {
        for (pair, rotation) in pairs() {
            let least = exact(&pair, &rotation) - 1e-4 * pair.smaller();
            for estimator in [VolumeEstimator::Aligned, VolumeEstimator::Slabs] {
                assert!(estimator.volume(&pair, &rotation) >= least, "{estimator:?} {pair:?}");
            }
        }
    }

    #[test]
    fn estimates_are_the_same_from_either_box() {
        for one in pairs() {
            let other = swapped(&one);
            for estimator in VolumeEstimator::ALL {
                let [x, y] = [&one, &other].map(|(pair, rotation)| estimator.volume(pair, rotation));
                assert!(near(x, y, one.0.smaller()), "{estimator:?} {one:?}: {x} {y}");
            }
        }
    }

    #[test]
    fn boxes_along_each_other_are_measured() {
        let half = [Vec3A::new(1.0, 2.0, 0.5), Vec3A::new(3.0, 0.2, 0.7)];
        let (pair, rotation) = pair(half, Quat::IDENTITY, Vec3A::new(3.0, 2.0, -0.3));
        for estimator in [
            VolumeEstimator::Aligned,
            VolumeEstimator::Slabs,
            VolumeEstimator::Between,
            VolumeEstimator::Exact,
        ] {
            let volume = estimator.volume(&pair, &rotation);
            assert!(near(volume, 1.0 * 0.2 * 0.9, 0.01), "{estimator:?} {volume}");
        }
    }

    #[test]
    fn a_box_within_another_is_shared() {
        for turn in [Quat::IDENTITY, Quat::from_rotation_y(0.4)] {
            let (pair, rotation) = pair([Vec3A::splat(0.1), Vec3A::splat(5.0)], turn, Vec3A::splat(1.0));
            for estimator in VolumeEstimator::ALL {
                let volume = estimator.volume(&pair, &rotation);
                assert!(near(volume, 8e-3, 8e-3), "{estimator:?} {volume}");
            }
        }
    }

    /// Tests equal boxes in the cases of \[adb\] Fig. 10: face to face, edge to edge, corner to corner.
    #[test]
    fn equal_boxes_leave_through_a_face_then_an_edge_then_a_corner() {
        let at = |sides: Vec3A, way: f32| corners(&pair([0.5 * sides; 2], Quat::IDENTITY, Vec3A::X * way).0);
        let cube = Vec3A::splat(2.0);
        assert!(near(at(cube, 1.0), 4.0, 8.0));
        assert!(near(at(cube, 1.9), 8.0 * (1.0 - 1.9 / 8.0f32.sqrt()).powi(2), 0.1));
        assert!(near(at(cube, 2.7), 8.0 * (1.0 - 2.7 / 12.0f32.sqrt()).powi(3), 0.1));
        assert!(near(at(Vec3A::new(1.0, 4.0, 2.0), 2.0), 4.0, 8.0));
        assert_eq!(at(cube, 3.5), 0.0);
    }

    #[test]
    fn between_errs_least() {
        let pairs = pairs();
        let error = |estimator: VolumeEstimator| {
            let share = |(pair, rotation): &(BoxPair, Mat3A)| {
                (estimator.volume(pair, rotation) - exact(pair, rotation)).abs() / pair.smaller()
            };
            pairs.iter().map(share).sum::<f32>() / pairs.len() as f32
        };
        let own = error(VolumeEstimator::Between);
        assert!(own < 0.1, "{own}");
        for other in [
            VolumeEstimator::Corners,
            VolumeEstimator::Spheres,
            VolumeEstimator::Aligned,
            VolumeEstimator::Slabs,
        ] {
            assert!(own < 0.7 * error(other), "{other:?}");
        }
    }

    #[test]
    fn boxes_without_volume_share_none() {
        let turns = [Quat::IDENTITY, Quat::from_rotation_z(1.0)];
        let flat = [Vec3A::ZERO, Vec3A::X, Vec3A::new(1.0, 1.0, 0.0)];
        for (turn, half, way) in turns.iter().flat_map(|&turn| {
            flat.iter().flat_map(move |&half| [0.0, 1e-3, 1.0].map(|way| (turn, half, Vec3A::splat(way))))
        }) {
            for half in [[half, Vec3A::ONE], [Vec3A::ONE, half], [half, half]] {
                let (pair, rotation) = pair(half, turn, way);
                for estimator in VolumeEstimator::ALL {
                    assert_eq!(estimator.volume(&pair, &rotation), 0.0, "{estimator:?} {pair:?}");
                }
            }
        }
    }

    #[test]
    fn estimates_scale_with_the_boxes() {
        for (pair, rotation) in pairs().into_iter().take(200) {
            for scale in [1e-6f32, 1e6] {
                let scaled = BoxPair {
                    half: pair.half.map(|v| v * scale),
                    reach: pair.reach.map(|v| v * scale),
                    apart: pair.apart.map(|v| v * scale),
                };
                for estimator in VolumeEstimator::ALL {
                    let volume = estimator.volume(&scaled, &rotation) / scale / scale / scale;
                    let own = estimator.volume(&pair, &rotation);
                    assert!(near(volume, own, pair.smaller()), "{estimator:?} {scale} {pair:?}");
                }
            }
        }
    }
}
