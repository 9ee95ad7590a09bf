//! The one traversal of a pair of hierarchies: depth first over an explicit stack, testing a pair of nodes
//! before it is stacked.
//!
//! A kind says what its nodes carry, how two of them are tested, and what two leaves do. What depends on one
//! node alone is computed in `children_a` and `children_b`, once for all pairs of children: the shift of
//! node-specific work to the parent pair of \[boxtree\] §3.2.5.

use super::Counts;

/// One or two children of a node.
#[derive(Clone, Copy, Debug)]
pub enum Children<N> {
    One(N),
    Two([N; 2]),
}

impl<N> Children<N> {
    fn as_slice(&self) -> &[N] {
        match self {
            Self::One(node) => std::slice::from_ref(node),
            Self::Two(nodes) => nodes,
        }
    }
}

/// What one kind of hierarchy brings to [`descend`].
pub trait Descent {
    /// A node of the first and of the second tree with whatever it inherits from its parents.
    type A: Copy;
    type B: Copy;

    fn roots(&self) -> (Self::A, Self::B);
    /// Conservative: may only say no if nothing inside the two comes within the margin.
    fn overlaps(&self, a: &Self::A, b: &Self::B) -> bool;
    /// `None` at a leaf.
    fn children_a(&self, a: &Self::A) -> Option<Children<Self::A>>;
    fn children_b(&self, b: &Self::B) -> Option<Children<Self::B>>;
    fn leaves(&mut self, a: &Self::A, b: &Self::B);
}

/// Visits every pair of leaves whose ancestors all overlap. The stack is the caller's so that it can be kept;
/// it is left empty.
pub fn descend<D: Descent>(descent: &mut D, stack: &mut Vec<(D::A, D::B)>, counts: &mut Counts) {
    stack.clear();
    let (a, b) = descent.roots();
    counts.node_test_count += 1;
    if descent.overlaps(&a, &b) {
        stack.push((a, b));
    }
    while let Some((a, b)) = stack.pop() {
        let (below_a, below_b) = (descent.children_a(&a), descent.children_b(&b));
        if below_a.is_none() && below_b.is_none() {
            descent.leaves(&a, &b);
            continue;
        }
        // A leaf stands for itself while the other side goes on down.
        let next_a = below_a.as_ref().map_or(std::slice::from_ref(&a), Children::as_slice);
        let next_b = below_b.as_ref().map_or(std::slice::from_ref(&b), Children::as_slice);
        for child_a in next_a {
            for child_b in next_b {
                counts.node_test_count += 1;
                if descent.overlaps(child_a, child_b) {
                    stack.push((*child_a, *child_b));
                }
            }
        }
    }
}
