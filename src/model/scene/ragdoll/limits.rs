//! Limits of a figure's joints. They are guessed from the joints' names, about axes taken from the
//! skin's bind pose, and widened until they admit the figure's start and its animation.

use glam::{DQuat, DVec3};

use super::bones::Bone;
use super::names::{Reach, Role, Side, roles, side};
use crate::arrays::MapEach;
use crate::import::clip::split;
use crate::import::model::Model;
use crate::lookup::Lookup;
use crate::pose::Pose;
use crate::scene::figure::Figure;

/// Margin that a widened limit leaves beyond the pose that it had excluded, rad.
const ROOM: f64 = 0.05;
/// Absolute cosine below which two directions count as crossing. At or above it they are nearly
/// parallel.
const ACROSS: f64 = 0.9;

/// Limit of a joint, rad. The x axis of the joint frame is the limb, or the axis of a hinge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Rotation from the joint frame to the space of the parent bone.
    pub frame_a: DQuat,
    /// Rotation from the joint frame to the space of the bone.
    pub frame_b: DQuat,
    pub cone: f64,
    pub twist: [f64; 2],
    pub is_hinge: bool,
}

/// Guesses the limits of all bones that have a parent. `centers` are the bones' centers of mass, body
/// space.
pub(super) fn guess(model: &Model, figure: &Figure, bones: &[Bone], centers: &[DVec3]) -> Vec<Option<Limit>> {
    let names: Vec<&str> = bones.iter().map(|b| b.name.as_str()).collect();
    let parents: Vec<Option<usize>> = bones.iter().map(|b| b.parent).collect();
    let roles = roles(&names, &parents);
    let poses = bind_poses(model, figure, bones);
    let limbs: Vec<DVec3> = (0..bones.len()).map(|at| limb(at, &parents, &poses, centers)).collect();
    let forward = forward(&names, &roles, &poses);
    let limit = |at: usize| {
        let parent = parents[at]?;
        let bend = forward.zip(roles[at].bend()).and_then(|(forward, reach)| {
            let towards = if roles[at] == Role::Knee { -forward } else { forward };
            Some((hinge(limbs[at], towards)?, reach))
        });
        let (axis, Reach { cone, twist }) = bend.unwrap_or((limbs[at], roles[at].reach()));
        let frame = onto(axis);
        Some(Limit {
            frame_a: (poses[parent].rotation.conjugate() * frame).normalize(),
            frame_b: (poses[at].rotation.conjugate() * frame).normalize(),
            cone: cone.to_radians(),
            twist: twist.map_each(f64::to_radians),
            is_hinge: bend.is_some(),
        })
    };
    (0..bones.len()).map(limit).collect()
}

impl Limit {
    /// Widens the limit so that the joint admits the rotations `above` of the parent and `own` of the
    /// bone, world. Returns whether the limit changed.
    pub fn widen(&mut self, above: DQuat, own: DQuat) -> bool {
        let (twist, lean) = self.angles(above, own);
        let before = (self.cone, self.twist);
        if lean > self.cone {
            self.cone = lean + ROOM;
        }
        if twist < self.twist[0] {
            self.twist[0] = twist - ROOM;
        }
        if twist > self.twist[1] {
            self.twist[1] = twist + ROOM;
        }
        before != (self.cone, self.twist)
    }

    /// Returns the bone's twist about the joint's x axis and the angle of its x axis off the parent's,
    /// rad.
    fn angles(&self, above: DQuat, own: DQuat) -> (f64, f64) {
        let relative = (above * self.frame_a).conjugate() * (own * self.frame_b);
        let q = if relative.w < 0.0 { -relative } else { relative };
        let axis = q * DVec3::X;
        (2.0 * libm::atan2(q.x, q.w), libm::atan2(axis.cross(DVec3::X).length(), axis.x))
    }
}

/// Returns the bones' poses in the bind pose of the first skin that has all bones; without such a skin,
/// their rest poses.
fn bind_poses(model: &Model, figure: &Figure, bones: &[Bone]) -> Vec<Pose> {
    let skins = figure.skins.iter().filter_map(|s| model.nodes[s.node as usize].skin);
    let found = skins.map(|s| &model.skins[s as usize]).find_map(|skin| {
        let joints = skin.joints.iter().copied().zip(&skin.inverse_bind);
        let binds: Lookup<u32, _> = joints.collect();
        let pose = |b: &Bone| {
            let back = binds.get(&b.place.node)?;
            // A matrix that flattens space has no inverse, so it is tested first.
            split(back)?;
            Some(split(&back.inverse())?.0)
        };
        bones.iter().map(pose).collect::<Option<Vec<Pose>>>()
    });
    found.unwrap_or_else(|| bones.iter().map(|b| b.place.pose).collect())
}

/// Returns the unit direction of a limb: from a joint to its child joints; without them to its center
/// of mass; failing that, from its parent joint.
fn limb(at: usize, parents: &[Option<usize>], poses: &[Pose], centers: &[DVec3]) -> DVec3 {
    let own = poses[at].position;
    let below = (0..poses.len()).filter(|&b| parents[b] == Some(at));
    let towards: DVec3 = below.map(|b| poses[b].position - own).sum();
    let mass = poses[at].rotation * centers[at];
    let above = parents[at].map_or(DVec3::ZERO, |p| own - poses[p].position);
    let known = [towards, mass, above].into_iter().find_map(DVec3::try_normalize);
    known.unwrap_or(DVec3::Y)
}

/// Returns the forward direction of a figure that stands on two legs. Returns `None` if its names do
/// not tell left from right, or if it walks on four legs.
fn forward(names: &[&str], roles: &[Role], poses: &[Pose]) -> Option<DVec3> {
    let mean = |wanted: &dyn Fn(usize) -> bool| {
        let all: Vec<DVec3> = (0..names.len()).filter(|&i| wanted(i)).map(|i| poses[i].position).collect();
        (!all.is_empty()).then(|| all.iter().sum::<DVec3>() / all.len() as f64)
    };
    let hips = mean(&|i| roles[i] == Role::Hip)?;
    let knees = mean(&|i| roles[i] == Role::Knee)?;
    let shoulders = mean(&|i| matches!(roles[i], Role::Neck | Role::Shoulder | Role::Clavicle))?;
    let up = (shoulders - hips).try_normalize()?;
    let legs = (hips - knees).try_normalize()?;
    let beside = |which: Side| {
        mean(&|i| side(names[i]) == Some(which) && matches!(roles[i], Role::Hip | Role::Shoulder))
    };
    let left = (beside(Side::Left)? - beside(Side::Right)?).try_normalize()?;
    let stands = up.dot(legs) > 0.5 && left.dot(up).abs() < ACROSS;
    left.cross(up).try_normalize().filter(|_| stands)
}

/// Returns the axis about which a limb rotates towards a direction; `None` if the limb is nearly
/// parallel to that direction.
fn hinge(limb: DVec3, towards: DVec3) -> Option<DVec3> {
    limb.cross(towards).try_normalize().filter(|_| limb.dot(towards).abs() < ACROSS)
}

/// Returns a rotation that takes x to a direction.
fn onto(axis: DVec3) -> DQuat {
    let y = axis.any_orthonormal_vector();
    DQuat::from_mat3(&glam::DMat3::from_cols(axis, y, axis.cross(y))).normalize()
}

/// Returns a description of the limits for a note; bones with equal limits are listed together.
pub(super) fn describe(bones: &[Bone], limits: &[Option<Limit>]) -> String {
    let mut alike: Vec<(String, Vec<&str>)> = Vec::new();
    for (bone, limit) in bones.iter().zip(limits) {
        let Some(limit) = limit else { continue };
        let [low, high] = limit.twist.map_each(|t| t.to_degrees().round());
        let cone = limit.cone.to_degrees().round();
        let text = if limit.is_hinge {
            format!("hinge {low}° to {high}°, leaning {cone}°")
        } else {
            format!("cone {cone}°, twist {low}° to {high}°")
        };
        match alike.iter_mut().find(|(t, _)| *t == text) {
            Some((_, names)) => names.push(&bone.name),
            None => alike.push((text, vec![&bone.name])),
        }
    }
    let parts: Vec<String> =
        alike.iter().map(|(text, names)| format!("{}: {text}", names.join(", "))).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit() -> Limit {
        let still = DQuat::IDENTITY;
        Limit { frame_a: still, frame_b: still, cone: 0.5, twist: [-0.2, 0.3], is_hinge: false }
    }

    #[test]
    fn a_limit_is_widened_to_what_a_pose_needs_and_no_further() {
        let mut narrow = limit();
        assert!(!narrow.widen(DQuat::IDENTITY, DQuat::from_rotation_x(0.25)));
        assert!(!narrow.widen(DQuat::IDENTITY, DQuat::from_rotation_z(-0.45)));
        assert_eq!((narrow.cone, narrow.twist), (0.5, [-0.2, 0.3]));
        let above = DQuat::from_rotation_y(2.0);
        assert!(narrow.widen(above, above * DQuat::from_rotation_z(1.0)));
        assert!(narrow.widen(above, above * DQuat::from_rotation_x(-0.6)));
        assert!((narrow.cone - 1.0 - ROOM).abs() < 1e-12 && (narrow.twist[0] + 0.6 + ROOM).abs() < 1e-12);
        assert_eq!(narrow.twist[1], 0.3);
    }

    #[test]
    fn knees_bend_backwards_and_elbows_forwards() {
        let (down, forward) = (DVec3::NEG_Y, DVec3::Z);
        let bent = |axis: DVec3, limb: DVec3| DQuat::from_axis_angle(axis, 0.5) * limb;
        let knee = hinge(down, -forward).unwrap();
        assert!(bent(knee, down).z < -0.4);
        let elbow = hinge(DVec3::X, forward).unwrap();
        assert!(bent(elbow, DVec3::X).z > 0.4);
        assert!(hinge(forward, forward).is_none());
    }

    #[test]
    fn a_figure_on_two_legs_looks_forward_and_one_on_four_has_none() {
        use Role::*;
        let names = ["Hips", "LeftUpLeg", "RightUpLeg", "LeftLeg", "RightLeg", "Neck"];
        let roles = [Trunk, Hip, Hip, Knee, Knee, Neck];
        let at = |x: f64, y: f64, z: f64| Pose::from_position(DVec3::new(x, y, z));
        let legs =
            [at(0.0, 1.0, 0.0), at(0.1, 0.9, 0.0), at(-0.1, 0.9, 0.0), at(0.1, 0.5, 0.0), at(-0.1, 0.5, 0.0)];
        let found = |neck: Pose| forward(&names, &roles, &[&legs[..], &[neck]].concat());
        assert!(found(at(0.0, 1.6, 0.0)).unwrap().distance(DVec3::Z) < 1e-9);
        assert_eq!(found(at(0.0, 1.0, 0.8)), None);
        assert_eq!(forward(&["a"; 6], &roles, &[&legs[..], &[at(0.0, 1.6, 0.0)]].concat()), None);
    }
}
