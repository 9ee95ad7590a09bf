//! Elements of a document by their ids.

use std::collections::HashMap;

use roxmltree::{Document, Node};

use crate::import::fault::Checked;
use crate::import::xml;

/// Elements of a document that have an id, by the id.
pub(super) struct Elements<'a, 'input>(HashMap<&'a str, Node<'a, 'input>>);

impl<'a, 'input> Elements<'a, 'input> {
    pub fn of(document: &'a Document<'input>) -> Self {
        let named = document.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
        Self(named.collect())
    }

    /// Returns the element to which an attribute refers; `None` unless it is in this file and has the
    /// tag `name`.
    pub fn at(&self, node: Node<'a, 'input>, attribute: &str, name: &str) -> Option<Node<'a, 'input>> {
        let id = node.attribute(attribute)?.strip_prefix('#')?;
        self.0.get(id).copied().filter(|found| found.has_tag_name(name))
    }

    /// Returns the element to which an attribute refers. Fails unless it is in this file and has the
    /// tag `name`.
    pub fn needed(&self, node: Node<'a, 'input>, attribute: &str, name: &str) -> Checked<Node<'a, 'input>> {
        let id = xml::needed(node, attribute)?;
        match self.at(node, attribute, name) {
            Some(found) => Ok(found),
            None => xml::wrong(node, format!("{attribute}={id:?} leads to no <{name}> of this file")),
        }
    }
}
