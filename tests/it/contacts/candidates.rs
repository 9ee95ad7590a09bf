//! Changes that must not affect the contacts: another order of candidates, extra candidates, and
//! candidates that come in parts.

use glam::{DQuat, DVec3};
use tumble::generate;
use tumble::pose::Pose;
use tumble::random::Random;
use tumble::tree::TreeKind;

use super::*;

#[test]
fn candidates_that_come_in_parts_give_the_contacts_of_all_at_once() {
    let ring = generate::torus(0.5, 0.2, 48, 24);
    let pose = Pose::new(DQuat::from_rotation_x(1.3), DVec3::new(0.62, 0.03, 0.11));
    let found = |size: Option<usize>| {
        let mut probe = Probe::new(&ring, Pose::IDENTITY, &ring, pose);
        probe.pair.judged.crossing_extent = Some(0.0);
        probe.search();
        let counts = match size {
            None => probe.query(false),
            Some(size) => probe.query_in_parts(size),
        };
        (
            counts,
            probe.contacts().to_vec(),
            probe.pair.judged.crossing_extent,
            probe.pair.judged.is_intersecting,
        )
    };
    let whole = found(None);
    assert!(whole.0.intersection_count > 10 && !whole.1.is_empty() && whole.2 > Some(1e-3), "{whole:?}");
    for size in [1, 7, 1000] {
        assert!(found(Some(size)) == whole, "{size} at a time");
    }
}

#[test]
fn the_order_of_candidates_and_extra_ones_change_no_bit() {
    let ring = generate::torus(0.3, 0.1, 32, 16);
    let pose = Pose::new(DQuat::from_rotation_x(0.02), DVec3::new(0.05, 0.02, 0.19));
    let found = |arrange: fn(&mut Vec<[u32; 2]>)| {
        let mut probe = Probe::new(&ring, Pose::IDENTITY, &ring, pose);
        probe.search();
        arrange(&mut probe.pair.search.candidates);
        let counts = probe.query(false);
        (probe.pair.contacts, counts.intersection_count)
    };
    let plain = found(|_| ());
    assert!(!plain.0.is_empty());
    assert_eq!(found(|c| c.reverse()), plain);
    // The shuffle is fixed. It uses a multiplicative hash of the pair.
    assert_eq!(found(|c| c.sort_by_key(|p| (p[0] ^ p[1] << 7).wrapping_mul(2_654_435_761))), plain);
    let all = found(|c| *c = (0..1024).flat_map(|a| (0..1024).map(move |b| [a, b])).collect());
    assert_eq!(all, plain);
}

/// Searches rings deep in each other with a margin far below that depth. Boxes and planes of two
/// triangles come within it where the triangles do not, so loose hierarchies find pairs that tight ones
/// do not.
#[test]
fn features_that_only_loose_volumes_find_give_no_contact() {
    let ring = generate::torus(0.3, 0.1, 20, 10);
    let triangle_count = ring.1.len() as u32;
    let mut random = Random::new(7, 0);
    let mut deep_count = 0;
    for pose in 0..150 {
        let place = DVec3::new(random.signed(), random.signed(), random.signed()) * 0.3;
        let place = Pose::new(random.rotation(), place);
        let found = |kind: Option<TreeKind>| {
            let mut probe = Probe::new(&ring, Pose::IDENTITY, &ring, place);
            let two = [(&probe.states[0], &probe.infos[0]), (&probe.states[1], &probe.infos[1])];
            probe.pair.search.margin = 2.0 * probe.pair.speculative(two, AHEAD);
            match kind {
                None => {
                    let all = |a| (0..triangle_count).map(move |b| [a, b]);
                    probe.pair.search.candidates = (0..triangle_count).flat_map(all).collect();
                }
                Some(kind) => probe.gather(kind),
            }
            let counts = probe.query(false);
            (probe.pair.contacts, counts.intersection_count)
        };
        let all = found(None);
        deep_count += u32::from(all.1 > 0);
        for kind in [TreeKind::OBB, TreeKind::Aabb, TreeKind::Sphere, TreeKind::ALL[0]] {
            assert_eq!(found(Some(kind)), all, "pose {pose}, {}", kind.name());
        }
    }
    assert!(deep_count > 50, "{deep_count}");
}
