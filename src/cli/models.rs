//! Options of every verb that loads a scene: the folders of its models, and how to open a model without
//! a scene file.

use std::path::PathBuf;

use clap::Args;

use super::kinds;
use crate::import::{Colliders, JointMotion, ReadAs, Unit, Up, model_extensions};
use crate::scene::{OpenAs, SceneName, Setting};

/// Returns the help of an argument that names a scene or a model.
pub(super) fn scene_or_model() -> String {
    format!("A {}", openable())
}

/// Returns what can be opened besides a recording, for help that begins with "a".
pub(super) fn openable() -> String {
    format!("built-in scene, a scene file (.toml) or a model ({})", model_extensions())
}

#[derive(Args, Default)]
pub(super) struct ModelArguments {
    /// Search this folder too for the models that a scene file names, after the scene's own folder;
    /// repeatable.
    #[arg(long = "model-path", value_name = "DIR", value_parser = folder)]
    model_paths: Vec<PathBuf>,
    /// Unit of length of a model; default: the model's own, or else guessed from its size.
    #[arg(long, value_parser = kinds::unit())]
    unit: Option<Unit>,
    /// Axis of a model that points up; default: the model's own, or else y.
    #[arg(long, value_parser = kinds::up())]
    up: Option<Up>,
    /// Search this folder too for the packages of a robot (package://NAME/…); repeatable.
    #[arg(long = "package-path", value_name = "DIR", value_parser = folder)]
    package_paths: Vec<PathBuf>,
    /// Start position of a joint of a robot, rad or m; repeatable.
    #[arg(long, value_name = "JOINT=VALUE", value_parser = joint)]
    pose: Vec<(String, f64)>,
    /// Geometry that collides, if a file has a choice: the file's colliders, or the drawn geometry.
    /// With the drawn geometry, a glTF file with physics is read without its physics, and each drawn
    /// node is a part.
    #[arg(long, value_name = "WHICH", value_parser = kinds::colliders(), default_value = Colliders::default().name())]
    colliders: Colliders,
    /// Table that moves the joints of a robot: CSV with a column `time` (s; or `time_ms` and others)
    /// and one column per moving joint, named after the joint (rad or m).
    #[arg(long, value_name = "FILE")]
    joints: Option<PathBuf>,
    /// Way to open a model without a scene file: all parts fixed as designed; all parts free, with a
    /// ground below (for a robot: joints held, base free); or on a fixed base, moving as the joints
    /// allow. Default: robots have a fixed base, and models with physics move as their file specifies,
    /// without a ground. Other models are opened as designed by `view`, `export` and `convert`, and
    /// dropped by the other verbs.
    #[arg(long = "as", value_name = "HOW", value_parser = kinds::open_as())]
    open_as: Option<OpenAs>,
    /// Replace a key of the scene file: a path such as config.dt, part.NAME.friction, joint.NAME.drive.max
    /// or model.0.position.y (the first entry is 0); repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Setting::parse)]
    settings: Vec<Setting>,
}

impl ModelArguments {
    /// Returns the scene to open for stepping. By default, a model without physics drops.
    pub fn scene(&self, name: &str) -> SceneName {
        SceneName {
            name: name.to_owned(),
            model_paths: self.model_paths.clone(),
            read_as: ReadAs {
                unit: self.unit,
                up: self.up,
                package_paths: self.package_paths.clone(),
                pose: self.pose.clone(),
                colliders: self.colliders,
                joints: self.joints.clone().map(|path| JointMotion { path, speed: 1.0, looped: false }),
            },
            open_as: self.open_as,
            otherwise: OpenAs::Drop,
            settings: self.settings.clone(),
        }
    }

    /// Returns the scene to open for viewing. By default, a model without physics stays as designed.
    pub fn shown(&self, name: &str) -> SceneName {
        SceneName { otherwise: OpenAs::Designed, ..self.scene(name) }
    }
}

impl ModelArguments {
    /// Returns the axis that points up, if the user named it.
    pub fn up(&self) -> Option<Up> {
        self.up
    }

    /// Returns the words of a command that give these options.
    pub fn words(&self) -> Vec<String> {
        let Self { model_paths, unit, up, package_paths, pose, colliders, joints, open_as, settings } = self;
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        model_paths.iter().for_each(|path| add("--model-path", path.display().to_string()));
        unit.iter().for_each(|unit| add("--unit", unit.name().to_owned()));
        up.iter().for_each(|up| add("--up", up.name().to_owned()));
        package_paths.iter().for_each(|path| add("--package-path", path.display().to_string()));
        pose.iter().for_each(|(joint, value)| add("--pose", format!("{joint}={value:?}")));
        if *colliders != Colliders::default() {
            add("--colliders", colliders.name().to_owned());
        }
        joints.iter().for_each(|path| add("--joints", path.display().to_string()));
        open_as.iter().for_each(|how| add("--as", how.name().to_owned()));
        settings.iter().for_each(|setting| add("--set", setting.to_string()));
        words
    }
}

fn joint(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.rsplit_once('=').ok_or("must be JOINT=VALUE, as in elbow=0.5")?;
    match value.parse() {
        Ok(value) if f64::is_finite(value) => Ok((name.to_owned(), value)),
        _ => Err(format!("{value:?} is not a finite number")),
    }
}

fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("is not an existing folder".to_owned()) }
}
