//! The formats that surfaces are written in, and what each keeps.

/// A format that surfaces are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Glb,
    Stl,
    Obj,
}

impl Format {
    /// Whether a part has a place of its own, beside its coordinates.
    pub(super) fn keeps_places(self) -> bool {
        self == Self::Glb
    }

    /// Whether the names of so many parts stand in lines of a text.
    pub(super) fn names_parts_by_lines(self, part_count: usize) -> bool {
        match self {
            Self::Glb => false,
            Self::Obj => true,
            Self::Stl => part_count > 1,
        }
    }
}
