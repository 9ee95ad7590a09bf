//! Name of a scene or model as the user gives it.

use std::path::PathBuf;

use super::bare::OpenAs;
use super::setting::Setting;
use crate::import::{Colliders, ReadAs};

/// Name of a scene or model as the user gives it, and how to open it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneName {
    /// Name of a built-in scene, or path of a scene file or a model.
    pub name: String,
    /// Folders that are searched for models of a scene file, after its own folder.
    pub model_paths: Vec<PathBuf>,
    /// Options for reading the model that `name` is. A scene file specifies these options per model.
    pub read_as: ReadAs,
    /// Requested way to open the model that `name` is.
    pub open_as: Option<OpenAs>,
    /// Way to open a model without physics if `open_as` is not set.
    pub otherwise: OpenAs,
    /// Values that replace keys of the scene file that `name` is.
    pub settings: Vec<Setting>,
}

impl SceneName {
    /// Returns an error if options are set that a recording does not take.
    pub fn check_recording(&self) -> Result<(), String> {
        self.check_no_model()?;
        self.check_no_settings()
    }

    /// Returns an error if keys of a scene file are set. Called for models and recordings.
    pub(super) fn check_no_settings(&self) -> Result<(), String> {
        match self.settings.first() {
            Some(setting) => Err(format!("is no scene file, so that --set {setting} has nothing to set")),
            None => Ok(()),
        }
    }

    /// Returns an error if options are set that only apply when `name` is a model. Called for scenes.
    pub(super) fn check_no_model(&self) -> Result<(), String> {
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
