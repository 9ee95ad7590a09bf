//! Several programs asked the same questions in turn: blocks of poses go through one after the other, so that
//! whatever else the machine does falls on all of them alike.

use std::time::{Duration, Instant};

use crate::pose::Pose;
use crate::tree::Counts;

/// A question about two surfaces at a pose of the second.
pub type Ask<'a> = Box<dyn FnMut(&Pose, &mut Counts) -> u64 + 'a>;

/// What is measured: answers with how many (pairs) it found.
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
    /// Of all answers in their order: equal for contenders that answer alike at every pose.
    pub fingerprint: u64,
    pub colliding: u64,
    /// Summed over the poses.
    pub found: u64,
    pub poses: u64,
}

/// Poses that one contender answers before the next has its turn.
const BLOCK: usize = 50;
/// Sweeps over all poses.
const SWEEPS: usize = 3;

/// Asks every contender about every pose, several times over; what is returned is the sweep of middle time.
pub fn measure(contenders: &mut [Contender], poses: &[Pose]) -> Vec<Measured> {
    let clock = clock_cost();
    let mut sweeps: Vec<Vec<Measured>> = vec![Vec::new(); contenders.len()];
    for _ in 0..SWEEPS {
        let mut sums: Vec<Sum> = contenders.iter().map(|_| Sum::default()).collect();
        for block in poses.chunks(BLOCK) {
            for (contender, sum) in contenders.iter_mut().zip(&mut sums) {
                for pose in block {
                    sum.ask(contender, pose, clock);
                }
            }
        }
        for ((sweeps, sum), contender) in sweeps.iter_mut().zip(&sums).zip(contenders.iter()) {
            sweeps.push(sum.measured(poses.len(), contender.counts));
        }
    }
    let middle = |mut sweeps: Vec<Measured>| {
        sweeps.sort_by(|a, b| a.time.mean.total_cmp(&b.time.mean));
        sweeps[SWEEPS / 2]
    };
    sweeps.into_iter().map(middle).collect()
}

#[derive(Default)]
struct Sum {
    time: Duration,
    longest: Duration,
    counts: Counts,
    most_node_tests: u64,
    most_triangle_tests: u64,
    colliding: u64,
    found: u64,
    fingerprint: u64,
}

impl Sum {
    fn ask(&mut self, contender: &mut Contender, pose: &Pose, clock: Duration) {
        let mut counts = Counts::default();
        let start = Instant::now();
        let found = (contender.ask)(pose, &mut counts);
        let took = start.elapsed().saturating_sub(clock);
        self.time += took;
        self.longest = self.longest.max(took);
        self.most_node_tests = self.most_node_tests.max(counts.node_test_count);
        self.most_triangle_tests = self.most_triangle_tests.max(counts.triangle_test_count);
        self.counts.add(&counts);
        self.colliding += u64::from(found > 0);
        self.found += found;
        // Multiplying by an odd number keeps every earlier answer apart.
        self.fingerprint = (self.fingerprint ^ found).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    fn measured(&self, pose_count: usize, counted: bool) -> Measured {
        let mean = |sum: u64| sum as f64 / pose_count.max(1) as f64;
        let spread = |sum: u64, max: u64| Spread { mean: mean(sum), max: max as f64 };
        let node_tests = self.counts.node_test_count;
        Measured {
            time: Spread {
                mean: 1e6 * self.time.as_secs_f64() / pose_count.max(1) as f64,
                max: 1e6 * self.longest.as_secs_f64(),
            },
            node_tests: spread(node_tests, self.most_node_tests),
            triangle_tests: spread(self.counts.triangle_test_count, self.most_triangle_tests),
            operations: self.counts.operations.total() as f64 / node_tests.max(1) as f64,
            counted,
            fingerprint: self.fingerprint,
            colliding: self.colliding,
            found: self.found,
            poses: pose_count as u64,
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
        let far = |pose: &Pose, counts: &mut Counts| {
            counts.node_test_count += pose.position.x as u64;
            u64::from(pose.position.x >= 90.0) * 2
        };
        let watch = |pose: &Pose, _: &mut Counts| {
            seen.push(pose.position.x as usize);
            0
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
}
