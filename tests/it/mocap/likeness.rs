//! Captures as other programs write them, made from the walker's own walk: a BVH file with the names of
//! one kind of rig, and ASF and AMC files with those of another, whose figure has spread arms and
//! another build.

use std::fmt::Write;

use glam::{DQuat, DVec3, EulerRot};
use tumble::import::model::{LocalTransform, Model, TrackValues};

use crate::clips::key_count;

/// Name of each joint of the walker, in BVH and in ASF.
const NAMES: [[&str; 3]; 21] = [
    ["hips", "Hips", "root"],
    ["spine", "Spine", "lowerback"],
    ["chest", "Spine1", "thorax"],
    ["neck", "Neck", "neck"],
    ["head", "Head", "head"],
    ["left_clavicle", "LeftShoulder", "lclavicle"],
    ["left_upper_arm", "LeftArm", "lhumerus"],
    ["left_forearm", "LeftForeArm", "lradius"],
    ["left_hand", "LeftHand", "lwrist"],
    ["right_clavicle", "RightShoulder", "rclavicle"],
    ["right_upper_arm", "RightArm", "rhumerus"],
    ["right_forearm", "RightForeArm", "rradius"],
    ["right_hand", "RightHand", "rwrist"],
    ["left_upper_leg", "LeftUpLeg", "lfemur"],
    ["left_lower_leg", "LeftLeg", "ltibia"],
    ["left_foot", "LeftFoot", "lfoot"],
    ["left_toes", "LeftToeBase", "ltoes"],
    ["right_upper_leg", "RightUpLeg", "rfemur"],
    ["right_lower_leg", "RightLeg", "rtibia"],
    ["right_foot", "RightFoot", "rfoot"],
    ["right_toes", "RightToeBase", "rtoes"],
];

/// Size of the ASF file's figure relative to the walker.
pub const SCALE: f64 = 1.2;

/// Returns the name of a walker's joint in BVH (1) or ASF (2).
pub fn name(joint: &str, format: usize) -> &'static str {
    NAMES.iter().find(|n| n[0] == joint).unwrap_or_else(|| panic!("no joint {joint}"))[format]
}

/// Walker and its walk, by key.
pub struct Walk<'a> {
    walker: &'a Model,
    /// Number of joints, each after its parent; the last node is the skin.
    joints: usize,
}

impl<'a> Walk<'a> {
    pub fn of(walker: &'a Model) -> Self {
        Self { walker, joints: NAMES.len() }
    }

    pub fn frame_count(&self) -> usize {
        key_count(&self.walker.clips[0])
    }

    fn name(&self, joint: usize, format: usize) -> &'static str {
        name(&self.walker.nodes[joint].name, format)
    }

    fn children(&self, joint: usize) -> Vec<usize> {
        self.walker.nodes[joint].children.iter().map(|&c| c as usize).collect()
    }

    /// Returns the offset from the parent to the joint. At rest all axes are the world's.
    fn offset(&self, joint: usize) -> DVec3 {
        match self.walker.nodes[joint].local {
            LocalTransform::Parts { translation, rotation, .. } => {
                assert_eq!(rotation, DQuat::IDENTITY);
                translation
            }
            LocalTransform::Matrix(_) => panic!("the walker's joints have no matrices"),
        }
    }

    /// Returns the rotation in the parent's axes.
    fn rotation(&self, joint: usize, key: usize) -> DQuat {
        let mut tracks = self.walker.clips[0].tracks.iter().filter(|t| t.node as usize == joint);
        let turned = tracks.find_map(|t| match &t.values {
            TrackValues::Rotation(v) => Some(v[key.min(v.len() - 1)].normalize()),
            _ => None,
        });
        turned.unwrap_or(DQuat::IDENTITY)
    }

    fn hips(&self, key: usize) -> DVec3 {
        let mut tracks = self.walker.clips[0].tracks.iter().filter(|t| t.node == 0);
        let moved = tracks.find_map(|t| match &t.values {
            TrackValues::Translation(v) => Some(v[key.min(v.len() - 1)]),
            _ => None,
        });
        moved.unwrap_or(self.offset(0))
    }

    fn rate(&self) -> f64 {
        (self.frame_count() - 1) as f64 / self.walker.clips[0].duration
    }

    pub fn bvh(&self) -> String {
        let mut text = "HIERARCHY\n".to_owned();
        self.bvh_joint(0, &mut text);
        let (count, time) = (self.frame_count(), 1.0 / self.rate());
        writeln!(text, "MOTION\nFrames: {count}\nFrame Time: {time}").unwrap();
        for key in 0..count {
            let [x, y, z] = self.hips(key).to_array();
            write!(text, "{x} {y} {z}").unwrap();
            for joint in 0..self.joints {
                let (z, x, y) = self.rotation(joint, key).to_euler(EulerRot::ZXY);
                write!(text, " {} {} {}", z.to_degrees(), x.to_degrees(), y.to_degrees()).unwrap();
            }
            text.push('\n');
        }
        text
    }

    fn bvh_joint(&self, joint: usize, text: &mut String) {
        let kind = if joint == 0 { "ROOT" } else { "JOINT" };
        let [x, y, z] = self.offset(joint).to_array();
        let place = if joint == 0 { "6 Xposition Yposition Zposition" } else { "3" };
        writeln!(
            text,
            "{kind} {}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {place} Zrotation Xrotation Yrotation",
            self.name(joint, 1)
        )
        .unwrap();
        let children = self.children(joint);
        if children.is_empty() {
            text.push_str("End Site\n{\nOFFSET 0 0 0.05\n}\n");
        }
        for child in children {
            self.bvh_joint(child, text);
        }
        text.push_str("}\n");
    }

    /// Returns the rest rotation of the ASF figure relative to the walker's: its arms are lifted to the
    /// sides.
    fn lifted(&self, joint: usize) -> DQuat {
        let name = self.walker.nodes[joint].name.as_str();
        let is_arm = ["upper_arm", "forearm", "hand"].iter().any(|part| name.ends_with(part));
        let side = if name.starts_with("left") { 1.0 } else { -1.0 };
        DQuat::from_rotation_z(if is_arm { side * 58f64.to_radians() } else { 0.0 })
    }

    /// Writes ASF. A bone starts at the end of its parent, so bones with a common start get a bone in
    /// between that does not rotate.
    pub fn asf(&self) -> String {
        let head = ":version 1.10\n:units\n mass 1\n length 0.0254\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n \
                    position 0 0 0\n orientation 0 0 0\n:bonedata\n";
        let (mut bones, mut hierarchy) = (head.to_owned(), ":hierarchy\n begin\n".to_owned());
        let mut bone = |name: &str, along: DVec3, dof: &str| {
            let length = along.length();
            let [x, y, z] = along.try_normalize().unwrap_or(DVec3::Y).to_array();
            let dof = if dof.is_empty() { String::new() } else { format!(" dof {dof}\n") };
            writeln!(
                bones,
                " begin\n name {name}\n direction {x} {y} {z}\n length {length}\n axis 0 0 0 XYZ\n{dof} end"
            )
            .unwrap();
        };
        for joint in 0..self.joints {
            let (own, children) = (self.name(joint, 2), self.children(joint));
            let build = if own.ends_with("humerus") { 0.8 * SCALE } else { SCALE };
            let to = |child: usize| build * (self.lifted(joint) * self.offset(child));
            let is_chain = joint > 0 && children.len() == 1;
            if joint > 0 {
                bone(own, if is_chain { to(children[0]) } else { DVec3::ZERO }, "rx ry rz");
            }
            for &child in &children {
                let name = self.name(child, 2);
                if is_chain {
                    writeln!(hierarchy, " {own} {name}").unwrap();
                } else {
                    let link = format!("link{child}");
                    bone(&link, to(child), "");
                    writeln!(hierarchy, " {own} {link}\n {link} {name}").unwrap();
                }
            }
            if own.ends_with("wrist") {
                let fingers = own.replace("wrist", "fingers");
                bone(&fingers, DVec3::X * 0.1, "rx");
                writeln!(hierarchy, " {own} {fingers}").unwrap();
            }
        }
        format!("{bones}{hierarchy} end\n")
    }

    pub fn amc(&self) -> String {
        let mut text = format!(":FULLY-SPECIFIED\n:DEGREES\n:SAMPLES-PER-SECOND {}\n", self.rate());
        for key in 0..self.frame_count() {
            writeln!(text, "{}", key + 1).unwrap();
            for joint in 0..self.joints {
                let above =
                    self.walker.nodes[joint].parent.map_or(DQuat::IDENTITY, |p| self.lifted(p as usize));
                let turn = above * self.rotation(joint, key) * self.lifted(joint).conjugate();
                let (z, y, x) = turn.to_euler(EulerRot::ZYX);
                let [x, y, z] = [x, y, z].map(f64::to_degrees);
                let place = if joint == 0 { self.hips(key) * SCALE } else { DVec3::ZERO };
                let place =
                    if joint == 0 { format!("{} {} {} ", place.x, place.y, place.z) } else { String::new() };
                writeln!(text, "{} {place}{x} {y} {z}", self.name(joint, 2)).unwrap();
            }
            text.push_str("lfingers 0\nrfingers 0\n");
        }
        text
    }
}
