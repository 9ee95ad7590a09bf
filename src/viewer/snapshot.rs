//! Pictures of two parts of a scene for a report: both in color, all others pale, and the points between
//! which a depth or a distance is measured joined by a line.

use std::io::Cursor;
use std::sync::Arc;

use glam::DVec3;

use super::camera::Camera;
use super::cut::Cut;
use super::drawing::Drawing;
use super::gpu::{Finish, Gpu, Painter, Segment, Tint, View};
use super::picture::{FORMAT, PictureError, capture};
use super::show::{Look, Show};
use crate::pose::Pose;
use crate::publish::Sight;
use crate::record::Frame;
use crate::scene::{CameraDef, Scene};

/// Colors of the two parts and of all others, sRGB with their shares.
const COLORS: [Tint; 2] = [Tint([0, 158, 115, 215]), Tint([0, 114, 178, 215])];
const PALE: Tint = Tint([232, 234, 238, 225]);
/// Color of the line between the two points, and its width, px.
const LINE: [u8; 4] = [214, 0, 150, 255];
const WIDTH: f32 = 3.0;
/// Diameter of the points, px.
const POINT: f32 = 9.0;
/// Distance of the lines of a cut from its plane, relative to the distance of the eye.
const LIFT: f64 = 1e-3;

/// Renderer for pictures of pairs of parts in one scene.
pub struct PairStudio {
    gpu: Gpu,
    painter: Painter,
    show: Show,
    frame: Frame,
    size: [u32; 2],
    drawing: Drawing,
    /// Center and radius of the scene, m.
    extent: (DVec3, f64),
}

impl PairStudio {
    /// Prepares pictures of a scene with its bodies at `poses`. `size` is in px.
    ///
    /// # Errors
    /// Returns an error if there is no graphics driver, or if it does not draw pictures of this size.
    pub fn new(scene: Arc<Scene>, poses: Vec<Pose>, size: [u32; 2]) -> Result<Self, PictureError> {
        let gpu = Gpu::open_headless()?;
        let mut frame = Frame::start(&scene);
        frame.poses = poses;
        // Nothing is picked or boxed in these pictures, so no hierarchies are needed.
        let (show, shapes) = Show::new(scene, Vec::new());
        let mut painter = Painter::new(&gpu, FORMAT, Finish::Fine);
        for shape in &shapes {
            painter.add(shape);
        }
        let [min, max] = show.stage(&frame).unwrap_or_default();
        let extent = (0.5 * (min + max), 0.5 * (max - min).length());
        Ok(Self { gpu, painter, show, frame, size, drawing: Drawing::default(), extent })
    }

    /// Draws two parts as seen by a camera. Returns the picture as PNG.
    ///
    /// # Errors
    /// Returns an error if the graphics driver fails, or if the picture cannot be encoded.
    pub fn png(&mut self, sight: &Sight) -> Result<Vec<u8>, PictureError> {
        self.collect(sight);
        let def =
            CameraDef { eye: sight.eye, target: sight.target, vertical_fov: crate::publish::FIELD_OF_VIEW };
        let view = View {
            camera: Camera::from(&def),
            instances: &self.drawing.instances,
            segments: &self.drawing.segments,
            outlined: &[],
            caps: &self.drawing.caps,
            ground: None,
            shadow_center: self.extent.0,
            shadow_radius: self.extent.1,
            wireframe: false,
            section: Some(sight.section),
        };
        let (gpu, painter) = (&self.gpu, &mut self.painter);
        let picture = gpu.checked(|| capture(gpu, painter, FORMAT, self.size, &view))?;
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png)?;
        Ok(bytes.into_inner())
    }

    /// Collects the contents of a picture.
    fn collect(&mut self, sight: &Sight) {
        let Self { show, frame, drawing, .. } = self;
        let look = (Look::Colliding, 0);
        let mut some = Vec::new();
        show.hidden.clear();
        let bodies = (0..).zip(&show.scene.bodies);
        let is_beside = |body: &crate::scene::BodyDef| body.is_ground || body.trigger;
        let beside = bodies.filter(|(_, body)| is_beside(body)).map(|(index, _)| index);
        for body in beside.chain(sight.bodies) {
            show.hidden.set(body, true);
        }
        show.instances(frame, look, &[], &mut drawing.instances);
        drawing.instances.iter_mut().for_each(|instance| instance.tint = PALE);
        for (body, color) in sight.bodies.into_iter().zip(COLORS) {
            show.hidden.only(&[body]);
            show.instances(frame, look, &[], &mut some);
            for instance in &mut some {
                (instance.tint, instance.is_whole) = (color, sight.is_whole);
            }
            drawing.instances.append(&mut some);
        }
        drawing.instances.sort_by_key(|instance| instance.shape);
        drawing.segments.clear();
        drawing.caps.clear();
        if !sight.is_whole {
            show.hidden.only(&sight.bodies);
            let mut cut = Cut::default();
            cut.update(show, frame, (look.0, sight.section));
            let lift = LIFT * sight.eye.distance(sight.target) * sight.section.normal;
            cut.draw(lift, &mut drawing.segments, &mut drawing.caps);
        }
        let [start, end] = sight.points;
        let mut stroke = |start, end, width| {
            drawing.segments.push(Segment { start, end, color: LINE, width, through: true });
        };
        stroke(start, end, WIDTH);
        stroke(start, start, POINT);
        stroke(end, end, POINT);
    }
}
