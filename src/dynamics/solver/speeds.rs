//! Speed limits for restitution, convergence and rest. They follow from gravity, the duration of the
//! step and the size of a body. So a scene scaled in lengths, speeds and gravity moves and comes to
//! rest in the same way.

use glam::DVec3;

use super::settings::SolverSettings;

/// Standard gravity, m/s².
const STANDARD_GRAVITY: f64 = 9.80665;

/// Speed limits, in proportion to the speed that gravity gives a body in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speeds {
    /// Threshold speed of restitution, m/s: slower impacts do not bounce.
    pub bounce: f64,
    /// Largest change of a velocity by a row that counts as converged, m/s.
    pub tolerance: f64,
    /// Size below which a part is fine, m.
    fine: f64,
    /// Rest speed of a body of 1 m, m/s.
    rest: f64,
    /// Largest rest speed of any body, m/s.
    most_rest: f64,
}

impl Speeds {
    /// Computes the limits for steps of `dt` seconds under `gravity` (m/s²).
    pub fn new(settings: &SolverSettings, gravity: DVec3, dt: f64) -> Self {
        let weight = weight(gravity);
        Self {
            bounce: settings.bounce_share * gravity.length() * dt,
            tolerance: settings.tolerance_share * weight * dt,
            fine: settings.fine_falls * weight * dt * dt,
            rest: settings.rest_froude * weight.sqrt(),
            most_rest: settings.rest_of_fall * weight * settings.sleep_delay,
        }
    }

    /// Returns the speed (m/s) above which a collision is reported as an impact. Without gravity every
    /// contact bounces, but speeds within rounding are still not reported.
    pub fn impact(&self) -> f64 {
        self.bounce.max(self.tolerance)
    }

    /// Returns the share of [`Self::tolerance`] to which contacts of a part of this size (m) must converge:
    /// 1 unless the part is fine. Gravity moves a fine part far relative to its size in a step, so that a
    /// stack of such parts topples by the errors of rows that have not converged.
    pub fn share_of_tolerance(&self, size: f64) -> f64 {
        (size / self.fine).powi(2).min(1.0)
    }

    /// Returns the speed (m/s) below which a body counts as slow. `radius`: distance of its farthest
    /// point from its center of mass, m. A body without a surface has no size and is treated as a large
    /// one.
    pub fn at_rest(&self, radius: f64) -> f64 {
        if radius > 0.0 { (self.rest * (2.0 * radius).sqrt()).min(self.most_rest) } else { self.most_rest }
    }
}

/// Returns the acceleration (m/s²) to which loads and speeds are compared: that of gravity, or standard
/// gravity if there is none.
pub(super) fn weight(gravity: DVec3) -> f64 {
    let pull = gravity.length();
    if pull > 0.0 { pull } else { STANDARD_GRAVITY }
}

/// Parameters with which a pass recognizes loads.
#[derive(Clone, Copy)]
pub(super) struct LoadTest {
    /// Duration of the sub-steps in which the impulses act, s.
    pub h: f64,
    /// Acceleration of gravity, m/s². A load gives a multiple of this acceleration.
    pub weight: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f64 = 1.0 / 60.0;

    fn speeds(gravity: f64) -> Speeds {
        Speeds::new(&SolverSettings::default(), DVec3::new(0.0, -gravity, 0.0), DT)
    }

    #[test]
    fn speeds_scale_with_lengths_and_gravity() {
        for scale in [0.125, 8.0, 1024.0] {
            let (one, other) = (speeds(9.81), speeds(scale * 9.81));
            let near = |speed: f64, of: f64| assert!((speed / (scale * of) - 1.0).abs() < 1e-12);
            near(other.bounce, one.bounce);
            near(other.tolerance, one.tolerance);
            for radius in [1e-6, 0.05, 1e5] {
                near(other.at_rest(scale * radius), one.at_rest(radius));
            }
        }
    }

    /// Tests that a large body does not fall asleep in the air as it begins to fall or reaches its
    /// highest point.
    #[test]
    fn no_body_however_large_rests_while_it_falls() {
        for gravity in [1e-6, 1.62, 9.81, 1e4] {
            let delay = SolverSettings::default().sleep_delay;
            assert!(speeds(gravity).at_rest(1e9) < 0.25 * gravity * delay, "{gravity}");
        }
    }

    #[test]
    fn a_body_without_size_can_rest() {
        assert!(speeds(9.81).at_rest(0.0) > 0.0);
    }

    /// Tests that every impact bounces without gravity, because then no contact at rest gains speed.
    #[test]
    fn every_impact_bounces_without_gravity() {
        assert!(speeds(0.0).bounce == 0.0);
        assert!(speeds(0.0).tolerance > 0.0 && speeds(0.0).at_rest(0.1) > 0.0);
    }
}
