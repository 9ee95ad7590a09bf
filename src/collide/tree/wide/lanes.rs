//! A SIMD vector with one lane per child of a node.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8};

/// Instruction set with a vector of `W` `f32` lanes.
pub trait Lanes<const W: usize>: Simd {
    type Vector: SimdFloat<Self, Element = f32, Array = [f32; W]>;
}

impl<S: Simd> Lanes<8> for S {
    type Vector = f32x8<S>;
}

impl<S: Simd> Lanes<4> for S {
    type Vector = f32x4<S>;
}

#[inline(always)]
pub(super) fn splat<S: Lanes<W>, const W: usize>(simd: S, x: f32) -> S::Vector {
    S::Vector::simd_from(simd, x)
}

#[inline(always)]
pub(super) fn zero<S: Lanes<W>, const W: usize>(simd: S) -> S::Vector {
    splat(simd, 0.0)
}
