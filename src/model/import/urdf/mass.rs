//! Sums of the masses of links that are fixed to each other and form one body.

use glam::{DMat3, DVec3};

use super::description::Inertial;
use crate::pose::Pose;

/// Mass (kg) and radius of gyration (m) for a link without mass and surface. Both are negligible beside
/// any body that the link could hold.
const NEXT_TO_NOTHING: f64 = 1e-3;
const RADIUS: f64 = 0.01;

/// Mass distribution of several links together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub mass: f64,
    /// Mass times the center of mass, kg·m.
    moment: DVec3,
    /// Inertia about the origin of the body, kg·m².
    inertia: DMat3,
}

impl Sum {
    pub const NOTHING: Self = Self { mass: 0.0, moment: DVec3::ZERO, inertia: DMat3::ZERO };

    /// Adds the mass of a link. `place` is the transform from the link to the body.
    pub fn add(&mut self, Inertial { mass, center, inertia }: Inertial, place: &Pose) {
        let axes = place.rotation_matrix();
        let center = place.transform_point(center);
        self.mass += mass;
        self.moment += mass * center;
        self.inertia += axes * inertia * axes.transpose() + mass * point(center);
    }

    pub fn center(&self) -> DVec3 {
        self.moment / self.mass
    }

    /// Returns the inertia about the center of mass; `None` if it is not positive definite.
    pub fn about_center(&self) -> Option<DMat3> {
        let inertia = self.inertia - self.mass * point(self.center());
        is_positive(&inertia).then_some(inertia)
    }
}

/// Returns a tiny mass. A body without any mass would accelerate without bound.
pub(super) fn next_to_nothing() -> Inertial {
    let inertia = DMat3::from_diagonal(DVec3::splat(NEXT_TO_NOTHING * RADIUS * RADIUS));
    Inertial { mass: NEXT_TO_NOTHING, center: DVec3::ZERO, inertia }
}

/// Returns the inertia about the origin of a mass of 1 kg at the point `at`.
fn point(at: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(at.length_squared()))
        - DMat3::from_cols(at * at.x, at * at.y, at * at.z)
}

/// Returns whether a body can have this inertia about its center of mass: no principal moment exceeds
/// the sum of the other two, up to the rounding of numbers of thin rods and plates. An inertia of zero
/// is accepted.
pub(super) fn is_possible(inertia: &DMat3) -> bool {
    const ROUNDED: f64 = 5e-3;
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    let spread = DMat3::from_diagonal(DVec3::splat((0.5 + ROUNDED) * trace)) - *inertia;
    *inertia == DMat3::ZERO || is_positive(&spread)
}

/// Returns whether a matrix is positive definite: all leading minors are positive.
fn is_positive(m: &DMat3) -> bool {
    let minor = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
    m.x_axis.x > 0.0 && minor > 0.0 && m.determinant() > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn two_halves_of_a_rod_weigh_what_the_rod_does() {
        // The rod has 2 kg and 2 m, along x. The frame of one half is rotated and moved.
        let rod = |mass: f64, length: f64| mass * length * length / 12.0;
        let half = |along: DVec3| {
            let inertia = DMat3::from_diagonal((DVec3::ONE - along.abs()) * rod(1.0, 1.0));
            Inertial {
                mass: 1.0,
                center: along * 0.5,
                inertia: inertia + DMat3::from_diagonal(DVec3::splat(0.1)),
            }
        };
        let mut sum = Sum::NOTHING;
        sum.add(half(DVec3::X), &Pose::IDENTITY);
        let turned = Pose::new(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), DVec3::X);
        sum.add(half(DVec3::NEG_Y), &turned);
        assert!((sum.mass, sum.center().distance(DVec3::X) < 1e-12) == (2.0, true));
        let wanted = DMat3::from_diagonal(DVec3::new(0.2, rod(2.0, 2.0) + 0.2, rod(2.0, 2.0) + 0.2));
        let found = sum.about_center().unwrap();
        assert!(found.abs_diff_eq(wanted, 1e-12), "{found}");
        for (moments, wanted) in [
            ([1.0, 1.0, 100.0], false),
            ([-1.0, 1.0, 1.0], false),
            ([-1.0, -1.0, -1.0], false),
            ([1e-9, 1.0, 1.004], true),
            ([1.0, 1.0, 2.0], true),
            ([0.0, 0.0, 0.0], true),
        ] {
            let inertia = DMat3::from_diagonal(DVec3::from_array(moments));
            let axes = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.3, -1.1, 0.4)));
            assert_eq!(is_possible(&(axes * inertia * axes.transpose())), wanted, "{moments:?}");
        }
        // A point mass has no valid inertia.
        let mut point = Sum::NOTHING;
        point.add(Inertial { mass: 1.0, center: DVec3::X, inertia: DMat3::ZERO }, &Pose::IDENTITY);
        assert_eq!(point.about_center(), None);
    }
}
