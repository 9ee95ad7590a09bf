//! Gears: the coordinate of one joint (follower) is a multiple of that of another (leader), as for two
//! fingers of a gripper. A drive or a contact that pushes either joint moves both.

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_frames::{Frames, Row};
use super::joint_impulses::JointImpulses;
use super::moving::{Moving, two};
use super::settings::Softness;
use crate::body::{Gear, Joint};

/// Row of a gear, and its impulse, which is kept between sub-steps: N·s or N·m·s along the follower's
/// axis.
pub(super) struct GearRow {
    gear: Gear,
    impulse: f64,
    /// Half the impulse of the previous sub-step.
    half: f64,
}

/// The two joints of a gear in a sub-step.
struct Ends {
    /// Rows of the follower and of the leader, each with its two bodies and its share of an impulse.
    rows: [(Row, [usize; 2], f64); 2],
    /// Distance by which the follower's coordinate exceeds the value given by the leader, m or rad.
    error: f64,
}

impl GearRow {
    pub fn new(gear: Gear) -> Self {
        Self { gear, impulse: 0.0, half: 0.0 }
    }

    /// Returns the indices of the two joints.
    pub fn joints(&self) -> [u32; 2] {
        [self.gear.follower.0, self.gear.leader.0]
    }

    pub fn scale(&mut self, scale: f64) {
        self.impulse *= scale;
    }

    /// Stores half the impulse of the last sub-step.
    pub fn halve(&mut self) {
        self.half = 0.5 * self.impulse;
    }

    /// Applies half the impulse of the last sub-step.
    pub fn warm_start(&self, (joints, impulses): (&[Joint], &[JointImpulses]), moving: &mut [Moving]) {
        if let Some(ends) = self.ends(joints, impulses, moving) {
            ends.push(moving, self.half);
        }
    }

    /// Solves one iteration of the gear.
    pub fn solve(
        &mut self,
        (joints, impulses): (&[Joint], &[JointImpulses]),
        moving: &mut [Moving],
        context: &RowContext,
        relax: bool,
    ) {
        let Some(ends) = self.ends(joints, impulses, moving) else { return };
        let settings = context.settings;
        let soft = Softness::new(settings.joint_hertz, settings.joint_damping, 0.5, context.h);
        let softness = if relax { Softness::RIGID } else { soft };
        let response = ends.response(moving);
        if response <= 0.0 {
            return;
        }
        let wanted = ends.velocity(moving) + softness.bias_rate * ends.error;
        let change = -softness.mass_scale * wanted / response - softness.impulse_scale * self.impulse;
        ends.push(moving, change);
        self.impulse += change;
    }

    /// Calls `each` with the impulses of the last sub-step on each body: the body, the point of the linear
    /// impulse (world, m), the linear and the angular impulse.
    pub fn wrenches(
        &self,
        (joints, impulses): (&[Joint], &[JointImpulses]),
        moving: &[Moving],
        mut each: impl FnMut(u32, DVec3, [DVec3; 2]),
    ) {
        for ((index, axis), share) in [(self.gear.follower, 1.0), (self.gear.leader, -self.gear.ratio)] {
            let joint = &joints[index as usize];
            let Some(frames) = Frames::new(joint, &impulses[index as usize].angles, moving) else { continue };
            let (row, impulse) = (frames.row(axis as usize), share * self.impulse);
            let is_linear = row.linear != DVec3::ZERO;
            for (body, sign, turning) in
                [(joint.a, -impulse, row.angular_a), (joint.b, impulse, row.angular_b)]
            {
                let twist = if is_linear { DVec3::ZERO } else { turning };
                each(body, frames.origin_b, [sign * row.linear, sign * twist]);
            }
        }
    }

    /// Returns the present state of the two joints; `None` if one of the joints cannot act.
    fn ends(&self, joints: &[Joint], impulses: &[JointImpulses], moving: &[Moving]) -> Option<Ends> {
        let Gear { follower, leader, ratio, offset } = self.gear;
        let [own, other] = [follower, leader].map(|(joint, axis)| {
            let (of, index) = (joint as usize, axis as usize);
            let frames = Frames::new(&joints[of], &impulses[of].angles, moving)?;
            let coordinate = frames.limited_coordinate(index, joints[of].axis(axis));
            Some((frames.row(index), [frames.a, frames.b], coordinate))
        });
        let ((row, bodies, at), (other_row, other_bodies, other_at)) = own.zip(other)?;
        let rows = [(row, bodies, 1.0), (other_row, other_bodies, -ratio)];
        Some(Ends { rows, error: at - ratio * other_at - offset })
    }
}

impl Ends {
    /// Returns the rate of change of the follower's error, m/s or rad/s.
    fn velocity(&self, moving: &[Moving]) -> f64 {
        self.rows.iter().map(|(row, [a, b], share)| share * row.velocity(&moving[*a], &moving[*b])).sum()
    }

    fn push(&self, moving: &mut [Moving], impulse: f64) {
        for (row, [a, b], share) in &self.rows {
            let [a, b] = two(moving, *a, *b);
            row.push(a, b, share * impulse);
        }
    }

    /// Returns the velocity along the gear that an impulse of 1 adds. The two joints may share a body.
    fn response(&self, moving: &[Moving]) -> f64 {
        let mut sum = 0.0;
        for (row, bodies, share) in &self.rows {
            for (other, others, others_share) in &self.rows {
                for (own, side) in bodies.iter().zip(sides(row)) {
                    for (_, pushed) in others.iter().zip(sides(other)).filter(|(body, _)| *body == own) {
                        sum += share * others_share * answer(&moving[*own], side, pushed);
                    }
                }
            }
        }
        sum
    }
}

/// Returns the linear and angular impulse on each of the row's two bodies for an impulse of 1 along the
/// row.
fn sides(row: &Row) -> [[DVec3; 2]; 2] {
    [[-row.linear, -row.angular_a], [row.linear, row.angular_b]]
}

/// Returns the velocity of a body along one end of a row due to an impulse of 1 along an end of another
/// row.
fn answer(body: &Moving, [linear, angular]: [DVec3; 2], [push, twist]: [DVec3; 2]) -> f64 {
    body.inverse_mass * linear.dot(push) + angular.dot(body.inverse_inertia * twist)
}
