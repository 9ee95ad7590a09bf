//! All overlapping pairs of a tree, by a simultaneous descent of two nodes, from the root against
//! itself.

use std::sync::{Mutex, PoisonError};

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask32x8, u32x8};

use super::eight::{ABOVE_DIAGONAL, BoxPacket, LANES, above};
use super::levels::Levels;
use crate::arrays::from_each;
use crate::broad::Pair;

/// Two overlapping nodes of the same height, or a node with itself, as their indices and the height.
type NodePair = (u32, u32, u32);

/// Buffers of a search, one part per work item.
#[derive(Debug, Default)]
pub(super) struct PairSearch {
    parts: Vec<Part>,
}

#[derive(Debug, Default)]
struct Part {
    stack: Vec<NodePair>,
    pairs: Vec<Pair>,
    test_count: u64,
}

/// Number of parts per thread: enough that idle threads find work.
const PARTS_PER_THREAD: usize = 16;
/// Initial number of node pairs per part. Several even out the differences in the work below them.
const NODE_PAIRS_PER_PART: usize = 8;

impl PairSearch {
    /// Appends the pairs to `pairs`. Returns the number of tests.
    pub fn run(&mut self, tree: &Levels, lanes: &[u32], thread_count: usize, pairs: &mut Vec<Pair>) -> u64 {
        let Some(height) = tree.levels().len().checked_sub(1) else { return 0 };
        let part_count = if thread_count == 1 { 1 } else { PARTS_PER_THREAD * thread_count };
        self.parts.resize_with(part_count, Part::default);
        let root = (0, 0, height as u32);
        if let [part] = &mut self.parts[..] {
            part.stack.push(root);
            return dispatch!(Level::new(), simd => descend(simd, tree, lanes, &mut part.stack, pairs));
        }
        let mut begin = vec![root];
        let mut test_count = 0;
        while begin[0].2 > 0 && begin.len() < part_count * NODE_PAIRS_PER_PART {
            let mut below = Vec::new();
            for pair in begin {
                test_count += dispatch!(Level::new(), simd => children(simd, tree, pair, &mut below));
            }
            begin = below;
        }
        for (part, begin) in self.parts.iter_mut().zip(begin.chunks(begin.len().div_ceil(part_count))) {
            part.stack.extend(begin);
        }
        let queue = Mutex::new(self.parts.iter_mut());
        // No thread panics while it holds the lock.
        let queue = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, last) = (|| queue().next(), || queue().next_back());
        let search = |stack: &mut Vec<NodePair>, pairs: &mut Vec<Pair>| {
            let level = Level::new();
            dispatch!(level, simd => descend(simd, tree, lanes, stack, pairs))
        };
        // The calling thread takes parts from the front and writes directly to `pairs`; the other
        // threads take parts from the back.
        rayon::scope(|scope| {
            for _ in 1..thread_count {
                scope.spawn(|_| {
                    while let Some(Part { stack, pairs, test_count }) = last() {
                        *test_count = search(stack, pairs);
                    }
                });
            }
            while let Some(Part { stack, test_count, .. }) = first() {
                *test_count = search(stack, pairs);
            }
        });
        for part in &mut self.parts {
            pairs.append(&mut part.pairs);
            test_count += part.test_count;
        }
        test_count
    }

    pub fn byte_count(&self) -> usize {
        let part =
            |p: &Part| p.stack.capacity() * size_of::<NodePair>() + p.pairs.capacity() * size_of::<Pair>();
        self.parts.iter().map(part).sum()
    }
}

/// Appends the overlapping pairs of children of two nodes above the lowest level. Returns the number of
/// tests.
#[inline(always)]
fn children<S: Simd>(simd: S, tree: &Levels, (a, b, height): NodePair, out: &mut Vec<NodePair>) -> u64 {
    let level = &tree.levels()[height as usize];
    let (first_a, first_b) = (level.first[a as usize], level.first[b as usize]);
    let mut overlaps = level.boxes[a as usize].cross(simd, &level.boxes[b as usize]);
    if a == b {
        overlaps &= ABOVE_DIAGONAL;
        out.extend((first_a..level.first[a as usize + 1]).map(|child| (child, child, height - 1)));
    }
    while overlaps != 0 {
        let bit = overlaps.trailing_zeros();
        overlaps &= overlaps - 1;
        out.push((first_a + bit / 8, first_b + bit % 8, height - 1));
    }
    64
}

/// Appends the box pairs of the groups below two nodes of the lowest level. Returns the number of
/// tests.
#[inline(always)]
fn leaves<S: Simd>(
    simd: S,
    tree: &Levels,
    lanes: &[[u32; LANES]],
    (a, b): (u32, u32),
    pairs: &mut Vec<Pair>,
) -> u64 {
    let (level, groups) = (&tree.levels()[0], &tree.groups[..]);
    let (node_a, node_b) = (&level.boxes[a as usize], &level.boxes[b as usize]);
    let (first_a, first_b) = (level.first[a as usize], level.first[b as usize]);
    let mut overlaps = node_a.cross(simd, node_b);
    let mut test_count = 64;
    if a == b {
        overlaps &= ABOVE_DIAGONAL;
        for group in first_a as usize..level.first[a as usize + 1] as usize {
            test_count += 28;
            within(simd, &groups[group], &lanes[group], pairs);
        }
    }
    while overlaps != 0 {
        let bit = overlaps.trailing_zeros();
        overlaps &= overlaps - 1;
        let (i, j) = ((first_a + bit / 8) as usize, (first_b + bit % 8) as usize);
        // Only boxes that overlap the box of the other group can overlap a box in that group.
        let rows = node_b.overlapping(simd, bit as usize % 8, &groups[i].load(simd)).to_bitmask();
        test_count += 8 + 8 * u64::from(rows.count_ones());
        between(simd, (&groups[i], &lanes[i]), rows, (&groups[j], &lanes[j]), pairs);
    }
    test_count
}

/// Descends from the node pairs on the stack. Returns the number of tests.
#[inline(always)]
fn descend<S: Simd>(
    simd: S,
    tree: &Levels,
    lanes: &[u32],
    stack: &mut Vec<NodePair>,
    pairs: &mut Vec<Pair>,
) -> u64 {
    let lanes = lanes.as_chunks::<LANES>().0;
    let mut test_count = 0;
    while let Some(pair) = stack.pop() {
        test_count += match pair {
            (a, b, 0) => leaves(simd, tree, lanes, (a, b), pairs),
            _ => children(simd, tree, pair, stack),
        };
    }
    test_count
}

/// Appends the pairs of a group with itself.
#[inline(always)]
fn within<S: Simd>(simd: S, group: &BoxPacket, lanes: &[u32; LANES], pairs: &mut Vec<Pair>) {
    let (boxes, indices) = (group.load(simd), u32x8::simd_from(simd, *lanes));
    for (lane, &index) in lanes[..LANES - 1].iter().enumerate() {
        let later = mask32x8::from_bitmask(simd, above(lane));
        add(simd, index, indices, group.overlapping(simd, lane, &boxes) & later, pairs);
    }
}

/// Appends the pairs of the boxes `rows` of group a with the boxes of group b.
#[inline(always)]
fn between<S: Simd>(
    simd: S,
    (a, lanes_a): (&BoxPacket, &[u32; LANES]),
    mut rows: u64,
    (b, lanes_b): (&BoxPacket, &[u32; LANES]),
    pairs: &mut Vec<Pair>,
) {
    let (boxes, indices) = (b.load(simd), u32x8::simd_from(simd, *lanes_b));
    while rows != 0 {
        let lane = rows.trailing_zeros() as usize % LANES;
        rows &= rows - 1;
        add(simd, lanes_a[lane], indices, a.overlapping(simd, lane, &boxes), pairs);
    }
}

/// Appends the pairs of the box `index` with each overlapping box. Writes all eight pairs and truncates
/// the list, which is faster than a branch per pair.
#[inline(always)]
fn add<S: Simd>(simd: S, index: u32, others: u32x8<S>, overlapping: mask32x8<S>, pairs: &mut Vec<Pair>) {
    let (index, others) = (u32x8::splat(simd, index), others.compress(overlapping));
    let (first, second) = (index.min(others), index.max(others));
    let end = pairs.len() + overlapping.to_bitmask().count_ones() as usize;
    pairs.extend_from_slice(&from_each::<Pair, LANES>(|k| Pair { a: first[k], b: second[k] }));
    pairs.truncate(end);
}
