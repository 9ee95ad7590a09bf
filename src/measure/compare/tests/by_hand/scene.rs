//! The scene of the tests by hand, and an engine that follows a script: it sets the poses after each
//! step, and the times of the step. All lengths are sums of powers of two, so that computations do not
//! round.

use std::path::Path;
use std::time::Duration;

use glam::{DVec3, Vec3};

use crate::body::Motion::{self, Dynamic, Kinematic, Static};
use crate::body::{Bodies, BodyState, Joint, JointAxis, state_hash};
use crate::compare::engine::Engine;
use crate::compare::error::CompareError;
use crate::compare::observed::Observed;
use crate::compare::result::ContenderResult;
use crate::compare::{CompareOptions, observe};
use crate::contact::PairRule;
use crate::files::Existing;
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::record::{EndReason, RunWriter};
use crate::scene::{BodyDef, FigureKind, LinkMotion, Scene, SkeletonDef};
use crate::timing::Timings;
use crate::world::{Measures, StepCounts, bodies_at_start};

/// Name, kind of motion and start position of every body. All but the last three bodies are blocks of
/// 0.5 × 1 × 1 m, whose corners are 0.75 m from their centers; the last three have no surface. Sixteen
/// of the nineteen bodies are dynamic.
const BODIES: [(&str, Motion, [f64; 3]); 19] = [
    ("ground", Static, [0.0, -4.0, 0.0]),
    ("arm", Dynamic, [0.0, 0.0, 0.0]),
    ("hand", Dynamic, [1.5, 0.0, 1.0]),
    ("lid", Dynamic, [8.0, 0.0, 0.0]),
    ("case", Dynamic, [9.0, 0.0, 0.0]),
    ("pin", Dynamic, [16.0, 0.0, 0.0]),
    ("sleeve", Dynamic, [17.0, 0.0, 0.0]),
    ("left", Dynamic, [24.0, 0.0, 0.0]),
    ("right", Dynamic, [25.0, 0.0, 0.0]),
    ("zone", Static, [32.0, 0.0, 0.0]),
    ("guest", Dynamic, [33.0, 0.0, 0.0]),
    ("led.1", Kinematic, [40.0, 0.0, 0.0]),
    ("led.2", Dynamic, [41.0, 0.0, 0.0]),
    ("loose", Dynamic, [48.0, 0.0, 0.0]),
    ("shaft", Dynamic, [56.0, 0.0, 0.0]),
    ("hub", Dynamic, [57.0, 0.0, 0.0]),
    ("mark.1", Dynamic, [64.0, 0.0, 0.0]),
    ("mark.2", Dynamic, [65.0, 0.0, 0.0]),
    ("mark.3", Dynamic, [66.0, 0.0, 0.0]),
];

/// Returns the index of a body by its name.
pub fn index(name: &str) -> usize {
    BODIES.iter().position(|body| body.0 == name).unwrap()
}

/// Creates the scene, with steps of half a second. Joints connect arm and hand, and pin and sleeve,
/// without collision; a pair rule lets pin and sleeve collide again. Lid and case are joined and
/// collide. Left and right never collide. Shaft and hub overlap as modeled. The zone is a sensor, and
/// the two led bodies are links of one articulated character.
pub fn scene() -> Scene {
    let mut scene = Scene::new("by hand");
    let (positions, triangles) = generate::cuboid(Vec3::new(0.5, 1.0, 1.0), 1.0);
    let mesh = scene.add_mesh(Mesh::new("block", &positions, &triangles).unwrap());
    for (name, motion, place) in BODIES {
        let made = match motion {
            Static => BodyDef::fixed(&scene, mesh),
            _ if name.starts_with("mark") => BodyDef::empty(name),
            _ => BodyDef::dynamic(&scene, mesh, 1000.0),
        };
        scene.add_body(BodyDef { name: name.to_owned(), motion, ..made }.at(place.into()));
    }
    scene.bodies[index("zone")].trigger = true;
    let [arm, hand, lid, case, pin, sleeve, left, right, led, shaft, hub] =
        ["arm", "hand", "lid", "case", "pin", "sleeve", "left", "right", "led.1", "shaft", "hub"]
            .map(|name| index(name) as u32);
    scene.joints = vec![joint(arm, hand, false), joint(lid, case, true), joint(pin, sleeve, false)];
    scene.pair_rules = vec![
        (pin, sleeve, PairRule::Collide),
        (left, right, PairRule::Ignore),
        (shaft, hub, PairRule::Permanent),
    ];
    scene.skeletons.push(SkeletonDef {
        name: "figure".to_owned(),
        kind: FigureKind::Kinematic,
        first_body: led,
        link_count: 2,
        parents: vec![None, Some(0)],
        self_collision: false,
        joints: Vec::new(),
        motion: LinkMotion::default(),
        driven: Vec::new(),
    });
    (scene.gravity, scene.config.dt, scene.config.threads) = (DVec3::new(0.0, -8.0, 0.0), 0.5, 1);
    scene
}

/// Creates a joint with all axes free.
pub fn joint(a: u32, b: u32, collide: bool) -> Joint {
    Joint {
        name: format!("{a} to {b}"),
        a,
        b,
        frame_a: Pose::IDENTITY,
        frame_b: Pose::IDENTITY,
        linear: [JointAxis::default(); 3],
        angular: [JointAxis::default(); 3],
        cone: None,
        distance: None,
        friction: 0.0,
        collide,
        pose_drive: None,
    }
}

/// Function that sets the states of all bodies after a step.
type Place = Box<dyn Fn(u32, &mut [BodyState])>;

/// Engine that sets the bodies by its script after each step, relative to their start.
pub struct Scripted {
    start: Bodies,
    bodies: Bodies,
    step: u32,
    place: Place,
    /// Times of each step. The script ends after the last entry.
    pub timings: Vec<Timings>,
    /// Function that returns the energy after a step, J.
    pub energy: fn(u32) -> f64,
    pub counts: StepCounts,
    /// The body that the engine reports as touched, whichever body is asked about.
    pub touched: Option<u32>,
}

/// Creates a script whose `steps` steps take no time.
pub fn scripted(scene: &Scene, steps: u32, place: impl Fn(u32, &mut [BodyState]) + 'static) -> Scripted {
    let start = bodies_at_start(scene);
    Scripted {
        bodies: start.clone(),
        start,
        step: 0,
        place: Box::new(place),
        timings: vec![Timings::default(); steps as usize],
        energy: |_| 0.0,
        counts: StepCounts::default(),
        touched: None,
    }
}

impl Scripted {
    /// Replaces the steps by ones with the given times, ms: update, test, query and solve.
    pub fn taking(mut self, each: impl IntoIterator<Item = [u64; 4]>) -> Self {
        self.timings = each.into_iter().map(stages).collect();
        self
    }
}

/// Converts times of stages in ms to the timings of a step.
pub fn stages(ms: [u64; 4]) -> Timings {
    let [update, test, query, solve] = ms.map(Duration::from_millis);
    Timings { update, test, query, solve }
}

impl Engine for Scripted {
    fn step(&mut self) -> Option<Timings> {
        let timings = *self.timings.get(self.step as usize)?;
        self.step += 1;
        Some(timings)
    }

    fn observe(&mut self) -> Result<(), CompareError> {
        self.bodies = self.start.clone();
        (self.place)(self.step, &mut self.bodies.states);
        Ok(())
    }

    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn record(&self) -> (StepCounts, Measures) {
        (self.counts, Measures { energy: (self.energy)(self.step), ..Measures::default() })
    }

    fn state_hash(&self) -> u64 {
        if self.step == 0 { 0 } else { u64::from(self.step) << 32 | state_hash(&self.bodies) >> 32 }
    }

    fn touched(&self, _body: u32) -> Option<u32> {
        self.touched
    }
}

/// Observes engines over `steps` steps. Measures overlap at the start, after every `overlap_every`-th
/// step and after the last. Returns the results, the steps with measured overlap, and the steps after
/// which deviations were kept.
pub fn seen<const N: usize>(
    scene: &Scene,
    [steps, overlap_every]: [u32; 2],
    engines: [Scripted; N],
) -> ([ContenderResult; N], [Vec<u32>; 2]) {
    let start = |engine| Observed::new(Box::new(engine), ContenderResult::default(), None).unwrap();
    let mut all = engines.map(start);
    let options = CompareOptions { steps, overlap_every, ..CompareOptions::default() };
    let (sampled, tracked) = observe(scene, &options, &mut all, &mut |_, _| true);
    (all.map(|one| one.finish(scene, steps).result), [sampled, tracked])
}

/// Writes a recording of all steps of a script.
pub fn record(path: &Path, scene: &Scene, mut engine: Scripted) {
    let mut writer = RunWriter::create(path, scene, Existing::Keep).unwrap();
    while let Some(timings) = engine.step() {
        engine.observe().unwrap();
        let (counts, measures) = engine.record();
        writer.append(engine.bodies(), &timings, &counts, &measures).unwrap();
    }
    writer.finish(EndReason::Finished).unwrap();
}

/// Moves a body by `way`, m.
pub fn shift(states: &mut [BodyState], name: &str, way: [f64; 3]) {
    states[index(name)].pose.position += DVec3::from(way);
}
