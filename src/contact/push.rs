//! How hard two bodies pushed each other in a step, summed up over its passes and their sub-steps.

use std::ops::AddAssign;

use glam::DVec3;

use crate::arrays::MapEach;

/// The push between the two bodies of a pair since the step began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// The sum of the normal impulses of all contacts, N·s.
    pub normal: f64,
    /// These impulses added as vectors that act on b, world, N·s: opposite contacts cancel.
    pub along: DVec3,
    /// The friction on b, world, N·s.
    pub friction: DVec3,
    /// The sums of the contacts' places on the surfaces of a and of b, each multiplied by its normal impulse:
    /// in the space of that body, N·s·m.
    pub moments: [DVec3; 2],
    /// Whether the two met faster than the speed below which nothing bounces.
    pub is_impact: bool,
}

impl Push {
    /// Returns the mean place of the push on a and on b, in the space of each, m; `None` if nothing pushed.
    pub fn places(&self) -> Option<[DVec3; 2]> {
        (self.normal > 0.0).then(|| self.moments.map_each(|moment| moment / self.normal))
    }
}

impl AddAssign for Push {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.along += other.along;
        self.friction += other.friction;
        self.moments[0] += other.moments[0];
        self.moments[1] += other.moments[1];
        self.is_impact |= other.is_impact;
    }
}
