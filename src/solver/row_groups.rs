//! Rows that share a bound, and which of them are active.
//!
//! A row is active while its equation holds. A row whose impulse is at its bound is not active: a drive
//! at its largest force, or a limit that is not reached.

use glam::DVec3;

use super::joint_impulses::JointImpulses;
use super::mechanism_rows::{Bound, Half, MechanismRow};
use super::moving::Moving;

/// A group: a row and those after it that share its bound.
pub(super) struct Group<'a>(pub &'a mut [MechanismRow]);

impl<'a> Group<'a> {
    /// Calls `each` with each group of rows.
    pub fn each(mut rows: &'a mut [MechanismRow], mut each: impl FnMut(Group)) {
        while let Some(first) = rows.first() {
            let count = if matches!(first.bound, Bound::Length { .. }) { 3 } else { 1 };
            let (group, rest) = rows.split_at_mut(count);
            each(Group(group));
            rows = rest;
        }
    }

    fn is_bounded(&self) -> bool {
        self.0[0].bound != Bound::None
    }

    fn is_active(&self) -> bool {
        self.0[0].is_active
    }

    fn set_active(&mut self, is_active: bool) {
        self.0.iter_mut().for_each(|row| row.is_active = is_active);
    }

    /// Returns the impulses of the group, N·s or N·m·s.
    fn impulse(&self, impulses: &mut [JointImpulses]) -> DVec3 {
        let mut all = DVec3::ZERO;
        for (k, row) in self.0.iter().enumerate() {
            all[k] = row.impulse(impulses);
        }
        all
    }

    /// Returns the residual of each equation.
    pub fn residual(&self, moving: &[Moving], impulses: &mut [JointImpulses], half: Half) -> DVec3 {
        let total = self.impulse(impulses);
        let mut all = DVec3::ZERO;
        for (k, row) in self.0.iter().enumerate() {
            all[k] = row.residual(moving, total, half);
        }
        all
    }

    /// Returns the impulse nearest to `impulse` within the bound, and whether `impulse` is inside.
    fn nearest(&self, impulse: DVec3) -> (DVec3, bool) {
        match self.0[0].bound {
            Bound::None => (impulse, true),
            Bound::Range { low, high } => {
                let x = impulse.x;
                (DVec3::X * x.clamp(low, high), low < x && x < high)
            }
            Bound::Length { most, .. } => {
                (impulse.clamp_length_max(most), impulse.length() < most * (1.0 - 1e-9))
            }
        }
    }

    /// Returns the impulse that would solve the group if all other rows stayed unchanged, moved into
    /// the bound, and whether it is inside.
    fn next(&self, moving: &[Moving], impulses: &mut [JointImpulses], half: Half) -> (DVec3, bool) {
        let response = self.response();
        let total = self.impulse(impulses);
        if response <= 0.0 {
            return (total, false);
        }
        self.nearest(total - self.residual(moving, impulses, half) / response)
    }

    /// Changes the impulse to `wanted`.
    fn push_to(&self, wanted: DVec3, moving: &mut [Moving], impulses: &mut [JointImpulses]) {
        let change = wanted - self.impulse(impulses);
        if change != DVec3::ZERO {
            for (k, row) in self.0.iter().enumerate() {
                row.push(moving, impulses, change[k]);
            }
        }
    }

    /// Returns an upper bound of the response to an impulse in any direction.
    fn response(&self) -> f64 {
        self.0.iter().enumerate().map(|(k, row)| row.response() + row.gives().1[k]).sum()
    }
}

/// Chooses the active rows at the start: those inside their bounds, and those that would leave their
/// bound. Returns whether these differ from before.
pub(super) fn begin(
    rows: &mut [MechanismRow],
    moving: &mut [Moving],
    impulses: &mut [JointImpulses],
    half: Half,
) -> bool {
    let mut has_changed = false;
    Group::each(rows, |mut group| {
        if group.is_bounded() {
            let (nearest, is_inside) = group.nearest(group.impulse(impulses));
            group.push_to(nearest, moving, impulses);
            let is_active = is_inside || group.next(moving, impulses, half).1;
            has_changed |= is_active != group.is_active();
            group.set_active(is_active);
        }
    });
    has_changed
}

/// Clamps impulses beyond their bound, and deactivates their rows. Returns whether there were any.
pub(super) fn clamp(
    rows: &mut [MechanismRow],
    moving: &mut [Moving],
    impulses: &mut [JointImpulses],
) -> bool {
    let mut has_changed = false;
    Group::each(rows, |mut group| {
        if group.is_bounded() && group.is_active() {
            let impulse = group.impulse(impulses);
            let (nearest, _) = group.nearest(impulse);
            if nearest != impulse {
                group.push_to(nearest, moving, impulses);
                group.set_active(false);
                has_changed = true;
            }
        }
    });
    has_changed
}

/// Releases rows that would leave their bound. Returns whether there were any.
pub(super) fn release(
    rows: &mut [MechanismRow],
    moving: &mut [Moving],
    impulses: &mut [JointImpulses],
    half: Half,
) -> bool {
    let mut has_changed = false;
    Group::each(rows, |mut group| {
        if group.is_bounded() && !group.is_active() {
            let (next, is_inside) = group.next(moving, impulses, half);
            if is_inside {
                group.set_active(true);
                has_changed = true;
            } else {
                // At a bound of the length of three impulses, their direction may change.
                group.push_to(next, moving, impulses);
            }
        }
    });
    has_changed
}
