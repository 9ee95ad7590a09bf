//! Test of whether two surfaces intersect, and the search for the triangle pairs that intersect. The
//! exact test decides, so every kind of hierarchy gives the same answer. b's corners are first
//! transformed into a's space in `f64`. Cost: a traversal, and an exact test per candidate.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::filter::ExactFilter;
use crate::pose::Pose;
use crate::tree::{Counts, DescentScratch, Goal, Limit, Search, Stop, Surfaces, visit};

/// Returns whether the surfaces intersect. Stops at the first intersecting pair of triangles.
///
/// ```
/// use glam::DVec3;
/// use tumble_collide::generate;
/// use tumble_collide::mesh::Mesh;
/// use tumble_collide::pose::Pose;
/// use tumble_collide::query::surfaces_intersect;
/// use tumble_collide::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};
///
/// let (positions, triangles) = generate::torus(0.2, 0.05, 24, 12);
/// let mesh = Mesh::new("ring", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
/// let (mut scratch, mut counts) = (DescentScratch::default(), Counts::default());
/// let mut asked = |x: f64| {
///     let b_to_a = Pose::from_position(DVec3::X * x);
///     surfaces_intersect([(&tree, &mesh); 2], &b_to_a, &mut scratch, &mut counts)
/// };
/// assert!(asked(0.45) && !asked(0.55));
/// # Ok::<(), tumble_collide::mesh::MeshError>(())
/// ```
pub fn surfaces_intersect(
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> bool {
    find_first(surfaces, b_to_a, Limit::NONE, scratch, counts).0.is_some()
}

/// Result of a limited intersection test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The surfaces intersect (true) or do not intersect (false).
    Proven(bool),
    /// Undecided: `pairs` (≥ 1) pairs of nodes remained to be expanded.
    Open { pairs: u64 },
}

/// Tests whether two surfaces intersect. Gives up after about `node_tests` node tests; the last
/// expansion may exceed this number.
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

/// Appends to `out` all intersecting pairs of triangles, each once, in arbitrary order.
pub fn find_intersections(
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) {
    find_intersections_within((u64::MAX, usize::MAX), surfaces, b_to_a, scratch, out, counts);
}

/// Finds intersecting pairs like [`find_intersections`], but gives up after about `node_tests` node
/// tests or `most` pairs. Returns whether it found all of them.
pub fn find_intersections_within(
    (node_tests, most): (u64, usize),
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let filter = ExactFilter::new(surfaces[0].1, surfaces[1].1, b_to_a);
    let mut candidates = std::mem::take(&mut scratch.candidates);
    candidates.clear();
    let mut tested = 0;
    let mut decide = |candidates: &mut Vec<[u32; 2]>, out: &mut Vec<[u32; 2]>| {
        tested += candidates.len();
        filter.intersecting(candidates, |pair| {
            out.push(pair);
            true
        });
        candidates.clear();
    };
    let left = Cell::new(node_tests);
    let stop = Arc::clone(&scratch.stop);
    let search = Search { limit: Limit::at(&left), ..Search::all(b_to_a, 0.0) };
    let end = visit(surfaces, &search, scratch, counts, &mut |pairs| {
        candidates.extend_from_slice(pairs);
        if candidates.len() >= DECIDED_AT_ONCE {
            decide(&mut candidates, out);
        }
        let is_over = out.len() > most || stop.load(Ordering::Relaxed);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    decide(&mut candidates, out);
    scratch.candidates = candidates;
    counts.triangle_test_count += tested as u64;
    end.is_continue()
}

/// Number of candidates that are collected before they are tested. They fill whole batches and still
/// fit in the L1 cache.
const DECIDED_AT_ONCE: usize = 256;

/// Returns the first intersecting pair of `pairs`.
pub(super) fn first_of(filter: &ExactFilter, pairs: &[[u32; 2]]) -> Option<[u32; 2]> {
    let mut first = None;
    filter.intersecting(pairs, |pair| {
        first = Some(pair);
        false
    });
    first
}

/// Searches from a cold start for any intersecting pair of triangles. The second value shows whether
/// the search was complete.
pub(super) fn find_first(
    surfaces: Surfaces,
    b_to_a: &Pose,
    limit: Limit,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> (Option<[u32; 2]>, ControlFlow<Stop>) {
    let filter = ExactFilter::new(surfaces[0].1, surfaces[1].1, b_to_a);
    let (mut tested, mut first) = (0, None);
    let search = Search { goal: Goal::First(scratch.order), limit, ..Search::all(b_to_a, 0.0) };
    let end = visit(surfaces, &search, scratch, counts, &mut |pairs| {
        tested += pairs.len();
        first = first_of(&filter, pairs);
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    counts.triangle_test_count += tested as u64;
    (first, end)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::tree::{SplitRule, Tree, TreeKind};

    /// Tests deep, near and far poses with growing limits of node tests, until the search completes.
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
                let truth = surfaces_intersect(surfaces, &pose, &mut scratch, &mut Counts::default());
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
    fn nan_surfaces_are_not_proven_apart() {
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
