//! Expectations as written in a scene file: events that must or must not happen while the scene runs.

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Deserializer, Serialize};

#[cfg(feature = "schema")]
use super::conditions;
#[cfg(feature = "schema")]
use crate::import::limits::PATTERN_BYTES;

/// Statement about a run, as written in a scene file. It has exactly one of the subjects `never`,
/// `touches`, `pair`, `part`, `joint` and `lost`; its other keys belong to that subject. Names of parts
/// and joints are patterns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::expect))]
#[serde(deny_unknown_fields)]
pub struct ExpectEntry {
    /// Two patterns: no part of the first touches a part of the second, passes through its surface, or
    /// enters it if it is a trigger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never: Option<Exactly<String, 2>>,
    /// Two patterns: some part of the first touches a part of the second, passes through its surface, or
    /// enters it if it is a trigger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touches: Option<Exactly<String, 2>>,
    /// Latest moment of `touches`, s. Default: the end of the run.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// Two patterns: no part of the first presses a part of the second with more than `max_force`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<Exactly<String, 2>>,
    /// Pattern: the origins of all matching parts end within `within` of `ends_at`.
    #[cfg_attr(feature = "schema", schemars(length(max = PATTERN_BYTES)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Expected position of a `part`, world, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Exactly<f64, 3>>,
    /// Largest allowed distance of a `part` from `ends_at`, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Pattern: the matching joints stay within `max_force`, `max_torque`, `max_deviation` and
    /// `max_stalled`; give at least one of these.
    #[cfg_attr(feature = "schema", schemars(length(max = PATTERN_BYTES)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Largest force, N: of a `pair`, summed over all its contacts, or in a `joint`.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_force: Option<f64>,
    /// Largest torque in a `joint`, N·m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_torque: Option<f64>,
    /// Largest distance of a `joint` from the target of its drive, degrees or m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_deviation: Option<f64>,
    /// Longest time for which the drive of a `joint` may stall, s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_stalled: Option<f64>,
    /// Largest number of parts that may fall out of the world or be set aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<u32>,
}

/// List of exactly `N` values. A list of another length is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("minItems" = N, "maxItems" = N)))]
#[serde(try_from = "Vec<T>", into = "Vec<T>")]
#[serde(bound(serialize = "T: Clone + Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Exactly<T, const N: usize>(pub [T; N]);

impl<T, const N: usize> TryFrom<Vec<T>> for Exactly<T, N> {
    type Error = String;

    fn try_from(list: Vec<T>) -> Result<Self, String> {
        let refused = |list: Vec<T>| format!("the list has {} entries in place of {N}", list.len());
        list.try_into().map(Self).map_err(refused)
    }
}

impl<T, const N: usize> From<Exactly<T, N>> for Vec<T> {
    fn from(list: Exactly<T, N>) -> Self {
        list.0.into()
    }
}

/// Reads a list of exactly `N` values.
pub(super) fn exactly<'de, L, T, D, const N: usize>(deserializer: D) -> Result<L, D::Error>
where
    L: From<[T; N]>,
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Exactly::deserialize(deserializer).map(|Exactly(list)| list.into())
}

/// Reads a list of exactly `N` values, of a key that may be absent.
pub(super) fn exactly_if_given<'de, T, D, const N: usize>(deserializer: D) -> Result<Option<[T; N]>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    exactly(deserializer).map(Some)
}

/// Limits of an expectation on joints; infinite if not specified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimits {
    pub force: f64,
    pub torque: f64,
    /// Largest deviations: along an axis, m, and about an axis, rad.
    pub deviations: [f64; 2],
    pub stalled: f64,
}

pub(super) const SUBJECTS: &str = "it needs exactly one of never, touches, pair, part, joint and lost";

impl ExpectEntry {
    /// Returns an error if the keys do not belong together, or a number is invalid.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_some = [
            self.never.is_some(),
            self.touches.is_some(),
            self.pair.is_some(),
            self.part.is_some(),
            self.joint.is_some(),
            self.lost.is_some(),
        ];
        if is_some.iter().filter(|is_some| **is_some).count() != 1 {
            return Err(SUBJECTS.to_owned());
        }
        let [_, touches, pair, part, joint, _] = is_some;
        let keys = [
            ("before", self.before.is_some(), touches),
            ("ends_at", self.ends_at.is_some(), part),
            ("within", self.within.is_some(), part),
            ("max_force", self.max_force.is_some(), pair || joint),
            ("max_torque", self.max_torque.is_some(), joint),
            ("max_deviation", self.max_deviation.is_some(), joint),
            ("max_stalled", self.max_stalled.is_some(), joint),
        ];
        if let Some((key, ..)) = keys.iter().find(|(_, is_there, belongs)| *is_there && !belongs) {
            return Err(format!("{key} is not a key of this expectation"));
        }
        let numbers =
            [self.before, self.within, self.max_force, self.max_torque, self.max_deviation, self.max_stalled];
        if numbers.iter().flatten().any(|number| !number.is_finite() || *number < 0.0) {
            return Err("its numbers must be finite and not below 0".to_owned());
        }
        if self.ends_at.as_ref().is_some_and(|place| !DVec3::from(place.0).is_finite()) {
            return Err("ends_at must be three finite numbers".to_owned());
        }
        Ok(())
    }

    pub(super) fn joint_limits(&self) -> Result<JointLimits, String> {
        let limits = [self.max_force, self.max_torque, self.max_deviation, self.max_stalled];
        if limits.iter().all(Option::is_none) {
            return Err("joint needs one of max_force, max_torque, max_deviation and max_stalled".to_owned());
        }
        let [force, torque, deviation, stalled] = limits.map(|limit| limit.unwrap_or(f64::INFINITY));
        Ok(JointLimits { force, torque, deviations: [deviation, deviation.to_radians()], stalled })
    }

    /// Returns whether one of the two expectations requires a pair to touch, and the other forbids the
    /// same pair.
    pub(super) fn contradicts(&self, other: &Self) -> bool {
        let opposite = |never: &Self, touches: &Self| {
            never.never.as_ref().zip(touches.touches.as_ref()).is_some_and(
                |(Exactly(never), Exactly(touches))| {
                    never == touches || (never[0] == touches[1] && never[1] == touches[0])
                },
            )
        };
        opposite(self, other) || opposite(other, self)
    }
}

impl fmt::Display for ExpectEntry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(Exactly([a, b])) = &self.never {
            write!(f, "{a} and {b} never touch")
        } else if let Some(Exactly([a, b])) = &self.touches {
            write!(f, "{a} and {b} touch")?;
            self.before.map_or(Ok(()), |before| write!(f, " before {before} s"))
        } else if let (Some(Exactly([a, b])), Some(force)) = (&self.pair, self.max_force) {
            write!(f, "{a} and {b} press each other with at most {force} N")
        } else if let (Some(part), Some(Exactly([x, y, z])), Some(within)) =
            (&self.part, &self.ends_at, self.within)
        {
            write!(f, "{part} ends within {within} m of {x}, {y}, {z}")
        } else if let Some(joint) = &self.joint {
            let mut limits = Vec::new();
            let mut say = |limit: Option<f64>, text: &str, unit: &str| {
                limits.extend(limit.map(|limit| format!("{text} {limit}{unit}")));
            };
            say(self.max_force, "at most", " N");
            say(self.max_torque, "at most", " N·m");
            say(self.max_deviation, "no farther from its target than", "° or m");
            say(self.max_stalled, "stalled no longer than", " s");
            write!(f, "joint {joint}: {}", limits.join(", "))
        } else {
            write!(f, "at most {} parts are lost", self.lost.unwrap_or(0))
        }
    }
}
