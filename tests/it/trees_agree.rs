//! Every kind of tree reports all triangle pairs within the margin, each once. The reference is the
//! boxes of the triangles themselves in `f64`, and the exact intersection test.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3, Vec3};
use proptest::prelude::*;
use tumble::generate::{self, Gear, Triangles};
use tumble::mesh::{Mesh, intersects};
use tumble::pose::Pose;
use tumble::query::{
    NearQuery, find_candidates, find_candidates_within, find_intersections, surfaces_intersect,
};
use tumble::tree::{Allowance, Counts, DescentScratch, SplitRule, Start, Tree, TreeKind};

type Pairs = BTreeSet<[u32; 2]>;

fn mesh((positions, triangles): &Triangles) -> Mesh {
    Mesh::new("mesh", positions, triangles).unwrap()
}

fn found(kind: TreeKind, a: &Mesh, b: &Mesh, b_to_a: &Pose, margin: f64) -> Pairs {
    let trees = [Tree::build(kind, SplitRule::default(), a), Tree::build(kind, SplitRule::default(), b)];
    for (tree, mesh) in trees.iter().zip([a, b]) {
        assert_eq!(tree.validate(mesh), Ok(()), "{}", kind.name());
    }
    let mut pairs = Vec::new();
    let mut counts = Counts::default();
    let mut scratch = DescentScratch::default();
    let query = NearQuery { surfaces: [(&trees[0], a), (&trees[1], b)], b_to_a, near: margin.into() };
    assert!(find_candidates(&query, usize::MAX, &mut scratch, &mut pairs, &mut counts));
    let set: Pairs = pairs.iter().copied().collect();
    assert_eq!(set.len(), pairs.len(), "{}: a pair is reported twice", kind.name());
    assert!(counts.node_test_count > 0);
    set
}

/// Returns the pairs whose triangles' boxes, taken in a's frame, come within the margin (`near`), and
/// those of them that intersect exactly.
fn judge(a: &Mesh, b: &Mesh, b_to_a: &Pose, margin: f64) -> (Pairs, Pairs) {
    let (mut near, mut crossing) = (Pairs::new(), Pairs::new());
    let corners_b: Vec<[DVec3; 3]> =
        (0..b.triangles().len() as u32).map(|t| b.corners(t).map(|c| b_to_a.transform_point(c))).collect();
    for ta in 0..a.triangles().len() as u32 {
        let ca = a.corners(ta);
        for (tb, cb) in corners_b.iter().enumerate() {
            let distance = (0..3)
                .map(|k| {
                    let range = |c: &[DVec3; 3]| {
                        let v = c.map(|p| p[k]);
                        (v[0].min(v[1]).min(v[2]), v[0].max(v[1]).max(v[2]))
                    };
                    let ((la, ha), (lb, hb)) = (range(&ca), range(cb));
                    (la - hb).max(lb - ha)
                })
                .fold(f64::NEG_INFINITY, f64::max);
            if distance <= margin {
                near.insert([ta, tb as u32]);
            }
            if distance <= 0.0 && intersects(&ca, cb) {
                crossing.insert([ta, tb as u32]);
            }
        }
    }
    (near, crossing)
}

/// Returns the distance of a point from a triangle of some area.
fn point_distance(p: DVec3, &[a, b, c]: &[DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let inside = [(a, b), (b, c), (c, a)].iter().all(|&(v, w)| normal.dot((w - v).cross(p - v)) >= 0.0);
    if inside && normal != DVec3::ZERO {
        return normal.dot(p - a).abs() / normal.length();
    }
    // Over an edge or a corner the edges' own distances count, so any upper bound is enough.
    p.distance(a)
}

/// Returns the distance of two segments, each given by its ends.
fn segment_distance([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    let (u, v, w) = (b - a, d - c, a - c);
    let onto = |p: DVec3, from: DVec3, along: DVec3| {
        from + along * ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0)
    };
    let ends = [a.distance(onto(a, c, v)), b.distance(onto(b, c, v)), c.distance(onto(c, a, u))];
    let ends = ends.into_iter().fold(d.distance(onto(d, a, u)), f64::min);
    let across = u.cross(v);
    let scale = across.length_squared();
    let (s, t) = (v.cross(w).dot(across) / scale, u.cross(w).dot(across) / scale);
    // Parallel segments are nearest at an end; the quotients are then NaN or far off.
    let crosses = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if crosses { ends.min((a + s * u).distance(c + t * v)) } else { ends }
}

/// Returns the distance of two triangles, or an upper bound, so that every pair it puts within a margin
/// is there.
fn distance(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    if intersects(a, b) {
        return 0.0;
    }
    let edges = |t: &[DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let between = edges(a).into_iter().flat_map(|x| edges(b).map(|y| segment_distance(x, y)));
    let from_a = a.iter().map(|&p| point_distance(p, b));
    let from_b = b.iter().map(|&p| point_distance(p, a));
    between.chain(from_a).chain(from_b).fold(f64::INFINITY, f64::min)
}

/// Returns the pairs that a kind reports as intersecting. Also compares its test whether any intersect.
fn intersections(kind: TreeKind, a: &Mesh, b: &Mesh, b_to_a: &Pose) -> Pairs {
    let trees = [a, b].map(|mesh| Tree::build(kind, SplitRule::default(), mesh));
    let surfaces = [(&trees[0], a), (&trees[1], b)];
    let (mut scratch, mut pairs) = (DescentScratch::default(), Vec::new());
    find_intersections(surfaces, b_to_a, &mut scratch, &mut pairs, &mut Counts::default());
    let set: Pairs = pairs.iter().copied().collect();
    assert_eq!(set.len(), pairs.len(), "{}: a pair is reported twice", kind.name());
    let any = surfaces_intersect(surfaces, b_to_a, &mut scratch, &mut Counts::default());
    assert_eq!(any, !pairs.is_empty(), "{}", kind.name());
    set
}

fn check(a: &Mesh, b: &Mesh, b_to_a: &Pose, margin: f64) {
    let (near, crossing) = judge(a, b, b_to_a, margin);
    for kind in TreeKind::ALL {
        let found = found(kind, a, b, b_to_a, margin);
        let name = kind.name();
        assert!(found.is_superset(&crossing), "{name}: misses intersecting triangles");
        for &[ta, tb] in &near {
            let cb = b.corners(tb).map(|c| b_to_a.transform_point(c));
            let missed = !found.contains(&[ta, tb]) && distance(&a.corners(ta), &cb) <= margin;
            assert!(!missed, "{name}: misses triangles {ta} and {tb} within {margin}");
        }
        assert_eq!(intersections(kind, a, b, b_to_a), crossing, "{name}");
    }
}

fn poses(reach: f64) -> Vec<Pose> {
    (0..8)
        .map(|i| {
            let t = f64::from(i);
            let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.9 * t, 0.4 * t, 1.7 * t);
            Pose::new(rotation, DVec3::new(0.9 - 0.2 * t, 0.1 * t, -0.05 * t) * reach)
        })
        .collect()
}

#[test]
fn real_shapes_agree_with_brute_force() {
    let shapes = [
        mesh(&generate::sphere(0.5, 12)),
        mesh(&generate::torus(0.4, 0.12, 16, 8)),
        mesh(&generate::soup(150, 0.1, 7)),
        mesh(&Gear { spacing: 0.02, ..Gear::SMALL }.triangles()),
    ];
    for a in &shapes {
        for b in &shapes {
            let reach = f64::from(a.bounds().diagonal().min(b.bounds().diagonal()));
            for pose in poses(reach) {
                check(a, b, &pose, 0.0);
            }
            check(a, b, &poses(reach)[3], 0.03 * reach);
        }
    }
}

#[test]
fn degenerate_meshes_neither_hang_nor_lose_pairs() {
    let one = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let flat = generate::cuboid(Vec3::new(1.0, 1.0, 1e-6), 0.2);
    let needle = (vec![Vec3::ZERO, Vec3::X * 100.0, Vec3::new(50.0, 1e-3, 0.0)], vec![[0, 1, 2]]);
    let fan_count = 200;
    let mut fan = (vec![Vec3::ZERO], Vec::new());
    for i in 0..=fan_count {
        let angle = i as f32 / fan_count as f32;
        fan.0.push(Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.0));
    }
    fan.1.extend((1..=fan_count).map(|i| [0, i, i + 1]));
    let shapes = [mesh(&one), mesh(&flat), mesh(&needle), mesh(&fan), mesh(&generate::soup(50, 3.0, 3))];
    for a in &shapes {
        for b in &shapes {
            check(a, b, &Pose::IDENTITY, 0.0);
            check(a, b, &Pose::from_position(DVec3::new(0.0, 0.0, 1e-6)), 1e-5);
        }
    }
}

/// Uses as many triangles in one place: the bound on depth holds and nothing is quadratic.
#[test]
fn a_hundred_thousand_triangles_in_one_point_build() {
    let count = 100_000;
    let positions: Vec<Vec3> = (0..count)
        .flat_map(|i| {
            let up = Vec3::Z * (1.0 + i as f32 * 1e-3);
            [Vec3::ZERO - up, Vec3::X, up]
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Mesh::new("fan", &positions, &triangles).unwrap();
    // Boxtrees differ only in their tests.
    for kind in TreeKind::ALL.into_iter().filter(|k| !k.name().starts_with("boxtree-")) {
        let tree = Tree::build(kind, SplitRule::default(), &mesh);
        assert_eq!(tree.validate(&mesh), Ok(()), "{}", kind.name());
    }
}

#[test]
fn nothing_is_missed_far_from_the_origin() {
    // The mesh itself is far from the origin, so that its f32 planes are coarse.
    let far = Vec3::new(148_376.0, 1_234.0, -223_423.0);
    let (positions, triangles) = generate::sphere(1.0, 14);
    let moved: Vec<Vec3> = positions.iter().map(|p| *p + far).collect();
    let a = Mesh::new("far", &moved, &triangles).unwrap();
    let b = mesh(&(positions, triangles));
    for i in 0..6 {
        let t = f64::from(i);
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, t, 0.3 * t, 0.0);
        let b_to_a = Pose::new(rotation, far.as_dvec3() + DVec3::new(1.9 - 0.3 * t, 0.2, 0.1 * t));
        check(&a, &b, &b_to_a, 0.0);
        // In the other order, the far mesh is the one that is rotated.
        check(&b, &a, &b_to_a.inverse(), 0.0);
    }
}

/// Uses a margin of exactly the distance between two surfaces: the nearest triangles are at its border.
#[test]
fn the_nearest_triangles_are_found_when_the_margin_just_reaches_them() {
    let far = Vec3::new(-80_000.0, 500.0, 120_000.0);
    let (positions, triangles) = generate::torus(0.4, 0.12, 12, 6);
    let moved = positions.iter().map(|&p| p + far).collect();
    let shapes = [
        (mesh(&generate::sphere(0.5, 8)), DVec3::ZERO),
        (mesh(&generate::cuboid(Vec3::ONE, 0.5)), DVec3::ZERO),
        (mesh(&(positions, triangles.clone())), DVec3::ZERO),
        (mesh(&(moved, triangles)), far.as_dvec3()),
    ];
    for (a, center_a) in &shapes {
        for (b, center_b) in &shapes {
            for i in 0..6 {
                let t = f64::from(i);
                // The first two rotate by zero and by a quarter, so that faces are flush.
                let turn = if i < 2 { 0.5 * std::f64::consts::PI * t } else { 0.8 * t };
                let rotation = DQuat::from_euler(glam::EulerRot::XYZ, turn, if i < 2 { 0.0 } else { t }, 0.0);
                let apart = DVec3::new(1.6 + 0.1 * t, 0.03 * t, 0.2);
                let b_to_a = Pose::new(rotation, *center_a + apart - rotation * *center_b);
                let corners_b: Vec<_> = (0..b.triangles().len() as u32)
                    .map(|tb| b.corners(tb).map(|c| b_to_a.transform_point(c)))
                    .collect();
                let nearest = (0..a.triangles().len() as u32)
                    .flat_map(|ta| (0..).zip(&corners_b).map(move |(tb, cb)| (ta, tb, cb)))
                    .map(|(ta, tb, cb)| (distance(&a.corners(ta), cb), [ta, tb]))
                    .min_by(|x, y| x.0.total_cmp(&y.0))
                    .unwrap();
                assert!(nearest.0 > 0.0);
                for kind in TreeKind::ALL {
                    let found = found(kind, a, b, &b_to_a, nearest.0);
                    assert!(found.contains(&nearest.1), "{}: misses {nearest:?}, pose {i}", kind.name());
                }
            }
        }
    }
}

#[test]
fn trees_of_different_kinds_still_find_every_pair() {
    let (a, b) = (mesh(&generate::sphere(0.5, 12)), mesh(&generate::torus(0.4, 0.12, 16, 8)));
    let pose = Pose::new(DQuat::from_rotation_y(0.4), DVec3::new(0.5, 0.1, 0.2));
    let (_, crossing) = judge(&a, &b, &pose, 0.0);
    assert!(!crossing.is_empty());
    for (kind_a, kind_b) in TreeKind::ALL.into_iter().flat_map(|x| TreeKind::ALL.map(|y| (x, y))) {
        let (tree_a, tree_b) =
            (Tree::build(kind_a, SplitRule::default(), &a), Tree::build(kind_b, SplitRule::default(), &b));
        let (mut scratch, mut pairs) = (DescentScratch::default(), Vec::new());
        let sides = [(&tree_a, &a), (&tree_b, &b)];
        let counts = &mut Counts::default();
        let query = NearQuery { surfaces: sides, b_to_a: &pose, near: 0.0.into() };
        assert!(find_candidates(&query, usize::MAX, &mut scratch, &mut pairs, counts));
        let found: Pairs = pairs.iter().copied().collect();
        assert_eq!(found.len(), pairs.len());
        assert!(found.is_superset(&crossing), "{} and {}", kind_a.name(), kind_b.name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_soups_agree(
        seeds in (1u32..1000, 1u32..1000),
        counts in (1u32..60, 1u32..60),
        size in 0.02f32..1.5,
        turn in prop::array::uniform3(-3.0f64..3.0),
        shift in prop::array::uniform3(-1.2f64..1.2),
        margin in prop_oneof![Just(0.0), 0.0..0.3f64],
    ) {
        let (a, b) = (mesh(&generate::soup(counts.0, size, seeds.0)), mesh(&generate::soup(counts.1, size, seeds.1)));
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, turn[0], turn[1], turn[2]);
        check(&a, &b, &Pose::new(rotation, DVec3::from_array(shift)), margin);
    }
}

#[test]
fn a_search_in_many_parts_finds_what_one_in_a_single_part_does() {
    let (a, b) = (mesh(&generate::torus(0.7, 0.3, 24, 12)), mesh(&Gear::SMALL.triangles()));
    let poses = poses(0.5);
    for kind in TreeKind::ALL {
        let trees = [&a, &b].map(|mesh| Tree::build(kind, SplitRule::default(), mesh));
        let surfaces = [(&trees[0], &a), (&trees[1], &b)];
        for pose in &poses {
            let whole = found(kind, &a, &b, pose, 0.02);
            let query = NearQuery { surfaces, b_to_a: pose, near: 0.02.into() };
            for node_tests in [0, 100, 3000] {
                let (mut scratch, mut counts) = (DescentScratch::default(), Counts::default());
                let (mut pairs, mut start) = (Vec::new(), Start::Roots);
                let allowance = Allowance { node_tests, per_candidate: 3 };
                while !find_candidates_within(&query, start, allowance, &mut scratch, &mut pairs, &mut counts)
                {
                    start = Start::End;
                    // A part without a node test would never end.
                    if node_tests == 0 {
                        break;
                    }
                }
                let set: Pairs = pairs.iter().copied().collect();
                assert_eq!(set.len(), pairs.len(), "{}: a pair is reported twice", kind.name());
                assert!(node_tests == 0 && set.is_subset(&whole) || set == whole, "{}", kind.name());
            }
        }
    }
}
