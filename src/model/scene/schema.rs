//! The JSON Schema of scene files, for editors: `tumble schema` prints it, and `scenes/scene.schema.json`
//! is a copy. It states as much as a scene file alone can tell. Types, ranges and docs come from the
//! types of the file; `conditions.rs` has the conditions between keys.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, json_schema};

use super::sidecar::SceneFile;

/// Returns the JSON Schema of scene files. It has no references, and is of draft 7, which the TOML
/// plug-ins of editors know.
pub fn scene_schema() -> Schema {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let settings = settings.with_transform(RecursiveTransform(fit_toml));
    let mut schema = settings.into_generator().into_root_schema_for::<SceneFile>();
    schema.insert("$id".to_owned(), "urn:tumble:scene-file".into());
    schema.insert("title".to_owned(), "Scene file of tumble".into());
    schema
}

/// Adapts the schema of a Rust type to TOML and to editors.
fn fit_toml(schema: &mut Schema) {
    drop_null(schema);
    drop_format(schema);
    drop_default(schema);
    list_words(schema);
    if let Some(text) = schema.get("description").and_then(|text| text.as_str()).map(unfolded) {
        schema.insert("description".to_owned(), text.into());
    }
}

/// Removes the `null` of an optional value, which schemars puts last: an optional key is absent.
fn drop_null(schema: &mut Schema) {
    let null = json_schema!({ "type": "null" });
    if let Some(mut alternatives) = schema.remove("anyOf") {
        let list = alternatives.as_array_mut();
        let only = list.and_then(|list| list.pop_if(|last| null == *last).and_then(|_| list.pop()));
        if let Some(inner) = only {
            for (keyword, value) in inner.as_object().into_iter().flatten() {
                schema.ensure_object().entry(keyword).or_insert_with(|| value.clone());
            }
        } else {
            schema.insert("anyOf".to_owned(), alternatives);
        }
    }
    if let Some(words) = schema.get_mut("enum").and_then(|words| words.as_array_mut()) {
        words.pop_if(|last| last.is_null());
    }
    let types = schema.get_mut("type").and_then(|types| types.as_array_mut());
    if let Some(types) = types
        && types.pop_if(|last| *last == "null").is_some()
        && let Some(only) = types.pop()
    {
        schema.insert("type".to_owned(), only);
    }
}

/// Removes the name of a number's type in Rust. `u32` becomes a limit; a TOML number is no larger than
/// the other types can hold.
fn drop_format(schema: &mut Schema) {
    if schema.remove("format").is_some_and(|format| format == "uint32") {
        schema.ensure_object().entry("maximum").or_insert(u32::MAX.into());
    }
}

/// Removes a default that no editor can offer: a table, an empty list, or an infinite number.
fn drop_default(schema: &mut Schema) {
    let Some(default) = schema.get("default") else { return };
    if default.is_null() || default.is_object() || default.as_array().is_some_and(Vec::is_empty) {
        schema.remove("default");
    }
}

/// Turns alternatives that are single words into a list of words, so that an error names all of them.
/// Their docs go where the plug-ins of editors look for them.
fn list_words(schema: &mut Schema) {
    let Some(alternatives) = schema.get("oneOf").and_then(|list| list.as_array()) else { return };
    let words: Option<Vec<_>> = alternatives.iter().map(|one| one.get("const").cloned()).collect();
    let Some(words) = words else { return };
    let docs = alternatives.iter().map(|one| one.get("description").and_then(|text| text.as_str()));
    let docs: Vec<String> = docs.map(|text| unfolded(text.unwrap_or_default())).collect();
    let docs = json_schema!({ "docs": { "enumValues": docs } });
    schema.remove("oneOf");
    if words.iter().all(|word| word.is_string()) {
        schema.insert("type".to_owned(), "string".into());
    }
    schema.insert("enum".to_owned(), words.into());
    schema.insert("x-taplo".to_owned(), docs.to_value());
}

/// Returns a doc comment with its lines joined, without the citation of a paper at its end.
fn unfolded(text: &str) -> String {
    text.replace('\n', " ").split(" \\[").next().unwrap_or_default().to_owned()
}
