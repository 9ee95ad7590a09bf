//! Links posed by joint angles, as tracked by a glove.

use glam::{DQuat, DVec3};

use crate::body::{AxisRange, Joint, JointAxis, WORLD};
use crate::pose::Pose;

/// Range of a joint without limits, in either direction, rad.
const FREE: f64 = 0.8;

/// Tree of links, bodies 0 to `link_count` − 1. Each link but the roots has a joint to its parent.
pub struct Linkage {
    pub link_count: usize,
    /// Joints, in an order that puts the joint of a parent before those of its children.
    joints: Vec<Joint>,
    /// Branch number of each link. Links in a row without a fork have the same number; that of the root
    /// is 0.
    branches: Vec<u32>,
}

impl Linkage {
    /// Creates a linkage. Joints to the world, and joints to a body that already has a parent, are
    /// omitted.
    pub fn new(link_count: usize, joints: &[Joint]) -> Self {
        let mut is_placed = vec![true; link_count];
        let inside = |j: &&Joint| j.a != WORLD && j.b != WORLD && j.a != j.b;
        for joint in joints.iter().filter(inside) {
            is_placed[joint.b as usize] = false;
        }
        let mut left: Vec<&Joint> = joints.iter().filter(inside).collect();
        let mut ordered: Vec<Joint> = Vec::new();
        let mut branches = vec![0; link_count];
        let mut branch_count = 0;
        while let Some(next) = left.iter().position(|j| is_placed[j.a as usize]) {
            let joint = left.remove(next);
            let [parent, link] = [joint.a as usize, joint.b as usize];
            if is_placed[link] {
                continue;
            }
            is_placed[link] = true;
            let sibling_count = joints.iter().filter(|j| j.a == joint.a && j.b != WORLD).count();
            branches[link] = branches[parent];
            if sibling_count > 1 {
                branch_count += 1;
                branches[link] = branch_count;
            }
            ordered.push(joint.clone());
        }
        Self { link_count, joints: ordered, branches }
    }

    /// Returns the parent of each link.
    pub fn parents(&self) -> Vec<Option<u32>> {
        let mut parents = vec![None; self.link_count];
        for joint in &self.joints {
            parents[joint.b as usize] = Some(joint.a);
        }
        parents
    }

    /// Returns the position of each link's joint to its parent, in the link's body space; the origin
    /// for a root.
    pub fn anchors(&self) -> Vec<DVec3> {
        let mut anchors = vec![DVec3::ZERO; self.link_count];
        for joint in &self.joints {
            anchors[joint.b as usize] = joint.frame_b.position;
        }
        anchors
    }

    /// Returns the links without children.
    pub fn tips(&self) -> Vec<usize> {
        let carries = |link: &usize| self.joints.iter().any(|j| j.a as usize == *link);
        (0..self.link_count).filter(|link| !carries(link)).collect()
    }

    /// Returns the link with the most children.
    pub fn palm(&self) -> usize {
        let count = |link: usize| self.joints.iter().filter(|j| j.a as usize == link).count();
        // Of several links with equally many children, the first is chosen.
        (0..self.link_count).rev().max_by_key(|&link| count(link)).unwrap_or(0)
    }

    /// Returns the poses of all links; roots are at `root`. `curl` maps a branch to a value from 0,
    /// where its joints are at their lower limits, to 1, where they are at their upper limits.
    pub fn pose(&self, root: &Pose, curl: impl Fn(u32) -> f64) -> Vec<Pose> {
        let mut poses = vec![*root; self.link_count];
        for joint in &self.joints {
            let share = curl(self.branches[joint.b as usize]);
            let angle = |axis: &JointAxis| match axis.range {
                AxisRange::Locked => 0.0,
                AxisRange::Limited { min, max } if min.is_finite() && max.is_finite() => {
                    min + share * (max - min)
                }
                _ => (2.0 * share - 1.0) * joint.cone.unwrap_or(FREE).min(FREE),
            };
            let turn = joint.angular.iter().zip(DVec3::AXES);
            let turn = turn.map(|(axis, about)| about_axis(about, angle(axis)));
            let bend = Pose::new(turn.fold(DQuat::IDENTITY, |all, one| all * one), DVec3::ZERO);
            poses[joint.b as usize] =
                poses[joint.a as usize] * joint.frame_a * bend * joint.frame_b.inverse();
        }
        poses
    }
}

/// Returns a rotation about an axis whose bits are equal on every platform.
pub fn about_axis(axis: DVec3, angle: f64) -> DQuat {
    let v = axis * libm::sin(0.5 * angle);
    DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(0.5 * angle))
}

/// Creates a hinge about the y axes of its frames, with limits `min` and `max`, rad.
pub fn hinge([a, b]: [u32; 2], frames: [Pose; 2], [min, max]: [f64; 2]) -> Joint {
    let axis = |range| JointAxis { range, ..JointAxis::default() };
    let mut joint = Joint {
        name: format!("{a}-{b}"),
        a,
        b,
        frame_a: frames[0],
        frame_b: frames[1],
        linear: [axis(AxisRange::Locked); 3],
        angular: [axis(AxisRange::Locked); 3],
        cone: None,
        distance: None,
        pose_drive: None,
        friction: 0.0,
        collide: false,
    };
    joint.angular[1].range = AxisRange::Limited { min, max };
    joint
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates an arm (0), a palm (1) and two fingers of two links. All links are 1 m long along x and
    /// hinged about y.
    fn hand() -> Linkage {
        let [end, start] = [0.5, -0.5].map(|x| Pose::from_position(DVec3::X * x));
        // The joints are shuffled, so that `Linkage::new` must sort them.
        let joints = [[2, 3], [1, 2], [1, 4], [0, 1], [4, 5]].map(|two| hinge(two, [end, start], [0.0, 1.0]));
        Linkage::new(6, &joints)
    }

    #[test]
    fn links_hang_on_their_parents_in_any_order_of_joints() {
        let hand = hand();
        assert_eq!(hand.parents(), [None, Some(0), Some(1), Some(2), Some(1), Some(4)]);
        assert_eq!((hand.tips(), hand.palm()), (vec![3, 5], 1));
        assert_eq!(hand.branches, [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn a_curled_finger_turns_at_every_joint_and_stays_joined() {
        let hand = hand();
        let straight = hand.pose(&Pose::IDENTITY, |_| 0.0);
        assert!(straight[3].position.distance(3.0 * DVec3::X) < 1e-12);
        let curled = hand.pose(&Pose::IDENTITY, |branch| if branch == 1 { 1.0 } else { 0.0 });
        assert!(curled[5].position.distance(3.0 * DVec3::X) < 1e-12);
        let along = curled[3].transform_vector(DVec3::X);
        assert!(along.distance(DVec3::new(libm::cos(2.0), 0.0, -libm::sin(2.0))) < 1e-12, "{along}");
        let joint = [curled[2].transform_point(0.5 * DVec3::X), curled[3].transform_point(-0.5 * DVec3::X)];
        assert!(joint[0].distance(joint[1]) < 1e-12);
    }

    #[test]
    fn loops_and_joints_to_the_world_do_not_hang_it_up() {
        let at = [Pose::IDENTITY; 2];
        let joints = [[0, 1], [1, 2], [2, 1], [WORLD, 0], [3, 3]].map(|two| hinge(two, at, [0.0, 1.0]));
        let linkage = Linkage::new(4, &joints);
        assert_eq!(linkage.parents(), [None, Some(0), Some(1), None]);
        // The links of a ring have no root and stay at the pose of the root.
        let ring = [[0, 1], [1, 0]].map(|two| hinge(two, at, [0.0, 1.0]));
        assert_eq!(Linkage::new(2, &ring).parents(), [None, None]);
    }
}
