//! The surfaces of mesh files, each file read once; what differs from use to use is its place and its color.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use glam::{DMat4, DQuat, Vec3};

use super::packages::Packages;
use crate::import::clip::world_matrices;
use crate::import::error::LoadError;
use crate::import::limits::{PAINTED, at_most};
use crate::import::model::{Geometry, Model, Note, Shape};
use crate::import::shapes;

/// Reads the mesh file at a path as it stands, in meters.
pub(in crate::import) type ReadMesh<'a> = dyn Fn(&Path) -> Result<Model, LoadError> + 'a;

/// A surface of a mesh file, and what carries it to the axes of the link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Index into the geometries of the robot's model.
    pub geometry: u32,
    pub matrix: DMat4,
    /// The ends of the box around it, in its own axes.
    pub ends: [Vec3; 2],
}

pub(super) struct Meshes<'a> {
    packages: Packages<'a>,
    read_mesh: &'a ReadMesh<'a>,
    pieces: BTreeMap<PathBuf, Rc<[Piece]>>,
    /// Those with a color that the robot gives.
    painted: BTreeMap<(u32, [u8; 3]), u32>,
    /// Vertices and triangles of these.
    painted_count: usize,
    /// Shapes, by what they are and their color.
    shaped: BTreeMap<(String, Option<[u8; 3]>), u32>,
    /// Vertices and triangles of these.
    shaped_count: usize,
    pub geometries: Vec<Geometry>,
    pub notes: Vec<Note>,
    /// Those that were read, and all they refer to.
    pub files: Vec<PathBuf>,
}

impl<'a> Meshes<'a> {
    pub fn new(packages: Packages<'a>, read_mesh: &'a ReadMesh<'a>) -> Self {
        Self {
            packages,
            read_mesh,
            pieces: BTreeMap::new(),
            painted: BTreeMap::new(),
            painted_count: 0,
            shaped: BTreeMap::new(),
            shaped_count: 0,
            geometries: Vec::new(),
            notes: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The surfaces of a file, or why it is not found.
    pub fn find(&mut self, name: &str) -> Result<Result<Rc<[Piece]>, String>, LoadError> {
        let path = match self.packages.find(name) {
            Ok(path) => path,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(known) = self.pieces.get(&path) {
            return Ok(Ok(known.clone()));
        }
        let model = (self.read_mesh)(&path)?;
        let pieces: Rc<[Piece]> = self.take(model, &path).into();
        self.pieces.insert(path, pieces.clone());
        Ok(Ok(pieces))
    }

    fn take(&mut self, model: Model, path: &Path) -> Vec<Piece> {
        let first = self.geometries.len() as u32;
        // glTF says that y is up; the others mean the axes of the link.
        let is_gltf =
            path.extension().is_some_and(|e| e.eq_ignore_ascii_case("glb") || e.eq_ignore_ascii_case("gltf"));
        let upright =
            if is_gltf { DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) } else { DQuat::IDENTITY };
        let worlds = world_matrices(&model, None, DMat4::from_quat(upright));
        let ends: Vec<[Vec3; 2]> = model.geometries.iter().map(|g| ends(&g.positions)).collect();
        let nodes = model.nodes.iter().zip(&worlds).filter(|(n, _)| n.in_scene);
        let pieces = nodes
            .filter_map(|(n, &matrix)| {
                let own = n.geometry?;
                Some(Piece { geometry: first + own, matrix, ends: ends[own as usize] })
            })
            .collect();
        self.geometries.extend(model.geometries);
        self.notes.extend(model.notes);
        self.files.extend(model.files);
        pieces
    }

    /// A box, ball, cylinder or capsule as triangles, each of a size and a color once; `None` if it has no
    /// triangle. Fails if there are too many.
    pub fn shaped(&mut self, shape: &Shape, color: Option<[u8; 3]>) -> Result<Option<u32>, String> {
        let key = (format!("{shape:?}"), color);
        if let Some(known) = self.shaped.get(&key) {
            return Ok(Some(*known));
        }
        let Some((positions, triangles)) = shapes::triangles(shape).filter(|(_, all)| !all.is_empty()) else {
            return Ok(None);
        };
        self.shaped_count += positions.len() + triangles.len();
        at_most(PAINTED, self.shaped_count, "vertices and triangles of shapes")?;
        let colors = color.map_or_else(Vec::new, |color| vec![[color; 3]; triangles.len()]);
        self.geometries.push(Geometry { positions, triangles, colors, ..Geometry::default() });
        let index = self.geometries.len() as u32 - 1;
        self.shaped.insert(key, index);
        Ok(Some(index))
    }

    /// A surface in a color of the robot's, unless its file gives it one. Fails if there are too many.
    pub fn painted(&mut self, geometry: u32, color: Option<[u8; 3]>) -> Result<u32, String> {
        let own = &self.geometries[geometry as usize];
        let Some(color) = color.filter(|_| own.colors.is_empty()) else { return Ok(geometry) };
        if let Some(known) = self.painted.get(&(geometry, color)) {
            return Ok(*known);
        }
        self.painted_count += own.size();
        at_most(PAINTED, self.painted_count, "vertices and triangles of meshes in other colours")?;
        let colors = vec![[color; 3]; own.triangles.len()];
        let painted = Geometry { colors, ..own.clone() };
        self.geometries.push(painted);
        let at = self.geometries.len() as u32 - 1;
        self.painted.insert((geometry, color), at);
        Ok(at)
    }
}

/// The ends of the box around some points; of none it is empty.
fn ends(points: &[Vec3]) -> [Vec3; 2] {
    points.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], p| [min.min(*p), max.max(*p)])
}
