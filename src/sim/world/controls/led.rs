//! Led links: kinematic links of a robot. Nothing deflects them; they have the coordinates that the
//! controls of their joints set, for example those of a table.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};

use crate::body::{Joint, Motion, WORLD};
use crate::pose::Pose;
use crate::scene::Scene;

/// Kinematic links that joints with controls move, each after the link before it in its chain.
#[derive(Default)]
pub(super) struct LedLinks {
    links: Vec<LedLink>,
    /// Poses of the links at the time of the last call of [`LedLinks::update`].
    poses: Vec<Pose>,
}

struct LedLink {
    body: u32,
    /// Index in [`LedLinks::links`] of the link from which this one hangs; `None` if it hangs from the
    /// world or a static body.
    parent: Option<usize>,
    /// Transformation from frame a of the joint to the parent, or to the world without a parent.
    frame_a: Pose,
    /// Transformation from the link to frame b.
    to_frame_b: Pose,
    /// Frame b relative to frame a at the start.
    at_start: Pose,
    /// Control of the joint with its axis (0–2 along, 3–5 about), and the coordinate until it is set.
    control: Option<(usize, u32, f64)>,
}

impl LedLinks {
    /// Finds the led links of a scene.
    ///
    /// A link is led if it is kinematic, hangs by one joint from a body that stands still or from a led
    /// link, and this joint or one above it has a control. Links of figures follow their own motion.
    pub fn new(scene: &Scene) -> Self {
        let of_figure = |body: u32| {
            let mut links = scene.skeletons.iter().map(|s| s.first_body..s.first_body + s.link_count);
            links.any(|links| links.contains(&body))
        };
        let is_kinematic = |body: u32| {
            body != WORLD && scene.bodies[body as usize].motion == Motion::Kinematic && !of_figure(body)
        };
        let mut waiting: Vec<&Joint> = scene.joints.iter().filter(|joint| is_kinematic(joint.b)).collect();
        let hanging: BTreeSet<u32> = waiting.iter().map(|joint| joint.b).collect();
        let stands = |body: u32| {
            body == WORLD
                || scene.bodies[body as usize].motion == Motion::Static
                || (is_kinematic(body) && !hanging.contains(&body))
        };
        let mut led = Self::default();
        let mut place_of = vec![None; scene.bodies.len()];
        loop {
            let before = led.links.len();
            waiting.retain(|joint| {
                let parent = if is_kinematic(joint.a) { place_of[joint.a as usize] } else { None };
                let link = LedLink::new(scene, joint, parent);
                let is_led = parent.is_some() || (stands(joint.a) && link.control.is_some());
                if !is_led || place_of[joint.b as usize].is_some() {
                    return true;
                }
                place_of[joint.b as usize] = Some(led.links.len());
                led.links.push(link);
                false
            });
            if led.links.len() == before {
                led.poses = vec![Pose::IDENTITY; before];
                return led;
            }
        }
    }

    /// Computes the poses of all led links. `target` returns the target of a control, if it is set.
    pub fn update(&mut self, target: impl Fn(usize) -> Option<f64>) {
        for (at, link) in self.links.iter().enumerate() {
            let parent = link.parent.map_or(Pose::IDENTITY, |parent| self.poses[parent]);
            self.poses[at] = parent * link.frame_a * link.moved(&target) * link.to_frame_b;
        }
    }

    /// Returns the led links with their poses of the last update.
    pub fn poses(&self) -> impl Iterator<Item = (u32, Pose)> {
        self.links.iter().zip(&self.poses).map(|(link, &pose)| (link.body, pose))
    }
}

impl LedLink {
    fn new(scene: &Scene, joint: &Joint, parent: Option<usize>) -> Self {
        let pose = |body: u32| match body {
            WORLD => Pose::IDENTITY,
            body => scene.bodies[body as usize].pose,
        };
        let is_of = |index: u32| std::ptr::eq(&scene.joints[index as usize], joint);
        let control = scene.controls.iter().position(|control| is_of(control.joint));
        Self {
            body: joint.b,
            parent,
            frame_a: if parent.is_some() { joint.frame_a } else { pose(joint.a) * joint.frame_a },
            to_frame_b: joint.frame_b.inverse(),
            at_start: (pose(joint.b) * joint.frame_b).relative_to(&(pose(joint.a) * joint.frame_a)),
            control: control.map(|control| {
                let axis = scene.controls[control].axis;
                let drive = joint.axis(axis).drive;
                (control, axis, drive.map_or(0.0, |drive| drive.position_target))
            }),
        }
    }

    /// Returns frame b relative to frame a.
    fn moved(&self, target: impl Fn(usize) -> Option<f64>) -> Pose {
        let Some((control, axis, otherwise)) = self.control else { return self.at_start };
        let coordinate = target(control).unwrap_or(otherwise);
        let direction = DVec3::AXES[axis as usize % 3];
        if axis >= 3 {
            return Pose::new(DQuat::from_axis_angle(direction, coordinate), self.at_start.position);
        }
        let aside = self.at_start.position.reject_from(direction);
        Pose::new(self.at_start.rotation, aside + coordinate * direction)
    }
}
