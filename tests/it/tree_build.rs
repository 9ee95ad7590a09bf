//! Building of hierarchies: by every rule, on any number of threads, over any input, and refitted to a
//! surface that has moved.

use glam::{DQuat, DVec3, Vec3};
use rayon::ThreadPoolBuilder;
use tumble::generate::{self, Gear};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::query::find_intersections;
use tumble::tree::{Counts, DescentScratch, RefitScratch, SplitRule, Surfaces, Tree, TreeKind};
use tumble::volume::Aabb;

/// Returns the kinds that differ in how they are built; the other boxtrees differ only in their test.
fn kinds() -> impl Iterator<Item = TreeKind> {
    let same = ["boxtree-align", "boxtree-sat"];
    TreeKind::ALL.into_iter().filter(move |k| !k.name().ends_with("-per-pair") && !same.contains(&k.name()))
}

fn torus() -> Mesh {
    let (positions, triangles) = generate::torus(0.4, 0.12, 40, 20);
    Mesh::new("torus", &positions, &triangles).unwrap()
}

fn gear() -> Mesh {
    let (positions, triangles) = Gear { spacing: 0.02, ..Gear::SMALL }.triangles();
    Mesh::new("gear", &positions, &triangles).unwrap()
}

fn poses() -> impl Iterator<Item = Pose> {
    (0..6).map(|i| {
        let t = f64::from(i);
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.9 * t, 0.4 * t, 1.7 * t);
        Pose::new(rotation, DVec3::new(0.4 + 0.02 * t, 0.1, 0.1))
    })
}

fn intersections(surfaces: Surfaces, pose: &Pose) -> Vec<[u32; 2]> {
    let (mut scratch, mut pairs) = (DescentScratch::default(), Vec::new());
    find_intersections(surfaces, pose, &mut scratch, &mut pairs, &mut Counts::default());
    pairs.sort_unstable();
    pairs
}

/// Returns the boxes of every level.
fn boxes(tree: &Tree) -> Vec<Aabb> {
    let mut boxes = Vec::new();
    (0..=tree.depth()).for_each(|level| tree.for_each_box(level, |b| boxes.push(b)));
    boxes
}

#[test]
fn every_rule_gives_every_kind_the_same_answers() {
    let (a, b) = (torus(), gear());
    let judge = Tree::build(TreeKind::BruteForce, SplitRule::default(), &a);
    let expected: Vec<_> = poses().map(|pose| intersections([(&judge, &a), (&judge, &b)], &pose)).collect();
    assert!(expected.iter().filter(|pairs| !pairs.is_empty()).count() >= 3);
    for rule in SplitRule::ALL {
        for kind in kinds() {
            let trees = [&a, &b].map(|mesh| {
                let tree = Tree::build(kind, rule, mesh);
                assert_eq!(tree.validate(mesh), Ok(()), "{} {}", kind.name(), rule.name());
                tree
            });
            for (pose, expected) in poses().zip(&expected) {
                let found = intersections([(&trees[0], &a), (&trees[1], &b)], &pose);
                assert!(found == *expected, "{} {}", kind.name(), rule.name());
            }
        }
    }
}

#[test]
fn trees_do_not_depend_on_the_number_of_threads() {
    let (positions, triangles) = generate::torus(1.0, 0.3, 100, 50);
    let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
    // Every kind, and every rule, but not all kinds by all rules.
    let kinds = kinds().map(|kind| (kind, SplitRule::default()));
    let rules = SplitRule::ALL.into_iter().map(|rule| (TreeKind::default(), rule));
    for (kind, rule) in kinds.chain(rules) {
        let mut trees = [1, 2, 3].into_iter().map(|count| {
            let pool = ThreadPoolBuilder::new().num_threads(count).build().unwrap();
            let tree = pool.install(|| Tree::build(kind, rule, &mesh));
            (boxes(&tree), tree.byte_count(), tree.node_count())
        });
        let first = trees.next().unwrap();
        assert!(trees.all(|tree| tree == first), "{} {}", kind.name(), rule.name());
    }
}

#[test]
fn a_million_triangles_in_one_point_build_by_every_rule() {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y];
    // All around the origin, in the same place again and again.
    let triangles =
        (0..1_000_000u32).map(|i| [1 + i % 4, 1 + (i + 1) % 4, 1 + (i + 2) % 4]).collect::<Vec<_>>();
    let mesh = Mesh::new("heap", &positions, &triangles).unwrap();
    for rule in SplitRule::ALL {
        let tree = Tree::build(TreeKind::Boxtree8, rule, &mesh);
        assert_eq!(tree.validate(&mesh), Ok(()), "{}", rule.name());
    }
    for kind in [TreeKind::BoxtreeCompact, TreeKind::Aabb, TreeKind::Octree] {
        let tree = Tree::build(kind, SplitRule::default(), &mesh);
        assert_eq!(tree.validate(&mesh), Ok(()), "{}", kind.name());
    }
}

/// Tests one triangle; all in one plane; all centers in one point; triangles a millionth as large as
/// others.
#[test]
fn degenerate_surfaces_build_by_every_rule() {
    let fan = |count: u32| {
        let angle = |i: u32| std::f32::consts::TAU * i as f32 / count as f32;
        let rim = (0..count).map(|i| Vec3::new(libm::cosf(angle(i)), libm::sinf(angle(i)), 0.0));
        let positions = std::iter::once(Vec3::ZERO).chain(rim).collect::<Vec<_>>();
        (positions, (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect())
    };
    let crossed: generate::Triangles = {
        // About the origin, each rotated a little further.
        let corner = |i: u32, k: u32| {
            let angle = 0.01 * i as f32 + std::f32::consts::TAU / 3.0 * k as f32;
            Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.0)
        };
        let positions = (0..300).map(|n| corner(n / 3, n % 3)).collect();
        (positions, (0..100).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
    };
    let mut grains = generate::soup(200, 1e-6, 5);
    grains.0.extend([Vec3::ZERO, 2.0 * Vec3::X, Vec3::Y]);
    grains.1.push([600, 601, 602]);
    let one = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    for (name, (positions, triangles)) in
        [("one", one), ("fan", fan(500)), ("crossed", crossed), ("grains", grains)]
    {
        let mesh = Mesh::new(name, &positions, &triangles).unwrap();
        for rule in SplitRule::ALL {
            for kind in kinds() {
                let tree = Tree::build(kind, rule, &mesh);
                assert_eq!(tree.validate(&mesh), Ok(()), "{name} {} {}", kind.name(), rule.name());
            }
        }
    }
}

/// Returns the same triangles, twisted, stretched and moved.
fn deformed(mesh: &Mesh, amount: f32) -> Mesh {
    let bend = |p: Vec3| {
        let (sin, cos) = (libm::sinf(amount * 3.0 * p.x), libm::cosf(amount * 3.0 * p.x));
        let turned = Vec3::new(p.x, cos * p.y - sin * p.z, sin * p.y + cos * p.z);
        turned * (1.0 + amount) + 40.0 * amount * Vec3::ONE
    };
    let positions: Vec<Vec3> = mesh.vertices().iter().map(|&p| bend(p)).collect();
    Mesh::new("deformed", &positions, mesh.triangles()).unwrap()
}

#[test]
fn trees_fitted_again_to_a_moved_surface_find_all_that_brute_force_does() {
    let (a, b) = (torus(), gear());
    for amount in [0.05, 1.0] {
        let moved = deformed(&a, amount);
        assert_eq!(moved.triangles().len(), a.triangles().len());
        let judge = Tree::build(TreeKind::BruteForce, SplitRule::default(), &a);
        let place = |pose: Pose| {
            let scale = f64::from(1.0 + amount);
            Pose::new(pose.rotation, scale * pose.position + 40.0 * f64::from(amount) * DVec3::ONE)
        };
        let expected: Vec<_> =
            poses().map(|pose| intersections([(&judge, &moved), (&judge, &b)], &place(pose))).collect();
        assert!(expected.iter().any(|pairs| !pairs.is_empty()));
        for kind in kinds() {
            let mut tree = Tree::build(kind, SplitRule::default(), &a);
            tree.refit(&moved, &mut RefitScratch::default());
            assert_eq!(tree.validate(&moved), Ok(()), "{}", kind.name());
            let other = Tree::build(kind, SplitRule::default(), &b);
            for (pose, expected) in poses().zip(&expected) {
                let found = intersections([(&tree, &moved), (&other, &b)], &place(pose));
                assert!(found == *expected, "{}", kind.name());
            }
        }
    }
}

#[test]
fn a_tree_fitted_again_to_the_same_surface_is_the_same() {
    let mesh = gear();
    for kind in kinds() {
        let built = Tree::build(kind, SplitRule::default(), &mesh);
        let mut fitted = built.clone();
        fitted.refit(&deformed(&mesh, 0.3), &mut RefitScratch::default());
        assert!(kind == TreeKind::BruteForce || boxes(&fitted) != boxes(&built), "{}", kind.name());
        fitted.refit(&mesh, &mut RefitScratch::default());
        assert!(boxes(&fitted) == boxes(&built), "{}", kind.name());
        assert_eq!(fitted.byte_count(), built.byte_count(), "{}", kind.name());
    }
}

#[test]
fn volumes_of_nodes_hold_what_is_inside_and_grow_with_the_cube_of_the_surface() {
    let (positions, triangles) = generate::sphere(1.0, 24);
    let ball = generate::signed_volume(&(positions.clone(), triangles.clone()));
    let mesh = Mesh::new("ball", &positions, &triangles).unwrap();
    let mut larger = mesh.clone();
    larger.reshape(|p| 2.0 * p);
    for kind in kinds() {
        let [tree, double] = [&mesh, &larger].map(|mesh| Tree::build(kind, SplitRule::default(), mesh));
        let (root, sum) = (tree.root_volume(), tree.volume_sum());
        if kind == TreeKind::BruteForce {
            assert_eq!((root, sum), (0.0, 0.0));
            continue;
        }
        assert!(root > 0.999 * ball && root < 8.1 && sum > 1.5 * root, "{}: {root}, {sum}", kind.name());
        for (small, large) in [(root, double.root_volume()), (sum, double.volume_sum())] {
            assert!((large / small - 8.0).abs() < 1e-3, "{}: {small}, {large}", kind.name());
        }
        // The volumes of kinds of axis-aligned boxes are those of their boxes.
        let named = |names: &[&str]| names.iter().any(|name| kind.name().starts_with(name));
        if named(&["boxtree", "aabb", "octree"]) {
            let mut top = 0.0;
            tree.for_each_box(0, |b| top += b.size().as_dvec3().element_product());
            assert!((root / top - 1.0).abs() < 1e-5, "{}: {root}, {top}", kind.name());
        }
    }
}
