//! Pose of a copy of a model, and its selected nodes.

use glam::DMat4;

/// Pose of one copy of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub matrix: DMat4,
    /// Whether parts are placed by their own origins.
    pub recenter: bool,
}
