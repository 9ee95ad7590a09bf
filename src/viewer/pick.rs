//! Picking: finds the first surface on the ray from the eye through the pixel under the mouse.
//!
//! The ray is intersected with everything that is drawn. The result is a body, a triangle and a point.
//! For bodies, the ray is tested with their boxes and then with their hierarchies. For skins and
//! surfaces that are only drawn, it is tested with all triangles. The tests are exact, in `f64`.

use glam::DVec3;

use super::show::{Look, Show};
use crate::query::{Plane, first_crossing};
use crate::record::Frame;
use crate::scene::looks::Follows;
use crate::tree::SegmentStack;
use crate::volume::Aabb;

/// An intersection of a ray with the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub body: u32,
    /// The point of the intersection, in world space, m.
    pub point: DVec3,
    /// Distance from the start of the ray, m.
    pub distance: f64,
    /// Triangle of the body's mesh, or `None` on a surface that is only drawn.
    pub triangle: Option<u32>,
}

/// Returns the first surface that a ray from `eye` in a direction (unit) hits, up to `reach` m away.
/// With a section, the ray hits only the visible half, and it hits the plane itself where the plane
/// cuts a part.
pub fn pick(
    show: &Show,
    frame: &Frame,
    (look, section): (Look, Option<&Plane>),
    (eye, direction, reach): (DVec3, DVec3, f64),
) -> Option<Hit> {
    let all = |_| true;
    let Some(plane) = section else {
        return first_surface((show, frame, look), all, (eye, direction, reach));
    };
    let is_ground = |body: u32| show.scene.bodies[body as usize].is_ground;
    // The ground is not cut.
    let ground = first_surface((show, frame, look), is_ground, (eye, direction, reach));
    let reach = ground.map_or(reach, |hit| hit.distance);
    behind((show, frame, look), plane, (eye, direction, reach)).or(ground)
}

/// Returns the first surface of a part on a ray behind a plane.
fn behind(
    (show, frame, look): (&Show, &Frame, Look),
    plane: &Plane,
    (eye, direction, reach): (DVec3, DVec3, f64),
) -> Option<Hit> {
    let is_part = |body: u32| !show.scene.bodies[body as usize].is_ground;
    let (height, slope) = (plane.height(eye), plane.normal.dot(direction));
    let at_plane = -height / slope;
    if height <= 0.0 {
        let reach = if slope > 0.0 { reach.min(at_plane) } else { reach };
        return first_surface((show, frame, look), is_part, (eye, direction, reach));
    }
    if slope >= 0.0 || at_plane >= reach {
        return None;
    }
    let start = eye + at_plane * direction;
    let hit = first_surface((show, frame, look), is_part, (start, direction, reach - at_plane))?;
    if is_inner(show, frame, &hit, direction) {
        return Some(Hit { point: start, distance: at_plane, triangle: None, ..hit });
    }
    Some(Hit { distance: hit.distance + at_plane, ..hit })
}

/// Returns whether a hit is on the inner side of a closed surface. If so, the ray started inside the
/// solid.
fn is_inner(show: &Show, frame: &Frame, hit: &Hit, direction: DVec3) -> bool {
    let mesh = show.scene.bodies[hit.body as usize].mesh;
    let Some((triangle, mesh)) = hit.triangle.zip(mesh) else { return false };
    let mesh = &show.scene.meshes[mesh as usize];
    let [a, b, c] = mesh.corners(triangle);
    let normal = frame.poses[hit.body as usize].transform_vector((b - a).cross(c - a));
    normal.dot(direction) > 0.0 && !mesh.surface().two_sided[triangle as usize]
}

/// Returns the first surface that a ray hits, among the bodies for which `is_asked` is true. The ray is
/// given by its start, its direction (unit) and its reach, m.
fn first_surface(
    (show, frame, look): (&Show, &Frame, Look),
    is_asked: impl Fn(u32) -> bool,
    (eye, direction, reach): (DVec3, DVec3, f64),
) -> Option<Hit> {
    let mut first: Option<Hit> = None;
    let mut stack = SegmentStack::default();
    let hit_at =
        |body, distance, triangle| Hit { body, point: eye + distance * direction, distance, triangle };
    for body in 0..show.scene.bodies.len() as u32 {
        if !is_asked(body) || !show.shows_body(body, look) {
            continue;
        }
        let Some(mesh) = show.scene.bodies[body as usize].mesh else { continue };
        let far = first.map_or(reach, |h| h.distance);
        let pose = &frame.poses[body as usize];
        let (from, to) = (eye, eye + far * direction);
        let bounds = show.scene.meshes[mesh as usize].bounds().transformed(pose);
        if !Aabb::from_f64(from.min(to), from.max(to)).overlaps(&bounds) {
            continue;
        }
        let [from, to] = [from, to].map(|p| pose.inverse_transform_point(p));
        let (tree, mesh) = (&show.trees[mesh as usize], &show.scene.meshes[mesh as usize]);
        if let Some(crossing) = first_crossing(tree, mesh, from, to, &mut stack) {
            first = Some(hit_at(body, crossing.at * far, Some(crossing.triangle)));
        }
    }
    let mut try_triangle = |body: u32, corners: [DVec3; 3]| {
        let far = first.map_or(reach, |h| h.distance);
        if let Some(distance) = meets(eye, direction, corners).filter(|&d| d < far) {
            first = Some(hit_at(body, distance, None));
        }
    };
    for skin in show.seen_skins(look) {
        let asked = skin.triangles().filter(|(_, owner)| is_asked(*owner));
        asked.for_each(|(corners, owner)| try_triangle(owner, corners));
    }
    if look == Look::Drawn {
        for surface in &show.scene.drawn {
            let Follows::Body(body) = surface.follows else { continue };
            if !is_asked(body) || !show.shows_drawn(Some(body)) {
                continue;
            }
            let pose = &frame.poses[body as usize];
            // This is done in the body's space, so that only the ray must be transformed.
            let local_eye = pose.inverse_transform_point(eye);
            let local_direction = pose.inverse_transform_vector(direction);
            for t in &surface.triangles {
                let corners = t.map(|v| surface.positions[v as usize].as_dvec3());
                if meets(local_eye, local_direction, corners).is_some() {
                    try_triangle(body, corners.map(|c| pose.transform_point(c)));
                }
            }
        }
    }
    first
}

/// Returns the distance along a ray to a triangle (Möller–Trumbore).
fn meets(eye: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (ab, ac, t) = (b - a, c - a, eye - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    let q = t.cross(ab);
    let (u, v) = (t.dot(p) / determinant, direction.dot(q) / determinant);
    let distance = ac.dot(q) / determinant;
    // If the ray runs along the triangle, these numbers are NaN and no comparison holds.
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0 && distance.is_finite()).then_some(distance)
}
