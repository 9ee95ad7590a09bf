//! A tree of boxes, eight a node, kept between frames.
//!
//! Near boxes stand in groups of eight; the boxes of a node's children are vectors, so that one instruction
//! compares a box with all of them. While boxes move little the groups stay as they are and only their boxes are
//! refitted; boxes that enter are appended as groups of their own. Groups are made anew once what the looser
//! ones have cost outweighs it. This is what \[boxes\] §5 looks for, a method that is better the less changes.
//! O(n + k) a frame where boxes lie evenly.

mod eight;
mod grid;
mod levels;
mod order;
mod search;

use super::{LEAST_PARALLEL, Method, Pair, Upkeep};
use crate::volume::Aabb;
use eight::LANES;
use levels::Levels;
use order::{Order, make_room};
use search::Search;

/// Groups are made anew at once if this many times as many pairs of groups overlap as when they were made.
const MOST_CROWDING: f64 = 1.5;
/// And after as many searches' worth of pairs of groups that tight groups would not have had: about what making
/// them costs.
const MOST_DEBT: f64 = 1.0;
/// Boxes may be appended up to one for so many that were there.
const MOST_NEW: usize = 8;

/// Boxes that are worth handing to another thread, of those a frame has.
const LEAST_WORK: usize = 1024;

#[derive(Debug)]
pub(super) struct WideTree {
    thread_count: usize,
    order: Order,
    levels: Levels,
    /// A bit a box: whether it has a lane.
    placed: Vec<u64>,
    /// Boxes that have none yet, by index.
    new: Vec<u32>,
    /// Lanes and nodes without those appended in this frame.
    kept: (usize, usize),
    /// How it was when groups were made: mean size of a group, and the crowding with it.
    made: (glam::Vec3, f64),
    debt: f64,
    search: Search,
}

impl WideTree {
    pub fn new(thread_count: usize) -> Self {
        Self {
            thread_count,
            order: Order::default(),
            levels: Levels::default(),
            placed: Vec::new(),
            new: Vec::new(),
            kept: (0, 0),
            made: (glam::Vec3::ZERO, 0.0),
            debt: 0.0,
            search: Search::default(),
        }
    }

    fn threads(&self, box_count: usize) -> usize {
        if box_count < LEAST_PARALLEL { 1 } else { self.thread_count }
    }

    /// Makes groups of all boxes.
    fn make(&mut self, boxes: &[Aabb]) {
        self.order.truncate(0, 0);
        self.new.clear();
        make_room(&mut self.new, boxes.len());
        self.new.extend(alive(boxes));
        let thread_count = self.threads(boxes.len());
        self.order.add(boxes, &self.new, thread_count);
        self.kept = (self.order.lanes.len(), self.order.node_sizes.len());
        self.placed.clear();
        self.placed.resize(boxes.len().div_ceil(64), 0);
        for &index in &self.new {
            self.placed[index as usize / 64] |= 1 << (index % 64);
        }
        self.levels.shape(&self.order.node_sizes);
        self.levels.refit(&self.order.lanes, boxes, thread_count);
        let size = self.levels.mean_size();
        self.made = (size, self.levels.crowding(size));
        self.debt = 0.0;
    }

    /// Whether it could keep its groups.
    fn refit(&mut self, boxes: &[Aabb]) -> bool {
        let lane_count = self.kept.0;
        let mut alive_count = 0;
        self.new.clear();
        for index in alive(boxes) {
            alive_count += 1;
            let bits = self.placed.get(index as usize / 64).copied().unwrap_or(0);
            if bits >> (index % 64) & 1 == 0 {
                if self.new.len() * MOST_NEW >= lane_count {
                    return false;
                }
                self.new.push(index);
            }
        }
        if lane_count > 2 * alive_count + 8 * LANES {
            return false;
        }
        if !self.new.is_empty() || self.order.lanes.len() > lane_count {
            self.order.truncate(self.kept.0, self.kept.1);
            self.order.add(boxes, &self.new, 1);
            self.levels.shape(&self.order.node_sizes);
        }
        self.levels.refit(&self.order.lanes, boxes, self.threads(boxes.len()));
        let (size, made) = self.made;
        let crowding = self.levels.crowding(size) / made.max(f64::MIN_POSITIVE);
        self.debt = (self.debt + crowding - 1.0).max(0.0);
        crowding <= MOST_CROWDING && self.debt <= MOST_DEBT
    }
}

fn alive(boxes: &[Aabb]) -> impl Iterator<Item = u32> + Clone {
    boxes.iter().zip(0..).filter(|(b, _)| !b.is_empty()).map(|(_, index)| index)
}

impl Method for WideTree {
    fn update(&mut self, boxes: &[Aabb]) -> Upkeep {
        if self.refit(boxes) {
            return Upkeep::Kept;
        }
        self.make(boxes);
        Upkeep::Made
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let thread_count = self.threads(self.order.lanes.len());
        self.search.run(&self.levels, &self.order.lanes, thread_count, pairs)
    }

    fn byte_count(&self) -> usize {
        self.order.byte_count()
            + self.levels.byte_count()
            + self.placed.capacity() * size_of::<u64>()
            + self.new.capacity() * size_of::<u32>()
            + self.search.byte_count()
    }
}
