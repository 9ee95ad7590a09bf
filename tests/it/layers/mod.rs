//! House rules that a machine can check: modules import only from rows above their own (the table in
//! `docs/architecture.md`), use only their row's crates, open with a short `//!`, and cite known
//! papers.

mod circles;
mod comments;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Packages in folders of `src/`, from the lowest. Their rooms are folders and files inside; the lab is a
/// room itself.
const PACKAGES: [&str; 6] = ["collide", "dynamics", "model", "sim", "measure", "lab"];

const PATH_ROOTS: [&str; 7] = ["crate", "self", "super", "std", "core", "alloc", "tumble"];

/// Crate for unit tests in any row; Cargo keeps it out of the program.
const TEST_CRATE: &str = "proptest";

struct Row {
    number: usize,
    package: String,
    crates: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the row of each module, from the architecture page.
fn rows() -> BTreeMap<String, Row> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let names = |cell: &str| cell.split(',').map(|n| n.trim().to_owned()).collect::<Vec<_>>();
    let mut rows = BTreeMap::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, number, package, modules, crates, _] = cells[..] else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        for module in names(modules) {
            let crates = names(crates).into_iter().collect();
            rows.insert(module, Row { number, package: package.to_owned(), crates });
        }
    }
    assert!(rows.len() >= 10, "the table of rows was not found");
    rows
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn source_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    files
}

/// Returns the path of a source file from the folder with its rooms.
fn inside_package(file: &Path) -> &Path {
    let inner = file.strip_prefix(root().join("src")).unwrap();
    let in_rooms = PACKAGES.iter().filter(|name| **name != "lab" || inner.ends_with("lib.rs"));
    in_rooms.filter_map(|name| inner.strip_prefix(name).ok()).next().unwrap_or(inner)
}

/// Returns the folders that rooms may be in.
fn room_folders() -> Vec<PathBuf> {
    let src = root().join("src");
    PACKAGES.iter().map(|name| src.join(name)).chain([src.clone()]).collect()
}

/// Returns the module of a file: `src/collide/tree/build.rs` and `src/collide/tree.rs` both belong to
/// `tree`.
fn module_of(file: &Path) -> String {
    let inner = inside_package(file);
    let first = inner.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// Returns the code of a file up to its unit tests, without comments.
fn code(file: &Path) -> String {
    if file.parent().is_some_and(|folder| folder.ends_with("tests")) {
        return String::new();
    }
    let text = fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
    text.lines().map(|l| l.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Returns every `crate::name` of the file, in `use` lines (braces included) and in paths.
fn imported_modules(code: &str) -> BTreeSet<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut modules = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (i, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && !c.is_whitespace() => {
                        modules.insert(word(&list[i..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            modules.insert(word(rest));
        }
    }
    modules
}

/// Returns the first segment of every `use` line that is not a path of this crate or of the standard
/// library.
fn used_crates(code: &str) -> BTreeSet<String> {
    code.lines()
        .filter(|l| !l.starts_with(' '))
        .filter_map(|l| l.strip_prefix("pub use ").or(l.strip_prefix("use ")))
        .map(|l| l.split([':', ';', ' ']).next().unwrap().to_owned())
        .filter(|name| !PATH_ROOTS.contains(&name.as_str()))
        .collect()
}

#[test]
fn modules_import_only_from_rows_above() {
    let rows = rows();
    let mut wrong = Vec::new();
    for file in source_files() {
        let module = module_of(&file);
        if module == "main" || module == "lib" {
            continue;
        }
        let row = rows.get(&module).unwrap_or_else(|| panic!("{module} stands in no row"));
        for import in imported_modules(&code(&file)) {
            let Some(other) = rows.get(&import) else { continue };
            if import != module && other.number >= row.number {
                wrong.push(format!("{}: {module} imports {import}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_are_in_the_package_of_their_row() {
    let rows = rows();
    for file in source_files() {
        let module = module_of(&file);
        let Some(row) = rows.get(&module) else { continue };
        let inner = file.strip_prefix(root().join("src")).unwrap();
        let package = PACKAGES.into_iter().find(|name| inner.starts_with(name)).unwrap_or("root");
        assert_eq!(row.package, package, "{}", file.display());
    }
}

#[test]
fn modules_use_only_the_crates_of_their_row() {
    let rows = rows();
    let mut wrong = Vec::new();
    for file in source_files() {
        let module = module_of(&file);
        let Some(row) = rows.get(&module) else { continue };
        let local: BTreeSet<String> = sibling_modules(&file);
        for name in used_crates(&code(&file)) {
            if !row.crates.contains(&name) && !local.contains(&name) && name != TEST_CRATE {
                wrong.push(format!("{}: {module} uses {name}", file.display()));
            }
        }
        let inside_gltf = file.strip_prefix(root()).unwrap().starts_with("src/model/import/gltf");
        if !inside_gltf && module == "import" && code(&file).contains("gltf::") && uses_gltf_crate(&file) {
            wrong.push(format!("{}: only import/gltf knows the gltf crate", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn uses_gltf_crate(file: &Path) -> bool {
    code(file).lines().any(|l| l.trim_start().starts_with("use gltf::json") || l.contains("::gltf::json"))
}

/// Returns names that a `use` can start with because the file declares them as modules.
fn sibling_modules(file: &Path) -> BTreeSet<String> {
    code(file)
        .lines()
        .filter_map(|l| {
            l.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub ").strip_prefix("mod ")
        })
        .map(|l| l.trim_end_matches(';').to_owned())
        .collect()
}

#[test]
fn every_file_says_what_it_is_in_ten_lines() {
    let mut files = source_files();
    for folder in ["tests", "examples"] {
        rust_files(&root().join(folder), &mut files);
    }
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Examples do not count, nor do the lines with which a room lists its files.
        let header = text.lines().take_while(|l| l.starts_with("//!")).filter(|l| listed_file(l).is_none());
        let header: usize =
            header.collect::<Vec<_>>().split(|l| l.starts_with("//! ```")).step_by(2).map(<[_]>::len).sum();
        let allowed = if file.ends_with("lib.rs") { 20 } else { 10 };
        if header == 0 || header > allowed {
            wrong.push(format!("{}: {header} lines of //!", file.display()));
        }
        if text.lines().count() > 500 {
            wrong.push(format!("{}: {} lines", file.display(), text.lines().count()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the file or folder of a line in a room's list: "//! - `file.rs`: what it holds."
fn listed_file(line: &str) -> Option<&str> {
    let (name, about) = line.strip_prefix("//! - `")?.split_once("`: ")?;
    about.ends_with('.').then_some(name)
}

#[test]
fn every_room_lists_its_files() {
    let world = root().join("src/sim/world.rs");
    let lab = root().join("src/lab/lib.rs");
    let is_head = |file: &PathBuf| file.ends_with("mod.rs") || *file == world || *file == lab;
    let mut wrong = Vec::new();
    for file in source_files().into_iter().filter(is_head) {
        let folder = if file == world { file.with_extension("") } else { file.parent().unwrap().to_owned() };
        let text = fs::read_to_string(&file).unwrap();
        let listed: Vec<&str> = text.lines().filter_map(listed_file).collect();
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut there: Vec<String> = entries
            .filter(|path| *path != file && !path.ends_with("Cargo.toml"))
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap();
                if path.is_dir() { format!("{name}/") } else { name.to_owned() }
            })
            .collect();
        there.sort();
        if listed != there {
            wrong.push(format!("{} lists {listed:?} of {there:?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_paper_that_is_cited_is_listed() {
    let page = fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let listed: BTreeSet<&str> =
        page.lines().filter_map(|l| l.strip_prefix("| [")?.split(']').next()).collect();
    let known = ["boxtree", "boxes", "simplify", "adb", "cab"];
    assert_eq!(listed, known.into_iter().collect::<BTreeSet<_>>());
    let mut cited = BTreeSet::new();
    for file in source_files() {
        // Documentation escapes the brackets, or they would be links.
        let text = fs::read_to_string(&file).unwrap().replace('\\', "");
        for line in text.lines().filter_map(|l| l.trim_start().strip_prefix("//")) {
            for part in line.split('[').skip(1) {
                let Some((key, rest)) = part.split_once(']') else { continue };
                let cites_section = rest.trim_start().starts_with(['§', 's']) && rest.contains('§');
                if cites_section && key.chars().all(|c| c.is_ascii_lowercase()) {
                    assert!(listed.contains(key), "{}: [{key}] is not in docs/papers.md", file.display());
                    cited.insert(key.to_owned());
                }
            }
        }
    }
    assert!(cited.contains("boxtree"), "no citation found: {cited:?}");
}

/// Checks that a path with a folder is below `src/` or the root, and that a bare file name is in the
/// room of its section.
#[test]
fn every_path_the_architecture_page_names_is_there() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let (mut rooms, mut wrong, mut count) = (Vec::new(), Vec::new(), 0);
    for line in page.lines() {
        let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        if line.starts_with('#') {
            let folders =
                |name: &&str| room_folders().into_iter().map(move |folder| folder.join(name)).collect();
            rooms = quoted
                .iter()
                .flat_map(|name| -> Vec<PathBuf> { folders(&name.trim_end_matches('/')) })
                .collect();
        }
        let is_path = |name: &&&str| name.ends_with(".rs") || name.ends_with('/') && !name.contains(' ');
        for name in quoted.iter().filter(is_path) {
            count += 1;
            let inside = rooms.iter().map(|room: &PathBuf| room.join(name));
            let mut places = inside
                .chain([root().join(name)])
                .chain(room_folders().into_iter().map(|folder| folder.join(name)));
            if !places.any(|place| place.exists()) {
                wrong.push((*name).to_owned());
            }
        }
    }
    assert!(count > 100, "{count} paths were found");
    assert!(wrong.is_empty(), "not there: {}", wrong.join(", "));
}
