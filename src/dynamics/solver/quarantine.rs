//! Quarantine: a body that becomes non-finite or leaves the world gets its last valid pose and no
//! velocity, is disabled, and is reported. All other bodies continue as if it did not exist.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::body::{Activity, Bodies, BodyState};
use crate::pose::Pose;

/// Largest valid coordinate of position or velocity (m or m/s). Differences of larger values have no
/// accurate digits.
const WORLD_LIMIT: f64 = 1e10;

/// A body that was quarantined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantine {
    /// Body index.
    pub body: u32,
    pub name: String,
    /// Step in which the body was quarantined.
    pub step: u32,
}

/// Quarantines every body whose state is invalid after a pass of step `step`, and appends it to
/// `found`. `valid` holds the last valid pose of each body and is updated.
pub fn quarantine(bodies: &mut Bodies, valid: &mut Vec<Pose>, step: u32, found: &mut Vec<Quarantine>) {
    valid.resize(bodies.states.len(), Pose::IDENTITY);
    for (body, (state, valid)) in bodies.states.iter_mut().zip(valid).enumerate() {
        if state.activity == Activity::Quarantined {
            continue;
        }
        if is_valid(state) {
            *valid = state.pose;
            continue;
        }
        state.pose = *valid;
        state.linear_velocity = DVec3::ZERO;
        state.angular_velocity = DVec3::ZERO;
        state.activity = Activity::Quarantined;
        let name = bodies.infos[body].name.clone();
        found.push(Quarantine { body: body as u32, name, step });
    }
}

fn is_valid(state: &BodyState) -> bool {
    let within = |v: DVec3| v.is_finite() && v.abs().max_element() <= WORLD_LIMIT;
    state.is_finite() && within(state.pose.position) && within(state.linear_velocity)
}
