//! XML files with common defects: bytes behind their end, blank lines at the start, or text in Latin-1.

use std::path::Path;

use crate::digits::grouped;
use crate::files;
use crate::import::error::LoadError;

/// Repaired text of a file, and messages about each repair.
#[derive(Debug, Default, PartialEq)]
pub(in crate::import) struct XmlText {
    pub text: String,
    pub said: Vec<String>,
}

/// Reads a file of at most `limit` bytes, and repairs common defects without changing line numbers.
pub(in crate::import) fn read(path: &Path, limit: u64) -> Result<XmlText, LoadError> {
    let bytes = files::read(path, limit);
    Ok(mend(bytes.map_err(|source| LoadError::Read { path: path.to_owned(), source })?))
}

/// Repairs common defects of a file without changing line numbers.
fn mend(mut bytes: Vec<u8>) -> XmlText {
    let mut said = Vec::new();
    let is_odd = |b: &u8| !matches!(b, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    let end = bytes.iter().rposition(|b| *b == b'>').map_or(0, |last| last + 1);
    let behind = &bytes[end..];
    if behind.iter().any(is_odd) && behind.iter().all(|b| is_odd(b) || b.is_ascii_whitespace()) {
        let count = grouped(behind.iter().filter(|b| is_odd(b)).count() as u64);
        said.push(format!("{count} bytes behind its last element are left out"));
        bytes.truncate(end);
    }
    let mark: &[u8] = b"\xef\xbb\xbf";
    let start = if bytes.starts_with(mark) { mark.len() } else { 0 };
    let first = bytes.iter().position(|b| *b == b'<').unwrap_or(0);
    let declaration = bytes[first..].windows(2).position(|pair| pair == b"?>").map(|at| first + at + 2);
    if let Some(behind) = declaration.filter(|_| first > start && bytes[first..].starts_with(b"<?xml ")) {
        let is_blank = |b: &u8| b.is_ascii_whitespace() || *b == 0 || mark.contains(b);
        if bytes[..first].iter().all(is_blank) {
            said.push("blanks stand before its first line, <?xml …?>, which is left out".to_owned());
            bytes[..behind].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        }
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        said.push("is not in UTF-8, and is read as Latin-1".to_owned());
        error.as_bytes().iter().map(|b| char::from(*b)).collect()
    });
    XmlText { text, said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_around_the_elements_of_a_file_is_ignored_and_reported() {
        for (bytes, text, said) in [
            (&b"<a/>\r\n"[..], "<a/>\r\n", None),
            (b"\xef\xbb\xbf<?xml version='1.0'?><a/>", "\u{feff}<?xml version='1.0'?><a/>", None),
            (b"<a/>\n\0", "<a/>", Some("1 bytes behind its last element are left out")),
            (b"<a/>\x1a\xff\0\0", "<a/>", Some("4 bytes behind")),
            (b"<a/> more", "<a/> more", None),
            (b"\n \r\n<?xml v?>\n<a/>", "\n  \n         \n<a/>", Some("blanks stand before its first line")),
            (
                b"\xef\xbb\xbf\n<?xml v?><a/>",
                "   \n         <a/>",
                Some("blanks stand before its first line"),
            ),
            (b"x<?xml v?><a/>", "x<?xml v?><a/>", None),
            (b"<a b='\xe9'/>", "<a b='\u{e9}'/>", Some("is not in UTF-8, and is read as Latin-1")),
            (b"", "", None),
        ] {
            let found = mend(bytes.to_vec());
            assert_eq!(found.text, text);
            assert!(found.said.len() == usize::from(said.is_some()), "{found:?}");
            assert!(said.is_none_or(|said| found.said[0].starts_with(said)), "{found:?}");
        }
    }
}
