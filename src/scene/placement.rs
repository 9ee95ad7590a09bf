//! Where a copy of a model stands, and which of its nodes are meant.

use glam::DMat4;
use globset::{Glob, GlobSet};

use crate::digits::grouped;
use crate::import::limits;

/// Where one copy of a model stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub matrix: DMat4,
    /// Whether parts are placed by their own origins.
    pub recenter: bool,
}

/// What a pattern of names matches; the reason says why it cannot be one.
pub(super) fn matcher(pattern: &str) -> Result<GlobSet, String> {
    if pattern.len() > limits::PATTERN_BYTES {
        let (length, most) = (grouped(pattern.len() as u64), grouped(limits::PATTERN_BYTES as u64));
        return Err(format!("a pattern has {length} bytes, and at most {most} are read"));
    }
    // A set of one: compiling a glob by itself panics where it is too deep.
    let set = Glob::new(pattern).and_then(|glob| GlobSet::builder().add(glob).build());
    set.map_err(|e| format!("{pattern:?} is not a pattern: {}", e.kind()))
}
