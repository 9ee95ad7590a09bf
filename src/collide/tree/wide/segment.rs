//! Search for triangles of a wide boxtree that a segment may intersect. It uses a SIMD separating axis
//! test of the segment against all children of a node, on the face axes and on their cross products
//! with the segment.

use std::ops::ControlFlow;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use glam::DVec3;

use super::bounds::{Bounds, ChildBounds, Exact, Offsets};
use super::lanes::{Lanes, splat, zero};
use super::layout::{Child, WideTree};
use crate::arrays::MapEach;
use crate::volume::{Aabb, clip, round_up};

/// A segment relative to the tree's center, m.
struct Segment {
    middle: [f32; 3],
    /// Vector from the middle to the end, m.
    half: [f32; 3],
    /// Bound of the rounding errors of box and segment, m.
    growth: f32,
}

impl Segment {
    /// Returns the part of the segment that is near the tree's root box; `None` if no part is.
    fn near(segment: [DVec3; 2], root: &Bounds, center: DVec3) -> Option<Self> {
        let [from, to] = clip(&Aabb::from(*root), segment.map_each(|end| end - center))?;
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        // The middle and the half extents of a box undergo about 4 roundings, and the segment's middle
        // one. The products with the segment and their sums undergo about 4. The subtraction of the
        // center was rounded in `f64`.
        let size = [root.low, root.high].map_each(|side| DVec3::from(side.map_each(f64::from)).abs());
        let size = size[0].max(size[1]).max_element() + middle.abs().max_element();
        let far =
            center.abs().max_element() + segment[0].abs().max_element() + segment[1].abs().max_element();
        let growth = round_up(16.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far);
        let [middle, half] = [middle, half].map_each(|v| v.as_vec3().into());
        Some(Self { middle, half, growth })
    }

    /// Returns a mask of the children that the segment may intersect. `low` and `high`: bounds of the
    /// children.
    #[inline(always)]
    fn meets<S: Lanes<W>, const W: usize>(&self, simd: S, [low, high]: [&[S::Vector; 3]; 2]) -> u64 {
        let (mut offset, mut reach) = ([zero(simd); 3], [zero(simd); 3]);
        let mut gap = splat(simd, f32::NEG_INFINITY);
        for k in 0..3 {
            offset[k] = (low[k] + high[k]) * 0.5 - self.middle[k];
            reach[k] = (high[k] - low[k]) * 0.5 + self.growth;
            gap = gap.max(offset[k].abs() - (reach[k] + self.half[k].abs()));
        }
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (along_i, along_j) = (self.half[i], self.half[j]);
            let across = (offset[i] * along_j - offset[j] * along_i).abs();
            gap = gap.max(across - (reach[i] * along_j.abs() + reach[j] * along_i.abs()));
        }
        !gap.simd_gt(zero(simd)).to_bitmask()
    }
}

/// Segment search of a tree; see [`crate::tree::Nodes::visit_segment`].
pub(super) trait MeetSegment {
    fn meet_segment(
        &self,
        segment: [DVec3; 2],
        open: &mut Vec<(Child, Bounds)>,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
}

macro_rules! meet_segment {
    ($arity:literal, $sides:ty) => {
        impl MeetSegment for WideTree<$arity, $sides> {
            fn meet_segment(
                &self,
                segment: [DVec3; 2],
                open: &mut Vec<(Child, Bounds)>,
                show: &mut dyn FnMut(u32) -> ControlFlow<()>,
            ) -> ControlFlow<()> {
                let Some(segment) = Segment::near(segment, &self.root, self.center.as_dvec3()) else {
                    return ControlFlow::Continue(());
                };
                dispatch!(Level::new(), simd => down(simd, self, &segment, open, show))
            }
        }
    };
}

meet_segment!(4, Offsets<4>);
meet_segment!(8, Offsets<8>);
meet_segment!(8, Exact<8>);

/// Runs the search with the given instruction set.
#[inline(always)]
fn down<S: Lanes<W>, const W: usize, B: ChildBounds<W>>(
    simd: S,
    tree: &WideTree<W, B>,
    segment: &Segment,
    open: &mut Vec<(Child, Bounds)>,
    show: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    open.push((tree.top(), tree.root));
    while let Some((child, own)) = open.pop() {
        let index = match child {
            Child::Node(index) => index,
            Child::Leaf(leaf) => {
                show(tree.triangles[leaf as usize])?;
                continue;
            }
            Child::Root => continue,
        };
        let node = &tree.nodes[index as usize];
        let (low, high) = node.sides.rows(simd, &own);
        let valid = (1u64 << node.child_count) - 1;
        let mut met = segment.meets(simd, [&low, &high]) & valid;
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            match node.child(lane) {
                Child::Leaf(leaf) => show(tree.triangles[leaf as usize])?,
                child => {
                    let mut sides = Bounds::default();
                    for k in 0..3 {
                        (sides.low[k], sides.high[k]) = (low[k][lane], high[k][lane]);
                    }
                    open.push((child, sides));
                }
            }
        }
    }
    ControlFlow::Continue(())
}
