//! Packets of eight boxes, with one SIMD vector per coordinate. Generic over the instruction set, which
//! is chosen once per search. Every instruction set finds the same pairs.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};
use glam::Vec3;

use crate::arrays::MapEach;
use crate::volume::Aabb;

pub(super) const LANES: usize = 8;

/// Packet of eight boxes; unused lanes are empty.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct BoxPacket {
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
}

/// Packet of eight boxes in SIMD vectors.
pub(super) struct Loaded<S: Simd> {
    low: [f32x8<S>; 3],
    high: [f32x8<S>; 3],
}

impl BoxPacket {
    /// All NaN, so no comparison succeeds; not even an infinite box overlaps it.
    pub const EMPTY: Self = Self { low: [[f32::NAN; LANES]; 3], high: [[f32::NAN; LANES]; 3] };

    /// Gathers the boxes with these indices. A lane is empty if its index or its box is invalid.
    #[inline(always)]
    pub fn gather(boxes: &[Aabb], indices: &[u32; LANES]) -> Self {
        let mut eight = Self::EMPTY;
        for (lane, &index) in indices.iter().enumerate() {
            eight.set(lane, boxes.get(index as usize).unwrap_or(&Aabb::EMPTY));
        }
        eight
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, bounds: &Aabb) {
        let there = !bounds.is_empty();
        for k in 0..3 {
            self.low[k][lane] = if there { bounds.min[k] } else { f32::NAN };
            self.high[k][lane] = if there { bounds.max[k] } else { f32::NAN };
        }
    }

    /// Returns the box around all eight.
    #[inline(always)]
    pub fn bounds(&self) -> Aabb {
        let least = |v: &[f32; LANES]| v.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
        let most = |v: &[f32; LANES]| v.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        Aabb {
            min: Vec3::from(self.low.each_ref().map_each(least)),
            max: Vec3::from(self.high.each_ref().map_each(most)),
        }
    }

    /// Returns the side lengths of the box in a lane; `None` if it is empty.
    #[inline(always)]
    fn size(&self, lane: usize) -> Option<Vec3> {
        let side = |k: usize| self.high[k][lane] - self.low[k][lane];
        (self.low[0][lane] <= self.high[0][lane]).then(|| Vec3::new(side(0), side(1), side(2)))
    }

    /// Returns the sum of the side lengths of the boxes that are neither empty nor unbounded, and the
    /// number of these boxes.
    pub fn extent(&self) -> (Vec3, u32) {
        let bounded = (0..LANES).filter_map(|lane| self.size(lane)).filter(|size| size.is_finite());
        bounded.fold((Vec3::ZERO, 0), |(sum, count), size| (sum + size, count + 1))
    }

    /// Returns the sum over the nonempty boxes of Π(1 + `scale` · side), each term limited to `most`.
    /// Written per lane, so that it is auto-vectorized.
    pub fn grown_volume(&self, scale: Vec3, most: f32) -> f32 {
        let mut volumes = [1.0; LANES];
        for k in 0..3 {
            for (lane, volume) in volumes.iter_mut().enumerate() {
                *volume *= 1.0 + (self.high[k][lane] - self.low[k][lane]) * scale[k];
            }
        }
        for (lane, volume) in volumes.iter_mut().enumerate() {
            let limited = if *volume < most { *volume } else { most };
            *volume = if self.low[0][lane] <= self.high[0][lane] { limited } else { 0.0 };
        }
        volumes.iter().sum()
    }

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> Loaded<S> {
        let vector = |v: [f32; LANES]| f32x8::simd_from(simd, v);
        Loaded { low: self.low.map_each(vector), high: self.high.map_each(vector) }
    }

    /// Returns the lanes of `others` whose boxes overlap the box `lane` of this packet.
    #[inline(always)]
    pub fn overlapping<S: Simd>(&self, simd: S, lane: usize, others: &Loaded<S>) -> mask32x8<S> {
        let splat = |x: f32| f32x8::splat(simd, x);
        let lane = lane % LANES;
        let mut found = others.low[0].simd_le(splat(self.high[0][lane]));
        found &= others.high[0].simd_ge(splat(self.low[0][lane]));
        for k in 1..3 {
            found &= others.low[k].simd_le(splat(self.high[k][lane]));
            found &= others.high[k].simd_ge(splat(self.low[k][lane]));
        }
        found
    }

    /// Returns the overlaps of all pairs of a box of this packet and a box of `others`: bit `8 i + j`
    /// for lanes i and j.
    #[inline(always)]
    pub fn cross<S: Simd>(&self, simd: S, others: &Self) -> u64 {
        let others = others.load(simd);
        let mut found = 0;
        for lane in 0..LANES {
            found |= self.overlapping(simd, lane, &others).to_bitmask() << (LANES * lane);
        }
        found
    }
}

/// Mask of the pairs within a packet, each once and without the diagonal: lane i before lane j.
pub(super) const ABOVE_DIAGONAL: u64 = {
    let (mut pairs, mut lane) = (0, 0);
    while lane < LANES {
        pairs |= above(lane) << (LANES * lane);
        lane += 1;
    }
    pairs
};

/// Returns the mask of the lanes after `lane`.
pub(super) const fn above(lane: usize) -> u64 {
    0xFE << lane & 0xFF
}
