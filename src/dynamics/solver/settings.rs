//! Settings of the solver: stiffness, speeds and numbers of iterations.

/// Settings of the solver. Frequencies in Hz. Speed limits are relative to the speed that gravity
/// gives, so that they scale with a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Stiffness of contacts while overlap is pushed out. A higher value supports taller stacks and
    /// needs more sub-steps.
    pub contact_hertz: f64,
    /// Damping ratio of the push; far above 1, so that the push never causes a bounce.
    pub contact_damping: f64,
    /// Stiffness of hard joints. With this value a load opens almost no gap.
    pub joint_hertz: f64,
    /// Damping ratio of hard joints. With this value gaps close without a jerk.
    pub joint_damping: f64,
    /// Overlap of contacts at rest that is not pushed out, in slops. A larger value lets every part of a
    /// stack sink by it, and arches fall.
    pub rest_slops: f64,
    /// Number of steps in which gravity gives the threshold speed of restitution. With less than 1,
    /// bodies at rest bounce with the speed that they gain in a step.
    pub bounce_share: f64,
    /// Iterations over all rows in each half of a sub-step. With one iteration, the impulses of an
    /// impact are asymmetric.
    pub iterations: u32,
    /// Mass ratio of a load: a body bears a load if it touches a body more than this many times as
    /// heavy.
    pub load_ratio: f64,
    /// Impulse of a load: a body bears a load if a contact or a joint pushes it with more than this
    /// multiple of its weight.
    pub load_share: f64,
    /// Overlap of a load: a contact shows a load if it is at least this many passes old and sinks in by
    /// more than this many slops. Thin parts sink in this far under a few times their weight.
    pub sink: (u32, f64),
    /// Overlap of a load between parts of a machine, in slops. With a larger value, gears turn by their load
    /// beyond their play; with such a value for all parts, stacks are solved like loads.
    pub machine_sink: f64,
    /// Convergence of rows around loaded bodies: largest change of a velocity per iteration, as a share
    /// of the velocity that gravity gives in a step.
    pub tolerance_share: f64,
    /// Largest size of a fine part, as a multiple of twice the distance of a free fall in a step: gravity
    /// moves fine parts so far between two steps that all of their contacts must converge. Larger values
    /// solve more parts like loads; with smaller values, stacks of small parts fall over.
    pub fine_falls: f64,
    /// Largest number of further iterations over rows around loaded bodies in each half of a sub-step.
    pub most_rounds: u32,
    /// Overlap, in slops, that bounds the impulse given back by a soft contact under load: at most the
    /// impulse that pushes out this overlap. Without a bound, a body sinks in by its load over the
    /// stiffness of the contact, whatever the number of iterations. With a bound and only two
    /// iterations, stacks swing.
    pub leak_slops: f64,
    /// Froude number (speed over the root of gravity times size) below which a body is slow. Speeds at
    /// which large parts count as resting move small parts far relative to their size.
    pub rest_froude: f64,
    /// Share of `sleep_delay` that bounds the rest speed: gravity gives the largest rest speed within
    /// this time. With a larger value, large parts fall asleep as they begin to topple.
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
            rest_slops: 0.2,
            bounce_share: 3.0,
            iterations: 2,
            load_ratio: 8.0,
            load_share: 100.0,
            sink: (4, 25.0),
            machine_sink: 8.0,
            tolerance_share: 0.012,
            fine_falls: 16.0,
            most_rounds: 100,
            leak_slops: 0.3,
            rest_froude: 0.02,
            rest_of_fall: 0.004,
            sleep_delay: 0.5,
        }
    }
}

/// Softness of a constraint that yields like a damped spring, whatever the masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    /// Rate at which the position error is reduced, 1/s.
    pub bias_rate: f64,
    /// Share of the velocity error that is solved.
    pub mass_scale: f64,
    /// Share of the present impulse that is given back.
    pub impulse_scale: f64,
}

impl Softness {
    pub const RIGID: Self = Self { bias_rate: 0.0, mass_scale: 1.0, impulse_scale: 0.0 };

    /// Makes the softness for a sub-step of `h` seconds. `hertz` is limited to `share` times the
    /// sub-step rate: a quarter of the rate can be resolved, a half if heavily damped.
    pub fn new(hertz: f64, damping: f64, share: f64, h: f64) -> Self {
        let omega = 2.0 * std::f64::consts::PI * hertz.min(share / h);
        let a1 = 2.0 * damping + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self { bias_rate: omega / a1, mass_scale: a2 * a3, impulse_scale: a3 }
    }
}
