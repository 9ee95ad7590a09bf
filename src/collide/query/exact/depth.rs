//! Penetration depth of two solids: the greatest distance from a point of either surface, inside the
//! other solid, to the surface of that other solid.
//!
//! The search runs over parts of both surfaces: groups of triangles inside, and pieces of triangles
//! that cross. Each part has two bounds: the distance of one of its points, and a distance that none of
//! its points exceeds. The distance to a triangle of the other surface, or to a flat face, is convex,
//! so its maximum over a group is at a corner (Tang, Lee and Kim 2009, "Interactive Hausdorff distance
//! computation for general polygonal models"). The part with the greatest upper bound is halved, until
//! no upper bound exceeds the depth found by more than `CLOSE`.

use std::collections::BinaryHeap;

use glam::DVec3;

use super::depth_part::{Content, Outline, Part, box_around};
use super::faces::Faces;
use super::inside::{InsideTriangles, Place, Stacks, add_segments, rounding};
use super::piece::Piece;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;

/// Relative tolerance of the depth.
const CLOSE: f64 = 0.04;
/// Largest number of moves from the deepest point found to a deeper one.
const MOST_MOVES: usize = 8;
/// Largest number of neighbors that are tested per move.
const MOST_NEIGHBORS: usize = 24;
/// Least relative gain of depth with which the moves continue.
const MOVED: f64 = 1e-3;
/// Number of closest-point searches after which the depth found so far is returned, unless a lower
/// limit is set.
const MOST_SEARCHES: u32 = 8192;

/// Deepest point found, and an upper bound of the depth of all points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deepest {
    /// Depth, m.
    pub depth: f64,
    /// Upper bound of the depth, m.
    pub at_most: f64,
    /// Point of a and point of b.
    pub points: [DVec3; 2],
}

/// Triangle that a point lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Origin {
    side: Side,
    triangle: u32,
}

#[derive(Default)]
pub(super) struct DepthSearch {
    /// Difference between [`MOST_SEARCHES`] and the limit on searches.
    spared: u32,
    inside: [InsideTriangles; 2],
    faces: [Faces; 2],
    stacks: Stacks,
    open: BinaryHeap<Part>,
    best: Option<Deepest>,
    /// Triangle of the deepest point.
    origin: Option<Origin>,
    /// Depth up to which surfaces count as only touching, m: that of rounding, or `least` if it is more.
    rounding: f64,
    /// Depth up to which points are not searched for, m; see [`DepthSearch::neglect`].
    least: f64,
    /// Greatest upper bound of the parts that were not halved further, m.
    passed: f64,
    search_count: u32,
    part_count: u32,
}

impl DepthSearch {
    /// Limits each depth search to `most` closest-point searches, if that is less than `MOST_SEARCHES`.
    pub fn limit_searches(&mut self, most: u32) {
        self.spared = MOST_SEARCHES.saturating_sub(most);
    }

    /// Sets the depth (m) up to which a point does not count as inside; see
    /// [`PairMemory::neglect`](crate::query::PairMemory::neglect).
    pub fn neglect(&mut self, least: f64) {
        self.least = least;
    }

    /// Returns the depth of two solids, given all intersecting pairs of triangles; `None` if no point
    /// of either surface is inside the other solid.
    pub fn deepest(&mut self, scope: &PosedSurfaces, pairs: &[[u32; 2]]) -> Option<Deepest> {
        if pairs.is_empty() && Side::BOTH.map_each(|side| self.is_outside(scope, side)) == [true; 2] {
            return None;
        }
        self.search(scope, pairs, (&Side::BOTH, f64::INFINITY));
        self.polish(scope);
        // No point of one solid is deeper than the size of the larger solid.
        let sizes = Side::BOTH.map_each(|side| f64::from(scope.mesh(side).bounds().diagonal()));
        let most = self.passed.min(sizes[0].max(sizes[1]));
        self.best.map(|best| Deepest { at_most: most.max(best.depth), ..best })
    }

    /// Returns whether a point of one surface is deeper than `depth` (m) inside the other solid, given
    /// all intersecting pairs of triangles. A lower limit than `MOST_SEARCHES` does not apply, so that the
    /// answer does not depend on it.
    pub fn is_deeper(
        &mut self,
        scope: &PosedSurfaces,
        pairs: &[[u32; 2]],
        (side, depth): (Side, f64),
    ) -> bool {
        if pairs.is_empty() && self.is_outside(scope, side) {
            return false;
        }
        let spared = std::mem::take(&mut self.spared);
        self.search(scope, pairs, (&[side], depth));
        self.spared = spared;
        self.best.is_some_and(|best| best.depth > depth)
    }

    /// Searches for the deepest point of some surfaces. Ends as soon as a point is deeper than `enough`
    /// (m).
    fn search(&mut self, scope: &PosedSurfaces, pairs: &[[u32; 2]], (sides, enough): (&[Side], f64)) {
        self.open.clear();
        (self.best, self.origin, self.passed) = (None, None, 0.0);
        (self.search_count, self.part_count) = (0, 0);
        let rounding: f64 = Side::BOTH.map_each(|side| rounding(scope, side)).into_iter().sum();
        self.rounding = rounding.max(self.least);
        for side in Side::BOTH {
            self.faces[side as usize].start(scope.mesh(side).triangles().len());
        }
        for &side in sides {
            self.inside[side as usize].fill(scope, side, pairs, &mut self.stacks);
            let count = self.inside[side as usize].whole.len() as u32;
            self.add(scope, side, Content::Group(0..count), (f64::INFINITY, None));
        }
        sides.iter().for_each(|&side| self.start_pieces(scope, side));
        self.search_count = 0;
        while let Some(Part { at_most, side, near, content, .. }) = self.open.pop() {
            let is_enough = self.best.is_some_and(|best| best.depth > enough);
            if at_most <= self.limit() || self.is_spent() || is_enough {
                self.passed = self.passed.max(at_most);
                break;
            }
            for half in self.halves(scope, side, content).into_iter().flatten() {
                self.add(scope, side, half, (at_most, Some(near)));
            }
        }
    }

    /// Returns whether a surface in one piece, which does not cross the other, is known to be outside
    /// the other solid. One point clear of the other surface decides, without a flood over all
    /// triangles.
    fn is_outside(&mut self, scope: &PosedSurfaces, side: Side) -> bool {
        let mesh = scope.mesh(side);
        let vertex = mesh.triangles().first().filter(|_| mesh.surface().flaws.component_count == 1);
        vertex.is_some_and(|&[vertex, ..]| {
            let place = Place::of(scope, side.other(), scope.point(side, vertex), &mut self.stacks);
            place == Place::Outside
        })
    }

    /// Moves from the deepest point found to deeper points: to nearby vertices, and within the triangle
    /// towards its corners.
    fn polish(&mut self, scope: &PosedSurfaces) {
        for _ in 0..MOST_MOVES {
            let Some((best, Origin { side, triangle })) = self.best.zip(self.origin) else { return };
            let mesh = scope.mesh(side);
            let [p, q, r] = mesh.triangles()[triangle as usize];
            let neighbors = [p, q, r].map_each(|vertex| mesh.topology().neighbors(vertex));
            let all = neighbors.into_iter().flatten().take(MOST_NEIGHBORS).copied();
            for vertex in [p, q, r].into_iter().chain(all) {
                let point = scope.point(side, vertex);
                let of = Origin { side, triangle: mesh.topology().vertex_owner(vertex) };
                self.offer(scope, of, (point, f64::INFINITY));
            }
            for share in [0.5, 0.25, 0.125, 0.0625, 0.031_25] {
                for corner in scope.corners(side, triangle) {
                    let from = self.best.map_or(corner, |best| best.points[side as usize]);
                    let is_there = self.origin == Some(Origin { side, triangle });
                    if is_there {
                        let of = Origin { side, triangle };
                        self.offer(scope, of, (from.lerp(corner, share), f64::INFINITY));
                    }
                }
            }
            if self.best.is_some_and(|now| now.depth <= (1.0 + MOVED) * best.depth) {
                return;
            }
        }
    }

    fn is_spent(&self) -> bool {
        self.search_count >= MOST_SEARCHES - self.spared
    }

    /// Returns the bound below which a part is discarded, m.
    fn limit(&self) -> f64 {
        (1.0 + CLOSE) * self.best.map_or(self.rounding, |best| best.depth)
    }

    /// Adds pieces of the triangles that cross. Omits a triangle if it is so near a face that it
    /// crosses that none of its points can be deeper.
    fn start_pieces(&mut self, scope: &PosedSurfaces, side: Side) {
        let mut inside = std::mem::take(&mut self.inside[side as usize]);
        let crossing = std::mem::take(&mut inside.crossing);
        for pairs in crossing.chunk_by(|x, y| x[0] == y[0]) {
            let [triangle, near] = pairs[0];
            let corners = scope.corners(side, triangle);
            let most = self.farthest(scope, side, &corners, near).0;
            if most <= self.limit() || self.is_spent() {
                self.passed = self.passed.max(most);
                continue;
            }
            let vertices = scope.mesh(side).triangles()[triangle as usize];
            let places = vertices.map_each(|vertex| {
                let place = inside.place(scope, side, vertex, &mut self.stacks);
                (scope.point(side, vertex), Some(place != Place::Outside))
            });
            let mut segments = Vec::new();
            pairs.iter().for_each(|&pair| add_segments(scope, side, pair, &mut segments));
            let piece = Piece::new(triangle, places, scope.normal(side, triangle), segments);
            if let Some(piece) = self.shrunk(scope, side, piece) {
                self.add(scope, side, Content::Piece(Box::new(piece)), (f64::INFINITY, Some(near)));
            }
        }
        inside.crossing = crossing;
        self.inside[side as usize] = inside;
    }

    fn shrunk(&mut self, scope: &PosedSurfaces, side: Side, piece: Piece) -> Option<Piece> {
        let stack = &mut self.stacks.segments;
        piece.shrunk(|point| scope.surely_contains(side.other(), point, stack))
    }

    /// Returns the two halves of a part. A half is `None` if it has no point inside.
    fn halves(&mut self, scope: &PosedSurfaces, side: Side, content: Content) -> [Option<Content>; 2] {
        match content {
            Content::Piece(piece) => piece
                .halves()
                .map(|half| self.shrunk(scope, side, half).map(|half| Content::Piece(Box::new(half)))),
            Content::Group(range) if range.len() > 1 => {
                let whole = &mut self.inside[side as usize].whole;
                let those = &mut whole[range.start as usize..range.end as usize];
                let middle = |t: u32| scope.corners(side, t).into_iter().sum::<DVec3>();
                let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                for &triangle in &*those {
                    (low, high) = (low.min(middle(triangle)), high.max(middle(triangle)));
                }
                let axis = (high - low).max_position();
                let half = those.len() / 2;
                those.select_nth_unstable_by(half, |x, y| {
                    middle(*x)[axis].total_cmp(&middle(*y)[axis]).then(x.cmp(y))
                });
                let split = range.start + half as u32;
                [Some(Content::Group(range.start..split)), Some(Content::Group(split..range.end))]
            }
            Content::Group(range) => {
                let alone = self.inside[side as usize].whole.get(range.start as usize);
                let piece = alone.map(|&triangle| {
                    let corners = scope.corners(side, triangle).map_each(|p| (p, Some(true)));
                    Piece::new(triangle, corners, scope.normal(side, triangle), Vec::new())
                });
                [piece.map(|piece| Content::Piece(Box::new(piece))), None]
            }
        }
    }

    /// Bounds a part and keeps it if it may contain a deeper point. `bound`: upper bound of its
    /// parent's depth, m. `near`: triangle of the other side near the parent.
    fn add(
        &mut self,
        scope: &PosedSurfaces,
        side: Side,
        content: Content,
        (bound, near): (f64, Option<u32>),
    ) {
        let Some(outline) = self.outline(scope, side, &content) else { return };
        let Outline { corners, sample, triangle: own } = outline;
        let of = Origin { side, triangle: own };
        let above = near.map_or(f64::INFINITY, |near| self.farthest(scope, side, &corners, near).0);
        let mut at_most = bound.min(above);
        let mut nearest = near.unwrap_or(0);
        if at_most > self.limit() && !self.is_spent() {
            let Some((distance, triangle)) = self.offer(scope, of, (sample, bound)) else {
                return;
            };
            let radius = corners.iter().map(|c| c.distance_squared(sample)).fold(0.0, f64::max).sqrt();
            let (most, corner) = self.farthest(scope, side, &corners, triangle);
            (at_most, nearest) = (at_most.min(distance + radius).min(most), triangle);
            if at_most > self.limit()
                && matches!(content, Content::Piece(_))
                && let Some((_, triangle)) = self.offer(scope, of, (corner, bound))
            {
                let (most, _) = self.farthest(scope, side, &corners, triangle);
                if most < at_most {
                    (at_most, nearest) = (most, triangle);
                }
            }
        }
        if at_most > self.limit() && !self.is_spent() {
            self.part_count += 1;
            self.open.push(Part { at_most, number: self.part_count, side, near: nearest, content });
        } else {
            self.passed = self.passed.max(at_most);
        }
    }

    /// Returns the greatest distance (m) of any of the points from the face of the other side that
    /// contains the triangle `near`, and the point with this distance.
    fn farthest(&mut self, scope: &PosedSurfaces, side: Side, points: &[DVec3], near: u32) -> (f64, DVec3) {
        let face = self.faces[side.other() as usize].of(scope, side.other(), near);
        let mut farthest = (0.0, points.first().copied().unwrap_or_default());
        for &point in points {
            let distance = face.distance(point);
            if distance > farthest.0 {
                farthest = (distance, point);
            }
        }
        farthest
    }

    /// Returns the outline of a part; `None` if the part has no triangle.
    fn outline(&self, scope: &PosedSurfaces, side: Side, content: &Content) -> Option<Outline> {
        match content {
            Content::Group(range) => {
                let whole = &self.inside[side as usize].whole[range.start as usize..range.end as usize];
                let middle = *whole.get(whole.len() / 2)?;
                let sample = scope.corners(side, middle).into_iter().sum::<DVec3>() / 3.0;
                let corners = box_around(scope, side, whole);
                Some(Outline { corners, sample, triangle: middle })
            }
            Content::Piece(piece) => Some(Outline {
                corners: piece.corners.iter().map(|(point, _)| *point).collect(),
                sample: piece.middle(),
                triangle: piece.triangle,
            }),
        }
    }

    /// Measures the distance of a point from the other surface. `bound` (m): upper bound of this
    /// distance, apart from rounding. Adopts the point if it is inside and deeper than the deepest so
    /// far. Returns its distance, m, and the nearest triangle.
    fn offer(
        &mut self,
        scope: &PosedSurfaces,
        of: Origin,
        (point, bound): (DVec3, f64),
    ) -> Option<(f64, u32)> {
        self.search_count += 1;
        let side = of.side;
        let other = side.other();
        // The bound has a rounding error from its computation.
        let closest = scope.closest(other, point, bound * (1.0 + 1e-9), &mut self.stacks.points);
        let closest =
            closest.or_else(|| scope.closest(other, point, f64::INFINITY, &mut self.stacks.points))?;
        let known = self.best.map_or(self.rounding, |best| best.depth);
        let is_deeper = closest.distance > known;
        if is_deeper && scope.surely_contains(other, point, &mut self.stacks.segments) {
            let points = match side {
                Side::A => [point, closest.point],
                Side::B => [closest.point, point],
            };
            self.best = Some(Deepest { depth: closest.distance, at_most: f64::INFINITY, points });
            self.origin = Some(of);
        }
        Some((closest.distance, closest.triangle))
    }
}
