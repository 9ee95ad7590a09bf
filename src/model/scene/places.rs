//! Paths of the files that a scene file names.
//!
//! An absolute path is used as it is. A relative path is searched in the scene file's folder, then in
//! each model path. The file found, with symbolic links resolved, must lie in the folder above the
//! scene's own (`../assets/part.glb`), or in a model path. So a scene file from elsewhere cannot reach
//! other folders by a relative path or a link.

use std::io;
use std::path::{Path, PathBuf};

use super::hints;
use crate::import::alike::most_alike;
use crate::import::{is_joint_motion, is_model};

pub(super) struct Places<'a> {
    /// Folder of the scene file, with symbolic links resolved.
    own: PathBuf,
    model_paths: &'a [PathBuf],
}

impl<'a> Places<'a> {
    /// Returns the search folders for models of the scene file at `scene`.
    pub fn new(scene: &Path, model_paths: &'a [PathBuf]) -> io::Result<Self> {
        let folder = scene.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { own: folder.canonicalize()?, model_paths })
    }

    /// Returns the path of the model or motion file that a scene file names `name`, or the reason why
    /// there is none.
    pub fn find(&self, name: &str) -> Result<PathBuf, String> {
        if !is_model(Path::new(name)) {
            return Err(hints::advice_by_name(Path::new(name)));
        }
        self.find_any(name)
    }

    /// Returns the path of the file that a scene file names `name`, or the reason why there is none.
    pub fn find_any(&self, name: &str) -> Result<PathBuf, String> {
        let path = Path::new(name);
        if path.is_absolute() {
            return match path.canonicalize() {
                Ok(_) => Ok(path.to_owned()),
                Err(e) if e.kind() == io::ErrorKind::NotFound => Err(self.missing(path)),
                Err(e) => Err(format!("cannot be found: {e}")),
            };
        }
        for folder in self.searched() {
            match folder.join(path).canonicalize() {
                Ok(found) if self.allows(&found) => return Ok(found),
                Ok(found) => return Err(self.outside(&found)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(format!("cannot be found: {e}")),
            }
        }
        Err(self.missing(path))
    }

    fn searched(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&*self.own).chain(self.model_paths.iter().map(PathBuf::as_path))
    }

    /// Returns whether a scene file may name `found`, a path with symbolic links resolved.
    fn allows(&self, found: &Path) -> bool {
        // The root folder does not count as the folder above, as it contains every file.
        let around = self.own.parent().filter(|p| p.parent().is_some()).unwrap_or(&self.own);
        let within = |folder: &PathBuf| folder.canonicalize().is_ok_and(|folder| found.starts_with(folder));
        found.starts_with(around) || self.model_paths.iter().any(within)
    }

    fn outside(&self, found: &Path) -> String {
        let folder = found.parent().unwrap_or(found);
        format!(
            "leads to {}, outside of the scene file's folder, of those beside it and of every --model-path: write \
             its absolute path, or add --model-path {}",
            found.display(),
            folder.display()
        )
    }

    /// Describes a missing file: the searched folders, and a similar name if there is one.
    fn missing(&self, path: &Path) -> String {
        let mut folders: Vec<PathBuf> = Vec::new();
        let inner = path.parent().unwrap_or(Path::new(""));
        if path.is_absolute() {
            folders.push(inner.to_owned());
        } else {
            folders.extend(self.searched().map(|folder| folder.join(inner)));
        }
        // Collecting the components drops a trailing slash.
        let shown = folders.iter().map(|f| f.components().collect::<PathBuf>().display().to_string());
        let shown: Vec<String> = shown.collect();
        let readable = folders.iter().filter_map(|f| f.canonicalize().ok());
        let readable = readable.filter(|f| path.is_absolute() || self.allows(f));
        let names: Vec<String> = readable.flat_map(|folder| hints::entries(&folder)).collect();
        let names = names
            .iter()
            .map(String::as_str)
            .filter(|name| is_model(Path::new(name)) || is_joint_motion(Path::new(name)));
        let wanted = path.file_name().unwrap_or_default().to_string_lossy();
        let elsewhere = match path.is_absolute() || most_alike(&wanted, names.clone()).is_some() {
            true => "",
            false => "; an absolute path or --model-path DIR names a folder elsewhere",
        };
        format!("cannot be found in {}{}{elsewhere}", shown.join(" nor in "), hints::instead(&wanted, names))
    }
}
