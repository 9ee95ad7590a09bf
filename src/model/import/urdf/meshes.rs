//! Surfaces of mesh files. Each file is read once; its uses differ only in pose and color.

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

/// Function that reads the mesh file at a path, with lengths in meters.
pub(in crate::import) type ReadMesh<'a> = dyn Fn(&Path) -> Result<Model, LoadError> + 'a;

/// Surface of a mesh file, with its transform to the axes of the link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Index into the geometries of the robot's model.
    pub geometry: u32,
    pub matrix: DMat4,
    /// Minimum and maximum of the box around it, in its own axes.
    pub ends: [Vec3; 2],
}

pub(super) struct Meshes<'a> {
    packages: Packages<'a>,
    read_mesh: &'a ReadMesh<'a>,
    pieces: BTreeMap<PathBuf, Rc<[Piece]>>,
    /// Geometries by their original index and by the color that the robot's file gives them.
    painted: BTreeMap<(u32, [u8; 3]), u32>,
    /// Number of vertices and triangles of all geometries in `painted`.
    painted_count: usize,
    /// Geometries of shapes, by kind, size and color.
    shaped: BTreeMap<(String, Option<[u8; 3]>), u32>,
    /// Number of vertices and triangles of all shapes.
    shaped_count: usize,
    pub geometries: Vec<Geometry>,
    pub notes: Vec<Note>,
    /// Mesh files that were read, and all files to which they refer.
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

    /// Returns the surfaces of a mesh file. The inner error is the reason why the file is not found,
    /// the outer one a fault in it.
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

    /// Adds the geometries of a loaded mesh file. Returns them with their transforms to the axes of the
    /// link.
    fn take(&mut self, model: Model, path: &Path) -> Vec<Piece> {
        let first = self.geometries.len() as u32;
        // y is up in glTF; the other formats have the axes of the link.
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

    /// Returns the geometry of a box, ball, cylinder or capsule, made once per size and color. Returns
    /// `None` if it has no triangles. Fails if all shapes together exceed `PAINTED`.
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

    /// Returns a geometry in a color that the robot's file specifies; the geometry itself if its mesh
    /// file specifies colors. Fails if all such copies together exceed `PAINTED`.
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

/// Returns the minimum and maximum of points; an empty box without points.
fn ends(points: &[Vec3]) -> [Vec3; 2] {
    points.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], p| [min.min(*p), max.max(*p)])
}
