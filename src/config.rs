//! Every choice of a run: kinds, time step, sub-steps, seed, threads. What a scene file writes under
//! `[config]`, what the command line overrides, what a recording stores.

use serde::{Deserialize, Serialize};

use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::tree::{SplitRule, TreeKind};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Seconds a step advances; 1/60 unless the scene is small or fast.
    pub dt: f64,
    /// Solver sub-steps in a step. More hold higher stacks and larger mass ratios.
    pub substeps: u32,
    pub tree: TreeKind,
    /// How the tree's builder divides triangles.
    pub split: SplitRule,
    pub broad: BroadPhaseKind,
    pub links: LinkTreeKind,
    pub skins: SkinKind,
    /// Worker threads; 0 takes one per core. The motion does not depend on it.
    pub threads: u32,
    /// Seeds everything random (placement of copies).
    pub seed: u64,
    /// Whether bodies at rest fall asleep.
    pub sleep: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            dt: 1.0 / 60.0,
            substeps: 4,
            tree: TreeKind::default(),
            split: SplitRule::default(),
            broad: BroadPhaseKind::default(),
            links: LinkTreeKind::default(),
            skins: SkinKind::default(),
            threads: 0,
            seed: 1,
            sleep: true,
        }
    }
}
