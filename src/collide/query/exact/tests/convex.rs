//! Tests of convex links against the all-axes test.

use glam::{DQuat, DVec3, Vec3};

use super::judge::{all_axes, boat, cuboid, direction, ellipsoid, mesh, reach_along, tetrahedron, vector};
use super::{TestLink, after_moving_a, ask, swapped};
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::exact::{Exact, Start, WayOut};
use crate::random::Random;

/// Builds a box, tetrahedron, coarse ellipsoid, plate or 1:1000 rod, as selected by `family`.
fn random_mesh(random: &mut Random, family: usize) -> Mesh {
    let side = |random: &mut Random| 0.2 + random.uniform() as f32;
    match family {
        0 => cuboid(Vec3::new(side(random), side(random), side(random))),
        1 => loop {
            let corners = [(); 4].map(|()| vector(random).as_vec3());
            let volume =
                (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(corners[3] - corners[0]);
            if volume.abs() > 1e-2 {
                return tetrahedron(corners);
            }
        },
        2 => ellipsoid(Vec3::new(side(random), side(random), side(random)), 6),
        3 => cuboid(Vec3::new(1.0, 0.001, 0.3)),
        _ => cuboid(Vec3::new(0.001, 0.001, 1.0)),
    }
}

/// Builds two parts and a pose. At the pose they may be apart or intersect, slightly or deeply.
fn random_pair(random: &mut Random, case: usize) -> ([TestLink; 2], Pose) {
    let parts = [case % 5, case / 5 % 5].map(|family| TestLink::new(random_mesh(random, family)));
    let near = [0.0, 0.1, 0.6, 1.0][case / 25 % 4];
    (parts, Pose::new(random.rotation(), near * vector(random)))
}

/// Compares an answer with the all-axes test, and returns the overlap of the two parts.
fn judge(parts: &[TestLink; 2], pose: &Pose, answer: &WayOut) -> f64 {
    let meshes = [&parts[0].mesh, &parts[1].mesh];
    let (overlap, axis) = all_axes(meshes, pose);
    let error = 1e-9 * (parts[0].size() + parts[1].size());
    let along = reach_along(meshes, pose, answer.normal);
    let way = answer.points[0] - answer.points[1];
    let context = format!("{answer:?}, overlap {overlap} along {axis}, {along} along the normal");
    assert!((answer.normal.length() - 1.0).abs() < 1e-9, "{context}");
    if overlap >= 0.0 {
        assert_eq!(answer.distance, 0.0, "{context}");
        assert!((answer.depth - overlap).abs() < error, "{context}");
        assert!((along - overlap).abs() < error, "{context}");
        assert!(way.distance(-answer.depth * answer.normal) < error, "{context}");
    } else {
        assert_eq!(answer.depth, 0.0, "{context}");
        // The nearest points give an upper bound of the distance, and the normal an equal lower bound.
        assert!((answer.distance + along).abs() < error, "{context}");
        assert!(way.distance(answer.distance * answer.normal) < error, "{context}");
    }
    overlap
}

#[test]
fn depth_and_distance_are_those_of_the_all_axes_test() {
    let mut random = Random::new(11, 0);
    let (mut exact, mut hit_count) = (Exact::default(), 0);
    for case in 0..12_000 {
        let (parts, pose) = random_pair(&mut random, case);
        let links = [parts[0].link(), parts[1].link()];
        let answer = exact.query(links, &pose, &mut Start::default());
        let overlap = judge(&parts, &pose, &answer);
        assert_eq!(exact.intersects(links, &pose, &mut Start::default()), overlap >= 0.0, "case {case}");
        hit_count += u32::from(overlap >= 0.0);
    }
    assert!((3000..9000).contains(&hit_count), "{hit_count}");
}

#[test]
fn ellipsoids_agree_with_the_all_axes_test() {
    let mut random = Random::new(12, 0);
    let radii = [Vec3::new(0.1, 0.1, 0.6), Vec3::new(0.2, 0.15, 0.6)];
    let parts = radii.map(|r| TestLink::new(ellipsoid(r, 10)));
    for case in 0..40 {
        let apart = [0.0, 0.05, 0.3, 0.6][case % 4];
        let pose = Pose::new(random.rotation(), apart * direction(&mut random));
        judge(&parts, &pose, &ask([parts[0].link(), parts[1].link()], &pose));
    }
}

#[test]
fn surfaces_far_from_their_origins_are_measured_as_well() {
    let mut random = Random::new(13, 0);
    for case in 0..300 {
        let mut far = || (4096.0 * vector(&mut random)).round().as_vec3();
        let offsets = [far(), far()];
        let parts = offsets.map(|offset| {
            let (mut positions, triangles) = generate::cuboid(Vec3::new(1.0, 0.5, 2.0), 1e9);
            positions.iter_mut().for_each(|p| *p += offset);
            TestLink::new(mesh((positions, triangles)))
        });
        let rotation = random.rotation();
        let middle = offsets[0].as_dvec3() + [0.1, 1.0, 2.0][case % 3] * vector(&mut random);
        let pose = Pose::new(rotation, middle - rotation * offsets[1].as_dvec3());
        judge(&parts, &pose, &ask([parts[0].link(), parts[1].link()], &pose));
    }
}

#[test]
fn swapping_the_links_turns_the_answer_around() {
    let mut random = Random::new(14, 0);
    for case in 0..3000 {
        let (parts, pose) = random_pair(&mut random, case);
        let answer = ask([parts[0].link(), parts[1].link()], &pose);
        let back = swapped(&ask([parts[1].link(), parts[0].link()], &pose.inverse()), &pose.inverse());
        assert!((answer.distance - back.distance).abs() < 1e-9, "{case}: {answer:?} {back:?}");
        assert!((answer.depth - back.depth).abs() < 1e-9, "{case}: {answer:?} {back:?}");
        // If two directions are equally short, either is correct.
        let meshes = [&parts[0].mesh, &parts[1].mesh];
        let along = [answer, back].map(|a| reach_along(meshes, &pose, a.normal));
        assert!((along[0] - along[1]).abs() < 1e-8, "{case}: {answer:?} {back:?}");
    }
}

#[test]
fn moving_by_the_depth_separates_and_by_less_does_not() {
    let mut random = Random::new(15, 0);
    let mut exact = Exact::default();
    for case in 0..3000 {
        let (parts, pose) = random_pair(&mut random, case);
        let links = [parts[0].link(), parts[1].link()];
        let mut start = Start::default();
        let answer = exact.query(links, &pose, &mut start);
        if answer.depth < 1e-6 {
            continue;
        }
        let mut moved = |share: f64| {
            exact.query(links, &after_moving_a(&pose, share * answer.depth * answer.normal), &mut start)
        };
        assert!(moved(1.0).depth < 1e-9, "case {case}: {answer:?}");
        assert!(moved(1.0 + 1e-6).distance > 0.0, "case {case}: {answer:?}");
        let left = moved(0.98);
        assert!((left.depth - 0.02 * answer.depth).abs() < 1e-9, "case {case}: {answer:?} {left:?}");
    }
}

#[test]
fn turning_and_moving_the_space_of_a_turns_and_moves_the_answer() {
    let mut random = Random::new(16, 0);
    for case in 0..1000 {
        let (parts, pose) = random_pair(&mut random, case);
        let answer = ask([parts[0].link(), parts[1].link()], &pose);
        // Exact in `f32`: the coordinates are permuted and shifted without rounding.
        let turn = |p: DVec3| DVec3::new(p.y, p.z, p.x);
        let surface = parts[0].mesh.surface();
        let positions: Vec<Vec3> = surface.vertices.iter().map(|v| turn(v.as_dvec3()).as_vec3()).collect();
        let turned = TestLink::new(mesh((positions, surface.triangles.clone())));
        let third = DQuat::from_axis_angle(DVec3::ONE.normalize(), -std::f64::consts::TAU / 3.0);
        assert!((third * DVec3::X).distance(turn(DVec3::X)) < 1e-15);
        let pose = Pose::new(third, DVec3::ZERO) * pose;
        let again = ask([turned.link(), parts[1].link()], &pose);
        assert!((answer.distance - again.distance).abs() < 1e-12, "case {case}: {answer:?} {again:?}");
        assert!((answer.depth - again.depth).abs() < 1e-12, "case {case}: {answer:?} {again:?}");
    }
}

#[test]
fn cached_results_change_no_answer() {
    let mut random = Random::new(17, 0);
    let mut exact = Exact::default();
    let radii = [Vec3::new(0.1, 0.1, 0.6), Vec3::new(0.2, 0.15, 0.6)];
    let parts = radii.map(|r| TestLink::new(ellipsoid(r, 18)));
    let boxes = [TestLink::new(cuboid(Vec3::ONE)), TestLink::new(cuboid(Vec3::new(0.2, 3.0, 0.5)))];
    let mut start = Start::default();
    for case in 0..3000 {
        // Seeds of other links, or from before a jump, must not change the answer.
        let parts = if case % 50 < 40 { &parts } else { &boxes };
        let links = [parts[0].link(), parts[1].link()];
        let pose = Pose::new(random.rotation(), 0.6 * vector(&mut random));
        let cold = exact.query(links, &pose, &mut Start::default());
        assert_eq!(exact.intersects(links, &pose, &mut start), cold.distance == 0.0, "case {case}");
        let warm = exact.query(links, &pose, &mut start);
        assert!((cold.distance - warm.distance).abs() < 1e-10, "case {case}: {cold:?} {warm:?}");
        assert!((cold.depth - warm.depth).abs() < 1e-10, "case {case}: {cold:?} {warm:?}");
        assert_eq!(
            exact.query(links, &pose, &mut start.clone()),
            exact.query(links, &pose, &mut start.clone())
        );
    }
}

#[test]
fn equal_links_at_one_pose_are_as_deep_as_they_are_thin() {
    let parts = [
        TestLink::new(cuboid(Vec3::new(3.0, 1.0, 2.0))),
        TestLink::new(ellipsoid(Vec3::new(0.3, 0.5, 0.7), 18)),
    ];
    for part in &parts {
        let answer = ask([part.link(), part.link()], &Pose::IDENTITY);
        let width = [0, 1, 2].map(|k| part.mesh.bounds().size()[k]).into_iter().fold(f32::INFINITY, f32::min);
        assert!((answer.depth / f64::from(width) - 1.0).abs() < 0.03, "{answer:?}");
        assert!(
            (reach_along([&part.mesh, &part.mesh], &Pose::IDENTITY, answer.normal) - answer.depth).abs()
                < 1e-9
        );
    }
}

#[test]
fn boxes_that_touch_meet_without_depth() {
    let part = TestLink::new(cuboid(Vec3::new(2.0, 2.0, 2.0)));
    let links = [part.link(), part.link()];
    // Face to face, edge to edge, corner to corner, and shifted.
    for at in
        [DVec3::new(2.0, 0.0, 0.0), DVec3::new(2.0, 2.0, 0.0), DVec3::splat(2.0), DVec3::new(0.5, -2.0, 0.25)]
    {
        let pose = Pose::from_position(at);
        let answer = ask(links, &pose);
        assert_eq!((answer.distance, answer.depth), (0.0, 0.0), "{at}: {answer:?}");
        assert!(
            (answer.normal.length() - 1.0).abs() < 1e-12 && answer.normal.dot(at) < 0.0,
            "{at}: {answer:?}"
        );
        assert!(Exact::default().intersects(links, &pose, &mut Start::default()));
        let beyond = Pose::from_position(at * (1.0 + 1e-12));
        assert!(ask(links, &beyond).distance > 0.0);
        assert!(!Exact::default().intersects(links, &beyond, &mut Start::default()));
    }
}

#[test]
fn any_pose_and_any_size_gets_an_answer() {
    let thin = [
        generate::cuboid(Vec3::new(1.0, 2.0, 1e-4), 1e9),
        generate::ellipsoid(Vec3::new(1.0, 1.0, 1e-5), 18),
    ];
    let mut parts = Vec::new();
    for size in [1e-15_f32, 1e-3, 1.0, 1e6, 1e15] {
        for (positions, triangles) in &thin {
            let positions = positions.iter().map(|p| size * *p).collect();
            parts.push(TestLink::new(mesh((positions, triangles.clone()))));
        }
    }
    assert!(parts.iter().all(|p| p.convex.is_some()));
    let bad = [f64::NAN, f64::INFINITY, f64::MAX, 1e99, 1e30, 1e-300, 0.0];
    for a in &parts {
        for b in &parts {
            for x in bad {
                let rotations = [
                    DQuat::IDENTITY,
                    DQuat::from_xyzw(0.5, 0.5, -0.5, 0.5),
                    DQuat::from_xyzw(x, 0.0, 0.0, 1.0).normalize(),
                ];
                for rotation in rotations {
                    let pose = Pose::new(rotation, DVec3::new(x, 0.0, 0.0));
                    let mut start = Start::default();
                    let answer = Exact::default().query([a.link(), b.link()], &pose, &mut start);
                    let numbers =
                        [answer.distance, answer.depth, answer.points[0].length(), answer.points[1].length()];
                    assert!(!numbers.iter().any(|x| x.is_nan()), "{pose:?}: {answer:?}");
                    assert!((answer.normal.length() - 1.0).abs() < 1e-6, "{pose:?}: {answer:?}");
                    Exact::default().intersects([a.link(), b.link()], &pose, &mut start);
                }
            }
        }
    }
}

#[test]
fn only_closed_convex_surfaces_are_convex() {
    let vertex_count = |part: &TestLink| part.convex.as_ref().map(|c| c.points().len());
    let fine_box = TestLink::new(mesh(generate::cuboid(Vec3::new(0.3, 0.2, 0.1), 0.03)));
    assert!(fine_box.mesh.vertices().len() > 50);
    assert_eq!(vertex_count(&fine_box), Some(8), "what is flat has no corners inside");
    let round = TestLink::new(ellipsoid(Vec3::new(0.1, 0.2, 0.6), 18));
    assert_eq!(vertex_count(&round), Some(round.mesh.vertices().len()));
    let cylinder = TestLink::new(mesh(generate::cylinder(0.02, 0.05, 0.004)));
    assert!(cylinder.convex.is_some());
    assert!(TestLink::new(boat(Vec3::new(0.6, 0.1, 0.1), 18)).convex.is_none());
    assert!(TestLink::new(mesh(generate::torus(0.3, 0.1, 12, 8))).convex.is_none());
    let (positions, mut triangles) = generate::cuboid(Vec3::ONE, 1e9);
    triangles.pop();
    assert!(TestLink::new(mesh((positions, triangles))).convex.is_none(), "open");
}
