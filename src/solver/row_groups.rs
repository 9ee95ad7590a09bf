//! Rows that share a bound, and which of them are active.
//!
//! A row is active while its equation holds. One whose impulse stands at its bound is not: a drive that
//! pushes with all it has, or a limit that is not reached.

use glam::DVec3;

use super::joint_impulses::JointImpulses;
use super::mechanism_rows::{Bound, Half, MechanismRow};
use super::moving::Moving;

/// A row and those after it that share its bound.
pub(super) struct Group<'a>(pub &'a mut [MechanismRow]);

impl<'a> Group<'a> {
    /// Calls with each group of rows.
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

    /// N·s or N·m·s
    fn impulse(&self, impulses: &mut [JointImpulses]) -> DVec3 {
        let mut all = DVec3::ZERO;
        for (k, row) in self.0.iter().enumerate() {
            all[k] = row.impulse(impulses);
        }
        all
    }

    /// By how much each equation is missed.
    pub fn residual(&self, moving: &[Moving], impulses: &mut [JointImpulses], half: Half) -> DVec3 {
        let total = self.impulse(impulses);
        let mut all = DVec3::ZERO;
        for (k, row) in self.0.iter().enumerate() {
            all[k] = row.residual(moving, total, half);
        }
        all
    }

    /// The impulse nearest to `impulse` within the bound, and whether it lies inside.
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

    /// Where the impulse would go if all other rows stayed as they are.
    fn next(&self, moving: &[Moving], impulses: &mut [JointImpulses], half: Half) -> (DVec3, bool) {
        let response = self.response();
        let total = self.impulse(impulses);
        if response <= 0.0 {
            return (total, false);
        }
        self.nearest(total - self.residual(moving, impulses, half) / response)
    }

    /// Makes the impulse what is given.
    fn push_to(&self, wanted: DVec3, moving: &mut [Moving], impulses: &mut [JointImpulses]) {
        let change = wanted - self.impulse(impulses);
        if change != DVec3::ZERO {
            for (k, row) in self.0.iter().enumerate() {
                row.push(moving, impulses, change[k]);
            }
        }
    }

    /// No less than the response to an impulse in any direction.
    fn response(&self) -> f64 {
        self.0.iter().enumerate().map(|(k, row)| row.response() + row.gives().1[k]).sum()
    }
}

/// Chooses the rows to begin with: those inside their bounds, and those that pull back from one. Returns
/// whether these are others than before.
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

/// Sets what is beyond its bound to the bound. Returns whether there was any.
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

/// Lets go what would pull back from its bound. Returns whether there was any.
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
                // Along a bound of the length of three, the direction may turn.
                group.push_to(next, moving, impulses);
            }
        }
    });
    has_changed
}
