//! Every box against every other: the judge. O(n²).

use super::{BroadPhase, Pair};
use crate::volume::Aabb;

#[derive(Debug, Default)]
pub struct BruteForce {
    boxes: Vec<Aabb>,
}

impl BroadPhase for BruteForce {
    fn update(&mut self, boxes: &[Aabb]) {
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
    }

    fn pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        pairs.clear();
        let mut test_count = 0;
        for (a, box_a) in self.boxes.iter().enumerate() {
            for (b, box_b) in self.boxes.iter().enumerate().skip(a + 1) {
                test_count += 1;
                if box_a.overlaps(box_b) {
                    pairs.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        test_count
    }
}
