//! Conjugate gradients over the normal impulses of contacts, for loads that plain iterations propagate
//! too slowly.
//!
//! The change of the impulses in one iteration serves as the residual. After each iteration, the
//! impulses also move along a search direction. This direction combines the changes of the earlier
//! iterations, weighted by the ratio of the energies of the last two changes. The method restarts if
//! the energy does not fall, for example when contacts open. Friction is not part of the direction,
//! because including it gains nothing. Source: M. Silcowitz, S. Niebe, K. Erleben, "A nonsmooth
//! nonlinear conjugate gradient method for interactive contact force problems", The Visual Computer 26
//! (2010).

use super::contact_rows::ContactRow;
use super::loads::Member;
use super::moving::Moving;

/// State of the method of conjugate gradients, with its buffers.
#[derive(Default)]
pub(super) struct Conjugate {
    /// Impulse of each row before the iteration, N·s.
    before: Vec<f64>,
    /// Component of the search direction for each row, N·s.
    direction: Vec<f64>,
    /// Twice the energy of the change in the last iteration, J.
    last: f64,
}

impl Conjugate {
    /// Reserves capacity for `rows` rows.
    pub fn reserve(&mut self, rows: usize) {
        self.before.clear();
        self.before.reserve(rows);
        self.direction.clear();
        self.direction.reserve(rows);
    }

    /// Starts from the present impulses of the rows.
    pub fn begin(&mut self, rows: &[Member], contacts: &[ContactRow]) {
        self.before.clear();
        self.before.extend(rows.iter().map(|&(_, index)| contacts[index as usize].normal_impulse()));
        self.direction.clear();
        self.direction.resize(rows.len(), 0.0);
        self.last = 0.0;
    }

    /// Moves the impulses further along the search direction after an iteration has changed them. For
    /// each row, calls `moved` with its two bodies and the change of the relative velocity along the
    /// normal, m/s.
    pub fn carry_on(
        &mut self,
        rows: &[Member],
        contacts: &mut [ContactRow],
        moving: &mut [Moving],
        mut moved: impl FnMut([usize; 2], f64, &[Moving]),
    ) {
        let mut energy = 0.0;
        for (&(_, index), before) in rows.iter().zip(&self.before) {
            let row = &contacts[index as usize];
            energy += row.energy(row.normal_impulse() - before);
        }
        // Infinite after the first iteration; NaN if two iterations in succession change nothing.
        let share = energy / self.last;
        let goes_on = share < 1.0;
        for ((&(_, index), before), direction) in rows.iter().zip(&mut self.before).zip(&mut self.direction) {
            let row = &mut contacts[index as usize];
            let change = row.normal_impulse() - *before;
            if goes_on {
                *direction *= share;
                if *direction != 0.0 {
                    let change = row.add_normal(*direction, moving);
                    moved(row.bodies(), change, moving);
                }
                *direction += change;
            } else {
                *direction = change;
            }
            *before = row.normal_impulse();
        }
        self.last = energy;
    }
}
