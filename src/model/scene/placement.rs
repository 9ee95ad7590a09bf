//! Placement of a copy of a model, and the point of each part that it places.

use std::fmt;

use glam::DMat4;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Placement of one copy of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub matrix: DMat4,
    pub recenter: Recenter,
}

/// The key `recenter` of a scene file: the point that `position` places. Files contain `true`, `false`
/// or `"bounds"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(schema_with = "super::conditions::recenter"))]
pub enum Recenter {
    /// The origin of the model. Its parts stand to each other as in their file.
    #[default]
    Off,
    /// The origin of each part, which is that of its node in the file.
    Origin,
    /// The middle of each part's bounds in world axes, after all rotations.
    Bounds,
}

impl<'de> Deserialize<'de> for Recenter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Recenter;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("true, false or \"bounds\"")
            }

            fn visit_bool<E: Error>(self, is_on: bool) -> Result<Recenter, E> {
                Ok(if is_on { Recenter::Origin } else { Recenter::Off })
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Recenter, E> {
                match word {
                    "bounds" => Ok(Recenter::Bounds),
                    _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Read)
    }
}
