//! Python code in the guide. Its files, columns and names are those of the tables. If pandas and
//! matplotlib are installed, the code runs as printed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::page::Page;
use super::run;

/// Returns the Python code, and a folder in which the commands before the code were run.
fn notebook() -> (String, tempfile::TempDir) {
    let page = Page::read("docs/guide.md");
    let at = page.blocks.iter().position(|block| block.kind == "python").unwrap();
    let folder = tempfile::tempdir().unwrap();
    for line in page.blocks[at - 1].text.lines() {
        let output = run(&line.split_whitespace().skip(1).collect::<Vec<_>>(), folder.path(), None);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    (page.blocks[at].text.clone(), folder)
}

/// Returns the names of a table's columns, and the texts in its fields.
fn words_of(path: &Path) -> BTreeSet<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut words: BTreeSet<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    for row in reader.records() {
        words.extend(row.unwrap().iter().filter(|field| field.parse::<f64>().is_err()).map(str::to_owned));
    }
    words
}

#[test]
fn the_python_of_the_guide_names_files_columns_and_parts_that_are_there() {
    let (text, folder) = notebook();
    assert!(text.lines().count() <= 10 && text.lines().all(|line| line.chars().count() <= 120), "{text}");
    let quoted: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let is_read = |word: &&str| word.ends_with(".csv");
    let tables: Vec<&str> = quoted.iter().copied().filter(is_read).collect();
    assert_eq!(tables, ["pick-and-place/pairs.csv", "pick-and-place/joints.csv"]);
    let words: BTreeSet<String> =
        tables.iter().flat_map(|table| words_of(&folder.path().join(table))).collect();
    // Labels contain spaces, and file names contain dots.
    let names = quoted.iter().filter(|word| !word.contains([' ', '.']));
    let names: Vec<&&str> = names.collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        assert!(words.contains(*name), "{name:?} is neither a column nor a name in {tables:?}");
    }
}

/// Checks that the plotted force is the force in the report, and that the picture is not blank.
#[test]
fn the_python_of_the_guide_runs_as_printed_where_pandas_is() {
    let (text, folder) = notebook();
    let python = |code: &str| {
        let mut command = Command::new("python3");
        command.env("MPLBACKEND", "Agg").arg("-c").arg(code).current_dir(folder.path()).output()
    };
    if !python("import matplotlib, pandas").is_ok_and(|output| output.status.success()) {
        eprintln!("python3 has no pandas and matplotlib here: nothing is run");
        return;
    }
    let ends = "print(grip['force_n'].max(), len(grip), above.lines[0].get_ydata().max(), \
                below.lines[0].get_ydata().max())";
    let output = python(&format!("{text}{ends}")).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let found: Vec<f64> = printed.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let report = run(&["play", "pick-and-place.tumble", "--json"], folder.path(), None).stdout;
    let report: Value = serde_json::from_slice(&report).unwrap();
    let find = |list: &str, is_it: &dyn Fn(&Value) -> bool| {
        report[list].as_array().unwrap().iter().find(|one| is_it(one)).unwrap().clone()
    };
    let touch = find("touches", &|touch| touch["a"] == "finger" && touch["b"] == "nut");
    let (force, steps) = (touch["force_n"].as_f64().unwrap(), touch["steps"].as_f64().unwrap());
    assert!((found[0] - force).abs() < 1e-6 * force && found[1] == steps, "{printed} {touch}");
    assert_eq!(found[2], found[0], "it is in the plot");
    let grip = find("joints", &|joint| joint["joint"] == "grip");
    let widest = grip["axes"][0]["greatest"].as_f64().unwrap();
    assert!((found[3] - widest).abs() < 1e-9, "{printed} {grip}");
    assert!(fs::metadata(folder.path().join("grip.png")).unwrap().len() > 10_000);
}
