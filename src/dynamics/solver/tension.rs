//! Light bodies in tension. A rope under a load swings sideways faster than sub-steps can follow.
//! A force that pulls a body outward rotates it back when the body deviates, like a spring of stiffness
//! force · arm. The rows of joints lack this spring: they treat directions as fixed. Explicit
//! integration is unstable if h²·stiffness is much more than the inertia; an implicit step, which adds
//! h²·stiffness to the inertia and damps the velocity, is always stable. Here, bodies whose h²·stiffness
//! is too much for their inertia get more inertia. If a load causes the tension, their rotation relative
//! to the mechanism is also damped.
//!
//! Sources: M. Tournier et al., "Stable constrained dynamics", SIGGRAPH 2015; S. Andrews et al., "Geometric
//! stiffness for real-time constrained multibody dynamics", Eurographics 2017.

use glam::{DMat3, DVec3};

use super::joint_frames::Frames;
use super::moving::Moving;

/// Ratio of h²·stiffness to inertia up to which sub-steps follow a body for any time.
const FOLLOWED: f64 = 0.5;
/// Ratio up to which sub-steps follow a body for a short time. They are stable up to 4, but less so where
/// the tension changes.
const BRIEFLY_FOLLOWED: f64 = 2.0;
/// Number of sub-steps from which a ratio above `FOLLOWED` is due to a load. Bodies that swing pull each
/// other as hard for a few sub-steps only, and must not lose their energy.
const LASTING: u32 = 12;

/// Stiffness of bodies against rotation, with its buffers.
#[derive(Default)]
pub(super) struct Tension {
    /// Stiffness of each body times the square of the duration of a sub-step: kg·m².
    stiffness: Vec<DMat3>,
    /// Ratio of `stiffness` to the inertia of each body.
    ratios: Vec<f64>,
    /// Number of sub-steps in which the ratio of each body was above `FOLLOWED`, less the later ones in which
    /// it was not; from 0 to twice `LASTING`.
    lasting: Vec<u32>,
}

impl Tension {
    /// Resets the stiffness, for `bodies` bodies.
    pub fn clear(&mut self, bodies: usize) {
        self.stiffness.clear();
        self.stiffness.resize(bodies, DMat3::ZERO);
        self.ratios.clear();
        self.ratios.resize(bodies, 0.0);
        self.lasting.resize(bodies, 0);
    }

    /// Adds the stiffness that a joint's pull on b gives the joint's bodies. `pull`: impulse times the
    /// duration of a sub-step, N·s².
    pub fn add(&mut self, frames: &Frames, pull: DVec3, moving: &[Moving]) {
        let [arm_a, arm_b] = frames.point_arms();
        for (body, force, arm) in [(frames.a, -pull, arm_a), (frames.b, pull, arm_b)] {
            let (outwards, along) = (force.dot(arm), arm.normalize_or_zero());
            if outwards > 0.0 && moving[body].inverse_mass > 0.0 {
                let across = outwards * (DMat3::IDENTITY - outer(along, along));
                self.stiffness[body] += across;
                let answer = moving[body].inverse_inertia * across;
                // Only the two directions perpendicular to the arm have this stiffness.
                self.ratios[body] += 0.5 * (answer.x_axis.x + answer.y_axis.y + answer.z_axis.z);
            }
        }
    }

    /// Counts a sub-step for a body.
    pub fn count(&mut self, body: usize) {
        let lasting = &mut self.lasting[body];
        let next = if self.ratios[body] > FOLLOWED { *lasting + 1 } else { lasting.saturating_sub(1) };
        *lasting = next.min(2 * LASTING);
    }

    /// Returns whether the tension of a body is due to a load, and not to the body's own swing.
    fn is_loaded(&self, body: usize) -> bool {
        self.lasting[body] > LASTING
    }

    /// Damps the rotation of a loaded body relative to `turning`, the rotation of its mechanism (rad/s),
    /// as an implicit step would.
    pub fn damp(&self, body: usize, turning: DVec3, moving: &mut [Moving]) {
        let (ratio, of) = (self.ratios[body], &mut moving[body]);
        let share = if self.is_loaded(body) { 1.0 } else { 1.0 - BRIEFLY_FOLLOWED / ratio };
        if share > 0.0 && ratio > 0.0 {
            let answer = share * of.inverse_inertia * self.stiffness[body];
            of.angular = turning + (DMat3::IDENTITY + answer).inverse() * (of.angular - turning);
        }
    }

    /// Raises the inertia of a body by the part of `stiffness` that a sub-step cannot follow.
    pub fn raise(&self, body: usize, moving: &mut [Moving]) {
        let (ratio, of) = (self.ratios[body], &mut moving[body]);
        let limit = if self.is_loaded(body) { FOLLOWED } else { BRIEFLY_FOLLOWED };
        if ratio > limit {
            // 1/(I + k) = (1 + k/I)⁻¹·1/I
            let answer = of.inverse_inertia * self.stiffness[body];
            let raised = DMat3::IDENTITY + (1.0 - limit / ratio) * answer;
            let inverse = raised.inverse() * of.inverse_inertia;
            of.inverse_inertia = 0.5 * (inverse + inverse.transpose());
        }
    }
}

/// Returns the common rotation of several bodies about a point that moves at `velocity`, rad/s: their
/// angular momentum divided by their inertia.
pub(super) fn turning(bodies: &[usize], [point, velocity]: [DVec3; 2], moving: &[Moving]) -> DVec3 {
    let (mut momentum, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for &body in bodies {
        let body = &moving[body];
        let (arm, mass) = (body.center - point, 1.0 / body.inverse_mass);
        let own = if body.inverse_inertia.determinant() > 0.0 {
            body.inverse_inertia.inverse()
        } else {
            DMat3::ZERO
        };
        momentum += mass * arm.cross(body.linear - velocity) + own * body.angular;
        let across = arm.length_squared() * DMat3::IDENTITY - outer(arm, arm);
        inertia += mass * across + own;
    }
    if inertia.determinant() > 0.0 { inertia.inverse() * momentum } else { DVec3::ZERO }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(b.x * a, b.y * a, b.z * a)
}
