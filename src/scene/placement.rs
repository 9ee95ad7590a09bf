//! Where a copy of a model stands, and which of its nodes are meant.

use glam::DMat4;

/// Where one copy of a model stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub matrix: DMat4,
    /// Whether parts are placed by their own origins.
    pub recenter: bool,
}
