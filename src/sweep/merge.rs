//! The results of all shards of a sweep, put together. The order of the folders and files, and how the
//! runs were divided among shards, make no difference.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::SweepError;
use super::folder::results;
use super::manifest::Manifest;
use super::result::RunResult;
use super::row::Row;
use crate::order::Order;

/// Results of a sweep.
#[derive(Clone, Debug)]
pub struct Merged {
    pub manifest: Manifest,
    /// Rows in the order of their runs.
    pub rows: Vec<Row>,
    /// Runs without a result.
    pub missing: Vec<u64>,
    /// Files that are no results of this sweep, and runs of which two results differ.
    pub faults: Vec<String>,
}

impl Merged {
    /// Reads the results in the folders of a sweep.
    ///
    /// # Errors
    /// Returns an error if a folder has no sweep, or another sweep than the first.
    pub fn read(folders: &[PathBuf]) -> Result<Self, SweepError> {
        let mut manifest: Option<Manifest> = None;
        let mut found = Found::default();
        for folder in folders {
            let own = Manifest::read(folder)?;
            let first = manifest.get_or_insert(own.clone());
            if let Some(reason) = first.difference(&own) {
                let folders = [folders[0].clone(), folder.clone()];
                return Err(SweepError::Different { folders, reason });
            }
            found.read(folder, &own)?;
        }
        let Some(manifest) = manifest else { return Err(SweepError::NoSweep(PathBuf::new())) };
        let Found { rows, mut faults } = found;
        let missing = (0..manifest.plan.run_count()).filter(|run| !rows.contains_key(run)).collect();
        faults.order();
        faults.dedup();
        Ok(Self { manifest, rows: rows.into_values().collect(), missing, faults })
    }

    /// Returns the texts of the expectations. If a varied key changes the text of one, the first run's
    /// text is followed by a remark.
    pub fn expectations(&self) -> Vec<String> {
        let most = self.rows.iter().map(|row| row.verdicts.len()).max().unwrap_or(0);
        let text = |place: usize| {
            let mut texts = self.rows.iter().filter_map(|row| Some(&row.verdicts.get(place)?.expects));
            let first = texts.next().cloned().unwrap_or_default();
            if texts.any(|other| *other != first) { format!("{first} (others differ)") } else { first }
        };
        (0..most).map(text).collect()
    }
}

#[derive(Default)]
struct Found {
    rows: BTreeMap<u64, Row>,
    faults: Vec<String>,
}

impl Found {
    /// Reads the results in one folder.
    fn read(&mut self, folder: &Path, manifest: &Manifest) -> Result<(), SweepError> {
        let folder = results(folder);
        let fail = |source| SweepError::Read { path: folder.clone(), source };
        let mut paths = Vec::new();
        for entry in fs::read_dir(&folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path.extension() == Some(OsStr::new("json")) {
                paths.push(path);
            }
        }
        paths.order();
        let identity = manifest.identity();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match RunResult::read(&path) {
                Ok(result) => match result.check(&name, manifest, &identity) {
                    Ok(()) => self.add(Row::of(result, manifest.plan.keys())),
                    Err(reason) => self.faults.push(format!("{name}: {reason}")),
                },
                Err(error) => self.faults.push(with_cause(&name, &error)),
            }
        }
        Ok(())
    }

    /// Adds a row. Of two results of a run, the whole and faster one counts, in whatever order they
    /// come.
    fn add(&mut self, row: Row) {
        let Some(other) = self.rows.get_mut(&row.run) else {
            self.rows.insert(row.run, row);
            return;
        };
        if row.end.is_whole() && other.end.is_whole() && row.state_hash != other.state_hash {
            self.faults.push(format!("run {} has two results with different state hashes", row.run));
        }
        let rank = |row: &Row| (!row.end.is_whole(), row.seconds.to_bits(), row.end, row.state_hash.clone());
        if rank(&row) < rank(other) {
            *other = row;
        }
    }
}

/// Describes an error with its cause, but without the folder, which differs between machines.
fn with_cause(name: &str, error: &SweepError) -> String {
    match error {
        SweepError::Invalid { reason, .. } => format!("{name}: {reason}"),
        SweepError::Read { source, .. } => format!("{name}: cannot be read: {source}"),
        other => other.to_string(),
    }
}
