//! Exact query between two links: whether they intersect, their distance, or their penetration depth
//! and direction of separation. Same purpose as SWIFT++ and DEEP in \[cab\] §4.
//!
//! For convex links: GJK on their difference and, if they intersect, the expanding polytope algorithm.
//! For other links, on their triangles: exact intersection and distance with the hierarchies, and a
//! local depth from the curves in which the surfaces cross. Solids are closed: touching solids
//! intersect.
//!
//! - `curve.rs`: the curves in which two surfaces cross, grouped into patches of contact.
//! - `depth.rs`: the penetration depth of two solids: the greatest distance of an inner point.
//! - `depth_part.rs`: a part of two surfaces that may contain the deepest point.
//! - `difference.rs`: the Minkowski difference of two convex links.
//! - `distance.rs`: the nearest triangles of two surfaces.
//! - `faces.rs`: the flat faces of a surface.
//! - `gjk.rs`: intersection and distance of two convex links.
//! - `hull.rs`: a convex link: its hull and its support function.
//! - `inside.rs`: the triangles of a surface that reach into the other solid.
//! - `local_depth.rs`: the depth of two crossing surfaces at one patch.
//! - `penetration.rs`: the depth of two convex links, by the expanding polytope algorithm.
//! - `piece.rs`: a piece of a triangle, cut to the part that is inside.
//! - `polytope.rs`: a convex polytope of triangles that grows by one point at a time.
//! - `reach.rs`: the length by which crossing sheets reach through each other.
//! - `region.rs`: the vertices and edge parts of each surface that are inside the other.
//! - `scope.rs`: two surfaces in one space.
//! - `simplex.rs`: the point of a simplex that is nearest to the origin.
//! - `surface.rs`: the query of links that are not convex, by their triangles.
//! - `tests/`: the queries, compared with independent brute force.
//! - `triangles.rs`: the distance of two triangles.
//! - `within.rs`: the test of whether two surfaces are within a distance.

mod curve;
mod depth;
mod depth_part;
mod difference;
mod distance;
mod faces;
mod gjk;
mod hull;
mod inside;
mod local_depth;
mod penetration;
mod piece;
mod polytope;
mod reach;
mod region;
mod scope;
mod simplex;
mod surface;
mod triangles;
mod within;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glam::DVec3;

use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::Tree;
use depth::Deepest;
use difference::Difference;
use distance::NearestPair;
use gjk::GjkVerdict;
pub use hull::Convex;
pub use inside::coordinate_error;
use penetration::{Expansion, Overlap};
use scope::Side;
pub(super) use triangles::{Gap, gap};
pub use within::are_within;

/// Distance of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Distance, m; 0 if the surfaces intersect.
    pub distance: f64,
    /// Nearest points of a and of b; a common point if they intersect.
    pub points: [DVec3; 2],
    /// Triangles of these points, one of a and one of b.
    pub triangles: [u32; 2],
}

/// Penetration depth of two solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// Greatest distance found, m, from a point of one surface that is inside the other solid to the
    /// surface of that solid.
    pub depth: f64,
    /// Upper bound of the greatest distance, m.
    pub at_most: f64,
    /// Point of a and point of b at the distance `depth`. One point lies inside the other solid; the
    /// other is the nearest point of that solid's surface.
    pub points: [DVec3; 2],
}

/// Separation or overlap of two solids along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayOut {
    /// Distance, m; 0 if the solids intersect.
    pub distance: f64,
    /// Distance by which a must move along the normal to come free, m; 0 if the solids are apart. For
    /// solids queried as convex, the minimum over all directions, within 1e-12 of their size. For other
    /// solids, an estimate: the depth of the deepest patch of contact, increased in at most eight moves
    /// along its normal until the surfaces no longer cross. Another direction may be shorter.
    pub depth: f64,
    /// Unit normal, from b to a.
    pub normal: DVec3,
    /// Points of a and of b: the nearest ones, or those deepest in the other solid.
    pub points: [DVec3; 2],
}

impl WayOut {
    /// Returns the result for a pose that puts the links infinitely far apart.
    fn infinitely_apart() -> Self {
        Self { distance: f64::INFINITY, depth: 0.0, normal: DVec3::X, points: [DVec3::ZERO; 2] }
    }
}

/// A link, in the form in which it is queried.
#[derive(Clone, Copy)]
pub struct Link<'a> {
    /// Hierarchy over the mesh. Both links' trees must be of one kind.
    pub tree: &'a Tree,
    pub mesh: &'a Mesh,
    /// The surface as a convex solid, if it is convex.
    pub convex: Option<&'a Convex>,
}

/// Data of the last query for a pair of links, from which the next query starts. The caller keeps one
/// per pair, empty at first. Data of other links only costs convex links time, but gives wrong answers
/// for other links.
#[derive(Clone, Debug, Default)]
pub struct Start {
    convex: gjk::Start,
    surface: surface::Memory,
}

/// Implementation of the queries. Its buffers grow to the largest pair.
#[derive(Default)]
pub struct Exact {
    expansion: Expansion,
    surface: surface::Scratch,
}

/// Largest coordinate of a position (m); squares of larger ones overflow `f64`.
const FARTHEST: f64 = 1e100;

impl Exact {
    /// Returns whether the links intersect. Cheaper than the other queries.
    pub fn intersects(&mut self, [a, b]: [Link; 2], b_to_a: &Pose, start: &mut Start) -> bool {
        if !is_near(b_to_a) {
            return false;
        }
        match (a.convex, b.convex) {
            (Some(a), Some(b)) => {
                let difference = Difference::new(a, b, b_to_a);
                matches!(gjk::separate(&difference, &mut start.convex), GjkVerdict::Touching)
            }
            _ => self.surface.intersects([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a, &mut start.surface),
        }
    }

    /// Returns the distance or the overlap of the links. A pose that is not finite counts as infinitely
    /// far away.
    pub fn query(&mut self, [a, b]: [Link; 2], b_to_a: &Pose, start: &mut Start) -> WayOut {
        if !is_near(b_to_a) {
            return WayOut::infinitely_apart();
        }
        match (a.convex, b.convex) {
            (Some(a), Some(b)) => self.query_convex(a, b, b_to_a, start),
            _ => self.surface.query([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a, &mut start.surface),
        }
    }

    /// Returns the distance of the links' surfaces by their triangles; `None` if it exceeds `bound`
    /// (m).
    pub fn nearest(
        &mut self,
        [a, b]: [Link; 2],
        b_to_a: &Pose,
        bound: f64,
        start: &mut Start,
    ) -> Option<Nearest> {
        if !is_near(b_to_a) {
            return None;
        }
        let surfaces = [(a.tree, a.mesh), (b.tree, b.mesh)];
        let NearestPair { triangles, gap } =
            self.surface.nearest(surfaces, b_to_a, bound, &mut start.surface)?;
        Some(Nearest { distance: gap.square.sqrt(), points: gap.points, triangles })
    }

    /// Returns the penetration depth of the links by their triangles; `None` if no point of either
    /// surface is inside the other solid.
    pub fn penetration(&mut self, [a, b]: [Link; 2], b_to_a: &Pose) -> Option<Penetration> {
        if !is_near(b_to_a) {
            return None;
        }
        let Deepest { depth, at_most, points } =
            self.surface.deepest([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a)?;
        Some(Penetration { depth, at_most, points })
    }

    /// Returns whether a point of the surface of a is deeper than `depth` (m) inside the solid b; true if
    /// too many triangles cross to know.
    pub fn is_deeper(&mut self, [a, b]: [Link; 2], b_to_a: &Pose, depth: f64) -> bool {
        is_near(b_to_a)
            && self.surface.is_deeper([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a, (Side::A, depth))
    }

    /// Returns the distance by which crossing triangles of the links reach through each other, m.
    pub fn crossing_reach(&mut self, [a, b]: [Link; 2], b_to_a: &Pose) -> f64 {
        if !is_near(b_to_a) {
            return 0.0;
        }
        self.surface.reach([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a)
    }

    /// Returns whether any query since the last call of this function gave up.
    pub fn has_given_up(&mut self) -> bool {
        self.surface.has_given_up()
    }

    /// Limits every later depth search to about `most` closest-point searches. Values above 8,192 have
    /// no effect.
    pub fn limit_searches(&mut self, most: u32) {
        self.surface.limit_searches(most);
    }

    /// Sets the depth (m) up to which every later depth search takes surfaces as only touching.
    pub fn neglect(&mut self, depth: f64) {
        self.surface.neglect(depth);
    }

    /// Sets a flag that ends every later query early once it is set. The result of such a query is
    /// wrong.
    pub fn stop_on(&mut self, stop: Arc<AtomicBool>) {
        self.surface.stop_on(stop);
    }

    fn query_convex(&mut self, a: &Convex, b: &Convex, b_to_a: &Pose, start: &mut Start) -> WayOut {
        let difference = Difference::new(a, b, b_to_a);
        let (verdict, simplex) = gjk::measure(&difference, &mut start.convex);
        match verdict {
            GjkVerdict::Apart(way) => {
                let distance = way.length();
                let points = difference.points(simplex.used());
                WayOut { distance, depth: 0.0, normal: way / distance, points }
            }
            GjkVerdict::Touching => {
                let Overlap { depth, normal, points } = self.expansion.measure(&difference, &simplex);
                WayOut { distance: 0.0, depth, normal, points }
            }
        }
    }
}

fn is_near(b_to_a: &Pose) -> bool {
    b_to_a.is_finite() && b_to_a.position.abs().max_element() < FARTHEST
}
