//! The pictures of a comparison: every contender after its slowest step and its last, drawn from its
//! recording by the same camera.

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
                // What has no graphics driver for one has none for the next.
                break;
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
