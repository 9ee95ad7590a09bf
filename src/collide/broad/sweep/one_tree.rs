//! All rectangles in the plane in one tree (SWEEP3). \[boxes\] §3.3

use super::priority_tree::PriorityTrees;
use super::section::{Rectangle, Section};

/// Priority search tree in x. The overlap in y is tested for each hit. Operations take O(log m) for m
/// rectangles in the plane, and a query takes O(1) more per overlap in x.
#[derive(Debug, Default)]
pub(in crate::broad) struct OneTree {
    trees: PriorityTrees,
    root: u32,
}

impl Section for OneTree {
    fn reset(&mut self, _: &[Rectangle]) {
        self.trees.clear();
        self.root = PriorityTrees::EMPTY;
    }

    fn enter(&mut self, id: u32, rectangles: &[Rectangle], report: &mut impl FnMut(u32)) -> u64 {
        let [x, y] = rectangles[id as usize].sides;
        let mut test_count = 0;
        self.trees.query(self.root, x, &mut |other| {
            test_count += 1;
            if rectangles[other as usize].sides[1].overlaps(&y) {
                report(other);
            }
        });
        self.trees.insert(&mut self.root, x, id);
        test_count
    }

    fn leave(&mut self, id: u32, rectangles: &[Rectangle]) {
        self.trees.remove(&mut self.root, rectangles[id as usize].sides[0], id);
    }

    fn byte_count(&self) -> usize {
        self.trees.byte_count()
    }
}
