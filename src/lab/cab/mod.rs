//! Link hierarchies of articulated bodies over recorded motion. \[cab\] §4
//!
//! - `chains.rs`: two chains of links on ball joints, swinging or braided.
//! - `crowd.rs`: `cab-crowd`, figures that walk through standing parts.
//! - `error.rs`: why no motion can be had.
//! - `exact.rs`: what a candidate pair of links is asked exactly.
//! - `hand.rs`: a hand that flicks a ball up a sloping table.
//! - `linkage.rs`: links posed by the angles of their joints.
//! - `motion.rs`: recorded motion: where every link was in every frame.
//! - `paper.rs`: what the paper measured, its Tables 1 to 5.
//! - `replay.rs`: recorded motion seen by every kind of link hierarchy.
//! - `report.rs`: rows with the paper's columns, beside its own rows and claims.
//! - `scenes.rs`: `cab-scene`, the articulations of any scene under every kind.

mod chains;
pub mod crowd;
mod error;
mod exact;
mod hand;
mod linkage;
mod motion;
mod paper;
mod replay;
mod report;
pub mod scenes;

use std::sync::Arc;

use super::{ExperimentError, Findings, Options, ShapeError, Watch};
use crate::articulation::{LinkShape, Skeleton};
use crate::generate::Limb;
use crate::lab::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::scene::{Scene, SceneName};
use crate::world::World;
use chains::{Chains, Course};
pub use error::MotionError;
use exact::Surface;
use hand::{HandScene, SURROUNDINGS};
use motion::Recording;
use paper::PaperTable;
use replay::{Articulation, METHODS, Replay};
use report::Report;

pub const CONVEX_3: Experiment = Experiment {
    name: "cab-convex-3",
    about: "link hierarchies over two swinging chains of links 3:1",
    item: Some("[cab] Table 1"),
    family: Family::Links,
    takes: Takes::NOTHING,
    run: |options, watch| run_chains(&CONVEX_3_CHAINS, options, watch),
};

pub const CONVEX_6: Experiment = Experiment {
    name: "cab-convex-6",
    about: "link hierarchies over two swinging chains of links 6:1",
    item: Some("[cab] Table 2"),
    family: Family::Links,
    takes: Takes::NOTHING,
    run: |options, watch| run_chains(&CONVEX_6_CHAINS, options, watch),
};

pub const NONCONVEX: Experiment = Experiment {
    name: "cab-nonconvex",
    about: "link hierarchies over two chains of dented links 6:1",
    item: Some("[cab] Table 3"),
    family: Family::Links,
    takes: Takes::NOTHING,
    run: |options, watch| run_chains(&NONCONVEX_CHAINS, options, watch),
};

pub const BRAIDED: Experiment = Experiment {
    name: "cab-braided",
    about: "link hierarchies over two chains wound around each other",
    item: Some("[cab] Table 4"),
    family: Family::Links,
    takes: Takes::NOTHING,
    run: |options, watch| run_chains(&BRAIDED_CHAINS, options, watch),
};

pub const HAND: Experiment = Experiment {
    name: "cab-hand",
    about: "link hierarchies over a hand that flicks a ball",
    item: Some("[cab] Table 5"),
    family: Family::Links,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run: run_hand,
};

/// Links a chain.
const QUICK: [u32; 1] = [8];
const FULL: [u32; 2] = [8, 32];

/// Two chains, and the paper's table of them.
struct ChainsPlan {
    limb: Limb,
    course: Course,
    paper: PaperTable,
    title: &'static str,
}

const CONVEX_3_CHAINS: ChainsPlan = ChainsPlan {
    limb: Limb::STOUT,
    course: Course::Swinging,
    paper: PaperTable::Convex3,
    title: "Two swinging chains of links 3:1",
};
const CONVEX_6_CHAINS: ChainsPlan = ChainsPlan {
    limb: Limb::SLENDER,
    course: Course::Swinging,
    paper: PaperTable::Convex6,
    title: "Two swinging chains of links 6:1",
};
const NONCONVEX_CHAINS: ChainsPlan = ChainsPlan {
    limb: Limb::HULL,
    course: Course::Swinging,
    paper: PaperTable::NonConvex,
    title: "Two swinging chains of dented links 6:1",
};
const BRAIDED_CHAINS: ChainsPlan = ChainsPlan {
    limb: Limb::SLENDER,
    course: Course::Braided,
    paper: PaperTable::Braided,
    title: "Two braided chains of links 6:1",
};

/// Tables 1 to 4.
fn run_chains(plan: &ChainsPlan, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let &ChainsPlan { limb, course, paper, title } = plan;
    let frame_count = options.steps(400, 10_000) as usize;
    let mut report = Report::new(title, Some(paper));
    for &link_count in if options.quick { &QUICK[..] } else { &FULL } {
        let name = format!("2 × {link_count} links");
        watch(&format!("{name}: {frame_count} frames are made"));
        let chains = Chains { limb, link_count, course };
        let scene = chains.scene(frame_count).map_err(|source| ShapeError::Generate { source })?;
        let (replay, hash) = replay_chains(&scene, &chains, frame_count)?;
        watch(&format!("{name}: {frame_count} frames, {} methods", METHODS.len()));
        report.add(&name, hash, &replay, &replay.measure());
    }
    Ok(report.findings())
}

/// A hand and a ball: Table 5.
fn run_hand(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let frame_count = options.steps(200, 4000) as usize;
    let mut report = Report::new("A hand flicks a ball over a table", Some(PaperTable::Hand));
    let files: Vec<Option<&SceneName>> = match &options.meshes[..] {
        [] => vec![None],
        files => files.iter().map(Some).collect(),
    };
    for file in files {
        let name = file.map_or("own hand".to_owned(), |f| super::shapes::label(f, &options.meshes));
        watch(&format!("{name}: {frame_count} frames are made"));
        let (replay, hash) = replay_hand(&HandScene::new(file, frame_count)?, frame_count)?;
        watch(&format!("{name}: {frame_count} frames, {} methods", METHODS.len()));
        report.add(&name, hash, &replay, &replay.measure());
    }
    Ok(report.findings())
}

fn replay_chains(scene: &Scene, chains: &Chains, frame_count: usize) -> Result<(Replay, u64), MotionError> {
    let count = chains.link_count as usize;
    let parents = (0..count).map(|k| (k > 0).then(|| k as u32 - 1)).collect();
    let anchor = chains.anchor();
    let skeleton = Skeleton::new(parents, vec![anchor.as_vec3(); count])?;
    let articulation = |first| Articulation { first, skeleton: skeleton.clone() };
    let joined = (0..2 * count - 1).filter(|k| k + 1 != count).map(|k| [k, k + 1]).collect();
    let searches = vec![[0, 0], [1, 1], [0, 1]];
    let articulations = vec![articulation(0), articulation(count)];
    replay(scene, frame_count, articulations, searches, joined)
}

fn replay_hand(hand: &HandScene, frame_count: usize) -> Result<(Replay, u64), MotionError> {
    let count = hand.linkage.link_count;
    let anchors = hand.linkage.anchors().iter().map(|a| a.as_vec3()).collect();
    let mut articulations =
        vec![Articulation { first: 0, skeleton: Skeleton::new(hand.linkage.parents(), anchors)? }];
    for k in 0..SURROUNDINGS.len() {
        articulations.push(Articulation { first: count + k, skeleton: Skeleton::single() });
    }
    let searches = (1..articulations.len()).map(|k| [0, k]).collect();
    replay(&hand.scene, frame_count, articulations, searches, Vec::new())
}

/// Simulates a scene and takes the motion of the bodies of all articulations; also returns a number for it.
fn replay(
    scene: &Scene,
    frame_count: usize,
    articulations: Vec<Articulation>,
    searches: Vec<[usize; 2]>,
    joined: Vec<[usize; 2]>,
) -> Result<(Replay, u64), MotionError> {
    let link_count: usize = articulations.iter().map(|a| a.skeleton.len()).sum();
    let bodies: Vec<u32> = (0..link_count as u32).collect();
    let Recording { poses, hash } = Recording::new(&mut World::new(scene)?, &bodies, frame_count);
    let (shapes, surfaces) = shapes_and_surfaces(scene, &bodies, Surface::new);
    let replay = Replay { articulations, searches, shapes, surfaces, joined, poses, asks_depth: true };
    Ok((replay, hash))
}

type ByLink<T> = Vec<Option<Arc<T>>>;

/// What hierarchies and exact queries see of bodies, made once a mesh.
fn shapes_and_surfaces(
    scene: &Scene,
    bodies: &[u32],
    surface: impl Fn(&Arc<Mesh>) -> Surface,
) -> (ByLink<LinkShape>, ByLink<Surface>) {
    let meshes: Vec<Option<usize>> =
        bodies.iter().map(|&b| scene.bodies[b as usize].mesh.map(|m| m as usize)).collect();
    let is_used = |m: usize| meshes.contains(&Some(m));
    let of_mesh = |(index, mesh): (usize, &Arc<Mesh>)| {
        let both =
            || (LinkShape::new(mesh.vertices(), mesh.triangles()).map(Arc::new), Arc::new(surface(mesh)));
        is_used(index).then(both)
    };
    let made: Vec<_> = scene.meshes.iter().enumerate().map(of_mesh).collect();
    let pick = |m: &Option<usize>| made[(*m)?].as_ref();
    (
        meshes.iter().map(|m| pick(m)?.0.clone()).collect(),
        meshes.iter().map(|m| Some(pick(m)?.1.clone())).collect(),
    )
}
