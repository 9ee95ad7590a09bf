//! Elements of a PLY file, which the reader fills property by property.

use ply_rs_bw::ply::{Property, PropertyAccess, PropertyAccessResult};

/// Vertex. Coordinates that the file does not specify are NaN.
pub(super) struct Vertex {
    pub position: [f64; 3],
    /// Color in sRGB. A missing last channel means that the file has no colors.
    pub color: [Option<u8>; 3],
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self { position: [f64::NAN; 3], color: [None; 3] }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == name);
        let channel = [["red", "r"], ["green", "g"], ["blue", "b"]].iter().position(|c| c.contains(&name));
        match (axis, channel) {
            (Some(axis), _) => {
                let Some(number) = number(&value) else { return PropertyAccessResult::UnsupportedType };
                self.position[axis] = number;
            }
            (None, Some(channel)) => self.color[channel] = value.to_u8_color_lossy(),
            (None, None) => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

/// Returns a number with all its digits; `None` for a list.
fn number(value: &Property) -> Option<f64> {
    match *value {
        Property::Int(number) => Some(number.into()),
        Property::UInt(number) => Some(number.into()),
        Property::Double(number) => Some(number),
        // The other types have no more digits than `f32`.
        _ => value.to_f32_lossy().map(f64::from),
    }
}

/// Returns whether a property is the list of a face's corners. Two names are in use.
pub(super) fn is_corners(name: &str) -> bool {
    matches!(name, "vertex_indices" | "vertex_index")
}

/// Corners of a face; `None` if the file specifies none, or one is not an index.
pub(super) struct Face {
    pub corners: Option<Vec<u32>>,
}

impl PropertyAccess for Face {
    fn new() -> Self {
        Self { corners: None }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        if !is_corners(name) {
            return PropertyAccessResult::Ignored;
        }
        self.corners = value.to_u32_list();
        PropertyAccessResult::Set
    }
}

/// Triangle strips in a row, separated by negative indices; `None` if the list is invalid.
pub(super) struct Strip {
    pub corners: Option<Vec<i64>>,
}

impl PropertyAccess for Strip {
    fn new() -> Self {
        Self { corners: None }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        if !is_corners(name) {
            return PropertyAccessResult::Ignored;
        }
        self.corners = match value {
            Property::ListInt(list) => Some(list.into_iter().map(i64::from).collect()),
            Property::ListShort(list) => Some(list.into_iter().map(i64::from).collect()),
            Property::ListChar(list) => Some(list.into_iter().map(i64::from).collect()),
            other => other.to_u32_list().map(|list| list.into_iter().map(i64::from).collect()),
        };
        PropertyAccessResult::Set
    }
}

/// Element whose properties are ignored.
pub(super) struct Other;

impl PropertyAccess for Other {
    fn new() -> Self {
        Self
    }
}
