//! Triangles of one surface that reach into the other solid: those that cross the other surface, with
//! their crossing segments, and those wholly inside.
//!
//! A triangle that does not cross is wholly inside or wholly outside, together with all triangles
//! connected to it without a crossing. So a flood fill from the edges of crossing triangles that are
//! inside finds the triangles inside, in time proportional to their number. Each part of the surface
//! without a crossing is classified by one point.

use glam::DVec3;

use super::curve::segment;
use super::piece::Piece;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::tree::{PointStack, SegmentStack};

/// Position of a point relative to a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Outside,
    /// Nearer to the surface than the rounding of coordinates.
    On,
    /// Inside the solid, at this distance (m) from its surface.
    Inside(f64),
}

/// Buffers of point queries.
#[derive(Default)]
pub(super) struct Stacks {
    pub points: PointStack,
    pub segments: SegmentStack,
}

/// Returns the distance (m) up to which a point counts as on the surface of `solid`.
pub(super) fn rounding(scope: &PosedSurfaces, solid: Side) -> f64 {
    coordinate_error(scope.mesh(solid))
}

/// Returns the distance (m) by which a point of a surface may be off because coordinates are rounded
/// to `f32`: half a unit in each coordinate.
pub fn coordinate_error(mesh: &Mesh) -> f64 {
    let bounds = mesh.bounds();
    let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
    0.5 * f64::from(f32::EPSILON) * largest.length()
}

impl Place {
    /// Classifies a point relative to the solid `solid`.
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

/// Triangles of one side that reach into the other solid.
#[derive(Default)]
pub(super) struct InsideTriangles {
    /// Triangles that cross or touch the other surface, each with one such triangle of the other
    /// surface; sorted.
    pub crossing: Vec<[u32; 2]>,
    /// Triangles wholly inside.
    pub whole: Vec<u32>,
    /// Whether each triangle crosses the other surface or was already reached by the fill.
    is_seen: Vec<bool>,
    /// Position of each vertex relative to the other solid; `None` if not yet computed.
    places: Vec<Option<Place>>,
    open: Vec<u32>,
}

impl InsideTriangles {
    /// Collects the triangles of a side, given all intersecting pairs of triangles of the two surfaces.
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

    /// Returns the position of a vertex of the side relative to the other solid. Computes it if it is
    /// not yet known.
    pub fn place(&mut self, scope: &PosedSurfaces, side: Side, vertex: u32, stacks: &mut Stacks) -> Place {
        let known = &mut self.places[vertex as usize];
        *known.get_or_insert_with(|| Place::of(scope, side.other(), scope.point(side, vertex), stacks))
    }

    /// Collects the triangles inside that are connected to a crossing triangle.
    fn flood_beside(&mut self, scope: &PosedSurfaces, side: Side, triangle: u32, stacks: &mut Stacks) {
        let corners = scope.mesh(side).triangles()[triangle as usize];
        let places = corners.map_each(|vertex| self.place(scope, side, vertex, stacks));
        let beside: [Option<u32>; 3] = scope.across(side, triangle);
        for (k, neighbor) in beside.into_iter().enumerate() {
            let ends = [places[k], places[(k + 1) % 3]];
            if let Some(neighbor) = neighbor.filter(|_| !ends.contains(&Place::Outside))
                && !self.is_seen[neighbor as usize]
                && (!ends.contains(&Place::On) || self.is_whole_inside(scope, side, neighbor, stacks))
            {
                self.open.push(neighbor);
            }
        }
        self.flood(scope, side);
    }

    /// Returns whether a triangle that does not cross the other surface is inside. Any point of it that
    /// is not on the other surface decides.
    fn is_whole_inside(
        &mut self,
        scope: &PosedSurfaces,
        side: Side,
        triangle: u32,
        stacks: &mut Stacks,
    ) -> bool {
        let corners = scope.mesh(side).triangles()[triangle as usize];
        let places = corners.map_each(|vertex| self.place(scope, side, vertex, stacks));
        let middle = || scope.corners(side, triangle).into_iter().sum::<DVec3>() / 3.0;
        let clear = places.into_iter().find(|place| *place != Place::On);
        let place = clear.unwrap_or_else(|| Place::of(scope, side.other(), middle(), stacks));
        matches!(place, Place::Inside(_))
    }

    /// Collects the triangles reachable from those in `open` without a crossing.
    fn flood(&mut self, scope: &PosedSurfaces, side: Side) {
        while let Some(triangle) = self.open.pop() {
            if !std::mem::replace(&mut self.is_seen[triangle as usize], true) {
                self.whole.push(triangle);
                self.open.extend(scope.across(side, triangle).into_iter().flatten());
            }
        }
    }

    /// Collects the parts of the surface that lie inside and have no crossing.
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

/// Appends the segment in which a triangle of a side crosses one of the other side. If the two only
/// touch, appends the outline of the touching area.
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
    // Less than the least distance that counts as depth; with more, strips along touching edges would
    // count as depth.
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
