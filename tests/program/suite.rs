//! `tumble bench --suite paper`: a part of the suite is measured, evaluated and written. An item that
//! has a file is not measured again. The docs contain the counts that the suite measures.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bench::{bench, text};

/// Items that take only seconds.
const QUICK: &str = "boxtree-fig-1,simplify-fig-2,adb-table-1";

fn suite(folder: &Path, arguments: &[&str]) -> (bool, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"));
    let output =
        command.args(["bench", "--suite", "paper", "--out"]).arg(folder).args(arguments).output().unwrap();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_part_of_the_suite_is_judged_and_written_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--quick", "--item", QUICK, "--json"];
    let (is_done, json, errors) = suite(folder.path(), &arguments);
    assert!(is_done, "{errors}");
    let items: Vec<Value> = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = items.iter().map(|item| item["item"].as_str().unwrap()).collect();
    assert_eq!(names, ["[boxtree] Fig. 1", "[simplify] Fig. 2", "[adb] Table 1"]);
    for item in &items {
        for field in ["claim", "workload", "anchor"] {
            assert!(item[field].as_str().unwrap().len() > 5, "{item}");
        }
        assert!(item["commands"][0].as_str().unwrap().starts_with("tumble bench "));
        assert_eq!(item["verdict"], "holds", "{item}");
        assert!(item["claims"].as_u64().unwrap() > 0 && item["failed"] == serde_json::json!([]));
    }
    let [page, markdown] = ["paper.html", "paper.md"].map(|name| read(&folder.path().join(name)));
    for name in &names {
        assert!(page.contains(&format!("{name} <span")) && markdown.contains(&format!("### {name}: holds")));
    }
    // Each item states its time and its place.
    assert_eq!(markdown.matches(", commit ").count(), 3);
    assert!(page.contains("<svg") && !page.contains("<script") && !page.contains("http"));

    let measured = folder.path().join("measured/adb-node-size.json");
    let before = read(&measured);
    assert!(suite(folder.path(), &arguments).0);
    assert_eq!(read(&measured), before, "it is not measured again");
    fs::remove_file(folder.path().join("measured/parts-figure.json")).unwrap();
    let (is_done, again, _) = suite(folder.path(), &arguments);
    assert!(is_done && again == json, "the rest is measured, and the verdicts are the same");

    let (is_done, _, errors) = suite(folder.path(), &["--item", QUICK]);
    assert!(!is_done && errors.contains("boxtree-space.json") && errors.contains("--force"), "{errors}");
    fs::write(&measured, &before[..before.len() / 2]).unwrap();
    let (is_done, _, errors) = suite(folder.path(), &arguments);
    assert!(!is_done && errors.contains("adb-node-size.json: is not a measurement"), "{errors}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_suite_takes_no_options_of_single_experiments_and_refuses_items_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["--steps", "3"][..], &["boxtree-tests"], &["--item", "cab-table-9"]] {
        let (is_done, _, errors) = suite(folder.path(), arguments);
        assert!(!is_done && !errors.is_empty(), "{arguments:?}");
    }
    let output = bench(folder.path(), &["boxtree-tests", "--item", "cab-table-1"]);
    assert!(!output.status.success() && text(&output.stderr).contains("--suite"));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

/// Items whose tables contain counts, which are the same on every machine.
const COUNTED: &str = "boxtree-fig-1,simplify-fig-2,simplify-fig-3,simplify-fig-4,adb-fig-15";

#[test]
fn counts_in_the_docs_are_what_the_suite_measures() {
    let folder = tempfile::tempdir().unwrap();
    let (is_done, _, errors) = suite(folder.path(), &["--item", COUNTED]);
    assert!(is_done, "{errors}");
    let [own, docs] = [
        read(&folder.path().join("paper.md")),
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/papers.md")),
    ];
    let sections: Vec<&str> = own.split("\n### ").skip(1).collect();
    assert_eq!(sections.len(), 5);
    for section in sections {
        let name = section.lines().next().unwrap();
        for row in section.lines().filter(|line| line.starts_with('|')) {
            assert!(docs.contains(row), "{name}: {row}");
        }
    }
}
