//! What to open, as the user names it.

use std::path::PathBuf;

use super::bare::OpenAs;
use crate::import::{Colliders, ReadAs};

/// What to open, as the user names it, and how where it does not say so itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneName {
    /// The name of a built-in scene, or the path of a scene file or a model.
    pub name: String,
    /// Folders in which models that a scene file names are looked for after its own folder.
    pub model_paths: Vec<PathBuf>,
    /// How a model named here is read; those of a scene file have keys for it.
    pub read_as: ReadAs,
    /// What a model named here is opened as.
    pub open_as: Option<OpenAs>,
    /// What a model without physics is opened as if `open_as` does not say it.
    pub otherwise: OpenAs,
}

impl SceneName {
    /// Why a scene or a recording is not opened so: what only models take was asked of it.
    pub(crate) fn check_no_model(&self) -> Result<(), String> {
        let ReadAs { unit, up, package_paths: _, pose, colliders, joints } = &self.read_as;
        let says_nothing = unit.is_none() && up.is_none() && pose.is_empty() && joints.is_none();
        if says_nothing && *colliders == Colliders::File && self.open_as.is_none() {
            return Ok(());
        }
        Err("is no model: --unit, --up, --pose, --joints, --colliders and --as are for these; models of a scene file \
             have unit, up, base, pose, colliders and animation as keys, and [[part]] says what moves"
            .to_owned())
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for SceneName {
    fn from(name: &T) -> Self {
        Self { name: name.as_ref().to_owned(), ..Self::default() }
    }
}
