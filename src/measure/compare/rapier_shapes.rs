//! Shapes of a scene's bodies in rapier, built once and shared by all runs of a contender.

use std::collections::HashMap;

use glam::Vec3;
use rapier3d::parry::transformation::vhacd::VHACDParameters;
use rapier3d::prelude::{SharedShape, TriMeshFlags};

use super::caught::caught;
use super::contender::RapierShapes;
use crate::body::Motion;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::Convex;
use crate::scene::Scene;

/// Shape with its pose in body space.
#[derive(Clone)]
pub struct Placed {
    pub shape: SharedShape,
    pub pose: Pose,
}

/// Shape per body; `None` for a body without a surface, or with one that rapier refuses.
pub struct Shapes {
    of_body: Vec<Option<Placed>>,
    notes: Vec<String>,
}

/// Largest distance of a vertex from a box or a ball, as a share of the size, for a mesh that counts as
/// such.
const OFF: f32 = 1e-4;
/// Smallest number of vertices of a round mesh that counts as a ball. With fewer, it counts as a
/// polyhedron.
const BALL_VERTICES: usize = 60;

impl Shapes {
    pub fn new(scene: &Scene, kind: RapierShapes) -> Self {
        let mut made: HashMap<(u32, bool), Result<Placed, String>> = HashMap::new();
        let (mut of_body, mut notes) = (Vec::with_capacity(scene.bodies.len()), Vec::new());
        for body in &scene.bodies {
            let Some(index) = body.mesh else {
                of_body.push(None);
                continue;
            };
            // Static bodies that are neither a box nor a ball keep their triangles, as is usual with
            // rapier.
            let is_convex = kind == RapierShapes::Convex && body.motion != Motion::Static;
            let shape = made.entry((index, is_convex)).or_insert_with(|| {
                let mesh = &*scene.meshes[index as usize];
                // parry panics if its assumptions on meshes fail.
                let built = caught(|| match (kind, is_convex) {
                    (RapierShapes::Convex, true) => convex(mesh),
                    (RapierShapes::Convex, false) => {
                        primitive(mesh).map_or_else(|| triangles(mesh, false), Ok)
                    }
                    (kind, _) => triangles(mesh, kind == RapierShapes::FixedEdges),
                });
                built.unwrap_or_else(|reason| Err(format!("parry3d failed on it: {reason}")))
            });
            of_body.push(shape.as_ref().ok().cloned());
            if let Err(reason) = shape {
                let name = scene.meshes[index as usize].name();
                let note = format!("the surface {name}: {reason}; it does not collide");
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        Self { of_body, notes }
    }

    pub fn of(&self, body: u32) -> Option<&Placed> {
        self.of_body[body as usize].as_ref()
    }

    /// Returns the surfaces that rapier refuses, with the reasons.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

fn triangles(mesh: &Mesh, fixes_edges: bool) -> Result<Placed, String> {
    let flags = if fixes_edges { TriMeshFlags::FIX_INTERNAL_EDGES } else { TriMeshFlags::empty() };
    let shape = SharedShape::trimesh_with_flags(mesh.vertices().to_vec(), mesh.triangles().to_vec(), flags);
    shape.map(at_origin).map_err(|e| e.to_string())
}

fn at_origin(shape: SharedShape) -> Placed {
    Placed { shape, pose: Pose::IDENTITY }
}

/// Returns a box, a ball, a convex hull, or the parts of a convex decomposition.
fn convex(mesh: &Mesh) -> Result<Placed, String> {
    if let Some(primitive) = primitive(mesh) {
        return Ok(primitive);
    }
    let hull = || SharedShape::convex_hull(mesh.vertices());
    let parts = || {
        let parameters = VHACDParameters::default();
        SharedShape::convex_decomposition_with_params(mesh.vertices(), mesh.triangles(), &parameters)
    };
    // The decomposition panics if it finds no part.
    let shape = match Convex::new(mesh) {
        Some(_) => hull(),
        None => caught(parts).ok().or_else(hull),
    };
    shape.map(at_origin).ok_or_else(|| "it has no convex parts".to_owned())
}

/// Returns the mesh as a box or a ball; `None` if it is neither.
fn primitive(mesh: &Mesh) -> Option<Placed> {
    let (min, max) = (mesh.bounds().min, mesh.bounds().max);
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
    let off = OFF * half.max_element();
    let placed = |shape| Placed { shape, pose: Pose::from_position(middle.as_dvec3()) };
    let used = || mesh.vertices().iter().map(|&v| v - middle);
    let is_corner = |v: Vec3| (v.abs() - half).abs().max_element() <= off;
    if mesh.vertices().len() == 8 && mesh.triangles().len() == 12 && used().all(is_corner) {
        return Some(placed(SharedShape::cuboid(half.x, half.y, half.z)));
    }
    let radius = half.max_element();
    let is_round =
        mesh.vertices().len() >= BALL_VERTICES && used().all(|v| (v.length() - radius).abs() <= off);
    is_round.then(|| placed(SharedShape::ball(radius)))
}
