//! Pictures without a window: what drawing them needs of the environment, and those of a comparison, every
//! contender after its slowest step and its last, drawn from its recording by the same camera.

#[cfg(feature = "viewer")]
use std::path::Path;

use crate::lab::compare::Comparison;

/// Small enough for twelve contenders on a page of 5 MB.
#[cfg(feature = "viewer")]
const SIZE: [u32; 2] = [480, 300];

/// Draws the pictures into the folder of the comparison and names them in it; where nothing can be drawn, a
/// note says why.
#[cfg(feature = "viewer")]
pub(super) fn draw(comparison: &mut Comparison, folder: &Path, existing: crate::files::Existing) {
    use crate::lab::compare::{Moment, Picture, file_stem};

    for place in 0..comparison.contenders.len() {
        let one = &comparison.contenders[place];
        let Some(recording) = &one.recording else { continue };
        let last = comparison.steps_of(place);
        let moments = [(Moment::Worst, one.spread.worst_step, "slowest"), (Moment::Last, last, "last")];
        let stem = file_stem(place, &one.name);
        let contender = one.name.clone();
        let drawn = moments.map(|(moment, step, word)| Picture {
            contender: contender.clone(),
            moment,
            step,
            file: format!("{stem}-{word}.png"),
        });
        match shoot(&folder.join(recording), &drawn, folder, existing) {
            Ok(()) => comparison.pictures.extend(drawn),
            Err(reason) => {
                comparison.notes.push(format!("{contender} is not pictured: {reason}"));
            }
        }
    }
}

#[cfg(feature = "viewer")]
fn shoot(
    recording: &Path,
    wanted: &[crate::lab::compare::Picture],
    folder: &Path,
    existing: crate::files::Existing,
) -> Result<(), super::Failure> {
    use crate::viewer::{PictureOptions, Studio, save};

    let name = recording.to_str().ok_or("its path is not text in UTF-8")?;
    let mut studio = Studio::new(name, SIZE, &PictureOptions::default())?;
    for picture in wanted {
        let path = folder.join(&picture.file);
        crate::files::check_target(&path, studio.files(), existing)?;
        save(&studio.picture(picture.step)?, &path)?;
    }
    Ok(())
}

/// Says that this program draws nothing.
#[cfg(not(feature = "viewer"))]
pub(super) fn draw(comparison: &mut Comparison, _: &std::path::Path, _: crate::files::Existing) {
    comparison.notes.push("there are no pictures: this program is built without the window".to_owned());
}

/// Mesa's layer that chooses among graphics cards asks the window system for its own, and where there is none
/// it prints errors as if something had failed. It can be switched off by the environment alone, so the
/// process begins anew with it; where that fails it goes on as it is.
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

/// Elsewhere nothing needs to be switched off.
#[cfg(not(all(target_os = "linux", feature = "viewer")))]
pub(super) fn restart_without_window_system() {}
