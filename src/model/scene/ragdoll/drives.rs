//! Drives that move a figure through its animation: each joint's drive towards the clip's pose, the
//! root's drive towards the clip's pose in the world. They are soft enough to yield to obstacles.

use glam::DVec3;

use super::bones::Bone;
use super::solid::{Burden, inertia_about};
use crate::body::{AxisRange, DriveKind, Joint, JointAxis, PoseDrive, Spring, WORLD};
use crate::pose::Pose;
use crate::scene::BodyDef;

/// Natural frequency of every drive, Hz, with the inertia of its two sides. All drives are critically
/// damped.
const HERTZ: f64 = 8.0;
/// Largest natural frequency as a share of the sub-step rate. The few iterations of the solver per
/// sub-step do not resolve stiffer drives.
const LARGEST_SHARE: f64 = 0.05;
/// Largest torque of a drive, as a multiple of the torque with which the limb, held level, hangs on the
/// joint.
const MUSCLE: f64 = 20.0;
/// Largest force of a root's drive, as a multiple of the figure's weight, and its largest torque, as a
/// multiple of the torque of the whole figure held level.
const ROOT_MUSCLE: f64 = 3.0;

/// Multipliers of the stiffness and of the largest force of all drives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    stiffness: f64,
    force: f64,
}

impl Strength {
    /// Returns the multipliers for the figure's `strength`. Sub-steps of `h` seconds limit the
    /// stiffness.
    pub fn new(strength: f64, h: f64) -> Self {
        let most = LARGEST_SHARE / (h * HERTZ);
        Self { stiffness: strength.min(most * most), force: strength }
    }

    /// Returns a sentence for the note about the figure's drives.
    pub fn describe(self) -> String {
        format!(
            "its drives have {:.1} Hz, critically damped, and pull at most {} times what hangs on them weighs, \
             at the root {} times",
            HERTZ * self.stiffness.sqrt(),
            MUSCLE * self.force,
            ROOT_MUSCLE * self.force
        )
    }

    /// Returns the critically damped spring that moves a mass (kg) or moment of inertia (kg·m²). `most`
    /// is its largest force (N or N·m) at strength 1.
    fn spring(self, mass: f64, most: f64) -> Spring {
        let omega = 2.0 * std::f64::consts::PI * HERTZ * self.stiffness.sqrt();
        Spring { stiffness: mass * omega * omega, damping: 2.0 * mass * omega, max_force: self.force * most }
    }
}

/// Returns the drive of each bone's joint; a root's drive acts between the root and the world.
/// `gravity` in m/s². The bodies must be in their rest pose.
pub(super) fn drives(
    bones: &[Bone],
    bodies: &[BodyDef],
    burdens: &[Burden],
    strength: Strength,
    gravity: f64,
) -> Vec<PoseDrive> {
    let inertia = |point: DVec3, all: &dyn Fn(usize) -> bool| -> f64 {
        (0..bodies.len()).filter(|&at| all(at)).map(|at| inertia_about(&bodies[at], point)).sum()
    };
    let root = |at: usize| std::iter::successors(Some(at), |&b| bones[b].parent).last();
    let drive = |at: usize| {
        let below = |b: usize| std::iter::successors(Some(b), |&b| bones[b].parent).any(|b| b == at);
        let joint = bones[at].place.pose.position;
        let carried = inertia(joint, &below);
        let Burden { mass, torque } = burdens[at];
        let (angular, linear) = match bones[at].parent {
            Some(_) => {
                let rest = inertia(joint, &|b| root(b) == root(at) && !below(b));
                (strength.spring(carried * rest / (carried + rest), MUSCLE * torque), Spring::NONE)
            }
            None => {
                let linear = strength.spring(mass, ROOT_MUSCLE * mass * gravity);
                (strength.spring(carried, ROOT_MUSCLE * torque), linear)
            }
        };
        PoseDrive {
            kind: DriveKind::Force,
            target: Pose::IDENTITY,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            linear,
            angular,
        }
    };
    (0..bones.len()).map(drive).collect()
}

/// Returns a joint without limits between the world and a root, whose drive alone holds the root.
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
        distance: None,
        friction: 0.0,
        collide: false,
        pose_drive: Some(drive),
    }
}
