//! The query: opens pairs of nodes, the most likely intersection first, until the target is met, a
//! limit is reached or no pair is left. \[adb\] Figure 3
//!
//! A pair whose volumes are proven apart is dropped without asking the model. A query allocates nothing
//! once its scratch buffers are large enough. Pairs of equal score and level are opened in the order in
//! which they were found, so a repeated query has the same result.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use arrayvec::ArrayVec;

use super::counted::Counted;
use super::evidence::Evidence;
use super::features::FEATURE_COUNT;
use super::model::{Fate, Meeting, Model, Outcome};
use super::nodes::CellNodes;
use super::pair::{CountedA, CountedB, LikelyPair, NodePairs};
use super::target::{Limits, Target};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::tree::{Boxtree, Octree, VolumeTree};
use crate::volume::{Aabb, Dop};

/// Result of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub outcome: Outcome,
    /// Probability that the surfaces intersect, by the model used.
    pub probability: f64,
    /// Number of tested pairs of nodes that count as intersections: with a probability of at least
    /// `p_min`, or, with [`Weights`](super::Weights), of at least one half.
    pub found: u32,
    pub node_tests: u32,
    /// Whether the surfaces are proven apart; see [`Evidence::is_proof`].
    pub is_proof: bool,
    pub evidence: Evidence,
}

impl Estimate {
    /// Result of a query on trees of different kinds.
    pub(super) const UNKNOWN: Self = Self {
        outcome: Outcome::Interrupted,
        probability: 0.5,
        found: 0,
        node_tests: 0,
        is_proof: false,
        evidence: Evidence { rate_sum: 0.0, rate_max: 0.0, test_count: 0, meeting_count: 0, open_count: 0 },
    };

    /// Returns the answer as yes or no. For an interrupted query it is yes if the probability is at
    /// least one half.
    pub fn is_collision(&self) -> bool {
        match self.outcome {
            Outcome::Collision => true,
            Outcome::NoCollision => false,
            Outcome::Interrupted => self.probability >= 0.5,
        }
    }
}

/// Pair of nodes that are not apart, passed to the `watch` of [`estimate_by`](super::estimate_by).
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    pub nodes: [u32; 2],
    pub features: [f32; FEATURE_COUNT],
}

/// Query on two surfaces: the pose of b in the space of a, the margin (m), the target and the limits.
pub struct Job<'a> {
    pub b_to_a: &'a Pose,
    pub margin: f64,
    pub target: &'a Target,
    pub limits: &'a Limits,
}

/// Pool of open pairs. The queue refers to them by slot.
pub(super) struct Pairs<T: CellNodes> {
    slots: Vec<(CountedA<T>, CountedB<T>)>,
    free: Vec<u32>,
}

impl<T: CellNodes> Default for Pairs<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T: CellNodes> Pairs<T> {
    fn add(&mut self, pair: (CountedA<T>, CountedB<T>)) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = pair;
                slot
            }
            None => {
                self.slots.push(pair);
                self.slots.len() as u32 - 1
            }
        }
    }
}

/// Buffers of a query, reused so that they grow only once.
#[derive(Default)]
pub struct AdbScratch {
    pub(super) heap: Queue,
    pub(super) likely: Vec<LikelyPair>,
    pub(super) aabb: Pairs<VolumeTree<Aabb>>,
    pub(super) octree: Pairs<Octree>,
    pub(super) boxtree: Pairs<Boxtree>,
    pub(super) dop24: Pairs<VolumeTree<Dop<24>>>,
}

impl AdbScratch {
    /// Returns the pairs that were still open when the last query ended, the most likely first, at most
    /// [`Limits::likely_pairs`].
    pub fn likely(&self) -> &[LikelyPair] {
        &self.likely
    }
}

pub(super) type Queue = BinaryHeap<Open>;

/// Open pair of nodes in the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Score of the pair; a larger score is a larger probability.
    score: f32,
    level: u16,
    order: u32,
    slot: u32,
}

impl Ord for Open {
    /// Orders by score, then by deeper level, then by earlier discovery.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_level = self.level.cmp(&other.level);
        self.score.total_cmp(&other.score).then(by_level).then(other.order.cmp(&self.order))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// Reciprocal of the share by which the number of tests must grow before the query checks its target
/// again: a quarter.
const PATIENCE: u32 = 4;

/// State of a running query.
struct Traversal<'a, T: CellNodes, M, W> {
    two: NodePairs<'a, T>,
    model: &'a M,
    target: &'a Target,
    heap: &'a mut Queue,
    pairs: &'a mut Pairs<T>,
    watch: &'a mut W,
    /// Sum of the rates of pairs that will not be opened, such as pairs of leaves.
    ended_rate_sum: f64,
    ended_rate_max: f64,
    test_count: u32,
    meeting_count: u32,
    opened_count: u32,
    found: u32,
    order: u32,
}

impl<T: CellNodes, M: Model, W: FnMut(&Tested)> Traversal<'_, T, M, W> {
    /// Tests two nodes. If they are not apart, queues, ends or drops the pair, as the model decides.
    fn test(&mut self, a: &CountedA<T>, b: &CountedB<T>) {
        self.test_count += 1;
        let Some(way) = self.two.way(a, b) else { return };
        self.meeting_count += 1;
        let features = self.two.features(a, b, way[0]);
        let score = self.model.score(&Meeting { two: &self.two, a, b, way, features: &features });
        let nodes = [T::index(&a.node), T::index(&b.node)].map_each(|n| n as u32);
        (self.watch)(&Tested { nodes, features });
        let counts = self.model.counts(score, self.target);
        self.found += u32::from(counts);
        match self.model.fate(score, counts) {
            Fate::End => self.end(score),
            // The pair of roots is always opened.
            Fate::Drop if self.order > 0 => {}
            _ if a.seen.is_leaf && b.seen.is_leaf && self.order > 0 => self.end(score),
            _ => {
                let slot = self.pairs.add((*a, *b));
                self.heap.push(Open { score, level: a.level + b.level, order: self.order, slot });
                self.order += 1;
            }
        }
    }

    /// Adds the rate of a pair that will not be opened.
    fn end(&mut self, score: f32) {
        let rate = self.model.rate(score);
        self.ended_rate_sum += rate;
        self.ended_rate_max = self.ended_rate_max.max(rate);
    }

    /// Tests all pairs of children of the two nodes. A leaf takes the place of its own children; two
    /// leaves end the pair.
    fn open(&mut self, pair: &Open) {
        let (a, b) = self.pairs.slots[pair.slot as usize];
        self.pairs.free.push(pair.slot);
        self.opened_count += 1;
        if a.seen.is_leaf && b.seen.is_leaf {
            return self.end(pair.score);
        }
        let (mut next_a, mut next_b) = (ArrayVec::<_, 8>::new(), ArrayVec::<_, 8>::new());
        if a.seen.is_leaf {
            next_a.push(a);
        } else {
            let two = &self.two;
            next_a.extend(two.a.tree.children(&a.node).into_iter().map(|n| two.place_a(n, a.level + 1)));
        }
        if b.seen.is_leaf {
            next_b.push(b);
        } else {
            let two = &self.two;
            next_b.extend(two.b.tree.children(&b.node).into_iter().map(|n| two.place_b(n, b.level + 1)));
        }
        for a in &next_a {
            for b in &next_b {
                self.test(a, b);
            }
        }
    }

    fn evidence(&self) -> Evidence {
        let (mut rate_sum, mut rate_max) = (self.ended_rate_sum, self.ended_rate_max);
        for pair in self.heap.iter() {
            let rate = self.model.rate(pair.score);
            rate_sum += rate;
            rate_max = rate_max.max(rate);
        }
        let (test_count, meeting_count) = (self.test_count, self.meeting_count);
        Evidence { rate_sum, rate_max, test_count, meeting_count, open_count: self.heap.len() as u32 }
    }

    fn run(&mut self, limit: u32) -> Outcome {
        let mut next_check = 0;
        while let Some(pair) = self.heap.pop() {
            if self.test_count >= limit {
                self.heap.push(pair);
                return Outcome::Interrupted;
            }
            self.open(&pair);
            let too_soon = self.opened_count < self.target.k_min() || self.test_count < next_check;
            if M::ASKS_ALWAYS || !too_soon {
                next_check = self.test_count + self.test_count / PATIENCE;
                if let Some(outcome) = self.model.decides(self.target, self.found, || self.evidence()) {
                    return outcome;
                }
            }
        }
        self.model.ends(&self.evidence())
    }
}

/// Runs a query on two hierarchies of the same kind.
pub(super) fn query<T: CellNodes>(
    model: &impl Model,
    trees: [&Counted<T>; 2],
    job: &Job,
    heap: &mut Queue,
    pairs: &mut Pairs<T>,
    likely: &mut Vec<LikelyPair>,
    watch: &mut impl FnMut(&Tested),
) -> Estimate {
    heap.clear();
    pairs.slots.clear();
    pairs.free.clear();
    likely.clear();
    let two = NodePairs::new(trees, job.b_to_a, job.margin);
    let (a, b) = (two.place_a(two.a.tree.root(), 0), two.place_b(two.b.tree.root(), 0));
    let mut run = Traversal {
        two,
        model,
        target: job.target,
        heap,
        pairs,
        watch,
        ended_rate_sum: 0.0,
        ended_rate_max: 0.0,
        test_count: 0,
        meeting_count: 0,
        opened_count: 0,
        found: 0,
        order: 0,
    };
    run.test(&a, &b);
    let outcome = run.run(job.limits.node_tests);
    let evidence = run.evidence();
    let probability = model.whole(&evidence);
    let Traversal { two, heap, pairs, test_count, found, .. } = run;
    for _ in 0..job.limits.likely_pairs {
        let Some(pair) = heap.pop() else { break };
        likely.push(two.likely(&pairs.slots[pair.slot as usize], model.probability(pair.score)));
    }
    Estimate { outcome, probability, found, node_tests: test_count, is_proof: evidence.is_proof(), evidence }
}
