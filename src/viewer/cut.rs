//! The section plane of the view: the half that is shown, and the lines and areas that the plane cuts
//! out of every part.
//!
//! A plane and the drawn surfaces → [`CutPart`]s. The half on the side of the plane's normal is
//! removed. Lines and areas are those of the visible surfaces. So a part is cut as drawn, even if it
//! collides with other surfaces.

use glam::DVec3;

use super::app::App;
use super::assembly::Hidden;
use super::caps::caps;
use super::gpu::Segment;
use super::show::{Look, Show};
use crate::pose::Pose;
use crate::query::{Plane, Section, section};
use crate::record::Frame;
use crate::scene::looks::Follows;

/// Color (sRGB and opacity) and width (px) of the line around a cut.
const LINE: [u8; 4] = [40, 34, 24, 255];
const WIDTH: f32 = 1.6;

/// A part that the plane cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct CutPart {
    pub body: u32,
    /// Area of the cut, m². `None` if a surface is open, as such a surface bounds no area.
    pub area: Option<f64>,
    /// The lines of the cut, in world space, m.
    pub lines: Vec<[DVec3; 2]>,
    /// The solid in the plane as triangles, in world space, m. Empty for an open surface.
    pub caps: Vec<[DVec3; 3]>,
}

/// The section of a step. It is cached until the plane, the step or the drawn surfaces change.
#[derive(Default)]
pub struct Cut {
    key: Option<Key>,
    parts: Vec<CutPart>,
}

#[derive(Clone, PartialEq)]
struct Key {
    plane: Plane,
    step: u32,
    look: Look,
    hidden: Hidden,
}

impl Cut {
    /// Cuts the drawn surfaces, unless the cached section is valid. The skins must be posed for the
    /// frame before this call.
    pub(super) fn update(&mut self, show: &Show, frame: &Frame, (look, plane): (Look, Plane)) {
        let is_known = |key: &Key| {
            key.plane == plane && key.step == frame.step && key.look == look && key.hidden == show.hidden
        };
        if self.key.as_ref().is_some_and(is_known) {
            return;
        }
        self.parts = parts(show, frame, look, &plane);
        self.key = Some(Key { plane, step: frame.step, look, hidden: show.hidden.clone() });
    }

    /// Returns the cut parts, in ascending order of their bodies.
    pub fn parts(&self) -> &[CutPart] {
        &self.parts
    }

    /// Appends the lines and the caps to a picture. The lines are drawn in front of the plane, at the
    /// distance `lift` (m), so that the caps do not hide them.
    pub(super) fn draw(&self, lift: DVec3, lines: &mut Vec<Segment>, caps: &mut Vec<[DVec3; 3]>) {
        let stroke = |&[start, end]: &[DVec3; 2]| {
            let [start, end] = [start + lift, end + lift];
            Segment { start, end, color: LINE, width: WIDTH, through: false }
        };
        lines.extend(self.parts.iter().flat_map(|part| &part.lines).map(stroke));
        caps.extend(self.parts.iter().flat_map(|part| &part.caps));
    }
}

/// Cuts all drawn surfaces except the ground.
fn parts(show: &Show, frame: &Frame, look: Look, plane: &Plane) -> Vec<CutPart> {
    let scene = &show.scene;
    let mut found = Vec::new();
    let mut add = |body: u32, section: Section| {
        if !section.is_empty() && !scene.bodies[body as usize].is_ground {
            found.push((body, section));
        }
    };
    for (body, pose) in (0u32..).zip(&frame.poses).filter(|(body, _)| show.shows_body(*body, look)) {
        let Some(mesh) = scene.bodies[body as usize].mesh else { continue };
        let mesh = &scene.meshes[mesh as usize];
        if plane.in_space_of(pose).crosses(&mesh.bounds()) {
            let surface = mesh.surface();
            add(body, section(mesh.vertices(), mesh.triangles(), &surface.two_sided, pose, plane));
        }
    }
    let drawn = scene.drawn.iter().filter(|_| look == Look::Drawn);
    for surface in drawn {
        let Follows::Body(body) = surface.follows else { continue };
        if show.shows_drawn(Some(body)) {
            let pose = &frame.poses[body as usize];
            add(body, section(&surface.positions, &surface.triangles, &[], pose, plane));
        }
    }
    for skin in show.seen_skins(look) {
        let (vertices, triangles) = skin.welded();
        let pose = Pose::from_position(skin.origin);
        add(skin.links(scene).start, section(&vertices, triangles, &[], &pose, plane));
    }
    found.sort_by_key(|(body, _)| *body);
    joined(found, plane)
}

/// Merges all sections of each body, as a body may have several drawn surfaces.
fn joined(found: Vec<(u32, Section)>, plane: &Plane) -> Vec<CutPart> {
    let mut parts: Vec<CutPart> = Vec::new();
    for (body, section) in found {
        if parts.last().is_none_or(|part| part.body != body) {
            parts.push(CutPart { body, area: Some(0.0), lines: Vec::new(), caps: Vec::new() });
        }
        let Some(part) = parts.last_mut() else { continue };
        part.area = part.area.zip(section.area).map(|(a, b)| a + b);
        part.lines.extend(section.loops.iter().flat_map(|line| line.segments()));
        caps(&section, plane, &mut part.caps);
    }
    parts
}

impl App {
    /// Removes the section plane if there is one. Otherwise adds one that faces the camera, through the
    /// middle of the selection or, without a selection, of the focus.
    pub(super) fn toggle_section(&mut self) {
        self.options.section = match self.options.section {
            Some(_) => None,
            None => {
                let forward = self.camera.forward();
                self.middle_plane(DVec3::AXES[forward.abs().max_position()])
            }
        };
    }

    /// Returns the plane that is perpendicular to an axis, passes through the middle of the selection
    /// or focus, and removes the half on the camera's side.
    pub fn middle_plane(&self, axis: DVec3) -> Option<Plane> {
        let [min, max] = self.section_bounds()?;
        let middle = 0.5 * (min + max);
        let normal = if axis.dot(self.camera.eye() - middle) < 0.0 { -axis } else { axis };
        Some(Plane::through(middle, normal))
    }

    /// Returns the bounds of the selection or focus, in world space, m.
    pub fn section_bounds(&self) -> Option<[DVec3; 2]> {
        let stage = self.stage.as_ref()?;
        let chosen = self.chosen();
        let bodies = if chosen.is_empty() { stage.show.focus(&stage.frame) } else { chosen };
        stage.show.around(bodies.into_iter(), &stage.frame)
    }

    /// Puts the section plane into the face under the pointer. The half in front of the face is
    /// removed.
    pub(super) fn section_face(&mut self) {
        let anchor = self.pointer.and_then(|at| self.anchor_at(at));
        let plane = anchor.zip(self.stage.as_ref()).and_then(|(anchor, stage)| {
            Some(Plane::through(anchor.place(&stage.frame), anchor.facing(&stage.frame)?))
        });
        match plane {
            Some(plane) => self.options.section = Some(plane),
            None => self.say("point at a face to cut along it", false),
        }
    }

    pub(super) fn flip_section(&mut self) {
        match &mut self.options.section {
            Some(plane) => *plane = plane.flipped(),
            None => self.say("there is no cut to turn round", false),
        }
    }
}
