//! `tumble sweep`, as a user runs it.
//!
//! - `refusals.rs`: sweeps that are refused before anything is run.
//! - `results.rs`: the results of runs, their tables and the page.
//! - `shards.rs`: a sweep in shards that are killed and go on.

mod refusals;
mod results;
#[cfg(unix)]
mod shards;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::workshop::Workshop;

/// A washer that falls on a fixed gear, and may roll off. A run takes some milliseconds.
const DROP: &str = r#"
name = "drop"
steps = 40
[ground]
y = -0.1
[[model]]
file = "parts.glb"
nodes = ["gear_large"]
recenter = true
[[model]]
file = "parts.glb"
nodes = ["washer"]
recenter = true
position = [0.0, 0.02, 0.0]
copies = { count = [1, 1, 1], spacing = [1, 1, 1], jitter = 0.01, random_rotation = true }
[[part]]
name = "gear_large"
motion = "static"
[[part]]
name = "washer"
friction = 0.3
[[expect]]
never = ["washer", "ground"]
"#;

/// Creates a folder with the scene `drop.toml`.
fn drops() -> Workshop {
    let shop = Workshop::new();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/parts.glb");
    fs::copy(model, shop.path().join("parts.glb")).unwrap();
    shop.write("drop.toml", DROP);
    shop
}

/// Returns the files of the results in the folder of a sweep, sorted.
fn results(sweep: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(sweep.join("runs")) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    paths.sort();
    paths
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
