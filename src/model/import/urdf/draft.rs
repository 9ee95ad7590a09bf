//! Model of a robot under construction.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use glam::DVec3;

use super::meshes::Meshes;
use crate::import::model::{LocalTransform, Model, Note, NoteKind};
use crate::import::notes::Notes;
use crate::pose::Pose;

pub(super) struct Draft<'a, 'b> {
    pub file: &'a Path,
    pub source: &'a str,
    pub model: Model,
    pub notes: Notes,
    pub meshes: &'a mut Meshes<'b>,
    /// Message about each missing mesh, by its file name.
    pub missing: BTreeMap<String, String>,
    /// Whether a link uses one of the missing meshes to collide.
    pub lacks_colliders: bool,
    /// Links with a shape that is too thin to be triangulated.
    pub thin: Vec<String>,
    /// Meshes for which a note about their size exists already.
    pub large: BTreeSet<String>,
}

impl Draft<'_, '_> {
    pub fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(Note { kind, place: self.source.to_owned(), text: text.into() });
    }
}

pub(super) fn parts(pose: Pose) -> LocalTransform {
    LocalTransform::Parts { translation: pose.position, rotation: pose.rotation, scale: DVec3::ONE }
}
