//! Files: how a file is read, which files may be overwritten, and how a file is written.
//!
//! Only regular files are read, so that reading never blocks. A path is tested twice. It is tested
//! before it is opened, because opening a pipe waits for the pipe's other end. It is tested again after
//! it is opened, because the path may have changed in between.
//!
//! - `draft.rs`: a file that gets its name when it is complete.
//! - `staging.rs`: a set of files that get their names together.
//! - `target.rs`: the test whether a path may be written to.

mod draft;
mod staging;
mod target;

pub use draft::{Draft, WriteSetError, write, write_set};
pub use staging::{PlaceError, STAGING, Staging};
pub use target::{
    Existing, REVIEW_ENDING, SHARD_BEGINNING, SHARD_ENDING, TargetError, check_target, check_targets,
};

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;

/// Opens a regular file and returns it with its size in bytes. Links are followed.
pub fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    require_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let about = file.metadata()?;
    require_regular(&about)?;
    Ok((file, about.len()))
}

/// Reads a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open_regular(path)?;
    check_length(length, limit)?;
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads at most `count` bytes from the start of a file, and then rewinds the file.
pub fn beginning(file: &mut File, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Read::by_ref(file).take(count).read_to_end(&mut bytes)?;
    file.rewind()?;
    Ok(bytes)
}

/// Returns an error if a file is longer than the limit.
pub fn check_length(length: u64, limit: u64) -> io::Result<()> {
    if length <= limit {
        return Ok(());
    }
    let reason = format!("it has {length} bytes, the limit is {limit}");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
}

/// Reads a UTF-8 text of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|_| io::Error::other("it is not text in UTF-8"))
}

fn require_regular(about: &fs::Metadata) -> io::Result<()> {
    if about.is_file() { Ok(()) } else { Err(io::Error::other("it is not a regular file")) }
}
