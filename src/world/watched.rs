//! What is watched for while a world steps, and what was seen.

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::cores::Core;
use super::incidents::Incidents;
use crate::pose::Pose;
use crate::tree::SegmentStack;

/// What is watched for, and what was seen.
#[derive(Default)]
pub(super) struct Watch {
    /// One a body.
    pub cores: Vec<Option<Core>>,
    /// Where the bodies were when the last step ended.
    pub before: Vec<Pose>,
    /// Against gravity, unit, and the height on it below which a body has fallen out of the world, m.
    pub floor: Option<(DVec3, f64)>,
    pub incidents: Incidents,
    /// At which index of those a pair is.
    pub passage_of: FxHashMap<(u32, u32), usize>,
    pub reach_of: FxHashMap<(u32, u32), usize>,
    pub crowded_of: FxHashMap<(u32, u32), usize>,
    pub outrun_of: FxHashMap<u32, usize>,
    pub cut_spin_of: FxHashMap<u32, usize>,
    /// The world stands beyond all bodies.
    pub load_of: FxHashMap<[usize; 2], usize>,
    /// One a body.
    pub has_fallen: Vec<bool>,
    pub stack: SegmentStack,
}
