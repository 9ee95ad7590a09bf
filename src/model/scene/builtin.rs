//! Scenes embedded in the program with their models. They run from any folder, and can be copied out to
//! be changed.

use std::collections::BTreeMap;

use super::source::Source;
use crate::order::Order;

/// Name of the scene that runs if the user names none.
pub const DEFAULT_SCENE: &str = "parts-tray";

/// Built-in scene, which the command line can name.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinScene {
    pub name: &'static str,
    /// Text of its scene file.
    pub(super) text: &'static str,
}

impl BuiltinScene {
    /// Returns the description, one sentence from the scene file.
    pub fn description(&self) -> String {
        // Tests load every built-in scene, so its text parses.
        Source { name: self.name, text: self.text, settings: &[] }
            .parse()
            .map(|file| file.description)
            .unwrap_or_default()
    }

    /// Returns the files of a copy of the scene as name and content: the scene file, its schema, then the
    /// models. The copied scene file names its models without folders.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut text = self.text.to_owned();
        let mut models = BTreeMap::new();
        // The text parses, as above.
        let entries = Source { name: self.name, text: self.text, settings: &[] }
            .parse()
            .map(|f| f.models)
            .unwrap_or_default();
        // In reverse order of position, so that the byte ranges of earlier names stay valid.
        let named = entries.iter().flat_map(|e| [Some(&e.file), e.joint_motion().map(|(file, _)| file)]);
        let mut named: Vec<_> = named.flatten().collect();
        named.order_by_key(|file| std::cmp::Reverse(file.span().start));
        for file in named {
            let path = file.as_ref().as_str();
            let name = path.rsplit('/').next().unwrap_or(path);
            text.replace_range(file.span(), &format!("{name:?}"));
            models.extend(self::file(path).map(|bytes| (name.to_owned(), bytes.to_vec())));
        }
        let schema = SCHEMA.as_bytes().to_vec();
        let mut files =
            vec![(format!("{}.toml", self.name), text.into_bytes()), (SCHEMA_FILE.to_owned(), schema)];
        files.extend(models);
        files
    }
}

/// Name of the JSON Schema in the first line of every scene file.
const SCHEMA_FILE: &str = "scene.schema.json";
/// JSON Schema of scene files, as `tumble schema` prints it.
const SCHEMA: &str = include_str!("../../../scenes/scene.schema.json");

const SCENES: [BuiltinScene; 6] = [
    BuiltinScene { name: "parts-tray", text: include_str!("../../../scenes/parts-tray.toml") },
    BuiltinScene { name: "walk-through", text: include_str!("../../../scenes/walk-through.toml") },
    BuiltinScene { name: "chain", text: include_str!("../../../scenes/chain.toml") },
    BuiltinScene { name: "ragdolls", text: include_str!("../../../scenes/ragdolls.toml") },
    BuiltinScene { name: "pick-and-place", text: include_str!("../../../scenes/pick-and-place.toml") },
    BuiltinScene { name: "first-scene", text: include_str!("../../../scenes/first-scene.toml") },
];

/// Built-in files, by their paths in scene files.
const FILES: [(&str, &[u8]); 6] = [
    ("../assets/parts.glb", include_bytes!("../../../assets/parts.glb")),
    ("../assets/standing.glb", include_bytes!("../../../assets/standing.glb")),
    ("../assets/chain.glb", include_bytes!("../../../assets/chain.glb")),
    ("../assets/walker.glb", include_bytes!("../../../assets/walker.glb")),
    ("../assets/arm.urdf", include_bytes!("../../../assets/arm.urdf")),
    ("../assets/arm.csv", include_bytes!("../../../assets/arm.csv")),
];

/// Returns all built-in scenes, the default first.
pub fn builtin_scenes() -> &'static [BuiltinScene] {
    &SCENES
}

/// Returns the content of a file by the path that built-in scenes use for it.
pub(super) fn file(file: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|m| m.0 == file).map(|m| m.1)
}
