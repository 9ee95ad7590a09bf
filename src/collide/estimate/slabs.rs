//! Division of a triangle among the cells of a cubic grid of unit cubes. \[adb\] §3.2
//!
//! The triangle is cut into slabs along two axes, and then into pieces along the third. The third axis
//! is the one to which the normal is most parallel, so that a column of cells has few pieces. All
//! pieces have the same normal, so their areas are proportional to the areas of their projections, and
//! only these are computed.
//!
//! A piece in the plane between two cells belongs to the cell above the plane; a piece in an outermost
//! plane of the grid belongs to the cell inside.

use arrayvec::ArrayVec;
use glam::{DVec2, DVec3, Vec3Swizzles};

use crate::arrays::MapEach;

/// Distance, in cells, within which a corner is moved onto an outermost plane; it covers rounding
/// errors.
const SNAP: f64 = 1e-9;

/// Convex polygon. A triangle has three corners, and each of up to four cuts, two per axis, adds at
/// most one.
type Polygon = ArrayVec<DVec3, 7>;

/// Calls `add` with every cell that contains a part of the triangle and with that part's share of the
/// triangle's area. The grid has `side` cells along each side; the cell at (x, y, z) has index x + side
/// y + side² z. Corners are in units of cells, and parts outside the grid are ignored. `add` is not
/// called for a triangle without area.
pub fn divide(side: usize, corners: [DVec3; 3], mut add: impl FnMut(usize, f64)) {
    let end = DVec3::splat(side as f64);
    let corners = corners.map_each(|corner| snapped(corner, end));
    let [a, b, c] = corners;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    if !(high.cmpge(DVec3::ZERO).all() && low.cmple(end).all()) {
        return;
    }
    let normal = (b - a).cross(c - a);
    let facing = normal.abs().max_position();
    let scale = normal[facing].recip();
    if !(normal.is_finite() && scale.is_finite()) {
        return;
    }
    let strides = [1, side, side * side];
    if let Some(cell) = common_cell(low, high, strides) {
        return add(cell, 1.0);
    }
    // Permuting the axes cyclically preserves the sign of the area.
    let [x, y, z] = strides;
    let (turned, strides) = match facing {
        0 => (corners.map_each(DVec3::yzx), [y, z, x]),
        1 => (corners.map_each(DVec3::zxy), [z, x, y]),
        _ => (corners, strides),
    };
    Division { side: side as u32, strides, scale }.slabs::<0>(&mut Polygon::from_iter(turned), 0, &mut add);
}

/// Returns the index of the one cell that contains the whole box from `low` to `high`; `None` if there
/// is no such cell.
fn common_cell(low: DVec3, high: DVec3, strides: [usize; 3]) -> Option<usize> {
    // Casts saturate: negative values become zero.
    let at = low.to_array().map_each(|x| (x as u32).min(strides[1] as u32 - 1));
    let [x, y, z] = at.map_each(f64::from);
    let cell = DVec3::new(x, y, z);
    let inside = low.cmpge(cell) & high.cmple(cell + 1.0);
    inside.all().then(|| at.into_iter().zip(strides).map(|(x, stride)| x as usize * stride).sum())
}

fn snapped(p: DVec3, end: DVec3) -> DVec3 {
    let near = p.clamp(DVec3::ZERO, end);
    DVec3::select((p - near).abs().cmple(DVec3::splat(SNAP)), near, p)
}

/// Data that is common to all pieces of a triangle.
struct Division {
    /// Number of cells along each side.
    side: u32,
    /// Difference of the indices of two neighboring cells along each axis of the (permuted) polygons.
    strides: [usize; 3],
    /// Reciprocal of twice the signed area of the whole triangle, projected along the third axis.
    scale: f64,
}

impl Division {
    /// Cuts a polygon into slabs along `AXIS`, which is the first or the second axis.
    fn slabs<const AXIS: usize>(&self, rest: &mut Polygon, base: usize, add: &mut impl FnMut(usize, f64)) {
        let Some(Extent { low, high, first, last }) = Extent::along::<AXIS>(rest, self.side) else { return };
        if low < 0.0 {
            cut::<AXIS>(rest, 0.0);
        }
        for slab in first..=last {
            let base = base + slab as usize * self.strides[AXIS];
            let border = f64::from(slab + 1);
            if border < high {
                self.within_slab::<AXIS>(&mut cut::<AXIS>(rest, border), base, add);
            } else {
                self.within_slab::<AXIS>(rest, base, add);
            }
        }
    }

    fn within_slab<const AXIS: usize>(
        &self,
        part: &mut Polygon,
        base: usize,
        add: &mut impl FnMut(usize, f64),
    ) {
        if AXIS == 0 { self.slabs::<1>(part, base, add) } else { self.column(part, base, add) }
    }

    /// Adds the pieces of a polygon that lies within one column of cells.
    fn column(&self, polygon: &Polygon, base: usize, add: &mut impl FnMut(usize, f64)) {
        let Some(Extent { low, high, first, last }) = Extent::along::<2>(polygon, self.side) else { return };
        let mut below = if low < 0.0 { area_below(polygon, 0.0) } else { 0.0 };
        for layer in first..=last {
            let up_to = area_below(polygon, f64::from(layer + 1).min(high));
            add(base + layer as usize * self.strides[2], ((up_to - below) * self.scale).clamp(0.0, 1.0));
            below = up_to;
        }
    }
}

/// Extent of a polygon along an axis, with the first and the last slab that it reaches.
struct Extent {
    low: f64,
    high: f64,
    first: u32,
    last: u32,
}

impl Extent {
    /// Returns the extent along `AXIS`, and the first and last slab; `None` if the polygon lies outside
    /// the grid.
    fn along<const AXIS: usize>(polygon: &Polygon, side: u32) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in polygon {
            (low, high) = (low.min(p[AXIS]), high.max(p[AXIS]));
        }
        if high < 0.0 || low > f64::from(side) {
            return None;
        }
        // Casts saturate. If the upper end of a polygon lies in the plane between two slabs, the last
        // slab is the lower one.
        let (first, last) = (low as u32, high as u32);
        let last = if f64::from(last) < high { last } else { last.saturating_sub(1) };
        let first = first.min(side - 1);
        Some(Self { low, high, first, last: last.clamp(first, side - 1) })
    }
}

/// Returns the part of the polygon below a plane perpendicular to `AXIS`; leaves the part above in
/// `rest`.
fn cut<const AXIS: usize>(rest: &mut Polygon, plane: f64) -> Polygon {
    let (mut below, mut above) = (Polygon::new(), Polygon::new());
    let Some(&(mut p)) = rest.last() else { return below };
    for &q in rest.iter() {
        if (p[AXIS] < plane && q[AXIS] > plane) || (p[AXIS] > plane && q[AXIS] < plane) {
            // Clamped to the box of both ends, so that rounding cannot move the crossing outside it.
            let mut crossing =
                between(p, q, (plane - p[AXIS]) / (q[AXIS] - p[AXIS])).clamp(p.min(q), p.max(q));
            crossing[AXIS] = plane;
            below.push(crossing);
            above.push(crossing);
        }
        if q[AXIS] <= plane {
            below.push(q);
        }
        if q[AXIS] >= plane {
            above.push(q);
        }
        p = q;
    }
    *rest = above;
    below
}

fn between(p: DVec3, q: DVec3, t: f64) -> DVec3 {
    p + (q - p) * t
}

/// Returns twice the signed area, projected along the third axis, of the polygon's part on or below a
/// plane perpendicular to that axis.
fn area_below(polygon: &Polygon, plane: f64) -> f64 {
    let (Some(&(mut p)), Some(&origin)) = (polygon.last(), polygon.first()) else { return 0.0 };
    let wedge = |p: DVec3, q: DVec3| -> f64 {
        let side = |r: DVec3| DVec2::new(r.x - origin.x, r.y - origin.y);
        side(p).perp_dot(side(q))
    };
    let (mut leaves, mut enters) = (origin, origin);
    let mut area = 0.0;
    for &q in polygon {
        match (p.z <= plane, q.z <= plane) {
            (true, true) => area += wedge(p, q),
            (true, false) => {
                leaves = between(p, q, (plane - p.z) / (q.z - p.z));
                area += wedge(p, leaves);
            }
            (false, true) => {
                enters = between(p, q, (plane - p.z) / (q.z - p.z));
                area += wedge(enters, q);
            }
            (false, false) => {}
        }
        p = q;
    }
    area + wedge(leaves, enters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const SIDE: usize = 8;
    const CELLS: usize = SIDE * SIDE * SIDE;

    fn shares(corners: [DVec3; 3]) -> Vec<f64> {
        let mut shares = vec![0.0; CELLS];
        divide(SIDE, corners, |cell, share| shares[cell] += share);
        shares
    }

    fn place(cell: usize) -> DVec3 {
        DVec3::new((cell % 8) as f64, (cell / 8 % 8) as f64, (cell / 64) as f64)
    }

    fn area(polygon: &[DVec3]) -> f64 {
        polygon.windows(2).map(|w| (w[0] - polygon[0]).cross(w[1] - polygon[0])).sum::<DVec3>().length() / 2.0
    }

    /// Returns the area of the triangle within a box, by clipping it with each of the six planes of the
    /// box.
    fn clipped_area(corners: [DVec3; 3], low: DVec3, high: DVec3) -> f64 {
        let mut polygon = corners.to_vec();
        for axis in 0..3 {
            for (sign, bound) in [(1.0, low[axis]), (-1.0, high[axis])] {
                let inside = |p: DVec3| sign * (p[axis] - bound);
                let mut kept = Vec::new();
                for (i, &p) in polygon.iter().enumerate() {
                    let q = polygon[(i + 1) % polygon.len()];
                    if inside(p) >= 0.0 {
                        kept.push(p);
                    }
                    if (inside(p) >= 0.0) != (inside(q) >= 0.0) {
                        kept.push(p.lerp(q, inside(p) / (inside(p) - inside(q))));
                    }
                }
                polygon = kept;
            }
        }
        area(&polygon)
    }

    fn judge(corners: [DVec3; 3], tolerance: f64) {
        let whole = area(&corners);
        for (cell, share) in shares(corners).into_iter().enumerate() {
            let low = place(cell);
            let right = clipped_area(corners, low, low + 1.0) / whole;
            assert!((share - right).abs() <= tolerance, "{corners:?}: cell {low} {share} {right}");
        }
    }

    fn triangle(random: &mut Random, spread: f64) -> [DVec3; 3] {
        let mut one = || 4.0 + spread * random.signed();
        [(); 3].map(|()| DVec3::new(one(), one(), one()))
    }

    #[test]
    fn shares_are_those_of_clipping_against_every_cell() {
        let mut random = Random::new(1, 0);
        for spread in [0.1, 0.6, 2.0, 4.0, 6.0, 40.0] {
            for _ in 0..60 {
                judge(triangle(&mut random, spread), 1e-11);
            }
        }
    }

    /// Tests that the share of a coarse cell is the sum over the eight fine cells in it.
    #[test]
    fn cells_of_a_finer_grid_share_what_a_coarser_one_s_has() {
        let mut random = Random::new(5, 0);
        for _ in 0..60 {
            let corners = triangle(&mut random, 4.0);
            let coarse = shares(corners);
            let mut sums = vec![0.0; CELLS];
            let side = 2 * SIDE;
            divide(side, corners.map(|c| 2.0 * c), |cell, share| {
                let [x, y, z] = [cell % side, cell / side % side, cell / (side * side)].map(|at| at / 2);
                sums[x + SIDE * y + SIDE * SIDE * z] += share;
            });
            assert!(coarse.iter().zip(&sums).all(|(a, b)| (a - b).abs() < 1e-12), "{corners:?}");
        }
    }

    #[test]
    fn needles_and_corners_on_borders_are_judged_the_same() {
        let mut random = Random::new(2, 0);
        for _ in 0..100 {
            let [a, b, c] = triangle(&mut random, 4.0);
            // Corners with integer coordinates, but no triangle within a plane between cells.
            let [p, q] = [a.round(), b.round()];
            if p != q {
                judge([p, q, c], 1e-11);
            }
            judge([p, b, c], 1e-11);
            judge([a, b, a.lerp(b, 0.3) + 1e-4 * (c - a)], 1e-8);
            let axis = (a.x * 1e3) as usize % 3;
            let level = |mut v: DVec3| {
                v[axis] = a[axis];
                v
            };
            judge([a, level(b), level(c)], 1e-11);
        }
    }

    #[test]
    fn inside_the_grid_shares_add_up_to_one_and_none_is_counted_twice() {
        let mut random = Random::new(3, 0);
        for i in 0..600 {
            let mut corners = triangle(&mut random, 4.0);
            if i % 2 == 0 {
                // Often within a plane between cells, or an outermost plane of the grid.
                corners = corners.map(DVec3::round);
            }
            if area(&corners) > 0.0 {
                let sum: f64 = shares(corners).iter().sum();
                assert!((sum - 1.0).abs() < 1e-12, "{corners:?}: {sum}");
            }
        }
    }

    #[test]
    fn points_between_cells_belong_to_the_upper_cell_and_outer_planes_to_the_grid() {
        for (axis, border) in (0..3).flat_map(|axis| (0..=8).map(move |border| (axis, border))) {
            let corners = [(0.0, 0.0), (8.0, 0.0), (0.0, 8.0)].map(|(u, v)| {
                let mut corner = DVec3::splat(f64::from(border));
                (corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (u, v);
                corner
            });
            let shares = shares(corners);
            let reached: Vec<_> = (0..CELLS).filter(|&cell| shares[cell] > 0.0).collect();
            assert_eq!(reached.len(), 36, "{axis} {border}");
            assert!(
                reached.iter().all(|&cell| place(cell)[axis] == f64::from(border.min(7))),
                "{axis} {border}"
            );
        }
    }

    #[test]
    fn corners_that_all_but_lie_on_borders_are_divided_into_no_more_than_there_is() {
        let mut random = Random::new(4, 0);
        for _ in 0..20_000 {
            let mut one = || {
                let whole = (10.0 * random.uniform()).floor() - 1.0;
                whole
                    + (5.0 * random.signed()).round()
                        * [0.0, 1e-16, 4e-16, 1e-12][(4.0 * random.uniform()) as usize]
            };
            let corners = [(); 3].map(|()| DVec3::new(one(), one(), one()));
            let shares = shares(corners);
            assert!(shares.iter().all(|&share| (0.0..=1.0).contains(&share)), "{corners:?}");
            if area(&corners) > 1e-6 {
                assert!(shares.iter().sum::<f64>() < 1.0 + 1e-9, "{corners:?}");
            }
        }
    }

    #[test]
    fn nothing_comes_of_triangles_without_area_or_beside_the_grid_or_not_finite() {
        let far = DVec3::splat(1e30);
        let thin = [DVec3::ONE, DVec3::splat(3.0), DVec3::splat(5.0)];
        let beside = [DVec3::new(9.0, 0.0, 0.0), DVec3::new(0.0, 9.5, 9.0), DVec3::new(9.0, 9.0, 9.0)];
        let nan = [DVec3::NAN, DVec3::ZERO, DVec3::ONE];
        let infinite = [DVec3::INFINITY, DVec3::ZERO, DVec3::X];
        for corners in [thin, [DVec3::ONE; 3], [far; 3], nan, infinite] {
            assert_eq!(shares(corners).iter().filter(|&&s| s != 0.0).count(), 0, "{corners:?}");
        }
        let sum: f64 = shares(beside.map(|v| v + DVec3::new(8.0, 0.0, 0.0))).iter().sum();
        assert_eq!(sum, 0.0);
        // A triangle far larger than the grid acts as a plane across it.
        let huge = [DVec3::new(-1e12, -1e12, 3.5), DVec3::new(1e12, -1e12, 3.5), DVec3::new(0.0, 2e12, 3.5)];
        assert_eq!(shares(huge).iter().filter(|&&s| s > 0.0).count(), 64);
    }
}
