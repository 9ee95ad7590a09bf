//! The results of runs, the tables, and the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{drops, read_json, results};
use crate::workshop::Workshop;

/// Returns a table as rows of texts by column.
fn table(path: &Path) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(head.iter().collect::<BTreeSet<_>>().len(), head.len(), "each column has its own name");
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        head.iter().cloned().zip(row.iter().map(str::to_owned)).collect()
    });
    rows.collect()
}

fn field<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    &row.iter().find(|(name, _)| name == column).unwrap().1
}

#[test]
fn the_table_tells_which_runs_break_an_expectation_and_the_page_says_on_which_key_it_depends() {
    let shop = drops();
    let vary = ["--vary", "model.1.position.x=0.0,0.2", "--vary", "part.washer.friction=0.1,0.9"];
    let said = shop.tumble(&[&["sweep", "drop.toml", "--seeds", "10", "--out", "s"], &vary[..]].concat());
    assert_eq!(said.code(), 0, "broken expectations are results: {}", said.error());
    let merged = shop.tumble(&["sweep", "merge", "s"]);
    assert_eq!(merged.code(), 1, "{}", merged.error());
    let text = merged.text();
    assert!(text.contains("Failures depend most on model.1.position.x: 20 of 20 at 0.2, "), "{text}");
    let rows = table(&shop.path().join("s/table.csv"));
    assert_eq!(rows.len(), 40);
    for (run, row) in rows.iter().enumerate() {
        assert_eq!(field(row, "run"), run.to_string());
        // Beside the gear there is only the ground.
        let is_beside = field(row, "model.1.position.x") == "0.2";
        if is_beside {
            assert_eq!((field(row, "end"), field(row, "expectation_1")), ("broken", "broken"));
            assert!(field(row, "reason").starts_with("washer – ground: "), "{row:?}");
        }
        // The report of the result has the same figures.
        let result = read_json(&shop.path().join(format!("s/runs/{run:06}.json")));
        assert_eq!(result["report"]["state_hash"], field(row, "state_hash"));
        assert_eq!(
            result["report"]["penetration_mm"]["max"].to_string().parse(),
            field(row, "deepest_overlap_mm").parse::<f64>()
        );
        let touching = result["report"]["touches"].as_array().unwrap().len();
        assert_eq!(field(row, "touching_pairs"), touching.to_string());
        assert!(result["peak_memory_bytes"].as_u64().is_none_or(|bytes| bytes > 1 << 20));
    }
    let json = read_json(&shop.path().join("s/table.json"));
    assert_eq!(
        json["runs"][3]["values"],
        json!({"model.1.position.x": 0.0, "part.washer.friction": 0.1, "seed": 4})
    );
    assert_eq!(json["expectations"], json!(["washer and ground never touch"]));
    let page = fs::read_to_string(shop.path().join("s/page.html")).unwrap();
    for text in ["washer and ground never touch", "20 of 20", "<svg class=\"heat\"", "tumble run drop.toml"] {
        assert!(page.contains(text), "{text}");
    }
}

/// Checks that the page of very many runs stays small, loads nothing and has no scripts.
#[test]
fn the_page_of_a_thousand_runs_is_small_and_loads_nothing() {
    let shop = drops();
    let vary = ["--vary", "part.washer.friction=0.0..1.0", "--vary", "model.1.position.y=0.02..0.1"];
    let vary = [&vary[..], &["--vary", "part.washer.restitution=0.0..1.0", "--samples", "1000"]].concat();
    // One run of a thousand is made; the others get its result with their own values.
    let said = shop.tumble(&[&["sweep", "drop.toml", "--out", "s", "--shard", "1/1000"], &vary[..]].concat());
    assert_eq!(said.code(), 0, "{}", said.error());
    let folder = shop.path().join("s");
    let first = read_json(&results(&folder)[0]);
    let plan = read_json(&folder.join("sweep.json"))["plan"]["blocks"][0].clone();
    for run in 0..1000 {
        let mut result = first.clone();
        result["run"] = json!(run);
        for (place, key) in plan["keys"].as_array().unwrap().iter().enumerate() {
            result["values"][key.as_str().unwrap()] = plan["rows"][run][place].clone();
        }
        fs::write(folder.join(format!("runs/{run:06}.json")), result.to_string()).unwrap();
    }
    shop.tumble(&["sweep", "merge", "s"]);
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("class=\"run").count(), 1000, "each run has a line");
    for text in ["<script", "http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(text), "{text}");
    }
    assert_eq!(table(&folder.join("table.csv")).len(), 1000);
}

#[test]
fn runs_that_fail_are_recorded_if_asked_for_and_play() {
    let shop = drops();
    let arguments =
        ["sweep", "drop.toml", "--vary", "model.1.position.x=0.0,0.2", "--record", "failing", "--out", "s"];
    assert_eq!(shop.tumble(&arguments).code(), 0);
    let ends: Vec<Value> =
        results(&shop.path().join("s")).iter().map(|path| read_json(path)["end"].clone()).collect();
    assert_eq!(ends, ["held", "broken"]);
    assert!(!shop.path().join("s/recordings/000000.tumble").exists());
    let played = shop.tumble(&["play", "s/recordings/000001.tumble", "--validate"]);
    assert_eq!(played.code(), 0, "{}", played.error());
}

#[test]
fn a_list_of_values_and_samples_give_one_run_per_row() {
    let shop = drops();
    shop.write("list.csv", "part.washer.friction, tree\n0.1, obb\n0.7, sphere\n");
    let said = shop.json(&["sweep", "drop.toml", "--list", "list.csv", "--vary", "steps=2,3", "--out", "s"]);
    assert_eq!((&said["runs"], &said["ends"]["held"]), (&json!(4), &json!(4)));
    let values: Vec<Value> =
        results(&shop.path().join("s")).iter().map(|path| read_json(path)["values"].clone()).collect();
    assert_eq!(values[1], json!({"part.washer.friction": "0.1", "tree": "obb", "steps": "3"}));
    assert_eq!(values[2], json!({"part.washer.friction": "0.7", "tree": "sphere", "steps": "2"}));
    let sampled = ["sweep", "drop.toml", "--vary", "substeps=1..4", "--vary", "model.1.position.y=1..2"];
    shop.json(&[&sampled[..], &["--samples", "8", "--out", "t", "--vary", "steps=1"]].concat());
    let values: Vec<Value> =
        results(&shop.path().join("t")).iter().map(|path| read_json(path)["values"].clone()).collect();
    // The key substeps takes whole numbers only, a position takes any number between 1 and 2.
    let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
    let substeps: Vec<String> = values.iter().map(|value| text(value, "substeps")).collect();
    assert!(
        (1..=4).all(|n| substeps.iter().filter(|own| **own == n.to_string()).count() == 2),
        "{substeps:?}"
    );
    assert!(
        values.iter().any(|value| text(value, "model.1.position.y").parse::<f64>().unwrap().fract() != 0.0)
    );
}

/// Tests a wrong value between the ends of a list of numbers. Before the first run only the ends are
/// tried.
#[test]
fn a_run_that_cannot_start_is_a_result_with_its_reason() {
    let shop = drops();
    let arguments =
        ["sweep", "drop.toml", "--vary", "model.1.scale=-1,0,1", "--vary", "steps=2", "--out", "s"];
    let said = shop.tumble(&arguments);
    assert_eq!(said.code(), 0, "{}", said.error());
    assert!(said.text().contains("2 broke no expectation\n        1 could not start"), "{}", said.text());
    let merged = shop.tumble(&["sweep", "merge", "s"]);
    assert_eq!(merged.code(), 1);
    let rows = table(&shop.path().join("s/table.csv"));
    assert_eq!(rows.iter().map(|row| field(row, "end")).collect::<Vec<_>>(), ["held", "refused", "held"]);
    assert!(field(&rows[1], "reason").ends_with("scale not zero"), "{rows:?}");
    assert_eq!((field(&rows[1], "state_hash"), field(&rows[1], "expectation_1")), ("", ""));
    // It is tried again, because the machine could have been at fault.
    assert!(shop.tumble(&arguments).text().contains("2 were done before"));
}

#[test]
fn settings_change_the_scene_of_every_verb() {
    let shop = drops();
    let height = |shop: &Workshop, arguments: &[&str]| {
        let all = [&["inspect", "drop.toml"], arguments].concat();
        let bodies = shop.json(&all)["bodies"].clone();
        let washer = bodies.as_array().unwrap().iter().find(|body| body["name"] == "washer").unwrap().clone();
        washer["position"][1].as_f64().unwrap()
    };
    let moved = height(&shop, &["--set", "model.1.position.y=0.52"]) - height(&shop, &[]);
    assert!((moved - 0.5).abs() < 1e-12, "{moved}");
    let alone = shop.json(&["run", "drop.toml", "--set", "steps=3", "--set", "config.tree=obb"]);
    assert_eq!((&alone["steps"], &alone["kinds"]["tree"]), (&json!(3), &json!("obb")));
    // An error of the file names the line that it has in the file, also if a key is added before it.
    let wrong =
        super::DROP.replace("name = \"washer\"\nfriction = 0.3", "name = \"washer\"\nfriction = -0.3");
    shop.write("wrong.toml", &wrong);
    let line = 1 + wrong.lines().position(|line| line == "name = \"washer\"").unwrap();
    let error = shop.refused(&["run", "wrong.toml", "--set", "config.dt=0.01", "--set", "model.0.scale=2"]);
    assert!(error.contains(&format!("wrong.toml: line {line}: ")), "{error}");
    // A value that is wrong by itself has the line of the value that it replaces.
    let error = shop.refused(&["run", "drop.toml", "--set", "part.washer.name=["]);
    assert!(error.contains(&format!("drop.toml: line {line}: part \"[\": ")), "{error}");
    let error = shop.refused(&["run", "drop.toml", "--set", "part.washer.friction"]);
    assert!(error.contains("must be KEY=VALUE"), "{error}");
    let error = shop.refused(&["check", "parts.glb", "--set", "steps=3"]);
    assert!(error.contains("is no scene file"), "{error}");
}

#[test]
fn a_joint_is_called_by_the_name_that_its_file_gives_it() {
    let shop = drops();
    let joint = |name: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"hinge\"\na = \"world\"\nb = \"washer\"\nanchor = [0, 0, 0]\n\
             drive = {{ stiffness = 1.0, max = 2.0 }}\n"
        )
    };
    let rule = "[[drive]]\njoint = \"door.x\"\nmax = 7.0\n";
    shop.write("door.toml", &format!("{}{}{rule}", super::DROP, joint("door.x")));
    let names = |report: Value| report["joints"][0]["joint"].clone();
    assert_eq!(names(shop.json(&["run", "door.toml", "--steps", "2"])), "door.x");
    let error = shop.refused(&["run", "door.toml", "--set", "joint.door.x.drive.max=-1"]);
    assert!(error.contains("door.x"), "{error}");
    shop.write("door.toml", &format!("{}{}{}", super::DROP, joint("door.x"), joint("door.x")));
    let error = shop.refused(&["run", "door.toml"]);
    assert!(error.contains("another joint has the name \"door.x\" already"), "{error}");
}

/// Checks that each expectation has its own reason, also if a varied key changes its text.
#[test]
fn each_expectation_of_a_page_has_its_own_reason() {
    let shop = drops();
    let scene = format!("{}[[expect]]\npart = \"washer\"\nends_at = [0, 9, 0]\nwithin = 1.0\n", super::DROP);
    shop.write("two.toml", &scene);
    let vary = ["--vary", "model.1.position.x=0.2", "--vary", "expect.1.within=0.5,1.0"];
    assert_eq!(shop.tumble(&[&["sweep", "two.toml", "--out", "s"], &vary[..]].concat()).code(), 0);
    assert_eq!(shop.tumble(&["sweep", "merge", "s"]).code(), 1);
    let rows = table(&shop.path().join("s/table.csv"));
    assert_eq!((field(&rows[0], "expectation_1"), field(&rows[0], "expectation_2")), ("broken", "broken"));
    let (first, second) = field(&rows[0], "reason").split_once("; ").unwrap();
    assert!(first.starts_with("washer – ground: ") && second.starts_with("washer is 9"), "{first}; {second}");
    let page = fs::read_to_string(shop.path().join("s/page.html")).unwrap();
    assert!(page.contains(&format!("run 0: {second}")), "{second}");
    assert!(page.contains("within 0.5 m of 0, 9, 0 (others differ)"));
}

#[test]
fn a_merge_replaces_files_of_other_folders_only_if_forced() {
    let shop = drops();
    assert_eq!(shop.tumble(&["sweep", "drop.toml", "--vary", "steps=1,2", "--out", "s"]).code(), 0);
    shop.write("table.csv", "mine");
    let error = shop.refused(&["sweep", "merge", "s", "--out", "."]);
    assert!(error.contains("table.csv: is there already; --force replaces it"), "{error}");
    assert_eq!(fs::read(shop.path().join("table.csv")).unwrap(), b"mine");
    assert!(!shop.path().join("page.html").exists());
    assert_eq!(shop.tumble(&["sweep", "merge", "s", "--out", ".", "--force"]).code(), 0);
    assert_eq!(shop.tumble(&["sweep", "merge", "s"]).code(), 0);
    assert_eq!(shop.tumble(&["sweep", "merge", "s"]).code(), 0, "its own tables are made again");
}

/// Checks runs of which two folders have results, as after a shard was moved to another machine.
#[test]
fn of_two_results_of_a_run_one_counts_in_any_order_and_a_difference_is_told() {
    let shop = drops();
    for out in ["a", "b"] {
        assert_eq!(shop.tumble(&["sweep", "drop.toml", "--vary", "steps=1,2", "--out", out]).code(), 0);
    }
    let merged = |folders: [&str; 2]| {
        let [first, second] = folders;
        let said = shop.tumble(&["sweep", "merge", first, second, "--out", "m", "--force"]);
        let files = ["table.json", "timings.csv", "page.html"]
            .map(|name| fs::read(shop.path().join("m").join(name)).unwrap());
        (said.error(), files)
    };
    assert!(merged(["a", "b"]) == merged(["b", "a"]));
    assert_eq!(merged(["a", "b"]).0, "");
    let path = shop.path().join("b/runs/000001.json");
    let mut result = read_json(&path);
    result["state_hash"] = json!("0123456789abcdef");
    fs::write(&path, result.to_string()).unwrap();
    assert!(merged(["a", "b"]) == merged(["b", "a"]));
    assert!(merged(["a", "b"]).0.contains("run 1 has two results with different state hashes"));
}
