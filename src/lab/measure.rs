//! Several programs asked the same questions in turn: blocks of poses go through one after the other, so that
//! whatever else the machine does falls on all of them alike.

use std::time::{Duration, Instant};

use super::fingerprint;
use crate::pose::Pose;
use crate::tree::Counts;

/// A question about two surfaces at a pose of the second: whether they intersect, or, appended to what is empty
/// before, which of their triangles do.
pub type Ask<'a> = Box<dyn FnMut(&Pose, &mut Counts, &mut Vec<[u32; 2]>) -> bool + 'a>;

/// What is measured.
pub struct Contender<'a> {
    pub name: String,
    /// Whether it adds to the counts what it did.
    pub counts: bool,
    pub ask: Ask<'a>,
}

/// A mean and a maximum over poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    pub mean: f64,
    pub max: f64,
}

/// What one contender did over a row of poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// µs a query.
    pub time: Spread,
    pub node_tests: Spread,
    pub triangle_tests: Spread,
    /// Floating-point operations a pair of nodes.
    pub operations: f64,
    /// Whether the tests and operations above were counted.
    pub counted: bool,
    /// Of all answers in their order: equal for contenders that find the same sets of pairs at every pose.
    pub fingerprint: u64,
    pub colliding: u64,
    /// Pairs of triangles, summed over the poses; none where only whether any intersect was asked.
    pub found: u64,
    pub poses: u64,
}

/// Poses that one contender answers before the next has its turn.
const BLOCK: usize = 50;
/// Sweeps over all poses.
const SWEEPS: usize = 3;

/// Asks every contender about every pose, several times over; of the times at a pose the middle one counts, so
/// that being interrupted does not.
pub fn measure(contenders: &mut [Contender], poses: &[Pose]) -> Vec<Measured> {
    let clock = clock_cost();
    let mut times: Vec<Vec<[Duration; SWEEPS]>> =
        contenders.iter().map(|_| vec![[Duration::ZERO; SWEEPS]; poses.len()]).collect();
    let mut sums: Vec<Sum> = Vec::new();
    let mut pairs = Vec::new();
    for sweep in 0..SWEEPS {
        sums = contenders.iter().map(|_| Sum::default()).collect();
        for (block, poses) in poses.chunks(BLOCK).enumerate() {
            for ((contender, sum), times) in contenders.iter_mut().zip(&mut sums).zip(&mut times) {
                for (pose, times) in poses.iter().zip(&mut times[block * BLOCK..]) {
                    times[sweep] = sum.ask(contender, pose, &mut pairs).saturating_sub(clock);
                }
            }
        }
    }
    let each = sums.iter().zip(&mut times).zip(contenders.iter());
    each.map(|((sum, times), contender)| sum.measured(times, contender.counts)).collect()
}

#[derive(Default)]
struct Sum {
    counts: Counts,
    most_node_tests: u64,
    most_triangle_tests: u64,
    colliding: u64,
    found: u64,
    fingerprint: u64,
}

impl Sum {
    fn ask(&mut self, contender: &mut Contender, pose: &Pose, pairs: &mut Vec<[u32; 2]>) -> Duration {
        let mut counts = Counts::default();
        pairs.clear();
        let start = Instant::now();
        let is_colliding = (contender.ask)(pose, &mut counts, pairs);
        let took = start.elapsed();
        self.most_node_tests = self.most_node_tests.max(counts.node_test_count);
        self.most_triangle_tests = self.most_triangle_tests.max(counts.triangle_test_count);
        self.counts.add(&counts);
        self.colliding += u64::from(is_colliding);
        self.found += pairs.len() as u64;
        self.fingerprint = fingerprint::after(self.fingerprint, u64::from(is_colliding));
        self.fingerprint = fingerprint::after(self.fingerprint, fingerprint::of_set(pairs.iter().copied()));
        took
    }

    fn measured(&self, times: &mut [[Duration; SWEEPS]], counted: bool) -> Measured {
        let mean = |sum: u64| sum as f64 / times.len().max(1) as f64;
        let spread = |sum: u64, max: u64| Spread { mean: mean(sum), max: max as f64 };
        let node_tests = self.counts.node_test_count;
        let (node_tests_spread, triangle_tests) = (
            spread(node_tests, self.most_node_tests),
            spread(self.counts.triangle_test_count, self.most_triangle_tests),
        );
        let poses = times.len() as u64;
        let middle = times.iter_mut().map(|times| {
            times.sort_unstable();
            times[SWEEPS / 2]
        });
        let (sum, longest) =
            middle.fold((Duration::ZERO, Duration::ZERO), |(sum, longest), t| (sum + t, longest.max(t)));
        Measured {
            time: Spread {
                mean: 1e6 * sum.as_secs_f64() / poses.max(1) as f64,
                max: 1e6 * longest.as_secs_f64(),
            },
            node_tests: node_tests_spread,
            triangle_tests,
            operations: self.counts.operations.total() as f64 / node_tests.max(1) as f64,
            counted,
            fingerprint: self.fingerprint,
            colliding: self.colliding,
            found: self.found,
            poses,
        }
    }
}

/// What reading the clock twice takes.
pub fn clock_cost() -> Duration {
    let mut costs = [Duration::ZERO; 101];
    for cost in &mut costs {
        *cost = Instant::now().elapsed();
    }
    costs.sort_unstable();
    costs[costs.len() / 2]
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn every_contender_answers_every_pose_in_order() {
        let poses: Vec<Pose> = (0..120).map(|i| Pose::from_position(f64::from(i) * DVec3::X)).collect();
        let mut seen = Vec::new();
        let far = |pose: &Pose, counts: &mut Counts, pairs: &mut Vec<[u32; 2]>| {
            assert!(pairs.is_empty());
            counts.node_test_count += pose.position.x as u64;
            let is_far = pose.position.x >= 90.0;
            pairs.extend([[1, 2], [3, 4]].into_iter().filter(|_| is_far));
            is_far
        };
        let watch = |pose: &Pose, _: &mut Counts, _: &mut Vec<[u32; 2]>| {
            seen.push(pose.position.x as usize);
            false
        };
        let mut contenders = [
            Contender { name: "far".to_owned(), counts: true, ask: Box::new(far) },
            Contender { name: "none".to_owned(), counts: false, ask: Box::new(watch) },
        ];
        let results = measure(&mut contenders, &poses);
        drop(contenders);
        assert_eq!((results[0].colliding, results[0].found, results[1].colliding), (30, 60, 0));
        assert_eq!(results[0].node_tests, Spread { mean: 59.5, max: 119.0 });
        assert!(results[0].fingerprint != results[1].fingerprint && results[0].counted);
        assert_eq!(seen, (0..120).cycle().take(360).collect::<Vec<_>>());
        assert!(results[0].time.max >= results[0].time.mean);
    }

    #[test]
    fn as_many_other_pairs_are_another_answer_and_another_order_is_none() {
        let poses = [Pose::IDENTITY; 3];
        let fixed = |set: [[u32; 2]; 2]| {
            let ask = move |_: &Pose, _: &mut Counts, pairs: &mut Vec<[u32; 2]>| {
                pairs.extend(set);
                true
            };
            Contender { name: String::new(), counts: false, ask: Box::new(ask) }
        };
        let mut contenders = [[[0, 1], [2, 3]], [[2, 3], [0, 1]], [[0, 3], [2, 1]]].map(fixed);
        let found = measure(&mut contenders, &poses);
        assert_eq!(found[0].fingerprint, found[1].fingerprint);
        assert_eq!(found[0].found, found[2].found);
        assert_ne!(found[0].fingerprint, found[2].fingerprint);
    }
}
