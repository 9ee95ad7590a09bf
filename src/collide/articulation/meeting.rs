//! Decides whether two links are near enough to be a pair. All kinds of hierarchies share this test, so
//! that every kind gives the same pairs in a run. The test uses `f64` without slack. The leaves of
//! every kind contain the boxes tested here, so no kind misses a pair.

use glam::{DMat3, DVec3};

use super::LinkShape;
use crate::arrays::MapEach;
use crate::pose::Pose;

/// Link at a pose in the world. `reach` enlarges its volumes, m.
#[derive(Clone, Copy, Debug)]
pub struct PlacedLink<'a> {
    pub shape: &'a LinkShape,
    pub pose: &'a Pose,
    pub reach: f32,
}

/// Oriented box in the world, m.
#[derive(Clone, Copy)]
struct PlacedBoxes {
    axes: DMat3,
    center: DVec3,
    half: DVec3,
}

/// Bound of the rounding errors in the test along the cross product of two parallel edges, as a share
/// of the boxes' half extents.
const PARALLEL: f64 = 1e-12;

/// Returns whether the links meet: the world-aligned boxes around the corners of their bounds overlap,
/// and so do their fitted boxes.
pub fn links_meet(a: PlacedLink, b: PlacedLink) -> bool {
    let [(aligned_a, fitted_a), (aligned_b, fitted_b)] = [a, b].map_each(|link| link.placed());
    let apart = (aligned_b.center - aligned_a.center).abs();
    apart.cmple(aligned_a.half + aligned_b.half).all() && overlap(&fitted_a, &fitted_b)
}

impl PlacedLink<'_> {
    /// Returns the box along the world's axes and the fitted box, both enlarged by `reach`.
    fn placed(&self) -> (PlacedBoxes, PlacedBoxes) {
        let rotation = self.pose.rotation_matrix();
        let reach = f64::from(self.reach);
        let bounds = &self.shape.bounds;
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let half = 0.5 * (max - min);
        let extent =
            rotation.x_axis.abs() * half.x + rotation.y_axis.abs() * half.y + rotation.z_axis.abs() * half.z;
        let aligned = PlacedBoxes {
            axes: DMat3::IDENTITY,
            center: self.pose.transform_point(0.5 * (min + max)),
            half: extent + reach,
        };
        let fitted = &self.shape.fitted;
        let fitted = PlacedBoxes {
            axes: rotation * fitted.axes.as_dmat3(),
            center: self.pose.transform_point(fitted.center.as_dvec3()),
            half: fitted.half.as_dvec3() + reach,
        };
        (aligned, fitted)
    }
}

/// Tests the fifteen axes of the separating axis theorem. A box with NaN overlaps nothing.
fn overlap(a: &PlacedBoxes, b: &PlacedBoxes) -> bool {
    let to_a = a.axes.transpose();
    let t = to_a * (b.center - a.center);
    let r = to_a * b.axes;
    let size = r.abs();
    let faces_a = t.abs().cmple(a.half + size * b.half).all();
    let faces_b = (r.transpose() * t).abs().cmple(b.half + size.transpose() * a.half).all();
    faces_a
        && faces_b
        && (0..3).all(|j| {
            let edge = r.col(j);
            let (next, last) = ((j + 1) % 3, (j + 2) % 3);
            let along = size.col(j);
            let of_a = DVec3::new(
                a.half.y * along.z + a.half.z * along.y,
                a.half.z * along.x + a.half.x * along.z,
                a.half.x * along.y + a.half.y * along.x,
            );
            let of_b = size.col(last) * b.half[next] + size.col(next) * b.half[last];
            let guard = PARALLEL * (a.half.max_element() + b.half.max_element());
            edge.cross(t).abs().cmple(of_a + of_b + guard).all()
        })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::{LinkTree, LinkTreeKind, Skeleton};
    use super::*;
    use crate::random::Random;
    use std::sync::Arc;

    /// Builds the shape of a thin tetrahedron with random directions, so that its bounds and its fitted
    /// box differ.
    fn shape(random: &mut Random) -> LinkShape {
        let size =
            Vec3::new(random.uniform() as f32 + 0.1, random.uniform() as f32, random.uniform() as f32 * 0.2);
        let turn = glam::Mat3::from_quat(random.rotation().as_quat());
        let corner = |x: f32, y: f32, z: f32| turn * (size * Vec3::new(x, y, z));
        let vertices = [
            corner(-1., -1., -1.),
            corner(1., -1., 1.),
            corner(-1., 1., 1.),
            corner(1., 1., -1.),
            Vec3::ZERO,
        ];
        LinkShape::new(&vertices, &[[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 4]]).unwrap()
    }

    #[test]
    fn no_kind_loses_a_pair_of_links_that_meet() {
        let mut random = Random::new(7, 0);
        let mut met = 0;
        for round in 0..300 {
            let far = [0.0, 1e3, 1e6][round % 3];
            let shapes: Vec<Arc<LinkShape>> = (0..12)
                .map(|_| {
                    let mut shape = shape(&mut random);
                    let bounds = shape.bounds;
                    let corner =
                        |k: u8| {
                            Vec3::from_array([0, 1, 2].map(|axis| {
                                if k >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] }
                            }))
                        };
                    shape.vertices.extend((0..8).map(corner));
                    Arc::new(shape)
                })
                .collect();
            let poses: Vec<Pose> = (0..12)
                .map(|_| {
                    let [x, y, z] = [random.signed(), random.signed(), random.signed()];
                    Pose::new(random.rotation(), DVec3::splat(far) + 2.0 * DVec3::new(x, y, z))
                })
                .collect();
            let reach = 0.01 * (round % 4) as f32;
            let place = |i: usize| PlacedLink { shape: &shapes[i], pose: &poses[i], reach };
            let parents = (0..6).map(|i: u32| i.checked_sub(1)).collect();
            let skeleton = Skeleton::new(parents, vec![Vec3::ZERO; 6]).unwrap();
            let expected: Vec<(u32, u32)> = (0..6u32)
                .flat_map(|i| (0..6u32).map(move |j| (i, j)))
                .filter(|&(i, j)| links_meet(place(i as usize), place(6 + j as usize)))
                .collect();
            met += expected.len();
            for kind in LinkTreeKind::ALL {
                let [a, b] = [0, 6].map(|first| {
                    let own: Vec<_> = (first..first + 6).map(|i| Some(Arc::clone(&shapes[i]))).collect();
                    let mut tree = LinkTree::new(kind, &skeleton, &own);
                    tree.update(|link| (&poses[first + link], reach));
                    tree.refit();
                    tree
                });
                let mut pairs = Vec::new();
                a.pairs(&b, &mut pairs);
                assert!(expected.iter().all(|p| pairs.contains(p)), "{}", kind.name());
            }
        }
        assert!(met > 500 && met < 300 * 30, "{met}");
    }

    #[test]
    fn links_without_a_valid_pose_meet_nothing() {
        let shape = shape(&mut Random::new(1, 1));
        let meet = |x: f64| {
            let poses = [0.0, x].map(|x| Pose::from_position(DVec3::new(x, 0.0, 0.0)));
            let [a, b] = [&poses[0], &poses[1]].map(|pose| PlacedLink { shape: &shape, pose, reach: 0.0 });
            links_meet(a, b)
        };
        assert!(meet(0.0) && !meet(10.0) && !meet(f64::NAN) && !meet(f64::INFINITY));
    }
}
