//! The paper's `computeProb`: the probability that the surfaces in two nodes intersect, from the volume
//! that their boxes share and from their numbers of possible collision cells. \[adb\] §3.4–3.6

use glam::{Mat3A, Vec3A};

use super::filled_bins::{expected, probability};
use super::finer::{self, refined};
use super::shared_volume::{BoxPair, VolumeEstimator};
use crate::arrays::{MapEach, from_each};
use crate::estimate::{
    CellCounts, CellNodes, Evidence, Fate, Meeting, Model, Outcome, SECTOR_CELLS, Seen, Target,
};

/// Choices that the paper leaves open or offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    pub estimator: VolumeEstimator,
    pub regions: Regions,
    pub combination: Combination,
    /// Whether a pair that counts is not opened further, so that the `k_min` pairs lie in different
    /// places. The paper opens it and counts its descendants as well.
    pub distinct: bool,
}

impl Default for Paper {
    fn default() -> Self {
        Self {
            estimator: VolumeEstimator::Corners,
            regions: Regions::None,
            combination: Combination::Maximum,
            distinct: false,
        }
    }
}

/// Regions of a node in which its possible collision cells are counted separately. §3.4.3
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    /// One region: the whole box.
    None,
    /// Eight regions: the octants of the box.
    Grid,
    /// Six regions: the pyramids from the center to each face.
    Pyramids,
}

/// Method that combines the shared cells into the probability of a collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// Equation 8: the largest lower bound over x = 1 to 10.
    Maximum,
    /// Independent collisions in all shared cells. The result is never below `Maximum`.
    Expectation,
}

impl Model for Paper {
    const ASKS_ALWAYS: bool = true;

    fn score<T: CellNodes>(&self, meeting: &Meeting<T>) -> f32 {
        let Some(SharedCells { all, filled: [v, w], bound }) = self.shared_cells(meeting) else { return 0.0 };
        let p = match self.combination {
            Combination::Maximum => probability(all, v, w, bound),
            Combination::Expectation => expected(all, v, w, bound),
        };
        p as f32
    }

    fn counts(&self, score: f32, target: &Target) -> bool {
        score >= target.p_min() as f32
    }

    fn fate(&self, score: f32, counts: bool) -> Fate {
        if counts && self.distinct {
            Fate::End
        } else if score <= 0.0 {
            Fate::Drop
        } else {
            Fate::Wait
        }
    }

    fn rate(&self, score: f32) -> f64 {
        -libm::log1p(-f64::from(score).min(1.0 - 1e-9))
    }

    fn probability(&self, score: f32) -> f32 {
        score
    }

    fn whole(&self, evidence: &Evidence) -> f64 {
        -libm::expm1(-evidence.rate_sum)
    }

    fn decides(&self, target: &Target, found: u32, _: impl FnOnce() -> Evidence) -> Option<Outcome> {
        (found >= target.k_min()).then_some(Outcome::Collision)
    }

    fn ends(&self, _: &Evidence) -> Outcome {
        Outcome::NoCollision
    }
}

/// Cells of two nodes in the overlap of their boxes. §3.4
#[derive(Clone, Copy, Debug)]
pub struct SharedCells {
    /// Number of cells in the overlap (s in the paper).
    pub all: u32,
    /// Numbers of possible collision cells in the overlap: of the smaller node, and of the larger node.
    pub filled: [u32; 2],
    /// Probability that the surfaces intersect in a cell that both fill (LB in the paper). §3.5.3
    pub bound: f64,
}

impl Paper {
    /// Returns the shared cells, or `None` if the boxes are disjoint.
    pub fn shared_cells<T: CellNodes>(&self, meeting: &Meeting<T>) -> Option<SharedCells> {
        let &Meeting { two, a, b, way: apart, .. } = meeting;
        let frames = &two.frames;
        let half = [a.seen.half, b.seen.half];
        let reach = [frames.absolute_inverse * half[0], frames.absolute * half[1]];
        let regions = [(two.a, T::index(&a.node)), (two.b, T::index(&b.node))];
        let nodes = TwoNodes {
            cell_count: two.a.cells.cell_count(),
            seen: [&a.seen, &b.seen],
            regions: regions.map_each(|(counted, node)| counted.regions.get(node)),
            boxes: BoxPair { half, reach, apart },
            rotation: &frames.rotation,
        };
        let (all, filled) = nodes.shared(self, |larger| match larger {
            0 => finer::of_a(two, a, b, self.estimator),
            _ => finer::of_b(two, a, b, self.estimator),
        })?;
        Some(SharedCells { all, filled, bound: f64::from(two.depth(a, b)) })
    }
}

/// Two nodes that are compared.
struct TwoNodes<'a> {
    /// Number of cells per box.
    cell_count: u16,
    seen: [&'a Seen; 2],
    regions: [Option<&'a CellCounts>; 2],
    boxes: BoxPair,
    /// Rotation of vectors from b's frame to a's.
    rotation: &'a Mat3A,
}

impl TwoNodes<'_> {
    /// Returns the number of cells in the overlap of the boxes, and the numbers of possible collision
    /// cells there of the smaller and of the larger node. Returns `None` if the boxes share no volume.
    /// `finer` is called if descendants of the larger node are worth a search. Its argument is the
    /// larger node (0 for a, 1 for b), and it returns that node's cells within the smaller node, in
    /// units of the smaller node's cells. §3.4.2
    fn shared(&self, paper: &Paper, finer: impl FnOnce(usize) -> Option<f32>) -> Option<(u32, [u32; 2])> {
        let most = f32::from(self.cell_count);
        let [a, b] = self.seen;
        let small = usize::from(b.volume < a.volume);
        let (own, other) = (self.seen[small], self.seen[1 - small]);
        let share = paper.estimator.volume(&self.boxes, self.rotation) / own.volume;
        if share <= 0.0 {
            return None;
        }
        let bins = count(share * most, u32::from(self.cell_count)).max(1);
        let own_cells = share * self.density(small, paper.regions) * most;
        let ratio = other.volume / own.volume;
        let other_cells = finer(1 - small).unwrap_or_else(|| {
            share * self.density(1 - small, paper.regions) * most * refined(ratio) / ratio
        });
        Some((bins, [own_cells, other_cells].map_each(|cells| count(cells, bins))))
    }

    /// Returns the share of possible collision cells among a node's cells in the part of its box that
    /// the other node reaches.
    fn density(&self, own: usize, regions: Regions) -> f32 {
        let whole = f32::from(self.seen[own].cell_count) / f32::from(self.cell_count);
        let Some(counts) = self.regions[own] else { return whole };
        let (low, high) = self.reached(own);
        let mean = |shares: &[f32], filled: &[f32]| {
            let all: f32 = shares.iter().sum();
            let filled: f32 = shares.iter().zip(filled).map(|(share, filled)| share * filled).sum();
            if all > 0.0 { filled / all } else { whole }
        };
        match regions {
            Regions::None => whole,
            Regions::Grid => {
                let halves = [
                    low.min(Vec3A::ZERO).abs() - high.min(Vec3A::ZERO).abs(),
                    high.max(Vec3A::ZERO) - low.max(Vec3A::ZERO),
                ];
                let shares = [0, 1, 2, 3, 4, 5, 6, 7]
                    .map_each(|k: usize| halves[k & 1].x * halves[k >> 1 & 1].y * halves[k >> 2].z);
                mean(&shares, &counts.blocks.map_each(|cells| f32::from(cells) / 64.0))
            }
            Regions::Pyramids => {
                let shares: [f32; 6] = from_each(|sector| pyramid(sector, low, high));
                let filled: [f32; 6] =
                    from_each(|k| f32::from(counts.sectors[k]) / f32::from(SECTOR_CELLS[k]));
                mean(&shares, &filled)
            }
        }
    }

    /// Returns the part of a node's box, from −1 to 1 along its axes, that lies in the box around the
    /// other node.
    fn reached(&self, own: usize) -> (Vec3A, Vec3A) {
        let (half, reach) = (self.boxes.half[own], self.boxes.reach[1 - own]);
        let at = if own == 0 { self.boxes.apart[0] } else { -self.boxes.apart[1] };
        let [low, high] =
            [at - reach, at + reach].map_each(|end| (end / half).clamp(Vec3A::NEG_ONE, Vec3A::ONE));
        (low, high)
    }
}

/// Rounds a number of cells to the nearest integer, but any positive number at least to 1. A pair with
/// 0 cells would never be opened.
fn count(cells: f32, most: u32) -> u32 {
    if cells > 0.0 { (cells.round() as u32).clamp(1, most) } else { 0 }
}

/// Returns the volume that a part of a box (−1 to 1, volume 8) shares with the pyramid from the box's
/// center to one face (−x, +x, −y, …). It is integrated by Simpson's rule along the pyramid's axis.
/// Cross sections are piecewise quadratic; pieces end where the pyramid crosses a bound of the part.
fn pyramid(sector: usize, low: Vec3A, high: Vec3A) -> f32 {
    const STEPS: usize = 8;
    let axis = sector / 2;
    let (near, far) =
        if sector.is_multiple_of(2) { (-high[axis], -low[axis]) } else { (low[axis], high[axis]) };
    let near = near.max(0.0);
    let step = (far - near) / STEPS as f32;
    if step <= 0.0 {
        return 0.0;
    }
    let width = |other: usize, at: f32| (high[other].min(at) - low[other].max(-at)).max(0.0);
    let area = |at: f32| width((axis + 1) % 3, at) * width((axis + 2) % 3, at);
    let weight = |k: usize| if k == 0 || k == STEPS { 1.0 } else { [2.0, 4.0][k % 2] };
    (0..=STEPS).map(|k| weight(k) * area(near + step * k as f32)).sum::<f32>() * step / 3.0
}
