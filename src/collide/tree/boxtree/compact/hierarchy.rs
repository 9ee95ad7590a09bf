//! The quantized boxtree as a hierarchy.

use arrayvec::ArrayVec;

use super::encode::encode;
use super::layout::{CompactBoxtree, CompactNode, CrownNode, NodePlace};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::tree::nodes::{Nodes, RefitScratch};
use crate::volume::Aabb;

impl Nodes for CompactBoxtree {
    /// Position and box (body space) of a node.
    type Node = (NodePlace, Aabb);

    const NESTED: bool = true;

    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.nodes.capacity() * size_of::<CompactNode>()
            + self.crown.capacity() * size_of::<CrownNode>()
            + self.triangles.capacity() * size_of::<u32>()
    }

    /// Returns the number of inner nodes and leaves.
    fn node_count(&self) -> usize {
        2 * self.triangles.len() - 1
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn refit(&mut self, mesh: &Mesh, _: &mut RefitScratch) {
        let mut topology = self.topology();
        topology.fit(mesh);
        *self = encode(&topology);
    }

    fn root(&self) -> (NodePlace, Aabb) {
        (self.top(), self.root)
    }

    fn children(&self, (place, own): &(NodePlace, Aabb)) -> ArrayVec<(NodePlace, Aabb), 8> {
        let Some((cuts, children)) = self.below(*place) else { return ArrayVec::new() };
        let own = cuts.shrunk(own).restrict(*own);
        [0, 1].map_each(|k| (children[k], cuts.child(&own, k).restrict(own))).into_iter().collect()
    }

    fn triangles(&self, (place, _): &(NodePlace, Aabb)) -> impl Iterator<Item = u32> {
        (place.count == 1).then(|| self.triangles[place.first as usize]).into_iter()
    }

    fn bounds(&self, &(_, own): &(NodePlace, Aabb)) -> Aabb {
        own
    }

    fn is_leaf(&self, (place, _): &(NodePlace, Aabb)) -> bool {
        place.count == 1
    }
}
