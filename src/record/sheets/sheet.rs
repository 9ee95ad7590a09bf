//! A table of a recording: its file, its columns, and the rows of a step.

use std::io;

use serde::Serialize;

use crate::files::{Draft, Existing};
use crate::record::{ContactMark, Frame};
use crate::scene::Scene;
use crate::world::{AxisStep, JointStep, PairTouch};

/// Bytes that are written at once.
const BUFFER: usize = 1 << 16;

/// A table. What it needs of the scene it takes when it is made.
pub(super) trait Sheet {
    /// The name of its file.
    fn file(&self) -> &'static str;

    /// The names of its columns, each with its unit.
    fn columns(&self) -> Vec<&'static str>;

    /// Writes the rows of a step, if it has any.
    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()>;
}

/// The end of a step, or the start of the run.
pub(super) struct Moment<'a> {
    /// s
    pub time: f64,
    /// The end of the step before; `None` at the start.
    pub before: Option<&'a Frame>,
    pub now: &'a Frame,
    /// The pairs that touch, single contacts and joints; none where the recording does not keep them.
    pub touching: &'a [PairTouch],
    pub contacts: &'a [ContactMark],
    pub joints: Option<(&'a [JointStep], &'a [AxisStep])>,
    /// The coordinate of each of the scene's axes of joints, m or rad.
    pub coordinates: &'a [f64],
}

/// The names of a scene's bodies, and which of them are wanted.
#[derive(Clone)]
pub(super) struct Names {
    names: Vec<String>,
    is_wanted: Vec<bool>,
}

impl Names {
    pub fn new(scene: &Scene, wanted: &[u32]) -> Self {
        let mut is_wanted = vec![false; scene.bodies.len()];
        wanted.iter().for_each(|&body| is_wanted[body as usize] = true);
        Self { names: scene.bodies.iter().map(|body| body.name.clone()).collect(), is_wanted }
    }

    pub fn of(&self, body: u32) -> &str {
        &self.names[body as usize]
    }

    /// Returns whether one of two bodies is wanted; the world never is.
    pub fn has_one_of(&self, a: u32, b: u32) -> bool {
        [a, b].iter().any(|&body| self.is_wanted.get(body as usize) == Some(&true))
    }
}

/// The rows of a table that is being written.
pub(super) struct Rows {
    writer: csv::Writer<Draft>,
    count: u64,
}

impl Rows {
    /// Begins a table with the names of its columns.
    pub fn begin(draft: Draft, columns: &[&str]) -> io::Result<Self> {
        let mut writer =
            csv::WriterBuilder::new().has_headers(false).buffer_capacity(BUFFER).from_writer(draft);
        writer.write_record(columns)?;
        Ok(Self { writer, count: 0 })
    }

    /// Adds a row: a field for each number and text in it, vectors and structs in turn. A number has all the
    /// digits that it takes to read it back.
    pub fn add(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.writer.serialize(row)?;
        self.count += 1;
        Ok(())
    }

    /// Ends the table, gives its file the name that it was begun under, and returns how many rows it has.
    pub fn finish(mut self) -> io::Result<u64> {
        self.writer.flush()?;
        let mut draft = self.writer.into_inner().map_err(|e| io::Error::other(e.to_string()))?;
        draft.settle(Existing::Keep)?;
        Ok(self.count)
    }
}
