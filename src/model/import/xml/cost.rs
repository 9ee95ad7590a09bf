//! Check of the time that parsing an XML text takes, which may exceed what its length suggests.
//!
//! The parser compares each attribute of an element with all attributes before it, and the namespaces
//! that an element declares with all those of its ancestors. This module counts attributes and
//! namespaces in one pass. The pass ends where the parser does: at a DTD, or at an unterminated quote
//! or comment.

use crate::import::fault::{Checked, fault};
use crate::import::limits::{XML_ATTRIBUTES, XML_NAMESPACES, at_most};
use crate::import::lines::line_place;

/// Fails at the first element with more than `XML_ATTRIBUTES` attributes, or more than `XML_NAMESPACES`
/// namespaces in force.
pub(super) fn check(text: &str) -> Checked<()> {
    let mut scan = Scan { text, at: 0 };
    let mut level = 0_usize;
    // Level of each open element that declares namespaces, and the number that it declares.
    let mut declaring: Vec<(usize, usize)> = Vec::new();
    let mut namespace_count = 0;
    while let Some(markup) = scan.next() {
        match markup {
            Markup::Start { at, attributes, namespaces, is_empty } => {
                let place = || line_place(1 + text[..at].matches('\n').count());
                at_most(XML_ATTRIBUTES, attributes, "attributes of one element")
                    .and(at_most(XML_NAMESPACES, namespace_count + namespaces, "namespaces at one place"))
                    .or_else(|reason| fault(place(), reason))?;
                if !is_empty {
                    level += 1;
                    if namespaces > 0 {
                        declaring.push((level, namespaces));
                        namespace_count += namespaces;
                    }
                }
            }
            Markup::End => {
                if let Some((_, namespaces)) = declaring.pop_if(|(declared, _)| *declared == level) {
                    namespace_count -= namespaces;
                }
                level = level.saturating_sub(1);
            }
        }
    }
    Ok(())
}

/// Tags of a text.
enum Markup {
    /// Start tag, with the number of its attributes and the number of those that declare a namespace.
    Start {
        at: usize,
        attributes: usize,
        namespaces: usize,
        is_empty: bool,
    },
    End,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    /// Returns the next tag. Skips comments, processing instructions and `CDATA`.
    fn next(&mut self) -> Option<Markup> {
        loop {
            self.pass("<")?;
            let (start, rest) = (self.at - 1, &self.text[self.at..]);
            if rest.starts_with("!--") {
                self.at += "!--".len();
                self.pass("-->")?;
            } else if rest.starts_with("![CDATA[") {
                self.pass("]]>")?;
            } else if rest.starts_with('?') {
                self.pass("?>")?;
            } else if rest.starts_with('!') {
                return None;
            } else if rest.starts_with('/') {
                self.pass(">")?;
                return Some(Markup::End);
            } else {
                return self.tag(start);
            }
        }
    }

    /// Moves behind the next occurrence of `wanted`; `None` if there is none.
    fn pass(&mut self, wanted: &str) -> Option<()> {
        self.at += self.text[self.at..].find(wanted)? + wanted.len();
        Some(())
    }

    /// Reads the rest of a start tag. Quoted values may contain `>`.
    fn tag(&mut self, start: usize) -> Option<Markup> {
        let (mut attributes, mut namespaces) = (0, 0);
        loop {
            let before = &self.text[self.at..];
            let length = before.find(['"', '\'', '>'])?;
            let (before, found) = (&before[..length], before.as_bytes()[length]);
            self.at += length + 1;
            if found == b'>' {
                let is_empty = before.ends_with('/');
                return Some(Markup::Start { at: start, attributes, namespaces, is_empty });
            }
            let name = before.trim_end().trim_end_matches('=').trim_end();
            let name = name.rsplit(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
            attributes += 1;
            namespaces += usize::from(name == "xmlns" || name.starts_with("xmlns:"));
            self.pass(if found == b'"' { "\"" } else { "'" })?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<(String, String)> {
        check(text).err().map(|f| (f.place, f.reason))
    }

    #[test]
    fn attributes_of_one_element_and_namespaces_around_it_are_counted() {
        let attributes =
            |count: usize| (0..count).map(|k| format!(" a{k} = '>{k}'")).collect::<Vec<_>>().concat();
        let element = |count| format!("<a>\n<b{}/>\n</a>", attributes(count));
        assert_eq!(said(&element(XML_ATTRIBUTES)), None);
        let (place, reason) = said(&element(XML_ATTRIBUTES + 1)).unwrap();
        assert!(place == "line 2" && reason.contains("65 attributes of one element"), "{place}: {reason}");
        // The namespaces of a closed element do not count for its siblings.
        let beside = "<b xmlns:x='u' />\n<c xmlns=\"u\"><d/></c>".repeat(XML_NAMESPACES);
        assert_eq!(said(&format!("<a>{beside}</a>")), None);
        let nested = |count: usize| (0..count).map(|k| format!("<a xmlns:n{k}=\"u\">\n")).collect::<String>();
        assert_eq!(said(&nested(XML_NAMESPACES)), None);
        let (place, reason) = said(&nested(XML_NAMESPACES + 1)).unwrap();
        assert!(place == "line 33" && reason.contains("33 namespaces at one place"), "{place}: {reason}");
    }

    #[test]
    fn tags_in_remarks_quotes_and_data_are_none() {
        let many = format!("<a{}>", " x='1'".repeat(XML_ATTRIBUTES + 1));
        for hidden in [
            format!("<a><!-- {many} --></a>"),
            format!("<a><![CDATA[ {many} ]]></a>"),
            format!("<?pi {many} ?><a/>"),
            format!("<a b=\"{many}\"/>"),
            format!("<!DOCTYPE a [ {many} ]>"),
        ] {
            assert_eq!(said(&hidden), None, "{hidden}");
        }
        for seen in [format!("<!----> {many}"), format!("<a b='>' c=\"'/>\"/>{many}"), format!("<?p?>{many}")]
        {
            assert!(said(&seen).is_some(), "{seen}");
        }
    }
}
