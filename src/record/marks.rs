//! Single contacts of a step, as they are shown and recorded.

use glam::Vec3;

use crate::arrays::MapEach;
use crate::contact::Contact;
use crate::world::{Certainty, PairTouch, World};

/// A contact as it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMark {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    /// Between the two surfaces, world, m.
    pub point: Vec3,
    /// World, unit, from a to b; zero where none is known.
    pub normal: Vec3,
    /// How far the surfaces are apart there along the normal, m; negative where they overlap.
    pub gap: f32,
    /// The force that presses b along the normal, and a against it, N; zero or more.
    pub force: f32,
    /// The friction on b, world, N.
    pub friction: Vec3,
    pub basis: Basis,
}

/// The ground that a contact rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Features of the surfaces, at the pose they were searched at or brought up to date for.
    #[default]
    Found,
    /// Features found earlier, which went along with their bodies since.
    Held,
    /// Boxes that overlap: the surfaces in them were not looked at.
    Region,
}

impl Basis {
    /// All, each at the place of its number.
    pub const ALL: [Self; 3] = [Self::Found, Self::Held, Self::Region];
}

impl ContactMark {
    /// Returns how deep the bodies overlap there, m; zero when apart.
    pub fn depth(&self) -> f32 {
        (-self.gap).max(0.0)
    }

    /// Makes one mark of all contacts of a pair: its force is their sum as vectors, which has a direction.
    pub(super) fn of_pair(touch: &PairTouch) -> Self {
        Self {
            a: touch.a,
            b: touch.b,
            point: touch.point.as_vec3(),
            normal: touch.push.as_vec3().normalize_or_zero(),
            gap: touch.gap as f32,
            force: touch.push.length() as f32,
            friction: touch.friction.as_vec3(),
            basis: Basis::Found,
        }
    }
}

/// Returns the contacts of a world after a step, with their forces in its last sub-step.
pub(super) fn contact_marks(world: &World) -> Vec<ContactMark> {
    let states = &world.bodies().states;
    let substep = world.substep();
    let mut marks = Vec::with_capacity(world.pairs().iter().map(|p| p.contacts.len()).sum());
    let known = world.certainties().zip(world.open_searches());
    for (pair, (certainty, is_open)) in world.pairs().iter().zip(known) {
        let [a, b] = [pair.a, pair.b].map_each(|i| &states[i as usize].pose);
        marks.extend(pair.contacts.iter().map(|c| {
            let middle = 0.5 * (a.transform_point(c.point_a) + b.transform_point(c.point_b));
            ContactMark {
                a: pair.a,
                b: pair.b,
                point: middle.as_vec3(),
                normal: c.normal.as_vec3(),
                gap: c.separation as f32,
                force: (c.normal_impulse / substep) as f32,
                friction: (c.friction_impulse / substep).as_vec3(),
                basis: basis(!is_open, certainty, c),
            }
        }));
    }
    marks
}

/// Returns what a contact rests on. `is_left`: whether the pair was left unsearched.
fn basis(is_left: bool, certainty: Certainty, contact: &Contact) -> Basis {
    match certainty {
        _ if contact.key.is_region() => Basis::Region,
        Certainty::Likely(_) if contact.is_held || is_left => Basis::Held,
        _ => Basis::Found,
    }
}
