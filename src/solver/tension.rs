//! Light bodies in tension: a rope under a load swings across it faster than sub-steps can follow.
//!
//! A force that pulls at a body outwards turns it back when it turns: a spring of stiffness force · arm, which
//! the rows of joints do not know, as they see directions as they are. Explicit in time, such a spring is
//! stable only while h²·stiffness is less than some inertias. The inertia of a body with more is raised by
//! h²·stiffness, as an implicit step would raise it (M. Tournier et al., "Stable constrained dynamics",
//! SIGGRAPH 2015; S. Andrews et al., "Geometric stiffness for real-time constrained multibody dynamics", 2017).

use glam::{DMat3, DVec3};

use super::joint_frames::Frames;
use super::moving::Moving;

/// h²·stiffness over inertia that a sub-step follows by itself.
const FOLLOWED: f64 = 0.5;
/// Which share of an implicit step's damping acts. All of it would take 8 % of its energy a second from a
/// pendulum of 1 m; a tenth still ends what is as fast as a sub-step within some of them.
const DAMPED: f64 = 0.1;

/// The stiffness of bodies against turning, kept with its buffers.
#[derive(Default)]
pub(super) struct Tension {
    /// By body, times the square of a sub-step: kg·m².
    stiffness: Vec<DMat3>,
    /// By body, over its inertia.
    ratios: Vec<f64>,
}

impl Tension {
    /// Begins anew, with so many bodies.
    pub fn clear(&mut self, bodies: usize) {
        self.stiffness.clear();
        self.stiffness.resize(bodies, DMat3::ZERO);
        self.ratios.clear();
        self.ratios.resize(bodies, 0.0);
    }

    /// Adds what a joint's pull at b makes of its bodies' stiffness: an impulse times a sub-step, N·s².
    pub fn add(&mut self, frames: &Frames, pull: DVec3, moving: &[Moving]) {
        let [arm_a, arm_b] = frames.point_arms();
        for (body, force, arm) in [(frames.a, -pull, arm_a), (frames.b, pull, arm_b)] {
            let (outwards, along) = (force.dot(arm), arm.normalize_or_zero());
            if outwards > 0.0 && moving[body].inverse_mass > 0.0 {
                let across = outwards * (DMat3::IDENTITY - outer(along, along));
                self.stiffness[body] += across;
                let answer = moving[body].inverse_inertia * across;
                // Two directions across the arm have it.
                self.ratios[body] += 0.5 * (answer.x_axis.x + answer.y_axis.y + answer.z_axis.z);
            }
        }
    }

    /// Damps how a body turns, and raises its inertia by what its stiffness exceeds.
    pub fn act(&self, body: usize, moving: &mut [Moving]) {
        let (ratio, of) = (self.ratios[body], &mut moving[body]);
        if ratio > 0.0 {
            let answer = of.inverse_inertia * self.stiffness[body];
            of.angular = (DMat3::IDENTITY + DAMPED * answer).inverse() * of.angular;
            if ratio > FOLLOWED {
                // 1/(I + k) = (1 + k/I)⁻¹·1/I
                let raised = DMat3::IDENTITY + (1.0 - FOLLOWED / ratio) * answer;
                let inverse = raised.inverse() * of.inverse_inertia;
                of.inverse_inertia = 0.5 * (inverse + inverse.transpose());
            }
        }
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(b.x * a, b.y * a, b.z * a)
}
