//! README.md and the pages of docs/. Their commands, scenes, keys of scene files and links work as
//! printed, on the files of the repository.
#![cfg(feature = "viewer")]

#[cfg(unix)]
mod engines;
mod names;
mod notebook;
mod page;
mod reference;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::graphics::can_draw;
use page::Page;
use tempfile::TempDir;
use tumble::articulation::{LinkTreeKind, SkinKind};
use tumble::broad::BroadPhaseKind;
use tumble::import::NoteKind;
use tumble::report::findings::Review;
use tumble::scene::{builtin_scenes, load_scene};
use tumble::tree::{SplitRule, TreeKind};
use tumble::world::World;

const PAGES: [&str; 6] =
    ["README.md", "docs/guide.md", "docs/scenes.md", "docs/results.md", "docs/scale.md", "docs/python.md"];
/// Cargo commands, which build the program. The tests themselves run under the first one.
const BUILDS: [&str; 2] = ["cargo test --workspace --all-features", "cargo install --path ."];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Creates a new folder with a copy of files of the repository.
fn copy_of(folders: &[&str], into: &str) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for folder in folders {
        let place = if into.is_empty() { copy.path().join(folder) } else { copy.path().join(into) };
        fs::create_dir_all(&place).unwrap();
        for file in fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), place.join(file.file_name())).unwrap();
        }
    }
    copy
}

/// A virtual display, which needs no screen.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn open() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // The server may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns the program's arguments in a line of a page, or `None` for a line that builds the program.
fn arguments(line: &str) -> Option<Vec<&str>> {
    let command = line.split(" #").next().unwrap().trim();
    if BUILDS.contains(&command) {
        return None;
    }
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["tumble", rest @ ..] | ["cargo", "run", "--release", "--", rest @ ..] => Some(rest.to_vec()),
        ["cargo", "run", "--release"] => Some(Vec::new()),
        _ => panic!("a page tells its reader to type {command:?}"),
    }
}

fn run(arguments: &[&str], folder: &Path, display: Option<&Display>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.args(arguments).current_dir(folder);
    if let Some(display) = display {
        command.env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        // `tumble` without arguments opens a window too.
        command
            .args(if arguments.is_empty() { vec!["view"] } else { Vec::new() })
            .args(["--close-after", "1"]);
    }
    command.output().unwrap()
}

#[test]
fn every_command_of_the_pages_runs_as_printed() {
    let can_show = can_draw(&["Xvfb"]);
    let display = can_show.then(Display::open);
    for page in PAGES.map(Page::read) {
        let folder = copy_of(&["assets", "scenes"], "");
        for block in page.blocks.iter().filter(|b| b.kind.is_empty()) {
            for line in block.text.lines().filter(|l| !l.trim().is_empty()) {
                let Some(arguments) = arguments(line) else { continue };
                if cfg!(not(feature = "reference")) && line.contains("rapier") {
                    continue;
                }
                let shows = matches!(arguments.first(), None | Some(&"view"));
                if !can_show && (shows || arguments.contains(&"png")) {
                    continue;
                }
                let output = run(&arguments, folder.path(), display.as_ref().filter(|_| shows));
                let errors = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(0), "{}: {line}\n{errors}", page.name);
                if arguments.contains(&"--json") {
                    let document: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
                    assert!(document.is_ok(), "{}: {line}\n{document:?}", page.name);
                }
            }
        }
    }
}

#[test]
fn the_readme_begins_with_the_two_commands() {
    let page = Page::read("README.md");
    let lines: Vec<&str> =
        page.blocks[0].text.lines().map(|l| l.split(" #").next().unwrap().trim()).collect();
    assert_eq!(lines, ["cargo run --release", "cargo test --workspace --all-features"]);
}

#[test]
fn every_verb_takes_json_as_the_readme_says() {
    let help = |arguments: &[&str]| String::from_utf8(run(arguments, root(), None).stdout).unwrap();
    let overview = help(&["--help"]);
    let verbs = overview.split_once("Commands:\n").unwrap().1.lines().take_while(|l| !l.is_empty());
    // A line that continues another is indented further.
    let verbs = verbs.filter_map(|l| l.strip_prefix("  ").filter(|l| !l.starts_with(' ')));
    let verbs: Vec<&str> = verbs.map(|l| l.split(' ').next().unwrap()).filter(|v| *v != "help").collect();
    assert!(verbs.len() >= 7, "{verbs:?}");
    for verb in verbs {
        assert!(help(&[verb, "-h"]).contains("--json"), "tumble {verb} takes no --json");
    }
}

/// Loads complete scenes as they are. Fragments are appended to the first scene.
#[test]
fn every_scene_of_the_pages_loads_and_steps() {
    let folder = copy_of(&["assets"], "models");
    let first = &builtin_scenes().iter().find(|s| s.name == "first-scene").unwrap().files()[0];
    let first = String::from_utf8(first.1.clone()).unwrap();
    let path = folder.path().join("models/scene.toml");
    let mut count = 0;
    for page in PAGES.map(Page::read) {
        for block in page.blocks.iter().filter(|b| b.kind.starts_with("toml")) {
            let text = match block.kind.as_str() {
                "toml" => block.text.clone(),
                "toml review" => {
                    fs::write(folder.path().join("parts.glb"), "").unwrap();
                    fs::write(folder.path().join("parts.glb.review.toml"), &block.text).unwrap();
                    let review = Review::beside(&folder.path().join("parts.glb"));
                    assert_eq!(review.problem(), None);
                    continue;
                }
                "toml fragment" => format!("{first}\n{}", block.text),
                other => panic!("{}: {other:?} is no kind of scene", page.name),
            };
            fs::write(&path, &text).unwrap();
            let scene = load_scene(path.to_str().unwrap(), None)
                .unwrap_or_else(|e| panic!("{}: {e}\n{}", page.name, block.text));
            let ignored: Vec<_> = scene.notes.iter().filter(|n| n.kind == NoteKind::Ignored).collect();
            assert!(ignored.is_empty(), "{}: {ignored:?}\n{}", page.name, block.text);
            let mut world = World::new(&scene).unwrap();
            world.step();
            let depth = world.measures().penetration;
            assert!(depth < 1e-3, "{}: parts start {depth} m deep in each other\n{}", page.name, block.text);
            for step in 2..=30 {
                world.step();
                let stuck = world.counts().interpenetrating;
                assert_eq!(stuck, 0, "{}: at step {step}\n{}", page.name, block.text);
            }
            assert!(world.quarantined().is_empty(), "{}: {}", page.name, block.text);
            count += 1;
        }
    }
    assert!(count >= 6, "only {count} scenes were found");
}

#[test]
fn the_scene_of_the_readme_is_the_one_that_is_copied() {
    let page = Page::read("README.md");
    let printed = page.blocks.iter().find(|b| b.kind == "toml").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["scenes", "--copy", "first-scene", "mine"], folder.path(), None);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let copied = fs::read_to_string(folder.path().join("mine/first-scene.toml")).unwrap();
    assert_eq!(printed.text.trim(), copied.trim());
}

#[test]
fn every_kind_is_explained_in_the_guide() {
    let guide = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let names = [
        TreeKind::ALL.map(TreeKind::name).as_slice(),
        SplitRule::ALL.map(SplitRule::name).as_slice(),
        BroadPhaseKind::ALL.map(BroadPhaseKind::name).as_slice(),
        LinkTreeKind::ALL.map(LinkTreeKind::name).as_slice(),
    ]
    .concat();
    for name in names {
        assert!(guide.contains(&format!("`{name}`")), "docs/guide.md does not explain {name}");
    }
    for skin in SkinKind::ALL {
        assert!(
            guide.contains(&format!("`--skins {}`", skin.name())),
            "docs/guide.md does not explain {skin:?}"
        );
    }
}

#[test]
fn every_link_of_the_pages_leads_somewhere() {
    for page in PAGES.into_iter().chain(["docs/architecture.md", "docs/papers.md"]).map(Page::read) {
        for link in page.links().filter(|l| !l.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let own = Path::new(&page.name);
            let target = if file.is_empty() { own.to_owned() } else { own.with_file_name(file) };
            assert!(root().join(&target).is_file(), "{}: {link} is not there", page.name);
            let leads =
                anchor.is_empty() || Page::read(target.to_str().unwrap()).anchors().any(|a| a == anchor);
            assert!(leads, "{}: {link} names no heading", page.name);
        }
    }
}
