//! Reads a recording: the scene, and the poses of any step.
//!
//! Opening reads the file once, checks every chunk and keeps where each step is; a torn or damaged tail is
//! reported and the steps before it are there. Going one step on reads one chunk, a jump at most 60.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::container::{self, ChunkPlace, Source};
use super::format::{self, End, Opening, StepRecord};
use super::frame::Frame;
use super::{RecordError, check};
use crate::mesh::{Mesh, Surface};
use crate::scene::Scene;

/// A recording being read.
pub struct RunReader {
    path: PathBuf,
    source: Box<dyn Source>,
    tumble_version: String,
    scene: Scene,
    /// Chunk of step k at index k - 1.
    steps: Vec<ChunkPlace>,
    end: Option<End>,
    problem: Option<String>,
    frame: Frame,
}

impl RunReader {
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let fail = |source| RecordError::Open { path: path.to_owned(), source };
        let file = File::open(path).map_err(fail)?;
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(fail(std::io::Error::other("not a regular file")));
        }
        Self::new(Box::new(file), path)
    }

    /// Reads from any source; `path` is for messages.
    pub fn new(mut source: Box<dyn Source>, path: &Path) -> Result<Self, RecordError> {
        let path = path.to_owned();
        let chunk_error = |source| RecordError::Chunk { path: path.clone(), source };
        let no_scene = |reason| RecordError::NoScene { path: path.clone(), reason };
        let scan = container::scan(&mut *source).map_err(chunk_error)?;
        let tail = scan.problem.map(|p| p.to_string());

        let mut meshes = BTreeMap::new();
        let mut paints = Vec::new();
        let mut drawn = Vec::new();
        let mut opening = None;
        let mut rest = scan.chunks.iter();
        for &place in rest.by_ref() {
            match place.kind {
                format::GEOMETRY => {
                    let payload = container::read_chunk(&mut *source, place).map_err(chunk_error)?;
                    let surface: Surface =
                        format::decode(&payload).map_err(|e| no_scene(format!("a mesh: {e}")))?;
                    check::surface(&surface).map_err(no_scene)?;
                    meshes.insert(format::surface_id(&payload), Arc::new(Mesh::from(surface)));
                }
                format::PAINT => {
                    let payload = container::read_chunk(&mut *source, place).map_err(chunk_error)?;
                    paints.push(format::decode(&payload).map_err(|e| no_scene(format!("a paint: {e}")))?);
                }
                format::DRAWN => {
                    let payload = container::read_chunk(&mut *source, place).map_err(chunk_error)?;
                    let surface = format::decode(&payload);
                    drawn.push(surface.map_err(|e| no_scene(format!("a drawn surface: {e}")))?);
                }
                format::OPENING => {
                    let payload = container::read_chunk(&mut *source, place).map_err(chunk_error)?;
                    opening = Some(
                        format::decode::<Opening<Scene>>(&payload).map_err(|e| no_scene(e.to_string()))?,
                    );
                    break;
                }
                _ => {}
            }
        }
        let Some(Opening { tumble_version, mut scene, meshes: ids }) = opening else {
            return Err(no_scene(tail.unwrap_or_else(|| "the file ends before it".to_owned())));
        };
        for id in &ids {
            let mesh = meshes.get(id).ok_or_else(|| no_scene(format!("mesh {id} is missing")))?;
            scene.meshes.push(Arc::clone(mesh));
        }
        (scene.paints, scene.drawn) = (paints, drawn);
        check::scene(&scene).map_err(no_scene)?;

        let mut steps = Vec::new();
        let mut end = None;
        for &place in rest.by_ref() {
            match place.kind {
                format::KEYFRAME | format::STEP => steps.push(place),
                format::END => {
                    let payload = container::read_chunk(&mut *source, place).map_err(chunk_error)?;
                    end = format::decode::<End>(&payload).ok();
                    break;
                }
                _ => {}
            }
        }
        let problem = match (tail, end) {
            (Some(tail), _) => Some(tail),
            (None, None) => Some(format!("the run was cut off after step {}", steps.len())),
            (None, Some(end)) if end.step_count as usize != steps.len() => {
                Some(format!("the recording says {} steps and holds {}", end.step_count, steps.len()))
            }
            (None, Some(_)) if rest.next().is_some() => Some("something follows the end".to_owned()),
            (None, Some(_)) => None,
        };
        let frame = Frame::start(&scene);
        Ok(Self { path, source, tumble_version, scene, steps, end, problem, frame })
    }

    /// Of the program that wrote it.
    pub fn tumble_version(&self) -> &str {
        &self.tumble_version
    }

    /// Everything the run started from, meshes included.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Steps that can be read.
    pub fn step_count(&self) -> u32 {
        self.steps.len() as u32
    }

    /// How the run ended; `None` if the recording does not say.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Whether this is all that was recorded.
    pub fn is_complete(&self) -> bool {
        self.problem.is_none()
    }

    /// Why it is not.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// What a step (from 1) changed and cost.
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
        if !record.poses.iter().all(|m| is_body(m.body) && check::is_pose(&m.pose)) {
            return Err(wrong("a pose is not one".to_owned()));
        }
        if !record.rests.iter().all(|&(body, _)| is_body(body)) {
            return Err(wrong("a body is missing".to_owned()));
        }
        Ok(record)
    }

    /// All bodies after a step; 0 is the start.
    pub fn seek(&mut self, step: u32) -> Result<&Frame, RecordError> {
        if step > self.step_count() {
            return Err(self.no_such_step(step));
        }
        // The last keyframe at or before the step; the start is one too.
        let keyframe = (1..=step).rev().find(|&k| self.is_keyframe(k)).unwrap_or(0);
        let first = if (keyframe..=step).contains(&self.frame.step) {
            self.frame.step + 1
        } else {
            self.frame = Frame::start(&self.scene);
            keyframe.max(1)
        };
        for k in first..=step {
            let record = self.record(k)?;
            // A frame is only ever changed as a whole, so an error before this leaves a valid one.
            self.frame.apply(&self.scene, &record, self.is_keyframe(k));
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
