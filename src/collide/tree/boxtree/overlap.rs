//! Trait of an overlap test of restricted boxtrees. With each node, the test keeps data of the node's
//! box in both frames. It updates the data when one side of the box moves in. \[boxtree\] §3.2

use super::node::BoxNode;
use crate::volume::Operations;

/// Tree of a pair that a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeSide {
    A,
    B,
}

/// Test of whether the boxes of two nodes are apart.
pub(crate) trait OverlapTest {
    /// Data that the test keeps with a node.
    type Carried: Copy;
    /// Operations of `step` for a node of a.
    const STEP_A: Operations;
    /// Operations of `step` for a node of b.
    const STEP_B: Operations;
    /// Operations of `overlap` if no axis separates.
    const PAIR: Operations;

    fn root(&self, side: TreeSide) -> Self::Carried;
    /// Returns the data of the node at `index`, computed from its parent's data.
    fn step(&self, side: TreeSide, parent: &Self::Carried, node: BoxNode, index: u32) -> Self::Carried;
    /// Returns whether the boxes of two nodes may be within the margin. Conservative: false only if
    /// they are farther apart. NaN counts as overlap.
    fn overlap(&self, a: &Self::Carried, b: &Self::Carried) -> bool;
    /// Returns the overlap depth of two nodes that overlap, m. Searches order pairs by it.
    fn depth(&self, a: &Self::Carried, b: &Self::Carried) -> f32;
}
