//! Exact query of a pair of links whose boxes overlap: whether they intersect, and if so, normal and
//! depth.

use std::hint::black_box;
use std::sync::Arc;

use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::{Convex, PairMemory, Placed, Seed, intersect, way_out};
use crate::tree::{SplitRule, Tree, TreeKind};

/// Surface of a link, prepared for queries.
pub struct Surface {
    mesh: Arc<Mesh>,
    tree: Tree,
    convex: Option<Convex>,
}

impl Surface {
    /// Creates a surface. It is queried as a convex solid if it is convex.
    pub fn new(mesh: &Arc<Mesh>) -> Self {
        Self { convex: Convex::new(mesh), ..Self::of_triangles(mesh) }
    }

    /// Creates a surface that is always queried by its triangles.
    pub fn of_triangles(mesh: &Arc<Mesh>) -> Self {
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), mesh);
        Self { mesh: mesh.clone(), tree, convex: None }
    }

    fn placed(&self, pose: Pose) -> Placed<'_> {
        Placed { convex: self.convex.as_ref(), ..Placed::new(&self.tree, &self.mesh, pose) }
    }
}

/// State that a contender keeps between its queries.
pub struct Asked {
    link_count: usize,
    asks_depth: bool,
    /// Starting points of convex queries, per pair of links.
    seeds: Vec<Seed>,
    memory: PairMemory,
}

impl Asked {
    pub fn new(link_count: usize, asks_depth: bool) -> Self {
        Self {
            link_count,
            asks_depth,
            seeds: vec![Seed::default(); link_count * link_count],
            memory: PairMemory::default(),
        }
    }

    /// Tests whether two links intersect. If they do and depth is requested, also finds normal and
    /// depth. Most pairs are disjoint.
    pub fn intersect(&mut self, surfaces: [&Surface; 2], [a, b]: [usize; 2], b_to_a: &Pose) -> bool {
        let [first, second] = [surfaces[0].placed(Pose::IDENTITY), surfaces[1].placed(*b_to_a)];
        let (seed, memory) = (&mut self.seeds[a * self.link_count + b], &mut self.memory);
        std::mem::swap(seed, &mut memory.seed);
        let hit = intersect(&first, &second, memory);
        if hit && self.asks_depth {
            black_box(way_out(&first, &second, memory));
        }
        std::mem::swap(seed, &mut memory.seed);
        hit
    }
}
