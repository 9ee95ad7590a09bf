//! Priority search trees: dynamic sets of closed intervals with overlap queries. (McCreight; the trees
//! of \[boxes\] §3.3)
//!
//! An interval is represented as the point (high, low); [a, b] overlaps the points with high >= a and
//! low <= b. A tree is a treap in (high, id) and a tournament in low: each node also has a winner, the
//! point with the least low in its subtree that is not the winner of an ancestor. So a query stops at
//! the first winner that begins too late. An update takes O(log m) expected time, a query O(log m + k),
//! and an interval 32 bytes. All trees share an arena.
//! interval 32 bytes. Trees share an arena.

use super::section::Interval;

use crate::arrays::MapEach;

/// Arena of trees. A tree is identified by the `u32` of its root, initially [`PriorityTrees::EMPTY`].
/// Updates replace this value.
#[derive(Debug)]
pub(super) struct PriorityTrees {
    /// Nodes. The first node has no points and represents a missing child.
    nodes: Vec<Node>,
    /// First node of the free list, which is linked by child 0.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    high: f32,
    /// Low end; [`ABSENT`] for no point.
    low: f32,
    id: u32,
}

/// Low end of an absent point. Every comparison with it is false, as if the point were out of range.
const ABSENT: f32 = f32::NAN;

const NOTHING: Point = Point { high: 0.0, low: ABSENT, id: 0 };

impl Point {
    fn is_absent(&self) -> bool {
        self.low.is_nan()
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Point for which the node was created; its (high, id) is the node's key. Absent while the point
    /// is the winner of this node or of an ancestor.
    own: Point,
    /// Point with the least low in the subtree that is not the winner of an ancestor; absent if there
    /// is none.
    winner: Point,
    /// Child with smaller keys, and child with larger keys.
    children: [u32; 2],
}

impl Node {
    fn new(key: Point) -> Self {
        Self { own: Point { low: ABSENT, ..key }, winner: NOTHING, children: [NIL; 2] }
    }

    /// Returns the side of the child whose subtree contains `point`, which must not be this node's own.
    /// Compares values, not bits: both zeros are equal, and then the id decides.
    fn side(&self, point: &Point) -> usize {
        let key = &self.own;
        usize::from(key.high < point.high || (key.high == point.high && key.id < point.id))
    }
}

const NIL: u32 = 0;

impl Default for PriorityTrees {
    fn default() -> Self {
        Self { nodes: vec![Node::new(NOTHING)], free: NIL }
    }
}

impl PriorityTrees {
    /// Tree without intervals.
    pub(super) const EMPTY: u32 = NIL;

    /// Removes all trees, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.truncate(1);
        self.free = NIL;
    }

    /// Adds an interval with an id that is not in the tree.
    pub(super) fn insert(&mut self, root: &mut u32, interval: Interval, id: u32) {
        let point = Point { high: interval.high, low: interval.low, id };
        let new = self.allocate(point);
        let (mut parent, mut side) = (NIL, 0);
        let mut at = *root;
        while at != NIL && rank(self.nodes[at as usize].own.id) > rank(id) {
            (parent, side) = (at, self.nodes[at as usize].side(&point));
            at = self.nodes[at as usize].children[side];
        }
        self.raise(at, new);
        self.link(root, parent, side, new);
        self.push(*root, point);
    }

    /// Removes the interval that was inserted with the same bounds and id, if it is in the tree.
    pub(super) fn remove(&mut self, root: &mut u32, interval: Interval, id: u32) {
        let point = Point { high: interval.high, low: interval.low, id };
        let (mut parent, mut side) = (NIL, 0);
        let mut holder = NIL;
        let mut at = *root;
        while at != NIL {
            let node = &self.nodes[at as usize];
            if !node.winner.is_absent() && node.winner.id == id {
                holder = at;
            }
            if node.own.id == id {
                break;
            }
            (parent, side) = (at, node.side(&point));
            at = node.children[side];
        }
        if at == NIL {
            return;
        }
        if holder == NIL {
            self.nodes[at as usize].own.low = ABSENT;
        } else {
            self.refill(holder);
        }
        self.unlink(root, parent, side, at);
    }

    /// Reports the ids of the intervals that overlap `interval`, each once. Returns the number of nodes
    /// visited.
    pub(super) fn query(&self, root: u32, interval: Interval, report: &mut impl FnMut(u32)) -> usize {
        let mut visit_count = 1;
        let mut node = &self.nodes[root as usize];
        while node.winner.low <= interval.high {
            if node.winner.high >= interval.low {
                report(node.winner.id);
            }
            if node.own.high >= interval.low {
                if node.own.low <= interval.high {
                    report(node.own.id);
                }
                visit_count += self.query(node.children[0], interval, report);
            }
            node = &self.nodes[node.children[1] as usize];
            visit_count += 1;
        }
        visit_count
    }

    pub(super) fn byte_count(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }

    fn allocate(&mut self, key: Point) -> u32 {
        if self.free == NIL {
            self.nodes.push(Node::new(key));
            return self.nodes.len() as u32 - 1;
        }
        let new = self.free;
        self.free = self.nodes[new as usize].children[0];
        self.nodes[new as usize] = Node::new(key);
        new
    }

    /// Makes `child` the child of `parent`, or the root if `parent` is [`NIL`].
    fn link(&mut self, root: &mut u32, parent: u32, side: usize, child: u32) {
        if parent == NIL {
            *root = child;
        } else {
            self.nodes[parent as usize].children[side] = child;
        }
    }

    /// Makes `new` the root of the subtree `top`. `new` must have no points yet, and a higher rank than
    /// all nodes of the subtree. O(1) rotations expected.
    fn raise(&mut self, top: u32, new: u32) {
        if top == NIL {
            return;
        }
        let side = self.nodes[top as usize].side(&self.nodes[new as usize].own);
        self.raise(self.nodes[top as usize].children[side], new);
        self.nodes[top as usize].children[side] = new;
        self.rotate(top, side);
    }

    /// Removes the node `at`, whose own point is already removed. The node sinks until one child is
    /// missing and the other child can replace it. O(1) rotations expected.
    fn unlink(&mut self, root: &mut u32, mut parent: u32, mut side: usize, at: u32) {
        loop {
            let Node { winner, children, .. } = self.nodes[at as usize];
            if let Some(missing) = children.iter().position(|&child| child == NIL) {
                let heir = children[1 - missing];
                self.link(root, parent, side, heir);
                if !winner.is_absent() {
                    self.push(heir, winner);
                }
                self.nodes[at as usize].children[0] = self.free;
                self.free = at;
                return;
            }
            let [left, right] = children.map_each(|child| rank(self.nodes[child as usize].own.id));
            let risen = usize::from(right > left);
            self.rotate(at, risen);
            self.link(root, parent, side, children[risen]);
            (parent, side) = (children[risen], 1 - risen);
        }
    }

    /// Rotates the child on `side` above `top`. The winner of the whole subtree stays at the top; the
    /// other winner is reinserted. O(log m).
    fn rotate(&mut self, top: u32, side: usize) {
        let child = self.nodes[top as usize].children[side];
        self.nodes[top as usize].children[side] = self.nodes[child as usize].children[1 - side];
        self.nodes[child as usize].children[1 - side] = top;
        let winner = self.nodes[top as usize].winner;
        let loser = std::mem::replace(&mut self.nodes[child as usize].winner, winner);
        self.refill(top);
        if !loser.is_absent() {
            self.push(child, loser);
        }
    }

    /// Refills a node whose winner was removed with the lowest point below, then repeats this at the
    /// node that lost this point.
    fn refill(&mut self, mut at: u32) {
        loop {
            let Node { own, children, .. } = self.nodes[at as usize];
            let mut best = own;
            let mut source = NIL;
            for child in children {
                let winner = self.nodes[child as usize].winner;
                if !winner.is_absent() && (best.is_absent() || winner.low < best.low) {
                    (best, source) = (winner, child);
                }
            }
            self.nodes[at as usize].winner = best;
            if source == NIL {
                self.nodes[at as usize].own.low = ABSENT;
                return;
            }
            at = source;
        }
    }

    /// Inserts a point into the subtree of `at`, which contains its node. The point displaces the first
    /// winner that begins later; the displaced winner then moves on downward instead.
    fn push(&mut self, mut at: u32, mut point: Point) {
        loop {
            let node = &mut self.nodes[at as usize];
            if node.winner.is_absent() {
                node.winner = point;
                return;
            }
            if point.low < node.winner.low {
                std::mem::swap(&mut point, &mut node.winner);
            }
            if point.id == node.own.id {
                node.own.low = point.low;
                return;
            }
            at = node.children[node.side(&point)];
        }
    }
}

/// Returns the priority of an id in the treap. It is a bijection that scatters the ids, so no two
/// priorities are equal, and the depth is logarithmic for any order of insertion. (The finalizer of
/// MurmurHash3.)
fn rank(id: u32) -> u32 {
    let x = (id ^ id >> 16).wrapping_mul(0x85EB_CA6B);
    let x = (x ^ x >> 13).wrapping_mul(0xC2B2_AE35);
    x ^ x >> 16
}

#[cfg(test)]
mod tests;
