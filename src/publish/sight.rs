//! The camera from which a finding is seen.
//!
//! A ray from the finding leaves the two parts in some directions. One of them that shows the measured
//! distance from its side is chosen; all other parts in front are cut away. If both parts hide the
//! finding from everywhere, as a bolt in its hole is hidden, they are cut open along the distance.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::check::PlacedParts;
use crate::query::{Plane, first_crossing};
use crate::tree::SegmentStack;

/// Camera, and the plane that cuts the parts in front of it open. World, m; y is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    pub bodies: [u32; 2],
    /// Points between which the depth or the distance is measured.
    pub points: [DVec3; 2],
    pub eye: DVec3,
    pub target: DVec3,
    /// The half in front of this plane is removed.
    pub section: Plane,
    /// Whether the two parts are drawn whole in spite of the section.
    pub is_whole: bool,
}

/// Vertical field of view, degrees. The topic format allows 45 to 60.
pub const FIELD_OF_VIEW: f64 = 45.0;
/// Numbers of directions around the vertical axis, and their elevations, rad.
const TURNS: u32 = 16;
const ELEVATIONS: [f64; 5] = [0.4, 0.1, 0.8, 1.2, -0.3];
/// Direction in which assemblies are usually seen: turn and elevation, rad.
const USUAL: [f64; 2] = [0.6, 0.4];
/// Weights of a direction that shows the distance from its side, and of the usual direction, compared
/// with 1 for a direction in which the finding is not hidden.
const FROM_ITS_SIDE: f64 = 0.5;
const USUALLY: f64 = 0.3;
/// Radius of the surroundings in the picture, in distances of the two points, and its least and greatest
/// value in diagonals of the smaller part's box.
const GAPS: f64 = 16.0;
const DIAGONALS: [f64; 2] = [0.12, 0.6];

impl Sight {
    /// Chooses the camera for two parts, and the points of a and b between which their depth or distance
    /// is measured.
    pub fn new(parts: &PlacedParts, bodies: [u32; 2], points: [DVec3; 2]) -> Self {
        let target = 0.5 * (points[0] + points[1]);
        let gap = points[0].distance(points[1]);
        let along = (points[1] - points[0]).try_normalize();
        let diagonals = bodies.map_each(|body| f64::from(parts.bounds(body).diagonal()));
        let reach = 2.0 * (diagonals[0] + diagonals[1] + gap);
        let [least, greatest] = DIAGONALS.map_each(|share| share * diagonals[0].min(diagonals[1]));
        // Both points must be in the picture, also if the parts are small and far apart.
        let radius = (GAPS * gap).clamp(least, greatest).max(gap).max(f64::from(f32::EPSILON) * reach);
        let usual = direction(USUAL);
        let mut stack = SegmentStack::default();
        let mut best = (f64::NEG_INFINITY, usual, false);
        for elevation in ELEVATIONS {
            for turn in 0..TURNS {
                let turn = USUAL[0] + std::f64::consts::TAU * f64::from(turn) / f64::from(TURNS);
                let to_eye = direction([turn, elevation]);
                let is_free =
                    bodies.iter().all(|body| is_free(parts, *body, target, reach * to_eye, &mut stack));
                let side = along.map_or(1.0, |along| along.cross(to_eye).length());
                let score = f64::from(u8::from(is_free)) + FROM_ITS_SIDE * side + USUALLY * usual.dot(to_eye);
                if score > best.0 {
                    best = (score, to_eye, is_free);
                }
            }
        }
        let (_, to_eye, is_whole) = best;
        // A cut along the distance shows both of its ends.
        let across = along.map_or(to_eye, |along| to_eye - to_eye.dot(along) * along);
        let section = if is_whole {
            Plane::through(target + (0.5 * gap + 0.05 * radius) * to_eye, to_eye)
        } else {
            Plane::through(target, across.try_normalize().unwrap_or(to_eye))
        };
        let to_eye = if is_whole { to_eye } else { (section.normal + 0.4 * to_eye).normalize() };
        let distance = radius / (0.5 * FIELD_OF_VIEW.to_radians()).tan() + radius;
        Self { bodies, points, eye: target + distance * to_eye, target, section, is_whole }
    }

    /// Returns the direction of view, a unit vector.
    pub fn forward(&self) -> DVec3 {
        (self.target - self.eye).normalize()
    }

    /// Returns the direction that is up in the picture, a unit vector.
    pub fn up(&self) -> DVec3 {
        let forward = self.forward();
        let up = DVec3::Y - forward.y * forward;
        up.try_normalize().unwrap_or_else(|| forward.any_orthonormal_vector())
    }
}

/// Returns the direction to the eye for a turn about the vertical axis and an elevation, rad.
fn direction([turn, elevation]: [f64; 2]) -> DVec3 {
    let (sin, cos) = (elevation.sin(), elevation.cos());
    DVec3::new(cos * turn.sin(), sin, cos * turn.cos())
}

/// Returns whether a ray from `from` along `ray` crosses no triangle of a part.
fn is_free(parts: &PlacedParts, body: u32, from: DVec3, ray: DVec3, stack: &mut SegmentStack) -> bool {
    let Some(placed) = parts.placed(body) else { return true };
    let [from, to] = [from, from + ray].map(|point| placed.pose.inverse_transform_point(point));
    first_crossing(placed.tree, placed.mesh, from, to, stack).is_none()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::scene::{BodyDef, Scene};

    /// Builds a scene of cubes of 1 m at positions, m, each of them `sizes` times as large.
    fn cubes(cubes: &[(f32, DVec3)]) -> Scene {
        let mut scene = Scene::new("cubes");
        for (size, at) in cubes {
            let (positions, triangles) = generate::cuboid(Vec3::splat(*size), f64::from(*size));
            let cube = scene.add_mesh(Mesh::new("cube", &positions, &triangles).unwrap());
            let body = BodyDef::fixed(&scene, cube).at(*at);
            scene.add_body(body);
        }
        scene
    }

    fn sight(scene: &Scene, points: [DVec3; 2]) -> Sight {
        let poses = scene.bodies.iter().map(|body| body.pose).collect();
        Sight::new(&PlacedParts::new(scene, poses, 1).unwrap(), [0, 1], points)
    }

    #[test]
    fn a_gap_is_seen_from_its_side_and_the_parts_stay_whole() {
        let scene = cubes(&[(1.0, DVec3::ZERO), (1.0, DVec3::new(0.0, 0.0, 1.1))]);
        let seen = sight(&scene, [DVec3::new(0.4, 0.4, 0.5), DVec3::new(0.4, 0.4, 0.6)]);
        assert!(seen.is_whole, "{seen:?}");
        assert!(seen.forward().z.abs() < 0.3, "{seen:?}");
        assert!(seen.points.iter().all(|point| seen.section.height(*point) < 0.0), "{seen:?}");
        assert!(seen.section.height(seen.eye) > 0.0 && seen.up().y > 0.5, "{seen:?}");
    }

    #[test]
    fn a_finding_inside_a_part_is_seen_in_a_cut_through_it() {
        let scene = cubes(&[(1.0, DVec3::ZERO), (0.2, DVec3::ZERO)]);
        let points = [DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.1, 0.0, 0.0)];
        let seen = sight(&scene, points);
        assert!(!seen.is_whole, "{seen:?}");
        assert!(points.iter().all(|point| seen.section.height(*point).abs() < 1e-9), "{seen:?}");
        assert!(seen.section.height(seen.eye) > 0.0, "{seen:?}");
    }
}
