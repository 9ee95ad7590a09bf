//! Settings of the solver: stiffness, speeds and effort.

/// Settings of the solver. Frequencies in Hz. Speeds are relative to those of gravity, so that they
/// scale with a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Stiffness of contacts while overlap is pushed out. A higher value holds taller stacks and needs
    /// more sub-steps.
    pub contact_hertz: f64,
    /// Damping of that push; far above 1, so that it never bounces.
    pub contact_damping: f64,
    /// Stiffness and damping of hard joints: a load opens almost no gap, and gaps close without a jerk.
    pub joint_hertz: f64,
    pub joint_damping: f64,
    /// Number of steps of gravity whose speed is the least speed of an impact that bounces. With less
    /// than 1, bodies at rest bounce with the speed that they gain in a step.
    pub bounce_share: f64,
    /// Rounds over all rows in each half of a sub-step. With one round the impulses of an impact are
    /// lopsided.
    pub iterations: u32,
    /// Mass ratio of a load: a body bears one if it touches a body this many times heavier, or if this
    /// many times its mass hangs from it by joints.
    pub load_ratio: f64,
    /// Multiple of its weight that a body bears as a load if a contact or a joint pushes it with that.
    pub load_share: f64,
    /// Sign of a load: a contact that is at least this many passes old sinks in by more than this many
    /// slops. Thin parts do so under a few times their weight.
    pub sink: (u32, f64),
    /// Convergence of rows around loaded bodies: largest change of a velocity, as a share of the
    /// velocity that gravity gives in a step.
    pub tolerance_share: f64,
    /// Largest number of further rounds over those rows in each half of a sub-step.
    pub most_rounds: u32,
    /// Largest overlap, in slops, of which a soft contact under load gives back the pushing impulse.
    /// Without a bound a body sinks in by its load over the stiffness of the contact, whatever the
    /// number of rounds; with a bound and two rounds, stacks swing.
    pub leak_slops: f64,
    /// Froude number (speed over the root of gravity times size) below which all points of a body are
    /// slow: small parts move far for their size at speeds at which large ones rest.
    pub rest_froude: f64,
    /// Share of `sleep_delay` in which gravity gives the largest speed that counts as slow. With a
    /// larger value large parts fall asleep as they begin to topple.
    pub rest_of_fall: f64,
    /// Time after which an island of slow bodies falls asleep, s.
    pub sleep_delay: f64,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            contact_hertz: 60.0,
            contact_damping: 10.0,
            joint_hertz: 120.0,
            joint_damping: 6.0,
            bounce_share: 3.0,
            iterations: 2,
            load_ratio: 8.0,
            load_share: 100.0,
            sink: (4, 25.0),
            tolerance_share: 0.012,
            most_rounds: 100,
            leak_slops: 0.3,
            rest_froude: 0.02,
            rest_of_fall: 0.004,
            sleep_delay: 0.5,
        }
    }
}

/// A constraint that yields like a damped spring, whatever the masses: the rate at which the position
/// error is reduced, the share of the velocity error that is solved, and the share of the impulse that
/// is given back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    pub bias_rate: f64,
    pub mass_scale: f64,
    pub impulse_scale: f64,
}

impl Softness {
    pub const RIGID: Self = Self { bias_rate: 0.0, mass_scale: 1.0, impulse_scale: 0.0 };

    /// Makes the softness for a sub-step of `h` seconds. Frequencies are limited to a `share` of the
    /// sub-step rate: a quarter can be resolved, a half if heavily damped.
    pub fn new(hertz: f64, damping: f64, share: f64, h: f64) -> Self {
        let omega = 2.0 * std::f64::consts::PI * hertz.min(share / h);
        let a1 = 2.0 * damping + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self { bias_rate: omega / a1, mass_scale: a2 * a3, impulse_scale: a3 }
    }
}
