//! Groups of rows that share a bound, and the choice of active rows.
//!
//! A row is active while its equation is solved. A row whose impulse stays at its bound is not active:
//! a drive at its largest force, or a limit that is not reached.

use glam::DVec3;

use super::mechanism_rows::{Bound, MechanismRow};
use super::moving::Moving;
use super::spring_law::Half;

/// Bodies, and the greatest speed of those of the mechanism, m/s and rad/s.
type Speeds<'a> = (&'a [Moving], [f64; 2]);
type SpeedsMut<'a> = (&'a mut [Moving], [f64; 2]);

/// Greatest speed after an impulse that was not foreseen.
const UNKNOWN: [f64; 2] = [f64::INFINITY; 2];

/// A group: one row, or three rows that share a bound on the length of their impulses.
pub(super) struct Group<'a>(pub &'a mut [MechanismRow]);

impl Group<'_> {
    /// Calls `each` for each group with a bound. `starts`: the first row of each.
    fn each(rows: &mut [MechanismRow], starts: &[usize], mut each: impl FnMut(Group)) {
        for &start in starts {
            let end = start + rows[start].group_size();
            each(Group(&mut rows[start..end]));
        }
    }

    fn is_active(&self) -> bool {
        self.0[0].is_active
    }

    fn set_active(&mut self, is_active: bool) {
        self.0.iter_mut().for_each(|row| row.is_active = is_active);
    }

    /// Returns the impulses of the group in the whole sub-step and in its present half, N·s or N·m·s.
    fn impulses(&self) -> [DVec3; 2] {
        let mut all = [DVec3::ZERO; 2];
        for (k, row) in self.0.iter().enumerate() {
            [all[0][k], all[1][k]] = row.impulse();
        }
        all
    }

    /// Returns the impulses of the group in the whole sub-step, N·s or N·m·s.
    fn impulse(&self) -> DVec3 {
        self.impulses()[0]
    }

    /// Returns the residual of the equation of each row.
    pub fn residual(&self, moving: &[Moving], half: Half) -> DVec3 {
        let [_, present] = self.impulses();
        self.residual_with(present, moving, half)
    }

    /// Returns the residual of the equation of each row. `present`: impulses of the group in this half.
    fn residual_with(&self, present: DVec3, moving: &[Moving], half: Half) -> DVec3 {
        let mut all = DVec3::ZERO;
        for (k, row) in self.0.iter().enumerate() {
            all[k] = row.residual(moving, present, half);
        }
        all
    }

    /// Returns the impulse within the bound that is nearest to `impulse`, and whether `impulse` is
    /// strictly inside.
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

    /// Returns the impulse that would solve the group if all other rows stayed unchanged, clamped to
    /// the bound, and whether it was inside the bound before.
    fn next(&self, (moving, fastest): Speeds, half: Half) -> (DVec3, bool) {
        let [total, present] = self.impulses();
        if self.stays([total, present], fastest, half) {
            return (total, false);
        }
        let response = self.response(half);
        if response <= 0.0 {
            return (total, false);
        }
        self.nearest(total - self.residual_with(present, moving, half) / response)
    }

    /// Returns whether the impulse of a single row stays at its bound at any velocity up to `fastest`. Most
    /// limits of a mechanism are far from being reached, and need no closer look.
    fn stays(&self, [total, present]: [DVec3; 2], fastest: [f64; 2], half: Half) -> bool {
        let row = &self.0[0];
        let Bound::Range { low, high } = row.bound else { return false };
        if low == high {
            return total.x == low;
        }
        let (rest, speed) = (row.residual_at_rest(present, half), row.greatest_velocity(fastest));
        total.x == low && rest > speed || total.x == high && rest < -speed
    }

    /// Changes the impulse of the group to `wanted` and applies the change. Returns whether there was any.
    fn push_to(&mut self, wanted: DVec3, moving: &mut [Moving]) -> bool {
        let change = wanted - self.impulse();
        if change != DVec3::ZERO {
            for (k, row) in self.0.iter_mut().enumerate() {
                row.push(moving, change[k]);
            }
        }
        change != DVec3::ZERO
    }

    /// Returns an upper bound of the response to an impulse in any direction.
    fn response(&self, half: Half) -> f64 {
        self.0.iter().enumerate().map(|(k, row)| row.response + row.gives(half).1[k]).sum()
    }
}

/// Rows of a mechanism, with the first row of each group that has a bound.
type Bounded<'a> = (&'a mut [MechanismRow], &'a [usize]);

/// Appends the first row of each group that has a bound.
pub(super) fn find_bounded(rows: &[MechanismRow], starts: &mut Vec<usize>) {
    let mut at = 0;
    while at < rows.len() {
        if rows[at].bound != Bound::None {
            starts.push(at);
        }
        at += rows[at].group_size();
    }
}

/// Chooses the active groups at the start: those inside their bound, and those whose impulse would move
/// away from it. Returns whether the choice differs from before.
pub(super) fn begin((rows, starts): Bounded, (moving, mut fastest): SpeedsMut, half: Half) -> bool {
    let mut has_changed = false;
    Group::each(rows, starts, |mut group| {
        let (nearest, is_inside) = group.nearest(group.impulse());
        if group.push_to(nearest, moving) {
            fastest = UNKNOWN;
        }
        let is_active = is_inside || group.next((moving, fastest), half).1;
        has_changed |= is_active != group.is_active();
        group.set_active(is_active);
    });
    has_changed
}

/// Clamps impulses beyond their bound, and deactivates their rows. Returns whether there were any.
pub(super) fn clamp((rows, starts): Bounded, moving: &mut [Moving]) -> bool {
    let mut has_changed = false;
    Group::each(rows, starts, |mut group| {
        if group.is_active() {
            let impulse = group.impulse();
            let (nearest, _) = group.nearest(impulse);
            if nearest != impulse {
                group.push_to(nearest, moving);
                group.set_active(false);
                has_changed = true;
            }
        }
    });
    has_changed
}

/// Activates rows whose impulse would move away from its bound. Returns whether there were any.
pub(super) fn release((rows, starts): Bounded, (moving, mut fastest): SpeedsMut, half: Half) -> bool {
    let mut has_changed = false;
    Group::each(rows, starts, |mut group| {
        if !group.is_active() {
            let (next, is_inside) = group.next((moving, fastest), half);
            if is_inside {
                group.set_active(true);
                has_changed = true;
            } else if group.push_to(next, moving) {
                // The direction of a three-row impulse may change while its length stays at the bound.
                fastest = UNKNOWN;
            }
        }
    });
    has_changed
}
