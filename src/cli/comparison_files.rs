//! The files of a comparison: its data, a table of all steps, a page, recordings and pictures. The
//! table and the page can be made again from the data.

use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::compare::{Comparison, Contender, file_names, page, step_table};
use crate::files::{self, Existing, STAGING, Staging};

/// File with the comparison itself.
const DATA: &str = "comparison.json";
const STEPS: &str = "steps.csv";
pub(super) const PAGE: &str = "page.html";
/// Largest size of a comparison that is read, bytes.
const DATA_LIMIT: u64 = 1 << 30;
/// Largest size of a picture on a page, bytes.
const PICTURE_LIMIT: u64 = 1 << 22;

/// A comparison after it was written as JSON and read back. So the files made from it now are the same
/// as the files made again later.
pub(super) struct Document {
    text: String,
    pub comparison: Comparison,
}

impl Document {
    pub fn new(comparison: Comparison) -> Result<Self, Failure> {
        let text = serde_json::to_string(&comparison)?;
        // JSON has no infinite numbers, so a comparison with one cannot be read back. Then the
        // comparison is used as measured.
        let comparison = serde_json::from_str(&text).unwrap_or(comparison);
        Ok(Self { text, comparison })
    }

    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = files::read_text(path, DATA_LIMIT).map_err(|e| format!("{}: {e}", path.display()))?;
        let comparison = serde_json::from_str(&text)
            .map_err(|e| format!("{}: is not a comparison: {e}", path.display()))?;
        Ok(Self { text, comparison })
    }
}

/// The folder of a comparison. Until all its files are complete, they are kept apart from the files of
/// an earlier comparison.
pub(super) struct Folder {
    staging: Staging,
    inputs: Vec<PathBuf>,
    existing: Existing,
    had_files: bool,
}

impl Folder {
    /// Creates the folder. Returns an error if it has files that may not be replaced, or if a file of
    /// the comparison would replace an input.
    pub fn prepare(
        path: &Path,
        inputs: &[PathBuf],
        contenders: &[Contender],
        existing: Existing,
    ) -> Result<Self, Failure> {
        let fail = |e: std::io::Error| format!("{}: cannot be created: {e}", path.display());
        fs::create_dir_all(path).map_err(fail)?;
        let mut had_files = false;
        for entry in fs::read_dir(path).map_err(fail)? {
            had_files |= entry.map_err(fail)?.file_name() != STAGING;
        }
        if had_files && existing == Existing::Keep {
            return Err(
                format!("{}: already contains files; --force writes to it anyway", path.display()).into()
            );
        }
        let own = (0..).zip(contenders).flat_map(|(place, one)| file_names(place, &one.name));
        for name in own.chain([DATA, STEPS, PAGE].map(str::to_owned)) {
            files::check_target(&path.join(name), inputs, existing)?;
        }
        let staging =
            Staging::begin(path).map_err(|e| format!("{}: cannot be written: {e}", path.display()))?;
        Ok(Self { staging, inputs: inputs.to_vec(), existing, had_files })
    }

    /// Returns the folder that holds the files until all are complete.
    pub fn staged(&self) -> &Path {
        self.staging.folder()
    }

    /// Writes the data, the table and the page. The pictures of the page are read from the folder
    /// `pictures`.
    pub fn write(&self, document: &Document, pictures: &Path) -> Result<(), Failure> {
        let save = |name: &str, bytes: &[u8]| {
            let fail = |e| format!("{name}: cannot be written: {e}");
            files::write(&self.staged().join(name), bytes, Existing::Keep).map_err(fail)
        };
        let comparison = &document.comparison;
        save(DATA, document.text.as_bytes())?;
        save(STEPS, &step_table(comparison).csv()?)?;
        let picture = |file: &str| {
            // Only files in the folder of the pictures are read, whatever path the comparison names.
            let name = Path::new(file).file_name()?;
            files::read(&pictures.join(name), PICTURE_LIMIT).ok()
        };
        save(PAGE, page(comparison, &picture).as_bytes())?;
        Ok(())
    }

    /// Renames all files to their final names. If some could not be written completely, the files of an
    /// earlier comparison stay unchanged. In a new folder, the files that could be written are kept.
    pub fn place(self, faults: &[String]) -> Result<(), Failure> {
        let Self { staging, inputs, existing, had_files } = self;
        let mut reason = faults.join("; ");
        if faults.is_empty() || !had_files {
            let staged = staging.folder().to_owned();
            staging
                .place(&inputs, existing)
                .map_err(|e| format!("{e}; the files that were not moved are in {}", staged.display()))?;
        } else {
            reason += "; the existing files are unchanged";
        }
        if faults.is_empty() { Ok(()) } else { Err(reason.into()) }
    }
}
