//! The tables of a recording get their names together. A full disk or a kill destroys no existing
//! table, and it leaves no table incomplete.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tumble::random::Random;

use crate::export_csv::{export, stdout, table, tumble};
use crate::export_figures::yard;
use crate::rounds::rounds;
use crate::whole_files::{OLD, names, on_a_full_disk, stderr};

const TABLES: [&str; 5] = ["bodies.csv", "contacts.csv", "joints.csv", "pairs.csv", "steps.csv"];
const EXPORT: &str = "export run.tumble --to csv --out out --force";

/// Creates a folder with a recording that keeps everything. Its folder `out/` has an older file under
/// the name of every table. Also returns the contents of the tables.
fn workshop() -> (tempfile::TempDir, Vec<Vec<u8>>) {
    let folder = yard();
    let at = folder.path();
    let run = ["run", "yard.toml", "--steps", "120", "--record-contacts", "all", "--record", "run.tumble"];
    stdout(&tumble(at, &run));
    stdout(&export(at, &["run.tumble", "--out", "whole"]));
    assert_eq!(names(&at.join("whole")), TABLES);
    let whole = TABLES.map(|name| fs::read(at.join("whole").join(name)).unwrap()).to_vec();
    fs::create_dir(at.join("out")).unwrap();
    put_back(at);
    (folder, whole)
}

fn put_back(folder: &Path) {
    TABLES.iter().for_each(|name| fs::write(folder.join("out").join(name), OLD).unwrap());
}

fn found(folder: &Path) -> Vec<Vec<u8>> {
    TABLES.map(|name| fs::read(folder.join("out").join(name)).unwrap()).to_vec()
}

#[test]
fn a_disk_that_is_full_at_any_table_leaves_all_older_ones() {
    let (folder, whole) = workshop();
    let folder = folder.path();
    let mut sizes: Vec<u64> = whole.iter().map(|table| table.len() as u64).collect();
    sizes.sort_unstable();
    assert!(sizes[0] > 4096, "{sizes:?}");
    let mut limits: Vec<u64> = sizes.iter().map(|size| size / 512 - 1).collect();
    limits.push(1);
    for blocks in limits {
        let output = on_a_full_disk(folder, blocks, EXPORT);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{blocks} blocks: {said}");
        assert!(said.contains(".csv: cannot be written") && said.contains("File too large"), "{said}");
        assert!(found(folder).iter().all(|table| table == OLD), "{blocks} blocks: an older table is lost");
        assert_eq!(names(&folder.join("out")), TABLES, "{blocks} blocks");
    }
    stdout(&tumble(folder, &EXPORT.split(' ').collect::<Vec<_>>()));
    assert_eq!(found(folder), whole);
    assert_eq!(table(&folder.join("out/pairs.csv")).1.last().unwrap()["step"], "120");
}

#[test]
fn a_kill_leaves_of_every_table_the_older_one_or_the_whole_new_one() {
    let (folder, whole) = workshop();
    let folder = folder.path();
    let mut random = Random::new(11, 0);
    // Returns how often the folder was polled while the program ran, up to its end or to a kill.
    let looks = |limit: u64| {
        put_back(folder);
        let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
            .args(EXPORT.split(' '))
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut count = 0;
        while count < limit && child.try_wait().unwrap().is_none() {
            names(&folder.join("out"));
            count += 1;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        count
    };
    let all = looks(u64::MAX);
    assert_eq!(found(folder), whole);
    let mut kept = 0;
    for _ in 0..rounds(100) {
        looks((random.uniform() * all as f64) as u64);
        for (name, (found, whole)) in TABLES.iter().zip(found(folder).iter().zip(&whole)) {
            assert!(found == OLD || found == whole, "{name}: neither the older table nor the new one");
            kept += usize::from(found == OLD);
        }
    }
    assert!(kept > 0, "it was never killed in time");
    // The next export removes the files that the kills left.
    looks(u64::MAX);
    assert_eq!(found(folder), whole);
    assert_eq!(names(&folder.join("out")), TABLES);
}
