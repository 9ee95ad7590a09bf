//! Every link of one figure against every link of the other: the judge.

use crate::volume::Aabb;

pub(super) fn link_pairs(a: &[Aabb], b: &[Aabb], pairs: &mut Vec<(u32, u32)>) -> u64 {
    for (i, box_a) in a.iter().enumerate() {
        for (j, box_b) in b.iter().enumerate() {
            if box_a.overlaps(box_b) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    (a.len() * b.len()) as u64
}
