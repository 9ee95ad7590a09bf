//! The kind of hierarchy over the links of articulated bodies.

use serde::{Deserialize, Serialize};

/// Kind of hierarchy. Kinds differ in time and in the number of pairs that they pass to the exact
/// query. \[cab\] §4
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkTreeKind {
    /// Oriented boxes; a parent's axes come from its children's longest axes. \[cab\] §3.2
    #[default]
    Cab,
    /// CAB, but folded limbs use the sum of both longest axes. \[cab\] footnote 1
    CabSum,
    /// Oriented boxes; a parent's axes come from the covariance of its children's corners.
    Obb,
    /// Axis-aligned boxes, in every node around all vertices below: AABB+ of the paper.
    AabbVertices,
    /// Axis-aligned boxes, in every node around the eight corners of the box of every link below: AABB*
    /// of the paper.
    AabbCorners,
    /// Axis-aligned boxes around the links' own boxes, with unions above them.
    AabbUnions,
    /// Every link against every other, without volumes: the reference.
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

    /// Returns the name that configurations and the command line use.
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
