//! What an overlap test of tumbled boxtrees is: it carries with each node what it needs of the node's box in
//! both frames, and updates it when one side of the box moves in. \[boxtree\] §3.2

use super::node::BoxNode;
use crate::volume::Operations;

/// Which of two trees a node is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    A,
    B,
}

/// One way to tell whether two nodes are apart.
pub(crate) trait OverlapTest {
    /// What is carried with a node.
    type Carried: Copy;
    /// Work of `step` for a node of each side, and of `overlap` if nothing separates.
    const STEP_A: Operations;
    const STEP_B: Operations;
    const PAIR: Operations;

    fn root(&self, side: Side) -> Self::Carried;
    /// For the node at `index`, from its parent's.
    fn step(&self, side: Side, parent: &Self::Carried, node: BoxNode, index: u32) -> Self::Carried;
    /// Conservative: may only say no if the boxes are farther apart than the margin. What is not a number
    /// overlaps.
    fn overlap(&self, a: &Self::Carried, b: &Self::Carried) -> bool;
    /// By how much two nodes that overlap do, m: for the order in which they are opened.
    fn depth(&self, a: &Self::Carried, b: &Self::Carried) -> f32;
}
