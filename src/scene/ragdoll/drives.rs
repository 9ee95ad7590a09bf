//! Drives that take a figure through its animation: every joint towards the clip's pose, the root towards its
//! place in the world. Soft enough to give way to what the figure meets.

use glam::DVec3;

use super::bones::Bone;
use crate::body::{AxisRange, DriveKind, Joint, JointAxis, PoseDrive, Spring, WORLD};
use crate::pose::Pose;
use crate::scene::BodyDef;

/// Natural frequency of every drive by the masses on its two sides, Hz; all are critically damped.
pub(super) const HERTZ: f64 = 8.0;
/// A drive pulls no harder than at these distances from its target, rad and m.
const LARGEST_ANGLE: f64 = 0.25;
const LARGEST_DISTANCE: f64 = 0.02;

/// The drive of each bone's joint, roots included. `poses` are those at rest; stiffness is times `strength`.
pub(super) fn drives(bones: &[Bone], bodies: &[BodyDef], poses: &[Pose], strength: f64) -> Vec<PoseDrive> {
    let place = |at: usize| poses[at].transform_point(bodies[at].center);
    // About a point, kg·m²: the mean over axes across a limb.
    let inertia = |point: DVec3, all: &dyn Fn(usize) -> bool| -> f64 {
        let own = |at: usize| {
            let i = bodies[at].inertia;
            let turn = 0.5 * (i.x_axis.x + i.y_axis.y + i.z_axis.z);
            turn + bodies[at].mass * place(at).distance_squared(point)
        };
        (0..bodies.len()).filter(|&at| all(at)).map(own).sum()
    };
    let root = |at: usize| std::iter::successors(Some(at), |&b| bones[b].parent).last();
    let drive = |at: usize| {
        let below = |b: usize| std::iter::successors(Some(b), |&b| bones[b].parent).any(|b| b == at);
        let joint = poses[at].position;
        let carried = inertia(joint, &below);
        let (turned, moved) = match bones[at].parent {
            Some(_) => {
                let rest = inertia(joint, &|b| root(b) == root(at) && !below(b));
                (carried * rest / (carried + rest), None)
            }
            None => (carried, Some((0..bodies.len()).filter(|&b| below(b)).map(|b| bodies[b].mass).sum())),
        };
        PoseDrive {
            kind: DriveKind::Force,
            target: Pose::IDENTITY,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            linear: moved.map_or(Spring::NONE, |mass| spring(mass, strength, LARGEST_DISTANCE)),
            angular: spring(turned, strength, LARGEST_ANGLE),
        }
    };
    (0..bones.len()).map(drive).collect()
}

/// For a mass (kg) or moment of inertia (kg·m²).
fn spring(mass: f64, strength: f64, farthest: f64) -> Spring {
    let omega = 2.0 * std::f64::consts::PI * HERTZ;
    let stiffness = strength * mass * omega * omega;
    Spring { stiffness, damping: 2.0 * (strength.sqrt() * mass * omega), max_force: stiffness * farthest }
}

/// Holds a root to the world by its drive alone.
pub(super) fn root_joint(name: &str, body: u32, drive: PoseDrive) -> Joint {
    let free = JointAxis { range: AxisRange::Free, ..JointAxis::default() };
    Joint {
        name: format!("drive of {name}"),
        a: WORLD,
        b: body,
        frame_a: Pose::IDENTITY,
        frame_b: Pose::IDENTITY,
        linear: [free; 3],
        angular: [free; 3],
        cone: None,
        friction: 0.0,
        collide: false,
        pose_drive: Some(drive),
    }
}
