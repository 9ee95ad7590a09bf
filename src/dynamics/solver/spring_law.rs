//! Springs and dampers in the two halves of a sub-step.
//!
//! In both halves a spring exerts the force that it has in the middle of the sub-step (trapezoidal rule).
//! So it keeps the energy of an oscillation exactly, whatever its stiffness, and bears a load at the
//! stretch of load over stiffness. A damper exerts the force at the end of each half, so that any damping
//! is stable. A spring that oscillates too fast for the sub-steps is evaluated at the end as well, which
//! damps the oscillation.

/// Angle of an oscillation in a sub-step (rad) up to which it is not damped, and angle from which it is
/// damped most. Four sub-steps of 1/240 s follow 76 Hz.
const FOLLOWED: [f64; 2] = [2.0, 4.0];
/// Least damping of a spring, as a share of its stiffness times the duration of the sub-step. It keeps the
/// compliance of the second half finite.
const LEAST_DAMPING: f64 = 1e-6;

/// Half of a sub-step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Half {
    /// First half: position errors are pushed out.
    #[default]
    Push,
    /// Second half: the velocity of the push is removed.
    Relax,
}

/// Half of a sub-step for which the equation of a spring is made.
#[derive(Clone, Copy)]
pub(super) struct Swing {
    pub half: Half,
    /// Duration of the sub-step, s.
    pub h: f64,
    /// Velocity that an impulse of 1 along the spring adds.
    pub response: f64,
}

/// Equation of a spring in a half of a sub-step: velocity + bias + gives · impulse = 0.
#[derive(Clone, Copy)]
pub(super) struct SpringLaw {
    /// Compliance: velocity per unit of the half's impulse.
    pub gives: f64,
    half: Half,
    h: f64,
    stiffness: f64,
    damping: f64,
    /// Measure of a spring too fast for the sub-steps: 0 for one that they follow, 1 for one that is
    /// damped most.
    stiffly: f64,
}

impl SpringLaw {
    /// Makes the law of a spring and damper; `None` if it has neither.
    pub fn new(stiffness: f64, damping: f64, Swing { half, h, response }: Swing) -> Option<Self> {
        let stiffly = stiffly(stiffness, response, h);
        let damping = damping.max(LEAST_DAMPING * h * stiffness);
        let mut law = Self { gives: 0.0, half, h, stiffness, damping, stiffly };
        let firmness = 0.5 * h * (damping + law.ahead() * stiffness);
        law.gives = 1.0 / firmness;
        (firmness > 0.0).then_some(law)
    }

    /// Returns the time (s) by which the spring is evaluated ahead of the poses.
    fn ahead(&self) -> f64 {
        self.h
            * match self.half {
                Half::Push => 0.5 + 0.5 * self.stiffly,
                Half::Relax => self.stiffly,
            }
    }

    /// Returns the bias velocity. The distances to the target are those at the poses of this half and at
    /// the start of the sub-step. `drift`: velocity of the target. `velocity`: velocity that the damper
    /// seeks. All in m or rad, and s.
    pub fn bias(&self, [stretch, began]: [f64; 2], drift: f64, velocity: f64) -> f64 {
        let from = match self.half {
            Half::Push => stretch,
            Half::Relax => stretch + (0.5 - 0.5 * self.stiffly) * (began - stretch),
        };
        let force = self.stiffness * (from + self.ahead() * drift) + self.damping * velocity;
        -self.gives * 0.5 * self.h * force
    }
}

/// Returns how much too fast for sub-steps of `h` seconds a spring oscillates, from 0 to 1. `response`:
/// velocity that an impulse of 1 along the spring adds.
pub(super) fn stiffly(stiffness: f64, response: f64, h: f64) -> f64 {
    let angle = h * (stiffness * response).sqrt();
    ((angle - FOLLOWED[0]) / (FOLLOWED[1] - FOLLOWED[0])).clamp(0.0, 1.0)
}
