//! The test of whether surfaces are within a distance, against the distance of all pairs of triangles.

use glam::{DQuat, DVec3, Vec3};

use super::TestLink;
use super::judge::{boat, brute_distance, mesh, vector};
use crate::generate;
use crate::pose::Pose;
use crate::query::exact::are_within;
use crate::random::Random;
use crate::tree::{Counts, DescentScratch, TreeKind};

fn within([a, b]: [&TestLink; 2], pose: &Pose, distance: f64) -> bool {
    let (mut descent, mut near) = (DescentScratch::default(), Vec::new());
    let surfaces = [(&a.tree, &a.mesh), (&b.tree, &b.mesh)];
    are_within(surfaces, pose, distance, (&mut descent, &mut near), &mut Counts::default())
}

#[test]
fn surfaces_are_within_what_all_pairs_of_triangles_say_for_every_kind_of_tree() {
    let mut random = Random::new(31, 0);
    let meshes = || [boat(Vec3::new(0.6, 0.1, 0.1), 10), mesh(generate::torus(0.3, 0.1, 10, 6))];
    let kinds = [TreeKind::Boxtree8, TreeKind::OBB, TreeKind::Aabb, TreeKind::Octree, TreeKind::BruteForce];
    let parts = kinds.map(|kind| meshes().map(|m| TestLink::of_kind(m, kind)));
    let mut apart_count = 0;
    for _ in 0..24 {
        let pose = Pose::new(random.rotation(), 0.9 * vector(&mut random));
        let distance = brute_distance([&parts[0][0].mesh, &parts[0][1].mesh], &pose);
        for [a, b] in &parts {
            assert!(within([a, b], &pose, 1.0001 * distance), "{distance}");
            assert!(distance == 0.0 || !within([a, b], &pose, 0.9999 * distance), "{distance}");
        }
        apart_count += u32::from(distance > 0.0);
    }
    assert!((6..23).contains(&apart_count), "{apart_count}");
}

/// Tests surfaces whose boxes are within the distance along each axis, although the surfaces are farther
/// apart. Boxes enlarged by the distance would overlap in nearly all pairs of nodes.
#[test]
fn surfaces_farther_apart_at_a_corner_take_few_node_tests() {
    let ball = || TestLink::of_kind(mesh(generate::sphere(0.1, 48)), TreeKind::Boxtree8);
    let [a, b] = [ball(), ball()];
    let pose = Pose::new(DQuat::IDENTITY, DVec3::splat(0.5));
    let gap = brute_distance([&a.mesh, &b.mesh], &pose);
    let (mut descent, mut near, mut counts) = (DescentScratch::default(), Vec::new(), Counts::default());
    let mut is_within = |distance: f64| {
        counts = Counts::default();
        let surfaces = [(&a.tree, &a.mesh), (&b.tree, &b.mesh)];
        let is_near = are_within(surfaces, &pose, distance, (&mut descent, &mut near), &mut counts);
        (is_near, counts.node_test_count)
    };
    let (is_near, test_count) = is_within(0.9 * gap);
    assert!(!is_near && test_count < 1000, "{test_count} node tests");
    assert!(is_within(1.0001 * gap).0);
}

/// Tests pairs in which one triangle pierces another far from all corners and edges.
#[test]
fn surfaces_that_cross_are_within_any_distance() {
    let [plate, needle] = [Vec3::new(2.0, 2.0, 0.01), Vec3::new(0.01, 0.01, 2.0)]
        .map(|size| TestLink::new(mesh(generate::cuboid(size, 2.0))));
    let pose = Pose::from_position(glam::DVec3::new(0.3, 0.2, 0.0));
    assert!(within([&plate, &needle], &pose, 1e-6));
}
