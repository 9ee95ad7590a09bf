//! The depth of two solids against closed forms and against points sampled on both surfaces.

use glam::{DQuat, DVec3, Vec3};

use super::TestLink;
use super::judge::{brute_depth, cuboid, ellipsoid, mesh, vector};
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::{PairMemory, Penetration, Placed, penetration};
use crate::random::Random;
use crate::tree::TreeKind;

fn deep(a: &TestLink, b: &TestLink, b_to_a: &Pose) -> Option<Penetration> {
    let a = Placed::new(&a.tree, &a.mesh, Pose::IDENTITY);
    let b = Placed::new(&b.tree, &b.mesh, *b_to_a);
    let both = penetration(&a, &b, &mut PairMemory::default());
    let swapped = penetration(&b, &a, &mut PairMemory::default());
    let depth = both.map_or(0.0, |d| d.depth);
    assert!((swapped.map_or(0.0, |d| d.depth) - depth).abs() <= 0.05 * depth, "{both:?} {swapped:?}");
    if let Some(Penetration { depth, at_most, points: [p, q] }) = both {
        assert!((p.distance(q) - depth).abs() <= 1e-9 && at_most >= depth, "{both:?}");
    }
    both
}

fn assert_depth(a: &Mesh, b: &Mesh, b_to_a: &Pose, right: f64) {
    let parts = [a, b].map(|mesh| TestLink::new(mesh.clone()));
    let found = deep(&parts[0], &parts[1], b_to_a).unwrap();
    assert!((found.depth - right).abs() <= 0.04 * right, "{found:?}, not {right}");
    assert!(found.at_most >= right * (1.0 - 1e-5) && found.at_most <= 1.05 * right, "{found:?}, not {right}");
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(DVec3::new(x, y, z))
}

#[test]
fn boxes_are_as_deep_as_they_were_put() {
    let unit = cuboid(Vec3::ONE);
    let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    assert_depth(&unit, &unit, &at(0.8, 0.0, 0.0), 0.2);
    assert_depth(&unit, &unit, &at(0.8, 0.1, 0.3), 0.2);
    assert_depth(&unit, &unit, &at(0.9, 0.9, 0.9), 0.1);
    // A smaller box in the face of a larger one, and the face of a box not halfway through a thin
    // plate.
    assert_depth(&unit, &cuboid(Vec3::new(0.4, 0.3, 0.2)), &at(0.0, 0.6, 0.0), 0.05);
    assert_depth(&cuboid(Vec3::new(2.0, 0.1, 2.0)), &unit, &at(0.0, 0.52, 0.0), 0.03);
    // An edge of a rotated box in a face: the edge is half a diagonal from the box's center.
    assert_depth(&unit, &unit, &Pose::new(turn, DVec3::X * 1.1), 0.5 + 0.5_f64.sqrt() - 1.1);
    // Bars crossed like a plus: deepest in the middle of both.
    let bars = [Vec3::new(2.0, 0.2, 0.2), Vec3::new(0.2, 0.2, 2.0)].map(cuboid);
    assert_depth(&bars[0], &bars[1], &at(0.0, 0.15, 0.0), 0.05);
}

#[test]
fn long_rails_and_bolts_off_their_holes_are_as_deep_as_their_overlap_is_thick() {
    let rail = cuboid(Vec3::new(0.5, 0.02, 0.02));
    let plate = cuboid(Vec3::new(0.2, 0.01, 0.3));
    assert_depth(&plate, &rail, &at(0.0, 0.0148, 0.0), 2e-4);
    let slant = Pose::new(DQuat::from_rotation_y(0.4), DVec3::new(0.03, 0.0148, 0.0));
    assert_depth(&plate, &rail, &slant, 2e-4);
}

#[test]
fn a_ball_in_a_block_is_as_deep_as_its_lowest_point_and_no_deeper_than_the_walls_allow() {
    let block = cuboid(Vec3::new(4.0, 2.0, 4.0));
    for around in [16, 40] {
        let ball = ellipsoid(Vec3::ONE, around);
        let lowest = f64::from(ball.bounds().min.y);
        for depth in [0.01, 0.3, 0.9] {
            let pose = at(0.02, 1.0 - lowest - depth, 0.01);
            let parts = [&block, &ball].map(|mesh| TestLink::new(mesh.clone()));
            let found = deep(&parts[0], &parts[1], &pose).unwrap();
            let right = brute_depth([&block, &ball], &pose, 2500);
            assert!((found.depth / right - 1.0).abs() < 0.045, "{around}, {depth}: {found:?}, {right}");
            assert!(found.at_most >= right, "{around}, {depth}: {found:?}, {right}");
        }
    }
}

#[test]
fn separate_touching_and_open_surfaces_have_no_depth() {
    let unit = TestLink::new(cuboid(Vec3::ONE));
    assert_eq!(deep(&unit, &unit, &at(1.1, 0.0, 0.0)), None);
    assert_eq!(deep(&unit, &unit, &at(1.0, 0.0, 0.0)), None);
    assert_eq!(deep(&unit, &unit, &at(1.0, 0.3, 0.2)), None);
    let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
    let open = TestLink::new(mesh((positions, triangles[2..].to_vec())));
    assert_eq!(deep(&open, &open, &at(0.7, 0.2, 0.1)), None);
    let half = deep(&unit, &open, &at(0.7, 0.2, 0.1)).unwrap();
    assert!((half.depth - 0.3).abs() < 0.012, "the open box in the solid one: {half:?}");
}

#[test]
fn one_that_lies_inside_is_as_deep_as_its_deepest_point() {
    let (block, small) = (cuboid(Vec3::ONE), cuboid(Vec3::splat(0.2)));
    assert_depth(&block, &small, &at(0.3, 0.0, 0.0), 0.3);
    // A mesh whose second shell does not cross anything.
    let (mut positions, mut triangles) = generate::cuboid(Vec3::splat(0.2), 1.0);
    let start = positions.len() as u32;
    positions.extend(positions.clone().iter().map(|p| *p + Vec3::X));
    triangles.extend(triangles.clone().iter().map(|t| t.map(|v| v + start)));
    assert_depth(&block, &mesh((positions, triangles)), &at(-0.5, 0.0, 0.0), 0.1);
}

#[test]
fn depths_are_those_of_points_all_over_both_surfaces_for_every_kind() {
    let mut random = Random::new(41, 0);
    let torus = || mesh(generate::torus(0.4, 0.15, 24, 16));
    let shapes = || [cuboid(Vec3::new(0.5, 0.3, 0.6)), torus(), ellipsoid(Vec3::new(0.3, 0.2, 0.4), 12)];
    let kinds = [TreeKind::Boxtree8, TreeKind::Aabb, TreeKind::BruteForce];
    let parts = kinds.map(|kind| shapes().map(|mesh| TestLink::of_kind(mesh, kind)));
    let mut count = 0;
    for case in 0..60 {
        let [i, j] = [case % 3, case / 3 % 3];
        let pose = Pose::new(random.rotation(), 0.4 * vector(&mut random));
        let found = parts.each_ref().map(|of_kind| deep(&of_kind[i], &of_kind[j], &pose));
        assert!(found.iter().all(|f| *f == found[0]), "{found:?}");
        let right = brute_depth([&parts[0][i].mesh, &parts[0][j].mesh], &pose, 1500);
        let (depth, at_most) = found[0].map_or((0.0, 0.0), |f| (f.depth, f.at_most));
        // The sampled points are near the deepest point, but not exactly there.
        assert!(
            depth >= 0.96 * right && at_most >= right && at_most <= 1.05 * depth,
            "{case}: {found:?}, {right}"
        );
        assert!(depth <= 1.1 * right + 0.003, "{case}: {depth}, {right}");
        count += usize::from(depth > 0.0);
    }
    assert!(count > 20, "{count}");
}
