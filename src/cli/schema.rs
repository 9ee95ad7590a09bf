//! `tumble schema`: prints the JSON Schema of scene files.

use clap::{Arg, ArgAction, Args};

use super::{Failure, Outcome, output};
use crate::scene::scene_schema;

/// Print the JSON Schema of scene files, with which an editor completes and checks them.
#[derive(Args)]
#[command(arg = Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON, as without this option"))]
pub(super) struct SchemaArguments {}

/// Prints the schema.
pub(super) fn schema() -> Result<Outcome, Failure> {
    output::print_json(&scene_schema())?;
    Ok(Outcome::Done)
}
