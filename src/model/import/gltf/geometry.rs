//! Meshes: the triangle primitives of a mesh, joined into one surface with skin influences and morph
//! targets. Skins.

use glam::{DMat4, Vec3};
use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked as Known;

use super::accessor::unit_scale;
use super::reader::PrimitiveRange;
use super::reader::Reader;
use crate::arrays::MapEach;
use crate::import::fault::{Checked, fault};
use crate::import::limits::COORDINATE;
use crate::import::model::{Geometry, Influence, NoteKind, Skin};

/// Component types of positions. KHR_mesh_quantization allows small integers.
const POSITION_COMPONENTS: [ComponentType; 5] =
    [ComponentType::F32, ComponentType::I8, ComponentType::U8, ComponentType::I16, ComponentType::U16];
const INDEX_COMPONENTS: [ComponentType; 3] = [ComponentType::U8, ComponentType::U16, ComponentType::U32];
const WEIGHT_COMPONENTS: [ComponentType; 3] = [ComponentType::F32, ComponentType::U8, ComponentType::U16];

impl Reader<'_> {
    pub(super) fn read_geometries(&mut self) -> Checked<()> {
        for (index, mesh) in self.root.meshes.iter().enumerate() {
            let name = self.name(&format!("mesh {index}"), mesh.name.as_deref());
            let mut geometry = Geometry { name, ..Geometry::default() };
            let mut skinned = false;
            for (at, primitive) in mesh.primitives.iter().enumerate() {
                let place = format!("mesh {index} {:?}, primitive {at}", geometry.name);
                skinned |= self.read_primitive(&place, at, primitive, &mut geometry)?;
            }
            if skinned {
                geometry.influences.resize(geometry.positions.len(), Influence::default());
            }
            self.model.geometries.push(geometry);
        }
        Ok(())
    }

    /// Appends one primitive to a geometry. Returns whether the primitive is skinned.
    fn read_primitive(
        &mut self,
        place: &str,
        number: usize,
        primitive: &json::mesh::Primitive,
        geometry: &mut Geometry,
    ) -> Checked<bool> {
        let Known::Valid(mode) = primitive.mode else { return fault(place, "has an unknown mode") };
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            self.note(NoteKind::Ignored, place, format!("{mode:?} have no surface"));
            return Ok(false);
        }
        let attribute = |semantic| primitive.attributes.get(&Known::Valid(semantic)).map(|a| a.value());
        let Some(positions) = attribute(Semantic::Positions) else {
            return fault(place, "has no POSITION");
        };
        let first = geometry.positions.len();
        let positions = self.read_vectors(place, positions, &POSITION_COMPONENTS)?;
        let vertex_count = positions.len();
        geometry.positions.extend(positions);
        let corners = match primitive.indices {
            Some(indices) => self.read_indices(place, indices.value(), vertex_count)?,
            None => (0..vertex_count as u32).collect(),
        };
        let before = geometry.triangles.len();
        append_triangles(mode, &corners, first as u32, &mut geometry.triangles);
        let rest = if mode == Mode::Triangles { corners.len() % 3 } else { 0 };
        if rest != 0 || geometry.triangles.len() == before {
            let text =
                format!("{} corners make {} triangles", corners.len(), geometry.triangles.len() - before);
            self.note(NoteKind::Repaired, place, text);
        }
        self.ranges.push(PrimitiveRange {
            mesh: self.model.geometries.len(),
            primitive: number,
            vertices: first..geometry.positions.len(),
            triangles: before..geometry.triangles.len(),
        });
        self.read_morphs(place, primitive, first, geometry)?;
        self.read_influences(place, primitive, first, geometry)
    }

    fn read_vectors(&self, place: &str, index: usize, components: &[ComponentType]) -> Checked<Vec<Vec3>> {
        let numbers = self.accessors.read(index, &[Type::Vec3], components)?;
        let vectors: Vec<Vec3> =
            numbers.elements::<3>().map(|e| Vec3::from_array(e.map_each(|x| x as f32))).collect();
        let usable = |v: &Vec3| v.is_finite() && f64::from(v.abs().max_element()) <= COORDINATE;
        match vectors.iter().position(|v| !usable(v)) {
            Some(at) => fault(place, format!("vertex {at} is not finite or beyond {COORDINATE:e} m")),
            None => Ok(vectors),
        }
    }

    fn read_indices(&self, place: &str, index: usize, vertex_count: usize) -> Checked<Vec<u32>> {
        let numbers = self.accessors.read(index, &[Type::Scalar], &INDEX_COMPONENTS)?;
        match numbers.values.iter().position(|&i| i >= vertex_count as f64) {
            Some(at) => {
                fault(place, format!("index {at} names vertex {} of {vertex_count}", numbers.values[at]))
            }
            None => Ok(numbers.values.iter().map(|&i| i as u32).collect()),
        }
    }

    /// Reads the morph targets of a primitive. Target k of a mesh consists of target k of each
    /// primitive; vertices of a primitive without that target do not move.
    fn read_morphs(
        &mut self,
        place: &str,
        primitive: &json::mesh::Primitive,
        first: usize,
        geometry: &mut Geometry,
    ) -> Checked<()> {
        let targets = primitive.targets.as_deref().unwrap_or_default();
        let count = geometry.positions.len() - first;
        if geometry.morphs.len() < targets.len() {
            geometry.morphs.resize(targets.len(), Vec::new());
        }
        let missing: usize = geometry.morphs.iter().map(|m| geometry.positions.len() - m.len()).sum();
        self.accessors.take(place, 3 * missing as u64)?;
        for (at, target) in targets.iter().enumerate() {
            let Some(accessor) = target.positions else { continue };
            let place = format!("{place}, morph target {at}");
            let offsets = self.read_vectors(&place, accessor.value(), &POSITION_COMPONENTS)?;
            if offsets.len() != count {
                return fault(place, format!("has {} vertices of {count}", offsets.len()));
            }
            geometry.morphs[at].resize(first, Vec3::ZERO);
            geometry.morphs[at].extend(offsets);
        }
        for morph in &mut geometry.morphs {
            morph.resize(geometry.positions.len(), Vec3::ZERO);
        }
        Ok(())
    }

    /// Reads up to eight influences of each vertex of a primitive. Returns whether the primitive has
    /// any.
    fn read_influences(
        &mut self,
        place: &str,
        primitive: &json::mesh::Primitive,
        first: usize,
        geometry: &mut Geometry,
    ) -> Checked<bool> {
        let count = geometry.positions.len() - first;
        let mut skinned = false;
        let mut unusable = 0;
        for set in 0..2u32 {
            let get = |s| primitive.attributes.get(&Known::Valid(s)).map(|a| a.value());
            let (Some(joints), Some(weights)) = (get(Semantic::Joints(set)), get(Semantic::Weights(set)))
            else {
                if get(Semantic::Joints(set)).is_some() || get(Semantic::Weights(set)).is_some() {
                    let text = format!("JOINTS_{set} and WEIGHTS_{set} need each other, one is missing");
                    self.note(NoteKind::Ignored, place, text);
                }
                continue;
            };
            let joints = self.accessors.read(joints, &[Type::Vec4], &INDEX_COMPONENTS[..2])?;
            let weights = self.accessors.read(weights, &[Type::Vec4], &WEIGHT_COMPONENTS)?;
            if joints.count() != count || weights.count() != count {
                return fault(place, "its joints and weights must have one element per vertex");
            }
            let scale = unit_scale(&weights);
            skinned = true;
            geometry.influences.resize(geometry.positions.len(), Influence::default());
            let pairs = joints.elements::<4>().zip(weights.elements::<4>());
            for (influence, (j, w)) in geometry.influences[first..].iter_mut().zip(pairs) {
                for k in 0..4 {
                    let slot = 4 * set as usize + k;
                    let weight = (w[k] * scale) as f32;
                    influence.joints[slot] = j[k] as u16;
                    let is_usable = weight.is_finite() && weight >= 0.0;
                    unusable += u64::from(!is_usable);
                    influence.weights[slot] = if is_usable { weight } else { 0.0 };
                }
            }
        }
        if unusable > 0 {
            let text = format!("{unusable} weights are negative or no numbers and count as 0");
            self.note(NoteKind::Repaired, place, text);
        }
        if skinned {
            let is_loose = |i: &&Influence| i.weights.iter().all(|&w| w == 0.0);
            let loose = geometry.influences[first..].iter().filter(is_loose).count();
            if loose > 0 {
                let text = format!("{loose} vertices have no weights and go with their triangles");
                self.note(NoteKind::Repaired, place, text);
            }
        }
        if primitive.attributes.contains_key(&Known::Valid(Semantic::Joints(2))) {
            self.note(NoteKind::Ignored, place, "influences beyond the eighth of a vertex are left out");
        }
        Ok(skinned)
    }

    /// Reads all skins, and checks that every influence of a skinned node refers to a joint of its
    /// skin.
    pub(super) fn read_skins(&mut self) -> Checked<()> {
        for (index, skin) in self.root.skins.iter().enumerate() {
            let place = format!("skin {index}");
            if skin.joints.is_empty() {
                return fault(place, "has no joints");
            }
            let joints: Vec<u32> = skin.joints.iter().map(|j| j.value() as u32).collect();
            if let Some(joint) = joints.iter().find(|&&j| j as usize >= self.model.nodes.len()) {
                return fault(place, format!("there is no node {joint}"));
            }
            let inverse_bind = match skin.inverse_bind_matrices {
                None => vec![DMat4::IDENTITY; joints.len()],
                Some(accessor) => {
                    let numbers =
                        self.accessors.read(accessor.value(), &[Type::Mat4], &[ComponentType::F32])?;
                    numbers.elements::<16>().map(|e| DMat4::from_cols_array(&e)).collect()
                }
            };
            if inverse_bind.len() < joints.len() || inverse_bind.iter().any(|m| !m.is_finite()) {
                return fault(place, "its inverse bind matrices are too few or not finite");
            }
            let name = self.name(&place, skin.name.as_deref());
            self.model.skins.push(Skin { name, joints, inverse_bind });
        }
        // Largest joint index in use per mesh; computed once, as many nodes may share a mesh.
        let used =
            |i: &Influence| i.joints.into_iter().zip(i.weights).filter(|j| j.1 > 0.0).map(|j| j.0).max();
        let last_used: Vec<Option<u16>> =
            self.model.geometries.iter().map(|g| g.influences.iter().filter_map(used).max()).collect();
        for (index, node) in self.model.nodes.iter().enumerate() {
            let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { continue };
            let joint_count = self.model.skins[skin as usize].joints.len();
            if last_used[geometry as usize].is_some_and(|joint| usize::from(joint) >= joint_count) {
                let place = super::nodes::node_place(self.root, index);
                return fault(place, format!("its mesh names a joint beyond the {joint_count} of its skin"));
            }
        }
        Ok(())
    }
}

/// Appends the triangles of a triangle list, strip or fan. `first` is added to the vertex indices.
/// Windings stay as in the file.
pub(super) fn append_triangles(mode: Mode, corners: &[u32], first: u32, triangles: &mut Vec<[u32; 3]>) {
    let shifted = |t: [u32; 3]| t.map_each(|v| v + first);
    match mode {
        Mode::TriangleStrip => triangles.extend(corners.windows(3).enumerate().map(|(i, w)| {
            // Odd triangles of a strip have the opposite winding.
            shifted(if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
        })),
        Mode::TriangleFan => {
            let spokes = corners.get(1..).unwrap_or_default();
            triangles.extend(spokes.windows(2).map(|w| shifted([corners[0], w[0], w[1]])));
        }
        _ => triangles.extend(corners.chunks_exact(3).map(|c| shifted([c[0], c[1], c[2]]))),
    }
}
