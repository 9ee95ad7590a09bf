//! Piece of a triangle. It is cut to the extent of the part inside the other solid, and halved
//! repeatedly.

use arrayvec::ArrayVec;
use glam::DVec3;

/// Corner of a polygon, and whether it is inside the other solid or on its surface; `None` if this is
/// not yet known.
pub(super) type Corner = (DVec3, Option<bool>);

/// Largest number of corners. A triangle that was cut along four lines and halved twice has fewer.
pub(super) const MOST_CORNERS: usize = 12;

#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Triangle that the piece belongs to.
    pub triangle: u32,
    pub corners: ArrayVec<Corner, MOST_CORNERS>,
    /// Segments in which the piece crosses the other surface; empty if the piece is wholly inside.
    pub segments: Vec<[DVec3; 2]>,
    /// Unit normal of the triangle.
    normal: DVec3,
}

impl Piece {
    pub fn new(triangle: u32, corners: [Corner; 3], normal: DVec3, segments: Vec<[DVec3; 2]>) -> Self {
        Self { triangle, corners: corners.into_iter().collect(), segments, normal }
    }

    pub fn middle(&self) -> DVec3 {
        let count = self.corners.len().max(1) as f64;
        self.corners.iter().map(|(point, _)| *point).sum::<DVec3>() / count
    }

    /// Cuts the piece to the extent of its inner part, along and across the longest direction of this
    /// part. Returns `None` if no part is inside. `is_inside` returns whether a point is inside the
    /// other solid or on its surface.
    pub fn shrunk(mut self, mut is_inside: impl FnMut(DVec3) -> bool) -> Option<Self> {
        if self.segments.is_empty() {
            let is_known = self.corners.iter().all(|(_, known)| *known == Some(true));
            if !is_known && !is_inside(self.middle()) {
                return None;
            }
            self.corners.iter_mut().for_each(|(_, known)| *known = Some(true));
            return Some(self);
        }
        let ends = self.segments.iter().flatten().copied();
        let along = longest(ends.clone())?;
        let directions = [along, self.normal.cross(along)];
        let mut extents = directions.map(|direction| extent(ends.clone(), direction));
        for (point, known) in &mut self.corners {
            let is_beyond = directions.iter().zip(&extents).any(|(direction, [low, high])| {
                let place = direction.dot(*point);
                place < *low || place > *high
            });
            if is_beyond && *known.get_or_insert_with(|| is_inside(*point)) {
                for (direction, [low, high]) in directions.iter().zip(&mut extents) {
                    let place = direction.dot(*point);
                    (*low, *high) = (low.min(place), high.max(place));
                }
            }
        }
        for (direction, [low, high]) in directions.iter().zip(extents) {
            // Allowance for rounding, so that the inner part is kept.
            let room = 1e-9 * (high - low + high.abs() + low.abs());
            self.cut(*direction, high + room);
            self.cut(-*direction, room - low);
        }
        (!self.corners.is_empty()).then_some(self)
    }

    /// Returns two halves, cut across the longest direction.
    pub fn halves(self) -> [Self; 2] {
        let corners = self.corners.iter().map(|(point, _)| *point);
        let direction = longest(corners.clone()).unwrap_or(DVec3::X);
        let [low, high] = extent(corners, direction);
        let middle = 0.5 * (low + high);
        let mut second = self.clone();
        let mut first = self;
        first.keep(direction, middle);
        second.keep(-direction, -middle);
        [first, second]
    }

    /// Keeps the part up to `most` along a direction, with the segments in it.
    fn keep(&mut self, direction: DVec3, most: f64) {
        self.cut(direction, most);
        self.segments.retain_mut(|ends| {
            let places = ends.map(|end| direction.dot(end) - most);
            if places[0] > 0.0 && places[1] > 0.0 {
                return false;
            }
            for k in 0..2 {
                if places[k] > 0.0 {
                    ends[k] = ends[k].lerp(ends[1 - k], places[k] / (places[k] - places[1 - k]));
                }
            }
            true
        });
    }

    /// Cuts off the part beyond `most` along a direction. Leaves the piece unchanged if the result
    /// would have too many corners.
    pub fn cut(&mut self, direction: DVec3, most: f64) {
        let mut kept: ArrayVec<Corner, MOST_CORNERS> = ArrayVec::new();
        // A piece without segments is wholly inside, and so are its new corners.
        let known = self.segments.is_empty().then_some(true);
        let count = self.corners.len();
        for at in 0..count {
            let (corner, next) = (self.corners[at], self.corners[(at + 1) % count]);
            let places = [corner, next].map(|(point, _)| direction.dot(point) - most);
            if places[0] <= 0.0 && kept.try_push(corner).is_err() {
                return;
            }
            if (places[0] <= 0.0) != (places[1] <= 0.0) {
                let at = places[0] / (places[0] - places[1]);
                if kept.try_push((corner.0.lerp(next.0, at), known)).is_err() {
                    return;
                }
            }
        }
        self.corners = kept;
    }
}

/// Returns the least and the greatest coordinate of points along a direction.
fn extent(points: impl Iterator<Item = DVec3>, direction: DVec3) -> [f64; 2] {
    points
        .map(|p| direction.dot(p))
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| [low.min(place), high.max(place)])
}

/// Returns the approximate direction of the points' greatest extent, unit; an arbitrary direction if
/// the points coincide, `None` if there are none.
fn longest(points: impl Iterator<Item = DVec3> + Clone) -> Option<DVec3> {
    let first = points.clone().next()?;
    let farthest = |from: DVec3| {
        let farther = |x: &DVec3, y: &DVec3| x.distance_squared(from).total_cmp(&y.distance_squared(from));
        points.clone().max_by(farther)
    };
    let start = farthest(first)?;
    let end = farthest(start)?;
    Some((end - start).try_normalize().unwrap_or(DVec3::X))
}
