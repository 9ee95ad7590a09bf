//! The exact query between two links: whether they meet, how far apart they are, or how deep they are in each
//! other and which way is out. What SWIFT++ and DEEP do in \[cab\] §4.
//!
//! Convex links: GJK on their difference and, if they meet, the expanding polytope. Others by their
//! triangles: exact intersection and distance over the hierarchies, and a local depth from the curve where
//! they cross. Solids are closed: touching is meeting.
//!
//! - `curve.rs`: the curve where two surfaces cross, in patches of contact.
//! - `depth.rs`: how deep two solids are in each other, as a greatest distance.
//! - `depth_part.rs`: a part of two surfaces that may hold the deepest point.
//! - `difference.rs`: the difference of two convex links.
//! - `distance.rs`: the triangles by which two surfaces are nearest.
//! - `faces.rs`: the flat faces of a surface.
//! - `gjk.rs`: whether two convex links meet, and how far apart they are.
//! - `hull.rs`: a convex link: its hull, and the vertex farthest in a direction.
//! - `inside.rs`: triangles of a surface that reach into the other solid.
//! - `local_depth.rs`: how deep two surfaces that cross are in each other at one patch.
//! - `penetration.rs`: how deep two convex links are in each other, by the expanding polytope.
//! - `piece.rs`: a piece of a triangle around what of it is inside.
//! - `polytope.rs`: a convex polytope of triangles that grows by one point at a time.
//! - `reach.rs`: how far sheets that cross reach through each other.
//! - `region.rs`: what of each surface is inside the other.
//! - `scope.rs`: two surfaces in one space.
//! - `simplex.rs`: the point of a simplex that is nearest to the origin.
//! - `surface.rs`: the query of links that are not convex, by their triangles.
//! - `tests/`: the queries against brute force that shares nothing with them.
//! - `triangles.rs`: how far apart two triangles are.
//! - `union.rs`: sets that are joined (union–find).
//! - `within.rs`: whether two surfaces come near each other.

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
mod union;
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
use penetration::{Expansion, Overlap};
pub use within::are_within;

/// How far apart two surfaces are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// m; 0 if the surfaces intersect.
    pub distance: f64,
    /// The nearest points of a and of b. A common point if they intersect.
    pub points: [DVec3; 2],
    /// Those on which the points are, one of a and one of b.
    pub triangles: [u32; 2],
}

/// How deep two solids are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// The greatest distance that was found from a point of one surface, inside the other solid, to the
    /// other's surface, m.
    pub depth: f64,
    /// The greatest distance is not more than this, m.
    pub at_most: f64,
    /// The point of a and that of b at that distance; one lies inside the other solid, the other is the point
    /// of that solid's surface nearest to it.
    pub points: [DVec3; 2],
}

/// How two solids lie to each other along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayOut {
    /// m; 0 if they meet.
    pub distance: f64,
    /// How far a must move along the normal to come free, m; 0 if apart. Solids that are asked as convex: the
    /// least of all directions, within 1e-12 of their size. Others: an estimate for the deepest patch of
    /// contact, followed along its normal until the surfaces stop crossing, eight moves at most; another way
    /// may be shorter.
    pub depth: f64,
    /// Unit, from b to a.
    pub normal: DVec3,
    /// A point of a and one of b: the nearest, or the deepest in each other.
    pub points: [DVec3; 2],
}

impl WayOut {
    /// The answer for a pose at which the links are infinitely far apart.
    fn infinitely_apart() -> Self {
        Self { distance: f64::INFINITY, depth: 0.0, normal: DVec3::X, points: [DVec3::ZERO; 2] }
    }
}

/// A link as it is asked about.
#[derive(Clone, Copy)]
pub struct Link<'a> {
    /// Both links' trees are of one kind.
    pub tree: &'a Tree,
    pub mesh: &'a Mesh,
    /// The surface as a convex one, if it is.
    pub convex: Option<&'a Convex>,
}

/// What is known of a pair of links from its last query; kept by the caller, one a pair. Empty at first; one
/// that belongs to other links costs time, but only surfaces that are not convex must have their own.
#[derive(Clone, Debug, Default)]
pub struct Start {
    convex: gjk::Start,
    surface: surface::Memory,
}

/// The queries; what they need grows to the largest pair they meet.
#[derive(Default)]
pub struct Exact {
    expansion: Expansion,
    surface: surface::Scratch,
}

/// Positions beyond this (m) leave `f64` when squared.
const FARTHEST: f64 = 1e100;

impl Exact {
    /// Whether the links meet. What costs least, as most pairs do not.
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

    /// How the links lie to each other. A pose that is not finite puts b infinitely far away.
    pub fn query(&mut self, [a, b]: [Link; 2], b_to_a: &Pose, start: &mut Start) -> WayOut {
        if !is_near(b_to_a) {
            return WayOut::infinitely_apart();
        }
        match (a.convex, b.convex) {
            (Some(a), Some(b)) => self.query_convex(a, b, b_to_a, start),
            _ => self.surface.query([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a, &mut start.surface),
        }
    }

    /// How far apart the links' surfaces are, by their triangles; `None` if farther than `bound` (m).
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

    /// How deep the links are in each other, by their triangles; `None` if no point of either surface is
    /// inside the other.
    pub fn penetration(&mut self, [a, b]: [Link; 2], b_to_a: &Pose) -> Option<Penetration> {
        if !is_near(b_to_a) {
            return None;
        }
        let Deepest { depth, at_most, points } =
            self.surface.deepest([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a)?;
        Some(Penetration { depth, at_most, points })
    }

    /// How far triangles of the links that cross reach through each other, m.
    pub fn crossing_reach(&mut self, [a, b]: [Link; 2], b_to_a: &Pose) -> f64 {
        if !is_near(b_to_a) {
            return 0.0;
        }
        self.surface.reach([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a)
    }

    /// Whether a query since the last call gave up.
    pub fn has_given_up(&mut self) -> bool {
        self.surface.has_given_up()
    }

    /// From here on the search for a depth ends after about so many closest points; 8,192 at most.
    pub fn limit_searches(&mut self, most: u32) {
        self.surface.limit_searches(most);
    }

    /// From here on a query ends early once the flag is set; its answer is then wrong.
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
