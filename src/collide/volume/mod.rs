//! Bounding volumes, one per file, each with its fit and its overlap test. Volumes are closed (touching
//! counts as overlap) and conservative (rounded outward).
//!
//! All hierarchies share one traversal, whatever their volume. Data that depend on one node's volume
//! alone, such as its transform into the other frame, are computed once per node. Only the overlap test
//! runs per pair.
//!
//! - `aabb.rs`: the axis-aligned box, in `f32` rounded outward.
//! - `aligned.rs`: the axis-aligned box as a volume of a hierarchy, tested by SAT lite.
//! - `bounding.rs`: the trait of a bounding volume.
//! - `dop.rs`: the discrete oriented polytope of K planes.
//! - `dop_both.rs`: the same polytope, tested along the planes of both bodies.
//! - `obb.rs`: the oriented box, fitted along principal axes.
//! - `operations.rs`: counts of floating-point operations, by kind of operation.
//! - `polytope.rs`: the volume of a convex polytope given by its planes.
//! - `segment.rs`: the test of whether a segment intersects a volume.
//! - `sphere.rs`: the bounding sphere.

mod aabb;
mod aligned;
mod bounding;
mod dop;
mod dop_both;
mod obb;
mod operations;
mod polytope;
mod segment;
mod sphere;

pub use aabb::{Aabb, round_up};
pub use aligned::{AabbFrames, Carried};
pub use bounding::{Transit, Volume};
pub use dop::Dop;
pub use dop_both::DopBoth;
pub use obb::{Obb, ObbFit, Spread, eigenvectors};
pub use operations::Operations;
pub use segment::Meets;
pub(crate) use segment::clip;
pub use sphere::Sphere;
