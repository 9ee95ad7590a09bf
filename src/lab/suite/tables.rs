//! The tables of docs/results.md that are made from the suite's measurements.

use super::item::Sources;
use super::measured::{Measured, Missing};
use crate::page::number::{NOTHING, digits};

/// A table of docs/results.md: its name there, and its Markdown.
#[derive(Debug)]
pub struct ResultTable {
    pub name: &'static str,
    pub markdown: String,
}

/// Returns the tables in the order of docs/results.md.
///
/// # Errors
/// Fails if a measurement lacks a number.
pub fn tables(measured: &[Measured]) -> Result<[ResultTable; 4], Missing> {
    let sources = Sources { measured };
    Ok([
        ResultTable { name: "hierarchies", markdown: hierarchies(&sources)? },
        ResultTable { name: "broad-phases", markdown: broad_phases(&sources)? },
        ResultTable { name: "links", markdown: links(&sources)? },
        ResultTable { name: "parts", markdown: parts(&sources)? },
    ])
}

/// Writes a Markdown table; each row has a name and numbers.
fn grid(heads: &[&str], rows: &[(String, Vec<Option<f64>>)]) -> String {
    let mut text = format!("| {} |\n| --- |{}\n", heads.join(" | "), " ---: |".repeat(heads.len() - 1));
    for (name, numbers) in rows {
        let cells: Vec<String> =
            numbers.iter().map(|number| number.map_or(NOTHING.to_owned(), digits)).collect();
        text += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    text
}

/// Writes the mean time of a query in µs, with one row per mesh and one column per hierarchy.
fn hierarchies(sources: &Sources) -> Result<String, Missing> {
    let measured = sources.of("boxtree-trees")?;
    let trees = measured.names("tree");
    let mut rows = Vec::new();
    for mesh in measured.names("mesh") {
        let time = |tree: &&str| {
            measured.row(&[("mesh", mesh), ("tree", tree)]).and_then(|row| row.number("time (µs)")).ok()
        };
        let colliding = measured.row(&[("mesh", mesh)])?;
        let mut numbers: Vec<Option<f64>> = trees.iter().map(time).collect();
        numbers.extend(["colliding", "poses"].map(|column| colliding.number(column).ok()));
        rows.push((mesh.to_owned(), numbers));
    }
    Ok(grid(&[&["mesh"], &trees[..], &["colliding", "poses"]].concat(), &rows))
}

const SETS: [&str; 4] = ["boxes-random", "boxes-sphere-dense", "boxes-adjacent", "boxes-sphere"];

/// Writes the time to find all pairs, ms, at the largest size of each set. Per set, one row is from
/// scratch and one a second time.
fn broad_phases(sources: &Sources) -> Result<String, Missing> {
    let methods = sources.of(SETS[0])?.names("method");
    let mut rows = Vec::new();
    for name in SETS {
        let measured = sources.of(name)?;
        let sizes: Result<Vec<f64>, Missing> = measured.rows().map(|row| row.number("boxes")).collect();
        let largest = sizes?.into_iter().fold(0.0, f64::max);
        let at = |method: &str, column: &str| {
            let mut own = measured.all(&[("method", method)]);
            own.find(|row| row.number("boxes") == Ok(largest)).and_then(|row| row.number(column).ok())
        };
        for (label, column) in [("", "total (ms)"), (", again", "again (ms)")] {
            let mut numbers = vec![at(methods[0], "pairs")];
            numbers.extend(methods.iter().map(|method| at(method, column)));
            let set = name.trim_start_matches("boxes-");
            rows.push((format!("{set}, {} boxes{label}", digits(largest)), numbers));
        }
    }
    Ok(grid(&[&["set", "pairs"], &methods[..]].concat(), &rows))
}

const MOTIONS: [(&str, &str); 5] = [
    ("cab-convex-3", "convex links 3:1"),
    ("cab-convex-6", "convex links 6:1"),
    ("cab-nonconvex", "dented links"),
    ("cab-braided", "braided"),
    ("cab-hand", "a hand and a ball"),
];

/// Writes the time of a frame in µs, with one row per motion and one column per kind.
fn links(sources: &Sources) -> Result<String, Missing> {
    let kinds = sources.of(MOTIONS[0].0)?.names("kind");
    let mut rows = Vec::new();
    for (name, label) in MOTIONS {
        let measured = sources.of(name)?;
        let brute = measured.row(&[("kind", "brute")])?;
        let frame =
            |kind: &&str| measured.row(&[("kind", kind)]).and_then(|row| row.number("a frame (µs)")).ok();
        let mut numbers = vec![brute.number("hits").ok()];
        numbers.extend(kinds.iter().map(frame));
        rows.push((label.to_owned(), numbers));
    }
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.replace('*', "\\*")).collect();
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    Ok(grid(&[&["motion", "hits"], &kinds[..]].concat(), &rows))
}

const GUIDED: [(&str, &str); 3] = [
    ("obb-principal+parts, principal", "with its parts"),
    ("obb", "binned"),
    ("obb+parts", "binned, with its parts"),
];

/// Writes the node tests and times of a step at normal density, with one row per model. The values of
/// all trees but the first are relative to the first tree.
fn parts(sources: &Sources) -> Result<String, Missing> {
    let measured = sources.of("parts-query")?;
    let mut heads = vec!["model".to_owned(), "principal: tests".to_owned(), "ms".to_owned()];
    for (_, name) in GUIDED {
        heads.extend([format!("{name}: tests"), "time".to_owned()]);
    }
    let mut rows = Vec::new();
    for model in measured.names("model").into_iter().filter(|model| !model.contains(' ')) {
        let of = |tree: &str, column: &str| {
            let row = measured.row(&[("model", model), ("density", "normal"), ("tree", tree)]);
            row.and_then(|row| row.number(column)).ok()
        };
        let columns = ["node tests (million)", "time a step (ms)"];
        let first: Vec<Option<f64>> =
            columns.iter().map(|column| of("obb-principal, principal", column)).collect();
        let mut numbers = first.clone();
        for (tree, _) in GUIDED {
            let shares = columns.iter().zip(&first);
            numbers.extend(shares.map(|(column, first)| Some(of(tree, column)? / (*first)?)));
        }
        rows.push((model.to_owned(), numbers));
    }
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    Ok(grid(&heads, &rows))
}
