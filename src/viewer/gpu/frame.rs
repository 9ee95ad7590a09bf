//! The uniforms that all shaders of a picture share, in the layout of `shaders/frame.wgsl`, and the
//! view frustum.

use glam::{DMat4, DVec2, DVec3, DVec4};

use super::shadow::Shadow;
use super::view::{View, relative};

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct FrameUniform {
    view_projection: [f32; 16],
    light: [f32; 16],
    sun: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    forward: [f32; 4],
    size: [f32; 4],
    ground: [f32; 4],
    phase: [f32; 4],
    section: [f32; 4],
}

impl FrameUniform {
    /// Creates the uniforms for a picture of this size, px. `light` transforms positions relative to
    /// the eye to the clip space of the light. `texel` is the side of a texel of the light's map, m.
    pub fn new(view: &View, [width, height]: [f64; 2], (light, texel): (DMat4, f64)) -> Self {
        let camera = &view.camera;
        let aspect = width / height;
        let eye = camera.eye();
        let corner = |x: f64, y: f64| {
            let d = camera.direction(DVec2::new(x, y), aspect);
            d / d.dot(camera.forward())
        };
        let (middle, right, up) = (corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0));
        let four = |v: DVec3, w: f64| v.extend(w).as_vec4().to_array();
        let (ground, phase) = match view.ground {
            Some(g) => {
                let shadows = if g.takes_shadows { 1.0 } else { 0.0 };
                let turn = 10.0 * g.spacing;
                let phase = DVec3::new(eye.x.rem_euclid(turn), eye.z.rem_euclid(turn), 0.0);
                // The grid lines are drawn nearer by a thousandth than the ground's height. So they are
                // visible on a floor of the same height.
                (DVec4::new(0.999 * (eye.y - g.height), g.spacing, g.reach, shadows), phase)
            }
            None => (DVec4::ZERO, DVec3::ZERO),
        };
        Self {
            view_projection: camera.relative_view_projection(aspect).as_mat4().to_cols_array(),
            light: light.as_mat4().to_cols_array(),
            sun: four(Shadow::sun(), 1.0),
            right: four(right - middle, 0.0),
            up: four(up - middle, 0.0),
            forward: four(middle, 0.0),
            size: [width as f32, height as f32, texel as f32, outline_width(height)],
            ground: ground.as_vec4().to_array(),
            phase: four(phase, 0.0),
            section: relative(view.section, eye),
        }
    }
}

/// Returns the width of an outline in a picture of `height` pixels, px. In a window of usual size, it
/// is about two.
fn outline_width(height: f64) -> f32 {
    (height / 360.0).clamp(1.5, 6.0) as f32
}

/// Returns the sides of the view frustum as planes through the eye. Each is a unit normal that points
/// inward. The planes are relative to the eye.
pub(super) fn frustum(view: &View, aspect: f64) -> [DVec4; 5] {
    let rows = view.camera.relative_view_projection(aspect).transpose();
    let (x, y, w) = (rows.x_axis, rows.y_axis, rows.w_axis);
    [w + x, w - x, w + y, w - y, w].map(|p| p / p.truncate().length())
}
