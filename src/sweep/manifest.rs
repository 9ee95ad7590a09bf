//! The description of a sweep, in its folder. All shards of a sweep have the same, so results of two
//! sweeps cannot be mixed.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::error::SweepError;
use super::plan::Plan;
use crate::files::{self, Existing};
use crate::order::Order;

/// Name of the file in the folder of a sweep.
pub const NAME: &str = "sweep.json";
/// Largest size of a description, bytes.
const LIMIT: u64 = 1 << 30;
/// Version of the layout of a sweep's folder.
const LAYOUT: u32 = 1;

/// Description of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    layout: u32,
    /// Version of the program.
    pub tumble: String,
    /// Scene as in the command, without its folder.
    pub scene: String,
    /// Options that all runs have, as words of a command.
    pub options: Vec<String>,
    /// Files that the scene is read from.
    pub inputs: Vec<Input>,
    pub plan: Plan,
}

/// File that a sweep reads. Machines have it in different folders, so only its name counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Input {
    name: String,
    /// XXH3 of its bytes, 16 hexadecimal digits.
    hash: String,
}

impl Manifest {
    /// Describes a sweep of a scene that is read from `inputs`.
    ///
    /// # Errors
    /// Returns an error if one of the files cannot be read.
    pub fn new(
        scene: &str,
        options: Vec<String>,
        inputs: &[PathBuf],
        plan: Plan,
    ) -> Result<Self, SweepError> {
        let name = Path::new(scene).file_name().map_or(scene.into(), |name| name.to_string_lossy());
        Ok(Self {
            layout: LAYOUT,
            tumble: env!("CARGO_PKG_VERSION").to_owned(),
            scene: name.into_owned(),
            options,
            inputs: hashed(inputs)?,
            plan,
        })
    }

    /// Returns the hash of the description, which each result has: 16 hexadecimal digits.
    pub fn identity(&self) -> String {
        // A description has only texts and numbers, so it can always be formatted.
        format!("{:016x}", xxh3_64(&serde_json::to_vec(self).unwrap_or_default()))
    }

    /// Reads the description in the folder of a sweep.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is of another layout.
    pub fn read(folder: &Path) -> Result<Self, SweepError> {
        let path = folder.join(NAME);
        if !path.exists() {
            return Err(SweepError::NoSweep(folder.to_owned()));
        }
        let read = |source| SweepError::Read { path: path.clone(), source };
        let bytes = files::read(&path, LIMIT).map_err(read)?;
        let wrong = |reason: String| SweepError::Invalid { path: path.clone(), reason };
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if manifest.layout != LAYOUT {
            return Err(wrong(format!("its layout is {}, this program writes {LAYOUT}", manifest.layout)));
        }
        manifest.plan.check().map_err(wrong)?;
        Ok(manifest)
    }

    /// Writes the description to the folder of a sweep, unless the same description is there.
    ///
    /// # Errors
    /// Returns an error if the folder has another sweep, or cannot be written to.
    pub fn place(&self, folder: &Path) -> Result<(), SweepError> {
        let path = folder.join(NAME);
        if !path.exists() {
            let text = serde_json::to_vec_pretty(self)
                .map_err(|error| SweepError::Invalid { path: path.clone(), reason: error.to_string() })?;
            // Another shard may write the same file at this moment. The file of the first is then
            // compared.
            if let Err(source) = files::write(&path, &text, Existing::Keep)
                && !is_settling(&source, &path)
            {
                return Err(SweepError::Write { path, source });
            }
        }
        let there = Self::read(folder)?;
        match self.difference(&there) {
            Some(reason) => Err(SweepError::Other { folder: folder.to_owned(), reason }),
            None => Ok(()),
        }
    }

    /// Describes the first difference from another description.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let differs = |name: &str, own: &str, other: &str| {
            (own != other).then(|| format!("its {name} is {other}, here it is {own}"))
        };
        let keys = |one: &Self| one.plan.keys().collect::<Vec<_>>().join(", ");
        let count = |one: &Self| one.plan.run_count().to_string();
        differs("scene", &self.scene, &other.scene)
            .or_else(|| differs("list of keys", &keys(self), &keys(other)))
            .or_else(|| differs("number of runs", &count(self), &count(other)))
            .or_else(|| (self.plan != other.plan).then(|| "the values of its keys are others".to_owned()))
            .or_else(|| differs("list of options", &self.options.join(" "), &other.options.join(" ")))
            .or_else(|| {
                let changed = self.inputs.iter().find(|input| !other.inputs.contains(input));
                let changed = changed.or_else(|| other.inputs.iter().find(|one| !self.inputs.contains(one)));
                changed.map(|input| format!("its {} is not the same file", input.name))
            })
            .or_else(|| differs("version of tumble", &self.tumble, &other.tumble))
    }
}

/// Returns whether a write failed because another shard writes the same file. Waits until that file is
/// there, for a second at most.
fn is_settling(error: &io::Error, path: &Path) -> bool {
    const TRIES: u32 = 100;
    let is_busy = matches!(error.kind(), ErrorKind::ResourceBusy | ErrorKind::AlreadyExists);
    is_busy
        && (0..TRIES).any(|_| {
            thread::sleep(Duration::from_millis(10));
            path.exists()
        })
}

/// Returns the names and hashes of files, sorted.
fn hashed(paths: &[PathBuf]) -> Result<Vec<Input>, SweepError> {
    let input = |path: &PathBuf| {
        let read = |source| SweepError::Read { path: path.clone(), source };
        let bytes = files::read(path, u64::MAX).map_err(read)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Input { name, hash: format!("{:016x}", xxh3_64(&bytes)) })
    };
    let mut inputs: Vec<Input> = paths.iter().map(input).collect::<Result<_, SweepError>>()?;
    inputs.order();
    inputs.dedup();
    Ok(inputs)
}
