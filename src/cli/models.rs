//! Where the models of a scene lie and how one that has no scene file is opened: the options of every verb
//! that loads one.

use std::path::PathBuf;

use clap::Args;

use super::kinds;
use crate::import::{Colliders, JointMotion, ReadAs, Unit, Up};
use crate::scene::{OpenAs, SceneName};

#[derive(Args, Default)]
pub(super) struct ModelArguments {
    /// Look for the models that a scene file names in this folder too, after the scene's own; repeatable.
    #[arg(long = "model-path", value_name = "DIR", value_parser = folder)]
    model_paths: Vec<PathBuf>,
    /// What a length of 1 in a model is; guessed from its size if the model does not say it.
    #[arg(long, value_parser = kinds::unit())]
    unit: Option<Unit>,
    /// The axis of a model that points up; y if the model does not say it.
    #[arg(long, value_parser = kinds::up())]
    up: Option<Up>,
    /// Look for the packages of a robot (package://NAME/…) in this folder too; repeatable.
    #[arg(long = "package-path", value_name = "DIR", value_parser = folder)]
    package_paths: Vec<PathBuf>,
    /// Where a joint of a robot starts, rad or m; repeatable.
    #[arg(long, value_name = "JOINT=VALUE", value_parser = joint)]
    pose: Vec<(String, f64)>,
    /// The geometry that collides, of a file that says it: the one that the file gives for this, or the one
    /// that is drawn. A glTF file with physics is then read without its physics, each drawn node a part.
    #[arg(long, value_name = "WHICH", value_parser = kinds::colliders(), default_value = Colliders::default().name())]
    colliders: Colliders,
    /// Table that moves the joints of a robot: CSV with a column `time` (s; `time_ms` and others too) and one
    /// for each joint that moves, under its name (rad or m).
    #[arg(long, value_name = "FILE")]
    joints: Option<PathBuf>,
    /// What a model without a scene file is opened as: its parts stay where they stand, or all move freely
    /// with a ground under them (a robot with its joints held, on a base that is free), or as its joints
    /// allow on a base that stands fast. Unless given, robots stand on their base, what has physics moves as
    /// its file says, without a ground, and of the others `view`, `export` and `convert` show the design and
    /// other verbs let it drop.
    #[arg(long = "as", value_name = "HOW", value_parser = kinds::open_as())]
    open_as: Option<OpenAs>,
}

impl ModelArguments {
    /// What to open; a model without physics is stepped, so that its parts drop if nothing is said.
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
        }
    }

    /// What to open; a model without physics is looked at, so that it stands as designed if nothing is said.
    pub fn shown(&self, name: &str) -> SceneName {
        SceneName { otherwise: OpenAs::Designed, ..self.scene(name) }
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
    if path.is_dir() { Ok(path) } else { Err("is not a folder that is there".to_owned()) }
}
