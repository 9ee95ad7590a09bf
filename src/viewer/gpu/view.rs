//! One picture as plain data: the drawn objects, their poses, and the camera. In world space, m.

use glam::{DVec3, Vec3};

use super::ShapeId;
use crate::pose::Pose;
use crate::query::Plane;
use crate::viewer::camera::Camera;

/// Contents of a picture.
pub struct View<'a> {
    pub camera: Camera,
    pub instances: &'a [Instance],
    pub segments: &'a [Segment],
    /// The instances that also get an outline. With [`Tint::WHOLE`], all of an instance is outlined,
    /// and otherwise only its highlighted vertices.
    pub outlined: &'a [Instance],
    /// The triangles of the caps, that is, of solids in the section plane.
    pub caps: &'a [[DVec3; 3]],
    pub ground: Option<Ground>,
    /// Center of the objects that cast shadows. The next field is their radius.
    pub shadow_center: DVec3,
    pub shadow_radius: f64,
    /// Whether surfaces are drawn as wireframes, if the device can do so.
    pub wireframe: bool,
    /// The section plane. The half in front of it is not drawn.
    pub section: Option<Plane>,
}

/// A shape at a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    pub shape: ShapeId,
    /// Transform from shape space to world space.
    pub pose: Pose,
    pub tint: Tint,
    /// Whether the instance is drawn whole in spite of a section plane.
    pub is_whole: bool,
}

/// A color (sRGB) that is blended over a surface's own color. The last number is the share of this
/// color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tint(pub [u8; 4]);

impl Tint {
    pub const NONE: Self = Self([0; 4]);
    /// Mark of an instance that is outlined as a whole.
    pub const WHOLE: Self = Self([0, 0, 0, 255]);
    /// Color of a part that intersects another part, unless the pair is excluded from collision.
    pub const INTERSECTING: Self = Self([222, 36, 46, 200]);
    /// Color of a sensor volume.
    pub const TRIGGER: Self = Self([90, 170, 110, 140]);

    /// Blends this tint over a color, in sRGB values. This is done on the CPU instead of in the shader.
    pub fn over(self, color: [u8; 3]) -> [u8; 3] {
        let share = f32::from(self.0[3]) / 255.0;
        std::array::from_fn(|k| {
            let (under, over) = (f32::from(color[k]), f32::from(self.0[k]));
            (under + share * (over - under)).round() as u8
        })
    }
}

/// Color of the outline of the selection, sRGB. Nothing else is drawn in this color.
pub const OUTLINE: [u8; 3] = [255, 0, 214];

/// A line with round ends. If both ends are equal, it is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub start: DVec3,
    pub end: DVec3,
    /// Color in sRGB, and opacity.
    pub color: [u8; 4],
    /// Width, px.
    pub width: f32,
    /// Whether the segment is visible through the surfaces in front of it.
    pub through: bool,
}

/// Grid lines on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height of the ground, world y, m.
    pub height: f64,
    /// Distance between two neighboring lines, m.
    pub spacing: f64,
    /// Distance up to which the lines are visible, m.
    pub reach: f64,
    /// Whether shadows fall on the ground. False if a floor is drawn that has its own shadows.
    pub takes_shadows: bool,
}

/// Converts a plane for the shader, relative to an origin. `None` becomes a plane that cuts nothing.
pub(super) fn relative(section: Option<Plane>, origin: DVec3) -> [f32; 4] {
    section.map_or([0.0; 4], |plane| plane.normal.extend(-plane.height(origin)).as_vec4().to_array())
}

/// The pose of an instance for the shader, as three rows, relative to an origin.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct PlacedInstance {
    rows: [[f32; 4]; 3],
    tint: [u8; 4],
}

impl PlacedInstance {
    pub fn new(instance: &Instance, origin: DVec3) -> Self {
        let r = instance.pose.rotation_matrix().transpose();
        let at = instance.pose.position - origin;
        let row = |axis: DVec3, offset: f64| axis.extend(offset).as_vec4().to_array();
        Self { rows: [row(r.x_axis, at.x), row(r.y_axis, at.y), row(r.z_axis, at.z)], tint: instance.tint.0 }
    }
}

/// A segment for the shader, relative to an origin.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Stroke {
    start: [f32; 3],
    end: [f32; 3],
    color: [u8; 4],
    width: f32,
}

impl Stroke {
    pub fn new(segment: &Segment, origin: DVec3) -> Self {
        let relative = |p: DVec3| -> [f32; 3] { Vec3::to_array(&(p - origin).as_vec3()) };
        Self {
            start: relative(segment.start),
            end: relative(segment.end),
            color: segment.color,
            width: segment.width,
        }
    }
}
