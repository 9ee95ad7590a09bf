//! Errors of making a world from a scene.

use crate::digits::grouped;

/// Reason why a world cannot be made.
#[derive(Debug)]
pub enum WorldError {
    Threads(rayon::ThreadPoolBuildError),
    Crowd(Crowd),
}

impl std::fmt::Display for WorldError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Threads(_) => write!(f, "the system cannot start the worker threads"),
            Self::Crowd(crowd) => write!(f, "{crowd}"),
        }
    }
}

impl std::error::Error for WorldError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Threads(error) => Some(error),
            Self::Crowd(_) => None,
        }
    }
}

/// Too many bodies close together in a scene.
#[derive(Debug)]
pub struct Crowd {
    /// Name of the dynamic body whose box overlaps the most others.
    pub body: String,
    /// Number of overlapping boxes that were found for this body.
    pub neighbor_count: u32,
    /// Largest allowed number of near pairs.
    pub limit: usize,
}

impl std::fmt::Display for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { body, neighbor_count, limit } = self;
        let limit = grouped(*limit as u64);
        write!(
            f,
            "too many bodies lie in one place: more than {limit} pairs overlap at the start, the limit of this \
             scene; \"{body}\" alone overlaps at least {neighbor_count} others. Move them apart (copies need a spacing)"
        )
    }
}
