//! STL → [`Model`]: triangles, binary or as text. Each `solid` of a text file is a part.
//!
//! Binary files from many CAD programs begin with `solid` too. So a file whose length matches its
//! number of triangles is binary, whatever its first word is. Both forms are read as a stream, so that
//! a large file takes no more memory than its triangles. Normals are ignored: the order of the corners
//! defines the outside.
//!
//! - `binary.rs`: 84 bytes, then 50 per triangle.
//! - `text.rs`: solids as text.

mod binary;
mod text;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::fault::{Checked, fault};
use super::lines::Lines;
use super::model::Model;
use super::parts::{beginning, other_kind};

pub(super) fn read(path: &Path, mut file: File, length: u64) -> Checked<Model> {
    let start = beginning(&mut file)?;
    let input = BufReader::with_capacity(1 << 16, file);
    let promised = binary::count(&start);
    if promised.is_some_and(|count| length == binary::length(count)) {
        return binary::read(input, length)?.model(path);
    }
    if is_text(&start) {
        return text::read(Lines::new(input))?.model(path);
    }
    match promised {
        Some(_) if !is_foreign(&start) => binary::read(input, length)?.model(path),
        Some(_) => Err(other_kind("STL", &start)),
        None => fault("byte 0", format!("has {length} bytes, and the header of a binary STL file 84")),
    }
}

/// Returns whether the first bytes of a file are those of STL text.
fn is_text(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let word = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    word && !start.contains(&0)
}

/// Returns whether the first bytes of a file are those of another known file type.
fn is_foreign(start: &[u8]) -> bool {
    start.starts_with(b"glTF")
        || super::foreign::looks_like(start)
            .is_none_or(|what| what != super::foreign::UNKNOWN && what != "STL")
}
