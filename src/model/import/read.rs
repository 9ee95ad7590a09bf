//! Whole files, as bytes or as text.

use std::path::Path;

use super::error::LoadError;
use super::limits::FILE_BYTES;
use super::lines::line_place;
use crate::files;

/// Reads a regular file of at most [`FILE_BYTES`] bytes.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    read(path, FILE_BYTES)
}

/// Reads a UTF-8 text file of at most `limit` bytes. An error names the first line that is not UTF-8.
pub(super) fn read_text(path: &Path, limit: u64) -> Result<String, LoadError> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&b| b == b'\n').count();
        let (file, reason) = (path.display().to_string(), "is not text in UTF-8".to_owned());
        LoadError::Invalid { file, place: line_place(line), reason }
    })
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    files::read(path, limit).map_err(|source| LoadError::Read { path: path.to_owned(), source })
}
