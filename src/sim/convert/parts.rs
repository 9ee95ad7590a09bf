//! The bodies that are written, and the losses.

use std::fmt::Display;

use glam::{DVec3, Vec3};

use crate::digits::grouped;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::looks::Paint;
use crate::scene::{BodyDef, DEFAULT_DENSITY, Scene, palette};

/// A body with a surface.
pub(super) struct Part<'a> {
    pub name: String,
    pub mesh: &'a Mesh,
    /// Index of the mesh in the scene. Several parts may share one mesh.
    pub mesh_index: u32,
    pub pose: Pose,
    /// Color of the part, sRGB, if it has a single color.
    pub color: Option<[u8; 3]>,
}

impl Part<'_> {
    /// Returns the vertices in world space, m.
    pub fn placed(&self) -> impl Iterator<Item = Vec3> {
        let is_there = self.pose == Pose::IDENTITY;
        self.mesh.vertices().iter().map(move |v| match is_there {
            // The coordinates stay as in the file, to the last bit.
            true => *v,
            false => self.pose.transform_point(v.as_dvec3()).as_vec3(),
        })
    }
}

pub(super) struct Parts<'a> {
    pub all: Vec<Part<'a>>,
    /// Contents of the scene that no format for surfaces can store.
    pub lost: Vec<String>,
    /// Whether any part has a color.
    pub colored: bool,
    /// Whether any part has a pose other than the identity.
    pub turned: bool,
}

impl<'a> Parts<'a> {
    /// Collects the parts of a scene. `origin` is the point of the scene that becomes the origin of the
    /// file, m.
    pub fn of(scene: &'a Scene, origin: DVec3) -> Self {
        let is_written = |body: &&BodyDef| !body.is_ground && !body.trigger;
        let mut all = Vec::new();
        let mut many_colored = 0;
        for body in scene.bodies.iter().filter(is_written) {
            let Some(mesh_index) = body.mesh else { continue };
            let color = match &scene.paints[body.paint as usize] {
                // A part without a color of its own got a color from the palette, to distinguish it
                // from others.
                Paint::Plain(color) if *color == palette::color(mesh_index) => None,
                Paint::Plain(color) => Some(*color),
                Paint::Corners(_) => {
                    many_colored += 1;
                    None
                }
            };
            let (name, mesh) = (body.name.clone(), &*scene.meshes[mesh_index as usize]);
            let pose = Pose { position: body.pose.position - origin, ..body.pose };
            all.push(Part { name, mesh, mesh_index, pose, color });
        }
        let mut lost = Vec::new();
        let mut lose = |count: usize, what: &dyn Display| {
            if count > 0 {
                lost.push(format!("{} {what}", grouped(count as u64)));
            }
        };
        let without = scene.bodies.iter().filter(|b| b.mesh.is_none()).count();
        lose(without, &"bodies without a surface");
        lose(scene.bodies.iter().filter(|b| b.trigger).count(), &"triggers");
        lose(scene.joints.len(), &"joints");
        let is_weighed = |body: &&BodyDef| {
            let volume = body.mesh.map_or(0.0, |m| scene.meshes[m as usize].surface().volume.volume);
            let usual = DEFAULT_DENSITY * volume;
            body.mass.is_finite() && (body.mass - usual).abs() > 1e-9 * usual
        };
        lose(scene.bodies.iter().filter(is_weighed).count(), &"masses");
        let is_going = |b: &&BodyDef| b.linear_velocity != DVec3::ZERO || b.angular_velocity != DVec3::ZERO;
        lose(scene.bodies.iter().filter(is_going).count(), &"velocities");
        lose(scene.skeletons.len(), &"figures: their links are written as they stand at the start");
        let drawn = scene.drawn.iter().map(|d| d.triangles.len()).sum();
        lose(drawn, &"triangles that are drawn and do not collide");
        lose(many_colored, &"parts of several colours: they become plain");
        let dropped = scene.meshes.iter().map(|m| {
            let flaws = &m.surface().flaws;
            let repeated = flaws.duplicate_triangle_count + flaws.inner_wall_triangle_count;
            (flaws.degenerate_triangle_count + repeated) as usize
        });
        lose(dropped.sum(), &"triangles without area, there twice, or of walls inside a solid");
        let turned = all.iter().any(|p| p.pose != Pose::IDENTITY);
        let colored = all.iter().any(|p| p.color.is_some());
        Self { all, lost, colored, turned }
    }
}
