//! Tests of the distance filter: each dropped pair is compared with its measured distance.

use glam::{DQuat, DVec3, Vec3};

use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::exact::triangles::gap;
use crate::query::nearer::NearerFilter;
use crate::random::Random;

/// Builds slivers, degenerate triangles and a lattice with many equal distances, at the origin and a
/// kilometer from it.
#[test]
fn nothing_within_a_distance_is_sieved_out() {
    let mut random = Random::new(12, 0);
    let (mut all, mut within, mut kept_count) = (0, 0, 0);
    for round in 0..60 {
        let far = [0.0, 1e3][round % 2] * DVec3::ONE;
        let mut soup = || {
            let mut step = |extent: f64| 0.1 * (extent * random.signed()).round();
            let mut positions: Vec<Vec3> =
                (0..30).map(|_| (far + DVec3::new(step(5.0), step(4.0), step(3.0))).as_vec3()).collect();
            positions.extend_from_within(..10);
            positions[30..].iter_mut().for_each(|p| *p += Vec3::new(1e-4, 0.0, 2e-4));
            let mut corner = || (40.0 * random.uniform()) as u32 % 40;
            let triangles: Vec<[u32; 3]> = (0..50).map(|_| [corner(), corner(), corner()]).collect();
            Mesh::new("soup", &positions, &triangles).unwrap()
        };
        let (a, b) = (soup(), soup());
        let turn = DQuat::from_rotation_y(0.4 * (round % 5) as f64);
        let apart = DVec3::new(1.1, 0.3, 0.1 * (round % 4) as f64);
        let b_to_a = Pose::new(turn, far + apart - turn * far);
        let (filter, triangles) = (NearerFilter::new([&a, &b], &b_to_a), b.triangles().len() as u32);
        let pairs: Vec<[u32; 2]> =
            (0..a.triangles().len() as u32).flat_map(|ta| (0..triangles).map(move |tb| [ta, tb])).collect();
        let squares: Vec<f64> = pairs
            .iter()
            .map(|&[ta, tb]| gap(&a.corners(ta), &b.corners(tb).map(|p| b_to_a.transform_point(p))).square)
            .collect();
        for distance in [0.0, 0.05, 0.3, 0.7] {
            // In the other rounds, the distance equals that of a pair, which the filter must keep.
            let least = squares.iter().copied().filter(|&s| s >= distance * distance).fold(9.0, f64::min);
            let distance = if round % 3 == 0 { distance } else { least.sqrt() };
            let mut kept = Vec::new();
            filter.keep(&pairs, distance, &mut kept);
            let near = pairs.iter().zip(&squares).filter(|(_, square)| square.sqrt() <= distance);
            for (pair, square) in near {
                assert!(kept.binary_search(pair).is_ok(), "{pair:?} at {} of {distance}", square.sqrt());
                within += 1;
            }
            (all, kept_count) = (all + pairs.len(), kept_count + kept.len());
        }
    }
    assert!(within > 10_000, "{within}");
    assert!(kept_count < within + (all - within) / 50, "{kept_count} of {all} kept, {within} within");
}
