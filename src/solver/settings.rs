//! How stiff, how fast and how patient the solver is.

/// Frequencies in Hz. Speeds are shares of what gravity does, so that they scale with a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Stiffness of contacts while overlap is pushed out. Higher holds taller stacks and needs more
    /// sub-steps.
    pub contact_hertz: f64,
    /// Damping of that push; far above 1, so that it never bounces.
    pub contact_damping: f64,
    /// Stiffness and damping of hard joints: little of a load shows as a gap, and gaps close without a jerk.
    pub joint_hertz: f64,
    pub joint_damping: f64,
    /// Impacts slower than gravity makes a body in so many steps do not bounce. Below 1 bodies at rest bounce
    /// with the speed that they gain in a step.
    pub bounce_share: f64,
    /// Rounds over all rows in each half of a sub-step. One leaves the impulses of an impact lopsided.
    pub iterations: u32,
    /// A body bears a load if it touches one this many times heavier, or if this many times its mass hangs
    /// from it by joints.
    pub load_ratio: f64,
    /// A body bears a load if a contact or a joint pushes it with this many times its weight.
    pub load_share: f64,
    /// A body bears a load if a contact of this many passes and more sinks in by this many slops: thin parts
    /// do under a few times their weight.
    pub sink: (u32, f64),
    /// Rows around bodies that bear a load are solved until no row changes a velocity by more than this share
    /// of what gravity does in a step.
    pub tolerance_share: f64,
    /// Further rounds over such rows in each half of a sub-step, at most.
    pub most_rounds: u32,
    /// A soft contact that bears a load gives back no more of its impulse than pushes so many slops of
    /// overlap out. Without a bound a body sinks in by its load over the stiffness of the contact, however
    /// many rounds are taken; with a bound and two rounds, stacks swing.
    pub leak_slops: f64,
    /// A body counts as slow if no point of it is faster than this Froude number (the speed over the root of
    /// gravity times size): small parts move far for their size at speeds at which large ones rest.
    pub rest_froude: f64,
    /// And if none is faster than gravity makes it in this share of `sleep_delay`. Larger lets large parts
    /// fall asleep as they begin to topple.
    pub rest_of_fall: f64,
    /// s; after so long, an island of slow bodies falls asleep.
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

/// A constraint that gives way like a damped spring, whatever the masses: what part of the velocity error is
/// solved, how fast the position error is bled, and how much of the impulse is given back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    pub bias_rate: f64,
    pub mass_scale: f64,
    pub impulse_scale: f64,
}

impl Softness {
    pub const RIGID: Self = Self { bias_rate: 0.0, mass_scale: 1.0, impulse_scale: 0.0 };

    /// For a sub-step of `h` seconds. Frequencies above a `share` of the sub-step rate are taken as that
    /// share: a quarter can be resolved, a half if heavily damped.
    pub fn new(hertz: f64, damping: f64, share: f64, h: f64) -> Self {
        let omega = 2.0 * std::f64::consts::PI * hertz.min(share / h);
        let a1 = 2.0 * damping + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self { bias_rate: omega / a1, mass_scale: a2 * a3, impulse_scale: a3 }
    }
}
