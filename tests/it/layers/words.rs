//! Docs begin as a reader expects: a function's with a verb, a bool's with "Whether", any other with a noun
//! phrase.

use std::fs;

use super::{root, rust_files};

/// Words that begin a question, a fragment or a reference to another sentence, but no noun phrase.
const OPENINGS: [&str; 44] = [
    "What", "Who", "Whom", "Whose", "How", "Which", "Where", "Why", "When", "By", "From", "For", "In", "As",
    "With", "Around", "Between", "About", "Along", "Of", "So", "Such", "That", "Those", "They", "It", "Its",
    "Their", "This", "These", "To", "At", "On", "Out", "Over", "Under", "If", "Because", "Not", "Nothing",
    "Like", "Only", "And", "Same",
];

/// The doc comment of an item.
struct Doc {
    /// File and line of the first line.
    place: String,
    text: String,
    /// The first line of the item, without attributes; empty for a module's head.
    item: String,
    /// Whether the item is a test, whose doc states the claim.
    is_test: bool,
}

impl Doc {
    fn first_word(&self) -> &str {
        self.text.split(|c: char| !c.is_alphabetic() && c != '-').next().unwrap()
    }

    /// Returns whether the item is a function.
    fn is_function(&self) -> bool {
        let words = ["pub", "const", "async", "unsafe"];
        let mut rest = self.item.split_whitespace().skip_while(|w| {
            words.contains(w) || w.starts_with("pub(") || w.ends_with("world)") || *w == "in"
        });
        rest.next() == Some("fn")
    }

    /// Returns whether the item is a field or constant that holds bools, or a function.
    fn may_say_whether(&self) -> bool {
        self.item.contains("bool") && !self.is_function()
    }
}

/// Returns the docs of all source files and tests.
fn docs() -> Vec<Doc> {
    let (mut files, mut docs) = (Vec::new(), Vec::new());
    for folder in ["src", "tests", "examples"] {
        rust_files(&root().join(folder), &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        let mut at = 0;
        while at < lines.len() {
            let Some(marker) = ["///", "//!"].into_iter().find(|m| lines[at].starts_with(m)) else {
                at += 1;
                continue;
            };
            let count = lines[at..].iter().take_while(|l| l.starts_with(marker)).count();
            let words: Vec<&str> = lines[at..at + count].iter().map(|l| l[3..].trim()).collect();
            let mut after = lines[at + count..].iter();
            let (mut is_test, mut item) = (false, "");
            while marker == "///" && item.is_empty() {
                let line = after.next().unwrap();
                is_test |= *line == "#[test]";
                item = if line.starts_with("#[") || line.starts_with("//") { "" } else { line };
            }
            docs.push(Doc {
                place: format!("{}:{}", file.display(), at + 1),
                text: words.join(" ").trim().to_owned(),
                item: item.to_owned(),
                is_test,
            });
            at += count;
        }
    }
    assert!(docs.len() > 5000, "only {} docs were found", docs.len());
    docs
}

/// Fails with the docs that a test finds wrong.
fn assert_none(wrong: impl Fn(&Doc) -> bool, rule: &str) {
    let found: Vec<String> = docs()
        .iter()
        .filter(|doc| wrong(doc))
        .map(|doc| format!("{}: {}", doc.place, doc.text.chars().take(90).collect::<String>()))
        .collect();
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn no_doc_begins_with_a_question_or_a_fragment() {
    assert_none(|doc| OPENINGS.contains(&doc.first_word()), "a doc begins with a noun phrase or a verb");
}

#[test]
fn docs_of_functions_begin_with_a_verb() {
    let is_wrong = |doc: &Doc| doc.is_function() && !doc.is_test && !doc.first_word().ends_with('s');
    assert_none(is_wrong, "\"Returns\", \"Builds\", \"Tests\" …");
}

#[test]
fn only_docs_of_bools_begin_with_whether() {
    let says_whether = |doc: &Doc| doc.first_word() == "Whether";
    assert_none(|doc| says_whether(doc) && !doc.may_say_whether(), "name the quantity, or begin with a verb");
    let count = docs().iter().filter(|doc| says_whether(doc)).count();
    assert!(count > 20, "only {count} were found");
}

#[test]
fn no_sentence_has_what_or_who_as_its_subject() {
    let begins =
        |sentence: &str| ["What ", "Who ", "Whatever ", "Whoever "].iter().any(|w| sentence.starts_with(w));
    assert_none(|doc| doc.text.split(". ").any(begins), "name the thing");
}
