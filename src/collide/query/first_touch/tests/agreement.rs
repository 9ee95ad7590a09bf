//! Agreement of hierarchies and of equivalent questions, and degenerate input.

use std::sync::atomic::Ordering;

use glam::{DVec3, Vec3};

use super::{Motion, Part, TOUCH, TouchBuffers, TouchSearch, first_touch, screw, shape, surfaces, touch_of};
use crate::generate;
use crate::pose::Pose;
use crate::random::Random;
use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

#[test]
fn every_kind_of_hierarchy_finds_the_same_touch_bit_for_bit() {
    let mut random = Random::new(72, 0);
    let mut touches = 0;
    for round in 0..60 {
        let meshes = [(); 2].map(|()| shape(&mut random));
        let of_kind = |kind| meshes.each_ref().map(|mesh| Part::of_kind(mesh.clone(), kind));
        let [a, b] = of_kind(TreeKind::default());
        let motions = [screw(&a, &mut random), screw(&b, &mut random)];
        // A large distance of touch makes pairs that are between it and the ignored distance likely.
        let (touch, ignored) = [(TOUCH, 0.0), (1e-2, 5e-3)][round % 2];
        let answer = |[a, b]: [&Part; 2]| {
            let (surfaces, motions) = (surfaces([a, b]), [&motions[0], &motions[1]]);
            super::ask(&TouchSearch { surfaces, motions, start: 0.0, touch, ignored })
        };
        let found = answer([&a, &b]);
        touches += u32::from(found.is_some());
        for kind in TreeKind::ALL {
            let [a, b] = of_kind(kind);
            assert_eq!(answer([&a, &b]), found, "{}, round {round}", kind.name());
        }
    }
    assert!((15..55).contains(&touches), "{touches}");
}

#[test]
fn swapped_and_moved_parts_touch_at_the_same_share() {
    let mut random = Random::new(73, 0);
    let mut touches = 0;
    for round in 0..600 {
        let [a, b] = [(); 2].map(|()| Part::new(shape(&mut random)));
        let motions = [screw(&a, &mut random), screw(&b, &mut random)];
        let found = touch_of([&a, &b], [&motions[0], &motions[1]]).map(|touch| touch.share);
        let away = 100.0 * vector_of_length_one(&mut random);
        let moved = motions.map(|motion| Motion {
            from: Pose::new(motion.from.rotation, motion.from.position + away),
            ..motion
        });
        let others =
            [touch_of([&b, &a], [&motions[1], &motions[0]]), touch_of([&a, &b], [&moved[0], &moved[1]])];
        for other in others.map(|other| other.map(|touch| touch.share)) {
            let differ = found.zip(other).map(|(x, y)| (x - y).abs());
            let speeds = motions.map(|m| m.shift.length() + m.turn.length() * m.radius);
            // The search ends within 1 % of the touching distance; a grazing touch takes longer to close it.
            let tolerance = 1e-9 + 0.04 * TOUCH / (speeds[0] + speeds[1]);
            let is_same = differ.map_or(found == other, |by| by <= tolerance);
            assert!(is_same, "round {round}: {found:?}, {other:?}");
        }
        touches += u32::from(found.is_some());
    }
    assert!(touches > 100, "{touches}");
}

fn vector_of_length_one(random: &mut Random) -> DVec3 {
    super::vector(random).normalize()
}

#[test]
fn degenerate_motions_and_triangles_end_with_a_finite_answer() {
    // A mesh has no degenerate triangles unless it is reshaped.
    let parts = [Vec3::X, Vec3::ZERO, Vec3::ONE].map(|shrunk| {
        let mut part = Part::new(generate::cuboid(Vec3::ONE, 9.0));
        part.mesh.reshape(|p| p * shrunk);
        part.tree = Tree::build(TreeKind::default(), SplitRule::default(), &part.mesh);
        part
    });
    let ways = [0.0, 1e-300, 1.0, 1e6].map(|way| DVec3::new(0.0, 0.1, -1.0) * way);
    let turns = [0.0, 1e-300, 7.0, 1e4].map(|turn| DVec3::new(0.6, 0.0, 0.8) * turn);
    for a in &parts {
        for b in &parts {
            for height in [0.5, 1.0, 1.0 + 5e-7, 1.5] {
                for shift in ways {
                    for turn in turns {
                        let motions = [
                            a.from(DVec3::Z * height, [shift, turn]),
                            b.from(DVec3::ZERO, [DVec3::ZERO, DVec3::ZERO]),
                        ];
                        let found = touch_of([a, b], [&motions[0], &motions[1]]);
                        let is_fine = found.is_none_or(|touch| (0.0..=1.0).contains(&touch.share));
                        assert!(is_fine, "{found:?}");
                        let points = found.and_then(|touch| touch.nearest).map(|nearest| nearest.points);
                        assert!(points.is_none_or(|[p, q]| p.is_finite() && q.is_finite()), "{found:?}");
                    }
                }
            }
        }
    }
    let [moving, still] = [DVec3::NAN, DVec3::ZERO].map(|shift| parts[2].from(shift, [shift, shift]));
    assert_eq!(touch_of([&parts[2], &parts[2]], [&moving, &still]), None);
}

#[test]
fn a_stopped_search_and_one_with_too_much_work_return_the_share_proven_free() {
    let rod = Part::new(generate::cuboid(Vec3::new(1.0, 0.01, 0.01), 0.1));
    let ring = Part::new(generate::torus(0.6, 0.09, 24, 12));
    let spin = rod.from(DVec3::ZERO, [DVec3::ZERO, DVec3::Z * 1e6]);
    let still = ring.from(DVec3::ZERO, [DVec3::ZERO, DVec3::ZERO]);
    let (surfaces, motions) = (surfaces([&rod, &ring]), [&spin, &still]);
    let search = TouchSearch { surfaces, motions, start: 0.25, touch: TOUCH, ignored: 0.0 };
    let (mut descent, mut buffers) = (DescentScratch::default(), TouchBuffers::default());
    let mut ask = |descent: &mut DescentScratch| {
        first_touch(&search, descent, &mut buffers, &mut Counts::default()).unwrap()
    };
    let tired = ask(&mut descent);
    assert!(!tired.is_certain() && tired.share > 0.25 && tired.share < 1.0, "{tired:?}");
    descent.stop.store(true, Ordering::Relaxed);
    let stopped = ask(&mut descent);
    assert!(!stopped.is_certain() && stopped.share >= 0.25 && stopped.share <= tired.share, "{stopped:?}");
}
