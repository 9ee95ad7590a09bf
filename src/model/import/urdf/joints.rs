//! Conversion of URDF joints to joints between nodes, and to the list of the robot's revolute and
//! prismatic joints, which can be posed.

use glam::{DQuat, DVec3};

use super::description::{Description, Joint, JointKind};
use super::draft::{Draft, parts};
use super::tree::{Followed, LinkOrder};
use crate::body::{AxisRange, JointAxis};
use crate::digits::short;
use crate::import::model::{JointSettings, Node, NodeJoint, NoteKind};
use crate::import::robot::{Mimic, Robot, RobotJoint};
use crate::import::text::{self, list};
use crate::pose::Pose;

impl Draft<'_, '_> {
    /// Adds all joints between the links' nodes, and the list of joints that can be posed.
    pub fn joints(&mut self, robot: &Description, tree: &LinkOrder, nodes: &[u32]) {
        let base = nodes[tree.order[0]];
        let links = nodes.to_vec();
        let mut made = Robot { name: text::name(&robot.name).0, base, links, joints: Vec::new() };
        // Map from joint indices of the file to those of the robot's list.
        let mut own = vec![None; robot.joints.len()];
        let by_child = tree.order.iter().filter_map(|&link| Some((link, tree.above[link]?)));
        let mut by_joint: Vec<(usize, usize, usize)> =
            by_child.map(|(l, (j, parent))| (j, parent, l)).collect();
        by_joint.sort_unstable();
        for &(at, parent, child) in &by_joint {
            let joint = &robot.joints[at];
            let Some(settings) = self.settings(joint) else { continue };
            let turned = DQuat::from_rotation_arc(DVec3::X, joint.axis);
            let name = text::name(&joint.name).0;
            let end = |local: Pose| Node {
                name: name.clone(),
                local: parts(local),
                in_scene: true,
                ..Node::default()
            };
            let Pose { rotation, position } = joint.origin;
            let frame = self.model.add_node(Some(nodes[parent]), end(Pose::new(rotation * turned, position)));
            let connected = self.model.add_node(Some(nodes[child]), end(Pose::new(turned, DVec3::ZERO)));
            self.model.joints.push(settings);
            let settings = self.model.joints.len() as u32 - 1;
            self.model.nodes[frame as usize].joint = Some(NodeJoint { connected, settings, collide: false });
            if !joint.kind.has_coordinate() {
                continue;
            }
            own[at] = Some(made.joints.len() as u32);
            let range = joint.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            made.joints.push(RobotJoint {
                name,
                frame,
                child: nodes[child],
                origin: joint.origin,
                axis: joint.axis,
                turns: joint.kind != JointKind::Prismatic,
                range,
                effort: joint.effort.unwrap_or(f64::INFINITY),
                velocity: joint.velocity.unwrap_or(f64::INFINITY),
                coordinate: 0.0_f64.clamp(range[0], range[1]),
                mimic: None,
                clip: None,
            });
        }
        self.follow(robot, tree, &own, &mut made);
        self.model.robot = Some(made);
    }

    /// Couples joints to the joints that they follow. `own` maps joint indices of the file to those of
    /// the robot's list.
    fn follow(&mut self, robot: &Description, tree: &LinkOrder, own: &[Option<u32>], made: &mut Robot) {
        let (mut chained, mut alone) = (Vec::new(), Vec::new());
        for (at, joint) in robot.joints.iter().enumerate() {
            let (Some(follower), Some(mimic)) = (own[at], &joint.mimic) else { continue };
            let follower = &mut made.joints[follower as usize];
            let followed = tree.followed[at];
            if let Some((leader, found)) = followed.and_then(|found| Some((own[found.joint]?, found))) {
                let Followed { multiplier, offset, between, .. } = found;
                follower.mimic = Some(Mimic { joint: leader, multiplier, offset });
                if between > 0 {
                    let leader = &robot.joints[found.joint].name;
                    let (multiplier, offset) = (short(multiplier), short(offset));
                    chained.push(format!("{} {multiplier} · {leader} + {offset}", follower.name));
                }
                continue;
            }
            // The leader is missing or has no coordinate: the follower is placed as if the leader were
            // at 0.
            let offset = followed.map_or(0.0, |found| found.offset);
            follower.coordinate = offset.clamp(follower.range[0], follower.range[1]);
            alone.push(format!("{} would follow {}", follower.name, text::name(&mimic.joint).0));
        }
        if !chained.is_empty() {
            let (count, joints) = (chained.len(), list(&chained, "; "));
            let text = format!("{count} joints follow others through joints that follow, too: {joints}");
            self.note(NoteKind::Assumed, text);
        }
        if !alone.is_empty() {
            let (count, joints) = (alone.len(), list(&alone, "; "));
            let text = "joints would follow some that are not there or have no coordinate, and stand alone";
            self.note(NoteKind::Warning, format!("{count} {text}: {joints}"));
        }
    }

    /// Returns the settings of a joint, whose axis is x of the joint frame. `None` for a fixed or
    /// floating joint.
    fn settings(&self, joint: &Joint) -> Option<JointSettings> {
        let locked = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
        let free = JointAxis::default();
        let along = match joint.range {
            Some([min, max]) => JointAxis { range: AxisRange::Limited { min, max }, ..free },
            None => free,
        };
        let (linear, angular) = match joint.kind {
            JointKind::Revolute | JointKind::Continuous => ([locked; 3], [along, locked, locked]),
            JointKind::Prismatic => ([along, locked, locked], [locked; 3]),
            JointKind::Planar => ([locked, free, free], [free, locked, locked]),
            JointKind::Spherical => ([locked; 3], [free; 3]),
            JointKind::Fixed | JointKind::Floating => return None,
        };
        Some(JointSettings { linear, angular, friction: joint.friction, ..JointSettings::default() })
    }
}
