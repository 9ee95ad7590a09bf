//! Kinds of hierarchies over the links of articulated bodies.

use serde::{Deserialize, Serialize};

/// Kind of hierarchy. Kinds differ in speed and in the number of link pairs that they report for the
/// exact query. \[cab\] §4
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LinkTreeKind {
    /// Oriented boxes; a parent's axes come from its children's longest axes. \[cab\] §3.2
    #[default]
    Cab,
    /// CAB in which folded limbs use the sum of both longest axes. \[cab\] footnote 1
    CabSum,
    /// Oriented boxes; a parent's axes come from the covariance of its children's corners.
    Obb,
    /// Axis-aligned boxes. Every node is fitted to all vertices of the links below it: AABB+ of the
    /// paper.
    AabbVertices,
    /// Axis-aligned boxes. Every node is fitted to the eight box corners of each link below it: AABB*
    /// of the paper.
    AabbCorners,
    /// Axis-aligned boxes. A leaf is fitted to its link's rotated box; an inner node is the union of
    /// its children.
    AabbUnions,
    /// Tests every link against every other, without volumes, as the reference for the other kinds.
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

    /// Returns the label that the tables of \[cab\] §4 use. The paper does not have `AABB` (unions).
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
