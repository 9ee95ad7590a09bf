//! Values that replace keys of a scene file before it is read. A run can so vary one key of a scene
//! without a copy of its file.
//!
//! The key is a path: `config.dt`, `part.crate.friction`, `model.0.position.y`, `joint.2.drive.max`. An
//! entry of a list is named by its place, counted from 0; a part, a joint and a drive also by its name.
//! Names may contain dots; quotes keep a dot from dividing the path. Values replace those of the parsed
//! file and keep their place in the text, so an error still names the right line.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::hints::instead;

/// Keys of three numbers that are 0 if they are not in the file. One of these numbers can be set alone.
const ZERO_VECTORS: [&str; 5] = ["position", "rotation", "stride", "velocity", "angular_velocity"];
/// Tables with a default for each of their keys. Only these are added if they are not in the file:
/// another table, such as `[ground]`, would add something to the scene.
const ADDED_TABLES: [&str; 2] = ["config", "budget"];
/// Keys that name the entries of a list.
const NAMES: [&str; 2] = ["name", "joint"];

/// Key of a scene file and its value, as in `part.crate.friction=0.3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    key: String,
    path: Vec<String>,
    value: String,
}

impl Setting {
    /// Creates a setting. `value` is TOML; any other text is read as a string.
    ///
    /// # Errors
    /// Returns an error if the key is not a path of names, divided by dots.
    pub fn new(key: &str, value: &str) -> Result<Self, String> {
        Ok(Self { key: key.to_owned(), path: path_of(key)?, value: value.to_owned() })
    }

    /// Parses `KEY=VALUE`.
    ///
    /// # Errors
    /// Returns an error if there is no equals sign after a valid key.
    pub fn parse(text: &str) -> Result<Self, String> {
        let at = unquoted(text, '=').next().ok_or("must be KEY=VALUE, as in part.crate.friction=0.3")?;
        Self::new(text[..at].trim(), text[at + 1..].trim())
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// Sets the key in a parsed scene file.
    ///
    /// # Errors
    /// Returns an error if the file has no place for the key. Whether the place has such a key, and
    /// takes such a value, is left to the reader of the scene file.
    pub(super) fn apply<'t>(&'t self, file: &mut Spanned<DeTable<'t>>) -> Result<(), String> {
        let span = file.span();
        set_in_table(file.get_mut(), &span, &self.path, self.toml())
    }

    /// Returns the place of the key in a file: keys of tables, and places in lists. Two keys of one place
    /// may be written in different ways.
    pub(super) fn place(&self, file: &DeTable) -> Vec<String> {
        let mut words = Vec::new();
        let (mut table, mut value): (_, Option<&DeValue>) = (Some(file), None);
        let mut path = &self.path[..];
        while let [word, ..] = path {
            let list = value.and_then(DeValue::as_array);
            let found = list.and_then(|list| entry(list, word, path).ok().map(|found| (list, found)));
            let used = if let Some((list, (place, used))) = found {
                words.push(place.to_string());
                value = list.get(place).map(Spanned::get_ref);
                used
            } else {
                words.push(word.clone());
                value = table.and_then(|table| table.get(word.as_str())).map(Spanned::get_ref);
                1
            };
            table = value.and_then(DeValue::as_table);
            path = &path[used..];
        }
        words
    }

    /// Returns the value, or the text itself as a string if it is not TOML.
    fn toml(&self) -> DeValue<'_> {
        match DeValue::parse(&self.value) {
            Ok(value) => value.into_inner(),
            Err(_) => DeValue::String(Cow::Borrowed(&self.value)),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// Returns the places of a character outside of quotes.
fn unquoted(text: &str, wanted: char) -> impl Iterator<Item = usize> + '_ {
    let mut quote = None;
    text.char_indices().filter_map(move |(at, c)| {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == wanted => return Some(at),
            _ => {}
        }
        None
    })
}

/// Divides a key at its dots, and removes quotes.
fn path_of(key: &str) -> Result<Vec<String>, String> {
    let mut path = Vec::new();
    let mut start = 0;
    for end in unquoted(key, '.').chain([key.len()]) {
        let part = key[start..end].trim();
        let quoted = |quote| part.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
        path.push(quoted('"').or_else(|| quoted('\'')).unwrap_or(part).to_owned());
        start = end + 1;
    }
    if path.iter().any(String::is_empty) {
        return Err(format!(
            "{key:?} is not a key: it must be names with dots between them, as in config.dt"
        ));
    }
    Ok(path)
}

/// Sets the key at the end of a path, which begins in a table at `span` of the text.
fn set_in_table<'t>(
    table: &mut DeTable<'t>,
    span: &Range<usize>,
    path: &'t [String],
    value: DeValue<'t>,
) -> Result<(), String> {
    let [key, rest @ ..] = path else { return Ok(()) };
    if rest.is_empty() {
        let span = table.get(key.as_str()).map_or(span.clone(), Spanned::span);
        put(table, key, placed(value, &span));
        return Ok(());
    }
    if table.get(key.as_str()).is_none() {
        let is_zero_vector = ZERO_VECTORS.contains(&key.as_str()) && rest.len() == 1;
        let added = match key.as_str() {
            name if ADDED_TABLES.contains(&name) => DeValue::Table(DeTable::new()),
            _ if is_zero_vector => zeros(),
            _ => {
                let known: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
                let hint = instead(key, known.iter().copied());
                return Err(format!("the scene file has no {key:?} here{hint}"));
            }
        };
        put(table, key, placed(added, span));
    }
    match table.get_mut(key.as_str()) {
        Some(inner) => set_within(inner, key, rest, value),
        None => Ok(()),
    }
}

/// Sets the key at the end of a path, which begins in a value that is called `name`.
fn set_within<'t>(
    inner: &mut Spanned<DeValue<'t>>,
    name: &str,
    path: &'t [String],
    value: DeValue<'t>,
) -> Result<(), String> {
    let span = inner.span();
    match inner.get_mut() {
        DeValue::Table(table) => set_in_table(table, &span, path, value),
        DeValue::Array(list) => {
            let (place, used) = entry(list, name, path)?;
            let Some(inner) = list.get_mut(place) else { return Ok(()) };
            match &path[used..] {
                [] => *inner = placed(value, &inner.span()),
                rest => set_within(inner, &path[used - 1], rest, value)?,
            }
            Ok(())
        }
        other => {
            Err(format!("{name:?} is one value of type {}, which has no {:?}", other.type_str(), path[0]))
        }
    }
}

/// Returns the place of the entry that the beginning of a path names, and the number of words that name
/// it.
fn entry(list: &DeArray, name: &str, path: &[String]) -> Result<(usize, usize), String> {
    let names: Vec<&str> = list.iter().map(|one| name_of(one.get_ref()).unwrap_or_default()).collect();
    // A name may contain dots, so the longest name that fits counts.
    for used in (1..=path.len()).rev() {
        let wanted = path[..used].join(".");
        let mut found = (0..).zip(&names).filter(|(_, own)| **own == wanted).map(|(place, _)| place);
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => {
                return Err(format!(
                    "{name} {wanted:?} is there several times: name one by its place, {name}.{first} or \
                     {name}.{second}"
                ));
            }
            (Some(place), None) => return Ok((place, used)),
            _ => {}
        }
    }
    let word = path[0].as_str();
    let is_vector = list.iter().all(|one| one.get_ref().is_integer() || one.get_ref().is_float());
    let axis = ["x", "y", "z"].iter().position(|axis| *axis == word).filter(|_| is_vector);
    match axis.or_else(|| word.parse().ok()) {
        Some(place) if place < list.len() => Ok((place, 1)),
        Some(_) => Err(format!("{name} has {} entries, and none at {word}; the first is 0", list.len())),
        None => {
            let known = names.iter().copied().filter(|name| !name.is_empty());
            let hint = instead(word, known);
            Err(format!("the scene file has no [[{name}]] that is called {word:?}{hint}"))
        }
    }
}

/// Returns the name of an entry of a list, if it has one.
fn name_of<'a>(entry: &'a DeValue) -> Option<&'a str> {
    NAMES.iter().find_map(|key| entry.get(*key)?.get_ref().as_str())
}

fn put<'t>(table: &mut DeTable<'t>, key: &'t str, value: Spanned<DeValue<'t>>) {
    match table.get_mut(key) {
        Some(old) => *old = value,
        None => {
            table.insert(Spanned::new(value.span(), Cow::Borrowed(key)), value);
        }
    }
}

/// Gives a value, and all values in it, a place in the text of the scene file.
fn placed<'t>(value: DeValue<'t>, span: &Range<usize>) -> Spanned<DeValue<'t>> {
    let value = match value {
        DeValue::Array(list) => {
            let mut moved = DeArray::new();
            for one in list {
                moved.push(placed(one.into_inner(), span));
            }
            DeValue::Array(moved)
        }
        DeValue::Table(table) => {
            let mut moved = DeTable::new();
            for (key, one) in table {
                moved.insert(Spanned::new(span.clone(), key.into_inner()), placed(one.into_inner(), span));
            }
            DeValue::Table(moved)
        }
        other => other,
    };
    Spanned::new(span.clone(), value)
}

fn zeros<'t>() -> DeValue<'t> {
    DeValue::parse("[0.0, 0.0, 0.0]").map_or(DeValue::Array(DeArray::new()), Spanned::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneError;
    use crate::scene::sidecar::SceneFile;
    use crate::scene::source::Source;

    const TEXT: &str = r#"
steps = 7
[[model]]
file = "a.glb"
[[model]]
file = "b.glb"
position = [1, 2.5, 3]
[[part]]
name = "link.2"
friction = 0.1
[[part]]
name = "{a,b}"
[[joint]]
kind = "hinge"
name = "door"
a = "world"
b = "link"
anchor = [0, 0, 0]
drive = { stiffness = 3 }
"#;

    fn read(settings: &[&str]) -> Result<SceneFile, SceneError> {
        let settings: Vec<Setting> = settings.iter().map(|one| Setting::parse(one).unwrap()).collect();
        Source { name: "x.toml", text: TEXT, settings: &settings }.parse()
    }

    #[test]
    fn keys_are_found_by_table_name_place_and_axis() {
        let file = read(&[
            "steps=9",
            "config.dt = 0.01",
            "config.budget.tests=5",
            "model.1.position.y=-4",
            "model.0.position.z=8",
            "model.0.rotation=[1, 2, 3]",
            "model.0.file=c.glb",
            "part.link.2.friction=0.7",
            "part.\"{a,b}\".mass=2",
            "joint.door.drive.max=12.5",
            "joint.0.axis=[0, 1, 0]",
        ]);
        let file = file.unwrap();
        assert_eq!((file.steps, file.config.dt), (Some(9), 0.01));
        assert_eq!(file.config.budget.unwrap().tests, Some(5));
        assert_eq!((file.models[0].position, file.models[1].position), ([0.0, 0.0, 8.0], [1.0, -4.0, 3.0]));
        assert_eq!((file.models[0].rotation, &file.models[0].file.as_ref()[..]), ([1.0, 2.0, 3.0], "c.glb"));
        assert_eq!((file.parts[0].friction, file.parts[1].mass), (Some(0.7), Some(2.0)));
        let joint = &file.joints[0];
        let drive = joint.drive.as_ref().unwrap().as_ref();
        assert_eq!((drive.max, drive.stiffness, joint.axis), (12.5, 3.0, [0.0, 1.0, 0.0]));
    }

    #[test]
    fn a_setting_without_a_place_is_named_with_the_nearest_key() {
        for (setting, reason) in [
            ("part.link2.friction=1", "has no [[part]] that is called \"link2\"; did you mean \"link.2\"?"),
            ("model.2.scale=1", "model has 2 entries, and none at 2; the first is 0"),
            ("modell.0.scale=1", "has no \"modell\" here; did you mean \"model\"?"),
            ("ground.size=1", "has no \"ground\" here"),
            ("steps.x=1", "\"steps\" is one value of type integer"),
            ("part.link.2.frictoin=1", "did you mean `friction`?"),
            ("part.link.2.friction=high", "invalid type: string \"high\", expected f64"),
            ("config.dt=[1]", "invalid type: sequence"),
            ("joint.door.kind=hinged", "did you mean `hinge`?"),
        ] {
            let error = read(&["name=other", setting]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("x.toml: {setting}: ")) && error.contains(reason), "{error}");
        }
        for (other, same) in [
            ("part.0.friction=1", "part.link.2.friction=2"),
            ("model.1.position=[1, 2, 3]", "model.1.position.x=2"),
            ("joint.door.drive.max=1", "joint.0.drive={ stiffness = 1 }"),
        ] {
            let error = read(&[other, same]).unwrap_err().to_string();
            assert_eq!(error, format!("x.toml: {same}: sets the same place as {other}"));
        }
        for text in ["steps", "=1", ".a=1", "a..b=1"] {
            assert!(Setting::parse(text).is_err(), "{text}");
        }
    }
}
