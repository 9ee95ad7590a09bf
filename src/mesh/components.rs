//! A surface's triangles grouped by the parts of its simplified models, coarse to fine: the component tree.
//! \[simplify\] §3, §4.2
//!
//! A mesh and a [`Refinement`] → [`ComponentTree`]: at every level the components partition the triangles, each
//! inside its parent. A component that a level leaves whole, or breaks into more pieces than are worth a
//! search, is handed on to the next. Linear a level.

use std::ops::Range;

use super::Mesh;
use super::simplify::{Simplified, Simplifier, partition};
use glam::Vec3;
use serde::Serialize;

/// How a component is divided further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// Every level simplifies the whole surface; what a component became of it is its share.
    Whole,
    /// Every component is simplified by itself.
    Each,
}

/// A component has at most so many sub-components: to merge them costs the square.
const MAX_PARTS: u32 = 128;
/// Components of fewer triangles are not divided.
const FEW_TRIANGLES: u32 = 64;

/// What a level came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Level {
    /// Side of its cells, m; the widest where every component has its own.
    pub width: f32,
    /// Elements of the simplified models.
    pub triangle_count: u32,
    pub edge_count: u32,
    pub point_count: u32,
    /// Components that this level made.
    pub component_count: u32,
}

/// A set of triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Where its triangles stand in [`ComponentTree::order`].
    pub triangles: Range<u32>,
    /// Its sub-components, two or more, or none.
    pub children: Range<u32>,
    /// How many of [`ComponentTree::levels`] it took to find it: none for the whole surface.
    pub level: u32,
}

#[derive(Clone, Debug)]
pub struct ComponentTree {
    /// The whole surface first; children stand together, behind their parent.
    pub components: Vec<Component>,
    /// All triangles; those of a component stand together, ascending if it has no children.
    pub order: Vec<u32>,
    pub levels: Vec<Level>,
}

impl ComponentTree {
    pub fn new(mesh: &Mesh, refinement: Refinement) -> Self {
        let count = mesh.triangles().len() as u32;
        let mut tree = Self {
            components: vec![Component { triangles: 0..count, children: 0..0, level: 0 }],
            order: (0..count).collect(),
            levels: Vec::new(),
        };
        match refinement {
            Refinement::Whole => tree.refine_whole(mesh),
            Refinement::Each => tree.refine_each(mesh),
        }
        tree
    }

    pub fn is_leaf(&self, component: u32) -> bool {
        self.components[component as usize].children.is_empty()
    }

    /// Components without children.
    pub fn leaf_count(&self) -> usize {
        self.components.iter().filter(|c| c.children.is_empty()).count()
    }

    /// For each triangle of the surface, the component that holds it after the first `level_count` levels.
    pub fn after(&self, level_count: u32) -> Vec<u32> {
        let mut component_of = vec![0; self.order.len()];
        // Children stand behind their parent, so the last that holds a triangle is the smallest.
        for (component, index) in self.components.iter().zip(0..).filter(|(c, _)| c.level <= level_count) {
            for &triangle in &self.order[component.triangles.start as usize..component.triangles.end as usize]
            {
                component_of[triangle as usize] = index;
            }
        }
        component_of
    }

    fn refine_whole(&mut self, mesh: &Mesh) {
        let simplifier = Simplifier::new(mesh.vertices(), mesh.triangles());
        let mut scratch = Scratch::default();
        for width in simplifier.widths() {
            let simplified = simplifier.simplify(width);
            let mut level = level_of(&simplified);
            for component in self.leaves() {
                self.divide(component, &simplified, |triangle| triangle, &mut scratch, &mut level);
            }
            self.levels.extend((level.component_count > 0).then_some(level));
        }
    }

    fn refine_each(&mut self, mesh: &Mesh) {
        let mut scratch = Scratch::default();
        let mut compact = vec![u32::MAX; mesh.vertices().len()];
        let mut leaves = self.leaves();
        for _ in 0..3 {
            let mut level = Level::default();
            for component in leaves {
                let own = self.components[component as usize].triangles.clone();
                if (own.len() as u32) < FEW_TRIANGLES {
                    continue;
                }
                let own = &self.order[own.start as usize..own.end as usize];
                let (positions, triangles) = sub_surface(mesh, own, &mut compact);
                let first = own.to_vec();
                let simplifier = Simplifier::new(&positions, &triangles);
                for width in simplifier.widths() {
                    let simplified = simplifier.simplify(width);
                    let at = |triangle: u32| first.partition_point(|&t| t < triangle) as u32;
                    let before = level.component_count;
                    self.divide(component, &simplified, at, &mut scratch, &mut level);
                    if level.component_count > before {
                        level.width = level.width.max(width);
                        let own = level_of(&simplified);
                        level.triangle_count += own.triangle_count;
                        level.edge_count += own.edge_count;
                        level.point_count += own.point_count;
                        break;
                    }
                }
            }
            if level.component_count == 0 {
                break;
            }
            self.levels.push(level);
            leaves = self.leaves();
        }
    }

    fn leaves(&self) -> Vec<u32> {
        (0..self.components.len() as u32).filter(|&c| self.is_leaf(c)).collect()
    }

    /// By the parts that its triangles became, if these are some and not too many. `number` is that of a triangle
    /// in the simplified surface.
    fn divide(
        &mut self,
        component: u32,
        simplified: &Simplified,
        number: impl Fn(u32) -> u32,
        scratch: &mut Scratch,
        level: &mut Level,
    ) {
        let range = self.components[component as usize].triangles.clone();
        if (range.len() as u32) < FEW_TRIANGLES {
            return;
        }
        let own = &mut self.order[range.start as usize..range.end as usize];
        // The elements that its triangles became, each once, ascending as triangles, edges and points do.
        scratch.place.resize(simplified.element_count().max(scratch.place.len()), u32::MAX);
        scratch.elements.clear();
        for &triangle in own.iter() {
            let element = simplified.image[number(triangle) as usize];
            if scratch.place[element as usize] == u32::MAX {
                scratch.place[element as usize] = 0;
                scratch.elements.push(element);
            }
        }
        scratch.elements.sort_unstable();
        for (place, &element) in scratch.elements.iter().enumerate() {
            scratch.place[element as usize] = place as u32;
        }
        let parts = partition(simplified, &scratch.elements);
        let part_of = |triangle: u32| {
            parts.part[scratch.place[simplified.image[number(triangle) as usize] as usize] as usize]
        };
        if (2..=MAX_PARTS).contains(&parts.part_count) {
            let mut first = vec![0u32; parts.part_count as usize + 1];
            own.iter().for_each(|&t| first[part_of(t) as usize + 1] += 1);
            for k in 0..parts.part_count as usize {
                first[k + 1] += first[k];
            }
            let mut next = first.clone();
            let mut sorted = vec![0; own.len()];
            for &triangle in own.iter() {
                let at = &mut next[part_of(triangle) as usize];
                sorted[*at as usize] = triangle;
                *at += 1;
            }
            own.copy_from_slice(&sorted);
            let begin = self.components.len() as u32;
            let found = self.levels.len() as u32 + 1;
            self.components.extend(first.windows(2).map(|pair| Component {
                triangles: range.start + pair[0]..range.start + pair[1],
                children: 0..0,
                level: found,
            }));
            self.components[component as usize].children = begin..begin + parts.part_count;
            level.component_count += parts.part_count;
        }
        for &element in &scratch.elements {
            scratch.place[element as usize] = u32::MAX;
        }
    }
}

#[derive(Default)]
struct Scratch {
    elements: Vec<u32>,
    /// Of each element in `elements`, while a component is divided.
    place: Vec<u32>,
}

fn level_of(simplified: &Simplified) -> Level {
    Level {
        width: simplified.width,
        triangle_count: simplified.triangles.len() as u32,
        edge_count: simplified.edges.len() as u32,
        point_count: simplified.points.len() as u32,
        component_count: 0,
    }
}

/// Some triangles with the vertices they use.
fn sub_surface(mesh: &Mesh, own: &[u32], compact: &mut [u32]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let mut of = |vertex: u32| {
        let at = &mut compact[vertex as usize];
        if *at == u32::MAX {
            *at = positions.len() as u32;
            positions.push(mesh.vertices()[vertex as usize]);
        }
        *at
    };
    let triangles: Vec<[u32; 3]> = own.iter().map(|&t| mesh.triangles()[t as usize].map(&mut of)).collect();
    for vertex in own.iter().flat_map(|&t| mesh.triangles()[t as usize]) {
        compact[vertex as usize] = u32::MAX;
    }
    (positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Replica;

    #[test]
    fn every_level_partitions_the_triangles_inside_the_components_of_the_last() {
        for replica in [Replica::Windmill, Replica::SpaceStation] {
            let (positions, triangles) = replica.triangles();
            let mesh = Mesh::new(replica.name(), &positions, &triangles).unwrap();
            let tree = ComponentTree::new(&mesh, Refinement::Whole);
            assert!(!tree.levels.is_empty());
            let mut coarser = tree.after(0);
            assert!(coarser.iter().all(|&c| c == 0), "before any level there is one");
            for level in 1..=tree.levels.len() as u32 {
                let finer = tree.after(level);
                let mut counts = vec![0; tree.components.len()];
                finer.iter().for_each(|&c| counts[c as usize] += 1);
                for (component, &count) in tree.components.iter().zip(&counts).filter(|(_, n)| **n > 0) {
                    assert_eq!(component.triangles.len(), count, "all of it or nothing");
                    assert!(component.level <= level);
                }
                let mut pairs: Vec<_> = finer.iter().zip(&coarser).collect();
                pairs.sort_unstable();
                pairs.dedup();
                assert!(pairs.windows(2).all(|p| p[0].0 != p[1].0), "level {level}: one parent each");
                coarser = finer;
            }
            let leaves = coarser.iter().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(leaves.len(), tree.leaf_count());
        }
    }
}
