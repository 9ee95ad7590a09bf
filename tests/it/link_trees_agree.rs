//! Link hierarchies compared with the reference, on articulations of any shape and pose.

use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use tumble::articulation::{LinkBox, LinkShape, LinkTree, LinkTreeKind, Skeleton};
use tumble::pose::Pose;
use tumble::random::Random;
use tumble::volume::Aabb;

use crate::rounds::rounds;

/// An articulation in some pose.
struct Figure {
    skeleton: Skeleton,
    shapes: Vec<Option<Arc<LinkShape>>>,
    poses: Vec<Pose>,
    reaches: Vec<f32>,
}

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

fn pick(random: &mut Random, count: usize) -> usize {
    (random.uniform() * count as f64) as usize
}

/// Returns a solid of few vertices: the corners of a box or some of them, also flat and thin ones.
fn shape(random: &mut Random, scale: f64) -> LinkShape {
    let extremes = [0.0, 1e-6, 0.1, 1.0, 1.0, 1.0];
    let half = match pick(random, 4) {
        0 => DVec3::splat(1.0),
        1 => DVec3::new(1.0, 1.0 / 6.0, 1.0 / 6.0),
        _ => DVec3::from_array([0; 3].map(|_| extremes[pick(random, 6)] * random.uniform())),
    } * scale;
    let offset = if pick(random, 2) == 0 { DVec3::ZERO } else { vector(random) * scale };
    let turn = if pick(random, 2) == 0 { DMat3::IDENTITY } else { DMat3::from_quat(random.rotation()) };
    let corner = |k: usize| {
        let side = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        (offset + turn * (half * DVec3::new(side(0), side(1), side(2)))).as_vec3()
    };
    if pick(random, 2) == 0 {
        let vertices: Vec<Vec3> = [0, 3, 5, 6].map(corner).to_vec();
        LinkShape::new(&vertices, &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]).unwrap()
    } else {
        let vertices: Vec<Vec3> = (0..8).map(corner).collect();
        let triangles =
            [[0, 1, 2], [1, 2, 3], [4, 5, 6], [5, 6, 7], [0, 4, 1], [2, 6, 3], [0, 4, 2], [1, 5, 7]];
        LinkShape::new(&vertices, &triangles).unwrap()
    }
}

/// Returns links of a chain, a tree or several trees, of about the size `scale` (m).
fn figure(random: &mut Random, scale: f64) -> Figure {
    let count = 1 + pick(random, 24);
    let form = pick(random, 4);
    let parent = |link: usize, random: &mut Random| match form {
        0 | 1 => link.checked_sub(1),
        2 => (link > 0).then(|| pick(random, link)),
        _ => (link > 0 && pick(random, 4) > 0).then(|| pick(random, link)),
    };
    let parents: Vec<Option<u32>> =
        (0..count).map(|link| parent(link, random).map(|parent| parent as u32)).collect();
    let anchors = (0..count).map(|_| (vector(random) * scale).as_vec3()).collect();
    let same = Arc::new(shape(random, scale));
    let alike = pick(random, 2) == 0;
    let shapes = (0..count).map(|_| match pick(random, 12) {
        0 => None,
        _ if alike => Some(same.clone()),
        _ => Some(Arc::new(shape(random, scale))),
    });
    let shapes = shapes.collect();
    let reaches = (0..count).map(|_| [0.0, 0.0, 0.1 * scale as f32][pick(random, 3)]).collect();
    let skeleton = Skeleton::new(parents, anchors).unwrap();
    let mut figure = Figure { skeleton, shapes, poses: vec![Pose::IDENTITY; count], reaches };
    pose(&mut figure, DVec3::ZERO, scale, random);
    figure
}

/// Poses the links: stretched out, folded back, all in one place, or at random.
fn pose(figure: &mut Figure, at: DVec3, scale: f64, random: &mut Random) {
    let form = pick(random, 5);
    let common = random.rotation();
    for link in 0..figure.poses.len() {
        let along = match form {
            0 => DVec3::X * 2.0 * link as f64,
            1 => DVec3::X * 2.0 * (link % 2) as f64,
            2 => DVec3::ZERO,
            _ => vector(random) * 3.0,
        };
        let rotation = match form {
            0..=2 => common,
            3 => common * glam::DQuat::from_rotation_x(1e-3 * random.signed()),
            _ => random.rotation(),
        };
        figure.poses[link] = Pose::new(rotation.normalize(), at + scale * (common * along));
    }
    if pick(random, 4) == 0 {
        let link = pick(random, figure.poses.len());
        figure.poses[link].position.y = f64::NAN;
    }
}

fn tree(kind: LinkTreeKind, figure: &Figure) -> LinkTree {
    LinkTree::new(kind, &figure.skeleton, &figure.shapes)
}

fn update(tree: &mut LinkTree, figure: &Figure) {
    tree.update(|link| (&figure.poses[link], figure.reaches[link]));
    tree.refit();
}

fn trees(figure: &Figure) -> [LinkTree; LinkTreeKind::ALL.len()] {
    LinkTreeKind::ALL.map(|kind| {
        let mut tree = tree(kind, figure);
        update(&mut tree, figure);
        tree
    })
}

fn sorted(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    pairs.sort_unstable();
    pairs
}

fn pairs(a: &LinkTree, b: &LinkTree) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    a.pairs(b, &mut pairs);
    sorted(pairs)
}

fn self_pairs(tree: &LinkTree) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    tree.self_pairs(&mut pairs);
    sorted(pairs)
}

/// Returns a link's vertices in the world.
fn vertices(figure: &Figure, link: usize) -> Vec<DVec3> {
    let shape = figure.shapes[link].as_ref().unwrap();
    shape.vertices.iter().map(|v| figure.poses[link].transform_point(v.as_dvec3())).collect()
}

fn is_there(figure: &Figure, link: usize) -> bool {
    figure.shapes[link].is_some() && figure.poses[link].is_finite()
}

/// Returns whether directions given by edges and faces are enough to separate the hull from others.
fn is_solid(points: &[DVec3]) -> bool {
    let edges = DMat3::from_cols(points[1] - points[0], points[2] - points[0], points[3] - points[0]);
    let size = edges.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    edges.determinant().abs() > 1e-6 * size * size * size
}

/// Returns whether no direction given by three of the points or by two edges separates the hulls.
fn hulls_meet(a: &[DVec3], b: &[DVec3]) -> bool {
    let edges = |points: &[DVec3]| -> Vec<DVec3> {
        points.iter().flat_map(|p| points.iter().map(move |q| *q - *p)).collect()
    };
    let (edges_a, edges_b) = (edges(a), edges(b));
    let all = [&edges_a[..], &edges_b[..]].concat();
    let apart = |axis: DVec3| {
        let span = |points: &[DVec3]| {
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                (low.min(axis.dot(*p)), high.max(axis.dot(*p)))
            })
        };
        let (a, b) = (span(a), span(b));
        axis.length_squared() > 0.0 && (a.1 < b.0 || b.1 < a.0)
    };
    !all.iter().enumerate().any(|(i, p)| all[..i].iter().any(|q| apart(p.cross(*q))))
}

#[test]
fn every_leaf_is_inside_every_node_above_it() {
    let mut random = Random::new(1, 0);
    for round in 0..rounds(4000) {
        let scale = [1.0, 1e-3, 1e4, 1e-20, 1e14][round % 5];
        let mut figure = figure(&mut random, scale);
        let mut trees = trees(&figure);
        for _ in 0..25 {
            let far = [0.0, 0.0, 1e5, 1e7][pick(&mut random, 4)];
            let at = vector(&mut random) * far;
            pose(&mut figure, at, scale, &mut random);
            for tree in &mut trees {
                update(tree, &figure);
                assert_eq!(tree.validate(), Ok(()));
            }
        }
    }
}

#[test]
fn leaves_hold_the_links_vertices_and_their_reach() {
    let mut random = Random::new(2, 0);
    for round in 0..rounds(4000) {
        let scale = [1.0, 1e-3, 1e4][round % 3];
        let mut figure = figure(&mut random, scale);
        let at = vector(&mut random) * [0.0, 1e3, 1e6][pick(&mut random, 3)];
        pose(&mut figure, at, scale, &mut random);
        for tree in trees(&figure) {
            let mut boxes: Vec<LinkBox> = Vec::new();
            tree.for_each_box(&mut |_, b| boxes.push(*b));
            let links = (0..figure.poses.len()).filter(|&link| is_there(&figure, link));
            for link in links {
                let reach = f64::from(figure.reaches[link]);
                let points = vertices(&figure, link);
                let holds = |b: &LinkBox| {
                    let (axes, half) = (b.axes.as_dmat3(), b.half.as_dvec3());
                    points.iter().all(|&p| {
                        let along = axes.transpose() * (p - b.center);
                        // Rounding of the world's own coordinates.
                        let rounding = 1e-15 * p.abs().max_element();
                        (along.abs() + reach - rounding).cmple(half).all()
                    })
                };
                assert!(boxes.iter().any(holds), "{:?} {link} {points:?} {boxes:?} {reach}", tree.kind());
                let bounds = tree.bounds();
                let outside =
                    |p: &DVec3| !(bounds.min.as_dvec3().cmple(*p) & p.cmple(bounds.max.as_dvec3())).all();
                assert!(!points.iter().any(outside));
            }
        }
    }
}

/// Returns two figures near each other, at times far from the origin.
fn two(random: &mut Random, round: usize) -> (Figure, Figure) {
    let scale = [1.0, 1e-3, 1e4][round % 3];
    let (mut a, mut b) = (figure(random, scale), figure(random, scale));
    let at = vector(random) * [0.0, 1e3, 1e5][pick(random, 3)];
    let reach = [0.0, 1.0, 3.0, 6.0][pick(random, 4)];
    pose(&mut a, at, scale, random);
    let by = vector(random);
    pose(&mut b, at + by * (reach * scale), scale, random);
    (a, b)
}

#[test]
fn every_kind_finds_what_its_leaves_find_one_by_one() {
    let mut random = Random::new(3, 0);
    for round in 0..rounds(6000) {
        let (a, b) = two(&mut random, round);
        for kind in LinkTreeKind::ALL {
            let [mut tree_a, mut tree_b] = [&a, &b].map(|figure| tree(kind, figure));
            tree_a.update(|link| (&a.poses[link], a.reaches[link]));
            tree_b.update(|link| (&b.poses[link], b.reaches[link]));
            let one_by_one = (pairs(&tree_a, &tree_b), self_pairs(&tree_a));
            tree_a.refit();
            let half_refitted = pairs(&tree_a, &tree_b);
            tree_b.refit();
            assert_eq!((pairs(&tree_a, &tree_b), self_pairs(&tree_a)), one_by_one, "{kind:?}");
            assert_eq!(half_refitted, one_by_one.0, "{kind:?}");
        }
    }
}

#[test]
fn kinds_find_all_that_meet_and_oriented_boxes_the_same() {
    let mut random = Random::new(4, 0);
    let mut met = 0;
    for round in 0..rounds(1500) {
        let (a, b) = two(&mut random, round);
        let (trees_a, trees_b) = (trees(&a), trees(&b));
        let found: Vec<_> = trees_a.iter().zip(&trees_b).map(|(a, b)| pairs(a, b)).collect();
        let [cab, sum, obb, vertices_of, corners, unions, brute] = &found[..] else { panic!() };
        assert_eq!((cab, cab), (sum, obb));
        for (i, j) in brute {
            let [p, q] = [vertices(&a, *i as usize), vertices(&b, *j as usize)];
            if is_solid(&p) && is_solid(&q) && hulls_meet(&p, &q) {
                met += 1;
                let kinds = [(cab, "cab"), (vertices_of, "aabb+"), (corners, "aabb*"), (unions, "unions")];
                for (found, kind) in kinds {
                    assert!(found.binary_search(&(*i, *j)).is_ok(), "{kind} misses {i} {j}");
                }
            }
        }
        let expected: Vec<(u32, u32)> = (0..a.poses.len() as u32)
            .flat_map(|i| (0..b.poses.len() as u32).map(move |j| (i, j)))
            .filter(|&(i, j)| is_there(&a, i as usize) && is_there(&b, j as usize))
            .collect();
        assert_eq!(*brute, expected);
    }
    assert!(met > rounds(1000), "{met}");
}

#[test]
fn swapped_trees_find_the_pairs_swapped() {
    let mut random = Random::new(5, 0);
    for round in 0..rounds(4000) {
        let (a, b) = two(&mut random, round);
        for (a, b) in trees(&a).iter().zip(&trees(&b)) {
            let swapped: Vec<(u32, u32)> = pairs(b, a).into_iter().map(|(i, j)| (j, i)).collect();
            assert_eq!(pairs(a, b), sorted(swapped), "{:?}", a.kind());
        }
    }
}

/// Returns links at the points of a rotated lattice, where boxes about as large as its cells touch or
/// nearly touch.
fn lattice(random: &mut Random, turn: glam::DQuat, at: DVec3, [tilt, gap]: [f64; 2]) -> Figure {
    let count = 6;
    let shape = Arc::new(LinkShape::from_bounds(Aabb::new(Vec3::NEG_ONE, Vec3::ONE)));
    let parents = (0..count as u32).map(|link| link.checked_sub(1)).collect();
    let mut place = || {
        let cell = DVec3::from_array([0; 3].map(|_| (4.0 * random.signed()).round()));
        let own = turn * glam::DQuat::from_rotation_z(tilt * random.signed());
        Pose::new(own, at + turn * ((2.0 + gap) * cell))
    };
    Figure {
        skeleton: Skeleton::new(parents, vec![Vec3::X; count]).unwrap(),
        shapes: vec![Some(shape); count],
        poses: (0..count).map(|_| place()).collect(),
        reaches: vec![0.0; count],
    }
}

#[test]
fn boxes_that_touch_are_found_alike_by_all() {
    let mut random = Random::new(9, 0);
    for round in 0..rounds(5000) {
        let turn = random.rotation();
        let at = vector(&mut random) * [0.0, 1e3, 1e5][round % 3];
        let tilt = [0.0, 1e-7, 1e-4][round % 3];
        // About the gap at which volumes, grown for rounding, separate.
        let gap = if round % 2 == 0 { 0.0 } else { 2e-5 + 2e-5 * random.signed() };
        let [a, b] = [0, 1].map(|_| lattice(&mut random, turn, at, [tilt, gap]));
        let (trees_a, trees_b) = (trees(&a), trees(&b));
        for (a, b) in trees_a.iter().zip(&trees_b) {
            let swapped = pairs(b, a).into_iter().map(|(i, j)| (j, i)).collect();
            assert_eq!(pairs(a, b), sorted(swapped), "{:?}", a.kind());
        }
        let found = pairs(&trees_a[0], &trees_b[0]);
        assert_eq!(found, pairs(&trees_a[1], &trees_b[1]));
        let mut flat = tree(LinkTreeKind::Cab, &a);
        flat.update(|link| (&a.poses[link], 0.0));
        assert_eq!(found, pairs(&flat, &trees_b[0]));
        let touches = |i: usize, j: usize| {
            let apart = turn.conjugate() * (a.poses[i].position - b.poses[j].position);
            tilt == 0.0 && gap == 0.0 && apart.abs().max_element() < 2.5
        };
        for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))).filter(|&(i, j)| touches(i, j)) {
            assert!(found.binary_search(&(i as u32, j as u32)).is_ok(), "{round}: {i} {j}");
        }
    }
}

#[test]
fn links_in_another_order_find_the_same_pairs() {
    let mut random = Random::new(6, 0);
    for round in 0..rounds(2000) {
        let (mut a, b) = two(&mut random, round);
        let count = a.poses.len();
        // The first link keeps its index: the volumes' origin follows a link.
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, pick(&mut random, i + 1));
        }
        let place = |link: usize| order.iter().position(|&l| l == link).unwrap() as u32;
        // A power of two: relative positions are then exact, whatever they are relative to.
        for pose in a.poses.iter_mut() {
            pose.position = (pose.position * 256.0).round() / 256.0;
        }
        let parents = order.iter().map(|&l| a.skeleton.parents()[l].map(|p| place(p as usize))).collect();
        let anchors = order.iter().map(|&l| a.skeleton.anchors()[l]).collect();
        let permuted = Figure {
            skeleton: Skeleton::new(parents, anchors).unwrap(),
            shapes: order.iter().map(|&l| a.shapes[l].clone()).collect(),
            poses: order.iter().map(|&l| a.poses[l]).collect(),
            reaches: order.iter().map(|&l| a.reaches[l]).collect(),
        };
        for ((a, permuted), b) in trees(&a).iter().zip(&trees(&permuted)).zip(&trees(&b)) {
            let back: Vec<(u32, u32)> =
                pairs(permuted, b).into_iter().map(|(i, j)| (order[i as usize] as u32, j)).collect();
            assert_eq!(pairs(a, b), sorted(back), "{:?}", a.kind());
        }
    }
}

#[test]
fn a_link_without_a_valid_pose_is_missing_alone() {
    let mut random = Random::new(7, 0);
    for round in 0..rounds(500) {
        let (mut a, b) = two(&mut random, round);
        if a.poses.iter().any(|pose| !pose.is_finite()) {
            continue;
        }
        let missing = pick(&mut random, a.poses.len());
        let before: Vec<_> = trees(&a).iter().zip(&trees(&b)).map(|(a, b)| pairs(a, b)).collect();
        let bad = [f64::NAN, f64::INFINITY, 1e300][round % 3];
        match round % 2 {
            0 => a.poses[missing].position.x = bad,
            _ => a.poses[missing].rotation.z = bad,
        }
        for ((a, b), mut expected) in trees(&a).iter().zip(&trees(&b)).zip(before) {
            expected.retain(|&(i, _)| i != missing as u32);
            let found = pairs(a, b);
            // The origin may follow another link now, so that volumes differ by rounding.
            let differing = found.iter().filter(|p| !expected.contains(p)).count()
                + expected.iter().filter(|p| !found.contains(p)).count();
            assert!(found.iter().all(|&(i, _)| i != missing as u32));
            assert!(
                differing <= expected.len() / 10,
                "{:?}: {differing} of {} {missing} {round} {found:?} {expected:?}",
                a.kind(),
                expected.len()
            );
            assert!(a.bounds().is_empty() || (a.bounds().min.is_finite() && a.bounds().max.is_finite()));
        }
    }
}

#[test]
fn deforming_links_are_found_where_they_are() {
    let bounds = Aabb::new(Vec3::splat(-0.5), Vec3::splat(0.5));
    let shape = Arc::new(LinkShape::from_bounds(bounds));
    let skeleton = Skeleton::new(vec![None, Some(0)], vec![Vec3::ZERO; 2]).unwrap();
    let (between, far) = (Pose::from_position(DVec3::X * 7.0), Pose::from_position(DVec3::X * 10.0));
    for kind in LinkTreeKind::ALL.into_iter().filter(|&kind| kind != LinkTreeKind::BruteForce) {
        let [mut a, mut b] =
            [0; 2].map(|_| LinkTree::new(kind, &skeleton, &[Some(shape.clone()), Some(shape.clone())]));
        a.update(|link| ([&Pose::IDENTITY, &far][link], 0.0));
        a.refit();
        b.update(|_| (&between, 0.0));
        b.refit();
        assert_eq!(pairs(&a, &b), []);
        let longer = LinkShape::from_bounds(Aabb::new(Vec3::new(-3.0, -0.5, -0.5), Vec3::splat(0.5)));
        a.set_leaf(1, &longer.bounds, &longer.fitted, &[]);
        a.update(|link| ([&Pose::IDENTITY, &far][link], 0.0));
        a.refit();
        assert_eq!(pairs(&a, &b), [(1, 0), (1, 1)], "{kind:?}");
        assert_eq!(a.validate(), Ok(()));
    }
}

#[test]
fn links_of_no_size_and_of_any_are_handled() {
    let skeleton = Skeleton::new(vec![None, Some(0), Some(1)], vec![Vec3::ZERO; 3]).unwrap();
    let sizes = [Vec3::ZERO, Vec3::splat(f32::MAX), Vec3::splat(1e-42)];
    let shapes = sizes.map(|size| Some(Arc::new(LinkShape::from_bounds(Aabb::new(-size, size)))));
    for kind in LinkTreeKind::ALL {
        let mut tree = LinkTree::new(kind, &skeleton, &shapes);
        for reach in [0.0, f32::NAN, -1.0, 1.0, f32::INFINITY] {
            update_all(&mut tree, reach);
            assert_eq!(tree.validate(), Ok(()));
            assert_eq!(self_pairs(&tree), [(0, 1), (0, 2), (1, 2)], "{kind:?} {reach}");
        }
        let nothing = LinkShape::from_bounds(Aabb::EMPTY);
        tree.set_leaf(1, &nothing.bounds, &nothing.fitted, &[]);
        tree.set_leaf(7, &nothing.bounds, &nothing.fitted, &[]);
        update_all(&mut tree, 0.0);
        assert_eq!(self_pairs(&tree), [(0, 2)], "{kind:?}");
    }
}

fn update_all(tree: &mut LinkTree, reach: f32) {
    tree.update(|_| (&Pose::IDENTITY, reach));
    tree.refit();
}

#[test]
fn an_articulation_of_nothing_has_no_pairs() {
    let skeleton = Skeleton::new(vec![], vec![]).unwrap();
    for kind in LinkTreeKind::ALL {
        let mut tree = LinkTree::new(kind, &skeleton, &[]);
        tree.update(|_| (&Pose::IDENTITY, 0.0));
        tree.refit();
        assert!(tree.bounds().is_empty() && pairs(&tree, &tree).is_empty() && self_pairs(&tree).is_empty());
    }
}
