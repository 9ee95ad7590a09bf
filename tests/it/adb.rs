//! Time-critical queries, compared with exact queries. A proven result is right, a likely result is
//! mostly right, and odd input still gets an answer.

use glam::{DQuat, DVec3, Vec3};
use tumble::estimate::{AdbKind, AdbScratch, AdbTree, CellRule, Estimate, Limits, Outcome, Target, estimate};
use tumble::generate;
use tumble::lab::{AdbModel, Combination, Paper, Regions, Shape, VolumeEstimator, tails};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::query::surfaces_intersect;
use tumble::random::Random;
use tumble::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

const RULE: SplitRule = SplitRule::Binned;

fn mesh(name: &str, (positions, triangles): &generate::Triangles) -> Mesh {
    Mesh::new(name, positions, triangles).unwrap()
}

fn poses(count: u64) -> impl Iterator<Item = Pose> {
    let mut random = Random::new(5, 0);
    (0..count).map(move |_| {
        let rotation = random.rotation();
        Pose::new(rotation, (0.3 + 3.7 * random.uniform()) * (random.rotation() * DVec3::X))
    })
}

struct Pair {
    mesh: Mesh,
    exact: Tree,
    scratch: (DescentScratch, AdbScratch),
}

impl Pair {
    fn new(mesh: Mesh) -> Self {
        let exact = Tree::build(TreeKind::Boxtree8, RULE, &mesh);
        Self { mesh, exact, scratch: Default::default() }
    }

    fn intersects(&mut self, pose: &Pose) -> bool {
        let surface = (&self.exact, &self.mesh);
        surfaces_intersect([surface; 2], pose, &mut self.scratch.0, &mut Counts::default())
    }

    fn ask(&mut self, tree: &AdbTree, pose: &Pose, target: &Target, limits: &Limits) -> Estimate {
        estimate([tree; 2], pose, 0.0, target, limits, &mut self.scratch.1)
    }

    fn ask_by(&mut self, model: AdbModel, tree: &AdbTree, pose: &Pose, limits: &Limits) -> Estimate {
        model.estimate([tree; 2], pose, &Target::default(), limits, &mut self.scratch.1)
    }
}

fn models() -> [AdbModel; 4] {
    let paper = Paper::default();
    let grid = Paper { regions: Regions::Grid, estimator: VolumeEstimator::Aligned, ..paper };
    let expected = Paper { combination: Combination::Expectation, distinct: true, ..paper };
    let pyramids = Paper { regions: Regions::Pyramids, estimator: VolumeEstimator::Slabs, ..expected };
    [AdbModel::Fitted, AdbModel::Paper(grid), AdbModel::Paper(expected), AdbModel::Paper(pyramids)]
}

#[test]
fn a_proof_holds_and_most_answers_are_right() {
    for shape in [Shape::Torus, Shape::Soup] {
        let mut pair = Pair::new(shape.mesh(2000).unwrap());
        for kind in AdbKind::ALL {
            let cells = CellRule { regions: true, ..CellRule::default() };
            let tree = AdbTree::with_cells(kind, RULE, &pair.mesh, &cells);
            for model in models() {
                let (mut wrong, mut proofs) = (0, 0);
                for pose in poses(60) {
                    let meets = pair.intersects(&pose);
                    let limits = Limits { node_tests: 4000, likely_pairs: 0 };
                    let answer = pair.ask_by(model, &tree, &pose, &limits);
                    assert!((0.0..=1.0).contains(&answer.probability), "{kind:?} {model:?}: {answer:?}");
                    assert!(!(answer.is_proof && meets), "{kind:?} {model:?}: {answer:?}");
                    proofs += u32::from(answer.is_proof);
                    wrong += u32::from(answer.is_collision() != meets);
                }
                assert!(proofs > 0, "{kind:?} {model:?}");
                if model == AdbModel::Fitted && !matches!(kind, AdbKind::Octree) {
                    assert!(wrong <= 6, "{kind:?} {}: {wrong} of 60 wrong", shape.name());
                }
            }
        }
    }
}

#[test]
fn a_query_ends_at_its_limit_and_the_same_question_has_the_same_answer() {
    let mut pair = Pair::new(Shape::BumpySphere.mesh(3000).unwrap());
    let target = Target::new(1.0, u32::MAX).unwrap();
    for kind in AdbKind::ALL {
        let tree = AdbTree::build(kind, RULE, &pair.mesh);
        let pose = Pose::new(DQuat::from_rotation_y(0.4), DVec3::new(1.2, 0.1, 0.0));
        let mut last = 0;
        for node_tests in [0, 1, 2, 50, 300, 1000] {
            let limits = Limits { node_tests, likely_pairs: 5 };
            let answer = pair.ask(&tree, &pose, &target, &limits);
            // The first pair is always tested. All children of the last opened pair are tested too.
            assert!(answer.node_tests < node_tests.max(1) + 64, "{kind:?} {answer:?}");
            assert!(answer.node_tests >= last);
            last = answer.node_tests;
            assert_eq!(answer.outcome, Outcome::Interrupted);
            let likely = pair.scratch.1.likely().to_vec();
            assert!(!likely.is_empty() && likely.len() <= 5);
            assert!(likely.windows(2).all(|two| two[0].probability >= two[1].probability));
            for one in &likely {
                let reach = one.center.as_dvec3().length();
                assert!(reach < 1.8 && one.overlap.min_element() >= -1e-6, "{one:?}");
            }
            assert_eq!(pair.ask(&tree, &pose, &target, &limits), answer);
            assert_eq!(pair.scratch.1.likely(), likely);
        }
    }
}

#[test]
fn required_certainty_grows_with_query_time() {
    let mut pair = Pair::new(Shape::Torus.mesh(5000).unwrap());
    let tree = AdbTree::build(AdbKind::Aabb, RULE, &pair.mesh);
    let mut tests = [0, 0, 0];
    for pose in poses(100) {
        let targets = [(0.6, 1), (0.9, 5), (0.999, 20)].map(|(p, k)| Target::new(p, k).unwrap());
        for (sum, target) in tests.iter_mut().zip(&targets) {
            *sum += pair.ask(&tree, &pose, target, &Limits::default()).node_tests;
        }
    }
    assert!(tests[0] < tests[1] && tests[1] < tests[2], "{tests:?}");
}

#[test]
fn odd_surfaces_have_an_answer() {
    let flat = generate::cuboid(Vec3::new(1.0, 1.0, 0.0), 0.2);
    let one = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let line = (vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], vec![[0, 1, 2]]);
    let far = generate::torus(0.7, 0.3, 20, 10);
    let far = (far.0.iter().map(|v| v * 1e6 + 1e8).collect(), far.1);
    let tiny = generate::cuboid(Vec3::splat(1e-9), 1e-9);
    for (name, triangles) in [("flat", flat), ("one", one), ("line", line), ("far", far), ("tiny", tiny)] {
        let Ok(mesh) = Mesh::new(name, &triangles.0, &triangles.1) else { continue };
        let mut pair = Pair::new(mesh);
        let size = f64::from(pair.mesh.bounds().diagonal());
        for kind in AdbKind::ALL {
            let cells = CellRule { regions: true, ..CellRule::PAPER };
            for tree in
                [AdbTree::build(kind, RULE, &pair.mesh), AdbTree::with_cells(kind, RULE, &pair.mesh, &cells)]
            {
                for model in models() {
                    for distance in [0.0, 0.3, 10.0] {
                        let pose =
                            Pose::new(DQuat::from_rotation_x(0.3), DVec3::new(0.1, distance, 0.0) * size);
                        let answer = pair.ask_by(model, &tree, &pose, &Limits::default());
                        assert!((0.0..=1.0).contains(&answer.probability), "{name} {kind:?} {answer:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn trees_of_different_kinds_are_not_compared() {
    let mesh = mesh("torus", &generate::torus(0.7, 0.3, 20, 10));
    let trees = [AdbKind::Aabb, AdbKind::Octree].map(|kind| AdbTree::build(kind, RULE, &mesh));
    let target = Target::default();
    let mut scratch = AdbScratch::default();
    let answer =
        estimate([&trees[0], &trees[1]], &Pose::IDENTITY, 0.0, &target, &Limits::default(), &mut scratch);
    assert_eq!((answer.outcome, answer.probability, answer.is_proof), (Outcome::Interrupted, 0.5, false));
}

/// Checks the size of a node. \[adb\] Table 1 has 36 bytes, of which 28 belong to the hierarchy itself.
#[test]
fn a_node_takes_no_more_than_the_paper_s() {
    let mesh = Shape::Sphere.mesh(5000).unwrap();
    let tree = AdbTree::build(AdbKind::Aabb, RULE, &mesh);
    let bytes = tree.byte_count() as f64 / tree.node_count() as f64;
    assert!((34.0..35.0).contains(&bytes), "{bytes}");
    assert_eq!(tree.cell_counts().len(), tree.node_count());
    assert!(tree.cell_counts().iter().all(|&c| c > 0 && c <= 512));
}

/// Uses two triangles, each across a separate cube. The cubes are shifted along x, so they overlap in
/// the rest. As in the paper, the answer depends on the number of shared cells and on how many of them
/// are filled.
#[test]
fn the_share_of_two_boxes_is_that_of_cubes_shifted_along_a_side() {
    let across = (vec![Vec3::Z, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let mesh = mesh("across", &across);
    let tree = AdbTree::build(AdbKind::Aabb, RULE, &mesh);
    let filled = f64::from(tree.cell_counts()[0]);
    assert!(filled > 20.0, "{filled}");
    for share in [0.25, 0.5, 0.75] {
        let pose = Pose::from_position(DVec3::X * (1.0 - share));
        let mut shares = Vec::new();
        let mut ask = |model: AdbModel| {
            let target = Target::default();
            let limits = Limits::default();
            let scratch = &mut AdbScratch::default();
            model.observe([&tree; 2], &pose, &target, &limits, scratch, &mut |t| shares.push(t.features[1]))
        };
        let answer = ask(AdbModel::Paper(Paper::default()));
        let cells = (share * filled).round() as u32;
        let expected = tails((share * 512.0) as u32, cells, cells)[1];
        assert!((answer.probability - expected).abs() < 1e-6, "{share}: {answer:?}, not {expected}");
        ask(AdbModel::Fitted);
        assert!(shares.iter().all(|ln| (f64::from(*ln).exp() - share).abs() < 1e-6), "{share}: {shares:?}");
        assert_eq!(shares.len(), 2);
    }
}

/// Uses a layer of cells. A strip covers a share of the floor of each cell.
#[test]
fn a_cell_counts_from_a_quarter_of_a_wall_on() {
    let counted = |share: f32| {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for (x, y) in (0..8u8).flat_map(|x| (0..8u8).map(move |y| (f32::from(x), f32::from(y)))) {
            let first = positions.len() as u32;
            for (right, up) in [(0.0, 0.0), (share, 0.0), (share, 1.0), (0.0, 1.0)] {
                positions.push(Vec3::new(x + right, y + up, 0.0));
            }
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
        // This is a tiny triangle at the far corner of the box.
        let first = positions.len() as u32;
        positions.extend([(8.0, 8.0), (8.0, 7.999), (7.999, 8.0)].map(|(x, y)| Vec3::new(x, y, 8.0)));
        triangles.push([first, first + 1, first + 2]);
        AdbTree::build(AdbKind::Aabb, RULE, &mesh("strips", &(positions, triangles))).cell_counts()[0]
    };
    assert_eq!((counted(0.24), counted(0.26)), (0, 64));
}
