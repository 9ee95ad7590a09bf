//! Writer of all tables. It reads a recording once, and gives all files their final names together.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::bodies::Bodies;
use super::contacts::Contacts;
use super::joints::Joints;
use super::pairs::Pairs;
use super::sheet::{Moment, Names, Rows, Sheet};
use super::steps::Steps;
use crate::files::{self, Draft, Existing, PlaceError, Staging, TargetError};
use crate::record::{Kept, RecordError, RunReader};

/// Part of a recording that the tables contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Bodies of the table of bodies, by ascending index; see [`super::bodies_named`].
    pub bodies: Vec<u32>,
    /// Interval of the steps with rows. The start and the last step always have rows; with 0, only
    /// these have.
    pub every: u32,
}

impl Part {
    /// Returns the steps with rows, for a recording whose last step is `last`.
    pub fn steps(&self, last: u32) -> impl Iterator<Item = u32> + use<> {
        let every = self.every;
        (0..=last).filter(move |step| step.is_multiple_of(every) || *step == last)
    }
}

/// Table file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    pub path: PathBuf,
    pub rows: u64,
}

/// Reason why the tables were not written.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("{}: cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{error}; what is not in its place is in {}", staged.display())]
    Place { staged: PathBuf, error: PlaceError },
    #[error("{}: no table is written: the export was stopped", .0.display())]
    Stopped(PathBuf),
}

/// Writes the tables of a recording to a folder, which is created if it does not exist. The files get
/// their final names once all of them are complete. `go_on` is called after each step with rows; if it
/// returns false, writing stops.
///
/// # Errors
/// Fails if the recording cannot be read, a file cannot be written, or `go_on` returns false. The
/// folder then has its previous files, unless even renaming failed.
pub fn write(
    reader: &mut RunReader,
    part: &Part,
    (folder, existing): (&Path, Existing),
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<Written>, SheetError> {
    let (dt, inputs) = (reader.scene().config.dt, reader.scene().files.clone());
    let sheets = sheets(reader, part)?;
    let path_of = |sheet: &dyn Sheet| folder.join(sheet.file());
    for sheet in &sheets {
        files::check_target(&path_of(&**sheet), &inputs, existing)?;
    }
    let fail = |path: &Path| {
        let path = path.to_owned();
        |source| SheetError::Write { path, source }
    };
    let staging = Staging::begin(folder).map_err(fail(folder))?;
    let mut all = Vec::new();
    for sheet in &sheets {
        let draft = Draft::create(&staging.folder().join(sheet.file()));
        let rows = draft.and_then(|draft| Rows::begin(draft, &sheet.columns()));
        all.push(rows.map_err(fail(&path_of(&**sheet)))?);
    }
    for step in part.steps(reader.step_count()) {
        let before = step.checked_sub(1).map(|k| reader.seek(k).cloned()).transpose()?;
        reader.seek(step)?;
        let (touching, contacts) =
            (reader.touching()?.unwrap_or_default(), reader.contacts()?.unwrap_or_default());
        let (joints, coordinates) = (reader.joints()?, reader.coordinates().collect::<Vec<f64>>());
        let moment = Moment {
            time: f64::from(step) * dt,
            before: before.as_ref(),
            now: reader.frame(),
            touching: &touching,
            contacts: &contacts,
            joints: joints.as_ref().map(|(joints, axes)| (&joints[..], &axes[..])),
            coordinates: &coordinates,
        };
        for (sheet, rows) in sheets.iter().zip(&mut all) {
            sheet.add(&moment, rows).map_err(fail(&path_of(&**sheet)))?;
        }
        if !go_on() {
            return Err(SheetError::Stopped(folder.to_owned()));
        }
    }
    let mut written = Vec::new();
    for (sheet, rows) in sheets.iter().zip(all) {
        let path = path_of(&**sheet);
        let rows = rows.finish().map_err(fail(&path))?;
        written.push(Written { path, rows });
    }
    let staged = staging.folder().to_owned();
    staging.place(&inputs, existing).map_err(|error| SheetError::Place { staged, error })?;
    Ok(written)
}

/// Creates the tables for which the recording has data.
fn sheets(reader: &mut RunReader, part: &Part) -> Result<Vec<Box<dyn Sheet>>, RecordError> {
    let kept = reader.kept()?;
    let scene = reader.scene();
    let names = Names::new(scene, &part.bodies);
    let mut sheets: Vec<Box<dyn Sheet>> =
        vec![Box::new(Bodies::new(scene, &part.bodies)), Box::new(Steps::new(scene))];
    if let Some(joints) = Joints::new(scene, reader.axes(), &names) {
        sheets.push(Box::new(joints));
    }
    if kept != Kept::None {
        sheets.push(Box::new(Pairs { names: names.clone() }));
    }
    if kept == Kept::All {
        sheets.push(Box::new(Contacts { names }));
    }
    Ok(sheets)
}
