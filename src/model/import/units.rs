//! Unit and up axis of files, in particular of files that specify neither.
//!
//! STL, OBJ and PLY contain plain numbers: 1 may be a meter, a millimeter or an inch, and any axis may
//! point up. A unit that neither the file nor the user specifies is guessed from the size, and a note
//! always states the chosen unit.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::model::{LocalTransform, Model, Node, Note, NoteKind};
use crate::digits::grouped;

/// Unit of length of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Unit {
    /// Meters.
    #[serde(rename = "m")]
    Meter,
    /// Centimeters.
    #[serde(rename = "cm")]
    Centimeter,
    /// Millimeters.
    #[serde(rename = "mm")]
    Millimeter,
    /// Micrometers.
    #[serde(rename = "um")]
    Micrometer,
    /// Inches.
    #[serde(rename = "in")]
    Inch,
    /// Feet.
    #[serde(rename = "ft")]
    Foot,
}

impl Unit {
    pub const ALL: [Self; 6] =
        [Self::Meter, Self::Centimeter, Self::Millimeter, Self::Micrometer, Self::Inch, Self::Foot];

    pub fn name(self) -> &'static str {
        match self {
            Self::Meter => "m",
            Self::Centimeter => "cm",
            Self::Millimeter => "mm",
            Self::Micrometer => "um",
            Self::Inch => "in",
            Self::Foot => "ft",
        }
    }

    /// Returns the unit's length, m.
    pub fn meters(self) -> f64 {
        match self {
            Self::Meter => 1.0,
            Self::Centimeter => 0.01,
            Self::Millimeter => 0.001,
            Self::Micrometer => 1e-6,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
        }
    }
}

/// Axis of a file that points up in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Up {
    X,
    Y,
    Z,
}

impl Up {
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// Returns the rotation from the file's axes to those of a scene, in which y is up.
    pub fn rotation(self) -> DQuat {
        match self {
            Self::X => DQuat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2),
            Self::Y => DQuat::IDENTITY,
            Self::Z => DQuat::from_xyzw(-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2),
        }
    }

    /// Returns a vector of a scene, in which y is up, along the file's axes.
    pub fn in_file(self, vector: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = vector;
        match self {
            Self::X => DVec3::new(y, -x, z),
            Self::Y => vector,
            Self::Z => DVec3::new(x, -z, y),
        }
    }
}

/// Smallest extent, in the file's unit, from which a file without a unit counts as in millimeters. Few
/// parts are larger than five meters, and few smaller than five millimeters.
const MILLIMETERS_FROM: f64 = 5.0;

/// Unit and up axis that a file format specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatUnits {
    /// Lengths in meters, and the axis that points up.
    Meters(Up),
    /// Neither a unit nor an up axis.
    Neither,
}

/// Applies the unit and the up axis to a model: the requested ones if given, else those of the format,
/// else guesses.
pub(super) fn place(model: &mut Model, unit: Option<Unit>, up: Option<Up>, says: FormatUnits) {
    let mut taken = Vec::new();
    let says_neither = says == FormatUnits::Neither;
    let unit = unit.unwrap_or_else(|| {
        let across = if says_neither { across(model) } else { 0.0 };
        let unit = if across >= MILLIMETERS_FROM { Unit::Millimeter } else { Unit::Meter };
        if says_neither {
            model.guessed_unit = Some(unit.meters());
            let other = if unit == Unit::Meter { Unit::Millimeter } else { Unit::Meter };
            taken.push(format!(
                "no unit: {} across, taken as {} ({}; --unit {} otherwise)",
                number(across),
                unit.name(),
                length(across * unit.meters()),
                other.name()
            ));
        }
        unit
    });
    let up = up.unwrap_or_else(|| {
        if says_neither {
            taken.push("no way up: taken as y (--up z otherwise)".to_owned());
        }
        if let FormatUnits::Meters(up) = says { up } else { Up::Y }
    });
    if !taken.is_empty() {
        let text = format!("says {}; in a scene file: unit and up", taken.join(", and "));
        model.notes.insert(0, Note { kind: NoteKind::Assumed, place: model.source.clone(), text });
    }
    if unit != Unit::Meter || up != Up::Y {
        let (rotation, scale) = (up.rotation(), DVec3::splat(unit.meters()));
        wrap(model, LocalTransform::Parts { translation: DVec3::ZERO, rotation, scale });
    }
}

/// Moves all nodes without a parent below one new node with transform `local`.
fn wrap(model: &mut Model, local: LocalTransform) {
    let index = model.nodes.len() as u32;
    let children: Vec<u32> = (0..index).filter(|&n| model.nodes[n as usize].parent.is_none()).collect();
    for &child in &children {
        model.nodes[child as usize].parent = Some(index);
    }
    model.roots = vec![index];
    model.nodes.push(Node { children, local, in_scene: true, ..Node::default() });
}

/// Returns the longest side of the box around all vertices, in the file's unit.
fn across(model: &Model) -> f64 {
    let mut ends = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    // Formats without a unit have no nodes within nodes.
    for (node, geometry) in model.nodes.iter().filter_map(|node| Some((node, node.geometry?))) {
        let local = node.local.matrix();
        for p in &model.geometries[geometry as usize].positions {
            let p = local.transform_point3(p.as_dvec3());
            ends = [ends[0].min(p), ends[1].max(p)];
        }
    }
    (ends[1] - ends[0]).max_element().max(0.0)
}

fn number(value: f64) -> String {
    if value >= 100.0 { grouped(value.round() as u64) } else { format!("{value:.3}") }
}

/// Formats a length for a note, with few digits and a suitable unit.
fn length(meters: f64) -> String {
    match meters {
        m if m < 1e-3 => format!("{:.5} mm", m * 1e3),
        m if m < 1.0 => format!("{:.1} mm", m * 1e3),
        m if m < 1e4 => format!("{m:.2} m"),
        m => format!("{:.1} km", m / 1e3),
    }
}
