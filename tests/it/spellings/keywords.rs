//! A reader knows no keyword that no row of the table has.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Row, collada, gltf, mocap, obj, ply, stl, urdf};
use crate::formats::compressed;

/// Name and content of a file.
type File = (&'static str, Vec<u8>);

/// Returns the readers by their folder, the files of their rows, and words in their source that are not
/// keywords of a file: names of formats, words of messages, ends of words.
fn readers() -> Vec<(&'static str, Vec<File>, &'static [&'static str])> {
    let files = |rows: Vec<Row>| rows.into_iter().flat_map(|row| row.files).collect::<Vec<_>>();
    // Packed surfaces are rounded: another test compares them.
    let packed = [compressed::draco_file(), compressed::meshopt_file()];
    let packed = packed.map(|text| ("a.gltf", text.into_bytes()));
    let gltf = files(gltf::rows()).into_iter().chain(packed).collect();
    vec![
        ("collada", files(collada::rows()), &["animations", "kinematics", "physics"]),
        ("gltf", gltf, &["header", "objects", "untyped"]),
        ("mocap", files(mocap::rows()), &["rotation"]),
        ("obj", files(obj::rows()), &["OBJ"]),
        ("ply", files(ply::rows()), &["PLY", "faces", "strip", "strips"]),
        ("stl", files(stl::rows()), &["STL"]),
        ("urdf", files(urdf::rows()), &[]),
    ]
}

/// Collects the quoted texts of the sources in a folder that may be keywords: single words, without
/// tests.
fn quoted_words(folder: &Path, words: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            quoted_words(&path, words);
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let source = source.split("#[cfg(test)]").next().unwrap();
        for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let quoted = line.split('"').skip(1).step_by(2);
            words.extend(quoted.filter(|text| is_word(text)).map(str::to_owned));
        }
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-:/".contains(c))
}

/// Returns whether a file, or its name, has a word by itself, in lower or upper case.
fn has_word(files: &[File], word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    files.iter().any(|(name, content)| {
        let text = format!("{name} {}", String::from_utf8_lossy(content)).to_ascii_lowercase();
        text.match_indices(&word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            // A word that ends with a sign is the beginning of a longer one.
            let goes_on = word.ends_with(|c: char| c.is_ascii_alphanumeric()) && after.is_some_and(is_letter);
            !before.is_some_and(is_letter) && !goes_on
        })
    })
}

#[test]
fn a_reader_knows_no_keyword_that_no_row_has() {
    let import = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/model/import");
    for (reader, files, spared) in readers() {
        let mut known = BTreeSet::new();
        quoted_words(&import.join(reader), &mut known);
        let is_missing = |word: &&String| !spared.contains(&word.as_str()) && !has_word(&files, word);
        let missing: Vec<&String> = known.iter().filter(is_missing).collect();
        assert!(missing.is_empty(), "{reader} knows words that no row has: {missing:?}");
        let stale: Vec<&&str> = spared.iter().filter(|word| !known.contains(**word)).collect();
        assert!(stale.is_empty(), "{reader} does not know {stale:?}");
    }
}
