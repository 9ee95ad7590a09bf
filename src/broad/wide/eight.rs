//! Eight boxes at once: a coordinate of all of them is one vector. Generic over the instruction set, which is
//! chosen once a search; every set finds the same.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};
use glam::Vec3;

use crate::arrays::MapEach;
use crate::volume::Aabb;

pub(super) const LANES: usize = 8;

/// Eight boxes, empty ones where there are fewer.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Eight {
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
}

/// Eight boxes in vectors.
pub(super) struct Loaded<S: Simd> {
    low: [f32x8<S>; 3],
    high: [f32x8<S>; 3],
}

impl Eight {
    /// Numbers that compare false with all: even a box without bounds overlaps none of these.
    pub const EMPTY: Self = Self { low: [[f32::NAN; LANES]; 3], high: [[f32::NAN; LANES]; 3] };

    /// The boxes with these indices; where there is none such, or an empty one, no box.
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

    /// Around all of them.
    #[inline(always)]
    pub fn bounds(&self) -> Aabb {
        let least = |v: &[f32; LANES]| v.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
        let most = |v: &[f32; LANES]| v.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        Aabb {
            min: Vec3::from(self.low.each_ref().map_each(least)),
            max: Vec3::from(self.high.each_ref().map_each(most)),
        }
    }

    /// Side lengths of a box; `None` for an empty one.
    #[inline(always)]
    fn size(&self, lane: usize) -> Option<Vec3> {
        let side = |k: usize| self.high[k][lane] - self.low[k][lane];
        (self.low[0][lane] <= self.high[0][lane]).then(|| Vec3::new(side(0), side(1), side(2)))
    }

    /// Sum of the sizes of the boxes that are not empty and have bounds, and how many they are.
    pub fn extent(&self) -> (Vec3, u32) {
        let bounded = (0..LANES).filter_map(|lane| self.size(lane)).filter(|size| size.is_finite());
        bounded.fold((Vec3::ZERO, 0), |(sum, count), size| (sum + size, count + 1))
    }

    /// Sum of the volumes of the boxes that are not empty, in units of `1 / scale` and with sides one unit
    /// longer, none larger than `most`. Lane by lane, which becomes vectors.
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

    /// Which of the eight in vectors overlap box `lane`.
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

    /// All pairs of a box of these and one of `others`: bit `8 i + j` for lanes i and j.
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

/// The pairs of eight boxes with themselves, each once and none with itself: lane i before lane j.
pub(super) const ABOVE_DIAGONAL: u64 = {
    let (mut pairs, mut lane) = (0, 0);
    while lane < LANES {
        pairs |= above(lane) << (LANES * lane);
        lane += 1;
    }
    pairs
};

/// Lanes after this one.
pub(super) const fn above(lane: usize) -> u64 {
    0xFE << lane & 0xFF
}
