//! Articulated bodies: skeletons that pose their links, and hierarchies over the links' boxes. \[cab\]

mod brute_force;
mod skin;

use serde::{Deserialize, Serialize};

pub use skin::{Deviation, LinkSkin, SkinKind, SkinVertex};

use crate::volume::Aabb;

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

/// Appends the pairs (link of a, link of b) whose boxes overlap, by index within each figure, sorted. Returns
/// how many boxes were tested against each other.
pub fn link_pairs(kind: LinkTreeKind, a: &[Aabb], b: &[Aabb], pairs: &mut Vec<(u32, u32)>) -> u64 {
    match kind {
        LinkTreeKind::BruteForce => brute_force::link_pairs(a, b, pairs),
    }
}
