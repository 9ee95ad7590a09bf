//! Paths of the bodies that a document names.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::Value;

use crate::scene::Scene;

/// Returns, by name, the path of each body that the document names anywhere and whose path differs from
/// its name.
pub fn named_paths(document: &impl Serialize, scene: &Scene) -> BTreeMap<String, String> {
    let placed = scene.bodies.iter().filter(|b| !b.path.is_empty() && b.path != b.name);
    let paths: HashMap<&str, &str> = placed.map(|b| (&b.name[..], &b.path[..])).collect();
    let mut found = BTreeMap::new();
    // A document that cannot be converted to JSON gives an empty map.
    let mut open = vec![serde_json::to_value(document).unwrap_or_default()];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values),
            Value::Object(values) => open.extend(values.into_iter().map(|(_, value)| value)),
            Value::String(name) => {
                if let Some(&path) = paths.get(&name[..]) {
                    found.insert(name, path.to_owned());
                }
            }
            _ => {}
        }
    }
    found
}
