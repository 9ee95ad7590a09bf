//! Where else models of a scene file lie: the option of every verb that loads one.

use std::path::PathBuf;

use clap::Args;

use crate::scene::SceneName;

#[derive(Args, Default)]
pub(super) struct ModelPathArguments {
    /// Look for the models that a scene file names in this folder too, after the scene's own; repeatable.
    #[arg(long = "model-path", value_name = "DIR", value_parser = folder)]
    model_paths: Vec<PathBuf>,
}

impl ModelPathArguments {
    pub fn scene(&self, name: &str) -> SceneName {
        SceneName { name: name.to_owned(), model_paths: self.model_paths.clone() }
    }

    #[cfg(feature = "viewer")]
    pub fn folders(&self) -> Vec<PathBuf> {
        self.model_paths.clone()
    }
}

fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("is not a folder that is there".to_owned()) }
}
