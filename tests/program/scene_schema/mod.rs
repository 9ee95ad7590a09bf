//! The JSON Schema of scene files and their reader come to the same verdict on the shipped scenes and on
//! hundreds of small files. Each file is a right one with one change. It is wrong for a reason that the
//! file alone shows.

mod keys;
mod mixes;
mod tables;

use std::fs;
use std::path::Path;
use std::process::Command;

use jsonschema::Validator;
use serde_json::Value;
use tempfile::TempDir;
use tumble::check::Rules;
use tumble::scene::load_scene;

use keys::KEYS;
use mixes::MIXES;
use tables::{TABLES, Table};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the text that `tumble schema` prints.
fn printed() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tumble")).arg("schema").output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn schema() -> Value {
    serde_json::from_str(&printed()).unwrap()
}

/// Scene file and the verdict on it.
struct File {
    /// The table and the change.
    name: String,
    text: String,
    is_right: bool,
}

/// Returns all small files.
fn files() -> Vec<File> {
    let table = |name: &str| TABLES.iter().find(|table| table.name == name).unwrap();
    let file = |table: &Table, change: &str, is_right: bool| File {
        name: format!("{}, {change}", table.name),
        text: table.with(change),
        is_right,
    };
    let mut files = Vec::new();
    for table in &TABLES {
        files.push(file(table, "", true));
        files.extend(table.required.iter().map(|key| file(table, &format!("{key} ="), false)));
    }
    for key in &KEYS {
        let table = table(key.table);
        let line = |value: &&str| format!("{} = {value}", key.name);
        files.extend(key.right.iter().map(|value| file(table, &line(value), true)));
        files.extend(key.wrong.iter().map(|value| file(table, &line(value), false)));
        let misspelt = format!("{}x = {}", key.name, key.right.first().unwrap_or(&"1"));
        files.push(file(table, &misspelt, false));
    }
    files.extend(MIXES.iter().map(|mix| file(table(mix.table), mix.lines, mix.is_right)));
    for (count, is_right) in [(1024, true), (1025, false)] {
        let text = format!("[ground]\n{}", "[[expect]]\nlost = 0\n".repeat(count));
        files.push(File { name: format!("{count} expectations"), text, is_right });
    }
    for scene in fs::read_dir(root().join("scenes")).unwrap().map(|entry| entry.unwrap().path()) {
        if scene.extension().is_some_and(|e| e == "toml") {
            let text = fs::read_to_string(&scene).unwrap();
            files.push(File { name: scene.display().to_string(), text, is_right: true });
        }
    }
    files
}

/// Reads a file as `tumble run` and `tumble check` do. Returns the reason if they refuse it.
fn read(folder: &TempDir, text: &str) -> Result<(), String> {
    let path = folder.path().join("scenes/test.toml");
    fs::write(&path, text).unwrap();
    let scene = load_scene(path.to_str().unwrap(), None).map_err(|error| error.to_string())?;
    Rules::new(&scene.checks, &scene).map(|_| ())
}

/// Converts a TOML value as editors do. JSON has no infinite numbers, so they become `null`.
fn json(value: &toml::Value) -> Value {
    match value {
        toml::Value::Array(list) => list.iter().map(json).collect(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), json(value))).collect(),
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => (*number).into(),
        toml::Value::Boolean(value) => (*value).into(),
        toml::Value::Datetime(time) => time.to_string().into(),
    }
}

/// Judges a file by the schema. Returns the reasons if it is wrong.
fn judge(validator: &Validator, text: &str) -> Result<(), String> {
    let value: toml::Value = toml::from_str(text).unwrap_or_else(|e| panic!("no TOML: {e}\n{text}"));
    let value = json(&value);
    let reasons: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    if reasons.is_empty() { Ok(()) } else { Err(reasons.join("; ")) }
}

#[test]
fn schema_and_reader_come_to_the_same_verdict() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["assets", "scenes"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    for asset in fs::read_dir(root().join("assets")).unwrap().map(Result::unwrap) {
        fs::copy(asset.path(), folder.path().join("assets").join(asset.file_name())).unwrap();
    }
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let files = files();
    let mut differ = Vec::new();
    for File { name, text, is_right } in &files {
        let (read, judged) = (read(&folder, text), judge(&validator, text));
        if read.is_ok() != *is_right || judged.is_ok() != *is_right {
            let wanted = if *is_right { "right" } else { "wrong" };
            differ.push(format!("{name}\n  should be {wanted}\n  reader: {read:?}\n  schema: {judged:?}"));
        }
    }
    let wrong = files.iter().filter(|file| !file.is_right).count();
    println!("{} files, {wrong} of them wrong", files.len());
    assert!(differ.is_empty(), "{} of {} files:\n{}", differ.len(), files.len(), differ.join("\n"));
    assert!(wrong >= 200 && files.len() - wrong >= 150, "{} files, {wrong} of them wrong", files.len());
}

#[test]
fn every_key_of_the_schema_is_tried() {
    let schema = schema();
    let mut count = 0;
    for table in &TABLES {
        let here = schema.pointer(table.pointer).unwrap_or_else(|| panic!("no table {}", table.pointer));
        let properties = here["properties"].as_object().unwrap();
        let tried = |name: &str| {
            let at = |table: &str| TABLES.iter().find(|other| other.name == table).unwrap().pointer;
            KEYS.iter().any(|key| key.name == name && at(key.table) == table.pointer)
        };
        for (name, property) in properties {
            assert!(tried(name), "{}: {name} is not tried", table.name);
            assert!(property["description"].is_string(), "{}: {name} has no description", table.name);
            count += 1;
        }
    }
    assert!(count > 100, "{count} keys were found");
    // Every table of the schema is in the list.
    let text = schema.to_string();
    let pointers: std::collections::BTreeSet<&str> = TABLES.iter().map(|table| table.pointer).collect();
    assert_eq!(text.matches("\"additionalProperties\":false").count(), pointers.len());
}

#[test]
fn the_schema_beside_the_shipped_scenes_is_the_one_that_is_printed() {
    let path = root().join("scenes/scene.schema.json");
    let there = fs::read_to_string(&path).unwrap();
    assert!(there == printed(), "run `tumble schema > scenes/scene.schema.json`");
}

#[test]
fn shipped_scenes_and_their_copies_name_the_schema() {
    for scene in tumble::scene::builtin_scenes() {
        let own = fs::read_to_string(root().join(format!("scenes/{}.toml", scene.name))).unwrap();
        let files = scene.files();
        let copy = String::from_utf8(files[0].1.clone()).unwrap();
        for text in [own, copy] {
            assert_eq!(text.lines().next(), Some("#:schema scene.schema.json"), "{}", scene.name);
        }
        let schema = files.iter().find(|file| file.0 == "scene.schema.json").unwrap();
        assert!(schema.1 == printed().into_bytes(), "{}: another schema", scene.name);
    }
}
