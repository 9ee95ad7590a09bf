//! State that all parts of the glTF reader share.

use std::ops::Range;
use std::path::Path;

use gltf::json;

use super::accessor::Accessors;
use crate::import::model::{Model, Note, NoteKind};
use crate::import::notes::Notes;
use crate::import::text;

/// Primitive that became triangles: its vertices and triangles in the model's geometry.
#[derive(Clone, Debug)]
pub(super) struct PrimitiveRange {
    /// Index of the mesh in the file, and of the geometry in the model.
    pub mesh: usize,
    pub primitive: usize,
    pub vertices: Range<usize>,
    pub triangles: Range<usize>,
}

/// State that the parts of the reader share.
pub(super) struct Reader<'a> {
    pub root: &'a json::Root,
    pub accessors: Accessors<'a>,
    /// Folder of the file; `None` for a model from memory.
    pub folder: Option<&'a Path>,
    /// The primitives that became triangles.
    pub ranges: Vec<PrimitiveRange>,
    pub notes: Notes,
    pub model: Model,
}

impl Reader<'_> {
    pub fn note(&mut self, kind: NoteKind, place: impl AsRef<str>, text: impl Into<String>) {
        let place = format!("{}, {}", self.model.source, place.as_ref());
        self.notes.add(Note { kind, place, text: text.into() });
    }

    /// Returns a name made legible and cut to the length limit. A change becomes a note.
    pub fn name(&mut self, place: &str, name: Option<&str>) -> String {
        let (name, changed) = text::name(name.unwrap_or_default());
        if let Some(changed) = changed {
            self.note(NoteKind::Repaired, place, changed);
        }
        name
    }
}
