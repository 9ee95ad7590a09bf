//! Content of the buckets of hashed sections: a singly linked list (SWEEP1) or a priority search tree
//! (SWEEP2 and SWEEP4) per bucket. \[boxes\] §3.3
//!
//! All buckets share one arena, so that a rectangle costs no allocation. In a bucket of m rectangles,
//! search and removal take O(m) with a list. With a tree they take O(log m), and a search O(1) more per
//! overlap on the tree's axis.

use std::fmt::Debug;

use super::priority_tree::PriorityTrees;
use super::section::Rectangle;

/// Sets of rectangles, indexed from zero.
pub(in crate::broad) trait Buckets: Debug + Default + Send + Sync {
    /// Resets to `count` empty buckets. O(count).
    fn reset(&mut self, count: usize);

    /// Calls `meet` with each rectangle in the bucket that may overlap the given one.
    fn query(&self, bucket: usize, rectangle: &Rectangle, meet: &mut impl FnMut(u32));

    /// Adds a rectangle that is not yet in the bucket.
    fn insert(&mut self, bucket: usize, rectangle: &Rectangle, id: u32);

    /// Removes the rectangle that was inserted with the same bounds and id.
    fn remove(&mut self, bucket: usize, rectangle: &Rectangle, id: u32);

    fn byte_count(&self) -> usize;
}

/// A singly linked list per bucket, newest first.
#[derive(Debug, Default)]
pub(in crate::broad) struct Lists {
    /// First link of each bucket.
    heads: Vec<u32>,
    links: Vec<Link>,
    /// First link of the free list.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    id: u32,
    next: u32,
}

/// End of a list.
const END: u32 = u32::MAX;

impl Buckets for Lists {
    fn reset(&mut self, count: usize) {
        self.heads.clear();
        self.heads.resize(count, END);
        self.links.clear();
        self.free = END;
    }

    fn query(&self, bucket: usize, _: &Rectangle, meet: &mut impl FnMut(u32)) {
        let mut at = self.heads[bucket];
        while at != END {
            let link = self.links[at as usize];
            meet(link.id);
            at = link.next;
        }
    }

    fn insert(&mut self, bucket: usize, _: &Rectangle, id: u32) {
        let link = Link { id, next: self.heads[bucket] };
        if self.free == END {
            self.heads[bucket] = self.links.len() as u32;
            self.links.push(link);
        } else {
            self.heads[bucket] = self.free;
            let place = &mut self.links[self.free as usize];
            self.free = place.next;
            *place = link;
        }
    }

    fn remove(&mut self, bucket: usize, _: &Rectangle, id: u32) {
        let mut before = END;
        let mut at = self.heads[bucket];
        while at != END {
            let link = self.links[at as usize];
            if link.id == id {
                let referrer = if before == END {
                    &mut self.heads[bucket]
                } else {
                    &mut self.links[before as usize].next
                };
                *referrer = link.next;
                self.links[at as usize].next = self.free;
                self.free = at;
                return;
            }
            (before, at) = (at, link.next);
        }
    }

    fn byte_count(&self) -> usize {
        self.heads.capacity() * size_of::<u32>() + self.links.capacity() * size_of::<Link>()
    }
}

/// A priority search tree per bucket, over one side of the rectangles. `SIDE` is 0 for x, 1 for y.
#[derive(Debug, Default)]
pub(in crate::broad) struct Trees<const SIDE: usize> {
    roots: Vec<u32>,
    trees: PriorityTrees,
}

impl<const SIDE: usize> Buckets for Trees<SIDE> {
    fn reset(&mut self, count: usize) {
        self.roots.clear();
        self.roots.resize(count, PriorityTrees::EMPTY);
        self.trees.clear();
    }

    fn query(&self, bucket: usize, rectangle: &Rectangle, meet: &mut impl FnMut(u32)) {
        self.trees.query(self.roots[bucket], rectangle.sides[SIDE], meet);
    }

    fn insert(&mut self, bucket: usize, rectangle: &Rectangle, id: u32) {
        self.trees.insert(&mut self.roots[bucket], rectangle.sides[SIDE], id);
    }

    fn remove(&mut self, bucket: usize, rectangle: &Rectangle, id: u32) {
        self.trees.remove(&mut self.roots[bucket], rectangle.sides[SIDE], id);
    }

    fn byte_count(&self) -> usize {
        self.roots.capacity() * size_of::<u32>() + self.trees.byte_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lose_nothing_and_reuse_their_links() {
        let mut lists = Lists::default();
        lists.reset(2);
        for removed in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
            for id in 0..6 {
                lists.insert(id as usize % 2, &Rectangle::EMPTY, id);
            }
            assert_eq!(lists.links.len(), 6);
            let mut left = vec![4, 2, 0];
            for id in removed.map(|k| 2 * k) {
                let mut met = Vec::new();
                lists.query(0, &Rectangle::EMPTY, &mut |id| met.push(id));
                assert_eq!(met, left);
                lists.remove(0, &Rectangle::EMPTY, id);
                left.retain(|&other| other != id);
            }
            for id in [5, 1, 3] {
                lists.remove(1, &Rectangle::EMPTY, id);
            }
            assert_eq!(lists.heads, [END; 2]);
        }
    }
}
