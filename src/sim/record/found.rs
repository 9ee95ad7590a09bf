//! Contacts and joints of the step that a reader sought last.

use std::f64::consts::TAU;

use super::kept::{Found, JointsOfStep, Kept, Lists};
use super::marks::ContactMark;
use super::{Frame, RecordError, RunReader};
use crate::arrays::MapEach;
use crate::world::{JointAxes, PairTouch};

impl RunReader {
    /// Returns the frame of the step that was sought last; without a seek, that of the start.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns which contacts and joints the steps store, as found in the first step.
    ///
    /// # Errors
    /// Fails if the first step cannot be read.
    pub fn kept(&mut self) -> Result<Kept, RecordError> {
        if self.steps.is_empty() {
            return Ok(Kept::None);
        }
        let record = self.record(1)?;
        Ok(match (record.touches, record.contacts) {
            (None, _) => Kept::None,
            (Some(_), None) => Kept::Pairs,
            (Some(_), Some(_)) => Kept::All,
        })
    }

    /// Returns the touching pairs of the step that was sought last; `None` at step 0 and if the
    /// recording does not store them. Values are rounded: normal forces to seven digits, gaps to five,
    /// other forces to about four digits of the normal force, and positions to about four digits of the
    /// size of the lighter body.
    ///
    /// # Errors
    /// Fails if the data of the step is invalid.
    pub fn touching(&self) -> Result<Option<Vec<PairTouch>>, RecordError> {
        self.read(|lists, found| lists.touching(found, &self.frame.poses))
    }

    /// Returns the joints after the step that was sought last, and their axes in the order of
    /// [`RunReader::axes`]. `None` at step 0 and if the recording does not store them.
    ///
    /// # Errors
    /// Fails if the data of the step is invalid.
    pub fn joints(&self) -> Result<Option<JointsOfStep>, RecordError> {
        let joint_count = self.scene.joints.len();
        self.read(|lists, found| lists.joints(found, joint_count, self.coordinates()))
    }

    /// Returns the contacts of the step that was sought last: single contacts, or one per pair if the
    /// recording stores only pairs. `None` at step 0 and if the recording stores neither.
    ///
    /// # Errors
    /// Fails if the data of the step is invalid.
    pub fn contacts(&self) -> Result<Option<Vec<ContactMark>>, RecordError> {
        self.read(|lists, found| lists.contacts(found, &self.frame.poses))
    }

    /// Returns the joint axes that can move or have a drive.
    pub fn axes(&self) -> &JointAxes {
        &self.lists.axes
    }

    /// Returns the coordinate, m or rad, of each axis of [`RunReader::axes`] in the step that was
    /// sought last.
    pub fn coordinates(&self) -> impl Iterator<Item = f64> {
        let frame = &self.frame;
        let angles = |joint: usize| frame.turns[joint].map_each(|turns| TAU * f64::from(turns));
        self.lists.axes.coordinates(&self.scene.joints, |body| frame.poses[body as usize], angles)
    }

    fn read<T>(&self, read: impl FnOnce(&Lists, &Found) -> Result<T, String>) -> Result<T, RecordError> {
        read(&self.lists, &self.found).map_err(|reason| self.wrong(self.frame.step, reason))
    }

    pub(super) fn wrong(&self, step: u32, reason: String) -> RecordError {
        RecordError::Step { path: self.path.clone(), step, reason }
    }
}
