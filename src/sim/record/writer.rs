//! Writer of a recording during the run: the scene first, then one chunk per step. The file gets its
//! final name with the first step, so that a run without steps does not replace a file.
//!
//! Each step stores the poses and activities of bodies that changed. A step costs one pass over the
//! bodies, one hash and one write. A failed write ends the recording, but not the run, and all steps
//! before it remain readable.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::container::{ChunkWriter, Sink};
use super::format::{self, End, EndReason, Opening, StepRecord, SurfaceId};
use super::frame::Changes;
use super::kept::{Keeper, Kept};
use super::{RecordError, check};
use crate::body::Bodies;
use crate::files::{self, Draft, Existing};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts, World};

/// Writer of a recording.
pub struct RunWriter {
    path: PathBuf,
    chunks: ChunkWriter,
    /// Bytes of the file before the first step.
    head: u64,
    existing: Existing,
    /// State after the last step in the file, from which the next changes follow.
    changes: Changes,
    /// Record of the step being written; its buffers are reused.
    record: StepRecord,
    keeper: Keeper,
    payload: Vec<u8>,
    /// Kind of the error of an earlier write, if one failed. Later steps cannot be stored then, because
    /// a step would be missing.
    broken: Option<std::io::ErrorKind>,
}

impl RunWriter {
    /// Stores the scene in a new file. The file gets its final name with the first appended step. Until
    /// then, a file that it replaces stays unchanged.
    ///
    /// # Errors
    /// Fails if the scene was read from this file or cannot be stored, if the file cannot be written,
    /// or if another run is recording to it.
    pub fn create(path: &Path, scene: &Scene, existing: Existing) -> Result<Self, RecordError> {
        files::check_target(path, &scene.files, existing)?;
        let path = path.to_owned();
        match Draft::create(&path) {
            Ok(draft) => Ok(Self { existing, ..Self::new(Box::new(draft), &path, scene)? }),
            Err(error) if error.kind() == ErrorKind::ResourceBusy => Err(RecordError::Busy { path }),
            Err(source) => Err(RecordError::Create { path, source }),
        }
    }

    /// Creates a writer to any sink. `path` is only used in messages.
    pub fn new(sink: Box<dyn Sink>, path: &Path, scene: &Scene) -> Result<Self, RecordError> {
        let path = path.to_owned();
        let write = |source| RecordError::Write { path: path.clone(), steps_saved: 0, source };
        let encode = |source| RecordError::Encode { path: path.clone(), source };
        check::scene(scene).map_err(|reason| RecordError::NoScene { path: path.clone(), reason })?;
        let mut chunks = ChunkWriter::new(sink).map_err(write)?;
        let mut stored = BTreeSet::new();
        let mut payload = Vec::new();
        let mut meshes = Vec::with_capacity(scene.meshes.len());
        for mesh in &scene.meshes {
            format::encode(mesh.surface(), &mut payload).map_err(encode)?;
            let id = SurfaceId::of(&payload);
            if stored.insert(id) {
                chunks.append(format::GEOMETRY, &payload).map_err(write)?;
            }
            meshes.push(id);
        }
        for paint in &scene.paints {
            format::encode(paint, &mut payload).map_err(encode)?;
            chunks.append(format::PAINT, &payload).map_err(write)?;
        }
        for drawn in &scene.drawn {
            format::encode(drawn, &mut payload).map_err(encode)?;
            chunks.append(format::DRAWN, &payload).map_err(write)?;
        }
        let opening = Opening { tumble_version: env!("CARGO_PKG_VERSION").to_owned(), scene, meshes };
        format::encode(&opening, &mut payload).map_err(encode)?;
        chunks.append(format::OPENING, &payload).map_err(write)?;
        Ok(Self {
            path,
            head: chunks.length(),
            chunks,
            existing: Existing::Keep,
            changes: Changes::new(scene),
            record: StepRecord::default(),
            keeper: Keeper::new(scene),
            payload,
            broken: None,
        })
    }

    /// Returns the number of steps in the file.
    pub fn step_count(&self) -> u32 {
        self.record.step
    }

    /// Returns the bytes of the file so far: before the first step, and of the steps.
    pub fn byte_counts(&self) -> [u64; 2] {
        [self.head, self.chunks.length() - self.head]
    }

    /// Appends the state after the next step, without contacts and joints. `bodies` must be those of
    /// the scene, in the same order.
    pub fn append(
        &mut self,
        bodies: &Bodies,
        timings: &Timings,
        counts: &StepCounts,
        measures: &Measures,
    ) -> Result<(), RecordError> {
        self.append_with(bodies, (timings, counts, measures), |_, _, _| ())
    }

    /// Appends the state after the next step of a world made from the scene. `kept` must be equal in
    /// all steps of a recording.
    pub fn append_world(&mut self, world: &World, timings: &Timings, kept: Kept) -> Result<(), RecordError> {
        let costs = (timings, &world.counts(), &world.measures());
        self.append_with(world.bodies(), costs, |keeper, keyframe, record| {
            keeper.take(world, kept, keyframe, record);
        })
    }

    /// Appends a step. `keep` adds contacts and joints to the step's record.
    fn append_with(
        &mut self,
        bodies: &Bodies,
        costs: (&Timings, &StepCounts, &Measures),
        keep: impl FnOnce(&mut Keeper, bool, &mut StepRecord),
    ) -> Result<(), RecordError> {
        let steps_saved = self.record.step;
        if let Some(kind) = self.broken {
            return Err(self.write_error(kind.into()));
        }
        let record = &mut self.record;
        let keyframe = self.changes.take(steps_saved + 1, bodies, costs, record);
        keep(&mut self.keeper, keyframe, record);
        let encoded = format::encode(record, &mut self.payload);
        // The step only counts once it is in the file.
        record.step = steps_saved;
        encoded.map_err(|source| RecordError::Encode { path: self.path.clone(), source })?;
        let kind = if keyframe { format::KEYFRAME } else { format::STEP };
        let appended = self.chunks.append(kind, &self.payload);
        if let Err(error) =
            appended.and_then(|()| if steps_saved == 0 { self.chunks.settle(self.existing) } else { Ok(()) })
        {
            self.broken = Some(error.kind());
            return Err(self.write_error(error));
        }
        self.record.step = steps_saved + 1;
        Ok(())
    }

    /// Marks the recording as complete and waits until it is on the device. Returns whether there is a
    /// recording: a run that was interrupted before its first step leaves no file.
    pub fn finish(mut self, reason: EndReason) -> Result<bool, RecordError> {
        if let Some(kind) = self.broken {
            return Err(self.write_error(kind.into()));
        }
        let end = End { step_count: self.record.step, reason };
        format::encode(&end, &mut self.payload)
            .map_err(|source| RecordError::Encode { path: self.path.clone(), source })?;
        let written = self.chunks.append(format::END, &self.payload).and_then(|()| self.chunks.sync());
        let is_void = self.record.step == 0 && reason == EndReason::Interrupted;
        let existing = if is_void { Existing::Keep } else { self.existing };
        match written.and_then(|()| self.chunks.settle(existing)) {
            Ok(()) => Ok(true),
            Err(error) if is_void && error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(self.write_error(error)),
        }
    }

    fn write_error(&self, source: std::io::Error) -> RecordError {
        RecordError::Write { path: self.path.clone(), steps_saved: self.record.step, source }
    }
}
