//! Patterns of names: matching, and the alternatives that a pattern lists in braces.

use globset::{Glob, GlobSet};

use super::BodyDef;
use crate::digits::grouped;
use crate::import::limits::PATTERN_BYTES;

/// Compiles a pattern of names. The pattern must match a whole name.
///
/// # Errors
/// Returns an error if the pattern is invalid or too long.
pub(super) fn matcher(pattern: &str) -> Result<GlobSet, String> {
    if pattern.len() > PATTERN_BYTES {
        let (length, most) = (grouped(pattern.len() as u64), grouped(PATTERN_BYTES as u64));
        return Err(format!("a pattern has {length} bytes, the limit is {most}"));
    }
    // Compiled as a set of one pattern, because a single glob panics if it is nested too deep.
    let set = Glob::new(pattern).and_then(|glob| GlobSet::builder().add(glob).build());
    set.map_err(|e| format!("{pattern:?} is not a pattern: {}", e.kind()))
}

/// Pattern of part names. It matches the body of that name and all its copies: `gear` also matches
/// `gear.2`. A pattern with a slash also matches a body by its path.
pub struct PartPattern {
    set: GlobSet,
    is_path: bool,
}

impl PartPattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Returns an error if the pattern is invalid or too long.
    pub fn new(text: &str) -> Result<Self, String> {
        Ok(Self { set: matcher(text)?, is_path: text.contains('/') })
    }

    pub fn is_match(&self, body: &BodyDef) -> bool {
        let any_copy = |name: &str| {
            let base = name.rsplit_once('.').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit()));
            self.set.is_match(name) || base.is_some_and(|(base, _)| self.set.is_match(base))
        };
        any_copy(&body.name) || (self.is_path && any_copy(&body.path))
    }
}

/// One of the words that a pair of braces lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub word: String,
    /// Pattern with this word in place of the braces.
    pub pattern: String,
}

/// Returns the words of all braces, except those of nested braces. `pattern` must be valid.
pub fn alternatives(pattern: &str) -> Vec<Alternative> {
    let mut found = Vec::new();
    // `open` is the offset of the outer opening brace, `starts` the offsets of the words in it.
    let (mut depth, mut open, mut starts) = (0, 0, Vec::new());
    let (mut is_escaped, mut in_class) = (false, false);
    for (at, c) in pattern.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '{' => {
                depth += 1;
                if depth == 1 {
                    open = at;
                    starts = vec![at + 1];
                }
            }
            ',' if depth == 1 => starts.push(at + 1),
            '}' => {
                depth -= 1;
                if depth == 0 {
                    let ends = starts.iter().skip(1).map(|start| start - 1).chain([at]);
                    found.extend(starts.iter().zip(ends).map(|(&start, end)| Alternative {
                        word: pattern[start..end].to_owned(),
                        pattern: format!(
                            "{}{}{}",
                            &pattern[..open],
                            &pattern[start..end],
                            &pattern[at + 1..]
                        ),
                    }));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_braces_are_alternatives() {
        let patterns = |pattern: &str| -> Vec<(String, String)> {
            alternatives(pattern).into_iter().map(|a| (a.word, a.pattern)).collect()
        };
        let pair = |word: &str, pattern: &str| (word.to_owned(), pattern.to_owned());
        assert_eq!(patterns("{lid,x-carriage}"), [pair("lid", "lid"), pair("x-carriage", "x-carriage")]);
        assert_eq!(
            patterns("a{b,c}*[{,}]\\{d,e\\}"),
            [pair("b", "ab*[{,}]\\{d,e\\}"), pair("c", "ac*[{,}]\\{d,e\\}"),]
        );
        assert_eq!(patterns("{a,{b,c}d}"), [pair("a", "a"), pair("{b,c}d", "{b,c}d")]);
        assert_eq!(patterns("{ä,}ß{1}"), [pair("ä", "äß{1}"), pair("", "ß{1}"), pair("1", "{ä,}ß1")]);
        assert!(alternatives("plain").is_empty());
    }
}
