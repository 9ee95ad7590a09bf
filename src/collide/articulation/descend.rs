//! Simultaneous descent of two hierarchies, or of one hierarchy against itself. \[cab\] §3.2

use super::frame::Way;
use super::topology::Topology;

/// Volume of a node of the hierarchy.
pub(super) trait NodeVolume: Copy {
    /// Returns whether two volumes may overlap. Conservative; false if either volume is absent.
    /// `are_leaves` is true if both are leaves, so that an overlap is a result.
    fn overlaps(&self, other: &Self, way: &Way, are_leaves: bool) -> bool;
    /// Returns a measure of the volume's size. Of two overlapping nodes, the larger one is replaced by
    /// its children.
    fn size(&self) -> f32;
}

/// Hierarchy that takes part in a search.
#[derive(Clone, Copy)]
pub(super) struct SearchSide<'a, V> {
    pub topology: &'a Topology,
    /// Volumes of all nodes; empty if nothing is to be found.
    pub volumes: &'a [V],
}

impl<V: NodeVolume> SearchSide<'_, V> {
    fn root(&self) -> Option<u32> {
        self.volumes.len().checked_sub(1).map(|root| root as u32)
    }

    fn leaf_count(&self) -> u32 {
        self.topology.links.len() as u32
    }

    fn children(&self, node: u32) -> Option<[u32; 2]> {
        let inner = node.checked_sub(self.leaf_count())?;
        Some(self.topology.inner[inner as usize].children)
    }

    fn volume(&self, node: u32) -> &V {
        &self.volumes[node as usize]
    }

    fn link(&self, leaf: u32) -> u32 {
        self.topology.links[leaf as usize]
    }
}

/// Appends the pairs (link of `a`, link of `b`) whose leaves overlap. Returns the number of overlap
/// tests.
pub(super) fn between<V: NodeVolume>(
    a: SearchSide<V>,
    b: SearchSide<V>,
    way: &Way,
    pairs: &mut Vec<(u32, u32)>,
) -> u64 {
    let mut search = LinkSearch { way, pairs, test_count: 0, is_one: false };
    if let (Some(root_a), Some(root_b)) = (a.root(), b.root()) {
        search.pair(&a, root_a, &b, root_b);
    }
    search.test_count
}

/// Appends the pairs of links of one hierarchy whose leaves overlap, the smaller index first. Returns
/// the number of overlap tests.
pub(super) fn within<V: NodeVolume>(side: SearchSide<V>, pairs: &mut Vec<(u32, u32)>) -> u64 {
    let mut search = LinkSearch { way: &Way::NONE, pairs, test_count: 0, is_one: true };
    if let Some(root) = side.root() {
        search.node(&side, root);
    }
    search.test_count
}

struct LinkSearch<'a> {
    way: &'a Way,
    pairs: &'a mut Vec<(u32, u32)>,
    test_count: u64,
    /// Whether both nodes of a pair belong to the same hierarchy.
    is_one: bool,
}

impl LinkSearch<'_> {
    /// Tests a pair of nodes and descends if they overlap. The recursion depth is at most the sum of
    /// the two heights, which are logarithmic in the numbers of links.
    fn pair<V: NodeVolume>(&mut self, a: &SearchSide<V>, node_a: u32, b: &SearchSide<V>, node_b: u32) {
        let (volume_a, volume_b) = (a.volume(node_a), b.volume(node_b));
        let children = [a.children(node_a), b.children(node_b)];
        self.test_count += 1;
        if !volume_a.overlaps(volume_b, self.way, matches!(children, [None, None])) {
            return;
        }
        match children {
            [None, None] => {
                let (i, j) = (a.link(node_a), b.link(node_b));
                self.pairs.push(if self.is_one { (i.min(j), i.max(j)) } else { (i, j) });
            }
            [Some(below), other] if other.is_none() || volume_a.size() >= volume_b.size() => {
                below.into_iter().for_each(|child| self.pair(a, child, b, node_b));
            }
            [_, Some(below)] => {
                below.into_iter().for_each(|child| self.pair(a, node_a, b, child));
            }
            [Some(_), None] => {}
        }
    }

    fn node<V: NodeVolume>(&mut self, side: &SearchSide<V>, node: u32) {
        if let Some([a, b]) = side.children(node) {
            self.node(side, a);
            self.node(side, b);
            self.pair(side, a, side, b);
        }
    }
}
