//! Tests of links queried by their triangles, against brute force and against convex links.

use glam::{DQuat, DVec3, Vec3};

use super::judge::{boat, brute_distance, cuboid, direction, ellipsoid, mesh, reach_along, vector};
use super::{TestLink, after_moving_a, ask, swapped};
use crate::generate;
use crate::pose::Pose;
use crate::query::exact::{Exact, Start};
use crate::random::Random;
use crate::tree::TreeKind;

fn boats() -> [TestLink; 2] {
    [Vec3::new(0.6, 0.1, 0.1), Vec3::new(0.5, 0.12, 0.15)].map(|radii| TestLink::new(boat(radii, 12)))
}

#[test]
fn the_distance_is_that_of_all_pairs_of_triangles_for_every_kind_of_tree() {
    let mut random = Random::new(21, 0);
    let meshes = || [boat(Vec3::new(0.6, 0.1, 0.1), 10), mesh(generate::torus(0.3, 0.1, 10, 6))];
    let kinds = [TreeKind::Boxtree8, TreeKind::Boxtree4, TreeKind::Aabb, TreeKind::BruteForce];
    let parts = kinds.map(|kind| meshes().map(|m| TestLink::of_kind(m, kind)));
    let mut apart_count = 0;
    let mut start = Start::default();
    for _ in 0..20 {
        let pose = Pose::new(random.rotation(), 0.9 * vector(&mut random));
        let brute = brute_distance([&parts[0][0].mesh, &parts[0][1].mesh], &pose);
        let answers = parts.each_ref().map(|[a, b]| ask([a.link(), b.link()], &pose));
        assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?}");
        assert!((answers[0].distance - brute).abs() < 1e-9, "{:?} {brute}", answers[0]);
        let warm = Exact::default().query([parts[0][0].link(), parts[0][1].link()], &pose, &mut start);
        assert_eq!(warm.distance, answers[0].distance);
        apart_count += u32::from(brute > 0.0);
    }
    assert!((4..20).contains(&apart_count), "{apart_count}");
}

#[test]
fn convex_links_by_their_triangles_meet_where_they_meet_as_convex_ones() {
    let mut random = Random::new(22, 0);
    let parts = [
        TestLink::new(ellipsoid(Vec3::new(0.1, 0.1, 0.6), 14)),
        TestLink::new(mesh(generate::cuboid(Vec3::new(0.3, 0.2, 0.5), 0.1))),
    ];
    let mut exact = Exact::default();
    let (mut cold, mut warm) = (Start::default(), Start::default());
    let mut hit_count = 0;
    for case in 0..800 {
        let pose = Pose::new(random.rotation(), 0.5 * random.uniform() * direction(&mut random));
        let answer = ask([parts[0].link(), parts[1].link()], &pose);
        if (answer.distance - answer.depth).abs() < 1e-9 {
            continue;
        }
        let surfaces = [parts[0].surface(), parts[1].surface()];
        let hit = exact.intersects(surfaces, &pose, &mut warm);
        assert_eq!(hit, answer.depth > 0.0, "case {case}: {answer:?}");
        assert_eq!(exact.query(surfaces, &pose, &mut cold).distance == 0.0, hit, "case {case}");
        hit_count += u32::from(hit);
    }
    assert!((250..700).contains(&hit_count), "{hit_count}");
}

#[test]
fn the_depth_of_convex_links_by_their_triangles_is_that_along_a_good_normal() {
    let mut random = Random::new(23, 0);
    let parts = [
        TestLink::new(ellipsoid(Vec3::new(0.1, 0.1, 0.6), 14)),
        TestLink::new(cuboid(Vec3::new(0.3, 0.2, 0.5))),
        TestLink::new(ellipsoid(Vec3::new(0.3, 0.25, 0.2), 12)),
    ];
    let mut exact = Exact::default();
    let (mut count, mut exact_count) = (0, 0);
    for case in 0..400 {
        let [a, b] = [&parts[case % 3], &parts[case / 3 % 3]];
        let pose = Pose::new(random.rotation(), 0.8 * random.uniform() * direction(&mut random));
        let convex = ask([a.link(), b.link()], &pose);
        if convex.depth < 1e-3 {
            continue;
        }
        let surfaces = [a.surface(), b.surface()];
        let answer = exact.query(surfaces, &pose, &mut Start::default());
        let along = reach_along([&a.mesh, &b.mesh], &pose, answer.normal);
        assert!(answer.depth > 0.9 * convex.depth, "case {case}: {answer:?} {convex:?}");
        assert!(answer.depth <= along + 1e-6, "case {case}: {answer:?} {along}");
        count += 1;
        exact_count += u32::from(answer.depth < 1.1 * convex.depth);
    }
    assert!(count > 150 && 10 * exact_count > 8 * count, "{exact_count} of {count}");
}

#[test]
fn swapping_surfaces_turns_the_answer_around() {
    let mut random = Random::new(24, 0);
    let [a, b] = boats();
    let mut same_count = 0;
    for case in 0..200 {
        let pose = Pose::new(random.rotation(), 0.5 * random.uniform() * direction(&mut random));
        let answer = ask([a.link(), b.link()], &pose);
        let back = swapped(&ask([b.link(), a.link()], &pose.inverse()), &pose.inverse());
        assert!((answer.distance - back.distance).abs() < 1e-9, "case {case}: {answer:?} {back:?}");
        same_count += u32::from(
            (answer.depth - back.depth).abs() < 1e-9 && answer.normal.dot(back.normal) > 1.0 - 1e-6,
        );
    }
    assert!(same_count >= 160, "{same_count}: which of two ways is taken may differ");
}

#[test]
fn moving_by_the_depth_takes_links_with_dents_out_of_each_other() {
    let mut random = Random::new(25, 0);
    let [a, b] = boats();
    let mut exact = Exact::default();
    let (mut count, mut once_count) = (0, 0);
    for _ in 0..200 {
        let pose = Pose::new(random.rotation(), 0.4 * random.uniform() * direction(&mut random));
        let mut moved = pose;
        for round in 0..20 {
            let answer = exact.query([a.link(), b.link()], &moved, &mut Start::default());
            if answer.distance > 0.0 {
                count += u32::from(round > 0);
                once_count += u32::from(round == 1);
                break;
            }
            moved = after_moving_a(&moved, (1.001 * answer.depth + 2e-6) * answer.normal);
        }
    }
    assert!(count > 100 && 10 * once_count > 7 * count, "{once_count} of {count}");
}

#[test]
fn bars_that_cross_are_as_deep_as_their_edges() {
    let bar = TestLink::new(cuboid(Vec3::new(2.0, 0.2, 0.2)));
    let edge_up = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    // Both on edge, crossing at right angles: their centers are 0.01 less than two half diagonals
    // apart.
    let apart = 0.2 * 2.0_f64.sqrt() - 0.01;
    let across = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let (pose_a, pose_b) =
        (Pose::new(edge_up, DVec3::ZERO), Pose::new(across * edge_up, DVec3::new(0.1, 0.05, -apart)));
    let pose = pose_b.relative_to(&pose_a);
    for links in [[bar.link(), bar.link()], [bar.surface(), bar.surface()]] {
        let answer = ask(links, &pose);
        let normal = pose_a.transform_vector(answer.normal);
        assert!((answer.depth - 0.01).abs() < 1e-6 && normal.distance(DVec3::Z) < 1e-6, "{answer:?}");
    }
}

#[test]
fn a_link_inside_another_is_pushed_out() {
    let shell = TestLink::new(mesh(generate::cuboid(Vec3::new(2.0, 2.0, 2.0), 0.5)));
    let part = TestLink::new(boat(Vec3::new(0.3, 0.05, 0.05), 12));
    let pose = Pose::from_position(DVec3::new(0.1, 0.2, 0.7));
    let answer = ask([shell.link(), part.link()], &pose);
    // The direction of separation is up for the part, so down for the shell: the gap of 0.25 plus the
    // part's height.
    assert!(answer.normal.distance(DVec3::NEG_Z) < 1e-6, "{answer:?}");
    assert!(answer.distance == 0.0 && (answer.depth - 0.35).abs() < 1e-6, "{answer:?}");
    let back = swapped(&ask([part.link(), shell.link()], &pose.inverse()), &pose.inverse());
    assert!((back.depth - answer.depth).abs() < 1e-9 && back.normal.distance(answer.normal) < 1e-9);
    assert!(Exact::default().intersects([shell.link(), part.link()], &pose, &mut Start::default()));
    // The hole of a ring is outside.
    let ring = TestLink::new(mesh(generate::torus(1.0, 0.3, 24, 12)));
    let answer = ask([ring.link(), part.link()], &Pose::IDENTITY);
    assert!(answer.distance > 0.2, "{answer:?}");
}

#[test]
fn of_several_patches_the_deepest_is_answered() {
    // A plate under two balls of one mesh; the second ball is lower.
    let (mut positions, mut triangles) = generate::sphere(0.5, 12);
    let count = positions.len() as u32;
    let second: Vec<Vec3> = positions.iter().map(|p| *p + Vec3::new(3.0, 0.0, -0.05)).collect();
    positions.extend(second);
    let more: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| v + count)).collect();
    triangles.extend(more);
    let balls = TestLink::new(mesh((positions, triangles)));
    let plate = TestLink::new(cuboid(Vec3::new(20.0, 20.0, 1.0)));
    let answer = ask([balls.link(), plate.link()], &Pose::from_position(DVec3::new(0.0, 0.0, -0.9)));
    assert!(answer.normal.distance(DVec3::Z) < 1e-6, "{answer:?}");
    assert!((answer.depth - 0.15).abs() < 1e-6 && answer.points[0].x > 2.0, "{answer:?}");
}

#[test]
fn any_pose_gets_an_answer() {
    let parts = [
        TestLink::new(boat(Vec3::new(0.6, 0.1, 0.1), 10)),
        TestLink::new(mesh((vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]))),
        TestLink::new(cuboid(Vec3::ONE)),
    ];
    for a in &parts {
        for b in &parts {
            for x in [f64::NAN, f64::INFINITY, 1e99, 1e12, 1e-300, 0.5, 1.0, 0.0] {
                for rotation in [
                    DQuat::IDENTITY,
                    DQuat::from_xyzw(0.5, 0.5, -0.5, 0.5),
                    DQuat::from_xyzw(x, 0.0, 0.0, 1.0).normalize(),
                ] {
                    let pose = Pose::new(rotation, DVec3::new(x, 0.0, 0.0));
                    let mut start = Start::default();
                    let links = [a.surface(), b.surface()];
                    let answer = Exact::default().query(links, &pose, &mut start);
                    let numbers =
                        [answer.distance, answer.depth, answer.points[0].length(), answer.points[1].length()];
                    assert!(!numbers.iter().any(|x| x.is_nan()), "{pose:?}: {answer:?}");
                    assert!((answer.normal.length() - 1.0).abs() < 1e-6, "{pose:?}: {answer:?}");
                    Exact::default().intersects(links, &pose, &mut start);
                }
            }
        }
    }
}
