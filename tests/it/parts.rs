//! Hierarchies guided by simplification: sound for any input, and with the same results as unguided
//! ones.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3, Vec3};
use rayon::ThreadPoolBuilder;
use tumble::generate::Replica;
use tumble::generate::{self, Triangles};
use tumble::mesh::simplify::{Element, Simplifier};
use tumble::mesh::{ComponentTree, Mesh, Refinement};
use tumble::plan::{Guidance, Kept, TreePlan};
use tumble::pose::Pose;
use tumble::query::{find_intersections, surfaces_intersect};
use tumble::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};
use tumble::volume::Aabb;

use crate::rounds::is_full;

fn mesh(name: &str, (positions, triangles): &Triangles) -> Mesh {
    Mesh::new(name, positions, triangles).unwrap()
}

fn replica(replica: Replica) -> Mesh {
    mesh(replica.name(), &replica.triangles())
}

/// Returns far more triangles than any level leaves whole, in one point at the resolution of the cells,
/// beside one that is far away.
fn two_grains() -> Triangles {
    let (mut positions, mut triangles) = generate::sphere(1e-4, 24);
    let first = positions.len() as u32;
    positions.extend([Vec3::new(10.0, 0.0, 0.0), Vec3::new(10.0, 1e-3, 0.0), Vec3::new(10.0, 0.0, 1e-3)]);
    triangles.push([first, first + 1, first + 2]);
    (positions, triangles)
}

fn plate() -> Triangles {
    let at = |x: u32, y: u32| y * 50 + x;
    let positions = (0..50).flat_map(|y| (0..50).map(move |x| Vec3::new(x as f32, 0.0, y as f32))).collect();
    let cells = (0..49).flat_map(|y| (0..49).map(move |x| (x, y)));
    let triangles = cells.flat_map(|(x, y)| {
        [[at(x, y), at(x, y + 1), at(x + 1, y)], [at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)]]
    });
    (positions, triangles.collect())
}

/// Returns a hub with two hundred blades that share one edge, and a sliver each: degenerate, repeated,
/// with hardly any area.
fn fan() -> Triangles {
    let mut positions = vec![Vec3::ZERO, Vec3::Y];
    let mut triangles = Vec::new();
    for k in 0..200u32 {
        let angle = k as f32 * 0.0314;
        positions.push(Vec3::new(angle.cos(), 0.5, angle.sin()));
        positions.push(Vec3::new(2.0 * angle.cos(), 0.5 + 1e-5, 2.0 * angle.sin()));
        let [a, b] = [2 + 2 * k, 3 + 2 * k];
        triangles.extend([[0, 1, a], [1, 0, a], [a, a, b], [0, a, b]]);
    }
    (positions, triangles)
}

fn hostile() -> Vec<Mesh> {
    let one = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let far: Triangles = {
        let (positions, triangles) = Replica::Chair.triangles();
        (positions.into_iter().map(|p| p + Vec3::splat(1e5)).collect(), triangles)
    };
    vec![
        mesh("one", &one),
        mesh("grains", &two_grains()),
        mesh("plate", &plate()),
        mesh("fan", &fan()),
        mesh("far", &far),
        scaled(1e-20),
        scaled(1e9),
        mesh("soup", &generate::soup(1000, 0.05, 1)),
        mesh("scattered soup", &generate::soup(1000, 1e-4, 2)),
    ]
}

fn scaled(by: f32) -> Mesh {
    let (positions, triangles) = Replica::Starship.triangles();
    mesh(&format!("{by:e} times as large"), &(positions.into_iter().map(|p| by * p).collect(), triangles))
}

fn guidances() -> impl Iterator<Item = Guidance> {
    Guidance::ALL.into_iter().filter(|&guidance| guidance != Guidance::Plain)
}

/// Returns the poses of two copies, from deep overlap to apart.
fn poses(mesh: &Mesh) -> impl Iterator<Item = Pose> {
    let (center, reach) = (mesh.bounds().center().as_dvec3(), f64::from(mesh.bounds().diagonal()));
    (0..8).map(move |i| {
        let t = f64::from(i);
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.9 * t, 0.4 * t, 1.7 * t);
        let shift = DVec3::new(0.9, 0.3, 0.2) * (0.12 * reach * t);
        Pose::new(rotation, center + shift - rotation * center)
    })
}

fn intersections(tree: &Tree, mesh: &Mesh, pose: &Pose) -> Vec<[u32; 2]> {
    let (mut scratch, mut pairs) = (DescentScratch::default(), Vec::new());
    find_intersections([(tree, mesh); 2], pose, &mut scratch, &mut pairs, &mut Counts::default());
    pairs.sort_unstable();
    pairs
}

fn boxes(tree: &Tree) -> Vec<Aabb> {
    let mut boxes = Vec::new();
    (0..=tree.depth()).for_each(|level| tree.for_each_box(level, |b| boxes.push(b)));
    boxes
}

fn node_tests(tree: &Tree, mesh: &Mesh) -> u64 {
    let (mut scratch, mut counts) = (DescentScratch::default(), Counts::default());
    for pose in poses(mesh) {
        surfaces_intersect([(tree, mesh); 2], &pose, &mut scratch, &mut counts);
    }
    counts.node_test_count
}

/// Tests one rule per kind on one surface, in turn; all rules, and another surface, with `TUMBLE_FULL=1`.
#[test]
fn every_guided_hierarchy_is_sound_and_finds_what_the_plain_one_finds() {
    let rules = [SplitRule::Principal, SplitRule::Binned, SplitRule::LongestSide];
    let rule_count = if is_full() { 3 } else { 1 };
    let shapes = [Replica::Chair, Replica::Starship].into_iter().take(if is_full() { 2 } else { 1 });
    for mesh in shapes.map(replica) {
        let plain = Tree::build(TreeKind::OBB, SplitRule::Principal, &mesh);
        let expected: Vec<_> = poses(&mesh).map(|pose| intersections(&plain, &mesh, &pose)).collect();
        assert!(expected.iter().filter(|pairs| !pairs.is_empty()).count() >= 3);
        for (k, plan) in TreePlan::all().filter(|plan| plan.guidance != Guidance::Plain).enumerate() {
            for rule in rules.into_iter().cycle().skip(k).take(rule_count) {
                let tree = Tree::build(plan, rule, &mesh);
                let name = format!("{}: {}, {}", mesh.name(), plan.name(), rule.name());
                assert_eq!(tree.validate(&mesh), Ok(()), "{name}");
                for (pose, expected) in poses(&mesh).zip(&expected) {
                    assert!(intersections(&tree, &mesh, &pose) == *expected, "{name}");
                }
            }
        }
    }
}

#[test]
fn hostile_surfaces_are_simplified_and_guided_like_others() {
    for mesh in hostile() {
        let plain = Tree::build(TreeKind::OBB, SplitRule::default(), &mesh);
        let expected: Vec<_> = poses(&mesh).map(|pose| intersections(&plain, &mesh, &pose)).collect();
        for guidance in guidances() {
            for kind in [TreeKind::OBB, TreeKind::Boxtree8, TreeKind::Sphere] {
                let plan = TreePlan { kind, guidance };
                let tree = Tree::build(plan, SplitRule::default(), &mesh);
                assert_eq!(tree.validate(&mesh), Ok(()), "{}, {}", mesh.name(), plan.name());
                for (pose, expected) in poses(&mesh).zip(&expected) {
                    assert!(intersections(&tree, &mesh, &pose) == *expected, "{}", mesh.name());
                }
            }
        }
    }
}

#[test]
fn at_every_level_components_part_the_triangles_each_inside_its_parent() {
    let replicas = Replica::ALL.map(replica);
    for mesh in hostile().iter().chain(&replicas) {
        for refinement in [Refinement::Whole, Refinement::Each] {
            let tree = ComponentTree::new(mesh, refinement);
            let mut order = tree.order.clone();
            order.sort_unstable();
            assert!(order.into_iter().eq(0..mesh.triangles().len() as u32), "{}", mesh.name());
            let made: u32 = tree.levels.iter().map(|level| level.component_count).sum();
            assert_eq!(made as usize, tree.components.len() - 1);
            for component in tree.components.iter().filter(|c| !c.children.is_empty()) {
                let children =
                    &tree.components[component.children.start as usize..component.children.end as usize];
                assert!(children.len() >= 2 && children.iter().all(|c| !c.triangles.is_empty()));
                assert_eq!(children[0].triangles.start, component.triangles.start);
                assert_eq!(children[children.len() - 1].triangles.end, component.triangles.end);
                assert!(children.windows(2).all(|w| w[0].triangles.end == w[1].triangles.start));
            }
        }
    }
}

#[test]
fn components_joined_by_a_single_point_are_separate() {
    // Two flat sheets that touch in one corner; simplified, each stays a sheet.
    let (positions, triangles) = plate();
    let count = positions.len() as u32;
    let moved = positions.iter().map(|p| Vec3::new(49.0 + p.z, p.x, 49.0));
    let all: Vec<Vec3> = positions.iter().copied().chain(moved).collect();
    let turned = triangles.iter().map(|t| t.map(|v| v + count));
    let sheets = mesh("sheets", &(all, triangles.iter().copied().chain(turned).collect()));
    let tree = ComponentTree::new(&sheets, Refinement::Whole);
    let is_second = |t: &&u32| sheets.corners(**t).iter().any(|c| c.y > 0.5);
    let (mut largest, mut mixed) = ([0; 2], 0);
    for leaf in tree.components.iter().filter(|c| c.children.is_empty()) {
        let own = &tree.order[leaf.triangles.start as usize..leaf.triangles.end as usize];
        let of_second = own.iter().filter(is_second).count();
        let of_first = own.len() - of_second;
        largest = [largest[0].max(of_first), largest[1].max(of_second)];
        // Triangles that became the shared point may be of both.
        mixed += of_first.min(of_second);
    }
    let half = triangles.len() * 9 / 10;
    assert!(largest[0] > half && largest[1] > half && mixed < triangles.len() / 20, "{largest:?}, {mixed}");
    assert!(tree.leaf_count() >= 2);
}

#[test]
fn a_surface_without_parts_gets_the_very_tree_it_would_have_without_guidance() {
    let torus = mesh("torus", &generate::torus(0.4, 0.12, 60, 30));
    let plain = Tree::build(TreeKind::OBB, SplitRule::default(), &torus);
    for guidance in guidances() {
        let plan = TreePlan { kind: TreeKind::OBB, guidance };
        let (tree, guided) = Tree::build_guided(plan, SplitRule::default(), &torus);
        let guided = guided.unwrap();
        assert!(
            guided.component_count < 2 && guided.kept == Kept::Plain && guided.levels.is_empty(),
            "{guided:?}"
        );
        assert!(boxes(&tree) == boxes(&plain) && node_tests(&tree, &torus) == node_tests(&plain, &torus));
    }
}

#[test]
fn long_slanted_parts_save_node_tests_and_what_does_not_save_any_is_not_kept() {
    let windmill = replica(Replica::Windmill);
    let parts = TreePlan { kind: TreeKind::OBB, guidance: Guidance::Parts };
    for rule in [SplitRule::Principal, SplitRule::Binned] {
        let (tree, guided) = Tree::build_guided(parts, rule, &windmill);
        let guided = guided.unwrap();
        let sample = guided.sample.unwrap();
        assert!(guided.kept != Kept::Plain && sample.ratio() < 0.9, "{guided:?}");
        assert_eq!(tree.validate(&windmill), Ok(()));
    }
    let skateboard = replica(Replica::Skateboard);
    let (tree, guided) = Tree::build_guided(parts, SplitRule::Binned, &skateboard);
    let guided = guided.unwrap();
    assert!(guided.kept == Kept::Plain && guided.sample.unwrap().ratio() > 0.98, "{guided:?}");
    let plain = Tree::build(TreeKind::OBB, SplitRule::Binned, &skateboard);
    assert!(boxes(&tree) == boxes(&plain));
    let always = TreePlan { kind: TreeKind::OBB, guidance: Guidance::PartsAlways };
    let (tree, guided) = Tree::build_guided(always, SplitRule::Binned, &skateboard);
    let guided = guided.unwrap();
    assert!(
        guided.kept == Kept::Components && guided.sample.is_none() && guided.plain_count == 0,
        "{guided:?}"
    );
    assert!(boxes(&tree) != boxes(&plain));
}

#[test]
fn guided_trees_do_not_depend_on_the_number_of_threads() {
    let station = replica(Replica::SpaceStation);
    for guidance in guidances() {
        let plan = TreePlan { kind: TreeKind::OBB, guidance };
        let mut trees = [1, 2, 3].into_iter().map(|count| {
            let pool = ThreadPoolBuilder::new().num_threads(count).build().unwrap();
            boxes(&pool.install(|| Tree::build(plan, SplitRule::Binned, &station)))
        });
        let first = trees.next().unwrap();
        assert!(trees.all(|tree| tree == first), "{}", plan.name());
    }
}

#[test]
fn a_simplified_surface_is_made_of_what_its_triangles_became() {
    for mesh in hostile().iter().chain([&replica(Replica::Helicopter)]) {
        let simplifier = Simplifier::new(mesh.vertices(), mesh.triangles());
        let diagonal = mesh.bounds().diagonal();
        for width in [2.0 * diagonal, 0.3 * diagonal, 0.05 * diagonal, 1e-3 * diagonal] {
            let surface = simplifier.simplify(width);
            let mut met = vec![false; surface.element_count()];
            for (triangle, &image) in mesh.triangles().iter().zip(&surface.image) {
                met[image as usize] = true;
                let corners: BTreeSet<u32> =
                    triangle.iter().map(|&v| surface.representatives[v as usize]).collect();
                let own: BTreeSet<u32> = match surface.element(image) {
                    Element::Triangle(corners) => corners.into(),
                    Element::Edge(ends) => ends.into(),
                    Element::Point(at) => [at].into(),
                };
                assert_eq!(corners, own);
            }
            assert!(met.iter().all(|&met| met), "an element that nothing became");
            let distinct: BTreeSet<_> = surface.triangles.iter().collect();
            assert_eq!(distinct.len(), surface.triangles.len());
            for (vertex, &stands) in surface.representatives.iter().enumerate() {
                assert_eq!(
                    surface.representatives[stands as usize], stands,
                    "who stands for others stands for itself"
                );
                let off = mesh.vertices()[vertex] - mesh.vertices()[stands as usize];
                assert!(off.abs().max_element() <= 0.5 * width, "{off} of {width}");
            }
            if width >= 2.0 * diagonal {
                assert_eq!((surface.triangles.len(), surface.edges.len(), surface.points.len()), (0, 0, 1));
            }
        }
    }
}

#[test]
fn simplification_is_independent_of_order_and_mirroring() {
    let (positions, mut triangles) = Replica::Forklift.triangles();
    let straight = Simplifier::new(&positions, &triangles).simplify(0.25);
    triangles.reverse();
    let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [c, a, b]).collect();
    let other = Simplifier::new(&positions, &turned).simplify(0.25);
    assert_eq!(other.representatives, straight.representatives);
    let sorted = |list: &[[u32; 3]]| list.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(sorted(&other.triangles), sorted(&straight.triangles));
    // A mirror in a plane through the origin rounds no coordinate.
    let mirrored: Vec<Vec3> = positions.iter().map(|p| p.with_y(-p.y)).collect();
    let other = Simplifier::new(&mirrored, &turned).simplify(0.25);
    assert_eq!(other.representatives, straight.representatives);
    // Doubling the size rounds none either.
    let doubled: Vec<Vec3> = positions.iter().map(|&p| 2.0 * p).collect();
    assert_eq!(Simplifier::new(&doubled, &turned).simplify(0.5).representatives, straight.representatives);
}
