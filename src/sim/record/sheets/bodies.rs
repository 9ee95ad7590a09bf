//! Table `bodies.csv`: pose of each body after each step, and its mean velocity during the step.
//!
//! A recording stores poses, but not velocities. The velocities in the table are means over a step,
//! computed from the poses before and after it. Those at the start are the scene's.

use std::io;

use glam::DVec3;

use super::sheet::{Moment, Rows, Sheet};
use crate::pose::Pose;
use crate::record::Rest;
use crate::scene::{BodyDef, Scene};
use crate::solver::rotation_vector;

const COLUMNS: [&str; 17] = [
    "step",
    "time_s",
    "body",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "vx_m_per_s",
    "vy_m_per_s",
    "vz_m_per_s",
    "wx_rad_per_s",
    "wy_rad_per_s",
    "wz_rad_per_s",
    "state",
];

/// Table of the selected bodies.
pub(super) struct Bodies {
    /// Selected bodies, ascending by index.
    bodies: Vec<Body>,
    /// Length of a step, s.
    dt: f64,
}

struct Body {
    index: u32,
    name: String,
    at_start: Velocity,
}

/// Velocity of a body, world.
#[derive(Clone, Copy, Default)]
struct Velocity {
    /// Velocity of the origin of body space, m/s.
    linear: DVec3,
    /// Angular velocity, rad/s.
    angular: DVec3,
}

impl Bodies {
    /// Creates the table of the bodies with the indices `wanted`.
    pub fn new(scene: &Scene, wanted: &[u32]) -> Self {
        let body = |&index: &u32| {
            let body = &scene.bodies[index as usize];
            Body { index, name: body.name.clone(), at_start: Velocity::at_start(body) }
        };
        Self { bodies: wanted.iter().map(body).collect(), dt: scene.config.dt }
    }
}

impl Sheet for Bodies {
    fn file(&self) -> &'static str {
        "bodies.csv"
    }

    fn columns(&self) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()> {
        for Body { index, name, at_start } in &self.bodies {
            let place = *index as usize;
            let pose = moment.now.poses[place];
            let Velocity { linear, angular } = match moment.before {
                Some(before) => Velocity::between(&before.poses[place], &pose, self.dt),
                None => *at_start,
            };
            let state = match moment.now.rests[place] {
                Rest::Awake => "awake",
                Rest::Asleep => "asleep",
                Rest::Quarantined => "quarantined",
            };
            let step = moment.now.step;
            rows.add(&(step, moment.time, name, pose.position, pose.rotation, linear, angular, state))?;
        }
        Ok(())
    }
}

impl Velocity {
    /// Converts the scene's initial velocities, which are those of the center of mass.
    fn at_start(body: &BodyDef) -> Self {
        let to_origin = body.pose.transform_vector(-body.center);
        let angular = body.angular_velocity;
        Self { linear: body.linear_velocity + angular.cross(to_origin), angular }
    }

    /// Returns the mean velocity over a step of `dt` seconds. It assumes that the body rotates by at
    /// most half a turn.
    fn between(before: &Pose, now: &Pose, dt: f64) -> Self {
        if before == now {
            // Returns exact zeros: the product of a rotation and its inverse is not exactly the
            // identity.
            return Self::default();
        }
        Self {
            linear: (now.position - before.position) / dt,
            angular: rotation_vector(now.rotation * before.rotation.conjugate()) / dt,
        }
    }
}
