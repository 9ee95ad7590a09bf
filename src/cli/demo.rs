//! `tumble` without a verb: the demo in a window, or on a machine without a display its report and a
//! picture.

use std::path::Path;

use clap::Parser;

use super::run::{RunArguments, run};
use super::view::{ViewArguments, view};
use super::{Failure, Outcome, output, pictures};
use crate::files::Existing;
use crate::scene::{DEFAULT_SCENE, OpenAs, SceneName};
use crate::viewer::{self, PictureError, PictureOptions, Studio, ViewerError};

/// File of the picture, in the current folder.
const PICTURE: &str = "tumble.png";
/// Size of the picture, px.
const SIZE: [u32; 2] = [1280, 720];

/// Arguments of the demo's run: those of `tumble run`.
#[derive(Parser)]
struct DemoArguments {
    #[command(flatten)]
    run: RunArguments,
}

/// Shows the demo in a window. If there is no display, runs the demo, prints its report, and draws a
/// picture of its end.
pub(super) fn demo() -> Result<Outcome, Failure> {
    let shown = view(&ViewArguments::default());
    match shown.as_ref().err().and_then(|failure| failure.downcast_ref::<ViewerError>()) {
        Some(ViewerError::NoDisplay(reason)) => without_display(reason.to_string().trim_end_matches('.')),
        _ => shown,
    }
}

fn without_display(reason: &str) -> Result<Outcome, Failure> {
    pictures::restart_without_window_system();
    let outcome = run(&DemoArguments::parse_from(["tumble"]).run)?;
    output::print(&format!(
        "\nThis is the report of the demo, {DEFAULT_SCENE}. A window would show its parts as they fall, with the cost of \
         each step,\nbut none can open here: {reason}.\n{}`tumble --help` lists what else works without a window.\n",
        picture()
    ))?;
    Ok(outcome)
}

/// Draws the end of the demo into a file that does not exist yet. Returns a sentence about it.
fn picture() -> String {
    let path = Path::new(PICTURE);
    if path.symlink_metadata().is_ok() {
        return format!("{PICTURE} exists here already, so no picture was written.\n");
    }
    match draw(path) {
        Ok(()) => format!("{PICTURE} shows its end.\n"),
        Err(error) => format!("There is no picture: {error}.\n"),
    }
}

fn draw(path: &Path) -> Result<(), PictureError> {
    let scene = SceneName { otherwise: OpenAs::Designed, ..SceneName::from(DEFAULT_SCENE) };
    let mut studio = Studio::new(scene, SIZE, &PictureOptions::default())?;
    let picture = studio.picture(studio.scene_steps())?;
    viewer::save(&picture, path, Existing::Keep)
}
