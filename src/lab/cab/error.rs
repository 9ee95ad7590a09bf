//! Errors in creating a motion.

use crate::articulation::SkeletonError;
use crate::world::WorldError;

/// Reason why a motion cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum MotionError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error("its joints do not form a skeleton")]
    Skeleton(#[from] SkeletonError),
}
