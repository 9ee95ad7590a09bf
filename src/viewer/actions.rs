//! The actions of a user, and the keys that trigger them. The program reads this table, `F1` shows it,
//! and `docs/guide.md` lists it.

use egui::{Key, Modifiers};
use glam::DVec3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    PlayOrPause,
    StepForward,
    StepBack,
    LeapForward,
    LeapBack,
    Restart,
    Reload,
    Slower,
    Faster,
    Frame,
    Cancel,
    NextFinding,
    PreviousFinding,
    ToggleRuler,
    ToggleSection,
    SectionFace,
    FlipSection,
    Hide,
    Isolate,
    ShowAll,
    ToggleContacts,
    ToggleBoxes,
    ToggleWireframe,
    ToggleLook,
    ToggleComponents,
    ToggleSimplified,
    CoarserParts,
    FinerParts,
    ToggleGround,
    ToggleBudget,
    TogglePanels,
    ToggleHelp,
    OpenPicker,
    Screenshot,
    Quit,
}

/// Keys of one action.
pub struct Binding {
    pub action: Action,
    pub keys: &'static [(Modifiers, Key)],
    /// Description of the action, for help and tooltips.
    pub text: &'static str,
}

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;

const fn bind(action: Action, keys: &'static [(Modifiers, Key)], text: &'static str) -> Binding {
    Binding { action, keys, text }
}

/// Key bindings in the order of their listing.
pub const BINDINGS: [Binding; 35] = [
    bind(Action::PlayOrPause, &[(NONE, Key::Space), (NONE, Key::P)], "play or pause"),
    bind(Action::StepForward, &[(NONE, Key::Period), (NONE, Key::ArrowRight)], "one step forward"),
    bind(Action::StepBack, &[(NONE, Key::Comma), (NONE, Key::ArrowLeft)], "one step back"),
    bind(Action::LeapForward, &[(SHIFT, Key::Period), (SHIFT, Key::ArrowRight)], "ten steps forward"),
    bind(Action::LeapBack, &[(SHIFT, Key::Comma), (SHIFT, Key::ArrowLeft)], "ten steps back"),
    bind(Action::Restart, &[(NONE, Key::R), (NONE, Key::Backspace)], "back to the start"),
    bind(Action::Reload, &[(COMMAND, Key::L), (NONE, Key::F5)], "load the file again"),
    bind(Action::Slower, &[(NONE, Key::Minus)], "slower"),
    bind(Action::Faster, &[(NONE, Key::Plus), (NONE, Key::Equals)], "faster"),
    bind(Action::Frame, &[(NONE, Key::F)], "frame the selection, or everything"),
    bind(
        Action::Cancel,
        &[(NONE, Key::Escape)],
        "close what is open, or go back to what was shown, or select nothing",
    ),
    bind(Action::NextFinding, &[(NONE, Key::N)], "go to the next finding"),
    bind(Action::PreviousFinding, &[(SHIFT, Key::N)], "go to the finding before"),
    bind(Action::ToggleRuler, &[(NONE, Key::X)], "measure between two points"),
    bind(Action::ToggleSection, &[(NONE, Key::O)], "cut the view open along a plane"),
    bind(Action::SectionFace, &[(SHIFT, Key::O)], "cut along the face under the pointer"),
    bind(Action::FlipSection, &[(NONE, Key::U)], "show the other half of the cut"),
    bind(Action::Hide, &[(NONE, Key::H)], "hide the selection"),
    bind(Action::Isolate, &[(NONE, Key::I)], "hide everything else"),
    bind(Action::ShowAll, &[(SHIFT, Key::H)], "show everything again"),
    bind(Action::ToggleContacts, &[(NONE, Key::C)], "contacts and their forces"),
    bind(Action::ToggleBoxes, &[(NONE, Key::B)], "boxes of one level of the hierarchies"),
    bind(Action::ToggleWireframe, &[(NONE, Key::M)], "wires instead of surfaces"),
    bind(Action::ToggleLook, &[(NONE, Key::V)], "show drawn or colliding surfaces"),
    bind(Action::ToggleComponents, &[(NONE, Key::K)], "components of colliding surfaces, in colors"),
    bind(Action::ToggleSimplified, &[(NONE, Key::L)], "simplified colliding surfaces"),
    bind(Action::CoarserParts, &[(NONE, Key::OpenBracket)], "a coarser level of these"),
    bind(Action::FinerParts, &[(NONE, Key::CloseBracket)], "a finer level of these"),
    bind(Action::ToggleGround, &[(NONE, Key::G)], "ground lines"),
    bind(Action::ToggleBudget, &[(NONE, Key::T)], "contacts within a budget, or exactly, from the start"),
    bind(Action::TogglePanels, &[(NONE, Key::Backslash)], "hide or show the panels"),
    bind(Action::ToggleHelp, &[(NONE, Key::F1), (NONE, Key::Questionmark)], "this help"),
    bind(Action::OpenPicker, &[(COMMAND, Key::O)], "open a scene, a model or a recording"),
    bind(Action::Screenshot, &[(COMMAND, Key::P)], "save a picture of the view"),
    bind(Action::Quit, &[(COMMAND, Key::Q)], "quit"),
];

/// Keys that fly the camera while the user drags in the view, each with its direction: x right, y up, z
/// forward.
pub const FLY_KEYS: [(Key, DVec3); 6] = [
    (Key::W, DVec3::Z),
    (Key::S, DVec3::NEG_Z),
    (Key::D, DVec3::X),
    (Key::A, DVec3::NEG_X),
    (Key::E, DVec3::Y),
    (Key::Q, DVec3::NEG_Y),
];

/// Effects of the mouse in the view.
pub const MOUSE: [(&str, &str); 9] = [
    ("Left drag", "orbit"),
    ("Right drag", "pan"),
    ("Shift + right drag", "pan along the ground"),
    ("Wheel, middle drag, pinch", "zoom"),
    ("W A S D Q E while dragging", "fly"),
    ("Click", "select a part"),
    ("Shift + click", "select a part too, to measure or to hide both"),
    ("Double click", "frame a part"),
    ("Drop a file", "open it"),
];

impl Binding {
    pub fn of(action: Action) -> Option<&'static Self> {
        BINDINGS.iter().find(|b| b.action == action)
    }

    /// Formats the keys, for example `Space or P`.
    pub fn key_text(&self) -> String {
        self.keys.iter().map(|&(modifiers, key)| chord(modifiers, key)).collect::<Vec<_>>().join(" or ")
    }
}

/// Formats one key with its modifiers.
fn chord(modifiers: Modifiers, key: Key) -> String {
    let name = match key {
        Key::Period => ".",
        Key::Comma => ",",
        Key::Minus => "-",
        Key::Plus => "+",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Equals => "=",
        Key::Backslash => "\\",
        Key::Questionmark => "?",
        Key::ArrowLeft => "Left",
        Key::ArrowRight => "Right",
        _ => key.name(),
    };
    let control = if modifiers.command { "Ctrl+" } else { "" };
    let shift = if modifiers.shift { "Shift+" } else { "" };
    format!("{control}{shift}{name}")
}

/// Takes the key presses since the last picture and returns their actions. With `letters_taken`,
/// letters stay where they are. It is set in three cases: while the user edits a text, while a control
/// has the keyboard focus (Tab moves it, Escape removes it), and while the camera flies.
pub fn pressed(ctx: &egui::Context, letters_taken: bool) -> Vec<Action> {
    ctx.input_mut(|input| {
        let mut actions = Vec::new();
        for binding in &BINDINGS {
            for &(modifiers, key) in binding.keys {
                let is_letter = !modifiers.command && !matches!(key, Key::Escape | Key::F1 | Key::F5);
                if !(letters_taken && is_letter) && consume(input, modifiers, key) {
                    actions.push(binding.action);
                }
            }
        }
        actions
    })
}

/// Takes a key press with exactly these modifiers. The keys `+` and `?` need Shift only on some
/// keyboards, so Shift is ignored for them.
fn consume(input: &mut egui::InputState, modifiers: Modifiers, key: Key) -> bool {
    let any_shift = matches!(key, Key::Plus | Key::Questionmark);
    let mut found = false;
    input.events.retain(|event| {
        let egui::Event::Key { key: pressed, pressed: true, modifiers: held, .. } = event else {
            return true;
        };
        let held = if any_shift { Modifiers { shift: false, ..*held } } else { *held };
        let hit = *pressed == key && held.matches_exact(modifiers);
        found |= hit;
        !hit
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_actions_share_a_key() {
        let mut all: Vec<String> =
            BINDINGS.iter().flat_map(|b| b.keys.iter().map(|&(m, k)| chord(m, k))).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn letters_that_fly_do_nothing_else() {
        for (key, _) in FLY_KEYS {
            let other = BINDINGS.iter().find(|b| b.keys.contains(&(NONE, key)));
            assert!(other.is_none(), "{key:?} also does: {}", other.map_or("", |b| b.text));
        }
    }

    #[test]
    fn the_guide_lists_every_key_and_readme_no_other() {
        let keys = BINDINGS.iter().map(|b| format!("| {} | {} |", b.key_text(), b.text));
        let rows: Vec<String> =
            keys.chain(MOUSE.map(|(what, does)| format!("| {what} | {does} |"))).collect();
        let guide = include_str!("../../docs/guide.md");
        for row in &rows {
            assert!(guide.contains(row), "docs/guide.md lacks the row {row}");
        }
        let readme = include_str!("../../README.md");
        let table = readme.split_once("\n| mouse and keys | |\n| --- | --- |\n").unwrap().1;
        for listed in table.lines().take_while(|l| l.starts_with('|')) {
            assert!(rows.iter().any(|r| r == listed), "no key does what README.md says: {listed}");
        }
    }
}
