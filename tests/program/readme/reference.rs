//! `docs/scenes.md` compared with the parser of scene files: both have the same tables, keys, choices
//! and defaults. The program's errors list the keys and choices that the parser knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use tempfile::TempDir;
use tumble::scene::{Scene, load_scene};

use super::copy_of;
use super::page::{Page, Section};

/// A word that is neither a key of a scene file nor a choice for a key.
const UNKNOWN: &str = "no-such-word";
/// Title of the section on the keys outside of all tables.
const TOP: &str = "The top of the file";

/// One scene per table, with the required keys of the table, each on a separate line. `@` marks the
/// position of one more key.
const SCENES: [(&str, &str); 16] = [
    (TOP, "@\n[[model]]\nfile = \"parts.glb\"\nnodes = [\"bolt\"]"),
    ("[[model]]", "[[model]]\nfile = \"walker.glb\"\n@\nanimation = { clip = \"walk\" }"),
    // Only a powered figure has the key `strength`.
    (
        "strength",
        "[[model]]\nfile = \"walker.glb\"\n@\nanimation = { clip = \"walk\" }\nfigure = \"powered\"",
    ),
    ("copies", "[[model]]\nfile = \"parts.glb\"\n[model.copies]\ncount = [2, 1, 2]\nspacing = [2, 2, 2]\n@"),
    ("animation", "[[model]]\nfile = \"walker.glb\"\n[model.animation]\n@"),
    ("[[part]]", "[[model]]\nfile = \"parts.glb\"\n[[part]]\nname = \"bolt\"\n@"),
    (
        "[[pair]]",
        "[[model]]\nfile = \"parts.glb\"\n[[pair]]\na = \"bolt\"\nb = \"nut\"\nrule = \"ignore\"\n@",
    ),
    ("[[check]]", "[[model]]\nfile = \"parts.glb\"\n[[check]]\na = \"bolt\"\nb = \"nut\"\n@"),
    ("[[expect]]", "[[model]]\nfile = \"parts.glb\"\n[[expect]]\nlost = 0\n@"),
    (
        "[[joint]]",
        "[[model]]\nfile = \"parts.glb\"\n[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"nut\"\n\
         anchor = [1, 0, 0]\n@",
    ),
    (
        "drive",
        "[[model]]\nfile = \"parts.glb\"\n[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"nut\"\n\
         anchor = [1, 0, 0]\n[joint.drive]\nstiffness = 10\ndamping = 1\n@",
    ),
    (
        "[[drive]]",
        "[[model]]\nfile = \"parts.glb\"\n[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"nut\"\n\
         anchor = [1, 0, 0]\n[[drive]]\njoint = \"hinge of world and nut\"\nmax = 5\n@",
    ),
    ("[ground]", "[[model]]\nfile = \"parts.glb\"\n[ground]\n@"),
    ("[camera]", "[[model]]\nfile = \"parts.glb\"\n[camera]\neye = [1, 1, 1]\ntarget = [0, 0, 0]\n@"),
    ("[config]", "[[model]]\nfile = \"parts.glb\"\n[config]\n@"),
    ("budget", "[[model]]\nfile = \"parts.glb\"\n[config.budget]\nus = 100\n@"),
];

/// A folder for scene files, in which the models of the repository are.
struct Folder(TempDir);

impl Folder {
    fn load(&self, text: &str) -> Result<Scene, String> {
        let path = self.0.path().join("models/test.toml");
        fs::write(&path, text).unwrap();
        load_scene(path.to_str().unwrap(), None).map_err(|error| error.to_string())
    }

    /// Returns the alternatives to `UNKNOWN` that an error lists.
    fn allowed(&self, text: &str, what: &str) -> Option<BTreeSet<String>> {
        let error = self.load(text).err()?;
        let (_, list) = error.split_once(&format!("unknown {what} `{UNKNOWN}`, expected "))?;
        Some(list.split('`').skip(1).step_by(2).map(str::to_owned).collect())
    }

    /// Collects the keys of a table, and of all tables in it, by the titles of their sections. `wrap`
    /// puts a line into the table.
    fn tables(
        &self,
        title: &str,
        wrap: &dyn Fn(&str) -> String,
        tables: &mut BTreeMap<String, BTreeSet<String>>,
    ) {
        let line = format!("{UNKNOWN} = 1");
        let keys = self.allowed(&wrap(&line), "field").unwrap_or_else(|| panic!("{title} takes any key"));
        for key in &keys {
            let is_top = title == TOP;
            let in_table = |line: &str| wrap(&format!("{key} = {{ {line} }}"));
            let in_list = |line: &str| wrap(&format!("{key} = [{{ {line} }}]"));
            if self.allowed(&in_table(&line), "field").is_some() {
                self.tables(&if is_top { format!("[{key}]") } else { key.clone() }, &in_table, tables);
            } else if self.allowed(&in_list(&line), "field").is_some() {
                self.tables(&if is_top { format!("[[{key}]]") } else { key.clone() }, &in_list, tables);
            }
        }
        let again = tables.insert(title.to_owned(), keys);
        assert!(again.is_none(), "two tables are called {title}");
    }
}

/// Returns those sections of the page that list keys.
fn sections() -> Vec<Section> {
    let mut sections = Page::read("docs/scenes.md").sections();
    sections.retain(|s| s.header.first().is_some_and(|h| h == "key"));
    sections
}

fn folder() -> Folder {
    Folder(copy_of(&["assets"], "models"))
}

/// Returns the text in backticks that begins a cell.
fn literal(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.split('`').next()
}

/// Returns a scene with all required keys of a table, to which one more key can be added.
fn scene_for(section: &Section, key: &str) -> &'static str {
    let of = |title: &str| SCENES.iter().find(|s| s.0 == title).map(|s| s.1);
    of(key).filter(|_| key == "strength").or_else(|| of(&section.title)).unwrap()
}

/// Returns the scene with this line for a key of its last table. If the scene has a line for the key,
/// it is replaced.
fn with(scene: &str, key: &str, line: &str) -> String {
    let (before, table) = scene.split_at(scene.rfind("\n[").unwrap_or(0));
    let old = format!("{key} = ");
    let kept: Vec<&str> = table.lines().filter(|l| !l.starts_with(&old)).collect();
    format!("{before}{}", kept.join("\n")).replace('@', line)
}

#[test]
fn every_key_of_a_scene_file_is_documented_and_no_other() {
    let mut known = BTreeMap::new();
    folder().tables(TOP, &|line| line.to_owned(), &mut known);
    let documented: BTreeMap<String, BTreeSet<String>> = sections()
        .into_iter()
        .map(|s| {
            let keys = s.rows.iter().map(|row| literal(&row[0]).unwrap().to_owned()).collect();
            (s.title, keys)
        })
        .collect();
    for (title, keys) in &known {
        let listed =
            documented.get(title).unwrap_or_else(|| panic!("docs/scenes.md has no section {title:?}"));
        let missing: Vec<_> = keys.difference(listed).collect();
        let unknown: Vec<_> = listed.difference(keys).collect();
        assert!(missing.is_empty(), "docs/scenes.md, {title}: lacks {missing:?}");
        assert!(unknown.is_empty(), "docs/scenes.md, {title}: scene files have no {unknown:?}");
    }
    let titles = |tables: &BTreeMap<String, _>| tables.keys().cloned().collect::<Vec<_>>();
    assert_eq!(titles(&known), titles(&documented));
}

#[test]
fn required_keys_are_those_that_the_page_says() {
    let folder = folder();
    for section in sections() {
        for row in &section.rows {
            let key = literal(&row[0]).unwrap();
            let result = folder.load(&with(scene_for(&section, key), key, ""));
            let is_required = result.is_err_and(|e| e.contains(&format!("missing field `{key}`")));
            assert_eq!(is_required, row[2] == "required", "docs/scenes.md, {}: {key}", section.title);
        }
    }
}

#[test]
fn a_default_of_the_page_changes_nothing_when_it_is_written() {
    let folder = folder();
    let plain = |text: &str| {
        let mut scene = folder.load(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        // If a value is written in the file, the note about the assumed value disappears, so notes are
        // not compared.
        scene.notes.clear();
        serde_json::to_string(&scene).unwrap()
    };
    let mut count = 0;
    for section in sections() {
        for row in &section.rows {
            let (key, Some(default)) = (literal(&row[0]).unwrap(), literal(&row[2])) else { continue };
            let scene = scene_for(&section, key);
            let (without, written) = (with(scene, key, ""), with(scene, key, &format!("{key} = {default}")));
            let title = &section.title;
            assert_eq!(plain(&without), plain(&written), "docs/scenes.md, {title}: {key} = {default}");
            count += 1;
        }
    }
    assert!(count > 30, "only {count} defaults were found");
}

#[test]
fn choices_are_those_that_the_page_lists() {
    let folder = folder();
    for section in sections() {
        for row in &section.rows {
            let key = literal(&row[0]).unwrap();
            let text = with(scene_for(&section, key), key, &format!("{key} = \"{UNKNOWN}\""));
            let allowed = folder.allowed(&text, "variant");
            let listed = row[1].strip_prefix("one of ");
            let listed: Option<BTreeSet<String>> = listed.map(|list| {
                list.split('`').skip(1).step_by(2).map(|c| c.trim_matches('"').to_owned()).collect()
            });
            assert_eq!(allowed, listed, "docs/scenes.md, {}: {key}", section.title);
        }
    }
}
