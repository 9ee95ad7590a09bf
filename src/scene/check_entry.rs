//! Rules of a scene file for the command `check`.

use serde::{Deserialize, Serialize};

/// Rule of a check for all pairs of a part matching `a` and a part matching `b`. Lengths are a number
/// and its unit, as in "2 mm".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckEntry {
    pub a: String,
    pub b: String,
    /// Smallest allowed distance of a pair that does not touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Largest allowed depth of overlap, as for a press fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<String>,
    /// Whether the check skips these pairs.
    #[serde(default)]
    pub ignore: bool,
    /// Whether each part of pattern `a` must touch a part of pattern `b`.
    #[serde(default)]
    pub touching: bool,
}
