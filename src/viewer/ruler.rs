//! The ruler: two points on surfaces that a user picks. Shows their distance and the angle between
//! their faces. The points move with their parts, so the ruler is valid at every step.

use glam::{DVec2, DVec3};

use super::app::App;
use crate::body::WORLD;
use crate::record::Frame;

/// Distance from the pointer, points. A corner of the picked triangle that is within it is taken.
const SNAP: f64 = 8.0;
/// Faces count as parallel up to this angle between their normals, rad.
const PARALLEL: f64 = 1e-3;

/// The picked points, of which there are at most two.
#[derive(Clone, Debug, Default)]
pub struct Ruler {
    pub is_on: bool,
    anchors: Vec<Anchor>,
}

/// A point of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    pub body: u32,
    /// Position in body space, m.
    point: DVec3,
    /// Normal of the face, a unit vector in body space. `None` on a surface that is only drawn.
    normal: Option<DVec3>,
    pub is_corner: bool,
}

/// The distance of two points at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Points in world space, m.
    pub points: [DVec3; 2],
    /// Angle between the two faces, from 0 to a quarter turn, rad.
    pub angle: Option<f64>,
    /// Distance of the two faces if they are parallel, m.
    pub between_faces: Option<f64>,
}

impl Anchor {
    pub(super) fn place(&self, frame: &Frame) -> DVec3 {
        frame.poses[self.body as usize].transform_point(self.point)
    }

    pub(super) fn facing(&self, frame: &Frame) -> Option<DVec3> {
        self.normal.map(|n| frame.poses[self.body as usize].transform_vector(n))
    }
}

impl Ruler {
    /// Takes a point. A third point starts a new measurement.
    pub fn take(&mut self, anchor: Anchor) {
        if self.anchors.len() == 2 {
            self.anchors.clear();
        }
        self.anchors.push(anchor);
    }

    /// Removes all points. Returns whether there were any.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.anchors).is_empty()
    }

    /// Returns the points in a frame (world, m). Also returns for each whether it is a corner.
    pub fn places(&self, frame: &Frame) -> impl Iterator<Item = (DVec3, bool)> {
        self.anchors.iter().map(|anchor| (anchor.place(frame), anchor.is_corner))
    }

    /// Returns the distance of the two points in a frame.
    pub fn span(&self, frame: &Frame) -> Option<Span> {
        let [a, b]: [Anchor; 2] = self.anchors[..].try_into().ok()?;
        let points = [a, b].map(|anchor| anchor.place(frame));
        let normals = a.facing(frame).zip(b.facing(frame));
        let angle = normals.map(|(n, m)| n.cross(m).length().atan2(n.dot(m).abs()));
        let is_parallel = angle.is_some_and(|angle| angle < PARALLEL);
        let between = normals.map(|(n, _)| n.dot(points[1] - points[0]).abs());
        Some(Span { points, angle, between_faces: between.filter(|_| is_parallel) })
    }
}

impl App {
    /// Returns the point of a part under a point of the view (−1 to 1, x right and y up). If a corner
    /// of the surface is near, returns this corner.
    pub fn anchor_at(&self, at: DVec2) -> Option<Anchor> {
        let hit = self.pick(at)?;
        let stage = self.stage.as_ref()?;
        debug_assert!(hit.body != WORLD);
        let pose = &stage.frame.poses[hit.body as usize];
        let mesh = stage.show.scene.bodies[hit.body as usize].mesh;
        let face = hit.triangle.zip(mesh).map(|(t, mesh)| stage.show.scene.meshes[mesh as usize].corners(t));
        let half = 0.5 * DVec2::new(self.area.width().into(), self.area.height().into());
        let away = |corner: DVec3| {
            let seen = self.camera.project(pose.transform_point(corner), self.aspect())?;
            Some(((seen - at) * half).length())
        };
        let corners = face.into_iter().flatten().filter_map(|corner| Some((away(corner)?, corner)));
        let nearest = corners.min_by(|x, y| x.0.total_cmp(&y.0)).filter(|nearest| nearest.0 <= SNAP);
        let point = nearest.map_or_else(|| pose.inverse_transform_point(hit.point), |nearest| nearest.1);
        let normal = face.and_then(|[a, b, c]| (b - a).cross(c - a).try_normalize());
        Some(Anchor { body: hit.body, point, normal, is_corner: nearest.is_some() })
    }
}
