//! Distances within a bound, from a cold start and from the last answer, against brute force.

use glam::{DQuat, DVec3, Vec3};

use super::TestLink;
use super::judge::{boat, brute_distance, cuboid, mesh, vector};
use crate::generate;
use crate::mesh::intersects;
use crate::pose::Pose;
use crate::query::{PairMemory, Placed, Seed, crossing_reach, distance};
use crate::random::Random;
use crate::tree::TreeKind;

fn placed<'a>(part: &'a TestLink, pose: &Pose) -> Placed<'a> {
    Placed::new(&part.tree, &part.mesh, *pose)
}

#[test]
fn distances_are_those_of_all_triangles_and_none_beyond_the_bound_whatever_was_asked_before() {
    let mut random = Random::new(51, 0);
    let meshes = || [boat(Vec3::new(0.6, 0.1, 0.1), 10), mesh(generate::torus(0.3, 0.1, 10, 6))];
    let kinds = [TreeKind::Boxtree8, TreeKind::Boxtree4, TreeKind::Aabb, TreeKind::BruteForce];
    let parts = kinds.map(|kind| meshes().map(|m| TestLink::of_kind(m, kind)));
    let mut memories: Vec<PairMemory> = kinds.iter().map(|_| PairMemory::default()).collect();
    let (mut beyond, mut within, mut crossing) = (0, 0, 0);
    for round in 0..24 {
        let own = Pose::new(random.rotation(), vector(&mut random));
        let b_to_a = Pose::new(random.rotation(), 0.9 * vector(&mut random));
        let other = own * b_to_a;
        let right = brute_distance([&parts[0][0].mesh, &parts[0][1].mesh], &b_to_a);
        let bound = [f64::INFINITY, 0.3, 0.1, 0.0][round % 4];
        for ([a, b], memory) in parts.iter().zip(&mut memories) {
            let found = distance(&placed(a, &own), &placed(b, &other), bound, memory);
            assert_eq!(found.is_some(), right <= bound, "{right} within {bound}");
            let Some(found) = found else { continue };
            assert!((found.distance - right).abs() < 1e-9, "{found:?}, not {right}");
            let [p, q] = found.points;
            assert!((p.distance(q) - found.distance).abs() < 1e-9, "{found:?}");
            let [ta, tb] = found.triangles;
            let corners = |part: &TestLink, pose: &Pose, t: u32| {
                part.mesh.corners(t).map(|corner| pose.transform_point(corner))
            };
            let met = intersects(&corners(a, &own, ta), &corners(b, &other, tb));
            assert!(met == (right == 0.0) || found.distance < 1e-9, "{found:?}");
        }
        beyond += u32::from(right > bound);
        within += u32::from(right > 0.0 && right <= bound);
        crossing += u32::from(right == 0.0);
    }
    assert!(beyond > 2 && within > 2 && crossing > 2, "{beyond}, {within}, {crossing}");
}

#[test]
fn a_seed_of_the_last_pose_changes_no_answer_and_swapped_parts_are_as_far_apart() {
    let ring = TestLink::new(mesh(generate::torus(0.3, 0.1, 40, 24)));
    let bar = TestLink::new(cuboid(Vec3::new(0.9, 0.1, 0.2)));
    let (mut warm, mut cold) = (PairMemory::default(), PairMemory::default());
    for step in 0..200 {
        let t = 0.01 * f64::from(step);
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 6.0 * t, 4.0 * t, 0.0);
        let pose = Pose::new(turn, DVec3::new(0.9 + 0.3 * libm::cos(9.0 * t), 0.1, 0.2 * t));
        cold.seed = Seed::default();
        let two = [placed(&ring, &Pose::IDENTITY), placed(&bar, &pose)];
        let again = distance(&two[0], &two[1], f64::INFINITY, &mut warm).unwrap();
        assert_eq!(distance(&two[0], &two[1], f64::INFINITY, &mut cold), Some(again), "{step}");
        cold.seed = Seed::default();
        let swapped = distance(&two[1], &two[0], f64::INFINITY, &mut cold).unwrap();
        assert!((swapped.distance - again.distance).abs() < 1e-12, "{step}: {swapped:?}, {again:?}");
    }
}

#[test]
fn a_surface_inside_another_is_as_far_away_as_its_surface() {
    let [outer, inner] = [cuboid(Vec3::ONE), cuboid(Vec3::splat(0.2))].map(TestLink::new);
    let pose = Pose::from_position(DVec3::X * 0.3);
    let (a, b) = (placed(&outer, &Pose::IDENTITY), placed(&inner, &pose));
    let found = distance(&a, &b, f64::INFINITY, &mut PairMemory::default()).unwrap();
    assert!((found.distance - 0.1).abs() < 1e-6, "{found:?}");
    let nowhere = Placed { pose: Pose::from_position(DVec3::NAN), ..b };
    assert_eq!(distance(&a, &nowhere, f64::INFINITY, &mut PairMemory::default()), None);
}

#[test]
fn sheets_reach_as_far_through_each_other_as_the_lesser_of_the_two() {
    let square = |side: f32| {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = corners.map(|[x, z]: [f32; 2]| 0.5 * side * Vec3::new(x, 0.0, z)).to_vec();
        TestLink::new(mesh((corners, vec![[0, 1, 2], [0, 2, 3]])))
    };
    let (floor, wall) = (square(1.0), square(0.2));
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let reach = |height: f64| {
        let pose = Pose::new(upright, DVec3::new(0.0, height, 0.03));
        let (a, b) = (placed(&floor, &Pose::IDENTITY), placed(&wall, &pose));
        crossing_reach(&a, &b, &mut PairMemory::default())
    };
    assert!((reach(0.09) - 0.01).abs() < 1e-6, "{}", reach(0.09));
    assert!(reach(0.1) < 1e-7 && reach(0.11) == 0.0, "it stands on it, and is above");
}
