//! Descent of two quantized boxtrees with SAT lite.

use std::ops::ControlFlow;

use super::encode::encode;
use super::layout::{CompactBoxtree, NodePlace};
use crate::mesh::Mesh;
use crate::tree::boxtree::face_axes::{SatLite, TumbledBox};
use crate::tree::boxtree::overlap::{OverlapTest, TreeSide};
use crate::tree::build::Topology;
use crate::tree::descend::{Children, Descent, Found, descend};
use crate::tree::kind::Kind;
use crate::tree::limit::Stop;
use crate::tree::search::{Counts, Search};
use crate::volume::Operations;

/// Two quantized boxtrees with SAT lite.
struct CompactPair<'a> {
    a: &'a CompactBoxtree,
    b: &'a CompactBoxtree,
    test: SatLite,
}

/// A node with its boxes in both trees' frames.
#[derive(Clone, Copy, Debug)]
pub struct DecodedNode {
    boxes: TumbledBox,
    place: NodePlace,
}

impl Kind for CompactBoxtree {
    type Form = ();
    type Stack = Vec<(DecodedNode, DecodedNode)>;

    fn new(topology: &Topology, _: &Mesh, (): ()) -> Self {
        encode(topology)
    }

    fn visit(
        [a, b]: [&Self; 2],
        search: &Search,
        stack: &mut Self::Stack,
        counts: &mut Counts,
        found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        let found = &mut |a: u32, b: u32| found(&[[a, b]]);
        descend(&CompactPair::new(a, b, search), search.extent(), stack, counts, found)
    }
}

impl<'a> CompactPair<'a> {
    pub fn new(a: &'a CompactBoxtree, b: &'a CompactBoxtree, search: &Search) -> Self {
        // Each level may move two sides: the node's own shrink, and the side cut by its parent.
        Self { a, b, test: SatLite::new((a.root, 2 * a.depth), (b.root, 2 * b.depth), search) }
    }

    #[inline(always)]
    fn children(&self, side: TreeSide, parent: &DecodedNode) -> Option<Children<DecodedNode>> {
        let tree = if side == TreeSide::A { self.a } else { self.b };
        let (cuts, below) = tree.below(parent.place)?;
        let boxes = self.test.step(side, &parent.boxes, cuts.shrunk(&parent.boxes.own()), 0);
        let own = boxes.own();
        let child =
            |k| DecodedNode { boxes: self.test.step(side, &boxes, cuts.child(&own, k), 0), place: below[k] };
        Some(Children::Two([child(0), child(1)]))
    }
}

/// Operations of a node: its own step, half of the parent's shrink step (which two children share), and
/// the computation of the planes from their offsets.
const STEP: Operations = SatLite::STEP_A.and(Operations::new(2, 2, 0)).and(Operations::new(2, 4, 0));

impl Descent for CompactPair<'_> {
    const STEP_A: Operations = STEP;
    const STEP_B: Operations = STEP;
    const PAIR: Operations = SatLite::PAIR;

    type A = DecodedNode;
    type B = DecodedNode;
    type ChildrenA = Children<DecodedNode>;
    type ChildrenB = Children<DecodedNode>;

    fn roots(&self) -> (DecodedNode, DecodedNode) {
        let root =
            |side, tree: &CompactBoxtree| DecodedNode { boxes: self.test.root(side), place: tree.top() };
        (root(TreeSide::A, self.a), root(TreeSide::B, self.b))
    }

    #[inline(always)]
    fn admit(&self, a: &DecodedNode, b: &DecodedNode) -> Option<(DecodedNode, DecodedNode)> {
        self.test.overlap(&a.boxes, &b.boxes).then_some((*a, *b))
    }

    #[inline(always)]
    fn depth(&self, a: &DecodedNode, b: &DecodedNode) -> f32 {
        self.test.depth(&a.boxes, &b.boxes)
    }

    #[inline(always)]
    fn children_a(&self, a: &DecodedNode) -> Option<Children<DecodedNode>> {
        self.children(TreeSide::A, a)
    }

    #[inline(always)]
    fn children_b(&self, b: &DecodedNode) -> Option<Children<DecodedNode>> {
        self.children(TreeSide::B, b)
    }

    fn leaves(&self, a: &DecodedNode, b: &DecodedNode, found: &mut impl Found) -> ControlFlow<()> {
        found(self.a.triangles[a.place.first as usize], self.b.triangles[b.place.first as usize])
    }
}
