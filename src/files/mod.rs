//! Files: how tumble reads one, which it may write over, and how it writes one.
//!
//! Only regular files are read, and nothing is waited for: a path is asked what it is before it is opened,
//! since opening a pipe waits for its other end, and once more when it is open, since it may have changed.
//!
//! - `draft.rs`: a file that takes its name once it is whole.
//! - `staging.rs`: a set of files that take their names together.
//! - `target.rs`: whether a path may be written to.

mod draft;
mod staging;
mod target;

pub use draft::{Draft, write};
pub use staging::{PlaceError, STAGING, Staging};
pub use target::{Existing, TargetError, check_target};

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;

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
