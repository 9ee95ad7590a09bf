//! Hierarchies of bounding volumes over the triangles of one mesh, one kind a file, and the one traversal
//! of a pair of them.
//!
//! Contract of every kind: all triangle pairs whose boxes come within a margin of each other are reported
//! (conservative under rounding), each once, in any order. [boxtree]

use serde::{Deserialize, Serialize};

/// Which hierarchy a run builds over each mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeKind {
    /// The restricted boxtree. [boxtree] §3
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
