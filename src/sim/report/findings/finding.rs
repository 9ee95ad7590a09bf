//! Common form of the findings of a check, of a run and of files.

use std::path::Path;

use glam::DVec3;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::scene::Scene;

/// Fact about a scene or a run that an engineer must know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Hash of the paths, 16 hexadecimal digits. It distinguishes findings of one kind.
    pub id: String,
    pub kind: &'static str,
    pub text: String,
    /// Affected bodies of the scene: two, one or none.
    #[serde(skip)]
    pub parts: Vec<u32>,
    /// Paths of these bodies, in alphabetical order.
    #[serde(rename = "parts")]
    pub paths: Vec<String>,
    /// Points of the two parts between which a depth or a distance is measured, world, m; `None` if
    /// unknown.
    #[serde(rename = "points_m")]
    pub points: Option<[DVec3; 2]>,
    /// Step in which the finding was worst; `None` if it belongs to no step.
    pub step: Option<u32>,
    pub grade: Grade,
    /// Depth of an overlap, or length by which a demanded distance is missed, m; `None` if the kind has
    /// no such measure.
    pub excess_m: Option<f64>,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// A fault.
    Fault,
    /// A remark: the situation may be intended.
    Remark,
}

/// Findings with one title.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingList {
    pub title: String,
    pub findings: Vec<Finding>,
}

impl Finding {
    /// Creates a fault of a run that was worst in a step.
    pub fn of_run(kind: &'static str, text: String, parts: Vec<u32>, scene: &Scene, step: u32) -> Self {
        let paths = paths(&parts, scene);
        Self {
            id: id(&paths),
            kind,
            text,
            parts,
            paths,
            points: None,
            step: Some(step),
            grade: Grade::Fault,
            excess_m: None,
        }
    }
}

/// Returns the path of a part; its name if it has no path.
pub fn path(part: u32, scene: &Scene) -> String {
    let body = &scene.bodies[part as usize];
    if body.path.is_empty() { body.name.clone() } else { body.path.clone() }
}

fn paths(parts: &[u32], scene: &Scene) -> Vec<String> {
    let mut paths: Vec<String> = parts.iter().map(|part| path(*part, scene)).collect();
    paths.sort();
    paths
}

/// Returns the id of a finding on parts with these paths, which must be in alphabetical order.
pub(super) fn id(paths: &[impl AsRef<str>]) -> String {
    let paths: Vec<&str> = paths.iter().map(AsRef::as_ref).collect();
    format!("{:016x}", xxh3_64(paths.join("\0").as_bytes()))
}

/// Returns the warnings of a scene's files, such as missing meshes.
pub fn of_files(scene: &Scene) -> Option<FindingList> {
    let warnings = scene.notes.iter().filter(|note| note.kind.is_warning());
    let finding = |note: &crate::import::model::Note| Finding {
        // The place has the folder of the file, which differs from machine to machine.
        id: id(&[&Path::new(&note.place).file_name().unwrap_or_default().to_string_lossy(), &note.text[..]]),
        kind: "file",
        // The text precedes the place, as it is more useful.
        text: format!("{} ({})", note.text, note.place),
        parts: Vec::new(),
        paths: Vec::new(),
        points: None,
        step: None,
        grade: Grade::Remark,
        excess_m: None,
    };
    let findings: Vec<Finding> = warnings.map(finding).collect();
    (!findings.is_empty()).then(|| FindingList { title: "warnings of files".to_owned(), findings })
}
