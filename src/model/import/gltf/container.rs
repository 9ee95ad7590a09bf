//! Bytes of a file, of its GLB chunks and of its buffers; rules about which files may be opened.

use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::json;

use super::compressed;
use crate::import::fault::{Checked, fault};
use crate::import::foreign;
use crate::import::limits::FILE_BYTES;
use crate::import::read::read_file;

/// Splits a file into its JSON text and, if it is a GLB file, its binary chunk. A GLB file begins with
/// a signature.
pub(super) fn split(bytes: &[u8]) -> Checked<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(b"glTF") {
        return match foreign::looks_like(bytes) {
            Some(what) => fault("header", format!("this is no glTF: it looks like {what}")),
            None => Ok((bytes, None)),
        };
    }
    let word = |at: usize| -> Option<u32> {
        let four = bytes.get(at..at.checked_add(4)?)?;
        four.try_into().ok().map(u32::from_le_bytes)
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return fault("GLB header", "is cut off");
    };
    if version != 2 {
        return fault("GLB header", format!("version {version} is not 2"));
    }
    let length = length as usize;
    if length > bytes.len() || length < 20 {
        return fault("GLB header", format!("says {length} bytes, the file has {}", bytes.len()));
    }
    let chunk = |at: usize, kind: u32| -> Option<&[u8]> {
        let size = word(at)? as usize;
        if word(at + 4)? != kind {
            return None;
        }
        bytes[..length].get(at + 8..(at + 8).checked_add(size)?)
    };
    let Some(text) = chunk(12, 0x4E4F_534A) else {
        return fault("GLB", "the JSON chunk is missing or reaches beyond the file");
    };
    let next = 20 + text.len();
    if next >= length {
        return Ok((text, None));
    }
    match chunk(next, 0x004E_4942) {
        Some(binary) => Ok((text, Some(binary))),
        None => fault("GLB", "the second chunk is not binary or reaches beyond the file"),
    }
}

/// Returns the bytes of every buffer, cut to its stated length; a fallback buffer without data is
/// empty. Fails if a buffer has fewer bytes.
pub(super) fn buffers(
    root: &json::Root,
    binary: Option<&[u8]>,
    folder: Option<&Path>,
) -> Checked<Vec<Vec<u8>>> {
    let mut buffers = Vec::new();
    let mut total = 0u64;
    for (index, buffer) in root.buffers.iter().enumerate() {
        let place = format!("buffer {index}");
        let length = buffer.byte_length.0;
        total = total.saturating_add(length);
        if total > FILE_BYTES {
            return fault(place, format!("buffers add up to more than {FILE_BYTES} bytes"));
        }
        let mut bytes = match &buffer.uri {
            Some(uri) => resolve(&place, uri, folder)?,
            None if compressed::is_fallback(buffer) => {
                buffers.push(Vec::new());
                continue;
            }
            None => match binary {
                Some(chunk) if index == 0 => chunk.to_vec(),
                _ => return fault(place, "has neither a URI nor a binary chunk"),
            },
        };
        if (bytes.len() as u64) < length {
            return fault(place, format!("has {} bytes of {length}", bytes.len()));
        }
        bytes.truncate(length as usize);
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// Returns the bytes of a URI: its embedded data, or the content of a file in the folder.
pub(super) fn resolve(place: &str, uri: &str, folder: Option<&Path>) -> Checked<Vec<u8>> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((_, text)) = data.split_once(";base64,") else {
            return fault(place, "a data URI must be base64");
        };
        return STANDARD.decode(text).or_else(|e| fault(place, format!("its data URI is broken: {e}")));
    }
    let Some(folder) = folder else {
        return fault(place, format!("refers to the file {uri:?}, but the model is not in a folder"));
    };
    let path = inside(folder, uri).or_else(|reason| fault(place, format!("{uri:?} {reason}")))?;
    read_file(&path).or_else(|e| {
        let cause = std::error::Error::source(&e).map(|s| format!(" ({s})")).unwrap_or_default();
        fault(place, format!("{e}{cause}"))
    })
}

/// Returns the paths of the files to which a model refers, except those that cannot be found or opened.
pub(super) fn referenced(root: &json::Root, folder: &Path) -> Vec<PathBuf> {
    let buffers = root.buffers.iter().filter_map(|b| b.uri.as_deref());
    let images = root.images.iter().filter_map(|i| i.uri.as_deref());
    let uris = buffers.chain(images).filter(|uri| !uri.starts_with("data:"));
    uris.filter_map(|uri| inside(folder, uri).ok()).collect()
}

/// Resolves a relative URI to a path. Fails unless the file, with symbolic links resolved, lies in the
/// folder or below.
fn inside(folder: &Path, uri: &str) -> Result<PathBuf, String> {
    let decoded = percent_encoding::percent_decode_str(uri)
        .decode_utf8()
        .map_err(|_| "is not UTF-8 when decoded".to_owned())?;
    let path = Path::new(decoded.as_ref());
    let plain = path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if decoded.contains([':', '\\', '\0']) || !plain {
        return Err("is not a relative path inside the model's folder".to_owned());
    }
    let folder = folder.canonicalize().map_err(|e| format!("has no folder: {e}"))?;
    let file = folder.join(path).canonicalize().map_err(|e| format!("cannot be found: {e}"))?;
    if !file.starts_with(&folder) {
        return Err("leads out of the model's folder".to_owned());
    }
    Ok(file)
}
