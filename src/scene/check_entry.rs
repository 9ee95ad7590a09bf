//! Rules of a scene file for a check.

use serde::{Deserialize, Serialize};

/// The demands of a check on the pairs of two patterns. Lengths are a number and its unit, as in "2 mm".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckEntry {
    pub a: String,
    pub b: String,
    /// They must be as far apart, or touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// They may be in each other so deep: a press fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<String>,
    /// They are not asked.
    #[serde(default)]
    pub ignore: bool,
    /// Each part of the first pattern must touch one of the second.
    #[serde(default)]
    pub touching: bool,
}
