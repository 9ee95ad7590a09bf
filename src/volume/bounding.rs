//! What a bounding volume is.

use std::fmt::Debug;

use glam::{DMat3, DVec3, Vec3};

use super::aabb::Aabb;
use super::operations::Operations;
use super::segment::Meets;

/// From the frame of one hierarchy to that of another.
#[derive(Clone, Copy, Debug)]
pub struct Transit {
    /// From b to a: a's coordinate is `rotation * b's + translation`.
    pub rotation: DMat3,
    pub translation: DVec3,
    /// Volumes are grown by this much, m: the margin, and more than `f32` rounds on the way.
    pub growth: f64,
}

/// A convex region around some triangles.
pub trait Volume: Copy + Debug + Send + Sync + Meets {
    /// The choice that a hierarchy has about its volumes; nothing if there is one way.
    type Choice: Copy;
    /// The data that all volumes of a hierarchy share, made once: its choice, and what comes of it.
    type Shared: Clone + Debug + Send + Sync;
    /// What two hierarchies share, made once a query.
    type Frames;
    /// A volume of a, and one of b, with what depends on it alone.
    type A: Copy;
    type B: Copy;
    /// Work of `carry_a`, of `carry_b`, and of `overlap` if nothing separates.
    const CARRY_A: Operations;
    const CARRY_B: Operations;
    const OVERLAP: Operations;

    fn shared(choice: Self::Choice) -> Self::Shared;
    /// Around the corners of at least one triangle.
    fn fit(triangles: &[[Vec3; 3]], shared: &Self::Shared) -> Self;
    fn contains(&self, point: Vec3, shared: &Self::Shared) -> bool;
    /// The smallest axis-aligned box around the volume, or a larger one.
    fn bounds(&self) -> Aabb;
    /// m³.
    fn volume(&self) -> f64;

    fn frames(transit: &Transit, shared: &Self::Shared) -> Self::Frames;
    fn carry_a(&self, frames: &Self::Frames) -> Self::A;
    fn carry_b(&self, frames: &Self::Frames) -> Self::B;
    /// Conservative: may only say no if the two volumes are farther apart than the margin.
    fn overlap(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> bool;
    /// By how much two volumes that overlap do, m, or a guess that orders them as well.
    fn depth(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> f32;
}
