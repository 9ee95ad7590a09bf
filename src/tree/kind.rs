//! Which hierarchy a run builds over each mesh.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeKind {
    /// The restricted boxtree under SAT lite. \[boxtree\] §3
    Boxtree,
    /// The boxtree with nodes of eight children, and the fastest kind. \[boxtree\] §6.1
    #[default]
    Boxtree8,
    /// The boxtree with nodes of four children. \[boxtree\] §6.1
    Boxtree4,
    /// Every triangle against every other: the judge.
    BruteForce,
}

impl TreeKind {
    pub const ALL: [Self; 4] = [Self::Boxtree8, Self::Boxtree4, Self::Boxtree, Self::BruteForce];

    pub fn name(self) -> &'static str {
        match self {
            Self::Boxtree => "boxtree",
            Self::Boxtree8 => "boxtree8",
            Self::Boxtree4 => "boxtree4",
            Self::BruteForce => "brute-force",
        }
    }
}
