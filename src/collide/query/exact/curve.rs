//! Curves in which two surfaces cross. The segments of the intersecting triangle pairs are grouped into
//! patches of contact. The points at which edges pierce triangles are also found.
//!
//! The area vector of the closed curve around a patch is half the sum of p × q over its segments from p
//! to q. It is normal to the patch. Segments run along (normal of b) × (normal of a), so the area
//! vector points from b to a.

use glam::DVec3;

use super::scope::{PosedSurfaces, Side};

use crate::arrays::MapEach;
use crate::unions::Unions;

/// Crossing of an edge of one surface with a triangle of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub side: Side,
    pub edge: u32,
    /// Position on the edge, as a share of its length from its first vertex.
    pub at: f64,
    /// Whether the edge's second vertex is on the inner side of the triangle.
    pub enters: bool,
    pub patch: u32,
}

/// Patch of contact: a connected part of the crossing curves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Area vector of the patch, from b to a, m²; zero where the surfaces only touch.
    pub area: DVec3,
    /// Sum of the outward normals of b's triangles and the inward normals of a's triangles in the
    /// patch.
    pub facing: DVec3,
    /// Length of its curve, m.
    pub length: f64,
    /// A point near the patch.
    pub point: DVec3,
}

#[derive(Default)]
pub(super) struct Curve {
    pub patches: Vec<Patch>,
    /// Crossings, sorted by side, then edge, then position on the edge.
    pub crossings: Vec<Crossing>,
    /// Sets of pairs that belong to one patch.
    joined: Unions,
    /// Patch index of each pair.
    patch_of: Vec<u32>,
}

/// Point at which an edge of a triangle crosses the other triangle's plane. It lies on the intersection
/// line of both planes.
#[derive(Clone, Copy)]
pub(super) struct End {
    place: f64,
    pub point: DVec3,
    side: Side,
    triangle: u32,
    corner: usize,
    at: f64,
    enters: bool,
}

/// Area of a patch, as a share of its squared curve length, up to which the area vector has no reliable
/// direction.
const THIN: f64 = 1e-6;

impl Patch {
    /// Returns the unit normal of the patch, from b to a; zero if it has no direction.
    pub fn across(&self) -> DVec3 {
        let is_thin = self.area.length() <= THIN * self.length * self.length;
        (if is_thin { self.facing } else { self.area }).normalize_or_zero()
    }
}

impl Curve {
    /// Returns the patch index of each pair.
    pub fn patch_of_pairs(&self) -> &[u32] {
        &self.patch_of
    }

    /// Computes the patches of all intersecting pairs of triangles. `pairs` must be sorted.
    pub fn trace(&mut self, scope: &PosedSurfaces, pairs: &[[u32; 2]]) {
        self.join(scope, pairs);
        self.patches.clear();
        self.crossings.clear();
        self.patch_of.clear();
        for (index, &[ta, tb]) in pairs.iter().enumerate() {
            // The root of a patch comes before its other pairs.
            let root = self.joined.settled(index as u32) as usize;
            let (na, nb) = (scope.normal(Side::A, ta), scope.normal(Side::B, tb));
            if root == index {
                self.patch_of.push(self.patches.len() as u32);
                let [point, ..] = scope.corners(Side::A, ta);
                self.patches.push(Patch { area: DVec3::ZERO, facing: DVec3::ZERO, length: 0.0, point });
            } else {
                self.patch_of.push(self.patch_of[root]);
            }
            let number = self.patch_of[index];
            let patch = &mut self.patches[number as usize];
            patch.facing += nb - na;
            let Some([from, to]) = segment(scope, [ta, tb]) else { continue };
            if patch.length == 0.0 {
                patch.point = from.point;
            }
            patch.area += 0.5 * (from.point - patch.point).cross(to.point - patch.point);
            patch.length += from.point.distance(to.point);
            for end in [from, to] {
                self.crossings.extend(end.crossing(scope, number));
            }
        }
        self.crossings
            .sort_unstable_by(|x, y| (x.side, x.edge).cmp(&(y.side, y.edge)).then(x.at.total_cmp(&y.at)));
    }

    /// Joins the pairs of each patch. Two pairs belong to one patch if they share a
    /// triangle and their other triangles are neighbors.
    fn join(&mut self, scope: &PosedSurfaces, pairs: &[[u32; 2]]) {
        self.joined.begin(pairs.len());
        for (index, &[ta, tb]) in pairs.iter().enumerate() {
            let beside_a = scope.neighbors(Side::A, ta).map(|t| [t, tb]);
            let beside_b = scope.neighbors(Side::B, tb).map(|t| [ta, t]);
            for beside in beside_a.chain(beside_b) {
                if let Ok(other) = pairs.binary_search(&beside) {
                    self.joined.unite(index as u32, other as u32);
                }
            }
        }
        self.joined.settle();
    }
}

/// Returns the ends of the segment in which two triangles cross, ordered along (normal of b) × (normal
/// of a); `None` if they do not cross, or only touch.
pub(super) fn segment(scope: &PosedSurfaces, [ta, tb]: [u32; 2]) -> Option<[End; 2]> {
    let (a, b) = (scope.corners(Side::A, ta), scope.corners(Side::B, tb));
    let (na, nb) = (scope.normal(Side::A, ta), scope.normal(Side::B, tb));
    let along = nb.cross(na);
    let of_a = interval(Side::A, ta, &a, |p| nb.dot(p - b[0]), along)?;
    let of_b = interval(Side::B, tb, &b, |p| na.dot(p - a[0]), along)?;
    let from = if of_a[0].place >= of_b[0].place { of_a[0] } else { of_b[0] };
    let to = if of_a[1].place <= of_b[1].place { of_a[1] } else { of_b[1] };
    (from.place < to.place).then_some([from, to])
}

/// Returns the two edge points at which a triangle crosses a plane, ordered along `along`; `None` if
/// the triangle is on one side. `height`: height of a point above the plane.
fn interval(
    side: Side,
    triangle: u32,
    corners: &[DVec3; 3],
    height: impl Fn(DVec3) -> f64,
    along: DVec3,
) -> Option<[End; 2]> {
    let heights = corners.map_each(height);
    let ends = [0, 1, 2].map_each(|corner| {
        let next = (corner + 1) % 3;
        let (h, k) = (heights[corner], heights[next]);
        if (h > 0.0) == (k > 0.0) {
            return None;
        }
        let at = h / (h - k);
        let point = corners[corner].lerp(corners[next], at);
        Some(End { place: along.dot(point), point, side, triangle, corner, at, enters: k <= 0.0 })
    });
    let mut ends = ends.into_iter().flatten();
    let (x, y) = (ends.next()?, ends.next()?);
    Some(if x.place <= y.place { [x, y] } else { [y, x] })
}

impl End {
    /// Returns the end as a crossing of its edge; `None` unless the end's triangle owns the edge, so
    /// that each crossing is reported once.
    fn crossing(&self, scope: &PosedSurfaces, patch: u32) -> Option<Crossing> {
        let topology = scope.mesh(self.side).topology();
        let edge = topology.triangle_edges(self.triangle)[self.corner];
        let owner = topology.edges()[edge as usize].triangles[0];
        let Self { side, at, enters, .. } = *self;
        (owner == self.triangle).then_some(Crossing { side, edge, at, enters, patch })
    }
}
