//! What is under the mouse: the first surface on the ray from the eye through a pixel.
//!
//! Ray × everything that is drawn → body, triangle, point. Bodies by their boxes, then down their
//! hierarchies; skins and surfaces that are only drawn by all of their triangles. Exact, `f64`.

use glam::DVec3;

use super::show::{Look, Show};
use crate::query::first_crossing;
use crate::record::Frame;
use crate::scene::looks::Follows;
use crate::tree::SegmentStack;
use crate::volume::Aabb;

/// Where a ray meets the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub body: u32,
    /// World, m.
    pub point: DVec3,
    /// From the ray's start, m.
    pub distance: f64,
    /// The triangle of the body's mesh; `None` on a surface that is only drawn.
    pub triangle: Option<u32>,
}

/// The first surface from `eye` in a direction (unit), up to `reach` m away.
pub fn pick(show: &Show, frame: &Frame, look: Look, eye: DVec3, direction: DVec3, reach: f64) -> Option<Hit> {
    let mut first: Option<Hit> = None;
    let mut stack = SegmentStack::default();
    let hit_at =
        |body, distance, triangle| Hit { body, point: eye + distance * direction, distance, triangle };
    for body in 0..show.scene.bodies.len() as u32 {
        if !show.shows_body(body, look) {
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
        skin.triangles().for_each(|(corners, owner)| try_triangle(owner, corners));
    }
    if look == Look::Drawn {
        for surface in &show.scene.drawn {
            let Follows::Body(body) = surface.follows else { continue };
            if !show.shows_drawn(Some(body)) {
                continue;
            }
            let pose = &frame.poses[body as usize];
            // In the body's space, so that the ray is carried there once.
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

/// Distance along a ray to a triangle (Möller–Trumbore).
fn meets(eye: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (ab, ac, t) = (b - a, c - a, eye - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    let q = t.cross(ab);
    let (u, v) = (t.dot(p) / determinant, direction.dot(q) / determinant);
    let distance = ac.dot(q) / determinant;
    // NaN where the ray runs along the triangle: no comparison holds.
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0 && distance.is_finite()).then_some(distance)
}
