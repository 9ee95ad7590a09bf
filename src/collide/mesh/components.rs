//! Component tree: groups a surface's triangles by the parts of its simplified models, from coarse to
//! fine. \[simplify\] §3, §4.2
//!
//! A mesh and a [`Refinement`] give a [`ComponentTree`]. At every level the components partition the
//! triangles, and each lies inside its parent. If a level does not divide a component, or divides it
//! into more parts than are worth merging, the component is passed on to the next level. Linear per
//! level for `Whole`; `Each` sorts and bisects each component.

use std::ops::Range;

use glam::Vec3;

use super::simplify::{Simplified, Simplifier, partition, sketch_widths};
use super::{Mesh, NONE};

use crate::arrays::MapEach;

/// Method of dividing components further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// Every level simplifies the whole surface. A component is divided by the parts to which its
    /// triangles belong.
    Whole,
    /// Every component is simplified separately.
    Each,
}

/// Largest number of sub-components of a component. The cost of merging them is its square.
const MAX_PARTS: u32 = 128;
/// Least number of triangles of a component that is divided.
const FEW_TRIANGLES: usize = 64;
/// Number of levels at which components are simplified separately, each finer than the last.
const LEVEL_COUNT: usize = 3;

/// Statistics of a level of the component tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Cell width of the level, m; the largest one if each component has its own.
    pub width: f32,
    /// Number of triangles in the simplified models.
    pub triangle_count: u32,
    /// Number of edges in the simplified models.
    pub edge_count: u32,
    /// Number of points in the simplified models.
    pub point_count: u32,
    /// Number of components that this level created.
    pub component_count: u32,
}

/// Component: a set of triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Range of its triangles in [`ComponentTree::order`].
    pub triangles: Range<u32>,
    /// Range of its sub-components in [`ComponentTree::components`]: empty, or two or more.
    pub children: Range<u32>,
    /// Level that created it, counted from 1 as in [`ComponentTree::levels`]; 0 for the whole surface.
    pub level: u32,
}

#[derive(Clone, Debug)]
pub struct ComponentTree {
    /// Components, with the whole surface first. The children of a component are adjacent and come
    /// after it.
    pub components: Vec<Component>,
    /// All triangles. Those of a component are adjacent, and ascending if it has no children.
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

    /// Returns the number of components without children.
    pub fn leaf_count(&self) -> usize {
        self.components.iter().filter(|c| c.children.is_empty()).count()
    }

    /// Returns the component of each triangle of the surface after the first `level_count` levels.
    pub fn after(&self, level_count: u32) -> Vec<u32> {
        let mut component_of = vec![0; self.order.len()];
        // Children come after their parent, so the last component that contains a triangle is the
        // smallest.
        for (component, index) in self.components.iter().zip(0..).filter(|(c, _)| c.level <= level_count) {
            for &triangle in &self.order[component.triangles.start as usize..component.triangles.end as usize]
            {
                component_of[triangle as usize] = index;
            }
        }
        component_of
    }

    /// Divides the components by the parts of the simplified models of the whole surface.
    fn refine_whole(&mut self, mesh: &Mesh) {
        let simplifier = Simplifier::new(mesh.vertices(), mesh.triangles());
        let mut scratch = Scratch::default();
        for width in sketch_widths(&simplifier) {
            let simplified = simplifier.simplify(width);
            let leaves = self.leaves().into_iter();
            let part_count = leaves.map(|c| self.divide(c, &simplified, |t| t, &mut scratch)).sum();
            if part_count > 0 {
                let mut level = Level::default();
                level.add(&simplified, part_count);
                self.levels.push(level);
            }
        }
    }

    /// Divides each component by its own simplified models, in up to `LEVEL_COUNT` levels.
    fn refine_each(&mut self, mesh: &Mesh) {
        let mut scratch = Scratch::default();
        let mut compact = vec![NONE; mesh.vertices().len()];
        for _ in 0..LEVEL_COUNT {
            let mut level = Level::default();
            for component in self.leaves() {
                let range = self.components[component as usize].triangles.clone();
                if range.len() < FEW_TRIANGLES {
                    continue;
                }
                let own = self.order[range.start as usize..range.end as usize].to_vec();
                let (positions, triangles) = sub_surface(mesh, &own, &mut compact);
                // The list is ascending, because the component has no children.
                let number = |triangle: u32| own.partition_point(|&t| t < triangle) as u32;
                let simplifier = Simplifier::new(&positions, &triangles);
                // Widths are not widened to a sketch, because a component may be a single part; wider
                // cells gave worse trees.
                for width in simplifier.widths() {
                    let simplified = simplifier.simplify(width);
                    let part_count = self.divide(component, &simplified, number, &mut scratch);
                    if part_count > 0 {
                        level.add(&simplified, part_count);
                        break;
                    }
                }
            }
            if level.component_count == 0 {
                break;
            }
            self.levels.push(level);
        }
    }

    fn leaves(&self) -> Vec<u32> {
        (0..self.components.len() as u32).filter(|&c| self.is_leaf(c)).collect()
    }

    /// Divides a component by the parts that its triangles' elements belong to, if there are 2 to
    /// `MAX_PARTS` parts. Returns the number of parts, or 0 if it is not divided. `number` maps a
    /// triangle to its index in the simplified surface.
    fn divide(
        &mut self,
        component: u32,
        simplified: &Simplified,
        number: impl Fn(u32) -> u32,
        scratch: &mut Scratch,
    ) -> u32 {
        let range = self.components[component as usize].triangles.clone();
        if range.len() < FEW_TRIANGLES {
            return 0;
        }
        let own = &mut self.order[range.start as usize..range.end as usize];
        let Scratch { elements, place, part_of, sorted } = scratch;
        // Collect the elements of the component's triangles, each once, ascending.
        place.resize(simplified.element_count().max(place.len()), NONE);
        elements.clear();
        part_of.clear();
        for &triangle in own.iter() {
            let element = simplified.image[number(triangle) as usize];
            part_of.push(element);
            if place[element as usize] == NONE {
                place[element as usize] = 0;
                elements.push(element);
            }
        }
        elements.sort_unstable();
        let parts = partition(simplified, elements);
        elements.iter().zip(&parts.part).for_each(|(&element, &part)| place[element as usize] = part);
        part_of.iter_mut().for_each(|element| *element = place[*element as usize]);
        elements.iter().for_each(|&element| place[element as usize] = NONE);
        if !(2..=MAX_PARTS).contains(&parts.part_count) {
            return 0;
        }
        // Counting sort by part.
        let mut first = vec![0u32; parts.part_count as usize + 1];
        part_of.iter().for_each(|&part| first[part as usize + 1] += 1);
        for k in 0..parts.part_count as usize {
            first[k + 1] += first[k];
        }
        let (begin, level) = (self.components.len() as u32, self.levels.len() as u32 + 1);
        self.components.extend(first.windows(2).map(|ends| Component {
            triangles: range.start + ends[0]..range.start + ends[1],
            children: 0..0,
            level,
        }));
        self.components[component as usize].children = begin..begin + parts.part_count;
        sorted.resize(own.len().max(sorted.len()), 0);
        for (&triangle, &part) in own.iter().zip(&*part_of) {
            let at = &mut first[part as usize];
            sorted[*at as usize] = triangle;
            *at += 1;
        }
        own.copy_from_slice(&sorted[..own.len()]);
        parts.part_count
    }
}

impl Level {
    fn add(&mut self, simplified: &Simplified, component_count: u32) {
        self.width = self.width.max(simplified.width);
        self.triangle_count += simplified.triangles.len() as u32;
        self.edge_count += simplified.edges.len() as u32;
        self.point_count += simplified.points.len() as u32;
        self.component_count += component_count;
    }
}

/// Buffers, reused for all components so that they grow only once.
#[derive(Default)]
struct Scratch {
    elements: Vec<u32>,
    /// Part of each element, by element; [`NONE`] outside of `divide`.
    place: Vec<u32>,
    /// Part of each triangle.
    part_of: Vec<u32>,
    sorted: Vec<u32>,
}

/// Returns the given triangles as a surface of their own, with the vertices that they use.
fn sub_surface(mesh: &Mesh, own: &[u32], compact: &mut [u32]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let mut of = |vertex: u32| {
        let at = &mut compact[vertex as usize];
        if *at == NONE {
            *at = positions.len() as u32;
            positions.push(mesh.vertices()[vertex as usize]);
        }
        *at
    };
    let triangles: Vec<[u32; 3]> =
        own.iter().map(|&t| mesh.triangles()[t as usize].map_each(&mut of)).collect();
    for vertex in own.iter().flat_map(|&t| mesh.triangles()[t as usize]) {
        compact[vertex as usize] = NONE;
    }
    (positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Replica;

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
