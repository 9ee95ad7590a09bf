//! COLLADA (`.dae`) → [`Model`]: the surfaces of its scene in their poses, as robots and CAD use them.
//! Only plain colors of materials are read. Skins keep the pose in which they were modeled.
//!
//! - `colors.rs`: the plain colors of materials.
//! - `elements.rs`: elements by their ids.
//! - `geometry.rs`: a geometry as triangles.
//! - `numbers.rs`: lists of numbers.
//! - `tree.rs`: the nodes of the scene.

mod colors;
mod elements;
mod geometry;
mod numbers;
mod tree;

use std::path::Path;

use glam::{DQuat, DVec3};
use roxmltree::{Document, Node};

use super::error::LoadError;
use super::fault::{Checked, Fault, fault};
use super::limits::COLLADA_BYTES;
use super::model::{self, LocalTransform, Model, Note, NoteKind};
use super::units::Up;
use super::xml::{self, XmlText};
use crate::digits::short;
use tree::Draft;

/// Reads a mesh of a robot, converted to meters. The robot's file defines the orientation of its
/// meshes. So the up axis of the mesh file is ignored, as in other readers, and a note reports an up
/// axis other than z.
pub(super) fn load_mesh(path: &Path) -> Result<Model, LoadError> {
    let (mut model, up) = load(path, true)?;
    if up != Up::Z {
        let axis = up.name();
        let text = format!("its up axis {axis} is ignored: the mesh keeps the axes of its link");
        let place = model.source.clone();
        model.notes.push(Note { kind: NoteKind::Ignored, place, text });
    }
    Ok(model)
}

/// Reads a file in its own axes. Lengths are converted to meters if `takes_unit`, else left as they
/// are. Also returns the axis that points up.
pub(super) fn load(path: &Path, takes_unit: bool) -> Result<(Model, Up), LoadError> {
    let XmlText { text, said } = xml::read(path, COLLADA_BYTES)?;
    let wrong =
        |Fault { place, reason }| LoadError::Invalid { file: path.display().to_string(), place, reason };
    let document = xml::parse(&text).map_err(wrong)?;
    let source = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let (mut model, up) = read(&document, &source, takes_unit).map_err(wrong)?;
    let note = |text| Note { kind: NoteKind::Repaired, place: source.to_string(), text };
    model.notes.extend(said.into_iter().map(note));
    model.files.push(path.to_owned());
    Ok((model, up))
}

/// Reads the model of a parsed document, and the axis that points up.
fn read(document: &Document, source: &str, takes_unit: bool) -> Checked<(Model, Up)> {
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        let found = root.tag_name().name();
        return xml::wrong(root, format!("expected <COLLADA>, found <{found}>: this is not a COLLADA file"));
    }
    let asset = xml::child(root, "asset");
    let meters = match asset.and_then(|a| xml::child(a, "unit")).filter(|_| takes_unit) {
        Some(unit) => match xml::number(unit, "meter")?.unwrap_or(1.0) {
            meters if meters > 0.0 => meters,
            meters => return xml::wrong(unit, format!("a unit of {} m is none", short(meters))),
        },
        None => 1.0,
    };
    let up = match asset.and_then(|a| xml::child(a, "up_axis")).and_then(|a| a.text()).map(str::trim) {
        Some("X_UP") => Up::X,
        Some("Z_UP") => Up::Z,
        _ => Up::Y,
    };
    let mut draft = Draft::new(source, document);
    let scale = DVec3::splat(meters);
    let local = LocalTransform::Parts { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale };
    let whole = draft.model.add_node(None, model::Node { local, in_scene: true, ..model::Node::default() });
    draft.model.roots.push(whole);
    draft.scene(root, whole)?;
    let mut model = draft.finish();
    if model.geometries.iter().all(|g| g.triangles.is_empty()) {
        return fault("the file", "there is no triangle in it");
    }
    if let Some(texts) = ignored(root) {
        let place = source.to_owned();
        model.notes.push(Note { kind: NoteKind::Ignored, place, text: texts });
    }
    Ok((model, up))
}

/// Describes the libraries of a file that are ignored, if it has any.
fn ignored(root: Node) -> Option<String> {
    let libraries = [
        ("library_animations", "animations"),
        ("library_physics_models", "physics"),
        ("library_kinematics_models", "kinematics"),
    ];
    let found: Vec<&str> = libraries
        .iter()
        .filter(|(name, _)| xml::child(root, name).is_some())
        .map(|(_, what)| *what)
        .collect();
    (!found.is_empty()).then(|| format!("not read: {}", found.join(", ")))
}
