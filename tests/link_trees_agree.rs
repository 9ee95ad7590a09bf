//! Every hierarchy over links reports the link pairs whose boxes overlap.

use glam::Vec3;
use tumble::articulation::{LinkTreeKind, link_pairs};
use tumble::volume::Aabb;

/// A chain of boxes along a wave, as an arm would hang. Some links carry no mesh, so their boxes are empty.
fn chain(count: usize, shift: f32) -> Vec<Aabb> {
    (0..count)
        .map(|i| {
            let t = i as f32 * 0.3;
            if i % 5 == 3 {
                return Aabb::EMPTY;
            }
            let center = Vec3::new(t + shift, libm::sinf(2.0 * t + shift), 0.2 * shift);
            Aabb::new(center - 0.2, center + 0.2)
        })
        .collect()
}

#[test]
fn link_pairs_are_those_of_overlapping_boxes() {
    for (count_a, count_b) in [(0, 5), (1, 1), (8, 8), (16, 3)] {
        for step in 0..40 {
            let (a, b) = (chain(count_a, 0.0), chain(count_b, -2.0 + 0.1 * step as f32));
            let expected: Vec<(u32, u32)> = (0..count_a as u32)
                .flat_map(|i| (0..count_b as u32).map(move |j| (i, j)))
                .filter(|&(i, j)| {
                    let (x, y) = (a[i as usize], b[j as usize]);
                    let apart = |k: usize| x.max[k] < y.min[k] || y.max[k] < x.min[k];
                    x != Aabb::EMPTY && y != Aabb::EMPTY && !(0..3).any(apart)
                })
                .collect();
            for kind in LinkTreeKind::ALL {
                let mut pairs = Vec::new();
                link_pairs(kind, &a, &b, &mut pairs);
                assert_eq!(pairs, expected, "{}", kind.name());
            }
        }
    }
}
