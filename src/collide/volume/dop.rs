//! Discrete oriented polytope (DOP) of K planes, realigned once per query. \[boxtree\] Table 1
//!
//! A box with cut edges and corners: K/2 fixed directions, and the interval of the content along each.
//! A rotated DOP is bounded along the directions of the other DOP from its offsets alone (Zachmann
//! 1998, "Rapid collision detection by dynamically aligned DOP-trees"). A direction is a sum of three
//! plane normals with non-negative factors, so the same sum of their offsets is a bound. The three
//! normals depend only on the rotation: in the DOP with unit offsets, they meet in the corner farthest
//! along the direction. Only the first DOP's directions are tested; `dop_both.rs` tests both.

use glam::{DMat3, DVec3, Vec3};

use super::polytope::{self, Layer};
use super::segment::{Slab, meets_slabs};
use super::{Aabb, Meets, Operations, Transit, Volume, round_up};

use crate::arrays::MapEach;

/// Normals of the planes. Each stands for a plane and the opposite plane: three for faces, six for
/// edges, and three of the four for corners.
const DIRECTIONS: [[i8; 3]; 12] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, 0, 1],
    [0, 1, 1],
    [1, -1, 0],
    [1, 0, -1],
    [0, 1, -1],
    [1, 1, 1],
    [1, -1, 1],
    [1, 1, -1],
];

/// Offsets of K planes along their normals, in m times the length of the normal in `DIRECTIONS`. The
/// first half of the planes face along the directions, the second half opposite to them. K is even,
/// from 6 to 24.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dop<const K: usize> {
    pub offsets: [f32; K],
}

const _: () = assert!(size_of::<Dop<24>>() == 96);

/// Corner of the DOP whose offsets are all 1, with the triples of planes that meet in it.
#[derive(Clone, Debug)]
pub struct Corner {
    at: DVec3,
    triples: Vec<Triple>,
}

/// Three planes that meet in a corner. Where more than three meet, a corner has several triples.
#[derive(Clone, Copy, Debug)]
struct Triple {
    planes: [usize; 3],
    /// Matrix from a direction to the factors of the three planes' normals.
    factors: DMat3,
}

/// Data that bound a volume b along every plane of a: three planes of b, their factors, and the offset
/// that the translation and the enlargement add.
pub struct DopFrames<const K: usize> {
    planes: [[u8; 3]; K],
    factors: [[f32; 3]; K],
    added: [f32; K],
}

fn direction<const K: usize>(plane: usize) -> DVec3 {
    let [x, y, z] = DIRECTIONS[plane % (K / 2)].map_each(f64::from);
    let along = DVec3::new(x, y, z);
    if plane < K / 2 { along } else { -along }
}

impl<const K: usize> Dop<K> {
    /// Returns the corners of the DOP with unit offsets, found by intersecting all triples of planes.
    fn corners() -> Vec<Corner> {
        let mut corners: Vec<Corner> = Vec::new();
        for i in 0..K {
            for j in i + 1..K {
                for l in j + 1..K {
                    let normals = DMat3::from_cols(direction::<K>(i), direction::<K>(j), direction::<K>(l));
                    if normals.determinant().abs() < 1e-9 {
                        continue;
                    }
                    // The point satisfies n · p = 1 for each normal n. The normals are the columns, so
                    // this is the transposed system.
                    let at = normals.transpose().inverse() * DVec3::ONE;
                    if (0..K).all(|m| direction::<K>(m).dot(at) <= 1.0 + 1e-9) {
                        let triple = Triple { planes: [i, j, l], factors: normals.inverse() };
                        match corners.iter_mut().find(|c| c.at.distance(at) < 1e-9) {
                            Some(corner) => corner.triples.push(triple),
                            None => corners.push(Corner { at, triples: vec![triple] }),
                        }
                    }
                }
            }
        }
        corners
    }
}

/// Returns three planes and factors such that the sum of the planes' normals times their factors is
/// `along`. Of the triples in the farthest corner it takes the one whose least factor is greatest.
fn decompose(along: DVec3, corners: &[Corner]) -> ([usize; 3], DVec3) {
    let farthest = corners.iter().map(|c| c.at.dot(along)).fold(f64::NEG_INFINITY, f64::max);
    // Several triples may meet in one corner, but `along` need not lie between the three normals of
    // each triple.
    let fitting = corners.iter().filter(|c| c.at.dot(along) >= farthest - 1e-9);
    let best = fitting.flat_map(|c| &c.triples).map(|t| (t.planes, t.factors * along));
    let Some((planes, factors)) = best.max_by(|x, y| x.1.min_element().total_cmp(&y.1.min_element())) else {
        // If the direction is NaN, no corner passes the comparison.
        return ([0; 3], DVec3::splat(f64::NAN));
    };
    (planes, factors.max(DVec3::ZERO))
}

impl<const K: usize> Volume for Dop<K> {
    type Choice = ();
    type Shared = Vec<Corner>;
    type Frames = DopFrames<K>;
    type A = Self;
    type B = Self;
    const CARRY_A: Operations = Operations::new(0, 0, 0);
    const CARRY_B: Operations = Operations::new(3 * K as u64, 3 * K as u64, 0);
    const OVERLAP: Operations = Operations::new(0, 0, K as u64);

    fn shared((): ()) -> Vec<Corner> {
        Self::corners()
    }

    fn fit(triangles: &[[Vec3; 3]], _: &Vec<Corner>) -> Self {
        let mut largest = [f64::NEG_INFINITY; K];
        for point in triangles.iter().flatten() {
            let point = point.as_dvec3();
            for plane in 0..K / 2 {
                let at = direction::<K>(plane).dot(point);
                largest[plane] = largest[plane].max(at);
                largest[plane + K / 2] = largest[plane + K / 2].max(-at);
            }
        }
        Self { offsets: largest.map_each(round_up) }
    }

    fn contains(&self, point: Vec3, _: &Vec<Corner>) -> bool {
        (0..K).all(|plane| direction::<K>(plane).dot(point.as_dvec3()) <= f64::from(self.offsets[plane]))
    }

    fn bounds(&self) -> Aabb {
        let o = &self.offsets;
        Aabb::new(Vec3::new(-o[K / 2], -o[K / 2 + 1], -o[K / 2 + 2]), Vec3::new(o[0], o[1], o[2]))
    }

    fn volume(&self) -> f64 {
        // The volume is computed relative to the DOP's middle, where rounding errors are smallest.
        let bounds = self.bounds();
        let middle = bounds.center().as_dvec3();
        let radius = (bounds.max.as_dvec3() - middle).max(middle - bounds.min.as_dvec3()).length();
        let layer = |plane: usize| {
            let along = direction::<K>(plane);
            let [low, high] = [-self.offsets[plane + K / 2], self.offsets[plane]].map_each(f64::from);
            Layer { along, low: low - along.dot(middle), high: high - along.dot(middle) }
        };
        let layers: Vec<Layer> = (0..K / 2).map(layer).collect();
        polytope::volume(&layers, radius)
    }

    fn frames(transit: &Transit, corners: &Vec<Corner>) -> DopFrames<K> {
        let back = transit.rotation.transpose();
        let mut frames = DopFrames { planes: [[0; 3]; K], factors: [[0.0; 3]; K], added: [0.0; K] };
        for plane in 0..K {
            let along = direction::<K>(plane);
            if plane < K / 2 {
                let (planes, factors) = decompose(back * along, corners);
                frames.planes[plane] = planes.map_each(|p| p as u8);
                frames.factors[plane] = factors.as_vec3().to_array();
            } else {
                // The opposite direction is bounded by the opposite planes.
                let planes = frames.planes[plane - K / 2];
                frames.planes[plane] = planes.map_each(|p| ((usize::from(p) + K / 2) % K) as u8);
                frames.factors[plane] = frames.factors[plane - K / 2];
            }
            let added = along.dot(transit.translation) + along.length() * transit.growth;
            frames.added[plane] = round_up(added);
        }
        frames
    }

    fn carry_a(&self, _: &DopFrames<K>) -> Self {
        *self
    }

    fn carry_b(&self, frames: &DopFrames<K>) -> Self {
        let mut offsets = frames.added;
        for ((offset, planes), factors) in offsets.iter_mut().zip(&frames.planes).zip(&frames.factors) {
            let [i, j, l] = planes.map_each(usize::from);
            let [x, y, z] = *factors;
            *offset += x * self.offsets[i] + y * self.offsets[j] + z * self.offsets[l];
        }
        Self { offsets }
    }

    /// Returns false if the intervals along any direction are disjoint.
    fn overlap(a: &Self, b: &Self, _: &DopFrames<K>) -> bool {
        let mut apart = false;
        for plane in 0..K / 2 {
            apart |= a.offsets[plane] < -b.offsets[plane + K / 2];
            apart |= b.offsets[plane] < -a.offsets[plane + K / 2];
        }
        !apart
    }

    /// Returns the least overlap along the three face normals. They are unit vectors, so their offsets
    /// are in m.
    fn depth(a: &Self, b: &Self, _: &DopFrames<K>) -> f32 {
        (0..3).fold(f32::INFINITY, |least, plane| {
            let [ahead, behind] =
                [a.offsets[plane] + b.offsets[plane + K / 2], b.offsets[plane] + a.offsets[plane + K / 2]];
            least.min(ahead).min(behind)
        })
    }
}

impl<const K: usize> Meets for Dop<K> {
    fn meets(&self, [from, to]: [DVec3; 2]) -> bool {
        let pad = 1e-12 * (from.abs().max_element() + self.bounds().max.as_dvec3().abs().max_element());
        meets_slabs((0..K / 2).map(|plane| {
            let along = direction::<K>(plane);
            Slab {
                from: along.dot(from),
                along: along.dot(to - from),
                low: -f64::from(self.offsets[plane + K / 2]) - 3.0 * pad,
                high: f64::from(self.offsets[plane]) + 3.0 * pad,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    #[test]
    fn its_volume_is_that_of_the_box_it_cuts_less_what_it_cuts_off() {
        let at = Vec3::new(5.0, -3.0, 2.0);
        let octahedron = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].map(|p| p + at);
        let triangles =
            [[octahedron[0], octahedron[1], octahedron[2]], [octahedron[3], octahedron[4], octahedron[5]]];
        let plain = Dop::<6>::fit(&triangles, &Dop::<6>::shared(())).volume();
        assert!((plain - 8.0).abs() < 1e-5, "{plain}");
        // The planes of faces and edges leave the rhombic dodecahedron of volume 2. The other planes
        // cut a twelfth off six of its corners in which three edges meet.
        let cut = Dop::<24>::fit(&triangles, &Dop::<24>::shared(())).volume();
        assert!((cut - 1.5).abs() < 1e-5, "{cut}");
        // A triangle is flat, whether it is parallel to a plane or not.
        let flat = |corners: [Vec3; 3]| Dop::<24>::fit(&[corners], &Dop::<24>::shared(())).volume();
        assert!(flat([Vec3::X, Vec3::Y, Vec3::Z]) < 1e-6);
        assert_eq!(flat([Vec3::ONE; 3]), 0.0);
    }

    /// Tests that the bound along each direction contains the content for any rotation, and is on
    /// average at most a quarter too wide.
    #[test]
    fn realigned_planes_bound_what_is_inside() {
        let shared = Dop::<24>::shared(());
        let triangles = [
            [Vec3::new(0.1, 0.2, -0.3), Vec3::new(1.0, -0.4, 0.2), Vec3::new(-0.5, 0.6, 0.9)],
            [Vec3::new(0.7, 0.2, 0.3), Vec3::new(-1.0, -0.4, 0.1), Vec3::new(0.5, -0.9, 0.4)],
        ];
        let dop = Dop::<24>::fit(&triangles, &shared);
        let (mut bounds, mut reaches) = (0.0, 0.0);
        for i in 0..500 {
            let t = f64::from(i);
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.7 * t, 1.3 * t, 2.1 * t);
            let rotation = DMat3::from_quat(turn);
            let translation = DVec3::new(0.3, -0.2, 0.1);
            let frames = Dop::frames(&Transit { rotation, translation, growth: 1e-6 }, &shared);
            let carried = dop.carry_b(&frames);
            for plane in 0..24 {
                let along = direction::<24>(plane);
                let inside = |p: &Vec3| along.dot(rotation * p.as_dvec3() + translation);
                let reached = triangles.iter().flatten().map(inside).fold(f64::NEG_INFINITY, f64::max);
                let bound = f64::from(carried.offsets[plane]);
                assert!(bound >= reached, "{i}, plane {plane}: {bound} below {reached}");
                bounds += bound - along.dot(translation);
                reaches += reached - along.dot(translation);
            }
        }
        assert!(bounds < 1.25 * reaches, "{bounds} for {reaches}");
    }
}
