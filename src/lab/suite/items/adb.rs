//! Items of \[adb\] on memory, tables, terms and time.

use super::{mean_count, mean_time};
use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::Missing;
use crate::suite::quantity::{geometric_mean, mean};
use crate::suite::verdict::Test;

pub const ITEMS: [Item; 5] = [
    Item {
        paper: Paper::Adb,
        key: "table-1",
        place: "Table 1",
        claim: "A node of an ADB-tree over boxes takes 36 bytes.",
        workload: "A torus of 10,000 triangles; the bytes that the tree holds.",
        from: &["adb-node-size"],
        judge: node_size,
    },
    Item {
        paper: Paper::Adb,
        key: "fig-8",
        place: "Fig. 8",
        claim: "The bound on the probability is usually the largest at ten shared cells or fewer.",
        workload: "All pairs of nodes that queries visit, with the paper's model, over five generated meshes.",
        from: &["adb-terms"],
        judge: terms,
    },
    Item {
        paper: Paper::Adb,
        key: "fig-12",
        place: "Fig. 12",
        claim: "ADB-trees over boxes are more than three times as fast as ADB-trees over an octree.",
        workload: "The tumbling pair at 18 distances, with 20,000 triangles and the paper's model.",
        from: &["adb-octree"],
        judge: octree,
    },
    Item {
        paper: Paper::Adb,
        key: "fig-14",
        place: "Fig. 14",
        claim: "Times hardly depend on the number of triangles and are about a third of the DOP tree's.",
        workload: "Five generated shapes in three sizes each.",
        from: &["adb-models"],
        judge: times,
    },
    Item {
        paper: Paper::Adb,
        key: "fig-15",
        place: "Fig. 15",
        claim: "Leaving out the entries that are close to certain makes the ten look-up tables 17 times smaller.",
        workload: "All ten tables.",
        from: &["adb-tables"],
        judge: tables,
    },
];

fn node_size(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-node-size")?;
    let mut evidence = Evidence::new("bytes per node");
    let row = measured.row(&[("tree", "adb-aabb")])?;
    let (own, paper) = (row.count("bytes a node")?, row.number("paper: bytes")?);
    evidence.row("ADB-tree over boxes", Some(paper), own);
    evidence.row("the boxes alone", Some(28.0), row.count("without cells")?);
    evidence.alike("as many bytes", own, paper);
    Ok(evidence)
}

/// Evaluates \[adb\] Fig. 8.
fn terms(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-terms")?;
    let mut evidence = Evidence { is_our_reading: true, ..Evidence::default() };
    evidence.table("pairs of nodes at which at most ten cells give the largest bound, %");
    let mut all = Vec::new();
    for row in measured.all(&[("x", "10")]) {
        let share = row.number("up to x (%)")?;
        all.push(share);
        evidence.row(row.text("mesh"), None, share);
    }
    evidence.row("mean", None, mean(&all));
    evidence.at_least("more than half of the pairs, on average", mean(&all), 50.0);
    evidence.table("mean increase of the bound beyond ten cells, points");
    for row in measured.all(&[("x", "more")]) {
        evidence.row(row.text("mesh"), None, row.number("lost (%)")?);
    }
    Ok(evidence)
}

/// Evaluates \[adb\] Fig. 12.
fn octree(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-octree")?;
    let mut evidence = Evidence::new("time over the octree, as a multiple of the time over boxes");
    let mut all = Vec::new();
    for mesh in measured.names("mesh") {
        let of =
            |tree| measured.row(&[("mesh", mesh), ("tree", tree), ("model", "paper")])?.time("time (µs)");
        let ratio = of("adb-octree")?.over(of("adb-aabb")?);
        evidence.row(mesh, Some(3.0), ratio);
        all.push(ratio);
    }
    let mean = geometric_mean(&all);
    evidence.row("geometric mean", Some(3.0), mean);
    evidence.at_least("more than three times, on average", mean, 3.0);
    evidence.table("wrong answers, %");
    for mesh in measured.names("mesh") {
        for tree in ["adb-aabb", "adb-octree"] {
            let row = measured.row(&[("mesh", mesh), ("tree", tree), ("model", "paper")])?;
            evidence.row(&format!("{mesh}, {tree}"), None, row.number("error (%)")?);
        }
    }
    Ok(evidence)
}

/// Name of the paper's model in `adb-models`.
pub const MODEL: &str = "adb-aabb, paper, k_min 10";

/// Evaluates \[adb\] Fig. 14.
fn times(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-models")?;
    let mut evidence = Evidence::new("node tests per query with the paper's model");
    let mut shapes: Vec<(String, Vec<f64>)> = Vec::new();
    for row in measured.all(&[("method", MODEL)]) {
        let (mesh, tests) = (row.text("mesh"), row.number("node tests")?);
        evidence.row(mesh, None, tests);
        let shape = mesh.split('-').next().unwrap_or(mesh).to_owned();
        match shapes.iter_mut().find(|(name, _)| *name == shape) {
            Some((_, all)) => all.push(tests),
            None => shapes.push((shape, vec![tests])),
        }
    }
    for (shape, all) in &shapes {
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(0.0, f64::max);
        evidence.alike(&format!("{shape}: as many tests at every size"), least, most);
    }
    evidence.table("the DOP tree as a multiple of the paper's model: time, and node tests as the switch");
    evidence.switch =
        Some("node tests in place of times: one test of the model costs as much as dozens of exact tests");
    let of = |method| mean_time(measured, "time (µs)", &[("method", method)]);
    let tests = |method| mean_count(measured, "node tests", &[("method", method)]);
    let (time, counted) = (of("dop24")?.over(of(MODEL)?), tests("dop24")?.over(tests(MODEL)?));
    evidence.compare("geometric mean", Some(3.0), Some(time), Some(counted));
    evidence.claim(
        "the model is faster than the DOP tree",
        Test::Less(1.0.into(), time),
        Some(Test::Less(1.0.into(), counted)),
    );
    evidence.alike("a third of the DOP tree's time", time, 3.0);
    evidence.table("time of a query, µs, geometric means");
    for method in measured.names("method") {
        evidence.row(method, None, of(method)?);
    }
    Ok(evidence)
}

/// Evaluates \[adb\] Fig. 15.
fn tables(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-tables")?;
    let mut evidence = Evidence::new("reduction factor");
    for row in measured.rows() {
        let (x, own) = (row.text("x"), row.count("reduction")?);
        let paper = x.contains("to").then_some(17.0);
        evidence.row(&format!("x = {x}"), paper, own);
        if let Some(paper) = paper {
            evidence.alike("as much smaller, on average", own, paper);
        }
    }
    evidence.table("size, MiB");
    for row in measured.rows() {
        evidence.row(&format!("x = {}", row.text("x")), None, row.count("MiB")?);
    }
    Ok(evidence)
}
