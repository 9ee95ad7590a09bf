//! Bounding volumes: one volume a file, its fit and its overlap test together. Volumes are closed (touching
//! counts as overlap) and conservative (rounded outward).
//!
//! A hierarchy of any of them is traversed the same way: what depends on one volume alone, its place in the
//! other's frame, is computed once; what depends on a pair is the overlap test.
//!
//! - `aabb.rs`: the axis-aligned box, in `f32` rounded outward.
//! - `aligned.rs`: the axis-aligned box as a volume of a hierarchy, under SAT lite.
//! - `bounding.rs`: what a bounding volume must give.
//! - `dop.rs`: the discrete oriented polytope of K planes.
//! - `dop_both.rs`: the same, looked at along the planes of both bodies.
//! - `obb.rs`: the oriented box, fitted along principal axes.
//! - `operations.rs`: floating-point operations of some work, by kind of operation.
//! - `polytope.rs`: the volume of a convex polytope given by its planes.
//! - `segment.rs`: whether a segment meets a volume.
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
