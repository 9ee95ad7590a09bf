//! Rooms in which as many instances intersect as in the paper. The paper's volumes and shapes are not
//! known. So the share of the room that topmost volumes fill does not tell how near the instances are
//! to each other. \[simplify\] Table 2

use std::fmt::{Display, Formatter, Result};

use super::query::{BLOCK, Question, find_questions};
use super::room::Room;
use crate::broad::{BroadPhase, BroadPhaseKind};
use crate::mesh::Mesh;
use crate::query::surfaces_intersect;
use crate::tree::{Counts, DescentScratch, Order, SplitRule, Tree, TreeKind};

/// Largest number of steps over which pairs are counted.
const MOST_STEPS: usize = 500;
const ROUNDS: usize = 8;
/// Relative error of the number of pairs at which the search ends.
const NEAR: f64 = 0.02;

/// Room that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matched {
    /// Side of the room, m.
    pub side: f64,
    step_count: usize,
    /// Number of intersecting pairs of instances over all counted steps; `wanted` is the number in the
    /// paper.
    counted: u64,
    wanted: f64,
}

impl Matched {
    fn miss(&self) -> f64 {
        (self.counted as f64 / self.wanted - 1.0).abs()
    }
}

impl Display for Matched {
    fn fmt(&self, f: &mut Formatter) -> Result {
        write!(
            f,
            "where {} pairs collide in the first {} steps ({:.0} wanted)",
            self.counted, self.step_count, self.wanted
        )
    }
}

/// Search for a room. It counts the intersecting pairs in rooms of several sizes.
pub struct Matcher<'a> {
    mesh: &'a Mesh,
    /// Fast hierarchy for counting, whichever hierarchies are compared.
    tree: Tree,
    step_count: usize,
}

impl<'a> Matcher<'a> {
    pub fn new(mesh: &'a Mesh, step_count: usize) -> Self {
        let tree = Tree::build(TreeKind::Boxtree8, SplitRule::Binned, mesh);
        Self { mesh, tree, step_count: step_count.min(MOST_STEPS) }
    }

    /// Searches for a room in which `pairs_a_step` pairs intersect per step. `first` is the side at
    /// which the search starts, m; `room` creates a room of a given side.
    pub fn find(&self, first: f64, pairs_a_step: f64, room: &dyn Fn(f64) -> Room) -> Matched {
        let wanted = pairs_a_step * self.step_count as f64;
        let matched = |side| {
            let counted = self.colliding(room(side));
            Matched { side, step_count: self.step_count, counted, wanted }
        };
        let mut last = matched(first);
        let mut best = last;
        for _ in 1..ROUNDS {
            if best.miss() < NEAR {
                break;
            }
            // The number of pairs is inversely proportional to the room's volume. The factor is
            // limited, because a count of 0 only shows that the room is too large.
            last = matched(last.side * libm::cbrt(last.counted as f64 / wanted).clamp(0.5, 2.0));
            if last.miss() < best.miss() {
                best = last;
            }
        }
        best
    }

    /// Counts the intersecting pairs of instances over all steps.
    fn colliding(&self, mut room: Room) -> u64 {
        let mut broad = BroadPhase::new(BroadPhaseKind::Hybrid, 1);
        let mut scratch = DescentScratch::default();
        scratch.order = Order::DeepestFirst;
        let (mut questions, mut counts) = (Vec::new(), Counts::default());
        let steps: Vec<usize> = (0..self.step_count).collect();
        let mut colliding = 0;
        for block in steps.chunks(BLOCK) {
            find_questions(block, &mut room, &mut broad, &mut questions);
            for Question { b_to_a, .. } in &questions {
                let surfaces = [(&self.tree, self.mesh), (&self.tree, self.mesh)];
                colliding += u64::from(surfaces_intersect(surfaces, b_to_a, &mut scratch, &mut counts));
            }
        }
        colliding
    }
}

#[cfg(test)]
mod tests {
    use super::super::paper::PaperModel;
    use super::super::room::Density;
    use super::super::{Model, generated};
    use super::*;

    #[test]
    fn as_many_skateboards_collide_as_in_the_paper() {
        let paper = PaperModel::Skateboard;
        let model = Model { mesh: generated(paper).unwrap(), paper: Some(paper) };
        let room = |side| Room::new(model.mesh.bounds(), model.instance_count(), side, 1);
        let wanted = paper.queried(Density::Sparse).collisions_a_step();
        let matcher = Matcher::new(&model.mesh, 200);
        let matched = matcher.find(7.0, wanted, &room);
        assert!(matched.miss() < 0.1, "{matched:?}");
        assert_eq!(matched.counted, matcher.colliding(room(matched.side)));
        assert!((matched.wanted - 200.0 * 2558.0 / 5000.0).abs() < 1e-9);
    }
}
