//! The trait of an overlap test of restricted boxtrees. The test keeps with each node the data that it
//! needs of the node's box in both frames, and updates this data when one side of the box moves in.
//! \[boxtree\] §3.2

use super::node::BoxNode;
use crate::volume::Operations;

/// The tree of a pair to which a node belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeSide {
    A,
    B,
}

/// Test that decides whether two nodes are apart.
pub(crate) trait OverlapTest {
    /// Data that the test keeps with a node.
    type Carried: Copy;
    /// Operations of `step` for a node of a.
    /// Operations of `step` for a node of b.
    const STEP_A: Operations;
    /// Operations of `overlap` if no axis separates.
    const STEP_B: Operations;
    const PAIR: Operations;

    fn root(&self, side: TreeSide) -> Self::Carried;
    /// Returns the data of the node at `index`, from its parent's.
    fn step(&self, side: TreeSide, parent: &Self::Carried, node: BoxNode, index: u32) -> Self::Carried;
    /// Returns whether two nodes may be within the margin. Conservative: false only if the boxes are
    /// farther apart. NaN counts as overlap.
    fn overlap(&self, a: &Self::Carried, b: &Self::Carried) -> bool;
    /// Returns the overlap depth of two nodes that overlap, m, by which they are ordered.
    fn depth(&self, a: &Self::Carried, b: &Self::Carried) -> f32;
}
