//! Tree with eight boxes per node, kept between frames.
//!
//! Nearby boxes form groups of eight. The boxes of a node's children are SIMD vectors, so that one
//! instruction compares a box with all of them. While boxes move little, the groups stay and only their
//! boxes are refitted. New boxes are appended as separate groups. The groups are rebuilt once the
//! accumulated cost of loose groups exceeds that of rebuilding. This is the method that \[boxes\] §5
//! asks for: the less changes, the faster it is. O(n + k) per frame if boxes are spread evenly.
//!
//! - `eight.rs`: packets of eight boxes, one SIMD vector per coordinate.
//! - `grid.rs`: cells for a counting sort of boxes: a grid for each class of size and shape.
//! - `levels.rs`: the nodes above the groups, and the boxes of all nodes.
//! - `order.rs`: the assignment of boxes to groups: neighbors of similar size.
//! - `search.rs`: all overlapping pairs of a tree, by a descent from the root against itself.

mod eight;
mod grid;
mod levels;
mod order;
mod search;

use glam::Vec3;

use super::method::{LEAST_PARALLEL, Method, Pair, Upkeep};
use crate::volume::Aabb;
use levels::Levels;
use order::{Order, make_room};
use search::PairSearch;

/// Ratio of the estimated number of overlapping pairs of groups to that at the last rebuild above which
/// the groups are rebuilt before a search. A larger ratio shows that boxes have jumped.
const MOST_CROWDING: f64 = 2.0;
/// Number of additional tests after which groups are rebuilt, relative to the tests of the first
/// search: about the cost of rebuilding.
const MOST_DEBT: f64 = 1.0;
/// Least number of existing boxes per box that is appended.
const MOST_NEW: usize = 8;

#[derive(Debug)]
pub(super) struct WideTree {
    thread_count: usize,
    box_count: usize,
    order: Order,
    levels: Levels,
    /// One bit per box: 1 if the box has a lane.
    placed: Vec<u64>,
    /// Indices of the boxes without a lane.
    new: Vec<u32>,
    made: Made,
    /// Cost of loose groups since the last rebuild, in searches.
    debt: f64,
    search: PairSearch,
}

/// State at the last build of groups from all boxes.
#[derive(Debug, Default)]
struct Made {
    box_count: usize,
    lane_count: usize,
    node_count: usize,
    group_size: Vec3,
    crowding: f64,
    /// Number of tests of the first search.
    test_count: Option<u64>,
}

impl WideTree {
    pub fn new(thread_count: usize) -> Self {
        Self {
            thread_count,
            box_count: 0,
            order: Order::default(),
            levels: Levels::default(),
            placed: Vec::new(),
            new: Vec::new(),
            made: Made::default(),
            debt: 0.0,
            search: PairSearch::default(),
        }
    }

    fn threads(&self) -> usize {
        if self.box_count < LEAST_PARALLEL { 1 } else { self.thread_count }
    }

    /// Builds groups of all boxes. `complete` is true if no box is empty.
    fn make(&mut self, boxes: &[Aabb], complete: bool) {
        self.new.clear();
        make_room(&mut self.new, boxes.len());
        if complete {
            self.new.extend(0..boxes.len() as u32);
        } else {
            self.new.extend(alive(boxes));
        }
        self.order.truncate(0, 0);
        self.order.add(boxes, &self.new, self.threads());
        self.placed.clear();
        self.placed.resize(boxes.len().div_ceil(64), 0);
        for &index in &self.new {
            self.placed[index as usize / 64] |= 1 << (index % 64);
        }
        self.levels.shape(&self.order.node_sizes);
        self.levels.refit(&self.order.lanes, boxes, self.threads());
        let group_size = self.levels.mean_size();
        self.made = Made {
            box_count: self.new.len(),
            lane_count: self.order.lanes.len(),
            node_count: self.order.node_sizes.len(),
            group_size,
            crowding: self.levels.crowding(group_size),
            test_count: None,
        };
        self.debt = 0.0;
    }

    /// Refits the tree. Returns false if the groups must be rebuilt.
    fn refit(&mut self, boxes: &[Aabb]) -> bool {
        self.new.clear();
        let mut alive_count = 0;
        for index in alive(boxes) {
            alive_count += 1;
            let bits = self.placed.get(index as usize / 64).copied().unwrap_or(0);
            if bits >> (index % 64) & 1 == 0 {
                if self.new.len() * MOST_NEW >= self.made.box_count {
                    return false;
                }
                self.new.push(index);
            }
        }
        let left_count = self.made.box_count - (alive_count - self.new.len());
        if self.made.box_count == 0 || 2 * left_count > self.made.box_count || self.debt > MOST_DEBT {
            return false;
        }
        if !self.new.is_empty() || self.order.lanes.len() > self.made.lane_count {
            self.order.truncate(self.made.lane_count, self.made.node_count);
            self.order.add(boxes, &self.new, 1);
            self.levels.shape(&self.order.node_sizes);
        }
        self.levels.refit(&self.order.lanes, boxes, self.threads());
        self.levels.crowding(self.made.group_size) <= MOST_CROWDING * self.made.crowding
    }
}

fn alive(boxes: &[Aabb]) -> impl Iterator<Item = u32> + Clone {
    boxes.iter().zip(0..).filter(|(b, _)| !b.is_empty()).map(|(_, index)| index)
}

impl Method for WideTree {
    fn update(&mut self, boxes: &[Aabb], complete: bool) -> Upkeep {
        self.box_count = boxes.len();
        if self.refit(boxes) {
            return Upkeep::Kept;
        }
        self.make(boxes, complete);
        Upkeep::Made
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let test_count = self.search.run(&self.levels, &self.order.lanes, self.threads(), pairs);
        let first = *self.made.test_count.get_or_insert(test_count);
        self.debt += (test_count as f64 / first.max(1) as f64 - 1.0).max(0.0);
        test_count
    }

    fn byte_count(&self) -> usize {
        self.order.byte_count()
            + self.levels.byte_count()
            + self.placed.capacity() * size_of::<u64>()
            + self.new.capacity() * size_of::<u32>()
            + self.search.byte_count()
    }
}
