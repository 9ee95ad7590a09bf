//! Trait of a bounding volume.

use std::fmt::Debug;

use glam::{DMat3, DVec3, Vec3};

use super::aabb::Aabb;
use super::operations::Operations;
use super::segment::Meets;

/// Transformation from the frame of hierarchy b to the frame of hierarchy a, and the enlargement of
/// volumes.
#[derive(Clone, Copy, Debug)]
pub struct Transit {
    /// Rotation from b to a: a's coordinate is `rotation * b's + translation`.
    pub rotation: DMat3,
    pub translation: DVec3,
    /// Enlargement of volumes, m: the margin, plus more than the `f32` rounding errors of the
    /// transformation.
    pub growth: f64,
}

/// Convex region around one or more triangles.
pub trait Volume: Copy + Debug + Send + Sync + Meets {
    /// Parameter that selects one variant of the volume for a whole hierarchy; `()` if there is only
    /// one variant.
    type Choice: Copy;
    /// Data that all volumes of a hierarchy share, computed once from the choice.
    type Shared: Clone + Debug + Send + Sync;
    /// Data that depend on the pair of hierarchies, computed once per query.
    type Frames;
    /// Volume of hierarchy a, prepared for the query with all data that depends on it alone.
    type A: Copy;
    /// Volume of hierarchy b, prepared for the query with all data that depends on it alone.
    type B: Copy;
    /// Number of operations of `carry_a`.
    const CARRY_A: Operations;
    /// Number of operations of `carry_b`.
    const CARRY_B: Operations;
    /// Number of operations of `overlap` if no axis separates the volumes.
    const OVERLAP: Operations;

    fn shared(choice: Self::Choice) -> Self::Shared;
    /// Fits the volume to the corners of one or more triangles.
    fn fit(triangles: &[[Vec3; 3]], shared: &Self::Shared) -> Self;
    fn contains(&self, point: Vec3, shared: &Self::Shared) -> bool;
    /// Returns an axis-aligned box around the volume; it need not be the smallest.
    fn bounds(&self) -> Aabb;
    /// Returns the volume, m³.
    fn volume(&self) -> f64;

    fn frames(transit: &Transit, shared: &Self::Shared) -> Self::Frames;
    /// Prepares a volume of hierarchy a for the query.
    fn carry_a(&self, frames: &Self::Frames) -> Self::A;
    /// Prepares a volume of hierarchy b for the query.
    fn carry_b(&self, frames: &Self::Frames) -> Self::B;
    /// Returns whether two volumes may be within the margin of each other. False proves that they are
    /// farther apart.
    fn overlap(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> bool;
    /// Returns the depth by which two volumes overlap, m, or an estimate that increases with it.
    fn depth(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> f32;
}
