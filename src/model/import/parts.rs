//! Named surfaces → [`Model`], for formats of triangles without nodes or physics.

use std::fs::File;
use std::path::Path;

use glam::{DVec3, Vec3};

use super::fault::{Checked, Fault, fault};
use super::model::{CornerColors, Geometry, LocalTransform, Model, Node, Note, NoteKind};
use super::notes::Notes;
use super::text;
use crate::files;

/// Surface with its name in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub name: String,
    /// Positions of the vertices relative to the origin, in the unit of the file.
    pub positions: Vec<Vec3>,
    /// Origin of the part in the space of the file; see [`near`](super::near::near).
    pub origin: DVec3,
    pub triangles: Vec<[u32; 3]>,
    /// Corner colors per triangle; empty if the file specifies none.
    pub colors: Vec<CornerColors>,
}

/// Parts of a file, and the notes on the file.
#[derive(Default)]
pub(super) struct Parts {
    pub parts: Vec<Part>,
    pub notes: Vec<(NoteKind, String)>,
}

impl Parts {
    pub fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.push((kind, text.into()));
    }

    /// Creates a model with one node per part that has triangles. A part without a name is named after
    /// the file.
    pub fn model(self, path: &Path) -> Checked<Model> {
        let source = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut model = Model { source: source.clone(), files: vec![path.to_owned()], ..Model::default() };
        let mut notes = Notes::default();
        let note = |kind, text| Note { kind, place: source.clone(), text };
        for part in self.parts {
            if part.triangles.is_empty() {
                continue;
            }
            let (name, changed) = text::name(if part.name.is_empty() { &stem } else { &part.name });
            if let Some(changed) = changed {
                notes.add(note(NoteKind::Repaired, changed));
            }
            let Part { positions, origin, triangles, colors, .. } = part;
            let index = model.nodes.len() as u32;
            model.roots.push(index);
            let (geometry, in_scene) = (Some(index), true);
            let local = LocalTransform::at(origin);
            model.nodes.push(Node {
                name: name.clone(),
                local,
                origin,
                geometry,
                in_scene,
                ..Node::default()
            });
            let geometry = Geometry { name, positions, triangles, colors, ..Geometry::default() };
            model.geometries.push(geometry);
        }
        if model.nodes.is_empty() {
            return fault("the file", "there is no triangle in it");
        }
        self.notes.into_iter().for_each(|(kind, text)| notes.add(note(kind, text)));
        model.notes = notes.finish(&source);
        Ok(model)
    }
}

/// Reads the first bytes of a file, which tell text from binary, and the format from others.
pub(super) fn beginning(file: &mut File) -> Checked<Vec<u8>> {
    files::beginning(file, 512).or_else(|error| fault("the file", format!("cannot be read: {error}")))
}

/// Returns the error for a file of another type than `wanted`.
pub(super) fn other_kind(wanted: &str, bytes: &[u8]) -> Fault {
    let what = super::foreign::looks_like(bytes).unwrap_or("glTF");
    Fault { place: "the file".to_owned(), reason: format!("this is no {wanted}: it looks like {what}") }
}
