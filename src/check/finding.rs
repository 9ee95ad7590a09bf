//! A finding: how two parts lie to each other where that matters, and how it was proved.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::pairing::Reason;

/// How two parts lie to each other, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// They are in each other deeper than a contact may be, or than a rule allows.
    Clash,
    /// One lies wholly inside the other's solid.
    Inside,
    /// They are one surface at one place.
    Doubled,
    /// They do not touch, and a rule says that they must.
    Apart,
    /// They are nearer than they may be.
    Clearance,
    /// They touch, or are in each other no deeper than a rule allows.
    Contact,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Clash, Self::Inside, Self::Doubled, Self::Apart, Self::Clearance, Self::Contact];

    /// Its name in files.
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

    /// Its name for people, of one finding.
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

    /// Whether the two overlap where they must not.
    pub fn is_clash(self) -> bool {
        matches!(self, Self::Clash | Self::Inside | Self::Doubled)
    }
}

/// How a finding was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Two triangles intersect, by the exact test.
    TrianglesIntersect,
    /// No two triangles intersect, and points of one are inside the other, by the surface that a ray leaves
    /// through.
    PointsInside,
    /// No other two triangles are nearer, by branch and bound over all.
    NearestTriangles,
    /// The surfaces and the poses are the same.
    SamePlace,
}

/// How deep two solids are in each other: the greatest distance from a point of either surface inside the
/// other solid to the surface of that solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The greatest that was found, m.
    pub found: f64,
    /// It is not more than this, m.
    pub at_most: f64,
}

/// How two parts lie to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Bodies of the scene, a < b.
    pub parts: [u32; 2],
    pub kind: Kind,
    /// Between the surfaces, m; 0 if they intersect.
    pub distance: f64,
    /// `None` where no point of one is inside the other, as they only touch or are sheets.
    pub depth: Option<Depth>,
    /// How far triangles of sheets that cross reach through each other, m; sheets have no depth.
    pub reach: Option<f64>,
    /// How far one would have to move along the best direction found to come free, m, where that was asked.
    pub way_out: Option<f64>,
    /// The two points that the depth or the distance is between, of a and of b, world, m.
    pub points: [DVec3; 2],
    /// Triangles of a and b on which they touch or are nearest.
    pub triangles: [u32; 2],
    /// Up to this depth or distance the two only touch, m.
    pub tolerance: f64,
    /// The least distance that was asked of them, m.
    pub clearance: f64,
    /// The depth that a rule allows, m.
    pub overlap: f64,
    pub proof: Proof,
    /// Why the scene keeps the two apart, if it does.
    pub excluded: Option<Reason>,
}

impl Finding {
    /// Orders the worst first: by kind, then the deepest or nearest.
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
