//! What may be read and what may be written over: regular files are read, and nothing is waited for; a file
//! is replaced only if the user says so, and never one that is read.
//!
//! A path is asked what it is before it is opened, since opening a pipe waits for its other end, and once
//! more when it is open, since it may have changed.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// Opens a regular file, links followed, and says how many bytes it has.
pub fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    require_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let about = file.metadata()?;
    require_regular(&about)?;
    Ok((file, about.len()))
}

/// The bytes of a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open_regular(path)?;
    check_length(length, limit)?;
    let mut bytes = Vec::new();
    // It may still grow.
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The first bytes of a file that has just been opened, at most so many; it is read from its beginning again.
pub fn beginning(file: &mut File, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Read::by_ref(file).take(count).read_to_end(&mut bytes)?;
    file.rewind()?;
    Ok(bytes)
}

/// An error if a file has more bytes than are read.
pub fn check_length(length: u64, limit: u64) -> io::Result<()> {
    if length <= limit {
        return Ok(());
    }
    let reason = format!("it has {length} bytes, the limit is {limit}");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
}

/// Reads a text in UTF-8 of at most so many bytes.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|_| io::Error::other("it is not text in UTF-8"))
}

fn require_regular(about: &fs::Metadata) -> io::Result<()> {
    if about.is_file() { Ok(()) } else { Err(io::Error::other("it is not a regular file")) }
}

/// What is done with a file that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    #[default]
    Keep,
    Replace,
}

impl Existing {
    /// What the option `--force` stands for.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }
}

/// Why nothing is written to a path.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("{}: is a folder", .0.display())]
    Folder(PathBuf),
    #[error("{}: is not a regular file", .0.display())]
    NotAFile(PathBuf),
    #[error("{}: is read here, as {}, and nothing is written over it", .path.display(), .input.display())]
    Input { path: PathBuf, input: PathBuf },
    #[error("{}: is there already; --force replaces it", .0.display())]
    Exists(PathBuf),
}

/// Whether a path can be written to: nothing is there, or a regular file that is none of `inputs`, under
/// whatever name or link, and may be replaced. What only writing can find (a missing folder, no permission)
/// is left to it.
pub fn check_target(path: &Path, inputs: &[PathBuf], existing: Existing) -> Result<(), TargetError> {
    let Ok(about) = fs::metadata(path) else { return Ok(()) };
    if about.is_dir() {
        return Err(TargetError::Folder(path.to_owned()));
    }
    if !about.is_file() {
        return Err(TargetError::NotAFile(path.to_owned()));
    }
    if let Some(input) = inputs.iter().find(|input| is_same(path, input)) {
        return Err(TargetError::Input { path: path.to_owned(), input: input.clone() });
    }
    match existing {
        Existing::Keep => Err(TargetError::Exists(path.to_owned())),
        Existing::Replace => Ok(()),
    }
}

/// Whether two paths lead to one file. One that cannot be asked (it may be written to, not read) is told by
/// its path.
fn is_same(path: &Path, input: &Path) -> bool {
    same_file::is_same_file(path, input).unwrap_or_else(|_| {
        let paths = [path, input].map(fs::canonicalize);
        matches!(paths, [Ok(a), Ok(b)] if a == b)
    })
}
