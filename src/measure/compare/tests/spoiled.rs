//! Engine for tests that falsifies the pose of a body after a step.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::super::engine::{Engine, Own};
use super::super::error::CompareError;
use super::super::observe::Observer;
use super::super::observed::Observed;
use super::super::result::ContenderResult;
use crate::body::{Bodies, BodyState};
use crate::generate;
use crate::mesh::Mesh;
use crate::scene::{BodyDef, Scene};
use crate::timing::Timings;
use crate::world::{Measures, StepCounts};

/// World of this program in which one body is falsified.
struct Spoiled {
    own: Own,
    bodies: Bodies,
    step: u32,
    spoil: fn(u32, &mut BodyState),
}

impl Engine for Spoiled {
    fn step(&mut self) -> Option<Timings> {
        self.step += 1;
        self.own.step()
    }

    fn observe(&mut self) -> Result<(), CompareError> {
        self.bodies = self.own.bodies().clone();
        (self.spoil)(self.step, &mut self.bodies.states[1]);
        Ok(())
    }

    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn record(&self) -> (StepCounts, Measures) {
        self.own.record()
    }
}

/// Observes ten steps of a ball that falls on a plate, in a world of this program and in a falsified
/// one.
pub fn observed(spoil: fn(u32, &mut BodyState)) -> [ContenderResult; 2] {
    let mut scene = Scene::new("ball");
    let mut add = |name: &str, (positions, triangles): generate::Triangles| {
        scene.add_mesh(Mesh::new(name, &positions, &triangles).unwrap())
    };
    let plate = add("plate", generate::cuboid(Vec3::new(2.0, 0.2, 2.0), 2.0));
    let ball = add("ball", generate::sphere(0.1, 12));
    let bodies =
        [BodyDef::fixed(&scene, plate), BodyDef::dynamic(&scene, ball, 1000.0).at(DVec3::new(0.0, 1.0, 0.0))];
    for body in bodies {
        scene.add_body(body);
    }
    scene.config.threads = 1;
    let own = || Own::new(&scene, &Arc::default()).unwrap();
    let spoiled = Spoiled { own: own(), bodies: Bodies::default(), step: 0, spoil };
    let engines: [Box<dyn Engine>; 2] = [Box::new(own()), Box::new(spoiled)];
    let start = |engine| Observed::new(engine, ContenderResult::default(), None).unwrap();
    let mut all = engines.map(start);
    let mut observer = Observer::new(&scene, 10);
    for step in 1..=10 {
        assert!(observer.step(step, &mut all));
    }
    all.map(|one| one.finish(&scene, 10).result)
}
