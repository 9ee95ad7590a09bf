//! `cab-scene`: cost of every link hierarchy on the articulated bodies of any scene or model, as its
//! world moves them. All kinds must find the same intersecting pairs in every frame.

use super::MotionError;
use super::exact::Surface;
use super::methods::METHODS;
use super::motion::Links;
use super::replay::{Articulation, Replay, Roles};
use super::report::Report;
use crate::articulation::Skeleton;
use crate::config::Config;
use crate::experiment::{Experiment, Family, Takes};
use crate::order::Order;
use crate::scene::{Scene, SceneName, load_scene};
use crate::world::articulated;
use crate::{ExperimentError, Findings, Options, ShapeError, Watch, shapes};

pub const EXPERIMENT: Experiment = Experiment {
    name: "cab-scene",
    about: "link hierarchies over the articulations of any scene, with every hit compared",
    item: None,
    family: Family::Links,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

/// Built-in scenes with articulated bodies.
const SCENES: [&str; 2] = ["chain", "walk-through"];

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let frame_count = options.steps(60, 1000) as usize;
    let mut report = Report::new("Articulations of scenes", None);
    let built_in = SCENES.map(SceneName::from);
    let files = if options.meshes.is_empty() { &built_in[..] } else { &options.meshes };
    for file in files {
        let name = shapes::label(file, files);
        watch(&format!("{name}: simulating {frame_count} steps"));
        let mut scene = load_scene(file.clone(), None).map_err(ShapeError::Scene)?;
        scene.config = Config { threads: 1, ..scene.config };
        let replay =
            replay(&scene, frame_count)?.ok_or_else(|| ShapeError::NoJoints { name: file.name.clone() })?;
        watch(&format!("{name}: {frame_count} frames, {} methods", METHODS.len()));
        report.add(&name, &replay, &replay.measure());
    }
    Ok(report.findings())
}

/// Creates a replay that tests articulated bodies against themselves, each other and all other bodies;
/// `None` if the scene has none.
fn replay(scene: &Scene, frame_count: usize) -> Result<Option<Replay>, MotionError> {
    let found = articulated(scene);
    if found.is_empty() {
        return Ok(None);
    }
    let (mut bodies, mut articulations, mut joined) = (Vec::new(), Vec::new(), Vec::new());
    for (members, skeleton, _) in found {
        let first = bodies.len();
        let hang = skeleton.parents().iter().zip(first..);
        joined.extend(hang.filter_map(|(parent, link)| Some([first + (*parent)? as usize, link])));
        bodies.extend(members);
        articulations.push(Articulation { first, skeleton });
    }
    let count = articulations.len();
    let is_single = |b: &u32| scene.bodies[*b as usize].mesh.is_some() && !bodies.contains(b);
    for body in (0..scene.bodies.len() as u32).filter(is_single).collect::<Vec<_>>() {
        articulations.push(Articulation { first: bodies.len(), skeleton: Skeleton::single() });
        bodies.push(body);
    }
    let searches = (0..count).flat_map(|a| (a..articulations.len()).map(move |b| [a, b])).collect();
    for pair in &mut joined {
        pair.order();
    }
    let links = Links::recorded(scene, &bodies, frame_count)?;
    let roles = Roles { articulations, searches, joined };
    Ok(Some(Replay::new(links, roles, Surface::of_triangles, false)))
}
