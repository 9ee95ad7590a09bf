//! Hierarchies of bounding volumes over the triangles of one mesh, one kind a file, and the one traversal
//! of a pair of them.
//!
//! Contract of every kind: all triangle pairs that come within a margin of each other are reported
//! (conservative under rounding), each once, in any order; pairs farther apart may be. \[boxtree\]

mod boxtree;
mod boxtree_test;
mod brute_force;
mod build;
mod descend;
mod segment;

use serde::{Deserialize, Serialize};

pub use boxtree::Boxtree;
pub use descend::{Children, Descent, descend};
pub use segment::{Crossing, SegmentStack, crosses, first_crossing};

use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::volume::Aabb;
use boxtree_test::{SatLite, TumbledBox};

/// Which hierarchy a run builds over each mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeKind {
    /// The restricted boxtree. \[boxtree\] §3
    #[default]
    Boxtree,
    /// Every triangle against every other: the judge.
    BruteForce,
}

impl TreeKind {
    pub const ALL: [Self; 2] = [Self::Boxtree, Self::BruteForce];

    pub fn name(self) -> &'static str {
        match self {
            Self::Boxtree => "boxtree",
            Self::BruteForce => "brute-force",
        }
    }
}

/// The hierarchy over one mesh, in its body space.
#[derive(Clone, Debug)]
pub enum Tree {
    Boxtree(Boxtree),
    BruteForce,
}

/// What a traversal did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of volumes tested for overlap.
    pub node_test_count: u64,
}

/// The stack of a traversal, kept so that it grows once.
#[derive(Default)]
pub struct DescentScratch {
    tumbled: Vec<(TumbledBox, TumbledBox)>,
}

impl Tree {
    pub fn build(kind: TreeKind, mesh: &Mesh) -> Self {
        match kind {
            TreeKind::Boxtree => Self::Boxtree(Boxtree::build(mesh)),
            TreeKind::BruteForce => Self::BruteForce,
        }
    }

    /// Memory the hierarchy holds beside the mesh.
    pub fn byte_count(&self) -> usize {
        match self {
            Self::Boxtree(tree) => tree.byte_count(),
            Self::BruteForce => 0,
        }
    }

    /// Levels below the root; zero for a kind without nodes.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Boxtree(tree) => tree.depth(),
            Self::BruteForce => 0,
        }
    }

    /// Calls `show` with the box of every node `level` levels below the root and of every leaf above, body
    /// space. A kind without nodes has none.
    pub fn for_each_box(&self, level: u32, show: impl FnMut(Aabb)) {
        match self {
            Self::Boxtree(tree) => tree.for_each_box(level, show),
            Self::BruteForce => {}
        }
    }

    /// Checks every invariant of the hierarchy against its mesh.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        match self {
            Self::Boxtree(tree) => tree.validate(mesh),
            Self::BruteForce => Ok(()),
        }
    }
}

/// Appends to `out` all pairs (triangle of a, triangle of b) that come within `margin` (m), each once, and
/// more that only might. Trees of different kinds fall back on brute force.
pub fn find_candidates(
    [(tree_a, mesh_a), (tree_b, mesh_b)]: [(&Tree, &Mesh); 2],
    b_to_a: &Pose,
    margin: f64,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) {
    match (tree_a, tree_b) {
        (Tree::Boxtree(a), Tree::Boxtree(b)) => {
            descend(&mut SatLite::new(a, b, b_to_a, margin, out), &mut scratch.tumbled, counts);
        }
        _ => brute_force::find_candidates(mesh_a, mesh_b, b_to_a, margin, out, counts),
    }
}
