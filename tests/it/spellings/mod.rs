//! A table of spellings. Each row is the text of a file, with the expected triangles, colors, poses,
//! masses and joints, calculated by hand. Every keyword that a reader knows is in a row.
//!
//! - `keywords.rs`: a reader knows no keyword that no row has.
//! - `told.rs`: a model in plain words.
//! - `gltf_text.rs`: glTF files as texts.
//! - `writers.rs`: files that are written.
//! - The others are rows, each of a format.

mod collada;
mod gltf;
mod gltf_colors;
mod gltf_moving;
mod gltf_physics;
mod gltf_text;
mod keywords;
mod mocap;
mod obj;
mod ply;
mod stl;
mod told;
mod urdf;
mod urdf_joints;
mod writers;

use tumble::import::{ReadAs, Unit, load_model};

/// A file, and the complete expected result of its reader.
pub struct Row {
    /// Spelling that the row tests.
    pub about: &'static str,
    /// Names and contents; the first file is opened, the others are beside it.
    pub files: Vec<(&'static str, Vec<u8>)>,
    pub read_as: ReadAs,
    pub wanted: Wanted,
    /// Expected notes of the reader, except the usual ones.
    pub notes: Vec<&'static str>,
}

pub enum Wanted {
    /// Lines of [`told::told`]; surrounding blanks do not count.
    Told(String),
    /// Part of the error.
    Refused(&'static str),
}

/// Notes that most rows have: of a format without an up axis, and of a triangle's fourth corner.
const USUAL: [&str; 2] = ["Assumed: says no way up: taken as y", "Repaired: 4 corners make 1 triangles"];

/// Returns a row of one file.
pub fn row(about: &'static str, name: &'static str, content: impl AsRef<[u8]>, wanted: &str) -> Row {
    let files = vec![(name, content.as_ref().to_vec())];
    let read_as = ReadAs { unit: Some(Unit::Meter), ..ReadAs::default() };
    Row { about, files, read_as, wanted: Wanted::Told(wanted.to_owned()), notes: Vec::new() }
}

/// Returns a row of a file that is not read.
pub fn refused(
    about: &'static str,
    name: &'static str,
    content: impl AsRef<[u8]>,
    says: &'static str,
) -> Row {
    Row { wanted: Wanted::Refused(says), ..row(about, name, content, "") }
}

impl Row {
    /// Adds another file beside the first.
    pub fn beside(mut self, name: &'static str, content: impl AsRef<[u8]>) -> Self {
        self.files.push((name, content.as_ref().to_vec()));
        self
    }

    /// Adds an expected note: its kind, then its text.
    pub fn says(mut self, note: &'static str) -> Self {
        self.notes.push(note);
        self
    }

    /// Replaces all expected lines.
    pub fn with_told(self, wanted: &str) -> Self {
        Self { wanted: Wanted::Told(wanted.to_owned()), ..self }
    }

    /// Replaces a part of the expected lines, which must exist.
    pub fn with(self, from: &str, to: &str) -> Self {
        let Wanted::Told(told) = &self.wanted else { panic!("{}: it is refused", self.about) };
        assert!(told.contains(from), "{}: there is no {from}", self.about);
        let told = told.replace(from, to);
        self.with_told(&told)
    }

    /// Reads the files as the program does, and compares the complete result.
    fn check(&self) {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in &self.files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let read = load_model(&folder.path().join(self.files[0].0), &self.read_as);
        match (&self.wanted, read) {
            (Wanted::Told(wanted), Ok(model)) => {
                let wanted: Vec<&str> = wanted.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
                let found = told::told(&model);
                assert_eq!(found, wanted, "{}\n{}", self.about, found.join("\n"));
                let notes: Vec<String> =
                    model.notes.iter().map(|n| format!("{:?}: {}", n.kind, n.text)).collect();
                let is_own = |note: &String| !USUAL.iter().any(|usual| note.starts_with(usual));
                let folder = folder.path().display().to_string();
                let notes: Vec<String> =
                    notes.iter().filter(|n| is_own(n)).map(|n| n.replace(&folder, "FOLDER")).collect();
                assert_eq!(notes, self.notes, "{}", self.about);
            }
            (Wanted::Refused(says), Err(error)) => {
                let error = error.to_string();
                assert!(error.contains(says), "{}: {error}, not {says}", self.about);
            }
            (Wanted::Told(_), Err(error)) => panic!("{}: {error}", self.about),
            (Wanted::Refused(says), Ok(_)) => panic!("{}: it is read, not {says}", self.about),
        }
    }
}

pub fn check(rows: &[Row]) {
    rows.iter().for_each(Row::check);
}
