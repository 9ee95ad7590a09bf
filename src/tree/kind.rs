//! Which hierarchy a run builds over each mesh.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeKind {
    /// The restricted boxtree under SAT lite. \[boxtree\] §3
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
