//! `tumble bench`: every experiment writes a table, a CSV file and a chart. Input that cannot be
//! measured is refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tumble::generate;

pub fn bench(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.arg("bench").args(arguments).arg("--force").arg("--out").arg(folder).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the rows of one experiment, and the paths of its files.
pub fn rows(folder: &Path, arguments: &[&str]) -> (Vec<Value>, [PathBuf; 2]) {
    let output = bench(folder, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut documents: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(documents.len(), 1);
    let document = documents.remove(0);
    assert_eq!(document["disagreements"], serde_json::json!([]));
    let path = |key: &str| PathBuf::from(document[key].as_str().unwrap());
    (document["rows"].as_array().unwrap().clone(), [path("csv"), path("svg")])
}

#[test]
fn every_experiment_writes_what_it_prints() {
    let folder = tempfile::tempdir().unwrap();
    let list = bench(folder.path(), &["--list"]);
    let names: Vec<String> =
        text(&list.stdout).lines().map(|l| l.split_whitespace().next().unwrap().to_owned()).collect();
    let (of_boxes, others) = names.split_at(6);
    let (of_meshes, others) = others.split_at(6);
    let (of_parts, others) = others.split_at(5);
    let (of_cells, others) = others.split_at(13);
    let (of_links, of_steps) = others.split_at(7);
    let expected = ["random", "sphere-dense", "adjacent", "sphere", "uneven", "dynamic"];
    assert_eq!(of_boxes, expected.map(|name| format!("boxes-{name}")));
    assert_eq!(
        of_meshes,
        [
            "boxtree-space",
            "boxtree-build",
            "boxtree-distance",
            "boxtree-tests",
            "boxtree-vs-trees",
            "node-size"
        ]
    );
    assert_eq!(of_parts, ["parts-figure", "parts-edges", "parts-levels", "parts-build", "parts-query"]);
    let expected = ["octree", "models", "pmin", "kmin", "parts", "share", "cells", "terms"];
    assert_eq!(of_cells[..8], expected.map(|name| format!("adb-{name}")));
    let expected = ["cutoff", "budget", "tables", "node-size", "calibration"];
    assert_eq!(of_cells[8..], expected.map(|name| format!("adb-{name}")));
    let expected = ["convex-3", "convex-6", "nonconvex", "braided", "hand", "crowd", "scene"];
    assert_eq!(of_links, expected.map(|name| format!("cab-{name}")));
    assert_eq!(of_steps, ["step-heaps", "physics", "check-assembly"]);
    for name in of_boxes {
        let (rows, [csv, svg]) = rows(folder.path(), &[name, "--quick", "--steps", "3"]);
        let data = std::fs::read_to_string(csv).unwrap();
        assert_eq!(data.lines().count(), rows.len() + 1, "{name}: a line a row, and the header");
        assert!(std::fs::read_to_string(svg).unwrap().contains("wide-tree"));
        // Each kind finds the same pairs as brute force; otherwise `rows` fails.
        for method in ["wide-tree", "hybrid", "hash2", "sweep1", "sweep2", "sweep3", "sweep4", "brute-force"]
        {
            assert!(rows.iter().any(|row| row["method"] == method), "{name}: {method}");
        }
        assert_eq!(rows.iter().any(|row| row["method"] == "parry3d"), cfg!(feature = "reference"));
        assert!(rows.iter().all(|row| row["pairs"].as_f64().unwrap() > 100.0));
    }
    let elsewhere = ["adb-tables", "adb-calibration", "adb-cutoff", "adb-budget"];
    for name in of_meshes.iter().chain(of_cells).filter(|name| !elsewhere.contains(&name.as_str())) {
        let model = write_model(folder.path(), "tetrahedron.gltf", &TETRAHEDRON);
        let (rows, [csv, svg]) = rows(folder.path(), &[name, "--steps", "2", "--mesh", &model]);
        let data = std::fs::read_to_string(csv).unwrap();
        assert_eq!(data.lines().count(), rows.len() + 1, "{name}: a line a row, and the header");
        assert!(std::fs::read_to_string(svg).unwrap().contains("</svg>"));
        assert!(rows.iter().all(|row| row["mesh"] == "tetrahedron"));
        let printed = text(&bench(folder.path(), &[name, "--steps", "2", "--mesh", &model]).stdout);
        assert_eq!(printed.matches("tetrahedron").count(), rows.len(), "{printed}");
    }
}

/// Measures a file in the same way as the paper's models. If contenders disagree, `rows` fails.
#[test]
fn instances_of_a_file_are_asked_in_rooms_of_every_density() {
    let folder = tempfile::tempdir().unwrap();
    let model = write_model(folder.path(), "tetrahedron.gltf", &TETRAHEDRON);
    let (built, [_, svg]) = rows(folder.path(), &["parts-build", "--mesh", &model]);
    assert!(built.len() >= 2 && built.iter().all(|row| row["volume (m³)"].as_f64().unwrap() > 0.0));
    assert!(std::fs::read_to_string(svg).unwrap().contains("tetrahedron"));
    let (positions, triangles) = generate::sphere(1.0, 60);
    let corners: Vec<[f32; 3]> = triangles.iter().flatten().map(|&v| positions[v as usize].into()).collect();
    let ball = write_model(folder.path(), "ball.gltf", &corners);
    let arguments = ["parts-query", "--steps", "2", "--query", "all", "--mesh", &ball];
    let (asked, [csv, svg]) = rows(folder.path(), &arguments);
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), asked.len() + 1);
    assert!(std::fs::read_to_string(svg).unwrap().contains("ball"));
    let sums = |density: &str, column: &str| {
        let own = asked.iter().filter(|row| row["density"] == density && row["model"] == "ball");
        own.map(|row| row[column].as_u64().unwrap()).collect::<Vec<_>>()
    };
    for column in ["colliding pairs", "triangle pairs"] {
        let [sparse, dense] = ["sparse", "dense"].map(|density| sums(density, column));
        assert!(dense.len() == built.len() && dense[0] > sparse[0] && sparse[0] > 0, "{column}");
        assert!(dense.iter().all(|sum| *sum == dense[0]));
    }
    assert!(asked.iter().any(|row| row["model"] == "all 1: geometric mean"));
}

#[test]
fn promises_are_judged_on_a_file_beside_the_paper_s() {
    let folder = tempfile::tempdir().unwrap();
    let model = write_model(folder.path(), "tetrahedron.gltf", &TETRAHEDRON);
    let (rows, [_, svg]) = rows(folder.path(), &["adb-calibration", "--steps", "40", "--mesh", &model]);
    assert!(rows.iter().any(|row| row["mesh"] == "tetrahedron"));
    assert!(std::fs::read_to_string(svg).unwrap().contains("as promised"));
}

/// Measures the first frames of each motion that has hits of links. The motions are formulas, so the
/// hits and the pairs of AABB+, AABB* and OBB never change.
#[test]
fn every_link_hierarchy_finds_the_hits_of_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    for (name, frames, counts) in [
        ("cab-convex-3", 800, [7, 6400, 7128, 606]),
        ("cab-convex-6", 1600, [9, 19_982, 24_000, 1668]),
        ("cab-nonconvex", 3000, [12, 35_981, 44_943, 280]),
        ("cab-braided", 400, [183, 2806, 3644, 232]),
        ("cab-hand", 200, [46, 146, 266, 139]),
    ] {
        let (rows, [csv, svg]) = rows(folder.path(), &[name, "--quick", "--steps", &frames.to_string()]);
        assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), rows.len() + 1);
        let chart = std::fs::read_to_string(svg).unwrap();
        assert!(["update", "test", "query", "AABB+"].iter().all(|text| chart.contains(text)), "{name}");
        let of = |kind: &str, column: &str| {
            let row = rows.iter().find(|row| row["kind"] == kind).unwrap();
            row[column].as_u64().unwrap()
        };
        let pairs = if name == "cab-hand" { 72 } else { 120 };
        let hits = of("brute", "hits");
        assert_eq!(of("brute", "#coll"), pairs * frames, "{name}");
        let found = ["AABB+", "AABB*", "OBB"].map(|kind| of(kind, "#coll"));
        assert_eq!([hits, found[0], found[1], found[2]], counts, "{name}");
        assert!(of("CAB", "points turned") < of("AABB*", "points turned"), "{name}");
        for kind in ["AABB+", "AABB*", "OBB", "CAB", "CAB, sum", "AABB", "AABB, flat", "OBB, flat"] {
            assert_eq!(of(kind, "#coll"), of(kind, "#false") + hits, "{name}, {kind}");
        }
        // With equal leaf boxes, the pairs are equal. Volumes that are cheaper to fit are looser.
        for kind in ["OBB", "CAB, sum", "OBB, flat"] {
            assert_eq!(of("CAB", "#coll"), of(kind, "#coll"), "{name}, {kind}");
        }
        for kind in ["AABB", "AABB, flat"] {
            assert_eq!(of("AABB*", "#coll"), of(kind, "#coll"), "{name}, {kind}");
        }
        assert!(of("AABB+", "#coll") <= of("AABB*", "#coll"), "{name}");
        assert!(of("AABB*", "#coll") < of("brute", "#coll") / 5, "{name}");
    }
}

/// Compares with brute force, which tests every pair of links. If a kind lost or invented a hit, `rows`
/// would fail.
#[test]
fn link_hierarchies_are_compared_on_any_scene() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, _) = rows(folder.path(), &["cab-scene", "--steps", "30", "--mesh", "walk-through"]);
    let of = |kind: &str, column: &str| {
        let row = rows.iter().find(|row| row["kind"] == kind).unwrap();
        row[column].as_u64().unwrap()
    };
    assert_eq!(rows.len(), 9);
    assert!(of("brute", "hits") > 0 && of("CAB", "volume tests") > 0);
    assert!(of("CAB", "#coll") < of("brute", "#coll") / 5);
    let output = bench(folder.path(), &["cab-scene", "--mesh", "parts-tray"]);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("parts-tray"));
}

/// Steps worlds of all kinds, on one and on two threads.
#[test]
fn crowds_move_alike_under_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, [_, svg]) = rows(folder.path(), &["cab-crowd", "--quick", "--steps", "6"]);
    assert_eq!(rows.len(), 10);
    assert!(rows.iter().all(|row| row["state"] == rows[0]["state"] && row["figures"] == 4));
    assert!(std::fs::read_to_string(svg).unwrap().contains("AABB*"));
}

/// Coordinates of the corners of a closed shape.
const TETRAHEDRON: [[f32; 3]; 12] = [
    [0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];

/// Writes a model with one mesh. Every three corners are a triangle.
fn write_model(folder: &Path, name: &str, corners: &[[f32; 3]]) -> String {
    use base64::Engine;
    let bytes: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let range = |pick: fn(f32, f32) -> f32| {
        [0, 1, 2]
            .map(|k| corners.iter().map(|c| c[k]).reduce(pick).unwrap_or(0.0))
            .map(|x| if x.is_finite() { x } else { 0.0 })
    };
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let model = serde_json::json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "part"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": corners.len(), "type": "VEC3",
            "min": range(f32::min), "max": range(f32::max)}],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")}],
    });
    let path = folder.join(name);
    std::fs::write(&path, model.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn meshes_that_cannot_be_measured_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let nan =
        write_model(folder.path(), "nan.gltf", &[[f32::NAN, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let point = write_model(folder.path(), "point.gltf", &[[1.0; 3]; 3]);
    let empty = folder.path().join("empty.gltf");
    std::fs::write(&empty, "").unwrap();
    for file in [&nan, &point, empty.to_str().unwrap(), "/nowhere/part.glb"] {
        let output = bench(folder.path(), &["node-size", "--steps", "1", "--mesh", file]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file}: {said}");
        assert!(said.contains(file) && said.contains("error:"), "{said}");
    }
}

#[test]
fn a_single_triangle_is_measured_under_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let one = write_model(folder.path(), "one.gltf", &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    for name in ["boxtree-build", "boxtree-vs-trees", "boxtree-tests", "node-size"] {
        let (rows, _) = rows(folder.path(), &[name, "--steps", "4", "--mesh", &one]);
        assert!(rows.len() >= 5 && rows.iter().all(|r| r["triangles"] == 1), "{name}");
    }
}

/// Checks \[adb\] Fig. 15. The full tables have 256 MB each, of which the mean keeps a 17th.
#[test]
fn look_up_tables_of_filled_bins_are_as_large_as_in_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, [csv, svg]) = rows(folder.path(), &["adb-tables", "--quick"]);
    assert_eq!(rows.len(), 11);
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), 12);
    assert!(std::fs::read_to_string(svg).unwrap().contains("MiB"));
    let all = &rows[10];
    assert!((17.0..18.0).contains(&all["reduction"].as_f64().unwrap()), "{all}");
    assert!(rows.iter().all(|r| r["worst error (ppm)"].as_f64().unwrap() < 10.0));
}

/// Compares the answers. Exact hierarchies are never wrong, or `rows` would fail. Hierarchies that test
/// no triangles are wrong, but seldom.
#[test]
fn adb_trees_are_seldom_wrong_about_a_closed_surface() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, [_, svg]) = rows(folder.path(), &["adb-octree", "--quick", "--steps", "3"]);
    assert_eq!(rows.len(), 24);
    for row in rows.iter().filter(|row| row["mesh"] != "soup-1k" && row["model"] == "fitted") {
        let of = |column: &str| row[column].as_f64().unwrap();
        assert!(of("error (%)") < 10.0 && of("colliding (%)") > 70.0, "{row}");
        assert!((of("false (%)") + of("missed (%)") - of("error (%)")).abs() < 1e-9, "{row}");
    }
    let chart = std::fs::read_to_string(svg).unwrap();
    assert!(chart.contains("wrong answers (%)") && chart.contains("mean time (µs)"));
}

/// Compares the errors. The exact query is never wrong. A query that is cut off late enough is never
/// wrong either.
#[test]
fn a_later_cutoff_has_fewer_errors() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, [csv, svg]) = rows(folder.path(), &["adb-cutoff", "--quick"]);
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), rows.len() + 1);
    let chart = std::fs::read_to_string(svg).unwrap();
    assert!(chart.contains("wrong answers (%)") && chart.contains("calibration error (%)"));
    for mesh in ["torus-1k", "bumpy-1k", "soup-1k"] {
        for poses in ["deep", "all", "near misses"] {
            let own: Vec<&Value> = rows.iter().filter(|r| r["mesh"] == mesh && r["poses"] == poses).collect();
            let error = |method: &str, limit: Option<u64>| {
                let is_asked = |r: &&&Value| r["method"] == method && r["node tests"].as_u64() == limit;
                own.iter().find(is_asked).unwrap()["error (%)"].as_f64().unwrap()
            };
            assert_eq!(error("boxtree8", None), 0.0, "{mesh}, {poses}");
            let [soon, late] = [8, 4096].map(|limit| error("boxtree8, cut off", Some(limit)));
            assert!(late <= soon && late < 5.0, "{mesh}, {poses}: {soon}, {late}");
            assert!(error("adb-aabb", Some(1024)) <= 100.0);
            if poses == "deep" {
                assert!(error("adb-aabb", Some(8)) < 5.0, "{mesh}");
            }
        }
    }
}

/// Measures falling parts, and a body that touches nothing.
#[test]
fn less_budget_leaves_more_pairs_unsearched() {
    let folder = tempfile::tempdir().unwrap();
    let alone = write_model(folder.path(), "tetrahedron.gltf", &TETRAHEDRON);
    let arguments = ["adb-budget", "--steps", "6", "--mesh", "parts-tray", "--mesh", &alone];
    let (rows, [_, svg]) = rows(folder.path(), &arguments);
    assert!(std::fs::read_to_string(svg).unwrap().contains("missed collisions (%)"));
    let tray: Vec<&Value> = rows.iter().filter(|row| row["scene"] == "parts-tray").collect();
    assert_eq!((rows.len(), tray.len()), (14, 7));
    assert!(tray[0]["budget (%)"] == "none" && tray[0]["starved"].is_null());
    let of = |row: &Value, column: &str| row[column].as_f64().unwrap();
    let (whole, nothing) = (tray[1], tray[6]);
    assert!(of(whole, "node tests") > 0.0 && of(nothing, "node tests") == 0.0);
    assert!(of(nothing, "used") < of(whole, "used") && of(nothing, "starved") > of(whole, "starved"));
    assert!(of(nothing, "sampled") > 0.0 && nothing["missed (%)"].is_number());
}

#[test]
fn flat_meshes_and_single_triangles_are_asked_for_probabilities() {
    let folder = tempfile::tempdir().unwrap();
    let flat: [[f32; 3]; 6] =
        [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    for (file, corners) in [("one.gltf", &flat[..3]), ("flat.gltf", &flat[..])] {
        let model = write_model(folder.path(), file, corners);
        for name in ["adb-octree", "adb-models", "adb-kmin", "adb-parts", "adb-node-size"] {
            let (rows, _) = rows(folder.path(), &[name, "--steps", "4", "--mesh", &model]);
            assert!(rows.len() >= 4 && rows.iter().all(|r| r["triangles"] == corners.len() / 3), "{name}");
        }
        let (rows, _) = rows(folder.path(), &["adb-cutoff", "--quick", "--steps", "4", "--mesh", &model]);
        assert!(rows.iter().all(|r| r["error (%)"].as_f64().unwrap() <= 100.0));
    }
}

#[test]
fn targets_without_meaning_and_hierarchies_without_cells_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, word) in [
        (["--p-min", "0"], "p_min must be above 0 and at most 1, not 0"),
        (["--p-min", "0.5,1.01"], "not 1.01"),
        (["--p-min", "NaN"], "not NaN"),
        (["--k-min", "3,0"], "k_min must be at least 1, not 0"),
        (["--kinds", "aabb,obb"], "obb"),
        (["--rules", "binned,volume"], "one rule"),
        (["--query", "all"], "--query"),
    ] {
        let output = bench(folder.path(), &[&["adb-models", "--quick"][..], &arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(word) && output.stdout.is_empty(), "{said}");
    }
}

#[test]
fn options_that_no_experiment_looks_at_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["boxes-random", "--mesh", "part.glb"][..],
        &["boxes-random", "--kinds", "aabb"],
        &["boxes-dynamic", "--query", "all"],
        &["boxtree-build", "--broad", "hybrid"],
        &["cab-convex-3", "--mesh", "part.glb"],
        &["cab-hand", "--threads", "2"],
        &["cab-hand", "--rules", "binned"],
        &["node-size", "--threads", "2"],
        &["adb-tables", "--mesh", "part.glb"],
        &["node-size", "--p-min", "0.9"],
        &["adb-budget", "--k-min", "3"],
        &["boxes-random", "--shapes", "pipe"],
        &["cab-hand", "--sizes", "300"],
        &["boxtree-tests", "--sizes", "300", "--mesh", "part.glb"],
        &["node-size", "--shapes", "pipe", "--mesh", "part.glb"],
    ] {
        let output = bench(folder.path(), arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(arguments[1]) && output.stdout.is_empty(), "{said}");
    }
}

#[test]
fn shapes_and_sizes_are_those_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["boxtree-tests", "--shapes", "pipe", "--sizes", "3000", "--steps", "2", "--quick"];
    let (of_pipes, _) = rows(folder.path(), &arguments);
    assert!(!of_pipes.is_empty() && of_pipes.iter().all(|row| row["mesh"] == "pipe-3k"));
    let (of_boxes, _) = rows(folder.path(), &["boxes-random", "--sizes", "300"]);
    assert!(!of_boxes.is_empty() && of_boxes.iter().all(|row| row["boxes"] == 300));
    for arguments in [["--shapes", "cone"], ["--sizes", "0"], ["--sizes", "4000001"]] {
        let output = bench(folder.path(), &[&["boxtree-tests"][..], &arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(arguments[0]) && output.stdout.is_empty());
    }
}

#[test]
fn threads_stand_beside_what_used_them() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["boxes-random", "--quick", "--broad", "wide-tree,hash2", "--threads", "2", "--json"];
    let output = bench(folder.path(), &arguments);
    let documents: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(documents[0]["threads"], 2);
    let rows = documents[0]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|r| r["method"] == "wide-tree, 2 threads"));
    assert!(rows.iter().any(|r| r["method"] == "hash2"));
}

#[test]
fn planted_clashes_gaps_and_contacts_of_large_assemblies_are_found() {
    let folder = tempfile::tempdir().unwrap();
    // A finding that is missing, or that was not planted, would be a disagreement.
    let (rows, [csv, svg]) = rows(folder.path(), &["check-assembly", "--quick"]);
    let names: Vec<&str> = rows.iter().map(|row| row["assembly"].as_str().unwrap()).collect();
    assert_eq!(names, ["chains", "machine"]);
    let counts = |row: &Value| {
        ["clashes", "inside", "doubled", "too near", "contacts"].map(|kind| row[kind].as_u64().unwrap())
    };
    assert_eq!(counts(&rows[0]), [16, 0, 16, 16, 16]);
    assert_eq!(counts(&rows[1]), [2, 1, 0, 2, 2]);
    assert_eq!((&rows[0]["parts"], &rows[0]["surfaces"]), (&Value::from(2000), &Value::from(1)));
    assert_eq!((&rows[1]["parts"], &rows[1]["surfaces"]), (&Value::from(128), &Value::from(128)));
    assert!(rows[1]["near pairs"].as_u64().unwrap() > 500);
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), rows.len() + 1);
    assert!(std::fs::read_to_string(svg).unwrap().contains("machine"));
}

#[test]
fn heaps_are_stepped_on_one_thread_and_two_and_end_alike() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, [csv, svg]) = rows(folder.path(), &["step-heaps", "--quick", "--steps", "3"]);
    let heaps =
        ["boxes", "boxes-8k", "boxes-tumbling", "tori-512", "tori-10k", "ragdolls-50", "gears-18", "chain"];
    let per_heap = if cfg!(feature = "reference") { 4 } else { 2 };
    assert_eq!(rows.len(), heaps.len() * per_heap);
    for (name, own) in heaps.iter().zip(rows.chunks(per_heap)) {
        assert!(own.iter().all(|row| row["heap"] == *name && row["lost"] == 0), "{name}");
        assert_eq!(own[0]["node tests"], own[1]["node tests"], "{name}: threads do not change the search");
        assert!(own[0]["mean (ms)"].as_f64().unwrap() > 0.0 && own[0]["node tests"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), rows.len() + 1);
    assert!(std::fs::read_to_string(svg).unwrap().contains("tori-10k"));
}

#[test]
fn another_build_steps_the_same_scenes_in_turns() {
    let folder = tempfile::tempdir().unwrap();
    let own = env!("CARGO_BIN_EXE_tumble");
    let (rows, _) = rows(folder.path(), &["step-heaps", "--against", own, "--quick", "--mesh", "chain"]);
    assert_eq!(rows.len(), 2);
    let number = |row: &Value, column: &str| row[column].as_f64().unwrap();
    for row in &rows {
        let stages = ["update (ms)", "test (ms)", "query (ms)", "solve (ms)"].map(|stage| number(row, stage));
        let mean = number(row, "mean (ms)");
        assert!(
            (stages.iter().sum::<f64>() - mean).abs() < 1e-9 && mean <= number(row, "worst (ms)"),
            "{row}"
        );
    }
    let ratio = number(&rows[1], "mean (ms)") / number(&rows[0], "mean (ms)");
    assert!((number(&rows[1], "mean, ratio") - ratio).abs() < 1e-9 && rows[0]["mean, ratio"].is_null());

    let refused = bench(folder.path(), &["step-heaps", "--against", "nowhere", "--quick"]);
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("nowhere cannot run"), "{}", text(&refused.stderr));
}
