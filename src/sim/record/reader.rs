//! Reader of a recording: the scene, and the poses of any step.
//!
//! Opening a recording reads the file once, checks every chunk, and notes the offset of each step. If
//! the end of the file is torn or damaged, the steps before it can be read, and the damage is reported.
//! Reading the next step takes one chunk, and seeking another at most 60.

use std::path::{Path, PathBuf};

use super::RecordError;
use super::container::{self, ChunkError, ChunkPlace, Scan, Source};
use super::format::{self, End, StepRecord};
use super::frame::Frame;
use super::kept::{Found, Lists};
use super::scene_chunks::{SceneFault, read_scene};
use crate::files;
use crate::scene::Scene;

/// Reader of a recording.
pub struct RunReader {
    pub(super) path: PathBuf,
    source: Box<dyn Source>,
    tumble_version: String,
    pub(super) scene: Scene,
    /// Chunk of each step: that of step k at index k − 1.
    pub(super) steps: Vec<ChunkPlace>,
    end: Option<End>,
    problem: Option<String>,
    pub(super) frame: Frame,
    /// Contacts and joints of the step that `frame` shows.
    pub(super) found: Found,
    pub(super) lists: Lists,
}

impl RunReader {
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let fail = |source| RecordError::Open { path: path.to_owned(), source };
        let (file, _) = files::open_regular(path).map_err(fail)?;
        let mut reader = Self::new(Box::new(file), path)?;
        reader.scene.files.push(path.to_owned());
        Ok(reader)
    }

    /// Opens a recording from any source. `path` is only used in messages.
    pub fn new(mut source: Box<dyn Source>, path: &Path) -> Result<Self, RecordError> {
        let chunk_error = |source| RecordError::Chunk { path: path.to_owned(), source };
        let no_scene = |reason| RecordError::NoScene { path: path.to_owned(), reason };
        let scan = container::scan(&mut *source).map_err(chunk_error)?;
        check_size(&scan).map_err(|limit| RecordError::TooLarge { path: path.to_owned(), limit })?;
        let mut chunks = scan.chunks.iter();
        let (tumble_version, scene) =
            read_scene(&mut *source, &scan, &mut chunks).map_err(|fault| match fault {
                SceneFault::Chunk(source) => chunk_error(source),
                SceneFault::NoScene(reason) => no_scene(reason),
            })?;
        let mut steps = Vec::new();
        let mut end = None;
        for &place in chunks.by_ref() {
            match place.kind {
                _ if is_step(&place) => steps.push(place),
                format::END => {
                    let payload = container::read_chunk(&mut *source, place).map_err(chunk_error)?;
                    end = format::decode::<End>(&payload).ok();
                    break;
                }
                _ => {}
            }
        }
        if end.is_none()
            && let Some(payload) = container::read_last(&mut *source, format::END).map_err(chunk_error)?
        {
            end = format::decode::<End>(&payload).ok();
        }
        let extent = Extent { held: steps.len(), planned: scene.steps, has_more: chunks.next().is_some() };
        let problem = extent.problem(scan.problem, end);
        let (frame, found, lists) = (Frame::start(&scene), Found::default(), Lists::new(&scene));
        let path = path.to_owned();
        Ok(Self { path, source, tumble_version, scene, steps, end, problem, frame, found, lists })
    }

    /// Returns the version of the program that wrote the recording.
    pub fn tumble_version(&self) -> &str {
        &self.tumble_version
    }

    /// Returns the scene of the recording, including its meshes.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the number of readable steps.
    pub fn step_count(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Returns how the run ended and after how many steps. These may be more than can be read. Returns
    /// `None` if the recording has no end.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns whether the recording has an end and all its steps can be read. The recording of a
    /// killed run has no end.
    pub fn is_complete(&self) -> bool {
        self.problem.is_none()
    }

    /// Returns the reason why the recording is incomplete; `None` if it is complete.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Returns the changes and costs of step `step`, which counts from 1.
    pub fn record(&mut self, step: u32) -> Result<StepRecord, RecordError> {
        let index = step.checked_sub(1).map(|k| k as usize);
        let Some(&place) = index.and_then(|k| self.steps.get(k)) else {
            return Err(self.no_such_step(step));
        };
        let payload = container::read_chunk(&mut *self.source, place)
            .map_err(|source| RecordError::Chunk { path: self.path.clone(), source })?;
        let wrong = |reason| RecordError::Step { path: self.path.clone(), step, reason };
        let record: StepRecord = format::decode(&payload).map_err(|e| wrong(e.to_string()))?;
        if record.step != step {
            return Err(wrong(format!("it calls itself step {}", record.step)));
        }
        let body_count = self.scene.bodies.len();
        let is_body = |index: u32| (index as usize) < body_count;
        if !record.poses.iter().all(|m| is_body(m.body) && m.pose.is_rigid()) {
            return Err(wrong("a pose is not a rigid transform".to_owned()));
        }
        if !record.measures.deepest.is_none_or(|pair| pair.into_iter().all(is_body)) {
            return Err(wrong("its deepest contact is of missing bodies".to_owned()));
        }
        if !record.rests.iter().all(|&(body, _)| is_body(body)) {
            return Err(wrong("a body is missing".to_owned()));
        }
        let joint_count = self.scene.joints.len();
        if !record.turns.iter().all(|&(place, _)| (place as usize) < 3 * joint_count) {
            return Err(wrong("a joint is missing".to_owned()));
        }
        Ok(record)
    }

    /// Moves to a step and returns the state of all bodies after it; 0 is the start.
    pub fn seek(&mut self, step: u32) -> Result<&Frame, RecordError> {
        if step > self.step_count() {
            return Err(self.no_such_step(step));
        }
        // Finds the last keyframe at or before the step. The start counts as a keyframe.
        let keyframe = (1..=step).rev().find(|&k| self.is_keyframe(k)).unwrap_or(0);
        let first = if (keyframe..=step).contains(&self.frame.step) {
            self.frame.step + 1
        } else {
            self.frame = Frame::start(&self.scene);
            self.found = Found::default();
            keyframe.max(1)
        };
        for k in first..=step {
            let (record, keyframe) = (self.record(k)?, self.is_keyframe(k));
            let found = self.found.after(&record, keyframe);
            let found = found.map_err(|reason| self.wrong(k, reason))?;
            // Both are set together, so after an error above the frame is still that of a valid step.
            self.frame.apply(&self.scene, &record, keyframe);
            self.found = found;
        }
        Ok(&self.frame)
    }

    fn is_keyframe(&self, step: u32) -> bool {
        self.steps[step as usize - 1].kind == format::KEYFRAME
    }

    fn no_such_step(&self, step: u32) -> RecordError {
        RecordError::NoSuchStep { path: self.path.clone(), step, step_count: self.step_count() }
    }
}

/// Extent of the steps of a recording, from which an incomplete one is reported.
struct Extent {
    /// Number of steps that can be read.
    held: usize,
    /// Number of steps that the scene specifies for a run.
    planned: u32,
    /// Whether chunks follow the end of the run.
    has_more: bool,
}

impl Extent {
    /// Returns the reason why a recording is incomplete, if it is. `damage` is the first damage to a
    /// chunk.
    fn problem(&self, damage: Option<ChunkError>, end: Option<End>) -> Option<String> {
        let Self { held, planned, has_more } = *self;
        match (damage, end) {
            (Some(why), Some(End { step_count, .. })) => {
                Some(format!("{held} of {step_count} recorded steps can be read: {why}"))
            }
            (None | Some(ChunkError::Torn { .. }), None) => {
                Some(format!("the run was cut off after step {held} of {planned}"))
            }
            (Some(why), None) => {
                Some(format!("{held} of {planned} planned steps can be read, and no end: {why}"))
            }
            (None, Some(End { step_count, .. })) if step_count as usize != held => {
                Some(format!("{held} of {step_count} recorded steps are there"))
            }
            (None, Some(_)) if has_more => Some("something follows the end".to_owned()),
            (None, Some(_)) => None,
        }
    }
}

fn is_step(chunk: &ChunkPlace) -> bool {
    matches!(chunk.kind, format::KEYFRAME | format::STEP)
}

/// Checks that the chunks of the scene together, and each single step, unpack to at most the limit for
/// the file's length. The error is that limit.
fn check_size(scan: &Scan) -> Result<(), u64> {
    let limit = container::unpacked_limit(scan.length);
    let bytes = |chunk: &ChunkPlace| u64::from(chunk.raw_length);
    let scene: u64 = scan.chunks.iter().filter(|c| !is_step(c)).map(bytes).sum();
    let longest_step = scan.chunks.iter().filter(|c| is_step(c)).map(bytes).max().unwrap_or(0);
    if scene.max(longest_step) > limit { Err(limit) } else { Ok(()) }
}
