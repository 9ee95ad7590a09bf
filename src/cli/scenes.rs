//! `tumble scenes`: what is built in.

use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;

use super::{Failure, Outcome, output};
use crate::scene::builtin_scenes;

/// List the built-in scenes.
#[derive(Args)]
pub(super) struct ScenesArguments {
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SceneRow {
    name: &'static str,
    description: String,
}

pub(super) fn scenes(arguments: &ScenesArguments) -> Result<Outcome, Failure> {
    let rows: Vec<SceneRow> =
        builtin_scenes().iter().map(|s| SceneRow { name: s.name, description: s.description() }).collect();
    if arguments.json {
        output::print_json(&rows)?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for row in &rows {
        table.add_row([row.name, &row.description]);
    }
    output::print(&table.to_string())?;
    Ok(Outcome::Done)
}
