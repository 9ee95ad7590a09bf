//! `tumble export`: pictures of a scene or a recording, and tables of a recording.
//!
//! - `csv.rs`: a recording as tables.
//! - `png.rs`: pictures; only with the feature `viewer`.
//! - `section.rs`: the section plane of a picture.

mod csv;
#[cfg(feature = "viewer")]
mod png;
#[cfg(feature = "viewer")]
mod section;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::models::ModelArguments;
use super::{Failure, Outcome};

/// Write a recording as tables, or as pictures; a scene is simulated for its pictures. Needs no
/// display.
#[derive(Args)]
pub(super) struct ExportArguments {
    /// A recording; for pictures also a built-in scene, a scene file (.toml) or a model (.glb, .gltf,
    /// .stl, .obj, .ply, .dae, .urdf).
    run: String,
    #[command(flatten)]
    models: ModelArguments,
    /// Kind of files to write.
    #[arg(long)]
    to: Format,
    /// Write a picture, or rows of the tables, every N steps from the start; tables also get the last
    /// step. Default: a single picture; rows of every step.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// File of a picture; folder for tables, and for pictures with --every. Default: named after the
    /// run.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace existing files; input files are never replaced.
    #[arg(long)]
    force: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "Tables")]
    tables: csv::TableArguments,
    #[cfg(feature = "viewer")]
    #[command(flatten, next_help_heading = "Pictures")]
    pictures: png::PictureArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A picture of one step, or one every N steps.
    #[cfg_attr(not(feature = "viewer"), value(hide = true))]
    Png,
    /// Tables of a recording: bodies.csv and steps.csv; joints.csv, pairs.csv and contacts.csv if the
    /// recording has such data
    Csv,
}

pub(super) fn export(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    match arguments.to {
        Format::Png => draw(arguments),
        Format::Csv => {
            #[cfg(feature = "viewer")]
            if let Some(option) = arguments.pictures.first_given() {
                return Err(format!("{option} is for pictures, which --to png writes").into());
            }
            csv::write(arguments)
        }
    }
}

#[cfg(feature = "viewer")]
fn draw(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    if let Some(option) = arguments.tables.first_given() {
        return Err(format!("{option} is for tables, which --to csv writes").into());
    }
    png::draw(arguments)
}

#[cfg(not(feature = "viewer"))]
fn draw(_: &ExportArguments) -> Result<Outcome, Failure> {
    Err("this program is built without the window, which draws the pictures; build it with --features viewer"
        .into())
}

/// Returns the default name of the output, without an extension.
fn stem(run: &str) -> PathBuf {
    Path::new(run).file_stem().map_or_else(|| "tumble".into(), PathBuf::from)
}
