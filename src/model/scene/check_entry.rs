//! Rules of a scene file for the command `check`.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::conditions;
#[cfg(feature = "schema")]
use crate::import::limits::PATTERN_BYTES;

/// Rule of a check for all pairs of a part matching `a` and a part matching `b`. Lengths are a number
/// and its unit, as in "2 mm".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::check))]
#[serde(deny_unknown_fields)]
pub struct CheckEntry {
    /// Pattern of the names of the first parts.
    #[cfg_attr(feature = "schema", schemars(length(max = PATTERN_BYTES)))]
    pub a: String,
    /// Pattern of the names of the second parts.
    #[cfg_attr(feature = "schema", schemars(length(max = PATTERN_BYTES)))]
    pub b: String,
    /// Smallest allowed distance of a pair that does not touch, with its unit. Default: the option
    /// `--clearance`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = conditions::LENGTH)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Largest allowed depth of overlap, with its unit, as for a press fit. Default: none.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = conditions::LENGTH)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<String>,
    /// Whether the check skips these pairs.
    #[serde(default)]
    pub ignore: bool,
    /// Whether each part of pattern `a` must touch a part of pattern `b`.
    #[serde(default)]
    pub touching: bool,
}
