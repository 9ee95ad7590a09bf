//! Scenes that are part of the program, with the models they need: they run from any folder.

use super::sidecar::Source;

/// The scene of a run that names none.
pub const DEFAULT_SCENE: &str = "parts-tray";

/// A scene that can be named on the command line.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinScene {
    pub name: &'static str,
    /// The text of its scene file.
    pub(super) text: &'static str,
}

impl BuiltinScene {
    /// One sentence, from the scene file.
    pub fn description(&self) -> String {
        // Tests load every built-in scene, so its text parses.
        Source { name: self.name, text: self.text }.parse().map(|file| file.description).unwrap_or_default()
    }
}

const SCENES: [BuiltinScene; 4] = [
    BuiltinScene { name: "parts-tray", text: include_str!("../../scenes/parts-tray.toml") },
    BuiltinScene { name: "walk-through", text: include_str!("../../scenes/walk-through.toml") },
    BuiltinScene { name: "chain", text: include_str!("../../scenes/chain.toml") },
    BuiltinScene { name: "ragdolls", text: include_str!("../../scenes/ragdolls.toml") },
];

/// As scene files name them.
const MODELS: [(&str, &[u8]); 4] = [
    ("../assets/parts.glb", include_bytes!("../../assets/parts.glb")),
    ("../assets/standing.glb", include_bytes!("../../assets/standing.glb")),
    ("../assets/chain.glb", include_bytes!("../../assets/chain.glb")),
    ("../assets/walker.glb", include_bytes!("../../assets/walker.glb")),
];

/// All built-in scenes, the default first.
pub fn builtin_scenes() -> &'static [BuiltinScene] {
    &SCENES
}

/// The bytes of a model that built-in scenes name.
pub(super) fn model(file: &str) -> Option<&'static [u8]> {
    MODELS.iter().find(|m| m.0 == file).map(|m| m.1)
}
