//! The list of split rules.

use serde::{Deserialize, Serialize};

/// Rule that divides a set of triangles in two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SplitRule {
    /// Least sum of surface times triangle count over the borders between bins of centers. It builds
    /// fast, and queries are fast.
    #[default]
    Binned,
    /// Least sum of the children's volumes times their triangle counts, as in the author's released
    /// code.
    Volume,
    /// Least total volume of the children; growths that differ by up to a tenth of the box are draws.
    /// \[boxtree\] §4.2
    VolumeDrawn,
    /// Least total volume of the children; only equal growths are draws. \[boxtree\] §4.2
    VolumeLiteral,
    /// `volume-drawn` along the longest side only. \[boxtree\] §4.2
    LongestSide,
    /// `volume-drawn`, but each child of a boxtree moves the side that cuts off most. \[boxtree\] §4.2,
    /// §6.1
    Perpendicular,
    /// `volume-drawn`, with the volumes of the grandchildren added. \[boxtree\] §4.1
    LookAhead,
    /// A plane at the mean, normal to the longest side of the box along the principal axes: the rule of
    /// OBB trees. \[simplify\]
    Principal,
}

impl SplitRule {
    pub const ALL: [Self; 8] = [
        Self::Binned,
        Self::Volume,
        Self::VolumeDrawn,
        Self::VolumeLiteral,
        Self::LongestSide,
        Self::Perpendicular,
        Self::LookAhead,
        Self::Principal,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Binned => "binned",
            Self::Volume => "volume",
            Self::VolumeDrawn => "volume-drawn",
            Self::VolumeLiteral => "volume-literal",
            Self::LongestSide => "longest-side",
            Self::Perpendicular => "perpendicular",
            Self::LookAhead => "look-ahead",
            Self::Principal => "principal",
        }
    }
}
