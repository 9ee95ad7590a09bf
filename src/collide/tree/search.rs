//! Parameters of a search in a pair of hierarchies, and counters of a traversal.

use glam::Vec3;

use super::limit::{Limit, Start};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::volume::{Operations, Transit};

/// Purpose of a traversal. It determines the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The first intersecting pair, searched in the given order.
    First(Order),
    /// Pairs within the limit, those with the deepest overlap first.
    Deepest,
    /// Every pair.
    All,
}

/// Order in which a search for the first pair opens pairs of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Deepest overlap first, among the child pairs of a pair.
    #[default]
    DeepestFirst,
    /// Order of the children in their trees, unless the kind has a better order.
    AsBuilt,
}

/// Start, limit and order of a traversal.
#[derive(Clone, Copy, Debug)]
pub struct Extent<'a> {
    pub start: Start,
    pub limit: Limit<'a>,
    pub order: Order,
}

/// Filter for contacts. It keeps triangles that intersect, and triangles with features that face each
/// other.
///
/// Two features face each other if the vector from the point on a to the point on b is `t` · `d`, apart
/// from the small distances below. `d` is a direction in the normal cone of a's feature, and −`d` one
/// in the normal cone of b's feature. `t` is at most `ahead`, and negative where the features overlap.
/// Lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facing {
    /// Largest distance between features (speculative distance).
    pub ahead: f64,
    /// Largest depth of a vertex of a in b, and of a vertex of b in a.
    pub insides: [f64; 2],
    /// Largest depth of two edges in each other's solid.
    pub inside_edges: f64,
    /// Largest distance of the crossing of two such edges beyond an edge's end, as a share of their
    /// depth.
    pub wedge: f64,
    /// Largest distance by which a vertex may lie beside a face.
    pub crack: f64,
    /// Largest distance beyond its end at which an edge may touch another, as a share of the edge's
    /// length.
    pub of_length: f64,
    /// Largest distance that b may move relative to a between the search and the test of its pairs.
    pub moved: f64,
    /// Largest angle by which b may rotate relative to a between the search and the test of its pairs,
    /// rad.
    pub turned: f64,
}

/// Filter of triangle pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Near {
    /// Largest distance of the triangles, m.
    pub margin: f64,
    /// Optional facing filter. Kinds without cones ignore it and return every pair within the margin.
    pub facing: Option<Facing>,
}

impl From<f64> for Near {
    /// Builds a filter that accepts all pairs within `margin`, m.
    fn from(margin: f64) -> Self {
        Self { margin, facing: None }
    }
}

/// Parameters of a search for pairs of triangles that come near each other.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub b_to_a: &'a Pose,
    /// Largest distance of the triangles, m.
    pub margin: f64,
    /// Optional facing filter. Kinds without cones ignore it and return every pair within the margin.
    pub facing: Option<Facing>,
    pub goal: Goal,
    pub start: Start,
    /// Limit at which the search ends early.
    pub limit: Limit<'a>,
}

impl<'a> Search<'a> {
    /// Builds a search for every pair within `margin` (m).
    pub fn all(b_to_a: &'a Pose, margin: f64) -> Self {
        Self::near(b_to_a, margin.into())
    }

    /// Builds a search for every pair that the filter accepts.
    pub fn near(b_to_a: &'a Pose, Near { margin, facing }: Near) -> Self {
        Self { b_to_a, margin, facing, goal: Goal::All, start: Start::Roots, limit: Limit::NONE }
    }

    /// Returns the start, the limit and the order of the traversal.
    pub fn extent(&self) -> Extent<'a> {
        let order = if let Goal::First(order) = self.goal { order } else { Order::AsBuilt };
        Extent { start: self.start, limit: self.limit, order }
    }

    /// Returns the transformation from the frame of b's hierarchy to that of a's. Each frame has its
    /// origin at the given center, in body space. `radii` (m): bounds of the distance of each
    /// hierarchy's content from its center.
    pub fn transit(&self, centers: [Vec3; 2], radii: [f64; 2]) -> Transit {
        let centers = centers.map_each(|c| c.as_dvec3());
        let translation = self.b_to_a.transform_point(centers[1]) - centers[0];
        // Each coordinate undergoes about 16 roundings of half a unit in the last place of the largest
        // number involved; the offset of a DOP undergoes three times as many. The corners and the
        // translation were rounded at the magnitudes of body space.
        let size = translation.abs().max_element() + 2.0 * (radii[0] + radii[1]) + self.margin;
        let far = centers.map_each(|c| c.abs().max_element());
        let far = far[0] + far[1] + self.b_to_a.position.abs().max_element();
        let rounding = 32.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far;
        let rotation = self.b_to_a.rotation_matrix();
        Transit { rotation, translation, growth: self.margin + rounding }
    }
}

/// Counters of a traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of volumes tested for overlap.
    pub node_test_count: u64,
    /// Nodes for which the node-specific data was computed.
    pub node_step_count: u64,
    /// Floating-point operations on volumes. Each test counts in full, without early exit.
    pub operations: Operations,
    /// Pairs of triangles tested exactly.
    pub triangle_test_count: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.node_test_count += other.node_test_count;
        self.node_step_count += other.node_step_count;
        self.operations.add(other.operations, 1);
        self.triangle_test_count += other.triangle_test_count;
    }
}
