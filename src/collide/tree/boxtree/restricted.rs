//! Restricted boxtree itself: its nodes, its boxes during a descent, and its refit.

use arrayvec::ArrayVec;

use super::form::{BoxtreeForm, Overlap};
use super::node::{Below, BoxNode};
use super::steps::offset_steps;
use crate::mesh::Mesh;
use crate::tree::nodes::{Nodes, RefitScratch};
use crate::volume::Aabb;

/// Restricted boxtree over the triangles of one mesh, in its body space.
#[derive(Clone, Debug)]
pub struct Boxtree {
    pub(super) root: Aabb,
    pub(super) nodes: Vec<BoxNode>,
    /// Number of levels below the root.
    pub(super) depth: u32,
    /// Offsets of the nodes for the lookup test (see steps.rs); empty for other tests.
    pub(super) steps: Vec<u16>,
    pub(super) form: BoxtreeForm,
}

impl Boxtree {
    /// Returns the box around the whole surface, body space, m.
    pub(crate) fn root_box(&self) -> Aabb {
        self.root
    }

    /// Recomputes the offsets of the nodes, if the form uses the lookup test.
    fn note_steps(&mut self) {
        if let Overlap::Lookup(step_count) = self.form.overlap() {
            self.steps = offset_steps(self.root, &self.nodes, step_count);
        }
    }

    pub(super) fn extent(&self) -> (Aabb, u32) {
        (self.root, self.depth)
    }

    /// Sets the form, and computes the data that its test needs.
    pub(super) fn under(mut self, form: BoxtreeForm) -> Self {
        self.form = form;
        self.note_steps();
        self
    }
}

impl Nodes for Boxtree {
    /// Index and box (body space) of a node.
    type Node = (u32, Aabb);

    const NESTED: bool = true;

    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.nodes.capacity() * size_of::<BoxNode>()
            + self.steps.capacity() * size_of::<u16>()
    }

    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        // Children come after their parents.
        let tight = &mut scratch.tight;
        tight.clear();
        tight.resize(self.nodes.len(), Aabb::EMPTY);
        for index in (0..self.nodes.len()).rev() {
            tight[index] = match self.nodes[index].below() {
                Below::Triangle(triangle) => mesh.triangle_bounds(triangle),
                Below::Shrink(child) => tight[child as usize],
                Below::Pair(first) => tight[first as usize].union(&tight[first as usize + 1]),
            };
        }
        self.root = tight[0];
        for (node, tight) in self.nodes.iter_mut().zip(tight) {
            let axis = node.axis();
            node.plane = if node.upper_side() { tight.max[axis] } else { tight.min[axis] };
        }
        self.note_steps();
    }

    fn root(&self) -> (u32, Aabb) {
        (0, self.nodes[0].restrict(self.root))
    }

    fn children(&self, &(index, own): &(u32, Aabb)) -> ArrayVec<(u32, Aabb), 8> {
        let below = |child: u32| (child, self.nodes[child as usize].restrict(own));
        match self.nodes[index as usize].below() {
            Below::Triangle(_) => ArrayVec::new(),
            Below::Shrink(child) => std::iter::once(below(child)).collect(),
            Below::Pair(first) => [below(first), below(first + 1)].into_iter().collect(),
        }
    }

    fn triangles(&self, &(index, _): &(u32, Aabb)) -> impl Iterator<Item = u32> {
        let below = self.nodes[index as usize].below();
        if let Below::Triangle(triangle) = below { Some(triangle) } else { None }.into_iter()
    }

    fn bounds(&self, &(_, own): &(u32, Aabb)) -> Aabb {
        own
    }

    fn is_leaf(&self, &(index, _): &(u32, Aabb)) -> bool {
        matches!(self.nodes[index as usize].below(), Below::Triangle(_))
    }
}
