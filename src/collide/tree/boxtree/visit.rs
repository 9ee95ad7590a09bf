//! Traversal of two boxtrees with an overlap test. \[boxtree\] §3.2
//!
//! [`Hoisted`] computes the step of a node once, while the parent pair is visited (§3.2.5). [`PerPair`]
//! computes it again for each pair that contains the node, like a traversal without that optimization.
//! Both also compute the steps of the shrink nodes below, unless the form tests shrink nodes
//! separately.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::emit::emit;
use super::face_axes::{Alignment, SatLite, TumbledBox};
use super::form::{BoxtreeForm, Hoisting, Overlap, Shrink};
use super::lookup::{Lookup, Tables};
use super::node::Below;
use super::overlap::{OverlapTest, TreeSide};
use super::restricted::Boxtree;
use super::sat::{Intervals, Sat};

use crate::mesh::Mesh;
use crate::tree::build::Topology;
use crate::tree::descend::{Children, Descent, Found, descend};
use crate::tree::kind::Kind;
use crate::tree::limit::Stop;
use crate::tree::search::{Counts, Extent, Search};
use crate::volume::Operations;

/// Stacks of every variant, and the lookup tables.
#[derive(Default)]
pub struct BoxtreeScratch {
    boxes: Stacks<TumbledBox>,
    intervals: Stacks<Intervals>,
    tables: Tables,
}

struct Stacks<C> {
    hoisted: Vec<(Node<C>, Node<C>)>,
    per_pair: Vec<(Lazy<C>, Lazy<C>)>,
}

impl<C> Default for Stacks<C> {
    fn default() -> Self {
        Self { hoisted: Vec::new(), per_pair: Vec::new() }
    }
}

impl Kind for Boxtree {
    type Form = BoxtreeForm;
    type Stack = BoxtreeScratch;

    fn new(topology: &Topology, _: &Mesh, form: BoxtreeForm) -> Self {
        emit(topology, form.shrink()).under(form)
    }

    fn is_like(&self, other: &Self) -> bool {
        self.form == other.form
    }

    fn visit(
        trees: [&Self; 2],
        search: &Search,
        scratch: &mut BoxtreeScratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        let [a, b] = trees;
        let BoxtreeScratch { boxes, intervals, tables } = scratch;
        let how = (a.form, search.extent());
        let found = &mut |a: u32, b: u32| found(&[[a, b]]);
        match a.form.overlap() {
            Overlap::SatLite => {
                under(SatLite::new(a.extent(), b.extent(), search), trees, how, boxes, counts, found)
            }
            Overlap::Align => {
                under(Alignment::new(a.extent(), b.extent(), search), trees, how, boxes, counts, found)
            }
            Overlap::Lookup(step_count) => {
                under(Lookup::new(trees, step_count, search, tables), trees, how, boxes, counts, found)
            }
            Overlap::Sat => under(Sat::new(a, b, search), trees, how, intervals, counts, found),
        }
    }
}

/// Traverses two boxtrees with `test`, as `form` specifies.
fn under<T: OverlapTest>(
    test: T,
    [a, b]: [&Boxtree; 2],
    (form, extent): (BoxtreeForm, Extent),
    stacks: &mut Stacks<T::Carried>,
    counts: &mut Counts,
    found: &mut impl Found,
) -> ControlFlow<Stop> {
    let folds = (form.shrink() == Shrink::Folded).then(Default::default);
    let hoisted = Hoisted { a, b, test, folds };
    match form.hoisting() {
        Hoisting::Parent => descend(&hoisted, extent, &mut stacks.hoisted, counts, found),
        Hoisting::Pair => descend(&PerPair(hoisted), extent, &mut stacks.per_pair, counts, found),
    }
}

/// A node with the data of its test.
#[derive(Clone, Copy, Debug)]
struct Node<C> {
    carried: C,
    index: u32,
}

/// Two boxtrees, with a test whose step is computed once per node.
struct Hoisted<'a, T> {
    a: &'a Boxtree,
    b: &'a Boxtree,
    test: T,
    /// Numbers of steps of shrink nodes, of a and of b, that were merged with the node above; `None` if
    /// the form does not merge them.
    folds: Option<[Cell<u64>; 2]>,
}

impl<T: OverlapTest> Hoisted<'_, T> {
    fn tree(&self, side: TreeSide) -> &Boxtree {
        match side {
            TreeSide::A => self.a,
            TreeSide::B => self.b,
        }
    }

    #[inline(always)]
    fn below(&self, side: TreeSide, index: u32) -> Below {
        self.tree(side).nodes[index as usize].below()
    }

    /// Computes the step of a node and, if shrink nodes are merged, those of the shrink nodes below it.
    #[inline(always)]
    fn step(&self, side: TreeSide, parent: &T::Carried, index: u32) -> Node<T::Carried> {
        let nodes = &self.tree(side).nodes;
        let step = |from: &T::Carried, index: u32| Node {
            carried: self.test.step(side, from, nodes[index as usize], index),
            index,
        };
        let mut node = step(parent, index);
        if let Some(folds) = &self.folds {
            while let Below::Shrink(index) = nodes[node.index as usize].below() {
                node = step(&node.carried, index);
                let count = &folds[side as usize];
                count.set(count.get() + 1);
            }
        }
        node
    }

    fn folded_steps(&self) -> [u64; 2] {
        self.folds.as_ref().map_or([0; 2], |folds| folds.each_ref().map(Cell::get))
    }

    #[inline(always)]
    fn children(&self, side: TreeSide, parent: &Node<T::Carried>) -> Option<Children<Node<T::Carried>>> {
        let child = |index| self.step(side, &parent.carried, index);
        match self.below(side, parent.index) {
            Below::Triangle(_) => None,
            Below::Shrink(index) => Some(Children::One(child(index))),
            Below::Pair(first) => Some(Children::Two([child(first), child(first + 1)])),
        }
    }

    fn leaves(&self, a: u32, b: u32, found: &mut impl Found) -> ControlFlow<()> {
        match (self.below(TreeSide::A, a), self.below(TreeSide::B, b)) {
            (Below::Triangle(ta), Below::Triangle(tb)) => found(ta, tb),
            _ => ControlFlow::Continue(()),
        }
    }

    fn root(&self, side: TreeSide) -> Node<T::Carried> {
        Node { carried: self.test.root(side), index: 0 }
    }
}

impl<T: OverlapTest> Descent for Hoisted<'_, T> {
    const STEP_A: Operations = T::STEP_A;
    const STEP_B: Operations = T::STEP_B;
    const PAIR: Operations = T::PAIR;

    type A = Node<T::Carried>;
    type B = Node<T::Carried>;
    type ChildrenA = Children<Self::A>;
    type ChildrenB = Children<Self::B>;

    fn roots(&self) -> (Self::A, Self::B) {
        (self.root(TreeSide::A), self.root(TreeSide::B))
    }

    #[inline(always)]
    fn admit(&self, a: &Self::A, b: &Self::B) -> Option<(Self::A, Self::B)> {
        self.test.overlap(&a.carried, &b.carried).then_some((*a, *b))
    }

    #[inline(always)]
    fn depth(&self, a: &Self::A, b: &Self::B) -> f32 {
        self.test.depth(&a.carried, &b.carried)
    }

    fn folded_steps(&self) -> [u64; 2] {
        Hoisted::folded_steps(self)
    }

    #[inline(always)]
    fn children_a(&self, a: &Self::A) -> Option<Children<Self::A>> {
        self.children(TreeSide::A, a)
    }

    #[inline(always)]
    fn children_b(&self, b: &Self::B) -> Option<Children<Self::B>> {
        self.children(TreeSide::B, b)
    }

    fn leaves(&self, a: &Self::A, b: &Self::B, found: &mut impl Found) -> ControlFlow<()> {
        Hoisted::leaves(self, a.index, b.index, found)
    }
}

/// Variant of [`Hoisted`] in which the steps of both nodes are computed for every pair.
struct PerPair<'a, T>(Hoisted<'a, T>);

/// A node before and after its step.
#[derive(Clone, Copy, Debug)]
enum Lazy<C> {
    /// Data of the parent, and index of the node.
    Pending(C, u32),
    Ready(Node<C>),
}

impl<T: OverlapTest> PerPair<'_, T> {
    #[inline(always)]
    fn ready(&self, side: TreeSide, lazy: &Lazy<T::Carried>) -> Node<T::Carried> {
        match lazy {
            Lazy::Pending(parent, index) => self.0.step(side, parent, *index),
            Lazy::Ready(node) => *node,
        }
    }

    #[inline(always)]
    fn children(&self, side: TreeSide, lazy: &Lazy<T::Carried>) -> Option<Children<Lazy<T::Carried>>> {
        let parent = self.ready(side, lazy);
        let child = |index| Lazy::Pending(parent.carried, index);
        match self.0.below(side, parent.index) {
            Below::Triangle(_) => None,
            Below::Shrink(index) => Some(Children::One(child(index))),
            Below::Pair(first) => Some(Children::Two([child(first), child(first + 1)])),
        }
    }
}

impl<T: OverlapTest> Descent for PerPair<'_, T> {
    const STEP_A: Operations = T::STEP_A;
    const STEP_B: Operations = T::STEP_B;
    const PAIR: Operations = T::PAIR;
    const HOISTED: bool = false;

    type A = Lazy<T::Carried>;
    type B = Lazy<T::Carried>;
    type ChildrenA = Children<Self::A>;
    type ChildrenB = Children<Self::B>;

    fn roots(&self) -> (Self::A, Self::B) {
        (Lazy::Ready(self.0.root(TreeSide::A)), Lazy::Ready(self.0.root(TreeSide::B)))
    }

    #[inline(always)]
    fn admit(&self, a: &Self::A, b: &Self::B) -> Option<(Self::A, Self::B)> {
        let (a, b) = (self.ready(TreeSide::A, a), self.ready(TreeSide::B, b));
        self.0.test.overlap(&a.carried, &b.carried).then_some((Lazy::Ready(a), Lazy::Ready(b)))
    }

    #[inline(always)]
    fn depth(&self, a: &Self::A, b: &Self::B) -> f32 {
        // Admitted nodes are `Ready`.
        let (a, b) = (self.ready(TreeSide::A, a), self.ready(TreeSide::B, b));
        self.0.test.depth(&a.carried, &b.carried)
    }

    fn folded_steps(&self) -> [u64; 2] {
        self.0.folded_steps()
    }

    #[inline(always)]
    fn children_a(&self, a: &Self::A) -> Option<Children<Self::A>> {
        self.children(TreeSide::A, a)
    }

    #[inline(always)]
    fn children_b(&self, b: &Self::B) -> Option<Children<Self::B>> {
        self.children(TreeSide::B, b)
    }

    fn leaves(&self, a: &Self::A, b: &Self::B, found: &mut impl Found) -> ControlFlow<()> {
        let (a, b) = (self.ready(TreeSide::A, a), self.ready(TreeSide::B, b));
        self.0.leaves(a.index, b.index, found)
    }
}
