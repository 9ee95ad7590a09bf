//! Bounding volumes: one volume a file, its fit and its overlap test together. Volumes are closed (touching
//! counts as overlap) and conservative (rounded outward).

pub mod aabb;

pub use aabb::{Aabb, round_up};
