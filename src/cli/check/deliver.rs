//! `tumble check --page` and `--bcf`: files of the findings for other readers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::CheckArguments;
use crate::check::PlacedParts;
use crate::cli::{Failure, output};
use crate::files::{self, Existing};
use crate::import::Up;
use crate::pose::Pose;
use crate::publish::{Album, Authorship, bcf, page};
use crate::report::findings::CheckDocument;
use crate::scene::Scene;

/// Tests whether the requested files may be written. This is done before the check, which may take long.
pub(super) fn check_targets(arguments: &CheckArguments, scene: &Scene) -> Result<(), Failure> {
    let existing = Existing::forced(arguments.force);
    let mut inputs = scene.files.clone();
    // A recording is not among the files of its scene.
    inputs.push(PathBuf::from(&arguments.model));
    inputs.extend([&arguments.rules, &arguments.baseline].into_iter().flatten().cloned());
    let outputs: Vec<&Path> = [&arguments.page, &arguments.bcf].into_iter().flatten().map(|p| &**p).collect();
    Ok(files::check_targets(&outputs, &inputs, existing)?)
}

/// Writes the requested files.
pub(super) fn deliver(
    arguments: &CheckArguments,
    document: &CheckDocument,
    (scene, parts): (&Arc<Scene>, &PlacedParts),
) -> Result<(), Failure> {
    if arguments.page.is_none() && arguments.bcf.is_none() {
        return Ok(());
    }
    let mut album = Album::new(document, parts);
    let poses = (0..scene.bodies.len() as u32).map(|body| *parts.pose(body)).collect();
    if let Err(reason) = draw(&mut album, scene, poses) {
        output::warn(&format!("pictures are missing: {reason}"));
        album.fault = Some(reason);
    }
    if let Some(left_out) = album.left_out() {
        output::warn(&left_out);
    }
    let title = Path::new(&arguments.model)
        .file_name()
        .map_or(arguments.model.as_str().into(), |name| name.to_string_lossy());
    let existing = Existing::forced(arguments.force);
    let mut set: Vec<(&Path, Vec<u8>)> = Vec::new();
    if let Some(path) = &arguments.page {
        set.push((path, page(&album, &title, &command()).into_bytes()));
    }
    if let Some(path) = &arguments.bcf {
        let date = OffsetDateTime::from(SystemTime::now()).replace_nanosecond(0)?.format(&Rfc3339)?;
        let up = arguments.models.up().unwrap_or(Up::Z);
        let authorship = Authorship { author: "tumble".to_owned(), date, model: title.into_owned(), up };
        set.push((path, bcf(&album, &authorship)?));
    }
    Ok(files::write_set(&set, existing)?)
}

/// Returns the command that makes the page again.
fn command() -> String {
    let word = |word: OsString| {
        let word = word.to_string_lossy().into_owned();
        if word.contains([' ', '\'', '"']) { format!("{word:?}") } else { word }
    };
    let words: Vec<String> = std::env::args_os().skip(1).map(word).collect();
    format!("tumble {}", words.join(" "))
}

/// Size of a picture, px.
#[cfg(feature = "viewer")]
const SIZE: [u32; 2] = [640, 400];

/// Draws the pictures of an album. Returns the reason if it cannot.
#[cfg(feature = "viewer")]
fn draw(album: &mut Album, scene: &Arc<Scene>, poses: Vec<Pose>) -> Result<(), String> {
    use crate::viewer::PairStudio;

    if album.exhibits.iter().all(|exhibit| exhibit.sight.is_none()) {
        return Ok(());
    }
    let text = |error| output::with_causes(&error);
    let mut studio = PairStudio::new(Arc::clone(scene), poses, SIZE).map_err(text)?;
    let drawn = album.exhibits.iter_mut().filter_map(|one| Some((one.sight?, &mut one.png)));
    let drawn: Vec<_> = drawn.collect();
    let bar = output::progress(drawn.len() as u64, "pictures");
    for (sight, png) in drawn {
        *png = Some(studio.png(&sight).map_err(text)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Returns the reason why this program cannot draw.
#[cfg(not(feature = "viewer"))]
fn draw(_: &mut Album, _: &Arc<Scene>, _: Vec<Pose>) -> Result<(), String> {
    Err("this program is built without the window".to_owned())
}
