//! Names of parts that fit in one line of text.
//!
//! Readers drop white space around a name, and they join two lines if the first ends in a backslash. So
//! names with either are changed. Two parts never get the same name, because a reader would merge the
//! parts.

use crate::scene::Unique;

/// The name of each part as it is written.
pub(super) struct LineNames {
    pub all: Vec<String>,
    /// Number of names that differ from the names in the scene.
    pub changed_count: usize,
    /// Description of the first change, as a sentence.
    pub first_change: String,
}

impl LineNames {
    /// Assigns a name to each part.
    pub fn of<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut given = Unique::default();
        // Names that need no change are assigned first, so that no other part takes them.
        for name in names.clone().filter(|name| is_kept(name)) {
            given.take(name);
        }
        let (mut changed_count, mut first_change) = (0, String::new());
        let mut write = |name: &str| {
            if is_kept(name) {
                return name.to_owned();
            }
            let written = given.take(&kept(name));
            if changed_count == 0 {
                first_change = format!("{name:?} is written as {written:?}");
            }
            changed_count += 1;
            written
        };
        let all = names.map(&mut write).collect();
        Self { all, changed_count, first_change }
    }
}

fn is_kept(name: &str) -> bool {
    kept(name) == name
}

/// Returns the name, changed as little as needed to fit in one line.
fn kept(name: &str) -> String {
    let inner = name.trim_ascii();
    let stem = inner.trim_end_matches('\\');
    let backslashes = inner.len() - stem.len();
    let kept = format!("{stem}{}", "_".repeat(backslashes));
    if kept.is_empty() { "part".to_owned() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_line_cannot_keep_get_others_that_are_free() {
        let names = ["a", "a ", " a", "a\\", "a_", "", "a b", "a\u{a0}", "\\"];
        let written = LineNames::of(names.into_iter());
        assert_eq!(written.all, ["a", "a.2", "a.3", "a_.2", "a_", "part", "a b", "a\u{a0}", "_"]);
        assert_eq!(written.changed_count, 5);
        assert_eq!(written.first_change, "\"a \" is written as \"a.2\"");
    }
}
