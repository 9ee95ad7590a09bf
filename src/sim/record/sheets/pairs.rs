//! Table `pairs.csv`: touching pairs of bodies in each step, with the sums of their contacts.

use std::io;

use super::sheet::{Moment, Names, Rows, Sheet};

const COLUMNS: [&str; 23] = [
    "step",
    "time_s",
    "a",
    "b",
    "x_m",
    "y_m",
    "z_m",
    "force_n",
    "push_x_n",
    "push_y_n",
    "push_z_n",
    "friction_x_n",
    "friction_y_n",
    "friction_z_n",
    "friction_n",
    "gap_m",
    "impact",
    "in_a_x_m",
    "in_a_y_m",
    "in_a_z_m",
    "in_b_x_m",
    "in_b_y_m",
    "in_b_z_m",
];

/// Table of the touching pairs with at least one selected body.
pub(super) struct Pairs {
    pub names: Names,
}

impl Sheet for Pairs {
    fn file(&self) -> &'static str {
        "pairs.csv"
    }

    fn columns(&self) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()> {
        for touch in moment.touching.iter().filter(|touch| self.names.has_one_of(touch.a, touch.b)) {
            let of = (moment.now.step, moment.time, self.names.of(touch.a), self.names.of(touch.b));
            // Rounded to the precision that a recording stores.
            let [push, friction] = [touch.push, touch.friction].map(|vector| vector.as_vec3());
            let size = touch.friction.length() as f32;
            let forces = (touch.force as f32, push, friction, size, touch.gap as f32);
            let places = touch.places.map(|place| place.as_vec3());
            rows.add(&(of, touch.point, forces, u8::from(touch.is_impact), places))?;
        }
        Ok(())
    }
}
