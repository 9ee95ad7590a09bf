//! Brute force: tests every box against every other. It is the reference for the other kinds. O(n²).

use super::method::{Method, Pair, Upkeep};
use crate::volume::Aabb;

#[derive(Debug, Default)]
pub(super) struct BruteForce {
    boxes: Vec<Aabb>,
}

impl Method for BruteForce {
    fn update(&mut self, boxes: &[Aabb], _: bool) -> Upkeep {
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        Upkeep::Made
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let mut test_count = 0;
        for (a, box_a) in self.boxes.iter().enumerate() {
            for (b, box_b) in self.boxes.iter().enumerate().skip(a + 1) {
                test_count += 1;
                if box_a.overlaps(box_b) && !box_a.is_empty() && !box_b.is_empty() {
                    pairs.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        test_count
    }

    fn byte_count(&self) -> usize {
        self.boxes.capacity() * size_of::<Aabb>()
    }
}
