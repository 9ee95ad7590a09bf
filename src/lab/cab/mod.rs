//! Link hierarchies of articulated bodies, compared on the same motions. \[cab\] §4
//!
//! - `chains.rs`: two chains of links on ball joints, swinging or braided.
//! - `crowd.rs`: `cab-crowd`, articulated characters that walk through static parts.
//! - `error.rs`: errors of making a motion.
//! - `exact.rs`: exact query of a candidate pair of links.
//! - `hand.rs`: a hand that flicks a ball up a sloping table.
//! - `hand_links.rs`: the links of the built-in hand, or of a file.
//! - `linkage.rs`: links posed by the angles of their joints.
//! - `methods.rs`: the compared methods to find pairs of links.
//! - `motion.rs`: the pose of every link in every frame, by a formula or recorded from a world.
//! - `paper.rs`: the paper's measurements, its Tables 1 to 5.
//! - `replay.rs`: replay of a motion under every kind of link hierarchy.
//! - `report.rs`: rows with the paper's columns, beside its own rows and claims.
//! - `scenes.rs`: `cab-scene`, the articulations of any scene under every kind.

mod chains;
pub mod crowd;
mod error;
mod exact;
mod hand;
mod hand_links;
mod linkage;
mod methods;
mod motion;
mod paper;
mod replay;
mod report;
pub mod scenes;

use super::{ExperimentError, Findings, Options, ShapeError, Watch};
use crate::articulation::Skeleton;
use crate::experiment::{Experiment, Family, Takes};
use crate::generate::Limb;
use crate::scene::SceneName;
use chains::{ChainMotion, Chains, Swing};
pub use error::MotionError;
use exact::Surface;
use hand::{Hand, SURROUNDINGS};
use methods::METHODS;
use paper::PaperTable;
use replay::{Articulation, Replay, Roles};
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

/// Numbers of links per chain.
const QUICK: [u32; 1] = [8];
const FULL: [u32; 2] = [8, 32];

/// Experiment on two chains, with the paper's corresponding table.
struct ChainsPlan {
    chains: Chains,
    /// Shape that is queried in place of the moving links' own shape.
    seen: Limb,
    paper: PaperTable,
    title: &'static str,
}

const CONVEX_3_CHAINS: ChainsPlan = ChainsPlan {
    chains: Chains { limb: Limb::STOUT, link_count: 8, course: ChainMotion::Swinging(Swing::STOUT) },
    seen: Limb::STOUT,
    paper: PaperTable::Convex3,
    title: "Two swinging chains of links 3:1",
};
const CONVEX_6_CHAINS: ChainsPlan = ChainsPlan {
    chains: Chains { limb: Limb::SLENDER, link_count: 8, course: ChainMotion::Swinging(Swing::SLENDER) },
    seen: Limb::SLENDER,
    paper: PaperTable::Convex6,
    title: "Two swinging chains of links 6:1",
};
/// The motion is that of Table 2, because both tables count 130,112 pairs of boxes around vertices.
const NONCONVEX_CHAINS: ChainsPlan = ChainsPlan {
    seen: Limb::HULL,
    paper: PaperTable::NonConvex,
    title: "Two swinging chains of dented links 6:1",
    ..CONVEX_6_CHAINS
};
const BRAIDED_CHAINS: ChainsPlan = ChainsPlan {
    chains: Chains { limb: Limb::SLENDER, link_count: 8, course: ChainMotion::Braided },
    seen: Limb::SLENDER,
    paper: PaperTable::Braided,
    title: "Two braided chains of links 6:1",
};

/// Runs an experiment on two chains (Tables 1 to 4).
fn run_chains(plan: &ChainsPlan, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let frame_count = options.steps(400, 10_000) as usize;
    let mut report = Report::new(plan.title, Some(plan.paper));
    for &link_count in if options.quick { &QUICK[..] } else { &FULL } {
        let name = format!("2 × {link_count} links");
        watch(&format!("{name}: {frame_count} frames, {} methods", METHODS.len()));
        let chains = Chains { link_count, ..plan.chains };
        let replay = replay_chains(&chains, plan.seen, frame_count)?;
        report.add(&name, &replay, &replay.measure());
    }
    Ok(report.findings())
}

/// Runs the experiment on a hand and a ball (Table 5).
fn run_hand(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let frame_count = options.steps(200, 4000) as usize;
    let mut report = Report::new("A hand flicks a ball over a table", Some(PaperTable::Hand));
    let files: Vec<Option<&SceneName>> = match &options.meshes[..] {
        [] => vec![None],
        files => files.iter().map(Some).collect(),
    };
    for file in files {
        let name = file.map_or("own hand".to_owned(), |f| super::shapes::label(f, &options.meshes));
        watch(&format!("{name}: {frame_count} frames, {} methods", METHODS.len()));
        let replay = replay_hand(&Hand::new(file)?, frame_count)?;
        report.add(&name, &replay, &replay.measure());
    }
    Ok(report.findings())
}

fn replay_chains(chains: &Chains, seen: Limb, frame_count: usize) -> Result<Replay, ExperimentError> {
    let count = chains.link_count as usize;
    let parents = (0..count).map(|k| (k > 0).then(|| k as u32 - 1)).collect();
    let anchors = vec![chains.anchor().as_vec3(); count];
    let skeleton = Skeleton::new(parents, anchors).map_err(MotionError::from)?;
    let articulation = |first| Articulation { first, skeleton: skeleton.clone() };
    let roles = Roles {
        articulations: vec![articulation(0), articulation(count)],
        searches: vec![[0, 0], [1, 1], [0, 1]],
        joined: (0..2 * count - 1).filter(|k| k + 1 != count).map(|k| [k, k + 1]).collect(),
    };
    let links = chains.links(seen, frame_count).map_err(|source| ShapeError::Generate { source })?;
    Ok(Replay::new(links, roles, Surface::new, true))
}

fn replay_hand(hand: &Hand, frame_count: usize) -> Result<Replay, MotionError> {
    let count = hand.linkage.link_count;
    let anchors = hand.linkage.anchors().iter().map(|a| a.as_vec3()).collect();
    let mut articulations =
        vec![Articulation { first: 0, skeleton: Skeleton::new(hand.linkage.parents(), anchors)? }];
    for k in 0..SURROUNDINGS.len() {
        articulations.push(Articulation { first: count + k, skeleton: Skeleton::single() });
    }
    let searches = (1..articulations.len()).map(|k| [0, k]).collect();
    let roles = Roles { articulations, searches, joined: Vec::new() };
    Ok(Replay::new(hand.links(frame_count), roles, Surface::new, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that the motions stay equal bit by bit, so that no change of the solver affects the counts
    /// in the tables.
    #[test]
    fn motions_stay_what_they_are() {
        for (plan, expected) in [
            (CONVEX_3_CHAINS, 0xaaf0_520c_949a_e34a),
            (CONVEX_6_CHAINS, 0x6b04_d1a7_1130_4f04),
            (NONCONVEX_CHAINS, 0x6b04_d1a7_1130_4f04),
            (BRAIDED_CHAINS, 0xfab6_297b_5c6b_4bf0),
        ] {
            let links = plan.chains.links(plan.seen, 10_000).unwrap();
            assert_eq!(links.hash(), expected, "{}", plan.title);
        }
        assert_eq!(Hand::new(None).unwrap().links(4000).hash(), 0x83c3_9140_0976_0ff4);
    }
}
