//! Contacts and joints of the step of a recording that was sought last.

use std::f64::consts::TAU;

use super::kept::{Found, JointsOfStep, Kept, Lists};
use super::marks::ContactMark;
use super::{Frame, RecordError, RunReader};
use crate::arrays::MapEach;
use crate::world::{JointAxes, PairTouch};

impl RunReader {
    /// Returns the step that was sought last; the start if none was.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns how much the steps keep of contacts and joints.
    ///
    /// # Errors
    /// If the first step cannot be read.
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

    /// Returns the pairs that touched in the step that was sought last; `None` at step 0 and of a recording
    /// that does not keep them. Normal forces have seven digits, gaps five; other forces are rounded to four
    /// digits of the normal force, places to four of the size of the lighter body.
    ///
    /// # Errors
    /// If the step says what cannot be.
    pub fn touching(&self) -> Result<Option<Vec<PairTouch>>, RecordError> {
        self.read(|lists, found| lists.touching(found, &self.frame.poses))
    }

    /// Returns the joints after the step that was sought last, and their axes, which are those of
    /// [`RunReader::axes`]; `None` at step 0 and of a recording that does not keep them.
    ///
    /// # Errors
    /// If the step says what cannot be.
    pub fn joints(&self) -> Result<Option<JointsOfStep>, RecordError> {
        let joint_count = self.scene.joints.len();
        self.read(|lists, found| lists.joints(found, joint_count, self.coordinates()))
    }

    /// Returns the contacts of the step that was sought last: single ones or, if the recording keeps pairs,
    /// one for each pair. `None` at step 0 and of a recording that keeps neither.
    ///
    /// # Errors
    /// If the step says what cannot be.
    pub fn contacts(&self) -> Result<Option<Vec<ContactMark>>, RecordError> {
        self.read(|lists, found| lists.contacts(found, &self.frame.poses))
    }

    /// Returns the axes of joints that can move or are driven.
    pub fn axes(&self) -> &JointAxes {
        &self.lists.axes
    }

    /// Returns the coordinate of each of [`RunReader::axes`] in the step that was sought last, m or rad.
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
