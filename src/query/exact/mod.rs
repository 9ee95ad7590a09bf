//! The exact query between two links: whether they meet, how far apart they are, or how deep they are in each
//! other and which way is out. What SWIFT++ and DEEP do in \[cab\] §4.
//!
//! Convex links: GJK on their difference and, if they meet, the expanding polytope. Others by their
//! triangles: exact intersection and distance over the hierarchies, and a local depth from the curve where
//! they cross. Solids are closed: touching is meeting.
//!
//! - `curve.rs`: the curve where two surfaces cross, in patches of contact.
//! - `difference.rs`: the difference of two convex links.
//! - `gjk.rs`: whether two convex links meet, and how far apart they are.
//! - `hull.rs`: a convex link: its hull, and the vertex farthest in a direction.
//! - `local_depth.rs`: how deep two surfaces that cross are in each other at one patch.
//! - `penetration.rs`: how deep two convex links are in each other, by the expanding polytope.
//! - `polytope.rs`: a convex polytope of triangles that grows by one point at a time.
//! - `region.rs`: what of each surface is inside the other.
//! - `scope.rs`: two surfaces in one space.
//! - `simplex.rs`: the point of a simplex that is nearest to the origin.
//! - `surface.rs`: the query of links that are not convex, by their triangles.
//! - `tests/`: the queries against brute force that shares nothing with them.
//! - `triangles.rs`: how far apart two triangles are.
//! - `union.rs`: sets that are joined (union–find).
//! - `within.rs`: whether two surfaces come near each other.

mod curve;
mod difference;
mod gjk;
mod hull;
mod local_depth;
mod penetration;
mod polytope;
mod region;
mod scope;
mod simplex;
mod surface;
mod triangles;
mod union;
mod within;

#[cfg(test)]
mod tests;

use glam::DVec3;

use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::Tree;
use difference::Difference;
use gjk::GjkVerdict;
pub use hull::Convex;
use penetration::{Expansion, Penetration};
pub use within::are_within;

/// How two links lie to each other. Points and directions in the body space of a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// m; 0 if they meet.
    pub distance: f64,
    /// How far a must move along the normal to come free, m; 0 if apart. Convex links: the least of all
    /// directions, within 1e-12 of the links' size. Others: an estimate for the deepest patch of contact,
    /// followed along its normal until the surfaces stop crossing, eight moves at most; another way out may
    /// be shorter.
    pub depth: f64,
    /// Unit, from b to a.
    pub normal: DVec3,
    /// A point of a and one of b: the nearest, `distance` apart, or the deepest in each other. Those of
    /// convex links are `depth` apart along the normal.
    pub points: [DVec3; 2],
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
    pub fn query(&mut self, [a, b]: [Link; 2], b_to_a: &Pose, start: &mut Start) -> Answer {
        if !is_near(b_to_a) {
            let (distance, points) = (f64::INFINITY, [DVec3::ZERO; 2]);
            return Answer { distance, depth: 0.0, normal: DVec3::X, points };
        }
        match (a.convex, b.convex) {
            (Some(a), Some(b)) => self.query_convex(a, b, b_to_a, start),
            _ => self.surface.query([(a.tree, a.mesh), (b.tree, b.mesh)], b_to_a, &mut start.surface),
        }
    }

    fn query_convex(&mut self, a: &Convex, b: &Convex, b_to_a: &Pose, start: &mut Start) -> Answer {
        let difference = Difference::new(a, b, b_to_a);
        let (verdict, simplex) = gjk::measure(&difference, &mut start.convex);
        match verdict {
            GjkVerdict::Apart(way) => {
                let distance = way.length();
                let points = difference.points(simplex.used());
                Answer { distance, depth: 0.0, normal: way / distance, points }
            }
            GjkVerdict::Touching => {
                let Penetration { depth, normal, points } = self.expansion.measure(&difference, &simplex);
                Answer { distance: 0.0, depth, normal, points }
            }
        }
    }
}

fn is_near(b_to_a: &Pose) -> bool {
    b_to_a.is_finite() && b_to_a.position.abs().max_element() < FARTHEST
}
