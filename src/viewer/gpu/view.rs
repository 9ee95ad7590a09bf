//! One picture in plain data: what is drawn, where, and from where it is seen. World space, m.

use glam::{DVec3, Vec3};

use super::ShapeId;
use crate::pose::Pose;
use crate::query::Plane;
use crate::viewer::camera::Camera;

/// What a picture shows.
pub struct View<'a> {
    pub camera: Camera,
    pub instances: &'a [Instance],
    pub segments: &'a [Segment],
    /// What has a line around it, beside being drawn: instances with [`Tint::WHOLE`], of others the vertices
    /// that are picked out.
    pub outlined: &'a [Instance],
    /// Triangles of the section plane that solids fill.
    pub caps: &'a [[DVec3; 3]],
    pub ground: Option<Ground>,
    /// Middle and radius of what casts shadows.
    pub shadow_center: DVec3,
    pub shadow_radius: f64,
    /// Whether surfaces are drawn as wires, where the device can.
    pub wireframe: bool,
    /// The half in front of it is not drawn.
    pub section: Option<Plane>,
}

/// A shape somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    pub shape: ShapeId,
    /// Shape → world.
    pub pose: Pose,
    pub tint: Tint,
    /// Whether it is drawn whole where there is a section.
    pub is_whole: bool,
}

/// A color (sRGB) laid over a surface's own; the last number says how much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tint(pub [u8; 4]);

impl Tint {
    pub const NONE: Self = Self([0; 4]);
    /// The mark of an instance that is outlined as a whole.
    pub const WHOLE: Self = Self([0, 0, 0, 255]);
    /// What reaches into another part and is not kept from it.
    pub const INTERSECTING: Self = Self([222, 36, 46, 200]);
    /// A volume that only watches.
    pub const TRIGGER: Self = Self([90, 170, 110, 140]);

    /// Laid over a color here instead of by the shader; sRGB numbers are mixed as they are.
    pub fn over(self, color: [u8; 3]) -> [u8; 3] {
        let share = f32::from(self.0[3]) / 255.0;
        std::array::from_fn(|k| {
            let (under, over) = (f32::from(color[k]), f32::from(self.0[k]));
            (under + share * (over - under)).round() as u8
        })
    }
}

/// The color of the line around what is selected, sRGB. Nothing else is drawn in it.
pub const OUTLINE: [u8; 3] = [255, 0, 214];

/// A line, or a point where both ends are one; drawn round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub start: DVec3,
    pub end: DVec3,
    /// sRGB and opacity.
    pub color: [u8; 4],
    /// px
    pub width: f32,
    /// Whether it is seen through what lies before it.
    pub through: bool,
}

/// The lines on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// World y, m.
    pub height: f64,
    /// Between two lines, m.
    pub spacing: f64,
    /// How far they are seen, m.
    pub reach: f64,
    /// Whether shadows fall on it: not where a floor is drawn that has its own.
    pub takes_shadows: bool,
}

/// A plane for the shader, relative to an origin; one that cuts nothing if there is none.
pub(super) fn relative(section: Option<Plane>, origin: DVec3) -> [f32; 4] {
    section.map_or([0.0; 4], |plane| plane.normal.extend(-plane.height(origin)).as_vec4().to_array())
}

/// A pose as three rows for the shader, relative to an origin.
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
