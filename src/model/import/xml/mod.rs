//! XML for the readers of robots: elements, their lines, and checked attributes.
//!
//! - `cost.rs`: check of the parsing cost of a text.
//! - `file.rs`: the text of a file.

mod cost;
mod file;

pub(super) use file::{XmlText, read};

use roxmltree::{Document, Node, ParsingOptions};

use super::fault::{Checked, Fault, fault};
use super::limits::{COORDINATE, XML_NODES};
use super::lines::{line_place, quoted};

/// Parses a text. A text with a DTD is refused, as its entities could expand without bound.
pub(super) fn parse(text: &str) -> Checked<Document<'_>> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: XML_NODES, ..ParsingOptions::default() };
    let text = text.trim_start_matches('\u{feff}');
    cost::check(text)?;
    Document::parse_with_options(text, options).map_err(|error| {
        let place = line_place(error.pos().row as usize);
        Fault {
            place,
            reason: format!("is no XML that is read: {}", super::text::legible(&error.to_string())),
        }
    })
}

/// Returns an error at an element. The line is counted from the start of the text each time, so this is
/// only for errors that end the reading of a file.
pub(super) fn wrong<T>(node: Node, reason: impl Into<String>) -> Checked<T> {
    fault(line_place(node.document().text_pos_at(node.range().start).row as usize), reason)
}

/// Returns the child elements of an element, in order.
pub(super) fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

/// Returns the first child element with the tag `name`.
pub(super) fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    elements(node).find(|e| e.has_tag_name(name))
}

pub(super) fn needed_child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Checked<Node<'a, 'input>> {
    match child(node, name) {
        Some(found) => Ok(found),
        None => wrong(node, format!("<{}> needs a <{name}>", node.tag_name().name())),
    }
}

pub(super) fn needed<'a>(node: Node<'a, '_>, attribute: &str) -> Checked<&'a str> {
    match node.attribute(attribute) {
        Some(value) => Ok(value),
        None => wrong(node, format!("<{}> needs {attribute}", node.tag_name().name())),
    }
}

/// Splits the text of an attribute into words, at white space and commas.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// Reads exactly `N` finite numbers of an attribute. Returns `None` if the attribute is missing or
/// blank.
pub(super) fn numbers<const N: usize>(node: Node, attribute: &str) -> Checked<Option<[f64; N]>> {
    let Some(text) = node.attribute(attribute).filter(|text| words(text).next().is_some()) else {
        return Ok(None);
    };
    let mut found = [0.0; N];
    let mut words = words(text);
    for number in &mut found {
        let Some(word) = words.next() else {
            return wrong(node, format!("{attribute}={} has fewer than {N} numbers", quoted(text)));
        };
        match word.parse::<f64>() {
            Ok(value) if value.abs() <= COORDINATE => *number = value,
            Ok(_) => {
                return wrong(
                    node,
                    format!("{attribute}: {} is not finite or beyond {COORDINATE:e}", quoted(word)),
                );
            }
            Err(_) => return wrong(node, format!("{attribute}: {} is not a number", quoted(word))),
        }
    }
    match words.next() {
        Some(_) => wrong(node, format!("{attribute}={} has more than {N} numbers", quoted(text))),
        None => Ok(Some(found)),
    }
}

pub(super) fn number(node: Node, attribute: &str) -> Checked<Option<f64>> {
    Ok(numbers::<1>(node, attribute)?.map(|[value]| value))
}

pub(super) fn needed_number(node: Node, attribute: &str) -> Checked<f64> {
    match number(node, attribute)? {
        Some(value) => Ok(value),
        None => wrong(node, format!("<{}> needs a number as {attribute}", node.tag_name().name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line_of_their_element() {
        let document = parse("\u{feff}<a>\r\n <b x='1 2' y='nan'\n z='q'/></a>").unwrap();
        let b = needed_child(document.root_element(), "b").unwrap();
        assert_eq!(numbers(b, "x").unwrap(), Some([1.0, 2.0]));
        assert_eq!(number(b, "w").unwrap(), None);
        for (attribute, says) in
            [("y", "\"nan\" is not finite"), ("z", "\"q\" is not a number"), ("x", "more than 1")]
        {
            let Fault { place, reason } = number(b, attribute).unwrap_err();
            assert!(place == "line 2" && reason.contains(says), "{place}: {reason}");
        }
        assert_eq!(needed(b, "w").unwrap_err().reason, "<b> needs w");
        assert_eq!(needed_number(b, "w").unwrap_err().reason, "<b> needs a number as w");
        // Commas separate numbers too. A blank attribute counts as missing.
        let document = parse("<a x='1,2, 3' y=' '/>").unwrap();
        let a = document.root_element();
        assert_eq!((numbers(a, "x").unwrap(), number(a, "y").unwrap()), (Some([1.0, 2.0, 3.0]), None));
    }

    #[test]
    fn entities_do_not_grow_and_elements_are_counted() {
        let bomb = "<!DOCTYPE a [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\n<a>&b;</a>";
        assert!(parse(bomb).is_err_and(|f| f.place.starts_with("line ")));
        let many = format!("<a>{}</a>", "<b/>".repeat(XML_NODES as usize));
        assert!(parse(&many).is_err());
        let deep = "<a>".repeat(100_000);
        assert!(parse(&deep).is_err());
    }
}
