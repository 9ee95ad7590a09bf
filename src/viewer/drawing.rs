//! The contents of a picture, which are collected from the app.

use std::sync::Arc;

use glam::DVec3;

use super::app::App;
use super::camera::Camera;
use super::gpu::{Instance, Segment, View};
use super::show::Show;
use super::skin::Skin;
use super::stage::Stage;
use crate::scene::CameraDef;

/// Distance of the lines of a cut from the section plane, relative to the camera's distance from its
/// target.
const LIFT: f64 = 1e-3;

/// The contents of a picture besides its camera. They are reused, so that pictures need no allocation.
#[derive(Default)]
pub struct Drawing {
    pub instances: Vec<Instance>,
    pub segments: Vec<Segment>,
    pub outlined: Vec<Instance>,
    pub caps: Vec<[DVec3; 3]>,
    /// Number of boxes at the shown level. At most [`BOX_LIMIT`](super::overlay::BOX_LIMIT) of them are
    /// drawn.
    pub box_count: usize,
}

impl App {
    /// Collects the contents of the picture. Must be called after [`App::update`] and after the panels.
    pub fn draw<'a>(&mut self, drawing: &'a mut Drawing) -> View<'a> {
        if self.unframed && self.area.is_positive() {
            let focus = |s: &Stage| s.show.around(s.show.focus(&s.frame).into_iter(), &s.frame);
            if let Some([min, max]) = self.stage.as_ref().and_then(focus) {
                self.camera.face(max - min);
            }
            self.frame_selected();
            self.unframed = false;
        }
        drawing.segments.clear();
        drawing.instances.clear();
        drawing.outlined.clear();
        drawing.caps.clear();
        drawing.box_count = 0;
        let mut view = View {
            camera: self.camera,
            instances: &[],
            segments: &[],
            outlined: &[],
            caps: &[],
            ground: None,
            shadow_center: self.camera.target,
            shadow_radius: self.camera.distance,
            section: self.options.section,
            wireframe: self.options.wireframe,
        };
        let outlined = self.chosen();
        self.draw_measures(&mut drawing.segments);
        if let Some(stage) = &mut self.stage {
            let selection = (self.selection.parts(), &outlined[..]);
            if let Some(plane) = self.options.section {
                stage.cut.update(&stage.show, &stage.frame, (self.options.look, plane));
                let lift = LIFT * self.camera.distance * plane.normal;
                stage.cut.draw(lift, &mut drawing.segments, &mut drawing.caps);
            }
            stage.draw(&self.options, selection, &self.camera, drawing, &mut view);
        }
        view.instances = &drawing.instances;
        view.segments = &drawing.segments;
        view.outlined = &drawing.outlined;
        view.caps = &drawing.caps;
        view
    }

    /// Sets the camera that a scene or a user specifies.
    pub fn look_from(&mut self, camera: &CameraDef) {
        self.camera = Camera::from(camera);
        self.unframed = false;
    }

    /// Returns the skins that moved since the last call. The painter needs them.
    pub fn posed_skins(&mut self) -> &[Skin] {
        let Some(stage) = &mut self.stage else { return &[] };
        if stage.pose_skins(self.options.look, self.selection.parts()) { &stage.show.skins } else { &[] }
    }

    /// Puts all shapes up for upload again, for a new device.
    pub fn shapes_again(&mut self) {
        self.forget_parts();
        if let Some(stage) = &mut self.stage {
            let (show, shapes) = Show::new(Arc::clone(&stage.show.scene), stage.show.trees.clone());
            let before = std::mem::replace(&mut stage.show, show);
            stage.show.hidden = before.hidden;
            stage.posed = None;
            self.fresh_shapes = Some(shapes);
        }
    }
}
