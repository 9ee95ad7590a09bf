//! Meshes that are measured: generated with any number of triangles, or read from files.

use glam::{DQuat, Vec3};

use super::workload::scaled;
use crate::arrays::MapEach;
use crate::body::Motion;
use crate::generate::{self, Bolt, Gear, Housing, Pipe, Triangles};
use crate::mesh::{Mesh, MeshError};
use crate::scene::{SceneError, SceneName, load_scene};

/// Reason why a mesh cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum ShapeError {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("{name}: no body has a surface")]
    NoSurface { name: String },
    #[error("{name}: no joint holds two bodies together")]
    NoJoints { name: String },
    #[error("a generated surface cannot be used")]
    Generate { source: MeshError },
    #[error("{name}: cannot be scaled to a cube of side 2")]
    Scale { name: String, source: MeshError },
}

/// Rotation of a turned shape about each axis, rad.
const TURN: f64 = 0.4;

/// Family of generated meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Torus,
    /// Torus that is rotated so that none of its axes is parallel to a coordinate axis.
    TurnedTorus,
    Sphere,
    BumpySphere,
    /// Pipe elbow with two bolted flanges: flat, bent and drilled faces, as in CAD models.
    Pipe,
    /// Spur gear with holes in its web: flat along one axis, with fine teeth around it.
    Gear,
    /// Open box with bosses inside: walls along all axes.
    Housing,
    /// Bolt with a thread. More triangles only refine its faces, not its thread.
    Bolt,
    Soup,
}

impl Shape {
    pub const ALL: [Self; 9] = [
        Self::Torus,
        Self::TurnedTorus,
        Self::Sphere,
        Self::BumpySphere,
        Self::Pipe,
        Self::Gear,
        Self::Housing,
        Self::Bolt,
        Self::Soup,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Torus => "torus",
            Self::TurnedTorus => "turned",
            Self::Sphere => "sphere",
            Self::BumpySphere => "bumpy",
            Self::Pipe => "pipe",
            Self::Gear => "gear",
            Self::Housing => "housing",
            Self::Bolt => "bolt",
            Self::Soup => "soup",
        }
    }

    /// Generates a mesh of about `count` triangles, scaled as the workload requires.
    pub fn mesh(self, count: u32) -> Result<Mesh, ShapeError> {
        let segments = f64::from(count).sqrt().round() as usize;
        let name = format!("{}-{}", self.name(), thousands(count));
        let (positions, triangles): Triangles = match self {
            Self::Torus => torus(segments),
            Self::TurnedTorus => turned(torus(segments)),
            Self::Sphere => generate::sphere(1.0, segments),
            Self::BumpySphere => generate::bumpy_sphere(segments),
            Self::Pipe => {
                let part = Pipe::ELBOW;
                spaced(count, part.spacing, &|spacing| Pipe { spacing, ..part }.triangles())
            }
            Self::Gear => {
                let part = Gear::LARGE;
                spaced(count, part.spacing, &|spacing| Gear { spacing, ..part }.triangles())
            }
            Self::Housing => {
                let part = Housing::SMALL;
                spaced(count, part.spacing, &|spacing| Housing { spacing, ..part }.triangles())
            }
            Self::Bolt => {
                let part = Bolt::M20;
                spaced(count, part.spacing, &|spacing| Bolt { spacing, ..part }.triangles())
            }
            // The triangles are about as large as the gaps between them.
            Self::Soup => generate::soup(count, 0.54 * libm::cbrtf(1.0 / count as f32), 1),
        };
        let fault = |source| ShapeError::Scale { name: name.clone(), source };
        scaled(&Mesh::new(name.clone(), &positions, &triangles).map_err(fault)?).map_err(fault)
    }
}

fn torus(segments: usize) -> Triangles {
    generate::torus(0.7, 0.3, segments, segments / 2)
}

/// Rotates a surface by 0.4 rad about each axis, x first.
fn turned((mut positions, triangles): Triangles) -> Triangles {
    let rotation = DQuat::from_rotation_z(TURN) * DQuat::from_rotation_y(TURN) * DQuat::from_rotation_x(TURN);
    for position in &mut positions {
        *position = (rotation * position.as_dvec3()).as_vec3();
    }
    (positions, triangles)
}

/// Searches for the edge length at which `part` has about `count` triangles, starting from the edge
/// length `spacing`, m. A part has a smallest number, which its details need: a housing 1,500, a pipe
/// 2,100, a bolt 2,700, a gear 4,300.
fn spaced(count: u32, mut spacing: f64, part: &dyn Fn(f64) -> Triangles) -> Triangles {
    let mut found = Triangles::default();
    let mut miss = f64::INFINITY;
    // The number of triangles falls with the square of the edge length, so a few iterations come within
    // some percent. The nearest result is returned.
    for _ in 0..8 {
        let made = part(spacing);
        let ratio = made.1.len() as f64 / f64::from(count);
        if (ratio - 1.0).abs() < miss {
            (miss, found) = ((ratio - 1.0).abs(), made);
        }
        if miss < 0.02 {
            break;
        }
        spacing *= ratio.sqrt();
    }
    found
}

fn thousands(count: u32) -> String {
    if count >= 1_000_000 && count.is_multiple_of(1_000_000) {
        format!("{}M", count / 1_000_000)
    } else if count.is_multiple_of(1000) {
        format!("{}k", count / 1000)
    } else {
        count.to_string()
    }
}

/// Loads the surfaces of a scene's movable bodies, or of all bodies if none can move, in their start
/// poses, as one mesh scaled for the workload.
///
/// The mesh has the name of the file, or its whole path if another of `files` has the same name.
pub fn from_file(file: &SceneName, files: &[SceneName]) -> Result<Mesh, ShapeError> {
    let name = &file.name;
    let scene = load_scene(file.clone(), None)?;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let movable = scene.bodies.iter().any(|b| b.motion != Motion::Static && b.mesh.is_some());
    for body in scene.bodies.iter().filter(|b| !movable || b.motion != Motion::Static) {
        let Some(index) = body.mesh else { continue };
        let mesh = &scene.meshes[index as usize];
        let first = positions.len() as u32;
        let placed = |v: &Vec3| body.pose.transform_point(v.as_dvec3()).as_vec3();
        positions.extend(mesh.vertices().iter().map(placed));
        triangles.extend(mesh.triangles().iter().map(|t| t.map_each(|v| v + first)));
    }
    if triangles.is_empty() {
        return Err(ShapeError::NoSurface { name: name.to_owned() });
    }
    let fault = |source| ShapeError::Scale { name: name.to_owned(), source };
    scaled(&Mesh::new(label(file, files), &positions, &triangles).map_err(fault)?).map_err(fault)
}

/// Returns the name of a file without folder and extension, or its whole path if another of `files` has
/// the same name.
pub fn label(file: &SceneName, files: &[SceneName]) -> String {
    let stem = |file: &str| std::path::Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
    let name = &file.name;
    let unique = files.iter().filter(|file| stem(&file.name) == stem(name)).count() <= 1;
    stem(name).filter(|_| unique).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_about_the_triangles_asked_for() {
        for shape in Shape::ALL {
            let least = match shape {
                Shape::Bolt | Shape::Gear | Shape::Pipe | Shape::Housing => 5000,
                _ => 1000,
            };
            for count in [least, 20_000] {
                let mesh = shape.mesh(count).unwrap();
                let share = mesh.triangles().len() as f64 / f64::from(count);
                assert!((0.9..1.1).contains(&share), "{} {count}: {share}", shape.name());
                assert!((mesh.bounds().size().max_element() - 2.0).abs() < 1e-5);
            }
        }
        assert_eq!(Shape::Soup.mesh(1000).unwrap().name(), "soup-1k");
    }

    #[test]
    fn files_of_one_name_are_told_apart_by_their_folders() {
        let files = ["a/part.glb", "b/part.glb", "b/lid.glb"].map(SceneName::from);
        assert_eq!(files.each_ref().map(|f| label(f, &files)), ["a/part.glb", "b/part.glb", "lid"]);
    }
}
