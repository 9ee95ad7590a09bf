//! The exact queries against brute force, and against themselves turned around.
//!
//! - `convex.rs`: convex links against the test of all axes.
//! - `depth.rs`: how deep solids are in each other, against closed forms and brute force.
//! - `distance.rs`: distances within a bound, against brute force.
//! - `judge.rs`: brute force, what the exact queries are held against.
//! - `nearer.rs`: the sieve of the nearest, against what is measured of every pair.
//! - `surface.rs`: links by their triangles, against brute force and against the convex ones.
//! - `within.rs`: whether surfaces come within a distance, against brute force.

mod convex;
mod depth;
mod distance;
pub mod judge;
mod nearer;
mod surface;
mod within;

use super::{Convex, Exact, Link, Start, WayOut};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::{SplitRule, Tree, TreeKind};

/// A mesh with all that a link needs.
struct Part {
    mesh: Mesh,
    tree: Tree,
    convex: Option<Convex>,
}

impl Part {
    fn new(mesh: Mesh) -> Self {
        Self::of_kind(mesh, TreeKind::default())
    }

    fn of_kind(mesh: Mesh, kind: TreeKind) -> Self {
        let tree = Tree::build(kind, SplitRule::default(), &mesh);
        let convex = Convex::new(&mesh);
        Self { mesh, tree, convex }
    }

    fn link(&self) -> Link<'_> {
        Link { tree: &self.tree, mesh: &self.mesh, convex: self.convex.as_ref() }
    }

    /// By its triangles, convex or not.
    fn surface(&self) -> Link<'_> {
        Link { convex: None, ..self.link() }
    }

    fn size(&self) -> f64 {
        f64::from(self.mesh.bounds().diagonal())
    }
}

/// From a cold start.
fn ask(links: [Link; 2], b_to_a: &Pose) -> WayOut {
    Exact::default().query(links, b_to_a, &mut Start::default())
}

/// An answer as it is seen from b.
fn swapped(answer: &WayOut, b_to_a: &Pose) -> WayOut {
    let [p, q] = answer.points.map(|p| b_to_a.inverse_transform_point(p));
    WayOut { normal: -b_to_a.inverse_transform_vector(answer.normal), points: [q, p], ..*answer }
}

/// Where b is once a has moved.
fn after_moving_a(b_to_a: &Pose, way: glam::DVec3) -> Pose {
    Pose::new(b_to_a.rotation, b_to_a.position - way)
}
