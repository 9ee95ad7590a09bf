//! How deep two surfaces that cross are in each other at one patch of contact.
//!
//! Along a normal: the larger of how wide the overlap is (its corners are vertices inside and crossings), and
//! of the longest way along the normal on which a vertex inside leaves the other surface. Both are needed to
//! come free along the normal and neither need suffice, so it is a lower bound; it is exact where the overlap
//! is a cap on either side. The normal is the one of least depth among those across the patch, those of the
//! faces and of the pairs of edges that cross there, and those of the faces that the vertices leave through.
//! Cost: a segment query for each vertex inside and normal that could be better; most could not.

use glam::DVec3;

use super::region::InnerRegion;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;
use crate::tree::SegmentStack;

/// The overlap at a patch along a normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    /// m.
    pub depth: f64,
    /// Unit, from b to a.
    pub normal: DVec3,
    /// The deepest of a and of b.
    pub points: [DVec3; 2],
}

/// Where the overlap is measured.
pub(super) struct Place<'a> {
    pub scope: &'a PosedSurfaces<'a>,
    pub region: &'a InnerRegion,
    pub patch: u32,
    /// One may go right through the other: then ways are looked at from crossings too, and followed back to
    /// where they enter their own surface.
    pub is_through: bool,
}

/// The longest way along a normal.
struct Way {
    length: f64,
    points: [DVec3; 2],
    /// Normal of the face it leaves through; unit, from b to a.
    face: DVec3,
}

/// Pairs of edges whose normals are tried.
const MAX_PAIR_COUNT: usize = 512;
/// Squared sine below which two edges have no normal.
const PARALLEL: f64 = 1e-12;
/// Normals that are tried, those along which the overlap is narrowest first.
const MAX_NORMAL_COUNT: usize = 12;
/// How often the normal may be turned to a face.
const MAX_TURN_COUNT: usize = 8;
/// Share of a way by which it starts off a surface it begins on.
const CLEAR: f64 = 1e-6;
/// Share of an edge's part by which its ends are inside.
const PART_END: f64 = 1e-4;

impl Place<'_> {
    /// The least overlap; `normals` are those to try, the first the most likely, and are used up. `None` if
    /// there are no normals or nothing is inside.
    pub fn measure(&self, normals: &mut Vec<(f64, DVec3)>, stack: &mut SegmentStack) -> Option<Overlap> {
        let (_, first) = *normals.first()?;
        self.add_pairs_of_edges(normals);
        if !self.is_through {
            // The way out is on the side it came from.
            normals.retain(|(_, normal)| normal.dot(first) > 0.0);
        }
        for (width, normal) in normals.iter_mut() {
            *width = self.width(*normal)?.0;
        }
        normals.sort_by(|x, y| x.0.total_cmp(&y.0));
        let mut best: Option<Overlap> = None;
        for (width, normal) in normals.drain(..).take(MAX_NORMAL_COUNT) {
            if best.is_some_and(|b| b.depth <= width) {
                break;
            }
            let mut turned = Some(normal);
            for _ in 0..MAX_TURN_COUNT {
                let Some(normal) = turned else { break };
                turned = self.improve(&mut best, normal, stack);
            }
        }
        best
    }

    /// How deep along one normal, m; 0 if nothing is inside.
    pub fn along(&self, normal: DVec3, stack: &mut SegmentStack) -> f64 {
        let width = self.width(normal).map_or(0.0, |(width, _)| width);
        self.longest_way(normal, f64::INFINITY, stack).map_or(width, |way| way.length.max(width))
    }

    /// Takes a normal if it makes the depth less, and says which may make it less again.
    fn improve(&self, best: &mut Option<Overlap>, normal: DVec3, stack: &mut SegmentStack) -> Option<DVec3> {
        let limit = best.map_or(f64::INFINITY, |b| b.depth);
        let (width, points) = self.width(normal)?;
        if width >= limit {
            return None;
        }
        let way = self.longest_way(normal, limit, stack);
        match way {
            Some(way) if way.length >= limit => None,
            Some(way) if way.length > width => {
                *best = Some(Overlap { depth: way.length, normal, points: way.points });
                Some(way.face)
            }
            way => {
                *best = Some(Overlap { depth: width, normal, points });
                way.map(|way| way.face)
            }
        }
    }

    /// How wide the overlap is along a normal, and its first and last points; `None` if it has none.
    fn width(&self, normal: DVec3) -> Option<(f64, [DVec3; 2])> {
        let vertices = self.region.vertices.iter().filter(|v| v.patch == self.patch).map(|v| v.point);
        let ends = self.region.parts.iter().filter(|p| p.patch == self.patch).flat_map(|p| p.ends);
        let mut range: Option<[(f64, DVec3); 2]> = None;
        for point in vertices.chain(ends) {
            let height = point.dot(normal);
            let [low, high] = range.get_or_insert([(height, point); 2]);
            if height < low.0 {
                *low = (height, point);
            }
            if height > high.0 {
                *high = (height, point);
            }
        }
        range.map(|[low, high]| (high.0 - low.0, [low.1, high.1]))
    }

    fn add_pairs_of_edges(&self, normals: &mut Vec<(f64, DVec3)>) {
        let parts =
            |side: Side| self.region.parts.iter().filter(move |p| p.side == side && p.patch == self.patch);
        let along = |ends: [DVec3; 2]| ends[1] - ends[0];
        let pairs = parts(Side::A).flat_map(|a| parts(Side::B).map(move |b| (along(a.ends), along(b.ends))));
        for (u, v) in pairs.take(MAX_PAIR_COUNT) {
            let cross = u.cross(v);
            if cross.length_squared() > PARALLEL * u.length_squared() * v.length_squared() {
                let normal = cross.normalize();
                normals.extend([(0.0, normal), (0.0, -normal)]);
            }
        }
    }

    /// The longest way of those from points inside; any that reaches `limit`.
    fn longest_way(&self, normal: DVec3, limit: f64, stack: &mut SegmentStack) -> Option<Way> {
        let mut longest: Option<Way> = None;
        let mut is_over = |side: Side, point: DVec3| {
            if let Some(way) = self.way(side, point, normal, stack)
                && longest.as_ref().is_none_or(|l| way.length > l.length)
            {
                longest = Some(way);
            }
            longest.as_ref().is_some_and(|l| l.length >= limit)
        };
        let vertices = self.region.vertices.iter().filter(|v| v.patch == self.patch);
        let over = vertices.into_iter().any(|v| is_over(v.side, v.point));
        if !over && self.is_through {
            let parts = self.region.parts.iter().filter(|p| p.patch == self.patch);
            let ends = parts.flat_map(|p| {
                [PART_END, 1.0 - PART_END].map_each(|t| (p.side, p.ends[0].lerp(p.ends[1], t)))
            });
            // Stops at the first that is over.
            let _ = ends.into_iter().any(|(side, point)| is_over(side, point));
        }
        longest
    }

    /// From a point of one surface inside the other to where it leaves that.
    fn way(&self, side: Side, point: DVec3, normal: DVec3, stack: &mut SegmentStack) -> Option<Way> {
        let direction = side.out(normal);
        let (ahead, triangle) = self.scope.exit(side.other(), point, direction, stack)?;
        let mut face = side.out(self.scope.normal(side.other(), triangle));
        let mut behind = 0.0;
        if self.is_through {
            let start = point - CLEAR * ahead * direction;
            if let Some((more, triangle)) = self.scope.exit(side, start, -direction, stack) {
                behind = more + CLEAR * ahead;
                if behind > ahead {
                    face = side.out(-self.scope.normal(side, triangle));
                }
            }
        }
        let (entry, exit) = (point - behind * direction, point + ahead * direction);
        let points = if side == Side::A { [entry, exit] } else { [exit, entry] };
        Some(Way { length: ahead + behind, points, face })
    }
}
