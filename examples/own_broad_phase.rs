//! A custom broad phase, compared with the default one on the same boxes: it sorts all boxes along x
//! and compares those whose intervals overlap.
//!
//! `cargo run --release --example own_broad_phase`

use std::time::Instant;

use glam::Vec3;
use tumble::broad::{BroadPhase, BroadPhaseKind, Method, Pair, Upkeep};
use tumble::random::Random;
use tumble::volume::Aabb;

#[derive(Debug, Default)]
struct SortAndSweep {
    /// Boxes with their indices, sorted by their lower ends along x.
    sorted: Vec<(Aabb, u32)>,
}

impl Method for SortAndSweep {
    fn update(&mut self, boxes: &[Aabb], _complete: bool) -> Upkeep {
        self.sorted.clear();
        self.sorted.extend(boxes.iter().copied().zip(0..).filter(|(own, _)| !own.is_empty()));
        self.sorted.sort_by(|a, b| a.0.min.x.total_cmp(&b.0.min.x));
        Upkeep::Made
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let mut test_count = 0;
        for (at, (own, index)) in self.sorted.iter().enumerate() {
            for (other, other_index) in self.sorted[at + 1..].iter().take_while(|o| o.0.min.x <= own.max.x) {
                test_count += 1;
                if own.overlaps(other) {
                    pairs.push(Pair::new(*index, *other_index));
                }
            }
        }
        test_count
    }

    fn byte_count(&self) -> usize {
        self.sorted.capacity() * size_of::<(Aabb, u32)>()
    }
}

fn main() {
    let mut random = Random::new(1, 0);
    let mut place = || random.uniform() as f32;
    let boxes: Vec<Aabb> = (0..20_000)
        .map(|_| Vec3::new(place(), place(), place()))
        .map(|min| Aabb::new(min, min + Vec3::splat(0.02)))
        .collect();

    let default = BroadPhase::new(BroadPhaseKind::default(), 1);
    let own = BroadPhase::with(Box::new(SortAndSweep::default()), 1);
    let mut found = Vec::new();
    for (name, mut phase) in [("default", default), ("own", own)] {
        let (mut pairs, start) = (Vec::new(), Instant::now());
        phase.update(&boxes);
        let test_count = phase.pairs(&mut pairs);
        println!("{name}: {} pairs, {test_count} tests, {:?}", pairs.len(), start.elapsed());
        found.push(pairs);
    }
    assert_eq!(found[0], found[1], "both find the same pairs");
}
