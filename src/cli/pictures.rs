//! Pictures without a window: the environment for drawing, and the pictures of a comparison. Each
//! contender is drawn from its recording, after its slowest step and after its last step, always with
//! the same camera.

#[cfg(feature = "viewer")]
use std::path::Path;

use crate::compare::Comparison;

/// Size of a picture, px. It is so small that a page with twelve contenders has 5 MB.
#[cfg(feature = "viewer")]
const SIZE: [u32; 2] = [480, 300];

/// Draws the pictures into the folder of the recordings and adds them to the comparison. If nothing can
/// be drawn, adds a note with the reason. Returns the faults of pictures that were drawn but cannot be
/// written.
#[cfg(feature = "viewer")]
pub(super) fn draw(comparison: &mut Comparison, folder: &Path) -> Vec<String> {
    use crate::compare::{Moment, Picture, file_names};
    use crate::viewer::PictureError;

    let mut faults = Vec::new();
    for place in 0..comparison.contenders.len() {
        let one = &comparison.contenders[place];
        let Some(recording) = &one.recording else { continue };
        let last = comparison.steps_of(place);
        let contender = one.name.clone();
        let [_, slowest_file, last_file] = file_names(place, &one.name);
        let moments = [(Moment::Worst, one.spread.worst_step, slowest_file), (Moment::Last, last, last_file)];
        let drawn =
            moments.map(|(moment, step, file)| Picture { contender: contender.clone(), moment, step, file });
        if let Err(error) = shoot(&folder.join(recording), &drawn, folder) {
            let mut reason = error.to_string();
            if let PictureError::Write { source, .. } = &error {
                // The path is left out, as it is a temporary one.
                reason = format!("the file cannot be written: {source}");
                faults.push(format!("{contender} is not pictured: {reason}"));
            }
            comparison.notes.push(format!("{contender} is not pictured: {reason}"));
        } else {
            comparison.pictures.extend(drawn);
        }
    }
    faults
}

/// Draws the requested pictures of one recording.
#[cfg(feature = "viewer")]
fn shoot(
    recording: &Path,
    wanted: &[crate::compare::Picture],
    folder: &Path,
) -> Result<(), crate::viewer::PictureError> {
    use crate::files::Existing;
    use crate::viewer::{PictureError, PictureOptions, Studio, save};

    let not_text = || PictureError::Load("its path is not valid UTF-8".to_owned());
    let name = recording.to_str().ok_or_else(not_text)?;
    let mut studio = Studio::new(name, SIZE, &PictureOptions::default())?;
    for picture in wanted {
        save(&studio.picture(picture.step)?, &folder.join(&picture.file), Existing::Keep)?;
    }
    Ok(())
}

/// Adds a note that this program cannot draw.
#[cfg(not(feature = "viewer"))]
pub(super) fn draw(comparison: &mut Comparison, _: &std::path::Path) -> Vec<String> {
    comparison.notes.push("there are no pictures: this program is built without the window".to_owned());
    Vec::new()
}

/// Restarts the process without Mesa's device-select layer. This layer asks the window system for its
/// graphics card. If there is no window system, the layer prints errors as if something had failed.
/// Only an environment variable can switch the layer off, so the process must be restarted. If the
/// restart fails, the process continues as it is.
#[cfg(all(target_os = "linux", feature = "viewer"))]
pub(super) fn restart_without_window_system() {
    use std::os::unix::process::CommandExt;
    const SWITCH: &str = "NODEVICE_SELECT";
    let is_set = |name| std::env::var_os(name).is_some();
    if !is_set("XDG_RUNTIME_DIR")
        && !is_set(SWITCH)
        && let Ok(program) = std::env::current_exe()
    {
        let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
    }
}

/// Does nothing, because other systems have no such layer.
#[cfg(not(all(target_os = "linux", feature = "viewer")))]
pub(super) fn restart_without_window_system() {}
