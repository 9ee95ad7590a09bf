//! Text of files, made safe to display: no character of it moves the cursor, changes a color or
//! reverses the direction of writing. So no name can imitate a message of the program.

use std::borrow::Cow;
use std::fmt::Write;

use super::limits::NAME_BYTES;

/// Replaces every control character of a text by an escape such as `\u{1b}`; control characters begin a
/// terminal's commands.
pub fn legible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            // Writing to a string cannot fail.
            c if is_control(c) => drop(write!(shown, "\\u{{{:x}}}", u32::from(c))),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Returns a name in the form that a scene uses: legible, and cut if too long. Also returns a
/// description of the change, if there is one.
pub(crate) fn name(text: &str) -> (String, Option<String>) {
    let shown = legible(text);
    let changed = matches!(shown, Cow::Owned(_)).then(|| "a name has control characters, written out".into());
    if shown.len() <= NAME_BYTES {
        return (shown.into_owned(), changed);
    }
    let end = (0..=NAME_BYTES).rev().find(|&at| shown.is_char_boundary(at)).unwrap_or(0);
    let cut = format!("a name has {} bytes, and {NAME_BYTES} of them are kept", text.len());
    (format!("{}…", &shown[..end]), Some(cut))
}

/// Largest number of names that a list shows.
pub(crate) const NAMED: usize = 5;

/// Joins the first names, and adds the number of further names.
pub(crate) fn list(names: &[String], separator: &str) -> String {
    let mut text = names[..names.len().min(NAMED)].join(separator);
    if names.len() > NAMED {
        text += &format!(" and {} more", names.len() - NAMED);
    }
    text
}

/// Returns whether a terminal may interpret a character: C0, delete and C1 controls, line and paragraph
/// separators, and characters that change the direction of writing.
fn is_control(c: char) -> bool {
    let bidirectional = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}'];
    c.is_control()
        || bidirectional.contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(legible("a\u{1b}[31m\u{7}\r\nb"), "a\\u{1b}[31m\\u{7}\\r\\nb");
        assert_eq!(
            legible("\u{9b}2J \u{202e}dab \u{2066} \u{7f}"),
            "\\u{9b}2J \\u{202e}dab \\u{2066} \\u{7f}"
        );
        assert!(matches!(legible("Zahnrad „groß“ 歯車 ⚙ a.2"), Cow::Borrowed(_)));
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let (kept, said) = name(&"ß".repeat(5000));
        assert!(kept.len() <= NAME_BYTES + '…'.len_utf8() && kept.ends_with("ß…"), "{kept}");
        assert_eq!(said.unwrap(), "a name has 10000 bytes, and 256 of them are kept");
        assert_eq!(name("gear"), ("gear".to_owned(), None));
    }
}
