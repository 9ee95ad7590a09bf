//! Table `contacts.csv`: every contact of each step, for recordings that store single contacts.

use std::io;

use super::sheet::{Moment, Names, Rows, Sheet};

const COLUMNS: [&str; 15] = [
    "step",
    "time_s",
    "a",
    "b",
    "x_m",
    "y_m",
    "z_m",
    "normal_x",
    "normal_y",
    "normal_z",
    "gap_m",
    "force_n",
    "friction_x_n",
    "friction_y_n",
    "friction_z_n",
];

/// Table of the contacts of pairs with at least one selected body.
pub(super) struct Contacts {
    pub names: Names,
}

impl Sheet for Contacts {
    fn file(&self) -> &'static str {
        "contacts.csv"
    }

    fn columns(&self) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()> {
        for mark in moment.contacts.iter().filter(|mark| self.names.has_one_of(mark.a, mark.b)) {
            let of = (moment.now.step, moment.time, self.names.of(mark.a), self.names.of(mark.b));
            rows.add(&(of, mark.point, mark.normal, mark.gap, mark.force, mark.friction))?;
        }
        Ok(())
    }
}
