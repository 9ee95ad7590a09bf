//! No circular imports inside a room: if a file imports another of its room, that file does not import
//! it back, directly or through others. An item that a `mod.rs` re-exports counts as an import of its
//! own file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{code, inside_package, rows, source_files};

/// Rooms without this test so far: they only show or measure the work of the others.
const FREE: [&str; 3] = ["cli", "lab", "viewer"];

/// Module path, as `["tree", "wide", "encode"]`.
type Module = Vec<String>;

#[derive(Default)]
struct File {
    /// Modules named by `use` and paths, from the root of the crate.
    named: BTreeSet<Module>,
    /// Re-exports: name to module path.
    handed_on: BTreeMap<String, Module>,
}

fn module_of(file: &Path) -> Module {
    let inner = inside_package(file).with_extension("");
    let mut module: Module = inner.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    module.pop_if(|last| last == "mod");
    module
}

/// Expands `a::{b, c::{self, d}}` to `a::b`, `a::c`, `a::c::d`.
fn expand(tree: &str, paths: &mut Vec<String>) {
    let Some((before, list)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap().trim();
        paths.push(path.trim_end_matches("::self").to_owned());
        return;
    };
    let list = list.rsplit_once('}').unwrap().0;
    let (mut depth, mut start) = (0, 0);
    let ends = list.char_indices().filter_map(|(at, c)| match c {
        '{' => {
            depth += 1;
            None
        }
        '}' => {
            depth -= 1;
            None
        }
        ',' if depth == 0 => Some(at),
        _ => None,
    });
    for end in ends.collect::<Vec<_>>().into_iter().chain([list.len()]) {
        let item = list[start..end].trim();
        if !item.is_empty() {
            expand(&format!("{}{item}", before.trim()), paths);
        }
        start = end + 1;
    }
}

/// Returns the path from the root of the crate; `None` for a path outside it.
fn absolute(path: &str, module: &Module, all: &BTreeMap<Module, File>) -> Option<Module> {
    let parts: Module = path.split("::").map(str::to_owned).collect();
    let own = |count: usize| module[..module.len().saturating_sub(count)].to_vec();
    let ups = parts.iter().take_while(|p| *p == "super").count();
    match parts[0].as_str() {
        "crate" => Some(parts[1..].to_vec()),
        "self" => Some([own(0), parts[1..].to_vec()].concat()),
        "super" => Some([own(ups), parts[ups..].to_vec()].concat()),
        first => {
            let child = [own(0), vec![first.to_owned()]].concat();
            all.contains_key(&child).then(|| [own(0), parts].concat())
        }
    }
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns every `a::b::c` of the code.
fn inline_paths(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !word(c) && c != ':').filter(|part| part.contains("::") && part.starts_with(word))
}

fn read() -> BTreeMap<Module, File> {
    let sources: Vec<_> = source_files().into_iter().map(|file| (module_of(&file), code(&file))).collect();
    let mut all: BTreeMap<Module, File> = sources.iter().map(|(m, _)| (m.clone(), File::default())).collect();
    for (module, code) in sources {
        let mut file = File::default();
        let mut local: BTreeMap<String, Module> = BTreeMap::new();
        let mut body = String::new();
        for statement in code.split_inclusive(';') {
            let Some((before, tree)) = statement.rsplit_once("use ").filter(|(before, tree)| {
                let line = before.rsplit('\n').next().unwrap().trim();
                (line.is_empty() || line.starts_with("pub")) && !tree.contains('=')
            }) else {
                body += statement;
                continue;
            };
            body += before.rsplit_once('\n').map_or("", |(above, _)| above);
            let is_handed_on = before.rsplit('\n').next().unwrap().contains("pub");
            let mut paths = Vec::new();
            expand(tree.trim_end_matches(';'), &mut paths);
            for path in paths.iter().filter_map(|path| absolute(path, &module, &all)) {
                let name = path.last().cloned().unwrap_or_default();
                if is_handed_on {
                    file.handed_on.insert(name, path);
                } else {
                    local.insert(name, path.clone());
                    file.named.insert(path);
                }
            }
        }
        let known = |path: &str| {
            let (first, rest) = path.split_once("::")?;
            let target = local.get(first).filter(|target| all.contains_key(*target))?;
            Some([target.clone(), rest.split("::").map(str::to_owned).collect()].concat())
        };
        let body = body.replace("(in crate::", "(");
        let paths = inline_paths(&body).filter_map(|p| absolute(p, &module, &all).or_else(|| known(p)));
        file.named.extend(paths);
        // Re-exports that the file uses itself.
        let used: Vec<Module> = file
            .handed_on
            .iter()
            .filter(|(name, _)| body.split(|c| !word(c)).any(|w| w == *name))
            .map(|(_, path)| path.clone())
            .collect();
        file.named.extend(used);
        all.insert(module, file);
    }
    all
}

/// Returns the file that defines a path's item.
fn resolve(path: &[String], all: &BTreeMap<Module, File>, depth: u32) -> Option<Module> {
    let mut at = Module::new();
    for (k, part) in path.iter().enumerate() {
        let child = [at.clone(), vec![part.clone()]].concat();
        if all.contains_key(&child) {
            at = child;
            continue;
        }
        let elsewhere = all.get(&at).and_then(|file| file.handed_on.get(part));
        return match elsewhere {
            Some(target) if depth < 8 => resolve(&[target, &path[k + 1..]].concat(), all, depth + 1),
            _ => all.contains_key(&at).then_some(at),
        };
    }
    all.contains_key(&at).then_some(at)
}

/// Returns all modules that can be reached.
fn reached(from: &Module, edges: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(module) = open.pop() {
        for next in edges.get(&module).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

#[test]
fn no_room_has_a_circle() {
    let all = read();
    let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, file) in &all {
        let targets = file.named.iter().filter_map(|path| resolve(path, &all, 0));
        let inside = targets.filter(|target| target != module && target[0] == module[0]);
        edges.insert(module.clone(), inside.collect());
    }
    let rooms = rows();
    assert!(FREE.iter().all(|room| rooms.contains_key(*room)), "a room that is free of the rule is gone");
    let count: usize = edges.values().map(BTreeSet::len).sum();
    assert!(count > 500, "{count} imports inside rooms were found");
    let in_circle =
        |module: &&Module| !FREE.contains(&module[0].as_str()) && reached(module, &edges).contains(*module);
    let wrong: Vec<String> = all.keys().filter(in_circle).map(|module| module.join("/")).collect();
    assert!(wrong.is_empty(), "in a circle: {}", wrong.join(", "));
}
