//! The rules by which sets of triangles are divided.

use serde::{Deserialize, Serialize};

/// How a set of triangles is divided in two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitRule {
    /// Least count-weighted surface over the borders of bins of centres: builds fast, queries fast.
    #[default]
    Binned,
    /// Least sum of the children's volumes times their triangles, as the author's released code divides.
    Volume,
    /// Least volume of the children, where growths that differ by up to a tenth of the box are draws.
    /// \[boxtree\] §4.2
    VolumeDrawn,
    /// Least volume of the children, where only equal growths are draws. \[boxtree\] §4.2
    VolumeLiteral,
    /// As `VolumeDrawn`, along the longest side only. \[boxtree\] §4.2
    LongestSide,
    /// As `VolumeDrawn`, and each child of a boxtree moves whichever side cuts off most. \[boxtree\] §4.2,
    /// §6.1
    Perpendicular,
    /// As `VolumeDrawn`, with the volumes of the grandchildren. \[boxtree\] §4.1
    LookAhead,
    /// At the mean, across the longest side of the box along the principal axes: the rule of OBB trees that
    /// \[simplify\] compares with.
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
