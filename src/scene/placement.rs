//! Placement of a copy of a model.

use glam::DMat4;

/// Placement of one copy of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub matrix: DMat4,
    /// Whether each part is placed by its own origin, not by its position in the file.
    pub recenter: bool,
}
