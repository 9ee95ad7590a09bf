//! Creator of a contender's engines: one for the observed run, and one for each timed run.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::contender::{Contender, EngineKind};
use super::engine::{Engine, Own};
use super::error::CompareError;
use super::recorded::Recorded;
#[cfg(feature = "reference")]
use super::{contender::RapierShapes, rapier, rapier_shapes::Shapes};
use crate::scene::Scene;

/// Creator of any number of engines of one contender.
pub struct Maker {
    pub name: String,
    pub scene: Scene,
    kind: Prepared,
    /// Time to prepare the data that all engines share.
    pub took: Duration,
}

/// Data besides the scene from which an engine is created.
enum Prepared {
    Own,
    Recording(PathBuf),
    #[cfg(feature = "reference")]
    Rapier(RapierShapes, Shapes),
}

impl Maker {
    pub fn new(contender: &Contender, scene: &Scene) -> Self {
        let scene = Scene { config: contender.config(&scene.config), ..scene.clone() };
        let start = Instant::now();
        let kind = match &contender.engine {
            EngineKind::Own => Prepared::Own,
            EngineKind::Recording(path) => Prepared::Recording(path.clone()),
            #[cfg(feature = "reference")]
            EngineKind::Rapier(kind) => Prepared::Rapier(*kind, Shapes::new(&scene, *kind)),
        };
        Self { name: contender.name.clone(), kind, took: start.elapsed(), scene }
    }

    /// Creates an engine. A step ends early once `stop` is set.
    pub fn engine(&self, stop: &Arc<AtomicBool>) -> Result<Box<dyn Engine>, CompareError> {
        Ok(match &self.kind {
            Prepared::Own => {
                let made = Own::new(&self.scene, stop);
                Box::new(made.map_err(|e| CompareError::World(self.name.clone(), e))?)
            }
            Prepared::Recording(path) => Box::new(Recorded::new(path, &self.scene)?),
            #[cfg(feature = "reference")]
            Prepared::Rapier(_, shapes) => Box::new(rapier::Rapier::new(&self.scene, shapes)),
        })
    }

    pub fn is_recorded(&self) -> bool {
        matches!(self.kind, Prepared::Recording(_))
    }

    /// Returns whether a time budget limits the contender's search, so that its results vary.
    pub fn is_by_clock(&self) -> bool {
        self.scene.config.budget.is_some_and(|budget| budget.tests.is_none())
    }

    /// Describes the contender's settings in a line.
    pub fn about(&self) -> String {
        let config = &self.scene.config;
        let rest = if config.sleep { "" } else { ", no sleep" };
        match &self.kind {
            Prepared::Recording(_) => "a recording, with the times of its own run".to_owned(),
            Prepared::Own => {
                let threads = match config.threads {
                    0 => "one thread per core".to_owned(),
                    1 => "1 thread".to_owned(),
                    n => format!("{n} threads"),
                };
                let budget = config.budget.map_or(String::new(), |b| match (b.tests, b.us) {
                    (Some(tests), _) => format!(", {tests} node tests per step"),
                    (None, us) => format!(", {} µs per step", us.unwrap_or(0)),
                });
                format!("tumble: {}, {}, {threads}{budget}{rest}", config.tree.name(), config.broad.name())
            }
            #[cfg(feature = "reference")]
            Prepared::Rapier(kind, _) => {
                let shapes = match kind {
                    RapierShapes::Triangles => "triangle meshes",
                    RapierShapes::FixedEdges => "triangle meshes with fixed internal edges",
                    RapierShapes::Convex => "boxes, balls and convex parts",
                };
                let unit = rapier::length_unit(&self.scene);
                let substeps = config.substeps;
                format!(
                    "rapier3d 0.36: {shapes}, length unit {unit:.3} m, {substeps} solver iterations, 1 thread{rest}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_version_of_rapier_that_is_named_is_the_one_that_is_built() {
        let lock = include_str!("../../../Cargo.lock");
        assert!(lock.contains("name = \"rapier3d\"\nversion = \"0.36."));
    }
}
