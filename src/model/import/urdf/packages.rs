//! Search for the mesh files of a robot: beside its file, in its package, or in a folder that the user
//! names.
//!
//! `package://NAME/INNER` or `model://NAME/INNER` is the file `INNER` below a folder `NAME`: a package
//! path or a folder in one, an ancestor folder of the robot's file, or a sibling folder. Other names
//! are relative to the robot's file. The file found, with symbolic links resolved, must lie in its
//! package, in the folder above the robot's own, or in a package path. So a robot from elsewhere reads
//! only files that its text names openly.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::import::text::legible;

pub(super) struct Packages<'a> {
    /// Folder of the robot's file, with symbolic links resolved; `None` for a robot from memory.
    own: Option<PathBuf>,
    package_paths: &'a [PathBuf],
}

impl<'a> Packages<'a> {
    pub fn new(file: &Path, package_paths: &'a [PathBuf]) -> io::Result<Self> {
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { own: Some(folder.canonicalize()?), package_paths })
    }

    /// Creates an empty search for a robot from memory: no file is found.
    pub fn none() -> Self {
        Self { own: None, package_paths: &[] }
    }

    /// Returns the file that a robot names, or the reason why there is none.
    pub fn find(&self, name: &str) -> Result<PathBuf, String> {
        let refused = |why: &str| Err(format!("{} {why}", shown(name)));
        let Some(own) = &self.own else {
            return refused("is a file, and the robot is none");
        };
        // Programs on Windows write backslashes.
        let plain = name.replace('\\', "/");
        if let Some(rest) = ["package://", "model://"].iter().find_map(|p| plain.strip_prefix(p)) {
            let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
            let inner = Path::new(inner);
            let is_inner = |path: &Path| path.components().all(|c| matches!(c, Component::Normal(_)));
            if !(is_inner(Path::new(package)) && is_inner(inner)) {
                return refused("is not a path inside its package");
            }
            for folder in self.packages(own, package) {
                if let Ok(found) = folder.join(inner).canonicalize() {
                    if !found.starts_with(folder.canonicalize().as_ref().unwrap_or(&folder)) {
                        return refused("leads out of its package");
                    }
                    // The package folder itself may be a symbolic link to elsewhere. The ancestor
                    // folders of the file are resolved already.
                    let is_around = own.starts_with(&folder)
                        || around(own).last().is_some_and(|widest| found.starts_with(widest));
                    if is_around || self.is_named(&found) {
                        return Ok(found);
                    }
                    return refused(
                        "leads out of the folders around the robot through a link: --package-path DIR names another",
                    );
                }
            }
            return refused("is not found: --package-path DIR names a folder with its package");
        }
        let path = plain.strip_prefix("file://").unwrap_or(&plain);
        if path.contains("://") {
            return refused("is not a file of this machine");
        }
        let Ok(found) = own.join(path).canonicalize() else {
            return refused(&format!("is not found in {}", own.display()));
        };
        // The root folder does not count as the folder above, as it contains every file.
        let beside = own.parent().filter(|p| p.parent().is_some()).unwrap_or(own);
        if found.starts_with(beside) || self.is_named(&found) {
            return Ok(found);
        }
        refused("leads out of the robot's folder and those beside it: --package-path DIR names another")
    }

    /// Returns whether a file lies in one of the package paths.
    fn is_named(&self, found: &Path) -> bool {
        let holds = |folder: &PathBuf| folder.canonicalize().is_ok_and(|folder| found.starts_with(folder));
        self.package_paths.iter().any(holds)
    }

    /// Returns possible folders of a package: those in package paths, then those around the file, from
    /// the nearest outward.
    fn packages(&self, own: &Path, name: &str) -> Vec<PathBuf> {
        let is_called = |folder: &&Path| folder.file_name().is_some_and(|n| n == name);
        let mut folders: Vec<PathBuf> = Vec::new();
        for path in self.package_paths {
            folders.push(path.join(name));
            folders.extend(path.canonicalize().into_iter().filter(|p| is_called(&p.as_path())));
        }
        folders.extend(own.ancestors().filter(is_called).map(Path::to_owned));
        folders.extend(around(own).map(|a| a.join(name)));
        folders
    }
}

/// Returns the folders in which packages may lie: the folder of the file and the next two above it,
/// without the root. The second above usually contains the package of the file.
fn around(own: &Path) -> impl Iterator<Item = &Path> {
    own.ancestors().take(3).filter(|folder| folder.parent().is_some())
}

/// Cuts the beginning of a long name for a message, because its end identifies the file.
fn shown(name: &str) -> String {
    const CHARACTERS: usize = 80;
    let name = legible(name);
    match name.char_indices().rev().nth(CHARACTERS) {
        Some((start, _)) => format!("…{}", &name[start..]),
        None => name.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn meshes_are_found_in_packages_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for file in
            ["ws/arm/urdf/arm.urdf", "ws/arm/meshes/a.stl", "ws/hand/h.stl", "far/tool/t.stl", "secret.stl"]
        {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        let file = root.join("ws/arm/urdf/arm.urdf");
        let far = [root.join("far")];
        let found = |name: &str, paths: &[PathBuf]| Packages::new(&file, paths).unwrap().find(name);
        for (name, wanted) in [
            ("package://arm/meshes/a.stl", "ws/arm/meshes/a.stl"),
            ("package://hand/h.stl", "ws/hand/h.stl"),
            ("model://hand/h.stl", "ws/hand/h.stl"),
            ("..\\meshes\\a.stl", "ws/arm/meshes/a.stl"),
            ("../meshes/a.stl", "ws/arm/meshes/a.stl"),
            ("package://tool/t.stl", "far/tool/t.stl"),
        ] {
            assert_eq!(found(name, &far), Ok(root.join(wanted)), "{name}");
        }
        assert_eq!(found("package://tool/t.stl", &[root.join("far/tool")]), Ok(root.join("far/tool/t.stl")));
        for (name, says) in [
            ("package://tool/t.stl", "--package-path DIR names a folder with its package"),
            ("package://arm/../../secret.stl", "not a path inside its package"),
            ("../../../secret.stl", "leads out of the robot's folder"),
            ("https://example.org/a.stl", "not a file of this machine"),
            ("b.stl", "is not found in"),
        ] {
            let said = found(name, &[]).unwrap_err();
            assert!(said.contains(says), "{name}: {said}");
        }
        // A symbolic link to another place is not a package, unless the user names its target.
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("far"), root.join("ws/arm/far")).unwrap();
            let said = found("package://far/tool/t.stl", &[]).unwrap_err();
            assert!(said.contains("leads out of the folders around the robot through a link"), "{said}");
            let named = found("package://far/tool/t.stl", &far);
            assert_eq!(named, Ok(root.join("far/tool/t.stl")));
            std::os::unix::fs::symlink("/", root.join("ws/arm/all")).unwrap();
            let secret = format!("package://all{}", root.join("secret.stl").display());
            let said = found(&secret, &[]).unwrap_err();
            assert!(said.contains("leads out of the folders around the robot through a link"), "{said}");
            // A symbolic link inside a package may not lead out of it either, not even to a file of
            // another package.
            std::os::unix::fs::symlink(root.join("ws/hand/h.stl"), root.join("ws/arm/meshes/h.stl")).unwrap();
            let said = found("package://arm/meshes/h.stl", &[]).unwrap_err();
            assert!(said.contains("leads out of its package"), "{said}");
            std::os::unix::fs::symlink(root.join("ws/hand"), root.join("ws/arm/grip")).unwrap();
            assert_eq!(found("package://grip/h.stl", &[]), Ok(root.join("ws/hand/h.stl")));
        }
        let absolute = root.join("secret.stl");
        assert!(found(absolute.to_str().unwrap(), &far).is_err());
    }
}
