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
    /// Axis-aligned boxes under SAT lite.
    Aabb,
    /// Oriented boxes under fifteen axes.
    Obb,
    Sphere,
    /// Polytopes of 24 planes, realigned once a query.
    Dop24,
    /// Every triangle against every other: the judge.
    BruteForce,
}

impl TreeKind {
    pub const ALL: [Self; 8] = [
        Self::Boxtree8,
        Self::Boxtree4,
        Self::Boxtree,
        Self::Aabb,
        Self::Obb,
        Self::Sphere,
        Self::Dop24,
        Self::BruteForce,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Boxtree => "boxtree",
            Self::Boxtree8 => "boxtree8",
            Self::Boxtree4 => "boxtree4",
            Self::Aabb => "aabb",
            Self::Obb => "obb",
            Self::Sphere => "sphere",
            Self::Dop24 => "dop24",
            Self::BruteForce => "brute-force",
        }
    }
}
