//! Which hierarchy a run keeps over the links of articulated bodies.

use serde::{Deserialize, Serialize};

/// Kinds differ in time and in how many pairs they hand to the exact query. \[cab\] §4
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkTreeKind {
    /// Oriented boxes, a parent's axes from its children's longest ones. \[cab\] §3.2
    #[default]
    Cab,
    /// As CAB, but of limbs that are folded the sum of both longest axes. \[cab\] footnote 1
    CabSum,
    /// Oriented boxes, a parent's axes from the covariance of its children's corners.
    Obb,
    /// Axis-aligned boxes around all vertices below, in every node.
    AabbVertices,
    /// Axis-aligned boxes around the eight corners of the box of every link below, in every node: AABB* of
    /// the paper.
    AabbCorners,
    /// Axis-aligned boxes around the links' own boxes, unions above them.
    AabbUnions,
    /// Every link against every other, without volumes: the judge.
    BruteForce,
}

impl LinkTreeKind {
    pub const ALL: [Self; 7] = [
        Self::Cab,
        Self::CabSum,
        Self::Obb,
        Self::AabbVertices,
        Self::AabbCorners,
        Self::AabbUnions,
        Self::BruteForce,
    ];

    /// What configurations and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cab => "cab",
            Self::CabSum => "cab-sum",
            Self::Obb => "obb",
            Self::AabbVertices => "aabb-vertices",
            Self::AabbCorners => "aabb-corners",
            Self::AabbUnions => "aabb-unions",
            Self::BruteForce => "brute-force",
        }
    }

    /// Returns the name that the tables of \[cab\] §4 use; unions have none there.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cab => "CAB",
            Self::CabSum => "CAB, sum",
            Self::Obb => "OBB",
            Self::AabbVertices => "AABB+",
            Self::AabbCorners => "AABB*",
            Self::AabbUnions => "AABB",
            Self::BruteForce => "brute",
        }
    }
}
