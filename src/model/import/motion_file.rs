//! Files of joints and clips without a surface. Such a file is motion for an articulated character;
//! alone it contains nothing to simulate.

use std::fmt::{self, Display};

use serde::Serialize;

use super::model::{Model, Note};
use crate::import::model::part_name;
use crate::order::Order;

/// Largest number of clips that a message names.
const CLIPS_NAMED: usize = 8;

/// Contents of a motion file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionFile {
    /// Names of the nodes that have children or tracks, in the order of the file.
    pub joints: Vec<String>,
    pub clips: Vec<ClipSummary>,
    pub notes: Vec<Note>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipSummary {
    pub name: String,
    /// Number of frames of its longest track.
    pub frame_count: usize,
    pub duration_s: f64,
    /// Number of nodes that the clip moves.
    pub node_count: usize,
}

impl MotionFile {
    /// Returns the contents of a model that is a motion file; `None` if it has a surface, no motion, or
    /// no nodes.
    pub(crate) fn of(model: &Model) -> Option<Self> {
        let has_surface = !model.geometries.is_empty() || !model.shapes.is_empty();
        let is_motion = !model.clips.is_empty() || super::mocap::is_motion_file(model.source.as_ref());
        if has_surface || !is_motion || model.nodes.is_empty() {
            return None;
        }
        // The ends of the last bones are nodes too, but they rotate nothing.
        let mut is_joint: Vec<bool> = model.nodes.iter().map(|n| !n.children.is_empty()).collect();
        model.clips.iter().flat_map(|c| &c.tracks).for_each(|t| is_joint[t.node as usize] = true);
        let joints = (0..).zip(&is_joint).filter(|(_, joint)| **joint);
        let clips = model.clips.iter().map(|clip| {
            let mut nodes: Vec<u32> = clip.tracks.iter().map(|t| t.node).collect();
            nodes.order();
            nodes.dedup();
            ClipSummary {
                name: clip.name.clone(),
                frame_count: clip.tracks.iter().map(|t| t.times.len()).max().unwrap_or(0),
                duration_s: clip.duration,
                node_count: nodes.len(),
            }
        });
        Some(Self {
            joints: joints.map(|(node, _)| part_name(model, node)).collect(),
            clips: clips.collect(),
            notes: model.notes.clone(),
        })
    }
}

impl Display for MotionFile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} joints", self.joints.len())?;
        for clip in self.clips.iter().take(CLIPS_NAMED) {
            write!(f, ", {:?} ({} frames, {:.2} s)", clip.name, clip.frame_count, clip.duration_s)?;
        }
        if self.clips.len() > CLIPS_NAMED {
            write!(f, " and {} clips more", self.clips.len() - CLIPS_NAMED)?;
        }
        Ok(())
    }
}
