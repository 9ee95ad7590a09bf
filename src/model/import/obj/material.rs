//! Material libraries of OBJ files: the color of each material. Other properties only affect the
//! appearance and are ignored.

use std::collections::HashMap;
use std::io::BufReader;
use std::path::{Component, Path};

use crate::arrays::MapEach;
use crate::files;
use crate::import::limits::FILE_BYTES;
use crate::import::lines::{Lines, coordinate, quoted};
use crate::import::srgb::code;

/// Largest number of libraries that one file may name; real files name one.
const LIBRARIES: usize = 64;

/// Color in sRGB.
pub(super) type Color = [u8; 3];

#[derive(Default)]
pub(super) struct Materials {
    /// Colors by name.
    colors: HashMap<String, Color>,
    read_count: usize,
    /// Messages about libraries that were left out.
    pub notes: Vec<String>,
}

impl Materials {
    pub fn color(&self, name: &str) -> Option<Color> {
        self.colors.get(name).copied()
    }

    /// Reads the library that an OBJ file names, if it lies in the folder of the OBJ file or below. A
    /// fault is only a note, because the surfaces do not depend on colors.
    pub fn read(&mut self, obj: &Path, name: &str) {
        self.read_count += 1;
        if self.read_count > LIBRARIES {
            return;
        }
        if let Err(reason) = self.try_read(obj, name) {
            self.notes.push(format!("the materials {} are not read: {reason}", quoted(name)));
        }
    }

    /// Reads a library. Fails unless it lies in the folder of the OBJ file or below.
    fn try_read(&mut self, obj: &Path, name: &str) -> Result<(), String> {
        let inner = Path::new(name);
        if name.contains([':', '\\'])
            || !inner.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir))
        {
            return Err("it is not a path inside the file's folder".to_owned());
        }
        let folder = obj.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let cannot = |error: std::io::Error| error.to_string();
        let folder = folder.canonicalize().map_err(cannot)?;
        let found = folder.join(inner).canonicalize().map_err(cannot)?;
        if !found.starts_with(&folder) {
            return Err("it leads out of the file's folder".to_owned());
        }
        let (file, length) = files::open_regular(&found).map_err(cannot)?;
        if length > FILE_BYTES {
            return Err(format!("it has {length} bytes"));
        }
        let mut lines = Lines::new(BufReader::new(file));
        let mut current = None;
        while let Some(line) = lines.next().map_err(|f| f.reason)? {
            let (keyword, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((&line, ""));
            match keyword {
                "newmtl" => current = Some(rest.trim().to_owned()),
                "Kd" => {
                    let numbers: Vec<f64> =
                        rest.split_ascii_whitespace().filter_map(|w| coordinate(w).ok()).collect();
                    if let (Some(name), &[r, g, b, ..]) = (&current, &numbers[..]) {
                        self.colors.insert(name.clone(), [r, g, b].map_each(code));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
