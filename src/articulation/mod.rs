//! Articulated bodies: skeletons that pose their links, and hierarchies over the links' boxes. [cab]

use serde::{Deserialize, Serialize};

/// Which hierarchy a run keeps over the links of an articulated body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkTreeKind {
    /// Every link box against every other: the judge.
    #[default]
    BruteForce,
}

impl LinkTreeKind {
    pub const ALL: [Self; 1] = [Self::BruteForce];

    pub fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute-force",
        }
    }
}
