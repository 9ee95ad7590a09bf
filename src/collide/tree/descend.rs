//! Generic depth-first traversal of a pair of hierarchies. Pairs of nodes are tested before they are
//! pushed on the stack.
//! A search for the first intersecting pair opens the child pair with the deepest overlap first,
//! because its triangles are the likeliest to intersect. On most surfaces this saves a quarter to a
//! half of the node tests. It gains nothing on coarse surfaces that overlap deeply: their first leaves
//! intersect anyway.
//!
//! A kind defines the data of its nodes, the test of two nodes, and the treatment of two leaves. Data
//! that depends on only one node is computed in `children_a` and `children_b`, once for all child
//! pairs: \[boxtree\] §3.2.5 also moves this work to the parent pair.

use std::ops::ControlFlow;

use super::limit::{Start, Stop};
use super::search::{Counts, Extent, Order};
use crate::volume::Operations;

/// One or two children of a node.
#[derive(Clone, Copy, Debug)]
pub enum Children<N> {
    One(N),
    Two([N; 2]),
}

impl<N> AsRef<[N]> for Children<N> {
    fn as_ref(&self) -> &[N] {
        match self {
            Self::One(node) => std::slice::from_ref(node),
            Self::Two(nodes) => nodes,
        }
    }
}

/// The operations of one kind of hierarchy that [`descend`] calls.
pub trait Descent {
    /// Operations that compute the data of one node of tree a.
    const STEP_A: Operations;
    /// Operations that compute the data of one node of tree b.
    const STEP_B: Operations;
    /// Whether `children_a` and `children_b` compute the data once per child. If false, `admit`
    /// computes it for both nodes of every pair.
    const HOISTED: bool = true;
    /// Operations of `admit` for a pair that no axis separates.
    const PAIR: Operations;

    /// A node of the first tree, with the data inherited from its parents.
    type A: Copy;
    /// A node of the second tree, with the data inherited from its parents.
    type B: Copy;
    type ChildrenA: AsRef<[Self::A]>;
    type ChildrenB: AsRef<[Self::B]>;

    fn roots(&self) -> (Self::A, Self::B);
    /// Tests two nodes. Returns the nodes to continue with, or `None` if they do not overlap.
    /// Conservative: returns `None` only if no content of one node is within the margin of the content
    /// of the other.
    fn admit(&self, a: &Self::A, b: &Self::B) -> Option<(Self::A, Self::B)>;
    /// Returns the overlap depth of two admitted nodes, m, or an estimate that orders pairs in the same
    /// way.
    fn depth(&self, a: &Self::A, b: &Self::B) -> f32;
    /// Returns the children of a node of a; `None` at a leaf.
    fn children_a(&self, a: &Self::A) -> Option<Self::ChildrenA>;
    /// Returns the children of a node of b; `None` at a leaf.
    fn children_b(&self, b: &Self::B) -> Option<Self::ChildrenB>;
    /// Passes the triangle pairs of two leaves to `found` until it breaks.
    fn leaves(&self, a: &Self::A, b: &Self::B, found: &mut impl Found) -> ControlFlow<()>;
    /// Returns, per tree, the number of steps taken in addition to one per child.
    fn folded_steps(&self) -> [u64; 2] {
        [0; 2]
    }
}

/// Callback for a candidate pair (triangle of a, triangle of b); it breaks to end the traversal.
pub trait Found: FnMut(u32, u32) -> ControlFlow<()> {}

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Found for F {}

/// Visits every pair of leaves whose ancestors all overlap, until `found` breaks or the limit is
/// reached. The caller owns `stack`, so that its memory is reused and a limited traversal can be
/// resumed. A traversal from the roots tests the roots even if the limit is zero.
pub fn descend<D: Descent>(
    descent: &D,
    Extent { start, limit, order }: Extent,
    stack: &mut Vec<(D::A, D::B)>,
    counts: &mut Counts,
    found: &mut impl Found,
) -> ControlFlow<Stop> {
    let (mut test_count, mut step_count_a, mut step_count_b) = (0, 0, 0);
    if start == Start::Roots {
        stack.clear();
        let (a, b) = descent.roots();
        stack.extend(descent.admit(&a, &b));
        test_count = 1;
    }
    let mut answer = ControlFlow::Continue(());
    let mut allowed = limit.node_tests();
    while !stack.is_empty() {
        if test_count as u64 >= allowed {
            answer = ControlFlow::Break(Stop::Limit { open_pairs: stack.len() as u64 });
            break;
        }
        let Some((a, b)) = stack.pop() else { break };
        let (below_a, below_b) = (descent.children_a(&a), descent.children_b(&b));
        if below_a.is_none() && below_b.is_none() {
            if descent.leaves(&a, &b, found).is_break() {
                answer = ControlFlow::Break(Stop::Enough);
                break;
            }
            allowed = limit.node_tests();
            continue;
        }
        // A leaf is paired with each child of the other node.
        let next_a = below_a.as_ref().map_or(std::slice::from_ref(&a), |c| c.as_ref());
        let next_b = below_b.as_ref().map_or(std::slice::from_ref(&b), |c| c.as_ref());
        step_count_a += below_a.as_ref().map_or(0, |c| c.as_ref().len());
        step_count_b += below_b.as_ref().map_or(0, |c| c.as_ref().len());
        test_count += next_a.len() * next_b.len();
        let first = stack.len();
        for child_a in next_a {
            for child_b in next_b {
                if let Some(pair) = descent.admit(child_a, child_b) {
                    stack.push(pair);
                }
            }
        }
        if order == Order::DeepestFirst {
            deepest_last(descent, &mut stack[first..]);
        }
    }
    if !D::HOISTED {
        (step_count_a, step_count_b) = (test_count, test_count);
    }
    let [folded_a, folded_b] = descent.folded_steps();
    let (step_count_a, step_count_b) = (step_count_a as u64 + folded_a, step_count_b as u64 + folded_b);
    counts.node_test_count += test_count as u64;
    counts.node_step_count += step_count_a + step_count_b;
    counts.operations.add(D::PAIR, test_count as u64);
    counts.operations.add(D::STEP_A, step_count_a);
    counts.operations.add(D::STEP_B, step_count_b);
    answer
}

/// Moves the pair with the deepest overlap to the end, from which it is popped next.
fn deepest_last<D: Descent>(descent: &D, pairs: &mut [(D::A, D::B)]) {
    let Some(last) = pairs.len().checked_sub(1).filter(|&last| last > 0) else { return };
    let mut deepest = (f32::NEG_INFINITY, last);
    for (k, (a, b)) in pairs.iter().enumerate() {
        let depth = descent.depth(a, b);
        if depth >= deepest.0 {
            deepest = (depth, k);
        }
    }
    pairs.swap(deepest.1, last);
}
