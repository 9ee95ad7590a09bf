//! Identification, by its first bytes, of a file that was passed as a model but is of another type.

/// Signatures of file types. Leading white space of a file is skipped.
const BEGINNINGS: [(&[u8], &str); 21] = [
    (
        b"version https://git-lfs",
        "the pointer that Git LFS keeps in its place: `git lfs pull` fetches the file",
    ),
    (b"<!DOCTYPE html", "a web page, as a link to a download gives"),
    (b"<!doctype html", "a web page, as a link to a download gives"),
    (b"<html", "a web page, as a link to a download gives"),
    (b"<?xml", "XML, as COLLADA and URDF are"),
    (b"<robot", "URDF"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it first"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF", "a PDF document"),
    (b"\x89TUMBLE", "a recording: `tumble play` reads it"),
    (b"ISO-10303-21", "STEP"),
    (b"Kaydara FBX", "FBX"),
    (b"BLENDER", "a Blender file"),
    (b"PXR-USDC", "USD"),
    (b"#usda", "USD"),
    (b"solid", "STL"),
    (b"ply", "PLY"),
    (b"[[model]]", "a scene file: it needs the extension .toml"),
];

/// Length of a binary STL file's header, and of each of its triangles, bytes.
const STL_LENGTHS: [usize; 2] = [84, 50];

/// Text for a file without a known signature.
pub(crate) const UNKNOWN: &str = "nothing that is known here";

/// Returns the type of file that the bytes look like; `None` if they may be the JSON of a glTF file.
pub(crate) fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.trim_ascii_start();
    let known = BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning));
    match (known, text.first()) {
        (Some((_, what)), _) => Some(what),
        (None, None) => Some("an empty file"),
        (None, Some(b'{')) => None,
        // A byte order mark before JSON is left to the JSON parser, which refuses it.
        (None, Some(0xef)) if text.starts_with(b"\xef\xbb\xbf") => None,
        _ if is_binary_stl(bytes) => Some("STL"),
        _ if is_obj(text) => Some("OBJ"),
        _ => Some(UNKNOWN),
    }
}

fn is_binary_stl(bytes: &[u8]) -> bool {
    let [start, each] = STL_LENGTHS;
    let count = bytes.get(80..start).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| bytes.len() as u64 == start as u64 + u64::from(count) * each as u64)
}

/// Returns whether the first line that is neither empty nor a comment is a typical line of OBJ.
fn is_obj(text: &[u8]) -> bool {
    let mut lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| [&b"v "[..], b"mtllib ", b"o ", b"g "].iter().any(|word| line.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_told_by_how_they_begin() {
        let mut stl = vec![0; 84 + 2 * 50];
        stl[80] = 2;
        for (bytes, says) in [
            (&b"\n<!DOCTYPE html><html>"[..], Some("web page")),
            (b"# made by hand\n\nmtllib a.mtl\nv 0 0 0\n", Some("OBJ")),
            (&stl, Some("STL")),
            (b"  ", Some("empty")),
            (b"\x00\x01", Some("nothing that is known")),
            (b" { \"asset\"", None),
        ] {
            let found = looks_like(bytes);
            assert!(found.is_some() == says.is_some(), "{found:?}");
            assert!(says.is_none_or(|says| found.unwrap().contains(says)), "{found:?}");
        }
    }
}
