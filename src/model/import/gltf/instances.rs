//! Instances of a node's mesh: the extension EXT_mesh_gpu_instancing. Each becomes a node of its own
//! below the node.

use glam::{DQuat, DVec3};
use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use super::accessor::Numbers;
use super::nodes::node_place;
use super::object::Object;
use super::reader::Reader;
use crate::digits::grouped;
use crate::import::fault::{Checked, fault};
use crate::import::limits::{JSON_LIST, at_most};
use crate::import::model::{LocalTransform, Node, NoteKind};
use crate::import::text;

const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// Component types of translations and scales.
const FLOAT: [ComponentType; 1] = [ComponentType::F32];
/// Component types of rotations; the integers are normalized.
const ROTATION: [ComponentType; 3] = [ComponentType::F32, ComponentType::I8, ComponentType::I16];

/// Transforms of the instances of a node. An attribute that the file does not give is the same for all.
struct Transforms {
    translations: Option<Numbers>,
    rotations: Option<Numbers>,
    scales: Option<Numbers>,
}

impl Reader<'_> {
    /// Adds a node for each instance of a node that has the extension, and takes the mesh from the node
    /// itself. The nodes of the file must have been read.
    pub(super) fn read_instances(&mut self) -> Checked<()> {
        let root = self.root;
        for (index, node) in root.nodes.iter().enumerate() {
            let Some(value) = node.extensions.as_ref().and_then(|e| e.others.get(EXTENSION)) else {
                continue;
            };
            let place = format!("{}, {EXTENSION}", node_place(root, index));
            let transforms = self.read_transforms(&place, value)?;
            let Some(count) = transforms.count(&place)? else {
                // Without an attribute that is known here, the number of instances is not known either.
                let text = "has no TRANSLATION, ROTATION or SCALE: its instances are left out";
                self.note(NoteKind::LeftOut, &place, text);
                continue;
            };
            match self.model.nodes[index].geometry {
                None => self.note(NoteKind::Ignored, &place, "has no mesh, so its instances have none"),
                Some(_) if node.skin.is_some() => {
                    let count = grouped(count as u64);
                    let text = format!("has a skin: its {count} instances are left out, the node is kept");
                    self.note(NoteKind::LeftOut, &place, text);
                }
                Some(mesh) => self.add_instances(&place, (index, mesh), (&transforms, count))?,
            }
        }
        Ok(())
    }

    fn read_transforms(&self, place: &str, value: &Value) -> Checked<Transforms> {
        let mut object = Object::new(place, value)?;
        let Some(value) = object.get("attributes") else { return fault(place, "has no attributes") };
        let mut attributes = Object::new(place, value)?;
        let accessors = self.root.accessors.len();
        let mut numbers = |name: &'static str, kind: Type, components: &[ComponentType]| {
            let accessor = attributes.index(name, accessors)?;
            accessor.map(|at| self.accessors.read(at as usize, &[kind], components)).transpose()
        };
        Ok(Transforms {
            translations: numbers("TRANSLATION", Type::Vec3, &FLOAT)?,
            rotations: numbers("ROTATION", Type::Vec4, &ROTATION)?,
            scales: numbers("SCALE", Type::Vec3, &FLOAT)?,
        })
    }

    /// Adds `count` nodes with a mesh below the node `index`, which loses the mesh.
    fn add_instances(
        &mut self,
        place: &str,
        (index, mesh): (usize, u32),
        (transforms, count): (&Transforms, usize),
    ) -> Checked<()> {
        let all = self.model.nodes.len() + count;
        at_most(JSON_LIST, all, "nodes, with all instances").or_else(|reason| fault(place, reason))?;
        // Every instance has the weights of the node.
        let weight_count = self.model.nodes[index].weights.len() as u64;
        self.accessors.take(place, weight_count.saturating_mul(count as u64))?;
        self.model.nodes[index].geometry = None;
        let weights = std::mem::take(&mut self.model.nodes[index].weights);
        let name = self.name_of_instances(index, mesh);
        for at in 0..count {
            let Some(local) = transforms.of(at) else {
                return fault(place, format!("instance {at} has no finite transform"));
            };
            let own = self.model.nodes.len() as u32;
            self.model.nodes[index].children.push(own);
            let (geometry, weights) = (Some(mesh), weights.clone());
            let name = format!("{name} #{}", at + 1).trim_start().to_owned();
            self.model.nodes.push(Node { name, local, geometry, weights, ..Node::default() });
        }
        Ok(())
    }

    /// Returns the common name of a node's instances: that of the node, else that of the mesh.
    fn name_of_instances(&self, index: usize, mesh: u32) -> String {
        let own = &self.model.nodes[index].name;
        let of_mesh = || self.root.meshes[mesh as usize].name.as_deref().unwrap_or_default();
        if own.is_empty() { text::name(of_mesh()).0 } else { own.clone() }
    }
}

impl Transforms {
    /// Returns the number of instances; `None` without any attribute.
    ///
    /// # Errors
    /// Fails if the attributes have different numbers of elements.
    fn count(&self, place: &str) -> Checked<Option<usize>> {
        let all = [&self.translations, &self.rotations, &self.scales];
        let mut counts = all.into_iter().flatten().map(Numbers::count);
        let first = counts.next();
        if counts.any(|count| Some(count) != first) {
            return fault(place, "its attributes have different numbers of elements");
        }
        Ok(first)
    }

    /// Returns the transform of an instance relative to its node; `None` if it is not finite or its
    /// rotation is zero.
    fn of(&self, at: usize) -> Option<LocalTransform> {
        let vector = |numbers: &Option<Numbers>, default: DVec3| {
            numbers.as_ref().map_or(default, |n| DVec3::from_slice(&n.values[3 * at..3 * at + 3]))
        };
        let (translation, scale) =
            (vector(&self.translations, DVec3::ZERO), vector(&self.scales, DVec3::ONE));
        let turn = |n: &Numbers| DQuat::from_slice(&n.values[4 * at..4 * at + 4]);
        let raw = self.rotations.as_ref().map_or(DQuat::IDENTITY, turn);
        let is_finite = translation.is_finite() && scale.is_finite() && raw.is_finite();
        (is_finite && raw.length() > 1e-6).then(|| LocalTransform::Parts {
            translation,
            rotation: raw.normalize(),
            scale,
        })
    }
}
