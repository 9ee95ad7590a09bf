//! Which hierarchy a run keeps over the links of articulated bodies.

use serde::{Deserialize, Serialize};

/// Kinds differ in time and in how many pairs they hand to the exact query. \[cab\] §4
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkTreeKind {
    /// Oriented boxes, a parent's axes from its children's longest ones. \[cab\] §3.2
    #[default]
    Cab,
    /// Oriented boxes, a parent's axes from the covariance of its children's corners.
    Obb,
    /// Axis-aligned boxes around all vertices below, in every node.
    AabbVertices,
    /// Axis-aligned boxes around the corners of the links' own boxes, unions above them.
    AabbCorners,
    /// Every link against every other, without volumes: the judge.
    BruteForce,
}

impl LinkTreeKind {
    pub const ALL: [Self; 5] =
        [Self::Cab, Self::Obb, Self::AabbVertices, Self::AabbCorners, Self::BruteForce];

    /// What configurations and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cab => "cab",
            Self::Obb => "obb",
            Self::AabbVertices => "aabb-vertices",
            Self::AabbCorners => "aabb-corners",
            Self::BruteForce => "brute-force",
        }
    }

    /// What the tables of \[cab\] §4 call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cab => "CAB",
            Self::Obb => "OBB",
            Self::AabbVertices => "AABB+",
            Self::AabbCorners => "AABB*",
            Self::BruteForce => "brute",
        }
    }
}
