//! Finding of a check: the relation of two parts, and its proof.

use glam::DVec3;
use serde::{Deserialize, Deserializer, Serialize};

use super::pairing::Reason;

/// Relation of two parts, in order of severity, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The parts overlap deeper than the tolerance and the rules allow.
    Clash,
    /// One part lies completely inside the other's solid; the surfaces may coincide in places.
    Inside,
    /// The parts are equal and in one place, however each surface is divided into triangles.
    Doubled,
    /// The parts do not touch although a rule demands it.
    Apart,
    /// The parts are nearer than demanded.
    Clearance,
    /// The parts touch, or overlap no deeper than the tolerance or a rule allows.
    Contact,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Clash, Self::Inside, Self::Doubled, Self::Apart, Self::Clearance, Self::Contact];

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clash => "clash",
            Self::Inside => "inside",
            Self::Doubled => "doubled",
            Self::Apart => "apart",
            Self::Clearance => "clearance",
            Self::Contact => "contact",
        }
    }

    /// Returns the name for users, in the singular.
    pub fn title(self) -> &'static str {
        match self {
            Self::Clash => "clash",
            Self::Inside => "part inside another",
            Self::Doubled => "part present twice",
            Self::Apart => "pair that should touch and does not",
            Self::Clearance => "pair too near",
            Self::Contact => "contact",
        }
    }

    /// Returns whether the parts overlap where they must not.
    pub fn is_clash(self) -> bool {
        matches!(self, Self::Clash | Self::Inside | Self::Doubled)
    }
}

/// Proof of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Two triangles intersect, by the exact test.
    TrianglesIntersect,
    /// No two triangles intersect, but points of one surface lie inside the other solid. A point is
    /// inside if a ray from it leaves through the solid's surface.
    PointsInside,
    /// The two triangles are the nearest, found by branch and bound over all pairs.
    NearestTriangles,
    /// The surfaces and the poses are equal, or nothing of either solid is outside the other.
    SamePlace,
    /// A point is deeper than the tolerance in both solids, and below a surface that they share.
    SharedMaterial,
}

impl Proof {
    /// Returns the description for users.
    pub fn title(self) -> &'static str {
        match self {
            Self::TrianglesIntersect => "triangles intersect",
            Self::PointsInside => "points inside, no triangles intersect",
            Self::NearestTriangles => "nearest of all triangles",
            Self::SamePlace => "same surface, same place",
            Self::SharedMaterial => "a point inside both, below a surface that they share",
        }
    }
}

/// Depth of two solids in each other: the greatest distance from a point of either surface inside the
/// other solid to the surface of that solid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// Greatest depth found, m.
    pub found: f64,
    /// Upper bound of the depth, m.
    pub at_most: f64,
}

/// Relation of two parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Bodies of the scene, a < b.
    pub parts: [u32; 2],
    pub kind: Kind,
    /// Distance of the surfaces, m; 0 if they intersect, infinite if unknown.
    #[serde(deserialize_with = "or_infinite")]
    pub distance: f64,
    /// Depth of the overlap. `None` if no point of one part is inside the other: they are apart, only
    /// touch, or are sheets.
    pub depth: Option<Depth>,
    /// Distance by which crossing triangles of sheets reach through each other, m. It stands in for the
    /// depth, which sheets do not have.
    pub reach: Option<f64>,
    /// Distance that one part would have to move to come free, along the best direction found, m.
    /// `None` unless it was requested, and the parts clash or one is inside the other.
    pub way_out: Option<f64>,
    /// Points of a and b between which the depth or the distance is measured, world, m.
    pub points: [DVec3; 2],
    /// Triangles of a and b on which they touch or are nearest.
    pub triangles: [u32; 2],
    /// Depth or distance up to which the two parts only touch, m.
    pub tolerance: f64,
    /// Demanded distance of the surfaces, m.
    pub clearance: f64,
    /// Depth that a rule allows, m.
    pub overlap: f64,
    /// Whether a rule expects the two to touch, so that a contact does not miss the demanded distance.
    #[serde(default)]
    pub may_touch: bool,
    pub proof: Proof,
    /// Reason why the scene keeps the two apart, if it does.
    pub excluded: Option<Reason>,
}

/// Reads a number that JSON has as `null` if it is infinite.
fn or_infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
}

impl Finding {
    /// Returns a sort key that puts the worst first: the kind, and within a kind the depth, distance or
    /// gap.
    pub fn severity(&self) -> (Kind, f64) {
        let measure = match self.kind {
            Kind::Clash | Kind::Inside | Kind::Contact => {
                -self.depth.map_or(self.reach.unwrap_or(0.0), |depth| depth.found)
            }
            Kind::Doubled => 0.0,
            Kind::Apart => -self.distance,
            Kind::Clearance => self.distance,
        };
        (self.kind, measure)
    }
}
