//! Depth of two crossing surfaces at one patch of contact.
//!
//! The depth along a normal is the larger of two lengths: the width of the overlap, whose corners are
//! inner vertices and crossings; and the longest path along the normal on which an inner vertex leaves
//! the other surface. Separation along the normal may require more, so the depth is a lower bound. It
//! is exact if the overlap is a cap on either side. The normal with the least depth is chosen among the
//! patch normal, the normals of the faces and edge pairs that cross there, and those of the faces
//! through which vertices leave. Cost: one segment query per inner vertex and promising normal.

use glam::DVec3;

use super::region::InnerRegion;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;
use crate::tree::SegmentStack;

/// Overlap at a patch along a normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    /// Depth, m.
    pub depth: f64,
    /// Unit normal, from b to a.
    pub normal: DVec3,
    /// Deepest points of a and of b.
    pub points: [DVec3; 2],
}

/// A patch of contact at which the overlap is measured.
pub(super) struct Place<'a> {
    pub scope: &'a PosedSurfaces<'a>,
    pub region: &'a InnerRegion,
    pub patch: u32,
    /// Whether one surface may pierce the other. If so, paths also start from crossings, and are also
    /// traced back to where they enter their own surface.
    pub is_through: bool,
}

/// Longest path along a normal on which a point leaves the other surface.
struct Way {
    length: f64,
    points: [DVec3; 2],
    /// Unit normal of the face through which the path leaves, oriented from b to a.
    face: DVec3,
}

/// Largest number of edge pairs whose normals are tested.
const MAX_PAIR_COUNT: usize = 512;
/// Squared sine of the angle up to which two edges count as parallel and give no normal.
const PARALLEL: f64 = 1e-12;
/// Largest number of normals that are tested, in order of increasing overlap width.
const MAX_NORMAL_COUNT: usize = 12;
/// Largest number of times that a normal may be replaced by the normal of a face.
const MAX_TURN_COUNT: usize = 8;
/// Offset of a path's start from its surface, as a share of the path.
const CLEAR: f64 = 1e-6;
/// Offset of the sample points from the ends of an edge part, as a share of the part.
const PART_END: f64 = 1e-4;

impl Place<'_> {
    /// Returns the least overlap over `normals`, of which the first is the most likely one. Empties the
    /// list. `None` if there are no normals or no point is inside.
    pub fn measure(&self, normals: &mut Vec<(f64, DVec3)>, stack: &mut SegmentStack) -> Option<Overlap> {
        let (_, first) = *normals.first()?;
        self.add_pairs_of_edges(normals);
        if !self.is_through {
            // The way out of the other solid is on the side of the first normal.
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

    /// Returns the depth along one normal, m; 0 if no point is inside.
    pub fn along(&self, normal: DVec3, stack: &mut SegmentStack) -> f64 {
        let width = self.width(normal).map_or(0.0, |(width, _)| width);
        self.longest_way(normal, f64::INFINITY, stack).map_or(width, |way| way.length.max(width))
    }

    /// Stores the overlap along `normal` if it is the least so far. Returns a normal that may reduce
    /// the depth further, if any.
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

    /// Returns the width of the overlap along a normal, and the overlap's first and last points along
    /// it; `None` if no point is inside.
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

    /// Adds the normals of all pairs of edge parts at the patch, in both directions.
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

    /// Returns the longest path from the points inside. Stops early at the first path that reaches
    /// `limit` (m).
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
            // Stops at the first path that reaches the limit.
            let _ = ends.into_iter().any(|(side, point)| is_over(side, point));
        }
        longest
    }

    /// Returns the path from a point of one surface, inside the other, to its exit from the other
    /// surface; `None` if there is no exit.
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
