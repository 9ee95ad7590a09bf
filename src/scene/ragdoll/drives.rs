//! Drives that take a figure through its animation: every joint towards the clip's pose, the root towards its
//! place in the world. Soft enough to give way to what the figure meets.

use glam::DVec3;

use super::bones::Bone;
use super::solid::{Burden, inertia_about};
use crate::body::{AxisRange, DriveKind, Joint, JointAxis, PoseDrive, Spring, WORLD};
use crate::pose::Pose;
use crate::scene::BodyDef;

/// Natural frequency of every drive by the masses on its two sides, Hz; all are critically damped.
const HERTZ: f64 = 8.0;
/// Largest natural frequency as a share of the sub-step rate: stiffer drives find no common motion in the
/// solver's few rounds.
const LARGEST_SHARE: f64 = 0.05;
/// A drive is at most so many times as strong as what hangs on its joint weighs there, level; that of a root
/// as the whole figure.
const MUSCLE: f64 = 20.0;
const ROOT_MUSCLE: f64 = 3.0;

/// How stiff and how strong drives are, as a multiple of what is usual.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    stiffness: f64,
    force: f64,
}

impl Strength {
    /// The muscles of a figure that is stepped in sub-steps of `h` seconds.
    pub fn new(strength: f64, h: f64) -> Self {
        let most = LARGEST_SHARE / (h * HERTZ);
        Self { stiffness: strength.min(most * most), force: strength }
    }

    /// In words.
    pub fn describe(self) -> String {
        format!(
            "its drives have {:.1} Hz, critically damped, and pull at most {} times what hangs on them weighs, \
             at the root {} times",
            HERTZ * self.stiffness.sqrt(),
            MUSCLE * self.force,
            ROOT_MUSCLE * self.force
        )
    }

    /// For a mass (kg) or moment of inertia (kg·m²), and the most it usually pulls (N or N·m).
    fn spring(self, mass: f64, most: f64) -> Spring {
        let omega = 2.0 * std::f64::consts::PI * HERTZ * self.stiffness.sqrt();
        Spring { stiffness: mass * omega * omega, damping: 2.0 * mass * omega, max_force: self.force * most }
    }
}

/// The drive of each bone's joint, roots included, under a gravity in m/s². The bodies stand at rest.
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
        distance: None,
        friction: 0.0,
        collide: false,
        pose_drive: Some(drive),
    }
}
