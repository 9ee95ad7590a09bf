//! Comments keep to the width of the code, which rustfmt does not check, and a doc comment describes
//! its item.

use std::fs;

use super::{root, rust_files};

/// Returns `max_width` of rustfmt.toml.
fn width() -> usize {
    let settings = fs::read_to_string(root().join("rustfmt.toml")).unwrap();
    let line = settings.lines().find_map(|line| line.strip_prefix("max_width = ")).unwrap();
    line.parse().unwrap()
}

#[test]
fn no_comment_is_wider_than_the_code() {
    let (mut files, mut wide) = (Vec::new(), Vec::new());
    for folder in ["src", "tests", "examples"] {
        rust_files(&root().join(folder), &mut files);
    }
    for file in files {
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            if line.trim_start().starts_with("//") && line.chars().count() > width() {
                wide.push(format!("{}:{}", file.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "comments beyond {} columns:\n{}", width(), wide.join("\n"));
}

/// Checks that a doc's first line can stand alone, as a tooltip shows it.
#[test]
fn no_doc_comment_begins_in_the_middle_of_a_sentence() {
    let (mut files, mut fragments) = (Vec::new(), Vec::new());
    rust_files(&root().join("src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (at, line) in lines.iter().enumerate() {
            let is_first = at == 0 || !lines[at - 1].starts_with("///");
            let is_fragment = ["/// Of ", "/// The same"].iter().any(|begin| line.starts_with(begin));
            if is_first && is_fragment {
                fragments.push(format!("{}:{}: {line}", file.display(), at + 1));
            }
        }
    }
    assert!(fragments.is_empty(), "of what?\n{}", fragments.join("\n"));
}
