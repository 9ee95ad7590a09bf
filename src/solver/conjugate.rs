//! Conjugate gradients over the normal impulses of contacts, for loads that plain rounds pass on too slowly.
//!
//! The change that a round makes stands for the residual. Each round is carried on along the changes of those
//! before it, by the ratio of the energies of the last two, and begins anew where the energy does not fall,
//! as when contacts open. Friction follows in each round; to carry it on as well gains nothing. Source: M.
//! Silcowitz, S. Niebe, K. Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact
//! force problems", The Visual Computer 26 (2010).

use super::contact_rows::ContactRow;
use super::loads::Member;
use super::moving::Moving;

/// Kept with its buffers.
#[derive(Default)]
pub(super) struct Conjugate {
    /// The impulse of each row before the round, and the direction in which it is carried on, N·s.
    before: Vec<f64>,
    direction: Vec<f64>,
    /// Twice the energy of the change that the last round made, J.
    last: f64,
}

impl Conjugate {
    /// Makes room for so many rows.
    pub fn reserve(&mut self, rows: usize) {
        self.before.clear();
        self.before.reserve(rows);
        self.direction.clear();
        self.direction.reserve(rows);
    }

    /// Begins with the impulses that the rows have.
    pub fn begin(&mut self, rows: &[Member], contacts: &[ContactRow]) {
        self.before.clear();
        self.before.extend(rows.iter().map(|&(_, index)| contacts[index as usize].normal_impulse()));
        self.direction.clear();
        self.direction.resize(rows.len(), 0.0);
        self.last = 0.0;
    }

    /// Carries a round on that has changed the rows' impulses, and tells `moved` of the bodies of a row and
    /// by how much that changes the velocity between them, m/s.
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
        // Infinite after the first round, and no number after rounds that changed nothing.
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
