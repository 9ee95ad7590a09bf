//! What a candidate pair of links is asked: whether they intersect, and then along which normal and how deep.

use std::hint::black_box;
use std::sync::Arc;

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::exact::{Convex, Exact, Link, Start};
use crate::tree::{SplitRule, Tree, TreeKind};

/// A link's surface, made ready for queries.
pub struct Surface {
    mesh: Arc<Mesh>,
    tree: Tree,
    convex: Option<Convex>,
}

impl Surface {
    /// Asked as a convex solid if it is one.
    pub fn new(mesh: &Arc<Mesh>) -> Self {
        Self { convex: Convex::new(mesh), ..Self::of_triangles(mesh) }
    }

    /// Asked by its triangles, convex or not.
    pub fn of_triangles(mesh: &Arc<Mesh>) -> Self {
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), mesh);
        Self { mesh: mesh.clone(), tree, convex: None }
    }

    fn link(&self) -> Link<'_> {
        Link { tree: &self.tree, mesh: &self.mesh, convex: self.convex.as_ref() }
    }
}

/// What a contender remembers of its queries.
pub struct Asked {
    link_count: usize,
    asks_depth: bool,
    /// By both links.
    starts: Vec<Start>,
    exact: Exact,
}

impl Asked {
    pub fn new(link_count: usize, asks_depth: bool) -> Self {
        Self {
            link_count,
            asks_depth,
            starts: vec![Start::default(); link_count * link_count],
            exact: Exact::default(),
        }
    }

    /// Most pairs are apart; the others are then asked for normal and depth, if those are wanted.
    pub fn intersect(&mut self, surfaces: [&Surface; 2], [a, b]: [usize; 2], b_to_a: &Pose) -> bool {
        let links = surfaces.map_each(Surface::link);
        let start = &mut self.starts[a * self.link_count + b];
        let hit = self.exact.intersects(links, b_to_a, start);
        if hit && self.asks_depth {
            black_box(self.exact.query(links, b_to_a, start));
        }
        hit
    }
}
