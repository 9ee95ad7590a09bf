//! What is asked of a pair of hierarchies: which triangle pairs may touch, which intersect, whether any does.
//!
//! Every kind gives the same answer to the last two, which are decided by the exact test; b's corners are
//! carried into a's space in `f64` first. Cost: a traversal, and an exact test for each candidate.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::coherent::find_first;
use super::descend::descend;
use super::judge::Judge;
use super::limit::Allowance;
use super::octree::OctreePair;
use super::volume_tree::VolumePair;
use super::{Counts, DescentScratch, Limit, Start, Stop, Tree, wide};
use super::{boxtree, brute_force};
use crate::mesh::Mesh;
use crate::pose::Pose;

/// Two surfaces, each with the hierarchy over it.
pub type Surfaces<'a> = [(&'a Tree, &'a Mesh); 2];

/// Appends to `out` all pairs (triangle of a, triangle of b) that come within `margin` (m), each once, and
/// more that only might. Trees of different kinds fall back on brute force. Returns whether they are all: not if
/// there are more than `most`, or if the scratch says to stop.
pub fn find_candidates(
    surfaces: Surfaces,
    (b_to_a, margin): (&Pose, f64),
    most: usize,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let stretch = Cell::new(LOOKED_AFTER);
    let mut search = Search { limit: Limit::at(&stretch), ..Search::all(b_to_a, margin) };
    loop {
        let end = visit(surfaces, &search, scratch, counts, &mut |pairs| {
            out.extend_from_slice(pairs);
            if out.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if end.is_continue() && out.len() <= most {
            return true;
        }
        if out.len() > most || scratch.stop.load(Ordering::Relaxed) {
            return false;
        }
        search.start = Start::End;
    }
}

/// Node tests between two looks at whether to stop: well below a millisecond.
const LOOKED_AFTER: u64 = 1 << 14;

/// As [`find_candidates`], up to an allowance, and where it is wide trees the deepest overlaps first. Returns
/// whether it ended by itself: if not, pairs are missing, which the same call with the same scratch finds from
/// [`Start::End`] on.
pub fn find_candidates_within(
    (start, allowance): (Start, Allowance),
    surfaces: Surfaces,
    b_to_a: &Pose,
    margin: f64,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let left = Cell::new(allowance.node_tests);
    let search =
        Search { start, limit: Limit::at(&left), goal: Goal::Deepest, ..Search::all(b_to_a, margin) };
    let end = visit(surfaces, &search, scratch, counts, &mut |pairs| {
        left.set(left.get().saturating_sub(allowance.per_candidate * pairs.len() as u64));
        out.extend_from_slice(pairs);
        ControlFlow::Continue(())
    });
    end.is_continue()
}

/// Whether the surfaces are farther apart than `margin` (m), as far as their volumes can tell within so many
/// node tests; stops at the first pair of triangles that may not be.
pub fn are_apart(
    node_tests: u64,
    surfaces: Surfaces,
    b_to_a: &Pose,
    margin: f64,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> bool {
    let left = Cell::new(node_tests);
    let search = Search { limit: Limit::at(&left), goal: Goal::Deepest, ..Search::all(b_to_a, margin) };
    visit(surfaces, &search, scratch, counts, &mut |_| ControlFlow::Break(())).is_continue()
}

/// Whether the surfaces intersect; stops at the first pair of triangles that do.
pub fn intersect(
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> bool {
    find_first(surfaces, b_to_a, Limit::NONE, scratch, counts).0.is_some()
}

/// What is known of two surfaces when a search of them ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Whether they intersect.
    Proven(bool),
    /// They may: so many pairs of nodes were still to be opened, at least one.
    Open { pairs: u64 },
}

/// The same, but gives up after so many node tests, of which the last nodes opened may make some more.
pub fn intersect_within(
    node_tests: u64,
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> Verdict {
    let left = Cell::new(node_tests);
    let (first, end) = find_first(surfaces, b_to_a, Limit::at(&left), scratch, counts);
    match end {
        ControlFlow::Break(Stop::Limit { open_pairs }) if first.is_none() => {
            Verdict::Open { pairs: open_pairs }
        }
        _ => Verdict::Proven(first.is_some()),
    }
}

/// Appends to `out` all pairs of triangles that intersect, each once, in any order.
pub fn find_intersections(
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) {
    let judge = Judge::new(surfaces[0].1, surfaces[1].1, b_to_a);
    let mut candidates = std::mem::take(&mut scratch.candidates);
    candidates.clear();
    let mut tested = 0;
    let mut decide = |candidates: &mut Vec<[u32; 2]>| {
        tested += candidates.len();
        judge.intersecting(candidates, |pair| {
            out.push(pair);
            true
        });
        candidates.clear();
    };
    // Never breaks: every pair is wanted.
    let _ = visit(surfaces, &Search::all(b_to_a, 0.0), scratch, counts, &mut |pairs| {
        candidates.extend_from_slice(pairs);
        if candidates.len() >= DECIDED_AT_ONCE {
            decide(&mut candidates);
        }
        ControlFlow::Continue(())
    });
    decide(&mut candidates);
    scratch.candidates = candidates;
    counts.triangle_test_count += tested as u64;
}

/// What a traversal is for, where that changes its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// It ends with the first pair that intersects.
    First,
    /// It sees as many pairs as its limit allows, the deepest first.
    Deepest,
    /// It sees every pair.
    All,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    pub b_to_a: &'a Pose,
    /// How near (m) triangles must be.
    pub margin: f64,
    pub goal: Goal,
    pub start: Start,
    /// When it ends although there is more.
    pub limit: Limit<'a>,
}

impl<'a> Search<'a> {
    /// For every pair within `margin` (m).
    pub fn all(b_to_a: &'a Pose, margin: f64) -> Self {
        Self { b_to_a, margin, goal: Goal::All, start: Start::Roots, limit: Limit::NONE }
    }

    pub fn extent(&self) -> (Start, Limit<'a>) {
        (self.start, self.limit)
    }
}

/// Candidates kept before they are decided: full batches, still in the nearest cache.
const DECIDED_AT_ONCE: usize = 256;

/// Shows `found` every candidate pair until it breaks.
pub(super) fn visit(
    [(tree_a, mesh_a), (tree_b, mesh_b)]: Surfaces,
    search: &Search,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
    found: &mut impl FnMut(&[[u32; 2]]) -> ControlFlow<()>,
) -> ControlFlow<Stop> {
    let single = &mut |a: u32, b: u32| found(&[[a, b]]);
    match (tree_a, tree_b) {
        (Tree::Boxtree(test, a), Tree::Boxtree(other, b)) if test == other => {
            boxtree::visit(*test, [a, b], search, &mut scratch.boxtree, counts, single)
        }
        (Tree::BoxtreeCompact(a), Tree::BoxtreeCompact(b)) => {
            let pair = boxtree::CompactPair::new(a, b, search);
            descend(&pair, search.extent(), &mut scratch.boxtree_compact, counts, single)
        }
        (Tree::Boxtree8(a), Tree::Boxtree8(b)) => {
            wide::Traverse::traverse([a, b], search, &mut scratch.boxtree8, counts, found)
        }
        (Tree::Boxtree4(a), Tree::Boxtree4(b)) => {
            wide::Traverse::traverse([a, b], search, &mut scratch.boxtree4, counts, found)
        }
        (Tree::Aabb(a), Tree::Aabb(b)) => {
            descend(&VolumePair::new(a, b, search), search.extent(), &mut scratch.aabb, counts, single)
        }
        (Tree::Obb(a), Tree::Obb(b)) => {
            descend(&VolumePair::new(a, b, search), search.extent(), &mut scratch.obb, counts, single)
        }
        (Tree::Sphere(a), Tree::Sphere(b)) => {
            descend(&VolumePair::new(a, b, search), search.extent(), &mut scratch.sphere, counts, single)
        }
        (Tree::Dop24(a), Tree::Dop24(b)) => {
            descend(&VolumePair::new(a, b, search), search.extent(), &mut scratch.dop24, counts, single)
        }
        (Tree::Octree(a), Tree::Octree(b)) => {
            descend(&OctreePair::new(a, b, search), search.extent(), &mut scratch.octree, counts, single)
        }
        _ => brute_force::visit([mesh_a, mesh_b], search, &mut scratch.next_triangle, counts, single),
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::mesh::generate;
    use crate::tree::{SplitRule, TreeKind};

    /// Deep, near and far: under more and more node tests, until there is nothing left to open.
    #[test]
    fn a_limited_search_is_right_or_says_how_much_is_open() {
        let (positions, triangles) = generate::torus(0.7, 0.3, 24, 12);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let (mut scratch, mut open_count) = (DescentScratch::default(), 0);
        for kind in TreeKind::ALL {
            let tree = Tree::build(kind, SplitRule::default(), &mesh);
            let surfaces = [(&tree, &mesh), (&tree, &mesh)];
            for distance in [0.6, 1.3, 1.7, 1.9, 5.0] {
                let pose = Pose::new(DQuat::from_rotation_y(1.0), DVec3::new(distance, 0.3, 0.2));
                let truth = intersect(surfaces, &pose, &mut scratch, &mut Counts::default());
                let mut proven = false;
                for node_tests in (0..24).map(|k| (1 << k) - 1).chain([u64::MAX]) {
                    let mut counts = Counts::default();
                    match intersect_within(node_tests, surfaces, &pose, &mut scratch, &mut counts) {
                        Verdict::Proven(answer) => {
                            assert_eq!(answer, truth, "{kind:?}, {distance}, {node_tests}");
                            proven = true;
                        }
                        Verdict::Open { pairs } => {
                            assert!(!proven && pairs > 0 && counts.node_test_count >= node_tests);
                            let is_first = node_tests == 0 && kind != TreeKind::BruteForce;
                            assert!(!is_first || pairs == 1, "{kind:?}: {pairs}");
                            open_count += 1;
                        }
                    }
                }
                assert!(proven, "{kind:?}, {distance}");
            }
        }
        assert!(open_count > 100, "{open_count}");
    }

    #[test]
    fn what_is_not_a_number_is_not_proven_apart_by_its_volumes() {
        let (positions, triangles) = generate::sphere(1.0, 6);
        let mesh = Mesh::new("sphere", &positions, &triangles).unwrap();
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
        let surfaces = [(&tree, &mesh), (&tree, &mesh)];
        let pose = Pose::from_position(DVec3::NAN);
        let (mut scratch, mut counts) = Default::default();
        let verdict = intersect_within(40, surfaces, &pose, &mut scratch, &mut counts);
        assert!(matches!(verdict, Verdict::Open { pairs: 1.. }), "{verdict:?}");
    }
}
