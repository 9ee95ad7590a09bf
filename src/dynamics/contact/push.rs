//! Impulses between two bodies in a step, summed over its passes and their sub-steps.

use std::ops::AddAssign;

use glam::DVec3;

use crate::arrays::MapEach;

/// Impulses between the two bodies of a pair since the step began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Sum of the normal impulses of all contacts, N·s.
    pub normal: f64,
    /// Vector sum of the normal impulses on b, world, N·s: opposite contacts cancel.
    pub along: DVec3,
    /// Friction impulse on b, world, N·s.
    pub friction: DVec3,
    /// Weighted sums of the contact points on a and on b, each point in its body's space and weighted
    /// by its normal impulse, N·s·m.
    pub moments: [DVec3; 2],
    /// True if the bodies approached faster than the threshold speed of restitution.
    pub is_impact: bool,
}

impl Push {
    /// Returns the mean contact points on a and on b, weighted by impulse, each in the space of its
    /// body, m. `None` if there was no normal impulse.
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
