//! Formats in which surfaces are written, and their limits.

/// Format in which surfaces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Glb,
    Stl,
    Obj,
}

impl Format {
    /// Returns whether a part has a pose of its own, besides its coordinates.
    pub(super) fn keeps_places(self) -> bool {
        self == Self::Glb
    }

    /// Returns whether the names of `part_count` parts are written as lines of text.
    pub(super) fn names_parts_by_lines(self, part_count: usize) -> bool {
        match self {
            Self::Glb => false,
            Self::Obj => true,
            Self::Stl => part_count > 1,
        }
    }
}
