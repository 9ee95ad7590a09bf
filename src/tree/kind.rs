//! What a kind of hierarchy is to the table of kinds: made over a division of the triangles, and traversed
//! with another of its kind.

use std::ops::ControlFlow;

use super::build::Topology;
use super::limit::Stop;
use super::nodes::Hierarchy;
use super::search::{Counts, Search};
use crate::mesh::Mesh;

/// A kind of hierarchy.
pub(crate) trait Kind: Hierarchy + Sized {
    /// The form of its nodes and their test; nothing if there is one way.
    type Form: Copy;
    /// What a traversal keeps, so that it grows once.
    type Stack: Default;

    /// Over triangles as they are divided; kinds that divide them in a way of their own take no notice.
    fn new(topology: &Topology, mesh: &Mesh, form: Self::Form) -> Self;

    /// Whether two of the kind can be traversed together.
    fn is_like(&self, _: &Self) -> bool {
        true
    }

    /// Shows `found` all pairs of triangles whose leaves come within the margin, until it breaks.
    fn visit(
        trees: [&Self; 2],
        search: &Search,
        stack: &mut Self::Stack,
        counts: &mut Counts,
        found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop>;
}
