//! Rules of a scene file for a check.

use serde::{Deserialize, Serialize};

/// Demands of a check on the pairs of two patterns. Lengths are a number and its unit, as in "2 mm".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckEntry {
    pub a: String,
    pub b: String,
    /// Least distance of a pair that does not touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Allowed depth of overlap: a press fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<String>,
    /// Whether these pairs are excluded.
    #[serde(default)]
    pub ignore: bool,
    /// Whether each part of the first pattern must touch one of the second.
    #[serde(default)]
    pub touching: bool,
}
