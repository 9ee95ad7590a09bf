//! Conversion of a component tree into a binary tree. Of a component's children, the two with the least
//! joint volume are merged first, as in Huffman coding. \[simplify\] §4.3
//!
//! The nodes are in one list, so that deep merging needs no recursion.

use super::stats::{Measure, Size, TriangleStats};
use crate::mesh::{ComponentTree, Mesh};

/// A set of triangles, and the two sets that it was merged from.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub stats: TriangleStats,
    pub halves: Option<[u32; 2]>,
}

/// Clusters, referred to by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters(Vec<Cluster>);

impl Clusters {
    pub fn get(&self, set: u32) -> &Cluster {
        &self.0[set as usize]
    }

    pub fn count(&self, set: u32) -> usize {
        self.get(set).stats.count as usize
    }

    pub fn piece(&mut self, stats: TriangleStats) -> u32 {
        self.0.push(Cluster { stats, halves: None });
        self.0.len() as u32 - 1
    }

    pub fn pair(&mut self, halves: [u32; 2]) -> u32 {
        let mut stats = self.get(halves[0]).stats.clone();
        stats.join(&self.get(halves[1]).stats);
        self.0.push(Cluster { stats, halves: Some(halves) });
        self.0.len() as u32 - 1
    }

    /// Returns the sets below `of` that were not merged from other sets, in order.
    pub fn pieces(&self, of: &[u32]) -> Vec<&TriangleStats> {
        let mut pieces = Vec::new();
        let mut stack: Vec<u32> = of.iter().rev().copied().collect();
        while let Some(set) = stack.pop() {
            match self.get(set) {
                Cluster { halves: Some([a, b]), .. } => stack.extend([*b, *a]),
                Cluster { stats, .. } => pieces.push(stats),
            }
        }
        pieces
    }
}

/// Merges the components two by two. Returns the set of all triangles, and the triangles in the order
/// of its pieces.
pub(super) fn merge(
    mesh: &Mesh,
    tree: &ComponentTree,
    measure: Measure,
    sets: &mut Clusters,
) -> (u32, Vec<u32>) {
    let mut set_of = vec![0; tree.components.len()];
    let mut component_of: Vec<Option<usize>> = Vec::new();
    // Children come after their parents.
    for (index, component) in tree.components.iter().enumerate().rev() {
        set_of[index] = if component.children.is_empty() {
            let range = component.triangles.start as usize..component.triangles.end as usize;
            sets.piece(TriangleStats::new(mesh, tree.order[range].iter().copied()))
        } else {
            let children = component.children.clone().map(|c| set_of[c as usize]).collect();
            merge_all(children, measure, sets)
        };
        component_of.resize(sets.0.len(), None);
        component_of[set_of[index] as usize] = component.children.is_empty().then_some(index);
    }
    let mut order = Vec::with_capacity(tree.order.len());
    let mut stack = vec![set_of[0]];
    while let Some(set) = stack.pop() {
        if let Some([a, b]) = sets.get(set).halves {
            stack.extend([b, a]);
        } else if let Some(component) = component_of[set as usize] {
            let triangles = &tree.components[component].triangles;
            order.extend(&tree.order[triangles.start as usize..triangles.end as usize]);
        }
    }
    (set_of[0], order)
}

/// Merges two sets at a time until one is left. The pair with the least joint volume comes first (for
/// flat sets, with the least surface; among equal pairs, the first one). k² size computations for k
/// sets.
fn merge_all(mut open: Vec<u32>, measure: Measure, sets: &mut Clusters) -> u32 {
    let size = |sets: &Clusters, i: u32, j: u32| sets.get(i).stats.joint_size(&sets.get(j).stats, measure);
    // Row i holds the joint sizes of set i with each set before it.
    let mut sizes: Vec<Vec<Size>> =
        (0..open.len()).map(|i| open[..i].iter().map(|&j| size(sets, open[i], j)).collect()).collect();
    while open.len() > 1 {
        let mut best = (sizes[1][0], 1, 0);
        for (i, row) in sizes.iter().enumerate() {
            for (j, &size) in row.iter().enumerate() {
                if size < best.0 {
                    best = (size, i, j);
                }
            }
        }
        let (_, i, j) = best;
        let joined = sets.pair([open[j], open[i]]);
        open[j] = joined;
        open.remove(i);
        sizes.remove(i);
        sizes[i..].iter_mut().for_each(|row| {
            row.remove(i);
        });
        for k in 0..open.len() {
            if k != j {
                sizes[k.max(j)][k.min(j)] = size(sets, open[k], joined);
            }
        }
    }
    open[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Triangles, cuboid};
    use glam::Vec3;

    fn boxes(places: &[Vec3], size: f32) -> Mesh {
        let (mut positions, mut triangles): Triangles = Default::default();
        for &place in places {
            let first = positions.len() as u32;
            let (own, corners) = cuboid(Vec3::splat(size), 10.0);
            positions.extend(own.iter().map(|&p| p + place));
            triangles.extend(corners.iter().map(|t| t.map(|v| v + first)));
        }
        Mesh::new("boxes", &positions, &triangles).unwrap()
    }

    /// Merges the mesh's parts of twelve triangles each.
    fn merged(mesh: &Mesh) -> (Clusters, u32) {
        let mut sets = Clusters::default();
        let count = mesh.triangles().len() as u32 / 12;
        let own = (0..count).map(|k| sets.piece(TriangleStats::new(mesh, 12 * k..12 * k + 12))).collect();
        let root = merge_all(own, Measure::Aligned, &mut sets);
        (sets, root)
    }

    #[test]
    fn the_pair_with_the_least_joint_volume_is_merged_first() {
        let at = [0.0, 10.0, 2.0, 13.0].map(|x| Vec3::new(x, 0.0, 0.0));
        let (sets, root) = merged(&boxes(&at, 1.0));
        let [a, b] = sets.get(root).halves.unwrap();
        assert_eq!(sets.get(a).halves, Some([0, 2]));
        assert_eq!(sets.get(b).halves, Some([1, 3]));
        assert_eq!(sets.count(root), 48);
    }

    #[test]
    fn any_number_becomes_one_with_every_piece_in_it_once() {
        for count in [1, 2, 3, 40] {
            let at: Vec<Vec3> = (0..count).map(|k| Vec3::splat(libm::exp2f(k as f32 / 4.0))).collect();
            let (sets, root) = merged(&boxes(&at, 0.5));
            assert_eq!((sets.pieces(&[root]).len(), sets.count(root)), (count, 12 * count));
        }
    }
}
