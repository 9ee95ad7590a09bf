//! Tests of the exact queries against brute force, and against the same queries with the operands
//! swapped.
//!
//! - `convex.rs`: convex links against the all-axes test.
//! - `depth.rs`: the depth of solids, against closed forms and brute force.
//! - `distance.rs`: distances within a bound, against brute force.
//! - `judge.rs`: independent brute-force references.
//! - `nearer.rs`: the nearest search's filter, against the measured distance of every pair.
//! - `surface.rs`: links by their triangles, against brute force and against convex links.
//! - `within.rs`: the test of whether surfaces are within a distance, against brute force.

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

/// Mesh with the data that a link needs.
struct TestLink {
    mesh: Mesh,
    tree: Tree,
    convex: Option<Convex>,
}

impl TestLink {
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

    /// Returns the link with its triangles only, whether it is convex or not.
    fn surface(&self) -> Link<'_> {
        Link { convex: None, ..self.link() }
    }

    fn size(&self) -> f64 {
        f64::from(self.mesh.bounds().diagonal())
    }
}

/// Runs the query from a cold start.
fn ask(links: [Link; 2], b_to_a: &Pose) -> WayOut {
    Exact::default().query(links, b_to_a, &mut Start::default())
}

/// Returns an answer with a and b swapped.
fn swapped(answer: &WayOut, b_to_a: &Pose) -> WayOut {
    let [p, q] = answer.points.map(|p| b_to_a.inverse_transform_point(p));
    WayOut { normal: -b_to_a.inverse_transform_vector(answer.normal), points: [q, p], ..*answer }
}

/// Returns the pose of b in a's space after a has moved by `way`.
fn after_moving_a(b_to_a: &Pose, way: glam::DVec3) -> Pose {
    Pose::new(b_to_a.rotation, b_to_a.position - way)
}
