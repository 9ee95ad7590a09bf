//! Assignment of boxes to groups of eight: neighbors of similar size.
//!
//! A counting sort puts the boxes into the cells of grids. Then every cell is halved across the longest
//! side of its centers' bounds, until the parts are groups. O(n) for boxes that fill space evenly, O(n
//! log n) if all boxes are in few cells.

use super::eight::LANES;
use super::grid::Grids;
use crate::arrays::MapEach;
use crate::broad::ordered::{coordinate, ordered};
use crate::parallel::{self, Job};
use crate::volume::Aabb;

/// Least number of boxes of a frame for which another thread pays.
pub const LEAST_WORK: usize = 1024;

/// Index that stands for no box: the lane is empty.
pub(super) const NO_BOX: u32 = u32::MAX;

/// Groups in order.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Box indices, eight per group; [`NO_BOX`] in an empty lane.
    pub lanes: Vec<u32>,
    /// Number of groups of each node of the lowest level.
    pub node_sizes: Vec<u8>,
    grids: Grids,
    items: Vec<Item>,
    /// Position of the next box in each cell.
    slots: Vec<u32>,
}

/// Box that is being assigned to a group.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    /// Center, as integers with the same order.
    place: [i32; 3],
    index: u32,
}

impl Order {
    /// Keeps only the first lanes and nodes.
    pub fn truncate(&mut self, lane_count: usize, node_count: usize) {
        self.lanes.truncate(lane_count);
        self.node_sizes.truncate(node_count);
    }

    /// Adds groups of the boxes with these indices, none of which may be empty, on `thread_count`
    /// threads.
    pub fn add(&mut self, boxes: &[Aabb], indices: &[u32], thread_count: usize) {
        let cell_count = self.grids.lay(boxes, indices, thread_count);
        // The lanes hold the cells of the boxes until the boxes are placed.
        let begin = self.lanes.len();
        make_room(&mut self.lanes, begin + indices.len());
        self.lanes.resize(begin + indices.len(), NO_BOX);
        let cells = &mut self.lanes[begin..];
        let grids = &self.grids;
        let find = |cell: &mut u32, index: u32| *cell = grids.cell(&boxes[index as usize]);
        if thread_count == 1 {
            for (cell, &index) in cells.iter_mut().zip(indices) {
                find(cell, index);
            }
        } else {
            parallel::for_each(cells, LEAST_WORK, |k, cell| find(cell, indices[k]));
        }
        self.slots.clear();
        self.slots.resize(cell_count, 0);
        for &cell in &*cells {
            self.slots[cell as usize] += 1;
        }
        let mut sum = 0;
        for slot in &mut self.slots {
            sum += std::mem::replace(slot, sum);
        }
        make_room(&mut self.items, indices.len());
        self.items.resize(indices.len(), Item::default());
        let all = Scatter { first_cell: 0, begin: 0, slots: &mut self.slots, items: &mut self.items };
        match thread_count {
            1 => all.run(boxes, indices, cells),
            _ => {
                let cells = &*cells;
                let mut jobs: Vec<Job> = Vec::with_capacity(thread_count);
                for part in all.divide(thread_count) {
                    jobs.push(Box::new(move || part.run(boxes, indices, cells)));
                }
                parallel::run(jobs);
            }
        }
        // Each slot is now the end of its cell.
        let ends = &self.slots[..];
        self.lanes.truncate(begin);
        let end = begin + lane_count(0, ends);
        make_room(&mut self.lanes, end);
        self.lanes.resize(end, NO_BOX);
        let all = CellRange { begin: 0, ends, items: &mut self.items, lanes: &mut self.lanes[begin..] };
        if thread_count == 1 {
            return all.halve(&mut self.node_sizes);
        }
        let parts = all.divide(PARTS_PER_THREAD * thread_count);
        let mut node_sizes = vec![Vec::new(); parts.len()];
        let mut jobs: Vec<Job> = Vec::with_capacity(parts.len());
        for (part, node_sizes) in parts.into_iter().zip(&mut node_sizes) {
            jobs.push(Box::new(|| part.halve(node_sizes)));
        }
        parallel::run(jobs);
        self.node_sizes.extend(node_sizes.iter().flatten());
    }

    pub fn byte_count(&self) -> usize {
        let numbers = self.lanes.capacity() + self.slots.capacity();
        numbers * size_of::<u32>()
            + self.node_sizes.capacity()
            + self.items.capacity() * size_of::<Item>()
            + self.grids.byte_count()
    }
}

/// Makes room for `count` elements in total, plus a little more. Doubling would take up to twice the
/// memory.
pub(super) fn make_room<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() < count {
        list.reserve_exact(count + count / 16 - list.len());
    }
}

/// Range of consecutive cells, and the space for their boxes.
struct Scatter<'a> {
    first_cell: u32,
    /// Index of the first item of the first cell, counted over all cells.
    begin: u32,
    /// Index of the next item of each cell, counted over all cells.
    slots: &'a mut [u32],
    items: &'a mut [Item],
}

impl Scatter<'_> {
    /// Divides the cells into parts with about equal numbers of boxes.
    fn divide(self, count: usize) -> Vec<Self> {
        let Self { mut first_cell, mut begin, mut slots, mut items } = self;
        let mut parts = Vec::with_capacity(count);
        for left in (1..=count).rev() {
            let goal = begin + (items.len() / left) as u32;
            let cell_count = if left == 1 { slots.len() } else { slots.partition_point(|&slot| slot < goal) };
            let (own_slots, other_slots) = slots.split_at_mut(cell_count);
            let end = other_slots.first().copied().unwrap_or(begin + items.len() as u32);
            let (own_items, other_items) = items.split_at_mut((end - begin) as usize);
            parts.push(Self { first_cell, begin, slots: own_slots, items: own_items });
            (first_cell, begin) = (first_cell + cell_count as u32, end);
            (slots, items) = (other_slots, other_items);
        }
        parts
    }

    /// Moves the boxes of these cells to their positions. `cells`: the cell of every box.
    fn run(self, boxes: &[Aabb], indices: &[u32], cells: &[u32]) {
        for (&index, &cell) in indices.iter().zip(cells) {
            // Cells before the first one wrap around to large values.
            let Some(slot) = self.slots.get_mut(cell.wrapping_sub(self.first_cell) as usize) else {
                continue;
            };
            let place = boxes[index as usize].center().to_array().map_each(ordered);
            self.items[(*slot - self.begin) as usize] = Item { place, index };
            *slot += 1;
        }
    }
}

/// Range of consecutive cells, and the lanes for their boxes.
struct CellRange<'a> {
    /// Index of the first item of the first cell, counted over all cells.
    begin: u32,
    /// Index of the end of each cell's items, counted over all cells.
    ends: &'a [u32],
    items: &'a mut [Item],
    lanes: &'a mut [u32],
}

/// Number of parts per thread: enough that idle threads find work.
const PARTS_PER_THREAD: usize = 16;

/// Returns the number of lanes for the given cells. Every cell gets whole groups.
fn lane_count(mut begin: u32, ends: &[u32]) -> usize {
    let lanes =
        |&end: &u32| (end - std::mem::replace(&mut begin, end)).next_multiple_of(LANES as u32) as usize;
    ends.iter().map(lanes).sum()
}

impl<'a> CellRange<'a> {
    /// Divides the cells into parts with about equal numbers of cells.
    fn divide(self, count: usize) -> Vec<Self> {
        let Self { mut begin, ends, mut items, mut lanes } = self;
        let mut parts = Vec::with_capacity(count);
        for ends in ends.chunks(ends.len().div_ceil(count).max(1)) {
            let item_count = ends.last().map_or(0, |end| end - begin) as usize;
            let (own_items, other_items) = items.split_at_mut(item_count);
            let (own_lanes, other_lanes) = lanes.split_at_mut(lane_count(begin, ends));
            (items, lanes) = (other_items, other_lanes);
            parts.push(CellRange { begin, ends, items: own_items, lanes: own_lanes });
            begin += item_count as u32;
        }
        parts
    }

    /// Assigns the boxes of every cell to lanes. Appends the number of groups of each node to
    /// `node_sizes`.
    fn halve(self, node_sizes: &mut Vec<u8>) {
        let Self { mut begin, ends, mut items, mut lanes } = self;
        let mut few = Few::EMPTY;
        for &end in ends {
            let count = (end - std::mem::replace(&mut begin, end)) as usize;
            let (own_items, other_items) = items.split_at_mut(count);
            let (own_lanes, other_lanes) = lanes.split_at_mut(count.next_multiple_of(LANES));
            (items, lanes) = (other_items, other_lanes);
            if count > 0 {
                nodes(own_items, own_lanes, node_sizes, &mut few);
            }
        }
    }
}

/// Halves the boxes until each part fits into one node.
fn nodes(items: &mut [Item], lanes: &mut [u32], node_sizes: &mut Vec<u8>, few: &mut Few) {
    if items.len() <= FEW {
        node_sizes.push(items.len().div_ceil(LANES) as u8);
        return groups(items, lanes, few);
    }
    let [left, right] = halves(items);
    let (left_lanes, right_lanes) = lanes.split_at_mut(left.len());
    nodes(left, left_lanes, node_sizes, few);
    nodes(right, right_lanes, node_sizes, few);
}

/// Halves the boxes of a node until each part fits into one group.
fn groups(items: &mut [Item], lanes: &mut [u32], few: &mut Few) {
    if items.len() <= LANES {
        for (lane, item) in lanes.iter_mut().zip(items) {
            *lane = item.index;
        }
        return;
    }
    let middle = middle(items.len());
    few.sort(items, longest_side(items));
    let (left, right) = items.split_at_mut(middle);
    let (left_lanes, right_lanes) = lanes.split_at_mut(middle);
    groups(left, left_lanes, few);
    groups(right, right_lanes, few);
}

/// Largest number of boxes of a node.
const FEW: usize = LANES * LANES;

/// Buffers for sorting the boxes of a node.
struct Few {
    keys: [i32; FEW],
    items: [Item; FEW],
}

impl Few {
    const EMPTY: Self = Self { keys: [0; FEW], items: [Item { place: [0; 3], index: 0 }; FEW] };

    /// Sorts along an axis: the position of a box is the number of boxes before it. For so few boxes, a
    /// SIMD comparison of all pairs is faster than a divide-and-conquer sort.
    fn sort(&mut self, items: &mut [Item], axis: usize) {
        let keys = &mut self.keys[..items.len().next_multiple_of(LANES)];
        keys.fill(i32::MAX);
        for ((key, item), number) in keys.iter_mut().zip(&*items).zip(0..) {
            // The lowest bits hold the index, which breaks ties.
            *key = item.place[axis] & !(FEW as i32 - 1) | number;
        }
        for (item, &key) in items.iter().zip(&*keys) {
            let before: i32 = keys.iter().map(|&other| i32::from(other < key)).sum();
            self.items[before as usize % FEW] = *item;
        }
        items.copy_from_slice(&self.items[..items.len()]);
    }
}

/// Returns the index at which to halve. It makes all groups on the left full.
fn middle(count: usize) -> usize {
    count.div_ceil(LANES).div_ceil(2) * LANES
}

/// Halves the items across the longest side. All groups on the left are full.
fn halves(items: &mut [Item]) -> [&mut [Item]; 2] {
    let middle = middle(items.len());
    match longest_side(items) {
        0 => items.select_nth_unstable_by_key(middle, |i| i.place[0]),
        1 => items.select_nth_unstable_by_key(middle, |i| i.place[1]),
        _ => items.select_nth_unstable_by_key(middle, |i| i.place[2]),
    };
    items.split_at_mut(middle).into()
}

/// Returns the axis along which the centers' bounds are longest.
fn longest_side(items: &[Item]) -> usize {
    let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
    for item in items {
        for k in 0..3 {
            low[k] = low[k].min(item.place[k]);
            high[k] = high[k].max(item.place[k]);
        }
    }
    let [x, y, z] = [0, 1, 2].map_each(|k| coordinate(high[k]) - coordinate(low[k]));
    match (x >= y, x >= z, y >= z) {
        (true, true, _) => 0,
        (_, _, true) => 1,
        _ => 2,
    }
}
