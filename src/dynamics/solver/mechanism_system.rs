//! System of linear equations of a mechanism's active rows, A·λ = residual, A = J·M⁻¹·Jᵀ.
//!
//! The rows are in the order of the tree, leaves first, so that few entries of the factorization are
//! nonzero (D. Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996).

use std::ops::Range;

use super::joint_tree::{JointTree, Mechanism};
use super::mechanism_rows::{MechanismRow, NONE_SHARED};
use super::moving::Moving;
use super::row_groups::Group;
use super::skyline::Skyline;
use super::spring_law::Half;

/// Factorized system of one mechanism, with its buffers.
#[derive(Default)]
pub(super) struct System {
    skyline: Skyline,
    /// Indices of the active rows, in order.
    active: Vec<usize>,
    /// Position of each joint's first active row, and the number of all.
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl System {
    /// Reserves memory for a system in which all rows are active, so that a solution allocates none.
    /// `spans`: range of rows of each joint.
    pub fn reserve(&mut self, tree: &JointTree, of: &Mechanism, spans: &[Range<usize>]) {
        let mut entries = 0;
        for place in of.joints.clone() {
            let first = spans[tree.first[place]].start;
            entries += spans[place].clone().map(|row| row + 1 - first).sum::<usize>();
        }
        let rows = spans[of.joints.clone()].iter().map(Range::len).sum();
        self.skyline.clear();
        self.skyline.reserve(rows, entries);
        self.active.clear();
        self.active.reserve(rows);
        self.starts.clear();
        self.starts.reserve(of.joints.len() + 1);
        self.values.clear();
        self.values.reserve(rows);
    }

    /// Writes the responses of the active rows to each other, and factorizes them.
    pub fn factorise(
        &mut self,
        (tree, of, spans): (&JointTree, &Mechanism, &[Range<usize>]),
        rows: &[MechanismRow],
        half: Half,
    ) {
        self.skyline.clear();
        self.active.clear();
        self.starts.clear();
        let begin = of.joints.start;
        for place in of.joints.clone() {
            let start = self.active.len();
            self.starts.push(start);
            self.active.extend(spans[place].clone().filter(|&row| rows[row].is_active));
            let end = self.active.len();
            let first = self.starts[tree.first[place] - begin];
            (start..end).for_each(|_| self.skyline.add_row(first));
            for other in tree.first[place]..=place {
                let shared = tree.shared(place, other);
                if shared == NONE_SHARED {
                    continue;
                }
                let columns =
                    self.starts[other - begin]..self.starts.get(other + 1 - begin).map_or(end, |s| *s);
                for position in start..end {
                    let (_, entries) = self.skyline.row(position);
                    let row = &rows[self.active[position]];
                    for column in columns.start..columns.end.min(position + 1) {
                        entries[column - first] = row.answer(&rows[self.active[column]], &shared);
                    }
                }
            }
            for position in start..end {
                let (k, gives) = rows[self.active[position]].gives(half);
                let (_, entries) = self.skyline.row(position);
                for before in 0..=k {
                    entries[position - k + before - first] += gives[before];
                }
            }
        }
        self.skyline.factorise();
        self.values.resize(self.active.len(), 0.0);
    }

    /// Solves the equations of the active rows. Returns whether the impulses are finite; if they are not,
    /// changes nothing.
    pub fn solve(&mut self, rows: &mut [MechanismRow], moving: &mut [Moving], half: Half) -> bool {
        let mut at = 0;
        while at < self.active.len() {
            let first = self.active[at];
            let count = rows[first].group_size();
            let group = Group(&mut rows[first..first + count]);
            let missed = group.residual(moving, half);
            for k in 0..group.0.len() {
                self.values[at + k] = -missed[k];
            }
            at += group.0.len();
        }
        self.skyline.solve(&mut self.values);
        if !self.values.iter().all(|value| value.is_finite()) {
            return false;
        }
        for (&row, value) in self.active.iter().zip(&self.values) {
            rows[row].push(moving, *value);
        }
        true
    }

    /// Computes the responses of the whole mechanism to the drives that depend on them.
    pub fn note_responses(&mut self, rows: &mut [MechanismRow], half: Half) {
        for (position, &row) in self.active.iter().enumerate() {
            if rows[row].asks() {
                let sum = self.skyline.inverse_diagonal(position, &mut self.values);
                rows[row].note_response(sum, half);
            }
        }
    }
}
