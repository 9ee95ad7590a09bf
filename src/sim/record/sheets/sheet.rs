//! Common parts of all tables: file, columns and rows of a step.

use std::io;

use serde::Serialize;

use crate::files::{Draft, Existing};
use crate::record::{ContactMark, Frame};
use crate::scene::Scene;
use crate::world::{AxisStep, JointStep, PairTouch};

/// Size of the write buffer of a table, bytes.
const BUFFER: usize = 1 << 16;

/// Table of a recording. On creation it copies the data of the scene that it needs.
pub(super) trait Sheet {
    /// Returns the name of the table's file.
    fn file(&self) -> &'static str;

    /// Returns the names of the columns; a name includes the unit.
    fn columns(&self) -> Vec<&'static str>;

    /// Writes the rows of one moment, if it has any.
    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()>;
}

/// Moment with rows: the end of a step, or the start of the run.
pub(super) struct Moment<'a> {
    /// Time since the start of the run, s.
    pub time: f64,
    /// Frame at the moment before; `None` at the start.
    pub before: Option<&'a Frame>,
    pub now: &'a Frame,
    /// Touching pairs, single contacts, and joints with their axes; empty or `None` if the recording
    /// does not store them.
    pub touching: &'a [PairTouch],
    pub contacts: &'a [ContactMark],
    pub joints: Option<(&'a [JointStep], &'a [AxisStep])>,
    /// Coordinate of each joint axis that can move or has a drive, m or rad.
    pub coordinates: &'a [f64],
}

/// Names of a scene's bodies, and the selected ones.
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

    /// Returns whether at least one of two bodies is selected. The world is never selected.
    pub fn has_one_of(&self, a: u32, b: u32) -> bool {
        [a, b].iter().any(|&body| self.is_wanted.get(body as usize) == Some(&true))
    }
}

/// Writer of a table's rows.
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

    /// Adds a row: one field per number and text, with vectors and structs flattened. Numbers have as
    /// many digits as an exact round trip needs.
    pub fn add(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.writer.serialize(row)?;
        self.count += 1;
        Ok(())
    }

    /// Ends the table and gives its file the final name. Returns the number of rows.
    pub fn finish(mut self) -> io::Result<u64> {
        self.writer.flush()?;
        let mut draft = self.writer.into_inner().map_err(|e| io::Error::other(e.to_string()))?;
        draft.settle(Existing::Keep)?;
        Ok(self.count)
    }
}
