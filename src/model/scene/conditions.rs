//! Conditions between the keys of a scene file, as its JSON Schema states them. Each function adds those
//! of one table to the table's schema; the reader checks the same.

use schemars::{Schema, SchemaGenerator, json_schema};

/// Length with its unit, as [`Length`](super::Length) reads it: 0 needs no unit.
pub(super) const LENGTH: &str = "^\\s*\\+?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\s*(mm|cm|um|µm|μm|in|m)\
     |0+\\.?0*|\\.0+)\\s*$";

/// Adds keywords to a schema. A keyword must not be there yet.
fn add(schema: &mut Schema, keywords: Schema) {
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        let old = schema.insert(keyword.clone(), value.clone());
        debug_assert!(old.is_none(), "{keyword} is there twice");
    }
}

/// Allows `null` too, which stands for an infinite number: editors check TOML as JSON, which has none. It
/// comes first; a `null` at the end marks an optional key.
pub(super) fn or_infinite(schema: &mut Schema) {
    schema.insert("type".to_owned(), ["null", "number"].as_slice().into());
}

/// Returns the schema of the key `recenter`.
pub(super) fn recenter(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "oneOf": [
        { "const": false, "description": "The origin of the model. Its parts stand to each other as in their file." },
        { "const": true, "description": "The origin of each node, instead of its position in the file." },
        {
            "const": "bounds",
            "description": "The middle of each part's bounds in world axes, after all rotations, for every format.",
        },
    ] })
}

/// Requires a model or a ground: a scene needs a body.
pub(super) fn scene(schema: &mut Schema) {
    let filled = json_schema!({ "anyOf": [
        { "required": ["model"], "properties": { "model": { "minItems": 1 } } },
        { "required": ["ground"] },
    ] });
    add(schema, filled);
}

/// Allows a strength for a powered figure only, and a search for self-intersections for a kinematic one.
pub(super) fn model(schema: &mut Schema) {
    let figures = json_schema!({ "allOf": [
        {
            "if": { "required": ["strength"] },
            "then": { "required": ["figure"], "properties": { "figure": { "const": "powered" } } },
        },
        {
            "if": { "required": ["self_collision"], "properties": { "self_collision": { "const": true } } },
            "then": { "properties": { "figure": { "const": "kinematic" } } },
        },
    ] });
    add(schema, figures);
}

/// Allows those keys of an animation that its file can use: a table of joints has no skeleton, map, clip
/// or stride, only an .amc takes a skeleton, and without a file there is nothing to map.
pub(super) fn animation(schema: &mut Schema) {
    let keys = json_schema!({ "allOf": [
        {
            "if": { "required": ["file"], "properties": { "file": { "pattern": "\\.[cC][sS][vV]$" } } },
            "then": { "properties": {
                "skeleton": false,
                "map": { "maxProperties": 0 },
                "clip": false,
                "stride": { "items": { "const": 0 } },
            } },
        },
        {
            "if": { "required": ["skeleton"] },
            "then": { "properties": { "file": { "pattern": "\\.[aA][mM][cC]$" } } },
        },
        {
            "if": { "required": ["file"] },
            "else": { "properties": { "skeleton": false, "map": { "maxProperties": 0 } } },
        },
    ] });
    add(schema, keys);
}

/// Allows those keys of a joint that its kind has, and requires a part.
pub(super) fn joint(schema: &mut Schema) {
    let kinds = json_schema!({
        "allOf": [
            {
                "if": { "required": ["kind"], "properties": { "kind": { "enum": ["fixed", "ball"] } } },
                "then": { "properties": { "min": false, "max": false } },
            },
            {
                "if": { "required": ["kind"], "properties": { "kind": { "const": "ball" } } },
                "then": { "properties": { "drive": {
                    "properties": { "target": { "type": "array" }, "velocity": { "const": 0 } },
                } } },
                "else": { "properties": {
                    "cone": false,
                    "twist": false,
                    "drive": { "properties": { "target": { "type": "number" } } },
                } },
            },
            {
                "if": { "required": ["kind"], "properties": { "kind": { "const": "fixed" } } },
                "then": { "properties": { "drive": false } },
            },
        ],
        "not": { "required": ["a", "b"], "properties": { "a": { "const": "world" }, "b": { "const": "world" } } },
    });
    add(schema, kinds);
}

/// Requires a clearance of a fit, and allows it for no other rule.
pub(super) fn pair(schema: &mut Schema) {
    let fit = json_schema!({
        "if": { "required": ["rule"], "properties": { "rule": { "const": "fit" } } },
        "then": { "required": ["clearance"] },
        "else": { "properties": { "clearance": false } },
    });
    add(schema, fit);
}

/// Requires a drive to have a stiffness or a damping above 0.
pub(super) fn drive(schema: &mut Schema) {
    let spring = json_schema!({ "anyOf": [
        { "required": ["stiffness"], "properties": { "stiffness": { "exclusiveMinimum": 0 } } },
        { "required": ["damping"], "properties": { "damping": { "exclusiveMinimum": 0 } } },
    ] });
    add(schema, spring);
}

/// Requires a rule for drives to say something; a frequency stands for stiffness and damping.
pub(super) fn drive_rule(schema: &mut Schema) {
    let keys = json_schema!({
        "anyOf": [
            { "required": ["stiffness"] },
            { "required": ["damping"] },
            { "required": ["frequency"] },
            { "required": ["max"] },
        ],
        "dependencies": { "frequency": { "properties": { "stiffness": false, "damping": false } } },
    });
    add(schema, keys);
}

/// Requires a rule for checks to say something; one that leaves a pair out says nothing else.
pub(super) fn check(schema: &mut Schema) {
    let keys = json_schema!({
        "anyOf": [
            { "required": ["min"] },
            { "required": ["overlap"] },
            { "required": ["ignore"], "properties": { "ignore": { "const": true } } },
            { "required": ["touching"], "properties": { "touching": { "const": true } } },
        ],
        "if": { "required": ["ignore"], "properties": { "ignore": { "const": true } } },
        "then": { "properties": { "min": false, "overlap": false, "touching": { "const": false } } },
    });
    add(schema, keys);
}

/// Requires exactly one subject of an expectation, the keys that it needs, and no key of another.
pub(super) fn expect(schema: &mut Schema) {
    let keys = json_schema!({
        "oneOf": [
            { "required": ["never"] },
            { "required": ["touches"] },
            { "required": ["pair"] },
            { "required": ["part"] },
            { "required": ["joint"] },
            { "required": ["lost"] },
        ],
        "dependencies": {
            "before": ["touches"],
            "pair": ["max_force"],
            "part": ["ends_at", "within"],
            "ends_at": ["part"],
            "within": ["part"],
            "joint": { "anyOf": [
                { "required": ["max_force"] },
                { "required": ["max_torque"] },
                { "required": ["max_deviation"] },
                { "required": ["max_stalled"] },
            ] },
            "max_force": { "anyOf": [{ "required": ["pair"] }, { "required": ["joint"] }] },
            "max_torque": ["joint"],
            "max_deviation": ["joint"],
            "max_stalled": ["joint"],
        },
    });
    add(schema, keys);
}
