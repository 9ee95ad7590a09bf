//! The formats in which surfaces are written, and their limits.

/// Format in which surfaces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Glb,
    Stl,
    Obj,
}

impl Format {
    /// Returns whether the format stores a pose per part, besides the part's coordinates.
    pub(super) fn keeps_places(self) -> bool {
        self == Self::Glb
    }

    /// Returns whether a file of `part_count` parts stores their names as lines of text.
    pub(super) fn names_parts_by_lines(self, part_count: usize) -> bool {
        match self {
            Self::Glb => false,
            Self::Obj => true,
            Self::Stl => part_count > 1,
        }
    }
}
