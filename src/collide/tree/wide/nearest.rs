//! Simultaneous descent of two wide trees to their nearest triangles. It is depth-first: of the pairs
//! of children that a step finds, the nearest is opened first. Pairs farther apart than the best
//! distance so far are skipped. The distance of two boxes, in either frame, is a lower bound of that of
//! their contents.

use super::bounds::{Bounds, ChildBounds, Offsets};
use super::kernel::{PAIR, STEP};
use super::lanes::Lanes;
use super::layout::{Child, WideTree};
use super::traverse::{BLOCK, Expansion, Open, Stack, Transforms, transforms};
use crate::mesh::PackedCone;
use crate::pose::Pose;
use crate::tree::search::Counts;
use crate::volume::round_up;
use fearless_simd::{Level, dispatch};

/// Search for the nearest triangles of two trees, for [`crate::query::approach`].
pub(crate) trait Approach<const W: usize>: Sized {
    /// Passes every block of triangle pairs that may be nearer than `bound` (m) to `measure`. `measure`
    /// returns the least distance that it found, m. Each result may lower the bound; a negative result
    /// ends the search.
    fn approach(
        trees: [&Self; 2],
        b_to_a: &Pose,
        bound: f64,
        stack: &mut Stack<W>,
        counts: &mut Counts,
        measure: &mut impl FnMut(&[[u32; 2]]) -> f64,
    );
}

macro_rules! approach {
    ($arity:literal, $sides:ty) => {
        impl Approach<$arity> for WideTree<$arity, $sides> {
            fn approach(
                trees: [&Self; 2],
                b_to_a: &Pose,
                bound: f64,
                stack: &mut Stack<$arity>,
                counts: &mut Counts,
                measure: &mut impl FnMut(&[[u32; 2]]) -> f64,
            ) {
                let transforms = transforms(trees, b_to_a, 0.0);
                dispatch!(Level::new(), simd => down(simd, trees, &transforms, bound, stack, counts, measure));
            }
        }
    };
}

approach!(4, Offsets<4>);
approach!(8, Offsets<8>);

#[inline(always)]
fn down<S: Lanes<W>, const W: usize, B: ChildBounds<W>>(
    simd: S,
    [a, b]: [&WideTree<W, B>; 2],
    transforms: &Transforms,
    mut bound: f64,
    stack: &mut Stack<W>,
    counts: &mut Counts,
    measure: &mut impl FnMut(&[[u32; 2]]) -> f64,
) {
    let Stack { expansions, ranked, pairs, .. } = stack;
    pairs.clear();
    expansions.clear();
    ranked.clear();
    let (mut test_count, mut step_count) = (0, 0);
    let mut square = square_of(bound);
    // Start with the virtual parents of both roots.
    let mut next = Some((Child::Root, Child::Root, Bounds::default(), Bounds::default()));
    while let Some((parent_a, parent_b, box_a, box_b)) = next {
        let packet_a = a.packet(simd, parent_a, &box_a, &transforms.a_to_b);
        let packet_b = b.packet(simd, parent_b, &box_b, &transforms.b_to_a);
        test_count += packet_a.count() * packet_b.count();
        step_count += packet_a.count() + packet_b.count();
        let first = ranked.len();
        let expansion = expansions.len() as u32;
        packet_a.approach(simd, &packet_b, square, |gap, lane_a, lane_b| {
            ranked.push((gap, Open { expansion, lane_a: lane_a as u8, lane_b: lane_b as u8 }));
        });
        let (boxes_a, boxes_b) = (packet_a.boxes(), packet_b.boxes());
        let cones = [PackedCone::ALL; W];
        expansions.push(Expansion {
            a: parent_a,
            b: parent_b,
            boxes_a,
            boxes_b,
            cones_a: cones,
            cones_b: cones,
        });
        farthest_first(&mut ranked[first..]);
        next = None;
        while let Some((gap, pair)) = ranked.pop() {
            expansions.truncate(pair.expansion as usize + 1);
            if gap > square {
                continue;
            }
            let Expansion { a: parent_a, b: parent_b, boxes_a, boxes_b, .. } =
                &expansions[pair.expansion as usize];
            let (lane_a, lane_b) = (usize::from(pair.lane_a), usize::from(pair.lane_b));
            let (child_a, child_b) = (a.child(*parent_a, lane_a), b.child(*parent_b, lane_b));
            let boxes = (boxes_a.sides(lane_a), boxes_b.sides(lane_b));
            let is_node = !a.add_block(b, [child_a, child_b], pairs);
            if pairs.len() >= BLOCK || is_node {
                bound = measured(bound, pairs, counts, measure);
                square = square_of(bound);
                if bound < 0.0 {
                    break;
                }
            }
            if is_node && gap <= square {
                next = Some((child_a, child_b, boxes.0, boxes.1));
                break;
            }
        }
        bound = measured(bound, pairs, counts, measure);
        square = square_of(bound);
        if bound < 0.0 {
            break;
        }
    }
    counts.node_test_count += test_count as u64;
    counts.node_step_count += step_count as u64;
    counts.operations.add(PAIR, test_count as u64);
    counts.operations.add(STEP, step_count as u64);
}

/// Measures the pairs, if any. Returns the smaller of `bound` and their least distance, m.
#[inline(always)]
fn measured(
    bound: f64,
    pairs: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
    measure: &mut impl FnMut(&[[u32; 2]]) -> f64,
) -> f64 {
    if pairs.is_empty() {
        return bound;
    }
    counts.triangle_test_count += pairs.len() as u64;
    let nearest = measure(pairs);
    pairs.clear();
    bound.min(nearest)
}

/// Returns `bound²` in `f32`, rounded up.
fn square_of(bound: f64) -> f32 {
    round_up(bound * bound)
}

/// Sorts pairs by descending distance. Not generic, so it is compiled once although its caller is
/// monomorphized per tree and instruction set.
fn farthest_first(ranked: &mut [(f32, Open)]) {
    ranked.sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
}
