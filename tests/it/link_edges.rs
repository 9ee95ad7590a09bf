//! Boxes of links that only their edges separate: the reference and every kind of hierarchy separate
//! and join them where their edges meet.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use tumble::articulation::{LinkShape, LinkTree, LinkTreeKind, PlacedLink, Skeleton, links_meet};
use tumble::pose::Pose;
use tumble::random::Random;
use tumble::volume::Aabb;

use crate::rounds::rounds;

/// Two boxes, and the direction across an edge of each that separates them first.
struct Crossed {
    shapes: [Arc<LinkShape>; 2],
    rotations: [DQuat; 2],
    across: DVec3,
    /// Distance of the centers along `across` when the edges meet, m.
    touch: f64,
}

impl Crossed {
    /// Builds boxes with random rotations, one above an edge of the other; `None` if a face would
    /// separate them as early.
    fn new(random: &mut Random) -> Option<Self> {
        let half = [(); 2].map(|()| Vec3::from_array([(); 3].map(|()| 0.2 + random.uniform() as f32)));
        let rotations = [random.rotation(), random.rotation()];
        let axes = rotations.map(|q| DVec3::AXES.map(|axis| q * axis));
        let reach = |direction: DVec3| -> f64 {
            let of = |side: usize| -> f64 {
                let along = |k: usize| axes[side][k].dot(direction).abs() * f64::from(half[side][k]);
                (0..3).map(along).sum()
            };
            of(0) + of(1)
        };
        let pick = |random: &mut Random| axes.map(|own| own[(3.0 * random.uniform()) as usize % 3]);
        let [edge_a, edge_b] = pick(random);
        let across = edge_a.cross(edge_b).try_normalize()?;
        let touch = reach(across);
        // The distance up to which faces cannot separate the boxes is larger than that at which the
        // edges meet.
        let faces = axes.as_flattened().iter();
        let by_faces = faces.map(|&n| reach(n) / n.dot(across).abs().max(1e-9)).fold(f64::INFINITY, f64::min);
        if by_faces < 1.05 * touch {
            return None;
        }
        let others =
            axes[0].iter().flat_map(|a| axes[1].iter().map(move |b| a.cross(*b).normalize_or_zero()));
        let by_others =
            others.map(|n| reach(n) / n.dot(across).abs().max(1e-9)).fold(f64::INFINITY, f64::min);
        let shapes = half.map(|half| Arc::new(LinkShape::from_bounds(Aabb::new(-half, half))));
        (by_others > 0.999_999 * touch).then_some(Self { shapes, rotations, across, touch })
    }

    /// Returns the poses with the centers at `share` of the distance at which the edges meet.
    fn poses(&self, share: f64) -> [Pose; 2] {
        let far = share * self.touch * self.across;
        [Pose::new(self.rotations[0], DVec3::ZERO), Pose::new(self.rotations[1], far)]
    }

    fn judge(&self, share: f64) -> bool {
        let poses = self.poses(share);
        let place = |i: usize| PlacedLink { shape: &self.shapes[i], pose: &poses[i], reach: 0.0 };
        links_meet(place(0), place(1))
    }

    fn is_found(&self, kind: LinkTreeKind, share: f64) -> bool {
        let poses = self.poses(share);
        let skeleton = Skeleton::new(vec![None], vec![Vec3::ZERO]).unwrap();
        let [a, b] = [0, 1].map(|i| {
            let mut tree = LinkTree::new(kind, &skeleton, &[Some(Arc::clone(&self.shapes[i]))]);
            tree.update(|_| (&poses[i], 0.0));
            tree.refit();
            tree
        });
        let mut pairs = Vec::new();
        a.pairs(&b, &mut pairs);
        !pairs.is_empty()
    }
}

#[test]
fn edges_that_cross_are_found_until_they_part() {
    let mut random = Random::new(11, 0);
    let mut count = 0;
    for _ in 0..rounds(20_000) {
        let Some(crossed) = Crossed::new(&mut random) else { continue };
        count += 1;
        assert!(crossed.judge(0.9999), "the judge parts edges that cross");
        assert!(!crossed.judge(1.0001), "the judge joins edges that are apart");
        for kind in LinkTreeKind::ALL {
            assert!(crossed.is_found(kind, 0.9999), "{} loses edges that cross", kind.name());
        }
        // Oriented boxes equal the links' own boxes: they separate where these do, except for rounding
        // of `f32`.
        for kind in [LinkTreeKind::Cab, LinkTreeKind::Obb] {
            assert!(!crossed.is_found(kind, 1.001), "{} joins edges that are apart", kind.name());
        }
    }
    assert!(count > rounds(300), "{count} pairs of boxes are parted by their edges alone");
}
