//! The state hash: a number that two runs share only if every body is in the same state, bit by bit.
//!
//! xxh3-64 over the bodies in index order (pose, velocities and activity), then over the joint angles.
//! Each `f64` enters as its little-endian bits, so the number is the same on every machine. `-0.0` and
//! `0.0` differ on purpose: the hash covers the values that the next step computes with. Masses and
//! shapes do not change during a run and are left out.

use glam::{DQuat, DVec3};
use xxhash_rust::xxh3::Xxh3Default;

use super::{Activity, Bodies, BodyState};

/// Returns the hash of the whole state. Takes time in proportion to the number of bodies and joints,
/// and no memory.
#[inline]
pub fn state_hash(bodies: &Bodies) -> u64 {
    let mut hash = Xxh3Default::new();
    for state in &bodies.states {
        hash.update(&bytes(state));
    }
    for angle in bodies.angles.iter().flatten() {
        hash.update(&angle.to_bits().to_le_bytes());
    }
    hash.digest()
}

const FLOAT_COUNT: usize = 4 + 3 + 3 + 3 + 1;

fn bytes(state: &BodyState) -> [u8; 8 * FLOAT_COUNT + 1] {
    let DQuat { x, y, z, w } = state.pose.rotation;
    let DVec3 { x: px, y: py, z: pz } = state.pose.position;
    let v = state.linear_velocity;
    let a = state.angular_velocity;
    let (activity, slow_for) = match state.activity {
        Activity::Awake { slow_for } => (0, slow_for),
        Activity::Asleep => (1, 0.0),
        Activity::Quarantined => (2, 0.0),
    };
    let floats: [f64; FLOAT_COUNT] = [x, y, z, w, px, py, pz, v.x, v.y, v.z, a.x, a.y, a.z, slow_for];
    let mut bytes = [activity; 8 * FLOAT_COUNT + 1];
    for (place, float) in bytes.chunks_exact_mut(8).zip(floats) {
        place.copy_from_slice(&float.to_bits().to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::body::Motion;
    use crate::pose::Pose;

    fn body() -> BodyState {
        BodyState {
            pose: Pose::IDENTITY,
            linear_velocity: DVec3::new(1.0, 2.0, 3.0),
            angular_velocity: DVec3::new(4.0, 5.0, 6.0),
            inverse_mass: 1.0,
            center: DVec3::ZERO,
            inertia: DMat3::IDENTITY,
            inverse_inertia: DMat3::IDENTITY,
            gravity_factor: 1.0,
            motion: Motion::Dynamic,
            activity: Activity::Awake { slow_for: 0.0 },
        }
    }

    fn hash_of(states: Vec<BodyState>) -> u64 {
        state_hash(&Bodies { states, ..Bodies::default() })
    }

    #[test]
    fn every_part_of_the_state_changes_the_hash() {
        let changes: [fn(&mut BodyState); 8] = [
            |b| b.pose.position.y = f64::from_bits(1),
            |b| b.pose.rotation.w = 1.0 - f64::EPSILON,
            |b| b.linear_velocity.z = 3.0 + 4.0 * f64::EPSILON,
            |b| b.angular_velocity.x = -4.0,
            |b| b.pose.position.x = -0.0,
            |b| b.activity = Activity::Awake { slow_for: 0.25 },
            |b| b.activity = Activity::Asleep,
            |b| b.activity = Activity::Quarantined,
        ];
        let mut hashes = vec![hash_of(vec![body()]), hash_of(vec![body(), body()]), hash_of(vec![])];
        for change in changes {
            let mut changed = body();
            change(&mut changed);
            hashes.push(hash_of(vec![changed]));
            hashes.push(hash_of(vec![body(), changed]));
            hashes.push(hash_of(vec![changed, body()]));
        }
        let distinct: std::collections::BTreeSet<_> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len());
    }

    #[test]
    fn a_whole_turn_of_a_joint_changes_the_hash() {
        let turned = |angle: f64| Bodies { angles: vec![[angle, 0.0, 0.0]], ..Bodies::default() };
        assert_ne!(state_hash(&turned(1.0)), state_hash(&turned(1.0 + std::f64::consts::TAU)));
    }

    /// Recordings and golden hashes rely on the layout: this number may only change with the
    /// recording's format version.
    #[test]
    fn the_hash_of_a_known_state_is_known() {
        assert_eq!(hash_of(vec![body(), body()]), 0xc252_3b7f_4cef_53f9);
    }
}
