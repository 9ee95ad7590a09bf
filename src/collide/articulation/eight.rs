//! Axis-aligned boxes around leaves, tested eight at a time. As long as there are no inner nodes, they
//! exclude leaves that cannot overlap.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8};
use glam::Vec3A;

use super::aligned::AlignedBox;
use super::frame::{LANES, Lanes3, Way, grown3, load3, store3, vector};

/// Centers (NaN for an absent box) and half extents of the boxes around eight leaves, relative to the
/// origin of their articulation, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafPacket {
    center: Lanes3,
    half: Lanes3,
}

/// Enlargement of the half extents, as a share of the longest one. It exceeds the rounding errors of
/// every test of the leaf inside, so that this box never excludes a pair that the leaf test accepts.
pub(super) const SLACK: f32 = 1e-4;

impl LeafPacket {
    #[inline(always)]
    pub fn new<S: Simd>(center: [f32x8<S>; 3], half: [f32x8<S>; 3]) -> Self {
        let slack = half[0].max(half[1]).max(half[2]) * SLACK;
        Self { center: store3(center), half: store3(grown3(half, slack)) }
    }

    pub fn is_absent(&self, lane: usize) -> bool {
        self.center[0][lane % LANES].is_nan()
    }

    /// Returns the smallest box around all boxes that are present.
    #[inline(always)]
    pub fn bounds<S: Simd>(simd: S, eights: &[Self]) -> AlignedBox {
        let mut low = [f32x8::splat(simd, f32::INFINITY); 3];
        let mut high = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
        for eight in eights {
            let (center, half) = (load3(simd, &eight.center), load3(simd, &eight.half));
            for k in 0..3 {
                let (from, to) = (center[k] - half[k], center[k] + half[k]);
                low[k] = from.simd_lt(low[k]).select(from, low[k]);
                high[k] = to.simd_gt(high[k]).select(to, high[k]);
            }
        }
        AlignedBox {
            min: Vec3A::new(low[0].reduce_min(), low[1].reduce_min(), low[2].reduce_min()),
            max: Vec3A::new(high[0].reduce_max(), high[1].reduce_max(), high[2].reduce_max()),
        }
    }

    /// Returns a bit mask of the boxes of this packet that overlap the given box.
    #[inline(always)]
    fn overlapping<S: Simd>(&self, simd: S, center: Vec3A, half: Vec3A) -> u32 {
        let (own_center, own_half) = (load3(simd, &self.center), load3(simd, &self.half));
        let mut near = (own_center[0] - center.x).abs().simd_le(own_half[0] + half.x);
        near &= (own_center[1] - center.y).abs().simd_le(own_half[1] + half.y);
        near &= (own_center[2] - center.z).abs().simd_le(own_half[2] + half.z);
        near.to_bitmask() as u32
    }
}

/// Passes every pair (leaf of `a`, leaf of `b`) whose boxes overlap to `found`. `b_bounds` is the box
/// around all leaves of `b`. Returns the number of box tests.
pub(super) fn between(
    a: &[LeafPacket],
    b: &[LeafPacket],
    b_bounds: &AlignedBox,
    way: &Way,
    mut found: impl FnMut(u32, u32),
) -> u64 {
    dispatch!(Level::new(), simd => search_between(simd, a, b, b_bounds, way, &mut found))
}

#[inline(always)]
fn search_between<S: Simd>(
    simd: S,
    a: &[LeafPacket],
    b: &[LeafPacket],
    b_bounds: &AlignedBox,
    way: &Way,
    found: &mut impl FnMut(u32, u32),
) -> u64 {
    let mut test_count = (LANES * a.len()) as u64;
    let growth = Vec3A::splat(way.growth);
    let (center, half) = (0.5 * (b_bounds.min + b_bounds.max), 0.5 * (b_bounds.max - b_bounds.min));
    // The rounding error of a box's center is proportional to the box's size and to its distance from
    // the origin.
    let slack = SLACK * (half.max_element() + center.abs().max_element());
    for (eight, first) in a.iter().zip((0..).step_by(LANES)) {
        let mut rows = eight.overlapping(simd, center + way.shift, half + growth + slack);
        while rows != 0 {
            let lane = rows.trailing_zeros();
            rows &= rows - 1;
            let center = vector(&eight.center, lane as usize) - way.shift;
            let half = vector(&eight.half, lane as usize) + growth;
            test_count += (LANES * b.len()) as u64;
            for (others, first_other) in b.iter().zip((0..).step_by(LANES)) {
                show(others.overlapping(simd, center, half), first_other, |j| found(first + lane, j));
            }
        }
    }
    test_count
}

/// Passes every pair of leaves of one articulation whose boxes overlap to `found` once, the smaller
/// index first. Returns the number of box tests.
pub(super) fn within(eights: &[LeafPacket], mut found: impl FnMut(u32, u32)) -> u64 {
    dispatch!(Level::new(), simd => search_within(simd, eights, &mut found))
}

#[inline(always)]
fn search_within<S: Simd>(simd: S, eights: &[LeafPacket], found: &mut impl FnMut(u32, u32)) -> u64 {
    let mut test_count = 0;
    for (block, eight) in eights.iter().enumerate() {
        for lane in 0..LANES {
            let (center, half) = (vector(&eight.center, lane), vector(&eight.half, lane));
            test_count += (LANES * (eights.len() - block)) as u64;
            for (others, at) in eights[block..].iter().zip(block..) {
                let later = if at == block { 0xFE << lane } else { 0xFF };
                let overlapping = others.overlapping(simd, center, half) & later;
                show(overlapping, (LANES * at) as u32, |j| found((LANES * block + lane) as u32, j));
            }
        }
    }
    test_count
}

#[inline(always)]
fn show(mut lanes: u32, first: u32, mut found: impl FnMut(u32)) {
    while lanes != 0 {
        found(first + lanes.trailing_zeros());
        lanes &= lanes - 1;
    }
}
