//! Lists of numbers in the texts of elements.

use roxmltree::Node;

use crate::import::fault::Checked;
use crate::import::limits::COORDINATE;
use crate::import::lines::quoted;
use crate::import::xml;

/// Returns the white-space separated words in the text of an element.
fn words<'a>(node: Node<'a, '_>) -> impl Iterator<Item = &'a str> {
    node.children()
        .filter_map(|n| n.is_text().then(|| n.text()).flatten())
        .flat_map(str::split_ascii_whitespace)
}

/// Reads finite numbers of at most `COORDINATE` in absolute value; fails at any other word.
pub(super) fn floats(node: Node) -> Checked<Vec<f64>> {
    let number = |word: &str| match word.parse::<f64>() {
        Ok(value) if value.abs() <= COORDINATE => Ok(value),
        _ => xml::wrong(node, format!("{} is no number, or beyond {COORDINATE:e}", quoted(word))),
    };
    words(node).map(number).collect()
}

/// Reads numbers without an error; `None` if any word is not a finite number.
pub(super) fn finite(node: Node) -> Option<Vec<f64>> {
    words(node).map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect()
}

/// Reads exactly `N` numbers.
pub(super) fn array<const N: usize>(node: Node) -> Checked<[f64; N]> {
    let found = floats(node)?;
    let count = found.len();
    match found.try_into() {
        Ok(numbers) => Ok(numbers),
        Err(_) => xml::wrong(node, format!("<{}> has {count} numbers, not {N}", node.tag_name().name())),
    }
}

/// Reads integers of at least 0; fails at any other word.
pub(super) fn indices(node: Node) -> Checked<Vec<u32>> {
    let number = |word: &str| match word.parse::<u32>() {
        Ok(value) => Ok(value),
        Err(_) => xml::wrong(node, format!("{} is no index", quoted(word))),
    };
    words(node).map(number).collect()
}

/// Reads an attribute as an integer of at least 0; `None` if it is missing.
pub(super) fn whole(node: Node, attribute: &str) -> Checked<Option<usize>> {
    let number = |text: &str| match text.trim().parse::<usize>() {
        Ok(value) => Ok(value),
        Err(_) => xml::wrong(node, format!("{attribute}={} is no whole number", quoted(text))),
    };
    node.attribute(attribute).map(number).transpose()
}
