//! Triangles of a surface that reach into the other solid: those that cross its surface, with the segments in
//! which they do, and those wholly inside.
//!
//! Triangles that do not cross are wholly inside or wholly outside, with all that they are connected to
//! without a crossing. So from every corner inside a flood reaches what is inside, in proportion to what that
//! is. Parts of the surface that nothing crosses are asked by one point each.

use glam::DVec3;

use super::curve::segment;
use super::piece::Piece;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;
use crate::tree::{PointStack, SegmentStack};

/// The place of a point beside a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Outside,
    /// As near to the surface as coordinates are rounded.
    On,
    /// Inside the solid, so far (m) from its surface.
    Inside(f64),
}

/// Buffers of queries by a point.
#[derive(Default)]
pub(super) struct Stacks {
    pub points: PointStack,
    pub segments: SegmentStack,
}

/// Shares of the largest coordinates that a point may be off a surface and be on it: some roundings of `f32`.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// Returns how far (m) a point may be off a surface and be on it.
pub(super) fn rounding(scope: &PosedSurfaces, solid: Side) -> f64 {
    let bounds = scope.mesh(solid).bounds();
    ROUNDING * f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
}

impl Place {
    /// Returns where a point lies to the solid of a side.
    pub fn of(scope: &PosedSurfaces, solid: Side, point: DVec3, stacks: &mut Stacks) -> Self {
        let on = rounding(scope, solid);
        if !scope.contains_in_bounds(solid, point, on) {
            return Self::Outside;
        }
        let closest = scope.closest(solid, point, f64::INFINITY, &mut stacks.points);
        match closest {
            Some(closest) if closest.distance <= on => Self::On,
            Some(closest) if scope.surely_contains(solid, point, &mut stacks.segments) => {
                Self::Inside(closest.distance)
            }
            _ => Self::Outside,
        }
    }
}

/// The triangles of one side that reach into the other solid.
#[derive(Default)]
pub(super) struct InsideTriangles {
    /// Triangles that cross the other surface or touch it, each with a triangle of the other; sorted.
    pub crossing: Vec<[u32; 2]>,
    /// Triangles wholly inside.
    pub whole: Vec<u32>,
    /// By triangle: it crosses the other surface, or was reached.
    is_seen: Vec<bool>,
    /// By vertex.
    places: Vec<Option<Place>>,
    open: Vec<u32>,
}

impl InsideTriangles {
    /// Finds the triangles of a side, from all pairs of triangles that intersect.
    pub fn fill(&mut self, scope: &PosedSurfaces, side: Side, pairs: &[[u32; 2]], stacks: &mut Stacks) {
        let mesh = scope.mesh(side);
        self.whole.clear();
        self.crossing.clear();
        self.is_seen.clear();
        self.is_seen.resize(mesh.triangles().len(), false);
        self.places.clear();
        self.places.resize(mesh.vertices().len(), None);
        self.crossing.extend(pairs.iter().map(|pair| [pair[side as usize], pair[side.other() as usize]]));
        self.crossing.sort_unstable();
        for &[own, _] in &self.crossing {
            self.is_seen[own as usize] = true;
        }
        for at in 0..self.crossing.len() {
            let [own, _] = self.crossing[at];
            if at == 0 || self.crossing[at - 1][0] != own {
                self.flood_beside(scope, side, own, stacks);
            }
        }
        if pairs.is_empty() || mesh.surface().flaws.component_count > 1 {
            self.flood_apart(scope, side, stacks);
        }
    }

    /// Returns where a vertex of the side lies.
    pub fn place(&mut self, scope: &PosedSurfaces, side: Side, vertex: u32, stacks: &mut Stacks) -> Place {
        let known = &mut self.places[vertex as usize];
        *known.get_or_insert_with(|| Place::of(scope, side.other(), scope.point(side, vertex), stacks))
    }

    /// Collects the triangles inside beside one that crosses.
    fn flood_beside(&mut self, scope: &PosedSurfaces, side: Side, triangle: u32, stacks: &mut Stacks) {
        let corners = scope.mesh(side).triangles()[triangle as usize];
        let inside = corners.map_each(|v| matches!(self.place(scope, side, v, stacks), Place::Inside(_)));
        let beside: [Option<u32>; 3] = scope.across(side, triangle);
        for k in 0..3 {
            if inside[k] && inside[(k + 1) % 3] {
                self.open.extend(beside[k]);
            }
        }
        self.flood(scope, side);
    }

    fn flood(&mut self, scope: &PosedSurfaces, side: Side) {
        while let Some(triangle) = self.open.pop() {
            if !std::mem::replace(&mut self.is_seen[triangle as usize], true) {
                self.whole.push(triangle);
                self.open.extend(scope.across(side, triangle).into_iter().flatten());
            }
        }
    }

    /// Collects the parts of the surface that lie inside without a crossing.
    fn flood_apart(&mut self, scope: &PosedSurfaces, side: Side, stacks: &mut Stacks) {
        for triangle in 0..self.is_seen.len() as u32 {
            if self.is_seen[triangle as usize] {
                continue;
            }
            let before = self.whole.len();
            self.open.push(triangle);
            self.flood(scope, side);
            let [vertex, ..] = scope.mesh(side).triangles()[triangle as usize];
            if !matches!(self.place(scope, side, vertex, stacks), Place::Inside(_)) {
                self.whole.truncate(before);
            }
        }
    }
}

/// Appends the segment in which a triangle of a side crosses one of the other, or the outline of where it
/// touches it.
pub(super) fn add_segments(
    scope: &PosedSurfaces,
    side: Side,
    [own, triangle]: [u32; 2],
    segments: &mut Vec<[DVec3; 2]>,
) {
    let pair = if side == Side::A { [own, triangle] } else { [triangle, own] };
    if let Some(ends) = segment(scope, pair) {
        segments.push(ends.map_each(|end| end.point));
        return;
    }
    let other = side.other();
    let (others, across) = (scope.corners(other, triangle), scope.normal(other, triangle));
    // Less than what counts as depth, or strips along edges that touch would.
    let near = 0.1 * (rounding(scope, side) + rounding(scope, other));
    let corners = scope.corners(side, own).map_each(|corner| (corner, None));
    let mut touching = Piece::new(own, corners, scope.normal(side, own), Vec::new());
    touching.cut(across, across.dot(others[0]) + near);
    touching.cut(-across, near - across.dot(others[0]));
    for k in 0..3 {
        let out = (others[(k + 1) % 3] - others[k]).cross(across).normalize_or_zero();
        touching.cut(out, out.dot(others[k]) + near);
    }
    let points = touching.corners.iter().map(|(point, _)| *point);
    let next = points.clone().cycle().skip(1);
    segments.extend(points.zip(next).map(|(from, to)| [from, to]));
}
