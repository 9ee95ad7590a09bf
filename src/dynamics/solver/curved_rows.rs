//! Contacts of smooth surfaces during a pass. Their place and normal follow the bodies in every sub-step: a
//! body that moves along the tangent of the start leaves a dome or enters the wall of a bore.
//!
//! A body that comes across a gap touches within a sub-step, and turns about the other until then. So such
//! a contact gets the place and the normal of the moment of the touch. If the bodies rebound there, it keeps
//! them for the rest of the pass, at the end of which the rebound acts.

use super::contact_rows::{ContactRow, RowContext};
use super::integrate::turned;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::contact::{Contact, Curves, PairContacts, Touch};
use crate::pose::Pose;

/// Number of corrections of the moment of a touch. The error falls with the square of the way to it.
const CORRECTIONS: u32 = 2;
/// Largest turn of two bodies about each other between their touch and their rebound, rad (1°). Farther on,
/// the rebound along the normal of the touch would turn the bodies by itself.
const LATE_TURN: f64 = 0.0175;

/// Smooth surfaces of a row.
pub(super) struct CurvedRow {
    /// Index of the row.
    row: usize,
    /// Index of the pair, and index of the contact in the pair.
    place: (usize, usize),
    /// Indices of the two bodies. They differ from those of the row if the bodies are welded.
    bodies: [usize; 2],
    curves: Curves,
    /// Overlap that the contact does not count, m.
    excused: f64,
    /// True if the contact keeps the place and normal of its touch.
    is_kept: bool,
}

impl CurvedRow {
    /// Returns the surfaces of a contact; `None` if they are sharp. `row`: index of the contact's row.
    pub fn new(
        pair: &PairContacts,
        contact: &Contact,
        (row, place): (usize, (usize, usize)),
        poses: [&Pose; 2],
    ) -> Option<Self> {
        if contact.round.is_sharp() {
            return None;
        }
        let curves = Curves::of(contact, poses);
        let excused = contact.separation - curves.touch(poses)?.gap;
        let bodies = [pair.a, pair.b].map_each(|body| body as usize);
        Some(Self { row, place, bodies, curves, excused, is_kept: false })
    }

    /// Prepares the row for the next sub-step, at the velocities with which it begins.
    pub fn aim(&mut self, rows: &mut [ContactRow], moving: &[Moving], context: &RowContext) {
        let row = &mut rows[self.row];
        row.set_curve(0.0);
        let closing = row.normal_velocity(&moving[row.a], &moving[row.b]);
        let (gap, h) = (row.separation(), context.h);
        if self.is_kept && row.greatest_impulse > 0.0 {
            return;
        }
        // Surfaces that overlap already touch now.
        if gap <= 0.0 && rebounds(row, closing, context) {
            self.is_kept = true;
            return;
        }
        if gap <= 0.0 || row.normal_impulse > 0.0 {
            // A round surface stays at the same height over a flat face as it rolls.
            if !self.curves.has_flat_face()
                && let Some(touch) = self.touch_after(row, moving, h)
            {
                row.set_curve(touch.gap + self.excused - gap - closing * h);
            }
        } else if row.greatest_impulse == 0.0 && closing * h < -gap {
            self.aim_at_touch(row, moving, context);
        }
    }

    /// Gives a row that closes its gap in the next sub-step the place and the normal of the touch.
    fn aim_at_touch(&mut self, row: &mut ContactRow, moving: &[Moving], context: &RowContext) {
        let closing = row.normal_velocity(&moving[row.a], &moving[row.b]);
        let mut time = row.separation() / -closing;
        for _ in 0..CORRECTIONS {
            let Some(touch) = self.touch_after(row, moving, time) else { return };
            self.place(row, (&touch, row.half()), moving, time);
            let closing = row.normal_velocity(&moving[row.a], &moving[row.b]);
            if closing >= 0.0 {
                return;
            }
            time = (time + (touch.gap + self.excused) / -closing).clamp(0.0, context.h);
        }
        let closing = row.normal_velocity(&moving[row.a], &moving[row.b]);
        row.set_separation(-closing * time);
        row.approach = closing;
        self.is_kept = rebounds(row, closing, context);
    }

    /// Updates the row after the bodies have moved.
    pub fn follow(&self, rows: &mut [ContactRow], moving: &[Moving]) {
        let row = &mut rows[self.row];
        if self.is_kept && row.greatest_impulse > 0.0 {
            row.set_separation(0.0);
            return;
        }
        if let Some(touch) = self.curves.touch(self.poses(moving).each_ref()) {
            // The second half of the last impulse follows with the new normal.
            self.place(row, (&touch, row.normal_impulse() - row.half()), moving, 0.0);
        }
    }

    /// Returns whether the bodies have touched and will rebound, and would turn about each other by more than
    /// [`LATE_TURN`] in the next `rest` seconds.
    pub fn turns_before_rebound(&self, rows: &[ContactRow], moving: &[Moving], rest: f64) -> bool {
        let row = &rows[self.row];
        self.is_kept && row.greatest_impulse > 0.0 && rest * row.turn_rate(moving) > LATE_TURN
    }

    /// Stores the place of the contact for the next pass.
    pub fn store(&self, pairs: &mut [PairContacts], moving: &[Moving]) {
        let poses = self.poses(moving);
        if let Some(touch) = self.curves.touch(poses.each_ref()) {
            let contact = &mut pairs[self.place.0].contacts[self.place.1];
            contact.move_to(&self.curves, &touch, poses.each_ref());
            contact.separation = touch.gap + self.excused;
        }
    }

    fn poses(&self, moving: &[Moving]) -> [Pose; 2] {
        self.bodies.map_each(|body| moving[body].pose())
    }

    /// Returns the touch of the surfaces after `time` seconds at the present velocities.
    fn touch_after(&self, row: &ContactRow, moving: &[Moving], time: f64) -> Option<Touch> {
        let poses = [(self.bodies[0], row.a), (self.bodies[1], row.b)].map_each(|(body, leader)| {
            let leader = &moving[leader];
            let pose = moving[body].pose();
            let arm = pose.position - leader.center;
            let rotation = turned(pose.rotation, leader.angular, time);
            let arm = rotation * pose.inverse_transform_vector(arm);
            Pose::new(rotation, leader.center + time * leader.linear + arm)
        });
        self.curves.touch(poses.each_ref())
    }

    /// Gives the row the place and normal of a touch, `time` seconds ahead. `pushed`: impulse along the
    /// present normal that has been applied in this sub-step, N·s.
    fn place(&self, row: &mut ContactRow, (touch, pushed): (&Touch, f64), moving: &[Moving], time: f64) {
        let middle = 0.5 * (touch.points[0] + touch.points[1]);
        let arms = [row.a, row.b].map_each(|body| {
            let body = &moving[body];
            middle - body.center - time * body.linear
        });
        row.place_at(touch.normal, arms, pushed, [&moving[row.a], &moving[row.b]]);
        row.set_separation(touch.gap + self.excused);
    }
}

/// Returns whether the bodies of a row rebound from their first touch in this pass. `closing`: speed along
/// the normal, m/s, negative as they approach.
fn rebounds(row: &ContactRow, closing: f64, context: &RowContext) -> bool {
    row.greatest_impulse == 0.0 && row.restitution > 0.0 && closing <= -context.speeds.bounce
}
