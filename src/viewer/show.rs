//! A scene that is prepared for drawing: the shape of every surface, and the pose of each shape in a
//! frame.
//!
//! Scene → shapes (once) → instances of a frame (in every picture). A body is drawn by its colliding
//! surface, or by surfaces that follow the body. Skins are blended on the processor, so that a click
//! hits the visible surface.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::assembly::Hidden;
use super::gpu::{Instance, ShapeId, Tint};
use super::parts::Parts;
use super::shading::Shape;
use super::skin::Skin;
use crate::articulation::SkinKind;
use crate::body::Motion;
use crate::pose::Pose;
use crate::record::Frame;
use crate::scene::Scene;
use crate::scene::looks::{Follows, Paint};
use crate::tree::Tree;

/// The data of a scene for drawing. It does not change with the shown step.
pub struct Show {
    pub scene: Arc<Scene>,
    /// Hierarchy of each mesh of the scene. Empty if nothing is picked and no boxes are drawn.
    pub trees: Vec<Arc<Tree>>,
    /// Shape of each body's colliding surface, if the body has one.
    bodies: Vec<Option<ShapeId>>,
    /// Surfaces that are drawn instead of colliding surfaces, with the bodies that they follow.
    drawn: Vec<Drawn>,
    /// Whether another surface is drawn instead of the body's own, per body.
    is_dressed: Vec<bool>,
    /// Whether the body is a link and its part of a skin is drawn instead, per body.
    is_skinned: Vec<bool>,
    pub skins: Vec<Skin>,
    shape_count: u32,
    /// The parts, when the search has found them.
    pub parts: Option<Parts>,
    pub hidden: Hidden,
}

struct Drawn {
    shape: ShapeId,
    follows: Option<u32>,
}

/// Selects the surfaces that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// The surfaces that the file specifies for display.
    #[default]
    Drawn,
    /// The colliding surfaces. Rigid links are shown instead of skins that are not exact, and colliders
    /// instead of visual meshes.
    Colliding,
    /// The colliding surfaces. Their colors distinguish the components that the parts of their
    /// simplified models represent.
    Components,
    /// The simplified models of the colliding surfaces.
    Simplified,
}

impl Look {
    /// Returns whether the look needs the parts of the scene's surfaces.
    pub fn shows_parts(self) -> bool {
        matches!(self, Self::Components | Self::Simplified)
    }

    /// Returns the look `other`. If it is active already, returns the drawn look.
    pub(super) fn or_drawn(self, other: Self) -> Self {
        if self == other { Self::Drawn } else { other }
    }
}

impl Show {
    /// Creates the show of a scene. Also returns the shapes to upload, in the order of their ids.
    pub fn new(scene: Arc<Scene>, trees: Vec<Arc<Tree>>) -> (Self, Vec<Shape>) {
        let mut shapes = Vec::new();
        let mut known: HashMap<(u32, u32), ShapeId> = HashMap::new();
        let grey = Paint::Plain([150; 3]);
        let paint = |index: u32| scene.paints.get(index as usize).unwrap_or(&grey);
        let add = |shape: Shape, shapes: &mut Vec<Shape>| {
            shapes.push(shape);
            ShapeId(shapes.len() as u32 - 1)
        };
        let mut bodies = Vec::with_capacity(scene.bodies.len());
        for body in &scene.bodies {
            bodies.push(body.mesh.map(|mesh| {
                *known.entry((mesh, body.paint)).or_insert_with(|| {
                    add(Shape::of_mesh(&scene.meshes[mesh as usize], paint(body.paint)), &mut shapes)
                })
            }));
        }
        let mut is_dressed = vec![false; bodies.len()];
        let mut is_skinned = is_dressed.clone();
        let (mut drawn, mut skins) = (Vec::new(), Vec::new());
        for surface in &scene.drawn {
            let color = |triangle: usize, corner: usize| match paint(surface.paint) {
                Paint::Plain(color) => *color,
                Paint::Corners(corners) => corners.get(triangle).map_or([150; 3], |c| c[corner]),
            };
            let mut shape = Shape::new(&surface.positions, &surface.triangles, color);
            match &surface.follows {
                Follows::Body(body) => {
                    is_dressed[*body as usize] = true;
                    drawn.push(Drawn { shape: add(shape, &mut shapes), follows: Some(*body) });
                }
                Follows::World => {
                    drawn.push(Drawn { shape: add(shape, &mut shapes), follows: None });
                }
                Follows::Joints(skinning) => {
                    skinning.owners.iter().for_each(|&o| is_skinned[o as usize] = true);
                    // Cells have the scale of the file, and pixels have the scale of the world.
                    let size = |b: &DAffine3| b.matrix3.to_cols_array_2d().map(|c| DVec3::from(c).length());
                    let sizes = skinning.joints.iter().flat_map(|j| size(&j.bind));
                    let scale = sizes.fold(0.0, f64::max) as f32;
                    shape.levels.iter_mut().for_each(|level| level.cell *= scale);
                    let id = ShapeId(shapes.len() as u32);
                    skins.push(Skin::new(id, &shape, surface, skinning, &scene));
                    shapes.push(shape);
                }
            }
        }
        let shape_count = shapes.len() as u32;
        let (parts, hidden) = (None, Hidden::new(bodies.len()));
        let show =
            Self { scene, trees, bodies, drawn, is_dressed, is_skinned, skins, shape_count, parts, hidden };
        (show, shapes)
    }

    /// Returns the number of the show's own shapes. The ids of [`Show::parts`] begin at this number.
    pub fn shape_count(&self) -> u32 {
        self.shape_count
    }

    /// Returns whether any drawn surface differs from the colliding surface.
    pub fn has_looks(&self) -> bool {
        !self.scene.drawn.is_empty()
    }

    /// Returns whether the body's own surface is visible. A surface that replaces it does not count.
    pub fn shows_body(&self, body: u32, look: Look) -> bool {
        !self.hidden.hides(body) && self.draws_body(body, look)
    }

    /// Returns whether a body is drawn by its colliding surface, even if it is hidden.
    pub fn draws_body(&self, body: u32, look: Look) -> bool {
        let body = body as usize;
        let is_dressed = self.is_dressed[body] && look == Look::Drawn;
        self.bodies[body].is_some() && !is_dressed && !(self.is_skinned[body] && self.shows_skins(look))
    }

    /// Returns whether skins are shown. They are if the look shows drawn surfaces, or if it shows
    /// colliding surfaces and the skins themselves collide.
    pub fn shows_skins(&self, look: Look) -> bool {
        look == Look::Drawn || look == Look::Colliding && self.scene.config.skins == SkinKind::Exact
    }

    /// Returns whether a surface that is drawn besides the bodies is visible. This depends on the body
    /// that the surface follows. Without such a body, it depends on the setting for surfaces without a
    /// body.
    pub fn shows_drawn(&self, follows: Option<u32>) -> bool {
        follows.map_or(!self.hidden.rest, |body| !self.hidden.hides(body))
    }

    /// Returns the visible skins, which are those with at least one visible link.
    pub fn seen_skins(&self, look: Look) -> impl Iterator<Item = &Skin> {
        let seen = |skin: &&Skin| skin.links(&self.scene).any(|link| !self.hidden.hides(link));
        self.skins.iter().filter(move |_| self.shows_skins(look)).filter(seen)
    }

    /// Collects the instances of a frame, sorted by shape. Parts are shown at a level. The bodies in
    /// `intersecting` (ascending) are red.
    pub fn instances(
        &self,
        frame: &Frame,
        (look, part_level): (Look, u32),
        intersecting: &[u32],
        out: &mut Vec<Instance>,
    ) {
        out.clear();
        let tint = |body: u32| match intersecting.binary_search(&body) {
            Ok(_) => Tint::INTERSECTING,
            Err(_) if self.scene.bodies[body as usize].trigger => Tint::TRIGGER,
            Err(_) => Tint::NONE,
        };
        for (body, &pose) in (0u32..).zip(&frame.poses).filter(|(body, _)| !self.hidden.hides(*body)) {
            if let Some(shape) = self.shape_of(body, (look, part_level)) {
                let is_whole = self.scene.bodies[body as usize].is_ground;
                out.push(Instance { shape, pose, tint: tint(body), is_whole });
            }
        }
        if look == Look::Drawn {
            let seen = self.drawn.iter().filter(|d| self.shows_drawn(d.follows));
            out.extend(seen.map(|d| match d.follows {
                Some(body) => instance(d.shape, frame.poses[body as usize], tint(body)),
                None => instance(d.shape, Pose::IDENTITY, Tint::NONE),
            }));
        }
        out.extend(self.seen_skins(look).map(skin_instance));
        out.sort_by_key(|i| i.shape);
    }

    /// Appends the drawn surfaces of one body, so that they are outlined. They are the body's own
    /// surface or its replacement, even if the body is hidden.
    pub fn outlined(&self, body: u32, frame: &Frame, look: (Look, u32), out: &mut Vec<Instance>) {
        let whole = |shape, pose| instance(shape, pose, Tint::WHOLE);
        let pose = frame.poses[body as usize];
        if let Some(shape) = self.shape_of(body, look) {
            out.push(whole(shape, pose));
        }
        if look.0 == Look::Drawn {
            let own = self.drawn.iter().filter(|d| d.follows == Some(body));
            out.extend(own.map(|d| whole(d.shape, pose)));
        }
        if self.is_skinned[body as usize] && self.shows_skins(look.0) {
            out.extend(self.skins.iter().map(skin_instance));
        }
    }

    /// Returns the shape of a body itself. If parts are shown, returns the shape at a level of the
    /// body's parts.
    fn shape_of(&self, body: u32, (look, part_level): (Look, u32)) -> Option<ShapeId> {
        let shape = self.bodies[body as usize].filter(|_| self.draws_body(body, look))?;
        let parts = self.parts.as_ref().filter(|_| look.shows_parts());
        let part = parts.zip(self.scene.bodies[body as usize].mesh);
        Some(part.map_or(shape, |(parts, mesh)| parts.shape(mesh, look, part_level)))
    }

    /// Returns the bounds of a body in a frame (world, m), or `None` if it has no surface.
    pub fn body_box(&self, body: u32, frame: &Frame) -> Option<[DVec3; 2]> {
        let mesh = self.scene.bodies[body as usize].mesh?;
        let bounds = self.scene.meshes[mesh as usize].bounds().transformed(&frame.poses[body as usize]);
        Some([bounds.min.as_dvec3(), bounds.max.as_dvec3()])
    }

    /// Returns the bodies in focus. They are all movable bodies, and those static bodies that are near
    /// them and not much larger. Ground, floors and walls are only the surroundings. Hidden bodies do
    /// not count.
    pub fn focus(&self, frame: &Frame) -> Vec<u32> {
        let is_seen = |b: &u32| self.bodies[*b as usize].is_some() && !self.hidden.hides(*b);
        let bodies = || (0..self.bodies.len() as u32).filter(is_seen);
        let def = |b: u32| &self.scene.bodies[b as usize];
        let moves = |b: u32| def(b).motion != Motion::Static;
        let Some(moving) = self.around(bodies().filter(|&b| moves(b)), frame) else {
            let shown: Vec<u32> = bodies().filter(|&b| !def(b).is_ground).collect();
            return if shown.is_empty() { bodies().collect() } else { shown };
        };
        let size = moving[1] - moving[0];
        let reach = 1.5 * size.max_element();
        let (low, high) = (moving[0] - 0.5 * reach, moving[1] + 0.5 * reach);
        let belongs = |b: u32| {
            let near = |[min, max]: [DVec3; 2]| {
                (max - min).max_element() < reach && min.cmple(high).all() && max.cmpge(low).all()
            };
            moves(b) || !def(b).is_ground && !def(b).trigger && self.body_box(b, frame).is_some_and(near)
        };
        bodies().filter(|&b| belongs(b)).collect()
    }

    /// Returns the bounds of some bodies in a frame.
    pub fn around(&self, bodies: impl Iterator<Item = u32>, frame: &Frame) -> Option<[DVec3; 2]> {
        bodies.filter_map(|b| self.body_box(b, frame)).reduce(join)
    }

    /// Returns the corners of a body's oriented box (world, m). There are none if the body has no
    /// surface.
    pub fn corners(&self, body: u32, frame: &Frame) -> impl Iterator<Item = DVec3> {
        let mesh = self.scene.bodies[body as usize].mesh;
        let bounds = mesh.map(|m| self.scene.meshes[m as usize].bounds());
        let pose = frame.poses[body as usize];
        bounds.into_iter().flat_map(move |bounds| {
            let [min, max] = [bounds.min, bounds.max].map(|p| p.as_dvec3());
            (0..8).map(move |corner| {
                let side = |k: usize| if corner >> k & 1 == 0 { min[k] } else { max[k] };
                pose.transform_point(DVec3::new(side(0), side(1), side(2)))
            })
        })
    }

    /// Returns the bounds of all bodies in a frame.
    pub fn stage(&self, frame: &Frame) -> Option<[DVec3; 2]> {
        self.around(0..self.bodies.len() as u32, frame)
    }

    /// Returns the height of the ground (m), and whether shadows fall on the grid there. They do not if
    /// a floor is drawn, as the floor has its own shadows. They also do not if parts move, as the parts
    /// would fall through the apparent floor.
    pub fn ground(&self, frame: &Frame) -> (f64, bool) {
        let Some([min, max]) = self.stage(frame) else { return (0.0, true) };
        let own = (0u32..).zip(&self.scene.bodies).find(|(_, body)| body.is_ground);
        if let Some([_, top]) = own.and_then(|(ground, _)| self.body_box(ground, frame)) {
            return (top.y, false);
        }
        let width = (max - min).x.max((max - min).z);
        let floor = self.scene.bodies.iter().zip(0u32..).find_map(|(body, index)| {
            let [low, high] = self.body_box(index, frame)?;
            let wide = (high - low).x.min((high - low).z) > 0.7 * width;
            (body.motion == Motion::Static && wide && high.y - low.y < 0.3 * width).then_some(high.y)
        });
        // Without a floor, the ground is at y = 0, which is the usual height in files. If a body starts
        // lower, the ground is at the lowest point.
        let moves = self.scene.bodies.iter().any(|body| body.motion != Motion::Static);
        (floor.unwrap_or(min.y.min(0.0)), floor.is_none() && !moves)
    }
}

fn instance(shape: ShapeId, pose: Pose, tint: Tint) -> Instance {
    Instance { shape, pose, tint, is_whole: false }
}

fn skin_instance(skin: &Skin) -> Instance {
    instance(skin.shape, Pose::from_position(skin.origin), Tint::NONE)
}

fn join(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}
