//! Smooth surface that a fine mesh approximates around a vertex.
//!
//! A tessellated ball is a polyhedron. While it rolls, the contact moves from vertex to vertex, and
//! each new contact lies a little ahead of the last one and brakes the ball. A true ball touches a
//! plane at one point below its center. So if the facets around a vertex differ by small angles, and
//! lie within a tolerance of the smooth surface, the vertex is treated as part of that surface. The
//! radii of the surface are fitted to the surrounding vertices.

use glam::{DMat3, DVec3};

use super::ring::{Bends, Ring, Sector};
use super::surface::Surface;
use super::topology::{LEAST_TURN, NONE, Topology, is_curved};
use crate::arrays::MapEach;

/// Depth, as a share of that of the deepest surrounding vertex, by which the surface may rise farther
/// at another vertex while the farthest point still belongs to this vertex. If the farthest point is
/// about equally near to two vertices, both use it.
const OVERLAP: f64 = 0.1;
/// Sine of the angle by which a direction may lean beyond the end of a rim. Beyond it, only the rim's
/// curve counts as round.
const LEAN: f64 = 0.1;
/// Largest error of the fit at a surrounding vertex, as a share of the depth of the deepest one.
const MISFIT: f64 = 0.3;
/// Damping of undetermined unknowns, as a share of the weight of determined ones.
const UNTOLD: f64 = 1e-10;
/// Damping of the curvature across a sharp edge, as a share of the weight of determined unknowns. At the rim
/// of a cone or a cylinder, the vertices on one side tell the slope or the curvature, not both. A curvature
/// instead of a slope would make the rim of a cone concave.
const UNTOLD_ACROSS: f64 = 1e-4;

/// Smooth surface near a vertex, body space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounding {
    /// Derivative of the farthest surface point with respect to the direction, m/rad. It consists of
    /// the radii of curvature along their directions in the tangent plane.
    pub radii: DMat3,
    /// Vector from the vertex to the farthest surface point, m.
    pub shift: DVec3,
}

/// Shape of the surface at a vertex along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A sharp vertex: the surface around it is flat, sharp-edged or coarse.
    Sharp,
    /// Part of a smooth surface, but another vertex is nearer to the surface's farthest point.
    Beside(Rounding),
    /// Part of a smooth surface whose farthest point belongs to this vertex.
    Round(Rounding),
}

/// Returns the shape of the surface at a vertex along `outward` (unit). `tolerance`: largest distance
/// of facets behind the smooth surface, m. `largest`: largest radius of the smooth surface, m.
pub(super) fn outline(
    surface: &Surface,
    topology: &Topology,
    vertex: u32,
    outward: DVec3,
    (tolerance, largest): (f64, f64),
) -> Outline {
    if !topology.vertex_is_curved(vertex) {
        return Outline::Sharp;
    }
    let Some(ring) = Ring::new(surface, topology, vertex) else { return Outline::Sharp };
    let Some(sector) = ring.sector(surface, topology, vertex, outward) else { return Outline::Sharp };
    let Some(fit) = Fit::new(&sector, largest, Bends::Convex) else { return Outline::Sharp };
    fit.outline(&sector, outward, tolerance)
}

/// Paraboloid through a vertex, fitted to the surrounding vertices.
pub(super) struct Fit {
    pub normal: DVec3,
    /// Directions of the two curvatures.
    axes: [DVec3; 2],
    /// Curvatures, 1/m; zero along flat directions, negative along concave ones.
    curvatures: [f64; 2],
    /// Whether the surface is flat along one direction.
    has_flat: bool,
    /// Depth of the deepest surrounding vertex, m.
    back: f64,
}

impl Fit {
    /// Fits the paraboloid; `None` if the surrounding vertices do not lie on a smooth surface that bends as
    /// `bends` allows. A curvature below that of a circle of radius `largest` (m) counts as flat.
    pub fn new(sector: &Sector, largest: f64, bends: Bends) -> Option<Self> {
        let spokes = &sector.spokes[..sector.count];
        let normal = sector.normal;
        let inward = sector.inward();
        let x = inward.unwrap_or_else(|| normal.any_orthonormal_vector());
        let y = normal.cross(x);
        // Depth = a·u + b·v − ½·(k₁·u² + 2·k₂·u·v + k₃·v²); each vertex is weighted by the inverse of
        // its distance.
        let row = |spoke: DVec3| {
            let (u, v, length) = (spoke.dot(x), spoke.dot(y), spoke.length());
            // The spoke's true length is used rather than its projection, which is exact for circles.
            let whole = spoke.length_squared() / (u * u + v * v).max(f64::MIN_POSITIVE);
            let square = |p: f64| -0.5 * whole * p / length;
            [u / length, v / length, square(u * u), square(2.0 * u * v), square(v * v)]
        };
        let (mut system, mut right) = ([[0.0; 5]; 5], [0.0; 5]);
        for &spoke in spokes {
            let (row, depth) = (row(spoke), spoke.dot(normal) / spoke.length());
            for i in 0..5 {
                for j in 0..5 {
                    system[i][j] += row[i] * row[j];
                }
                right[i] += row[i] * depth;
            }
        }
        // The damping is the same for every direction, so that none is favored.
        let squares: f64 = spokes.iter().map(|spoke| spoke.length_squared()).sum();
        let damping = [1.0, 1.0, squares, 2.0 * squares, squares];
        for (k, damping) in damping.into_iter().enumerate() {
            system[k][k] += UNTOLD * damping;
        }
        if inward.is_some() {
            system[2][2] += UNTOLD_ACROSS * squares;
        }
        let [a, b, k1, k2, k3] = solve(system, right)?;
        let missed = spokes.iter().map(|&spoke| {
            let fitted: f64 = row(spoke).iter().zip([a, b, k1, k2, k3]).map(|(r, c)| r * c).sum();
            (fitted * spoke.length() - spoke.dot(normal)).abs()
        });
        let missed = missed.fold(0.0, f64::max);
        // Principal curvatures and their directions.
        let (mean, half) = (0.5 * (k1 + k3), 0.5 * (k1 - k3));
        let spread = (half * half + k2 * k2).sqrt();
        let angle = 0.5 * libm::atan2(k2, half);
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let tilted = |axis: DVec3| {
            let slope = a * axis.dot(x) + b * axis.dot(y);
            (axis + slope * normal).normalize()
        };
        let normal = (normal - a * x - b * y).normalize();
        let axes = [tilted(cosine * x + sine * y), tilted(cosine * y - sine * x)];
        let mut curvatures = [mean + spread, mean - spread];
        let mut has_flat = false;
        for (axis, curvature) in axes.iter().zip(&mut curvatures) {
            let reach = spokes.iter().map(|spoke| spoke.dot(*axis).abs()).fold(0.0, f64::max);
            if *curvature * reach < -LEAST_TURN && bends == Bends::Convex {
                return None;
            }
            if curvature.abs() * reach < LEAST_TURN || curvature.abs() * largest < 1.0 {
                (*curvature, has_flat) = (0.0, true);
            }
        }
        let fit = Self { normal, axes, curvatures, has_flat, back: 0.0 };
        let back = spokes.iter().map(|&spoke| fit.back(spoke).abs()).fold(0.0, f64::max);
        (back > 0.0 && missed <= MISFIT * back).then_some(Self { back, ..fit })
    }

    /// Returns the depth of a surrounding vertex behind the tangent plane, as given by the curvatures,
    /// m.
    fn back(&self, spoke: DVec3) -> f64 {
        let along = |k: usize| self.curvatures[k] * spoke.dot(self.axes[k]).powi(2);
        0.5 * (along(0) + along(1))
    }

    fn outline(&self, sector: &Sector, outward: DVec3, tolerance: f64) -> Outline {
        // Halfway to the next vertex, the facet is a quarter as deep as the next vertex.
        if 0.25 * self.back > tolerance || !self.has_surface(sector, outward) {
            return Outline::Sharp;
        }
        let slopes = self.slopes(outward);
        let is_beside = sector.spokes[..sector.count].iter().any(|&spoke| {
            let rise = slopes[0] * spoke.dot(self.axes[0]) + slopes[1] * spoke.dot(self.axes[1]);
            rise > self.back(spoke) + OVERLAP * self.back
        });
        let rounding = self.rounding(outward);
        // At a rim there may be no surface in the direction of the farthest point.
        let reach = sector.spokes[..sector.count].iter().map(|s| s.length_squared()).fold(0.0, f64::max);
        match (is_beside, rounding.shift.length_squared() <= reach) {
            (true, _) => Outline::Beside(rounding),
            (false, true) => Outline::Round(rounding),
            (false, false) => Outline::Sharp,
        }
    }

    /// Returns whether the smooth surface reaches to where its normal is `outward`.
    fn has_surface(&self, sector: &Sector, outward: DVec3) -> bool {
        let lean = if self.has_flat {
            let flat = self.axes[usize::from(self.curvatures[0] != 0.0)];
            outward.dot(flat).abs()
        } else {
            0.0
        };
        outward.dot(self.normal) > 0.0 && (lean <= LEAN || sector.is_whole)
    }

    /// Returns the slopes of a plane with the normal `outward` along the curved directions.
    fn slopes(&self, outward: DVec3) -> [f64; 2] {
        [0, 1].map(|k: usize| if self.curvatures[k] != 0.0 { outward.dot(self.axes[k]) } else { 0.0 })
    }

    /// Returns the radii, and the shift to the point whose normal is `outward`.
    fn rounding(&self, outward: DVec3) -> Rounding {
        let radius = |k: usize| if self.curvatures[k] != 0.0 { 1.0 / self.curvatures[k] } else { 0.0 };
        let (mut radii, mut shift, mut height) = (DMat3::ZERO, DVec3::ZERO, 0.0);
        for (k, slope) in self.slopes(outward).into_iter().enumerate() {
            let (axis, radius) = (self.axes[k], radius(k));
            radii += radius * DMat3::from_cols(axis.x * axis, axis.y * axis, axis.z * axis);
            shift += radius * slope * axis;
            height += 0.5 * radius * slope * slope;
        }
        // The farthest point is at `height` along `outward`; the shift within the tangent plane is
        // corrected accordingly.
        shift += (height - shift.dot(outward)) * outward;
        Rounding { radii, shift }
    }
}

/// Returns the concave or saddle-shaped surface at a vertex along `outward` (unit); `None` if the surface
/// is convex, sharp-edged or coarse there. For the parameters see [`outline`].
pub(super) fn hollow(
    surface: &Surface,
    topology: &Topology,
    vertex: u32,
    outward: DVec3,
    (tolerance, largest): (f64, f64),
) -> Option<Rounding> {
    if !topology.vertex_is_hollow(vertex) {
        return None;
    }
    let ring = Ring::new(surface, topology, vertex)?;
    let start = ring.facing(topology, outward)?;
    let sector = ring.sector_around((surface, topology), vertex, start, Bends::Any)?;
    let fit = if sector.is_round() { Fit::new(&sector, largest, Bends::Any)? } else { return None };
    let is_hollow = fit.curvatures.iter().any(|&curvature| curvature < 0.0);
    let is_fine = 0.25 * fit.back <= tolerance && fit.has_surface(&sector, outward);
    (is_hollow && is_fine).then(|| fit.rounding(outward))
}

/// Returns the largest distance (m) of a triangle behind the smooth surface that its neighbors and it
/// approximate: an eighth of the triangle's width times the angle to the neighbor. 0 if the surface
/// bends at none of its edges like a round one.
pub(super) fn facet_height(surface: &Surface, topology: &Topology, triangle: u32) -> f64 {
    let corners = surface.triangles[triangle as usize];
    let at = |vertex: u32| surface.vertices[vertex as usize].as_dvec3();
    let edges = topology.triangle_edges(triangle).into_iter().zip(0..3);
    edges.fold(0.0, |highest, (edge, k)| {
        let [x, y] = topology.edges()[edge as usize].triangles;
        if y == NONE || !is_curved(topology.normal(x), topology.normal(y)) {
            return highest;
        }
        let [a, b, apex] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]].map_each(at);
        let width = (apex - a).cross(b - a).length() / (b - a).length();
        let angle = topology.normal(x).cross(topology.normal(y)).length();
        highest.max(width * angle / 8.0)
    })
}

/// Solves five linear equations; `None` if there is no finite solution.
fn solve(mut system: [[f64; 5]; 5], mut right: [f64; 5]) -> Option<[f64; 5]> {
    // Symmetric and positive definite, so no pivoting is needed.
    for k in 0..5 {
        let (pivot, of_right) = (system[k], right[k]);
        if pivot[k] <= 0.0 {
            return None;
        }
        for i in k + 1..5 {
            let share = system[i][k] / pivot[k];
            for j in k..5 {
                system[i][j] -= share * pivot[j];
            }
            right[i] -= share * of_right;
        }
    }
    let mut solution = [0.0; 5];
    for k in (0..5).rev() {
        let known: f64 = (k + 1..5).map(|j| system[k][j] * solution[j]).sum();
        solution[k] = (right[k] - known) / system[k][k];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
