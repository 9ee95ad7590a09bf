//! A folder in which the program is run as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with scenes and models. The binary is run in it.
pub struct Workshop(TempDir);

impl Workshop {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.path().join(name), text).unwrap();
        self
    }

    pub fn tumble(&self, arguments: &[&str]) -> Said {
        let binary = env!("CARGO_BIN_EXE_tumble");
        Said(Command::new(binary).args(arguments).current_dir(self.path()).output().unwrap())
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let said = self.tumble(&[arguments, &["--json"]].concat());
        assert_eq!(said.code(), 0, "{}", said.error());
        serde_json::from_slice(&said.0.stdout).unwrap()
    }

    /// Returns the message that a refusal prints on stderr.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let said = self.tumble(arguments);
        assert_eq!(said.code(), 2, "{arguments:?}: {}", said.error());
        assert!(said.0.stdout.is_empty(), "{arguments:?}");
        said.error()
    }
}

/// The output of the program.
pub struct Said(Output);

impl Said {
    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    pub fn error(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }
}
