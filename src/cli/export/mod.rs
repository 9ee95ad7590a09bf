//! `tumble export`: pictures of a scene or a recording, and tables of a recording.
//!
//! - `csv.rs`: a recording as tables.
//! - `png.rs`: pictures. It is built only with the feature `viewer`.
//! - `section.rs`: the section plane of a picture.

mod csv;
#[cfg(feature = "viewer")]
mod png;
#[cfg(feature = "viewer")]
mod section;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::models::{ModelArguments, openable};
use super::{Failure, Outcome};

/// Write a recording as tables or as pictures. For pictures of a scene, the scene is simulated. Needs
/// no display.
#[derive(Args)]
pub(super) struct ExportArguments {
    #[arg(help = format!("A recording. For pictures, also a {}", openable()))]
    run: String,
    #[command(flatten)]
    models: ModelArguments,
    /// Kind of the written files.
    #[arg(long)]
    to: Format,
    /// Write a picture, or rows of the tables, every N steps from the start. Tables also get the last
    /// step. Default: a single picture, or rows of every step.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// File of a picture, or folder for tables and for pictures with --every. Default: named after the
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
    /// A picture of one step, or a picture every N steps.
    #[cfg_attr(not(feature = "viewer"), value(hide = true))]
    Png,
    /// Tables of a recording: bodies.csv and steps.csv, and joints.csv, pairs.csv and contacts.csv if
    /// the recording has their data
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
