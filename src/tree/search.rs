//! What is looked for in a pair of hierarchies, and what a traversal did to find it.

use glam::Vec3;

use super::limit::{Limit, Start};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::volume::{Operations, Transit};

/// What a traversal is for, where that changes its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// It ends with the first pair that intersects, and looks for it in an order.
    First(Order),
    /// It sees as many pairs as its limit allows, the deepest first.
    Deepest,
    /// It sees every pair.
    All,
}

/// The order in which a search for the first pair looks at pairs of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Those of a pair's children first that overlap most.
    #[default]
    DeepestFirst,
    /// As the children stand in their trees, where the kind knows no better.
    AsBuilt,
}

/// The start of a traversal, its end, and its order in between.
#[derive(Clone, Copy, Debug)]
pub struct Extent<'a> {
    pub start: Start,
    pub limit: Limit<'a>,
    pub order: Order,
}

/// What of it matters: triangles that intersect, and features of them that may make a contact.
///
/// Such features face each other: from the point on a to that on b leads `t` times a direction that a's
/// feature supports and whose opposite b's does, with `t` at most `ahead` and negative where they overlap,
/// and the little that features may be passed by. Lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facing {
    /// How far apart features may be at most.
    pub ahead: f64,
    /// How deep a vertex of a may be in b, and one of b in a.
    pub insides: [f64; 2],
    /// How deep two edges may be in each other's solid,
    pub inside_edges: f64,
    /// and how far beyond the end of each they may then cross, as a share of that depth.
    pub wedge: f64,
    /// How far beside a face a vertex may be.
    pub crack: f64,
    /// How far beyond its end an edge may meet another, as a share of its length.
    pub of_length: f64,
    /// How far b may have moved against a until that is judged,
    pub moved: f64,
    /// and turned, rad.
    pub turned: f64,
}

/// Which pairs of triangles matter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Near {
    /// How near (m) they must be.
    pub margin: f64,
    /// What of that matters, if not all. Kinds that cannot tell find all.
    pub facing: Option<Facing>,
}

impl From<f64> for Near {
    /// All within a margin, m.
    fn from(margin: f64) -> Self {
        Self { margin, facing: None }
    }
}

/// What is looked for: pairs of triangles that come near each other.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub b_to_a: &'a Pose,
    /// How near (m) triangles must be.
    pub margin: f64,
    /// What of that matters, if not all. Kinds that cannot tell find all.
    pub facing: Option<Facing>,
    pub goal: Goal,
    pub start: Start,
    /// When it ends although there is more.
    pub limit: Limit<'a>,
}

impl<'a> Search<'a> {
    /// For every pair within `margin` (m).
    pub fn all(b_to_a: &'a Pose, margin: f64) -> Self {
        Self::near(b_to_a, margin.into())
    }

    /// For every pair that matters.
    pub fn near(b_to_a: &'a Pose, Near { margin, facing }: Near) -> Self {
        Self { b_to_a, margin, facing, goal: Goal::All, start: Start::Roots, limit: Limit::NONE }
    }

    /// Returns the start of the traversal, its end, and its order in between.
    pub fn extent(&self) -> Extent<'a> {
        let order = if let Goal::First(order) = self.goal { order } else { Order::AsBuilt };
        Extent { start: self.start, limit: self.limit, order }
    }

    /// From the frame of b's hierarchy to that of a's, each relative to a centre in its body space; `radii`
    /// (m) of what is around each.
    pub fn transit(&self, centers: [Vec3; 2], radii: [f64; 2]) -> Transit {
        let centers = centers.map_each(|c| c.as_dvec3());
        let translation = self.b_to_a.transform_point(centers[1]) - centers[0];
        // A coordinate passes some 16 roundings of half a unit in the last place of the largest number on its
        // way, a DOP's offset three times as many; the corners and the translation were rounded far out.
        let size = translation.abs().max_element() + 2.0 * (radii[0] + radii[1]) + self.margin;
        let far = centers.map_each(|c| c.abs().max_element());
        let far = far[0] + far[1] + self.b_to_a.position.abs().max_element();
        let rounding = 32.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far;
        let rotation = self.b_to_a.rotation_matrix();
        Transit { rotation, translation, growth: self.margin + rounding }
    }
}

/// What a traversal did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of volumes tested for overlap.
    pub node_test_count: u64,
    /// Nodes for which what depends on them alone was computed.
    pub node_step_count: u64,
    /// Floating-point operations on volumes, each test counted to its end.
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
