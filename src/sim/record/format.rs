//! Contents of the chunks of a recording. Chunks are written in this order:
//!
//! geometry (each distinct surface once) · paints, then drawn surfaces, in the scene's order · opening
//! (the scene) · one chunk per step, every 60th a keyframe · end.
//!
//! Payloads are MessagePack with named fields, so that fields can be added or moved later. Poses,
//! activities (codes) and packed lists are stored without names. Readers skip chunks of unknown kinds.

use glam::{DQuat, DVec3};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::decode::{DecodeError, Decoder};
use super::packed::Packed;
use crate::body::Activity;
use crate::pose::Pose;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts};

/// Chunk kind of a [`crate::mesh::Surface`]; the surface is identified by the [`SurfaceId`] of its
/// payload.
pub const GEOMETRY: u32 = 1;
/// Chunk kind of an [`Opening`]. All chunks that a run needs precede it.
pub const OPENING: u32 = 2;
/// Chunk kind of a [`StepRecord`] with differences from the start of the run.
pub const KEYFRAME: u32 = 3;
/// Chunk kind of a [`StepRecord`] with differences from the step before.
pub const STEP: u32 = 4;
/// Chunk kind of an [`End`]. A recording without one was cut off.
pub const END: u32 = 5;
/// Chunk kind of a [`crate::scene::looks::Paint`].
pub const PAINT: u32 = 6;
/// Chunk kind of a [`crate::scene::looks::DrawnSurface`].
pub const DRAWN: u32 = 7;

/// Steps from one keyframe to the next. A seek reads at most this number of chunks. More frequent
/// keyframes would enlarge the file: each contains all bodies that moved since the start, about 70
/// bytes per body before compression.
pub const KEYFRAME_INTERVAL: u32 = 60;

/// Start of a recording: program version and scene.
#[derive(Debug, Serialize, Deserialize)]
pub struct Opening<Scene> {
    /// Version of the program that wrote the recording.
    pub tumble_version: String,
    /// Scene without its meshes, paints and drawn surfaces.
    pub scene: Scene,
    /// Identity of each of the scene's meshes, in its order.
    pub meshes: Vec<SurfaceId>,
}

/// Changes and costs of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// Number of the step, from 1. Step 0 is the scene itself.
    pub step: u32,
    /// Bodies, ascending, whose pose changed since the previous step; in a keyframe, since the start.
    pub poses: Vec<Moved>,
    /// Activities that changed since the previous step, or in a keyframe since the start, when all
    /// bodies are awake.
    pub rests: Vec<(u32, Rest)>,
    /// Whole turns of joints that changed, with index: three times the joint's index plus the axis (0
    /// to 2). At the start they are those of the scene.
    #[serde(default)]
    pub turns: Vec<(u32, i32)>,
    pub timings: Timings,
    pub counts: StepCounts,
    #[serde(default)]
    pub measures: Measures,
    /// Touching pairs, joints, joint axes and single contacts. Each is encoded as changes of the list
    /// of the previous step; in a keyframe, of an empty list. `None` if not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touches: Option<Packed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joints: Option<Packed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Packed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contacts: Option<Packed>,
    /// State hash after the step ([`crate::body::state_hash`]).
    pub state_hash: u64,
}

/// New pose of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(u32, DQuat, DVec3)", into = "(u32, DQuat, DVec3)")]
pub struct Moved {
    pub body: u32,
    /// Transform from body space to world.
    pub pose: Pose,
}

impl From<(u32, DQuat, DVec3)> for Moved {
    fn from((body, rotation, position): (u32, DQuat, DVec3)) -> Self {
        Self { body, pose: Pose { rotation, position } }
    }
}

impl From<Moved> for (u32, DQuat, DVec3) {
    fn from(Moved { body, pose }: Moved) -> Self {
        (body, pose.rotation, pose.position)
    }
}

/// Activity of a body, without the timer that it has in a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Rest {
    #[default]
    Awake,
    Asleep,
    Quarantined,
}

impl Rest {
    pub const ALL: [Self; 3] = [Self::Awake, Self::Asleep, Self::Quarantined];
}

impl From<Activity> for Rest {
    fn from(activity: Activity) -> Self {
        match activity {
            Activity::Awake { .. } => Self::Awake,
            Activity::Asleep => Self::Asleep,
            Activity::Quarantined => Self::Quarantined,
        }
    }
}

impl From<Rest> for u8 {
    fn from(rest: Rest) -> Self {
        rest as Self
    }
}

impl TryFrom<u8> for Rest {
    type Error = String;

    fn try_from(code: u8) -> Result<Self, String> {
        Self::ALL.get(usize::from(code)).copied().ok_or_else(|| format!("no activity has code {code}"))
    }
}

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub step_count: u32,
    pub reason: EndReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// Finished: all requested steps were made.
    Finished,
    /// Stopped by the user.
    Interrupted,
}

/// Identity of a surface: xxh3-128 of its payload, as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SurfaceId(u128);

impl SurfaceId {
    pub fn of(payload: &[u8]) -> Self {
        Self(xxhash_rust::xxh3::xxh3_128(payload))
    }
}

impl std::fmt::Display for SurfaceId {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl From<SurfaceId> for String {
    fn from(id: SurfaceId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for SurfaceId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = Some(&*text).filter(|t| t.len() == 32);
        let id = digits.and_then(|t| u128::from_str_radix(t, 16).ok());
        id.map(Self).ok_or_else(|| format!("{text:?} is no surface"))
    }
}

/// Encodes a value into `payload`, which is cleared first.
pub fn encode(value: &impl Serialize, payload: &mut Vec<u8>) -> Result<(), rmp_serde::encode::Error> {
    payload.clear();
    rmp_serde::encode::write_named(payload, value)
}

/// Decodes a payload that must consist of exactly one value.
pub fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, DecodeError> {
    let mut decoder = Decoder::new(payload);
    let value = T::deserialize(&mut decoder)?;
    decoder.end().map(|()| value)
}
