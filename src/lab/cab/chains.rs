//! Two chains of links on ball joints, swinging or braided. \[cab\] §4, Tables 1–4

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use glam::{DQuat, DVec3};

use super::motion::{add_body, add_mesh, ball_joint, follow, scene};
use crate::arrays::MapEach;
use crate::body::Motion;
use crate::generate::Limb;
use crate::mesh::MeshError;
use crate::pose::Pose;
use crate::random::Random;
use crate::scene::Scene;

/// Between the tips of two links, as a share of their thickness: bent as far as the joints let them, links
/// that are joined still do not touch.
const GAP: f64 = 0.2;
/// Largest angle at a joint, rad.
const BEND: f64 = 1.0;
/// N·m; takes out of the motion what the ends put in.
const JOINT_FRICTION: f64 = 0.02;

/// Between chains that swing, and how far each of three waves moves their ends, m: about as many links hit
/// as in the paper.
const APART: f64 = 0.22;
const SWAY: f64 = 0.045;

/// 1/√3
const FRAC_1_SQRT_3: f64 = 0.577_350_269_189_625_8;
/// The way down along the chains, and the level way from one to the other: aslant, as many axis-aligned boxes
/// overlap as in the paper.
const ASLANT: DVec3 = DVec3::new(FRAC_1_SQRT_3, -FRAC_1_SQRT_3, FRAC_1_SQRT_3);
const ASIDE: DVec3 = DVec3::new(FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2);
/// By how much nearer than it is long a chain's ends are held, as a share.
const SLACK: f64 = 0.1;
/// Between the ends of braided chains, m; how far the lower ones circle, rad; how long there and back, s.
const RING: f64 = 0.3;
const TURN: f64 = 0.95 * TAU;
const PERIOD: f64 = 20.0;

/// How the ends of the chains are led; they are held above and below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// To and fro, side by side: the chains swing and collide now and then.
    Swinging,
    /// The lower ones around each other and back: the chains wind around each other.
    Braided,
}

/// Two chains of `link_count` links each: the bodies of a scene are the links of one, of the other, and
/// anchors.
#[derive(Clone, Copy, Debug)]
pub struct Chains {
    pub limb: Limb,
    pub link_count: u32,
    pub course: Course,
}

impl Chains {
    /// Straight down, ready for so many frames.
    pub fn scene(&self, frame_count: usize) -> Result<Scene, MeshError> {
        let mut scene = scene("chains");
        let mesh = add_mesh(&mut scene, "limb", &self.limb.triangles())?;
        let ends = self.ends(0.0);
        for (top, low) in [(ends[0], ends[2]), (ends[1], ends[3])] {
            let along = (low - top).normalize();
            let turn = DQuat::from_rotation_arc(DVec3::X, along);
            for k in 0..self.link_count {
                let place = top + along * self.pitch() * (0.5 + f64::from(k));
                add_body(&mut scene, Some(mesh), Motion::Dynamic, Pose::new(turn, place));
            }
        }
        let first = scene.bodies.len() as u32;
        for &end in &ends {
            add_body(&mut scene, None, Motion::Kinematic, Pose::from_position(end));
        }
        let [front, back] = [-self.anchor(), self.anchor()].map_each(Pose::from_position);
        for chain in 0..2 {
            let link = |k: u32| chain * self.link_count + k;
            let mut join = |bodies, frames, bend| {
                scene.joints.push(ball_joint(bodies, frames, bend, JOINT_FRICTION));
            };
            join([first + chain, link(0)], [Pose::IDENTITY, back], None);
            for k in 1..self.link_count {
                join([link(k - 1), link(k)], [front, back], Some(BEND));
            }
            join([link(self.link_count - 1), first + 2 + chain], [front, Pose::IDENTITY], None);
        }
        let path = (0..=frame_count).flat_map(|f| self.ends(f as f64 * scene.config.dt));
        let path = path.map(Pose::from_position).collect();
        follow(&mut scene, first, ends.len() as u32, path);
        Ok(scene)
    }

    /// Where a link's joint to the one above is, in its body space, m.
    pub fn anchor(&self) -> DVec3 {
        -0.5 * self.pitch() * DVec3::X
    }

    /// From joint to joint, m.
    fn pitch(&self) -> f64 {
        self.limb.length + GAP * self.limb.width
    }

    /// Between the ends of one chain at a time (s), m.
    fn pull(&self, time: f64) -> f64 {
        self.pitch() * f64::from(self.link_count) * (1.0 - SLACK * (0.5 * time).min(1.0))
    }

    /// Where the ends are held at a time (s): both upper ones, then the lower ones.
    fn ends(&self, time: f64) -> [DVec3; 4] {
        match self.course {
            Course::Swinging => {
                let mut random = Random::new(4, 0);
                let mut sway = || {
                    let mut wave = |k: f64| {
                        let rate = 1.6 + 0.7 * k + 0.5 * random.uniform();
                        SWAY * libm::sin(rate * time + TAU * random.uniform())
                    };
                    wave(0.0) + wave(1.0) + wave(2.0)
                };
                let apart = 0.5 * APART * ASIDE;
                let along = self.pull(time) * ASLANT;
                [-apart, apart, along - apart, along + apart]
                    .map_each(|end| end + DVec3::new(sway(), sway(), sway()))
            }
            Course::Braided => {
                let angle = 0.5 * TURN * (1.0 - libm::cos(TAU * time / PERIOD));
                let across = ASLANT.cross(ASIDE);
                let apart = |angle: f64| 0.5 * RING * (libm::cos(angle) * ASIDE + libm::sin(angle) * across);
                let along = self.pull(time) * ASLANT;
                [-apart(0.0), apart(0.0), along - apart(angle), along + apart(angle)]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::cab::motion::Recording;
    use crate::world::World;

    /// In every 20th of 300 frames joints hold and bend no farther than they may.
    #[test]
    fn chains_hold_together_while_they_move() {
        for course in [Course::Swinging, Course::Braided] {
            let chains = Chains { limb: Limb::SLENDER, link_count: 8, course };
            let scene = chains.scene(300).unwrap();
            let bodies: Vec<u32> = (0..scene.bodies.len() as u32).collect();
            assert_eq!(bodies.len(), 2 * 8 + 4);
            let recording = Recording::new(&mut World::new(&scene).unwrap(), &bodies, 300);
            let frames: Vec<&[Pose]> = recording.poses.chunks_exact(bodies.len()).collect();
            for poses in frames.iter().step_by(20) {
                for joint in &scene.joints {
                    let ends = [(joint.a, joint.frame_a), (joint.b, joint.frame_b)];
                    let [a, b] = ends.map(|(body, frame)| poses[body as usize] * frame);
                    let gap = a.position.distance(b.position);
                    // Links keep apart; the ends, which are led, may get ahead of what they lead by more.
                    let is_led = [joint.a, joint.b]
                        .iter()
                        .any(|b| scene.bodies[*b as usize].motion != crate::body::Motion::Dynamic);
                    let slack = if is_led { 2.0 } else { 1.0 };
                    assert!(gap < slack * GAP * chains.limb.width, "{course:?}, {}: {gap}", joint.name);
                    let [x, y] = [a, b].map(|frame| frame.transform_vector(DVec3::X));
                    let bend = libm::acos(x.dot(y).clamp(-1.0, 1.0));
                    assert!(joint.cone.is_none_or(|cone| bend < cone + 0.1), "{course:?}: {bend}");
                }
            }
            let travel = frames[0][4].position.distance(frames[299][4].position);
            assert!(travel > 0.01, "{course:?}: {travel}");
        }
    }

    #[test]
    fn ends_circle_or_sway_and_come_near() {
        for course in [Course::Swinging, Course::Braided] {
            let chains = Chains { limb: Limb::STOUT, link_count: 8, course };
            let length = 8.0 * chains.pitch();
            for time in [2.0, 5.0, 11.0, 20.0] {
                let [a, _, low, _] = chains.ends(time);
                assert!(a.distance(low) < length && a.distance(low) > 0.8 * length, "{course:?}");
            }
        }
        let braided = Chains { limb: Limb::SLENDER, link_count: 8, course: Course::Braided };
        let [before, half] = [0.0, 0.5 * PERIOD].map(|time| braided.ends(time));
        // Half a period later the lower ends have gone all the way.
        let turned = DQuat::from_axis_angle(ASLANT, TURN) * (before[3] - before[2]);
        assert!((half[3] - half[2]).distance(turned) < 1e-9);
        assert_eq!(before[0], half[0]);
    }
}
