//! Measurement of several contenders that take turns on the same queries at many poses.

use std::time::{Duration, Instant};

use super::fingerprint;
use super::turns::{REPEATS, Times, turns};
use crate::order::Order;
use crate::pose::Pose;
use crate::tree::Counts;

/// Query over two surfaces, at a pose of the second in the first's space. Returns whether they
/// intersect, or appends all intersecting pairs of triangles to a list, which is empty before the call.
pub type Ask<'a> = Box<dyn FnMut(&Pose, &mut Counts, &mut Vec<[u32; 2]>) -> bool + 'a>;

/// Method that is measured.
pub struct Contender<'a> {
    pub name: String,
    /// Whether `ask` adds its work to the counts.
    pub counts: bool,
    pub ask: Ask<'a>,
}

/// Mean and maximum over poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    pub mean: f64,
    pub max: f64,
}

/// Measurements of one contender over a sequence of poses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Time per query, µs.
    pub time: Spread,
    /// Times of all queries together.
    pub times: Times,
    pub node_tests: Spread,
    pub triangle_tests: Spread,
    /// Floating-point operations per tested pair of nodes.
    pub operations: f64,
    /// Whether the contender counts its tests and operations.
    pub counted: bool,
    /// Fingerprint of all answers in their order. It is equal for contenders that find the same sets of
    /// pairs at every pose.
    pub fingerprint: u64,
    pub colliding: u64,
    /// Number of intersecting pairs of triangles over all poses; 0 for queries that only test whether
    /// any pair intersects.
    pub found: u64,
    pub poses: u64,
}

/// Number of poses that a contender answers before the next contender takes its turn.
const BLOCK: usize = 50;
/// Runs every contender at every pose, `REPEATS` times. The maximum time over poses uses the median
/// time of each pose, so that a single interruption does not count.
pub fn measure(contenders: &mut [Contender], poses: &[Pose]) -> Vec<Measured> {
    let clock = clock_cost();
    let blocks: Vec<&[Pose]> = poses.chunks(BLOCK).collect();
    let mut runs: Vec<ContenderTimes> = contenders.iter().map(|_| ContenderTimes::new(poses.len())).collect();
    let mut pairs = Vec::new();
    for turn in turns(REPEATS, blocks.len(), contenders.len()) {
        let run = &mut runs[turn.contender];
        if turn.block == 0 {
            run.repeats.push(Sum::default());
        }
        let sum = &mut run.repeats[turn.repeat];
        let mut took = Duration::ZERO;
        for (pose, at_pose) in blocks[turn.block].iter().zip(&mut run.at_poses[turn.block * BLOCK..]) {
            let own = sum.ask(&mut contenders[turn.contender], pose, &mut pairs).saturating_sub(clock);
            at_pose[turn.repeat] = own;
            took += own;
        }
        run.times.add(turn.block, took);
    }
    runs.into_iter().zip(contenders).map(|(run, contender)| run.measured(contender.counts)).collect()
}

/// Raw measurements of one contender.
struct ContenderTimes {
    times: Times,
    at_poses: Vec<[Duration; REPEATS]>,
    /// Sum of each repeat.
    repeats: Vec<Sum>,
}

impl ContenderTimes {
    fn new(pose_count: usize) -> Self {
        Self {
            times: Times::default(),
            at_poses: vec![[Duration::ZERO; REPEATS]; pose_count],
            repeats: Vec::new(),
        }
    }

    /// Returns the summary of the run. Counts are those of the first repeat, in which a coherent
    /// contender has no previous answer yet.
    fn measured(mut self, counted: bool) -> Measured {
        let longest = longest(&mut self.at_poses);
        let all_alike = self.repeats.windows(2).all(|two| two[0].fingerprint == two[1].fingerprint);
        let first = self.repeats.into_iter().next().unwrap_or_default();
        let pose_count = self.at_poses.len();
        let mean = |sum: f64| sum / pose_count.max(1) as f64;
        let spread = |sum: u64, max: u64| Spread { mean: mean(sum as f64), max: max as f64 };
        let node_tests = first.counts.node_test_count;
        Measured {
            time: Spread { mean: 1e6 * mean(self.times.median()), max: 1e6 * longest.as_secs_f64() },
            times: self.times,
            node_tests: spread(node_tests, first.most_node_tests),
            triangle_tests: spread(first.counts.triangle_test_count, first.most_triangle_tests),
            operations: first.counts.operations.total() as f64 / node_tests.max(1) as f64,
            counted,
            // If the repeats of a contender differ, its fingerprint is made different from that of
            // every other contender.
            fingerprint: if all_alike { first.fingerprint } else { !first.fingerprint },
            colliding: first.colliding,
            found: first.found,
            poses: pose_count as u64,
        }
    }
}

/// Returns the largest of the poses' median times.
fn longest(at_poses: &mut [[Duration; REPEATS]]) -> Duration {
    let middle = at_poses.iter_mut().map(|repeats| {
        repeats.order();
        repeats[REPEATS / 2]
    });
    middle.max().unwrap_or_default()
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
    /// Runs a contender at a pose. Adds its results to the sum, and returns its time.
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
}

/// Returns the median time that two readings of the clock take.
pub fn clock_cost() -> Duration {
    let mut costs = [Duration::ZERO; 101];
    for cost in &mut costs {
        *cost = Instant::now().elapsed();
    }
    costs.order();
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
        assert_eq!(seen, (0..120).cycle().take(120 * REPEATS).collect::<Vec<_>>());
        assert_eq!(results[0].times.repeats().len(), REPEATS);
        assert!(results[0].time.max > 0.0);
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
