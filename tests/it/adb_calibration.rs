//! Calibration of time-critical queries, on surfaces to which no weight was fitted.

use glam::DVec3;
use tumble::estimate::{AdbKind, AdbScratch, AdbTree, Limits, Target, estimate};
use tumble::generate::{Limb, Pillar, Triangles};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::query::surfaces_intersect;
use tumble::random::Random;
use tumble::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

const BINS: usize = 10;

/// The stated and the observed probabilities, in bins by the stated probability.
#[derive(Default)]
struct Kept {
    bins: [[f64; 2]; BINS],
    count: f64,
}

impl Kept {
    fn add(&mut self, probability: f64, meets: bool) {
        let bin = &mut self.bins[((probability * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += probability;
        bin[1] += f64::from(u8::from(meets));
        self.count += 1.0;
    }

    fn error(&self) -> f64 {
        self.bins.iter().map(|bin| (bin[0] - bin[1]).abs()).sum::<f64>() / self.count
    }
}

/// Runs queries at poses that range from deep overlap to just apart.
fn ask(mesh: &Mesh, kind: AdbKind, count: u32, node_tests: u32, mut tell: impl FnMut(f64, bool)) {
    let exact = Tree::build(TreeKind::Boxtree8, SplitRule::default(), mesh);
    let tree = AdbTree::build(kind, SplitRule::default(), mesh);
    let (mut descent, mut scratch) = <(DescentScratch, AdbScratch)>::default();
    let mut random = Random::new(21, 0);
    let size = f64::from(mesh.bounds().size().max_element());
    let limits = Limits { node_tests, likely_pairs: 0 };
    for _ in 0..count {
        let way = (0.05 + 1.15 * random.uniform()) * size * (random.rotation() * DVec3::X);
        let pose = Pose::new(random.rotation(), way);
        let answer = estimate([&tree; 2], &pose, 0.0, &Target::default(), &limits, &mut scratch);
        if !(answer.is_proof && answer.node_tests == 1) {
            tell(
                answer.probability,
                surfaces_intersect([(&exact, mesh); 2], &pose, &mut descent, &mut Counts::default()),
            );
        }
    }
}

fn mesh(name: &str, (positions, triangles): Triangles) -> Mesh {
    Mesh::new(name, &positions, &triangles).unwrap()
}

#[test]
fn estimates_after_128_tests_are_calibrated_on_unseen_surfaces() {
    let meshes = [mesh("pillar", Pillar::WAIST_HIGH.triangles()), mesh("limb", Limb::HULL.triangles())];
    for kind in AdbKind::ALL {
        let mut kept = Kept::default();
        for mesh in &meshes {
            ask(mesh, kind, 500, 128, |probability, meets| kept.add(probability, meets));
        }
        assert!(kept.count > 300.0 && kept.error() < 0.08, "{kind:?}: {} of {}", kept.error(), kept.count);
    }
}
