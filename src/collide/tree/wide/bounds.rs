//! Bounds of a node's children, either as offsets from the node's own box or as coordinates.

use std::fmt::Debug;

use fearless_simd::prelude::*;
use glam::Vec3;

use super::lanes::{Lanes, splat, zero};
use crate::arrays::MapEach;
use crate::volume::Aabb;

/// Box relative to the tree's center, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
}

/// Encoding of the boxes of a node's children.
pub trait ChildBounds<const W: usize>: Copy + Debug + Send + Sync + 'static {
    const NONE: Self;

    /// Encodes the bounds of one child. `grid`: the offset steps of the node's own box.
    fn set(&mut self, lane: usize, tight: &Bounds, grid: &Grid);
    /// Returns the box of one child of a node whose box is `parent`.
    fn decode(&self, lane: usize, parent: &Bounds) -> Bounds;
    /// Returns the lower and upper bounds of all children, one vector per axis. Bit-identical to
    /// `decode`.
    fn rows<S: Lanes<W>>(&self, simd: S, parent: &Bounds) -> ([S::Vector; 3], [S::Vector; 3]);
}

/// Offsets of the children's bounds from the parent's, inward: lower bounds above, upper bounds below.
/// One row per axis.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Offsets<const W: usize> {
    low: [[u8; W]; 3],
    high: [[u8; W]; 3],
}

/// Uncompressed coordinates, one row per axis. They give an AABB tree for comparison with boxtrees.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Exact<const W: usize> {
    low: [[f32; W]; 3],
    high: [[f32; W]; 3],
}

impl<const W: usize> ChildBounds<W> for Offsets<W> {
    const NONE: Self = Self { low: [[0; W]; 3], high: [[0; W]; 3] };

    fn set(&mut self, lane: usize, tight: &Bounds, grid: &Grid) {
        for k in 0..3 {
            (self.low[k][lane], self.high[k][lane]) = grid.offsets(tight, k);
        }
    }

    fn decode(&self, lane: usize, parent: &Bounds) -> Bounds {
        let mut own = *parent;
        for k in 0..3 {
            let unit = unit(parent.low[k], parent.high[k]);
            own.low[k] = raise(parent.low[k], self.low[k][lane], unit);
            own.high[k] = lower(parent.high[k], self.high[k][lane], unit);
        }
        own
    }

    #[inline(always)]
    fn rows<S: Lanes<W>>(&self, simd: S, parent: &Bounds) -> ([S::Vector; 3], [S::Vector; 3]) {
        let (mut low, mut high) = ([zero(simd); 3], [zero(simd); 3]);
        for k in 0..3 {
            let unit = unit(parent.low[k], parent.high[k]);
            low[k] = numbers(simd, &self.low[k]) * unit + parent.low[k];
            high[k] = splat(simd, parent.high[k]) - numbers(simd, &self.high[k]) * unit;
        }
        (low, high)
    }
}

impl<const W: usize> ChildBounds<W> for Exact<W> {
    const NONE: Self = Self { low: [[0.0; W]; 3], high: [[0.0; W]; 3] };

    fn set(&mut self, lane: usize, tight: &Bounds, _: &Grid) {
        for k in 0..3 {
            (self.low[k][lane], self.high[k][lane]) = (tight.low[k], tight.high[k]);
        }
    }

    fn decode(&self, lane: usize, _: &Bounds) -> Bounds {
        Bounds {
            low: [0, 1, 2].map_each(|k| self.low[k][lane]),
            high: [0, 1, 2].map_each(|k| self.high[k][lane]),
        }
    }

    #[inline(always)]
    fn rows<S: Lanes<W>>(&self, simd: S, _: &Bounds) -> ([S::Vector; 3], [S::Vector; 3]) {
        let (mut low, mut high) = ([zero(simd); 3], [zero(simd); 3]);
        for k in 0..3 {
            low[k] = S::Vector::simd_from(simd, self.low[k]);
            high[k] = S::Vector::simd_from(simd, self.high[k]);
        }
        (low, high)
    }
}

#[inline(always)]
fn numbers<S: Lanes<W>, const W: usize>(simd: S, steps: &[u8; W]) -> S::Vector {
    let mut numbers = [0.0; W];
    for lane in 0..W {
        numbers[lane] = f32::from(steps[lane]);
    }
    S::Vector::simd_from(simd, numbers)
}

/// Returns the size of one offset step, m.
#[inline(always)]
fn unit(low: f32, high: f32) -> f32 {
    (high - low) * (1.0 / 255.0)
}

#[inline(always)]
fn raise(low: f32, offset: u8, unit: f32) -> f32 {
    low + f32::from(offset) * unit
}

#[inline(always)]
fn lower(high: f32, offset: u8, unit: f32) -> f32 {
    high - f32::from(offset) * unit
}

impl From<Bounds> for Aabb {
    fn from(sides: Bounds) -> Self {
        Self::new(sides.low.into(), sides.high.into())
    }
}

impl From<Aabb> for Bounds {
    fn from(bounds: Aabb) -> Self {
        Self { low: bounds.min.into(), high: bounds.max.into() }
    }
}

impl Bounds {
    /// Returns the length of the longest side, m.
    #[inline(always)]
    pub(super) fn longest(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map_each(|k| self.high[k] - self.low[k]);
        x.max(y).max(z)
    }

    /// Converts a box in body space to one relative to `center`, rounded outward.
    pub(super) fn around(bounds: &Aabb, center: Vec3) -> Self {
        if center == Vec3::ZERO {
            return (*bounds).into();
        }
        let center = center.as_dvec3();
        Aabb::from_f64(bounds.min.as_dvec3() - center, bounds.max.as_dvec3() - center).into()
    }

    /// Returns the box in body space, rounded outward.
    pub(super) fn placed(&self, center: Vec3) -> Aabb {
        let center = center.as_dvec3();
        let [low, high] = [self.low, self.high].map_each(|s| Vec3::from(s).as_dvec3() + center);
        Aabb::from_f64(low, high)
    }
}

/// Offset steps along the sides of a parent box.
pub struct Grid<'a> {
    parent: &'a Bounds,
    units: [f32; 3],
    /// Steps per meter.
    density: [f32; 3],
}

impl<'a> Grid<'a> {
    pub fn new(parent: &'a Bounds) -> Self {
        let units = [0, 1, 2].map_each(|k| unit(parent.low[k], parent.high[k]));
        Self { parent, units, density: units.map_each(|u| if u > 0.0 { 1.0 / u } else { 0.0 }) }
    }

    /// Returns the offsets on axis `k`: the largest ones (or nearly so) whose decoded bounds still
    /// contain `inner`.
    fn offsets(&self, inner: &Bounds, k: usize) -> (u8, u8) {
        let (parent_low, parent_high, unit) = (self.parent.low[k], self.parent.high[k], self.units[k]);
        let mut low = ((inner.low[k] - parent_low) * self.density[k]) as u8;
        while low > 0 && raise(parent_low, low, unit) > inner.low[k] {
            low -= 1;
        }
        let mut high = ((parent_high - inner.high[k]) * self.density[k]) as u8;
        while high > 0 && lower(parent_high, high, unit) < inner.high[k] {
            high -= 1;
        }
        (low, high)
    }
}
