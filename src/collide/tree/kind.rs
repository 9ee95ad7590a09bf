//! Trait with which the table of kinds builds a hierarchy and traverses it together with another of its
//! kind.

use std::ops::ControlFlow;

use super::build::Topology;
use super::limit::Stop;
use super::nodes::Hierarchy;
use super::search::{Counts, Search};
use crate::mesh::Mesh;

/// A kind of hierarchy.
pub(crate) trait Kind: Hierarchy + Sized {
    /// Variant of the nodes and their test; `()` if the kind has only one.
    type Form: Copy;
    /// Buffers of a traversal, reused so that they grow only once.
    type Stack: Default;

    /// Builds the hierarchy over triangles that `topology` divides. Kinds that divide triangles
    /// themselves ignore `topology`.
    fn new(topology: &Topology, mesh: &Mesh, form: Self::Form) -> Self;

    /// Returns whether two hierarchies of this kind can be traversed together.
    fn is_like(&self, _: &Self) -> bool {
        true
    }

    /// Passes all pairs of triangles whose leaves come within the margin to `found`, until it breaks.
    fn visit(
        trees: [&Self; 2],
        search: &Search,
        stack: &mut Self::Stack,
        counts: &mut Counts,
        found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop>;
}
