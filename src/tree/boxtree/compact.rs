//! The quantised layout of the restricted boxtree: 5 bytes an inner node, nothing for a leaf but its triangle,
//! 4.5 bytes a node averaged over all 2n − 1 (the few large subtrees take 12). \[boxtree\] §3.1, §6.1
//!
//! A node moves one side in (a shrink that has no node of its own), and then one side for each of its children.
//! Planes are 255ths of the box they cut, rounded outward: the encoder runs the decoder's arithmetic. Nodes
//! stand in depth-first order, a subtree over k triangles in k − 1 places beginning at the place of its first
//! triangle, so that one number, how many triangles the first child has, finds both children and their
//! triangles. It is a byte; larger subtrees (the crown) keep it in a list of their own.

mod encode;

use std::ops::ControlFlow;

use glam::Vec3;

use super::face_axes::{SatLite, TumbledBox};
use super::overlap::{OverlapTest, Side};
use super::{Below, BoxNode};
use crate::mesh::Mesh;
use crate::tree::build::{Branch, Topology};
use crate::tree::descend::{Children, Descent, Found};
use crate::tree::query::Search;
use crate::tree::segment::LeafVisitor;
use crate::tree::{Hierarchy, RefitScratch};
use crate::volume::{Aabb, Meets, Operations, Volume};
pub(in crate::tree) use encode::encode;

/// A quantised restricted boxtree over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct CompactBoxtree {
    root: Aabb,
    /// At the place of the first triangle of a subtree that is small enough, its nodes depth first.
    nodes: Vec<CompactNode>,
    /// The nodes of larger subtrees, depth first.
    crown: Vec<CrownNode>,
    /// Triangles in the order of the leaves.
    triangles: Vec<u32>,
    depth: u32,
}

/// What moves at one node.
#[derive(Clone, Copy, Debug, Default)]
struct Cuts {
    /// The sides (see [`side`]) that the two children move, 3 bits each.
    sides: u8,
    /// How far, in 255ths.
    offsets: [u8; 2],
    /// The side that the node itself moves before (3 bits), and how far in 31sts (5).
    shrink: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct CompactNode {
    cuts: Cuts,
    /// Triangles below the first child.
    first_count: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct CrownNode {
    cuts: Cuts,
    first_count: u32,
    /// Place in the crown of the second child, if it is large.
    second: u32,
}

const _: () = assert!(size_of::<CompactNode>() == 5);
const _: () = assert!(size_of::<CrownNode>() == 12);

/// Subtrees over more triangles are in the crown.
const SMALL_COUNT: u32 = 256;

const OFFSET_STEPS: f32 = 255.0;
const SHRINK_STEPS: f32 = 31.0;

/// A subtree: where it is and what it spans.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// In the crown, or in the nodes if it spans few.
    node: u32,
    /// The first of its triangles in the order of leaves.
    first: u32,
    /// How many triangles it has.
    count: u32,
}

/// A node with its box cut by `offset` of `steps` at one side: three bits, the axis twice and whether it is
/// the upper.
#[inline(always)]
fn cut(own: &Aabb, side: u8, offset: u8, steps: f32) -> BoxNode {
    let (axis, upper_side) = (usize::from(side >> 1), side & 1 != 0);
    let step = (own.max[axis] - own.min[axis]) / steps;
    let by = f32::from(offset) * step;
    let plane = if upper_side { own.max[axis] - by } else { own.min[axis] + by };
    BoxNode::new(axis, upper_side, plane, Below::Triangle(0))
}

impl Cuts {
    #[inline(always)]
    fn shrunk(self, own: &Aabb) -> BoxNode {
        cut(own, self.shrink & 7, self.shrink >> 3, SHRINK_STEPS)
    }

    #[inline(always)]
    fn child(self, own: &Aabb, k: usize) -> BoxNode {
        cut(own, self.sides >> (3 * k) & 7, self.offsets[k], OFFSET_STEPS)
    }
}

impl CompactBoxtree {
    fn top(&self) -> Place {
        Place { node: 0, first: 0, count: self.triangles.len() as u32 }
    }

    /// `None` at a leaf.
    #[inline(always)]
    fn below(&self, Place { node, first, count }: Place) -> Option<(Cuts, [Place; 2])> {
        if count == 1 {
            return None;
        }
        let (cuts, first_count, next) = if count > SMALL_COUNT {
            let CrownNode { cuts, first_count, second } = self.crown[node as usize];
            (cuts, first_count, [node + 1, second])
        } else {
            let CompactNode { cuts, first_count } = self.nodes[node as usize];
            let first_count = u32::from(first_count);
            (cuts, first_count, [node + 1, node + first_count])
        };
        // A small subtree below a large one begins at the place of its first triangle.
        let place = |own_first: u32, own_count: u32, next: u32| {
            let begins = count > SMALL_COUNT && own_count <= SMALL_COUNT;
            Place { node: if begins { own_first } else { next }, first: own_first, count: own_count }
        };
        let children =
            [place(first, first_count, next[0]), place(first + first_count, count - first_count, next[1])];
        Some((cuts, children))
    }

    /// What it was encoded from, without the boxes.
    fn topology(&self) -> Topology {
        let leaf = Branch::leaf(Aabb::EMPTY);
        let mut nodes = vec![leaf; self.node_count()];
        let mut stack = vec![(self.top(), 0)];
        while let Some((place, index)) = stack.pop() {
            if let Some((_, children)) = self.below(place) {
                nodes[index] =
                    Branch { count: place.count, first_count: children[0].count, any_side: true, ..leaf };
                stack.extend(children.into_iter().zip(nodes[index].children(index)));
            }
        }
        Topology { nodes, order: self.triangles.clone() }
    }

    /// Calls `visit` with every node, its level and its box, parents first; goes below if told so.
    fn walk(&self, mut visit: impl FnMut(Place, u32, &Aabb) -> bool) {
        let mut stack = vec![(self.top(), 0, self.root)];
        while let Some((place, level, own)) = stack.pop() {
            if visit(place, level, &own)
                && let Some((cuts, children)) = self.below(place)
            {
                let own = cuts.shrunk(&own).restrict(own);
                stack.extend([0, 1].map(|k| (children[k], level + 1, cuts.child(&own, k).restrict(own))));
            }
        }
    }
}

impl Hierarchy for CompactBoxtree {
    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.nodes.capacity() * size_of::<CompactNode>()
            + self.crown.capacity() * size_of::<CrownNode>()
            + self.triangles.capacity() * size_of::<u32>()
    }

    /// Inner nodes and leaves.
    fn node_count(&self) -> usize {
        2 * self.triangles.len() - 1
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb)) {
        self.walk(|place, own_level, own| {
            let shown = own_level == level || place.count == 1;
            if shown {
                show(*own);
            }
            !shown
        });
    }

    fn for_each_volume(&self, show: &mut dyn FnMut(f64)) {
        self.walk(|_, _, own| {
            show(own.volume());
            true
        });
    }

    /// Every triangle in one leaf and inside its box, hence inside those above, which contain it.
    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![false; mesh.triangles().len()];
        let mut fault = None;
        self.walk(|place, _, own| {
            if place.count > 1 {
                return fault.is_none();
            }
            let triangle = self.triangles[place.first as usize];
            if std::mem::replace(&mut seen[triangle as usize], true) {
                fault = Some(format!("triangle {triangle} is in two leaves"));
            }
            let corners = mesh.triangles()[triangle as usize].map(|v| mesh.vertices()[v as usize]);
            if !corners.iter().all(|&c: &Vec3| own.contains_point(c)) {
                fault = Some(format!("triangle {triangle} sticks out of its leaf {own:?}"));
            }
            false
        });
        match (fault, seen.iter().position(|s| !s)) {
            (Some(fault), _) => Err(fault),
            (None, Some(triangle)) => Err(format!("triangle {triangle} is in no leaf")),
            (None, None) => Ok(()),
        }
    }

    fn refit(&mut self, mesh: &Mesh, _: &mut RefitScratch) {
        let mut topology = self.topology();
        topology.fit(mesh);
        *self = encode(&topology);
    }

    fn visit_segment(&self, visitor: &mut LeafVisitor) -> ControlFlow<()> {
        let mut answer = ControlFlow::Continue(());
        self.walk(|place, _, own| {
            let goes_on = answer.is_continue() && own.meets(visitor.segment);
            if goes_on && place.count == 1 {
                answer = (visitor.leaf)(self.triangles[place.first as usize]);
            }
            goes_on
        });
        answer
    }
}

/// Two quantised boxtrees under SAT lite.
pub(in crate::tree) struct CompactPair<'a> {
    a: &'a CompactBoxtree,
    b: &'a CompactBoxtree,
    test: SatLite,
}

/// A node with its boxes in both frames.
#[derive(Clone, Copy, Debug)]
pub(in crate::tree) struct Placed {
    boxes: TumbledBox,
    place: Place,
}

/// The stack of a traversal.
pub(in crate::tree) type CompactStack = Vec<(Placed, Placed)>;

impl<'a> CompactPair<'a> {
    pub fn new(a: &'a CompactBoxtree, b: &'a CompactBoxtree, search: &Search) -> Self {
        // A node may move twice: itself and its children.
        Self { a, b, test: SatLite::new((a.root, 2 * a.depth), (b.root, 2 * b.depth), search) }
    }

    #[inline(always)]
    fn children(&self, side: Side, parent: &Placed) -> Option<Children<Placed>> {
        let tree = if side == Side::A { self.a } else { self.b };
        let (cuts, below) = tree.below(parent.place)?;
        let boxes = self.test.step(side, &parent.boxes, cuts.shrunk(&parent.boxes.own()), 0);
        let own = boxes.own();
        let child =
            |k| Placed { boxes: self.test.step(side, &boxes, cuts.child(&own, k), 0), place: below[k] };
        Some(Children::Two([child(0), child(1)]))
    }
}

/// The step of a node for its parent and, by half, for both children of that; planes from their offsets.
const STEP: Operations = SatLite::STEP_A.and(Operations::new(2, 2, 0)).and(Operations::new(2, 4, 0));

impl Descent for CompactPair<'_> {
    const STEP_A: Operations = STEP;
    const STEP_B: Operations = STEP;
    const PAIR: Operations = SatLite::PAIR;

    type A = Placed;
    type B = Placed;
    type ChildrenA = Children<Placed>;
    type ChildrenB = Children<Placed>;

    fn roots(&self) -> (Placed, Placed) {
        let root = |side, tree: &CompactBoxtree| Placed { boxes: self.test.root(side), place: tree.top() };
        (root(Side::A, self.a), root(Side::B, self.b))
    }

    #[inline(always)]
    fn admit(&self, a: &Placed, b: &Placed) -> Option<(Placed, Placed)> {
        self.test.overlap(&a.boxes, &b.boxes).then_some((*a, *b))
    }

    #[inline(always)]
    fn children_a(&self, a: &Placed) -> Option<Children<Placed>> {
        self.children(Side::A, a)
    }

    #[inline(always)]
    fn children_b(&self, b: &Placed) -> Option<Children<Placed>> {
        self.children(Side::B, b)
    }

    fn leaves(&self, a: &Placed, b: &Placed, found: &mut impl Found) -> ControlFlow<()> {
        found(self.a.triangles[a.place.first as usize], self.b.triangles[b.place.first as usize])
    }
}
