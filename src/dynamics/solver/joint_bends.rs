//! Curvature of the paths that joints impose on their bodies within a sub-step.
//!
//! A velocity that satisfies a joint at the present poses is tangential to the circle on which the
//! joint keeps the body. Without the terms of this file, each sub-step would leave the circle by
//! ½·ω²·h² of its radius. The joint would then pull the body back, and a pendulum would lose energy.

use glam::DVec3;

use super::joint_aims::Slot;
use super::joint_frames::Frames;
use super::moving::Moving;

/// Divisor of the squared rotation angle (rad²) of a sub-step. It reduces the terms for large
/// rotations, as the cosine does that the terms approximate.
const LARGE_TURN: f64 = 12.0;

/// Returns the mean velocity (m/s) due to the curvature of a point's path over `h` seconds, as its body
/// rotates. `arm`: vector from the center of mass to the point.
fn bend(body: &Moving, arm: DVec3, h: f64) -> DVec3 {
    let turn = body.angular;
    let shrinks = 1.0 + h * h * turn.length_squared() / LARGE_TURN;
    0.5 * h / shrinks * turn.cross(turn.cross(arm))
}

impl Frames {
    /// Returns the mean velocity (m/s) of frame b's origin relative to frame a's due to rotation over
    /// `h` seconds.
    pub fn point_bend(&self, a: &Moving, b: &Moving, h: f64) -> DVec3 {
        let [arm_a, arm_b] = self.point_arms();
        bend(b, arm_b, h) - bend(a, arm_a, h)
    }

    /// Returns the mean rate (m/s) of a coordinate due to rotation over `h` seconds. 0 for angles,
    /// because a freely spinning body keeps its angular velocity.
    pub fn row_bend(&self, slot: Slot, a: &Moving, b: &Moving, h: f64) -> f64 {
        let [arm_a, arm_b] = self.point_arms();
        let apart = || b.velocity_at(arm_b) - a.velocity_at(arm_a);
        match slot {
            Slot::Axis(index) if index < 3 => {
                // Relative to frame a, which rotates.
                let seen = bend(a, self.offset, h) - h * a.angular.cross(apart());
                self.axes[index].dot(self.point_bend(a, b, h) + seen)
            }
            Slot::Distance => {
                let (length, row) = self.distance();
                let aside = apart() - row.linear.dot(apart()) * row.linear;
                // The path is not bent if the two ends almost coincide.
                let turns = aside.length_squared() / length.max(h * aside.length()).max(f64::MIN_POSITIVE);
                row.linear.dot(self.point_bend(a, b, h)) + 0.5 * h * turns
            }
            _ => 0.0,
        }
    }
}
