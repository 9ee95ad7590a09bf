//! Why no motion can be had.

use crate::articulation::SkeletonError;
use crate::world::WorldError;

/// Why no motion can be had.
#[derive(Debug, thiserror::Error)]
pub enum MotionError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error("its joints make no skeleton")]
    Skeleton(#[from] SkeletonError),
}
