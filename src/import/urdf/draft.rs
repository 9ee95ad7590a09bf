//! A robot's model while it is put together.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::meshes::Meshes;
use crate::import::model::{LocalTransform, Model, Node, Note, NoteKind};
use crate::import::notes::Notes;
use crate::pose::Pose;

/// Names that are listed one by one.
const NAMED: usize = 5;

pub(super) struct Draft<'a, 'b> {
    pub source: &'a str,
    pub model: Model,
    pub notes: Notes,
    pub meshes: &'a mut Meshes<'b>,
    /// What is said of each mesh that is not found.
    pub missing: BTreeMap<String, String>,
    /// Meshes that were said to be large.
    pub large: BTreeSet<String>,
}

impl Draft<'_, '_> {
    pub fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(Note { kind, place: self.source.to_owned(), text: text.into() });
    }

    /// Adds a node; `parent` is `None` for the base.
    pub fn node(&mut self, parent: Option<u32>, node: Node) -> u32 {
        let index = self.model.nodes.len() as u32;
        self.model.nodes.push(Node { parent, ..node });
        if let Some(parent) = parent {
            self.model.nodes[parent as usize].children.push(index);
        }
        index
    }
}

/// The first few, and how many more there are.
pub(super) fn list(names: &[String]) -> String {
    let mut text = names[..names.len().min(NAMED)].join("; ");
    if names.len() > NAMED {
        text += &format!(" and {} more", names.len() - NAMED);
    }
    text
}

pub(super) fn parts(pose: Pose) -> LocalTransform {
    LocalTransform::Parts { translation: pose.position, rotation: pose.rotation, scale: DVec3::ONE }
}
