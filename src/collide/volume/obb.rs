//! Oriented bounding box, fitted along the principal axes of the surface inside. \[boxtree\] Table 1,
//! \[simplify\] §6
//!
//! Axes: the eigenvectors of the covariance of the triangles' surface (Gottschalk, Lin and Manocha
//! 1996, "OBBTree", section 4, without the convex hull). Overlap: the fifteen axes of the separating
//! axis theorem, in the frame of the first box. Rotation matrices are `f32`; the query's enlargement of
//! the boxes covers their rounding errors. `PARALLEL_GUARD` adds a tolerance in proportion to the
//! boxes' sizes.

use glam::{DMat3, DVec3, Mat3, Vec3};

use super::segment::{Slab, meets_slabs};
use super::{Aabb, Meets, Operations, Transit, Volume, round_up};

use crate::arrays::MapEach;

/// Box with any three perpendicular axes, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Unit vectors along the sides.
    pub axes: Mat3,
    pub center: Vec3,
    /// Half the lengths of the sides.
    pub half: Vec3,
}

const _: () = assert!(size_of::<Obb>() == 60);

/// Choice of the axes along which boxes are fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ObbFit {
    /// The coordinate axes if the box along them has less surface area, else the principal axes.
    /// Principal axes can fit worse than the axes along which a surface was modeled.
    #[default]
    Smaller,
    /// The principal axes for every box, as in the OBB trees with which \[simplify\] compares its own.
    Principal,
}

/// Transformation from b to a, and the enlargement.
pub struct ObbFrames {
    rotation: Mat3,
    translation: Vec3,
    growth: f32,
}

/// Value added to each |cos| in the overlap test. The cross product of nearly parallel edges consists
/// of rounding errors, which must not separate boxes.
const PARALLEL_GUARD: f32 = 1e-6;

impl Obb {
    /// Returns the smallest box around the given points, along the axes of this box.
    #[inline]
    pub fn refitted(&self, points: &[Vec3]) -> Self {
        Self::along(self.axes.as_dmat3(), points.iter().copied())
    }

    /// Returns the smallest box around the points along the given axes.
    fn along(axes: DMat3, points: impl Iterator<Item = Vec3> + Clone) -> Self {
        // The box is fitted to the rounded axes, because the box stores them.
        let axes = axes.as_mat3();
        let transposed = axes.as_dmat3().transpose();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in points {
            let at = transposed * point.as_dvec3();
            (low, high) = (low.min(at), high.max(at));
        }
        let center = (axes.as_dmat3() * (0.5 * (low + high))).as_vec3();
        // Half extents relative to the rounded center. The guard is needed because the rounded axes are
        // not exactly perpendicular.
        let middle = transposed * center.as_dvec3();
        let half = (high - middle).max(middle - low);
        let guard = 1e-6 * (half.max_element() + 1e-30) + 1e-15 * middle.abs().max_element();
        Self { axes, center, half: Vec3::from_array((half + guard).to_array().map_each(round_up)) }
    }
}

/// Moments of the surface of a set of triangles. The moments of two sets can be added.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    /// Area, m².
    area: f64,
    /// Moments of the surface, with mass spread evenly over the triangles.
    evenly: Moments,
    /// Moments of the triangles' corners, used if the total area is zero.
    corners: Moments,
    count: f64,
}

/// First and second moments.
#[derive(Clone, Copy, Debug)]
struct Moments {
    sum: DVec3,
    squares: DMat3,
}

impl Default for Moments {
    /// Returns zero moments; the default of a matrix would be the identity.
    fn default() -> Self {
        Self { sum: DVec3::ZERO, squares: DMat3::ZERO }
    }
}

impl Moments {
    /// Returns the covariance, m², of moments with the total weight `weight`.
    fn covariance(&self, weight: f64) -> DMat3 {
        self.squares * (1.0 / weight) - outer(self.sum / weight)
    }

    fn join(&mut self, other: &Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

impl Spread {
    #[inline]
    pub fn add(&mut self, triangle: &[Vec3; 3]) {
        let [p, q, r] = triangle.map_each(|v| v.as_dvec3());
        let mean = (p + q + r) / 3.0;
        let corners = outer(p) + outer(q) + outer(r);
        let own = 0.5 * (q - p).cross(r - p).length();
        self.area += own;
        self.evenly.join(&Moments { sum: own * mean, squares: (9.0 * outer(mean) + corners) * (own / 12.0) });
        self.corners.join(&Moments { sum: mean, squares: corners * (1.0 / 3.0) });
        self.count += 1.0;
    }

    #[inline]
    pub fn join(&mut self, other: &Self) {
        self.area += other.area;
        self.evenly.join(&other.evenly);
        self.corners.join(&other.corners);
        self.count += other.count;
    }

    /// Returns the principal axes of the surface as columns, in no particular order: perpendicular unit
    /// vectors.
    #[inline]
    pub fn axes(&self) -> DMat3 {
        eigenvectors(if self.area > 0.0 {
            self.evenly.covariance(self.area)
        } else {
            self.corners.covariance(self.count)
        })
    }
}

/// Returns perpendicular unit eigenvectors of a symmetric matrix as columns, by Jacobi rotations. They
/// are in no particular order. Returns the identity if a result is not finite.
pub fn eigenvectors(m: DMat3) -> DMat3 {
    let mut m = m.to_cols_array_2d();
    let mut vectors = [DVec3::X, DVec3::Y, DVec3::Z];
    // Convergence is quadratic, so a few sweeps always suffice.
    for _ in 0..12 {
        let mut is_diagonal = true;
        for (p, q, r) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let (beside, gap) = (m[q][p], m[q][q] - m[p][p]);
            // The element beside the diagonal is negligible against the two diagonal elements, even if
            // these are equal.
            if beside.abs() <= 1e-18 * (m[p][p].abs() + m[q][q].abs()) {
                continue;
            }
            is_diagonal = false;
            let theta = gap / (2.0 * beside);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            m[p][p] -= t * beside;
            m[q][q] += t * beside;
            (m[q][p], m[p][q]) = (0.0, 0.0);
            let (mp, mq) = (m[r][p], m[r][q]);
            (m[r][p], m[r][q]) = (c * mp - s * mq, s * mp + c * mq);
            (m[p][r], m[q][r]) = (m[r][p], m[r][q]);
            let (vp, vq) = (vectors[p], vectors[q]);
            (vectors[p], vectors[q]) = (c * vp - s * vq, s * vp + c * vq);
        }
        if is_diagonal {
            break;
        }
    }
    let vectors = DMat3::from_cols(vectors[0], vectors[1], vectors[2]);
    if vectors.is_finite() { vectors } else { DMat3::IDENTITY }
}

impl Volume for Obb {
    type Choice = ObbFit;
    type Shared = ObbFit;
    type Frames = ObbFrames;
    type A = Self;
    type B = Self;
    const CARRY_A: Operations = Operations::new(0, 0, 0);
    /// Rotated axes, transformed center, and enlarged half extents.
    const CARRY_B: Operations = Operations::new(36, 30, 0);
    /// The axes of one box in the frame of the other (36 products), then the tests of fifteen axes.
    const OVERLAP: Operations = Operations::new(36 + 72, 24 + 87, 15);

    fn shared(choice: ObbFit) -> ObbFit {
        choice
    }

    fn fit(triangles: &[[Vec3; 3]], choice: &ObbFit) -> Self {
        let points = triangles.iter().flatten().copied();
        let mut spread = Spread::default();
        triangles.iter().for_each(|triangle| spread.add(triangle));
        let turned = Self::along(spread.axes(), points.clone());
        if *choice == ObbFit::Principal {
            return turned;
        }
        let straight = Self::along(DMat3::IDENTITY, points);
        let size = |b: &Self| b.half.x * b.half.y + b.half.y * b.half.z + b.half.z * b.half.x;
        if size(&straight) <= size(&turned) { straight } else { turned }
    }

    fn contains(&self, point: Vec3, _: &ObbFit) -> bool {
        let at = self.axes.as_dmat3().transpose() * (point.as_dvec3() - self.center.as_dvec3());
        at.abs().cmple(self.half.as_dvec3()).all()
    }

    fn bounds(&self) -> Aabb {
        let axes = self.axes.as_dmat3();
        let half = self.half.as_dvec3();
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        Aabb::from_f64(self.center.as_dvec3() - reach, self.center.as_dvec3() + reach)
    }

    fn volume(&self) -> f64 {
        8.0 * self.half.as_dvec3().element_product()
    }

    fn frames(transit: &Transit, _: &ObbFit) -> ObbFrames {
        ObbFrames {
            rotation: transit.rotation.as_mat3(),
            translation: transit.translation.as_vec3(),
            growth: round_up(transit.growth),
        }
    }

    fn carry_a(&self, _: &ObbFrames) -> Self {
        *self
    }

    fn carry_b(&self, frames: &ObbFrames) -> Self {
        Self {
            axes: frames.rotation * self.axes,
            center: frames.rotation * self.center + frames.translation,
            half: self.half + frames.growth,
        }
    }

    fn overlap(a: &Self, b: &Self, _: &ObbFrames) -> bool {
        let to_a = a.axes.transpose();
        let t = (to_a * (b.center - a.center)).to_array();
        let r = (to_a * b.axes).to_cols_array_2d();
        let guarded = r.map_each(|column| column.map_each(|x| x.abs() + PARALLEL_GUARD));
        let (ha, hb) = (a.half.to_array(), b.half.to_array());
        // `r[j][i]` is the component of b's axis j along a's axis i.
        for i in 0..3 {
            let reach = ha[i] + hb[0] * guarded[0][i] + hb[1] * guarded[1][i] + hb[2] * guarded[2][i];
            if t[i].abs() > reach {
                return false;
            }
        }
        for j in 0..3 {
            let apart = t[0] * r[j][0] + t[1] * r[j][1] + t[2] * r[j][2];
            let g = guarded[j];
            if apart.abs() > hb[j] + ha[0] * g[0] + ha[1] * g[1] + ha[2] * g[2] {
                return false;
            }
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let apart = t[i2] * r[j][i1] - t[i1] * r[j][i2];
                let reach_a = ha[i1] * guarded[j][i2] + ha[i2] * guarded[j][i1];
                let reach_b = hb[j1] * guarded[j2][i] + hb[j2] * guarded[j1][i];
                if apart.abs() > reach_a + reach_b {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the overlap along the face axis of a along which it is smallest.
    fn depth(a: &Self, b: &Self, _: &ObbFrames) -> f32 {
        let to_a = a.axes.transpose();
        let r = to_a * b.axes;
        let reach =
            a.half + r.x_axis.abs() * b.half.x + r.y_axis.abs() * b.half.y + r.z_axis.abs() * b.half.z;
        (reach - (to_a * (b.center - a.center)).abs()).min_element()
    }
}

impl Meets for Obb {
    fn meets(&self, [from, to]: [DVec3; 2]) -> bool {
        let transposed = self.axes.as_dmat3().transpose();
        let start = transposed * (from - self.center.as_dvec3());
        let along = transposed * (to - from);
        let pad = 1e-12 * (from.abs().max_element() + self.center.as_dvec3().abs().max_element());
        let half = self.half.as_dvec3() + pad;
        meets_slabs((0..3).map(|k| Slab { from: start[k], along: along[k], low: -half[k], high: half[k] }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slanted_plate_gets_a_flat_box() {
        let (u, v) = (Vec3::new(1.0, 2.0, 3.0).normalize(), Vec3::new(3.0, 0.0, -1.0).normalize());
        let at = |x: f32, y: f32| u * x + v * y + Vec3::splat(0.3);
        let plate = [[at(0.0, 0.0), at(4.0, 0.0), at(4.0, 1.0)], [at(0.0, 0.0), at(4.0, 1.0), at(0.0, 1.0)]];
        let fitted = Obb::fit(&plate, &ObbFit::Smaller);
        assert!(fitted.half.min_element() < 1e-5, "{fitted:?}");
        assert!((fitted.half.max_element() - 2.0).abs() < 0.2, "{fitted:?}");
        assert!(plate.iter().flatten().all(|&p| fitted.contains(p, &ObbFit::Smaller)));
    }

    /// Fits boxes to three walls that form a corner. They spread most along the corner's diagonal,
    /// which is not an axis along which they were modelled.
    #[test]
    fn a_corner_of_walls_gets_the_box_it_was_modelled_along_unless_principal_axes_are_asked_for() {
        let [x, y, z] = Vec3::AXES;
        let walls = [[Vec3::ZERO, x, y], [Vec3::ZERO, y, z], [Vec3::ZERO, z, x]].map(|t| t.map(|v| 2.0 * v));
        let [smaller, principal] =
            [ObbFit::Smaller, ObbFit::Principal].map(|choice| Obb::fit(&walls, &choice));
        assert_eq!(smaller.axes, Mat3::IDENTITY);
        assert!(principal.axes.col(0).abs().max_element() < 0.99, "{principal:?}");
        let surface = |b: &Obb| b.half.x * b.half.y + b.half.y * b.half.z + b.half.z * b.half.x;
        assert!(surface(&principal) > 1.05 * surface(&smaller), "{principal:?}");
        assert!(walls.iter().flatten().all(|&p| principal.contains(p, &ObbFit::Principal)));
    }

    #[test]
    fn the_axes_of_a_slanted_plate_are_found_at_any_size() {
        let (u, v) = (DVec3::new(1.0, 2.0, 3.0).normalize(), DVec3::new(3.0, 0.0, -1.0).normalize());
        for scale in [1e-9, 1e-3, 1.0, 1e6] {
            let at = |x: f64, y: f64| ((u * x + v * y) * scale).as_vec3();
            let plate =
                [[at(0.0, 0.0), at(4.0, 0.0), at(4.0, 1.0)], [at(0.0, 0.0), at(4.0, 1.0), at(0.0, 1.0)]];
            let mut spread = Spread::default();
            plate.iter().for_each(|triangle| spread.add(triangle));
            let mut halves = [Spread::default(); 2];
            halves.iter_mut().zip(&plate).for_each(|(half, triangle)| half.add(triangle));
            let [mut joined, other] = halves;
            joined.join(&other);
            for axes in [spread.axes(), joined.axes()] {
                let normal = u.cross(v);
                let least = (0..3).map(|k| 1.0 - axes.col(k).dot(normal).abs()).fold(1.0, f64::min);
                assert!(least < 1e-10, "{scale}: {axes}");
            }
        }
    }

    #[test]
    fn eigenvectors_are_perpendicular_units_of_any_matrix() {
        for m in [
            DMat3::ZERO,
            DMat3::IDENTITY,
            DMat3::from_cols_array(&[2.0, 1.0, 0.0, 1.0, 2.0, 0.5, 0.0, 0.5, 1e-9]),
            DMat3::from_cols_array(&[1e-40, 1e-41, 0.0, 1e-41, 1e-40, 0.0, 0.0, 0.0, 3e-40]),
        ] {
            let v = eigenvectors(m);
            let error = (v.transpose() * v - DMat3::IDENTITY).to_cols_array().map(f64::abs);
            assert!(error.iter().all(|&e| e < 1e-12), "{m}: {v}");
            let diagonal = v.transpose() * m * v;
            let scale = m.to_cols_array().iter().fold(0.0f64, |s, x| s.max(x.abs()));
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                assert!(diagonal.col(q)[p].abs() <= 1e-12 * scale, "{m}: {diagonal}");
            }
        }
    }
}
