//! Instances of a node's mesh: the extension EXT_mesh_gpu_instancing. Each becomes a node of its own
//! below the node.

use glam::{DQuat, DVec3};
use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use super::accessor::Numbers;
use super::nodes::node_place;
use super::object::Object;
use super::reader::Reader;
use crate::digits::grouped;
use crate::import::fault::{Checked, fault};
use crate::import::limits::JSON_LIST;
use crate::import::model::{LocalTransform, Node, NoteKind};
use crate::import::text;

const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// Numbers of an attribute: floats, or for rotations also normalized integers.
const FLOAT: [ComponentType; 1] = [ComponentType::F32];
const ROTATION: [ComponentType; 3] = [ComponentType::F32, ComponentType::I8, ComponentType::I16];

impl Reader<'_> {
    /// Adds a node for each instance of a node that has the extension, and takes the mesh from the node
    /// itself. The nodes of the file must have been read.
    pub(super) fn read_instances(&mut self) -> Checked<()> {
        let root = self.root;
        for (index, node) in root.nodes.iter().enumerate() {
            let extensions = node.extensions.as_ref();
            if let Some(value) = extensions.and_then(|extensions| extensions.others.get(EXTENSION)) {
                self.read_instances_of(index, node, value)?;
            }
        }
        Ok(())
    }

    fn read_instances_of(&mut self, index: usize, node: &json::Node, value: &Value) -> Checked<()> {
        let place = format!("{}, {EXTENSION}", node_place(self.root, index));
        let mut object = Object::new(&place, value)?;
        let Some(value) = object.get("attributes") else { return fault(place, "has no attributes") };
        let mut attributes = Object::new(&place, value)?;
        let accessors = self.root.accessors.len();
        let mut numbers = |name: &'static str, kind: Type, components: &[ComponentType]| {
            let accessor = attributes.index(name, accessors)?;
            accessor.map(|at| self.accessors.read(at as usize, &[kind], components)).transpose()
        };
        let translations = numbers("TRANSLATION", Type::Vec3, &FLOAT)?;
        let rotations = numbers("ROTATION", Type::Vec4, &ROTATION)?;
        let scales = numbers("SCALE", Type::Vec3, &FLOAT)?;
        let all = [&translations, &rotations, &scales];
        let Some(count) = all.iter().find_map(|numbers| numbers.as_ref().map(Numbers::count)) else {
            // Without an attribute that is known here, the number of instances is not known either.
            self.note(
                NoteKind::LeftOut,
                &place,
                "has no TRANSLATION, ROTATION or SCALE: its instances are left out",
            );
            return Ok(());
        };
        if all.iter().any(|numbers| numbers.as_ref().is_some_and(|numbers| numbers.count() != count)) {
            return fault(place, "its attributes have different numbers of elements");
        }
        let Some(mesh) = self.model.nodes[index].geometry else {
            self.note(NoteKind::Ignored, &place, "has no mesh, so its instances have none");
            return Ok(());
        };
        if node.skin.is_some() {
            let text =
                format!("has a skin: its {} instances are left out, the node is kept", grouped(count as u64));
            self.note(NoteKind::LeftOut, &place, text);
            return Ok(());
        }
        if self.model.nodes.len() + count > JSON_LIST {
            let most = grouped(JSON_LIST as u64);
            return fault(
                place,
                format!("with {} instances there are more than {most} nodes", grouped(count as u64)),
            );
        }
        // Every instance has the weights of the node.
        let weight_count = self.model.nodes[index].weights.len() as u64;
        self.accessors.take(&place, weight_count.saturating_mul(count as u64))?;
        self.model.nodes[index].geometry = None;
        let weights = std::mem::take(&mut self.model.nodes[index].weights);
        let name = self.name_of_instances(index, mesh);
        for at in 0..count {
            let local = transform([&translations, &rotations, &scales], at);
            let Some(local) = local else {
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
        let of_mesh = || self.root.meshes[mesh as usize].name.clone().unwrap_or_default();
        if own.is_empty() { text::name(&of_mesh()).0 } else { own.clone() }
    }
}

/// Returns the transform of an instance relative to its node; `None` if it is not finite or its rotation
/// is zero.
fn transform([translations, rotations, scales]: [&Option<Numbers>; 3], at: usize) -> Option<LocalTransform> {
    let vector = |numbers: &Option<Numbers>, default: DVec3| {
        numbers.as_ref().map_or(default, |n| DVec3::from_slice(&n.values[3 * at..3 * at + 3]))
    };
    let (translation, scale) = (vector(translations, DVec3::ZERO), vector(scales, DVec3::ONE));
    let raw =
        rotations.as_ref().map_or(DQuat::IDENTITY, |n| DQuat::from_slice(&n.values[4 * at..4 * at + 4]));
    let is_finite = translation.is_finite() && scale.is_finite() && raw.is_finite() && raw.length() > 1e-6;
    is_finite.then(|| LocalTransform::Parts { translation, rotation: raw.normalize(), scale })
}
