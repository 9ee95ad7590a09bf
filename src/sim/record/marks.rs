//! Single contacts of a step, as they are shown and recorded.

use glam::Vec3;

use crate::arrays::MapEach;
use crate::contact::Contact;
use crate::world::{Certainty, PairTouch, World};

/// Contact as it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMark {
    /// Bodies, a < b.
    pub a: u32,
    pub b: u32,
    /// Point between the two surfaces, world, m.
    pub point: Vec3,
    /// Unit normal from a to b, world; zero if unknown.
    pub normal: Vec3,
    /// Gap of the surfaces along the normal, m; negative if they overlap.
    pub gap: f32,
    /// Normal force on b, N, at least 0; the opposite force acts on a.
    pub force: f32,
    /// Friction force on b, world, N.
    pub friction: Vec3,
    pub basis: Basis,
}

/// Source of a contact: how current its position is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Features that the last search found, or updated to the poses of that search.
    #[default]
    Found,
    /// Features found by an earlier search (recycled); they have moved with their bodies since.
    Held,
    /// Overlapping boxes of the two surfaces; their triangles were not searched.
    Region,
}

impl Basis {
    /// All values, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Found, Self::Held, Self::Region];
}

impl ContactMark {
    /// Returns the depth of the overlap, m; 0 if disjoint.
    pub fn depth(&self) -> f32 {
        (-self.gap).max(0.0)
    }

    /// Merges all contacts of a pair into one mark. Its force is the length of the vector sum of their
    /// normal forces, and its normal the direction of that sum.
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

/// Returns the contacts of a world after a step, with their forces in the last sub-step.
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

/// Returns the basis of a contact. `is_left` is true if the step left the pair unsearched.
fn basis(is_left: bool, certainty: Certainty, contact: &Contact) -> Basis {
    match certainty {
        _ if contact.key.is_region() => Basis::Region,
        Certainty::Likely(_) if contact.is_held || is_left => Basis::Held,
        _ => Basis::Found,
    }
}
