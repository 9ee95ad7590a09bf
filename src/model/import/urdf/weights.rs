//! Masses of bodies, from the masses of links: a body consists of a link and all links fixed to it.

use glam::{DMat3, DVec3};

use super::description::{Description, JointKind};
use super::draft::Draft;
use super::mass::{Sum, is_possible, next_to_nothing};
use super::tree::LinkOrder;
use crate::body::Motion;
use crate::import::model::{Inertia, MotionSettings, NoteKind};
use crate::import::text::{self, list};
use crate::pose::Pose;

/// Radius of gyration of a body without inertia and without a surface, m.
const REACH: f64 = 0.05;

/// Names of links whose masses are implausible, or not used as specified.
#[derive(Default)]
struct Odd {
    weightless: Vec<String>,
    unlikely: Vec<String>,
    impossible: Vec<String>,
}

impl Draft<'_, '_> {
    /// Gives the body of each link the total mass of the link and of the links fixed to it.
    pub fn masses(&mut self, robot: &Description, tree: &LinkOrder, nodes: &[u32]) {
        let is_fixed =
            |at: usize| tree.above[at].is_some_and(|(j, _)| robot.joints[j].kind == JointKind::Fixed);
        // Per link, the link whose body it belongs to, and its pose in that body.
        let mut body = vec![(0, Pose::IDENTITY); robot.links.len()];
        let mut sums: Vec<Option<Sum>> = vec![None; robot.links.len()];
        let mut impossible = Vec::new();
        let mut has_surface = vec![false; robot.links.len()];
        for &at in &tree.order {
            body[at] = match tree.above[at] {
                Some((joint, parent)) if is_fixed(at) => {
                    let (above, place) = body[parent];
                    (above, place * robot.joints[joint].origin)
                }
                _ => (at, Pose::IDENTITY),
            };
            let (owner, place) = body[at];
            let sum = sums[owner].get_or_insert(Sum::NOTHING);
            if let Some(inertial) = robot.links[at].inertial.filter(|i| i.mass > 0.0) {
                sum.add(inertial, &place);
                if !is_possible(&inertial.inertia) {
                    impossible.push(text::name(&robot.links[at].name).0);
                }
            }
            has_surface[owner] |= !robot.links[at].collisions.is_empty();
        }
        let mut odd = Odd { impossible, ..Odd::default() };
        for (at, sum) in sums.into_iter().enumerate() {
            let Some(mut sum) = sum else { continue };
            let mut settings = MotionSettings { gravity_factor: 1.0, ..MotionSettings::new(Motion::Dynamic) };
            let name = text::name(&robot.links[at].name).0;
            if sum.mass == 0.0 && !has_surface[at] {
                // A root without mass needs no note, because it is usually static.
                if tree.above[at].is_some() {
                    odd.weightless.push(name.clone());
                }
                sum.add(next_to_nothing(), &Pose::IDENTITY);
            }
            if sum.mass > 0.0 {
                settings.mass = Some(sum.mass);
                settings.center = Some(sum.center());
                let inertia = sum.about_center().or_else(|| {
                    odd.unlikely.push(name);
                    let ball = DMat3::from_diagonal(DVec3::splat(sum.mass * REACH * REACH));
                    (!has_surface[at]).then_some(ball)
                });
                settings.inertia = inertia.map(Inertia::Tensor);
            }
            self.model.nodes[nodes[at] as usize].motion = Some(settings);
        }
        self.say_odd(odd);
    }

    fn say_odd(&mut self, Odd { weightless, unlikely, mut impossible }: Odd) {
        impossible.retain(|name| !unlikely.contains(name));
        for (kind, links, text) in [
            (NoteKind::Assumed, weightless, "have neither mass nor surface: a gram is taken, and 1 cm"),
            (
                NoteKind::Warning,
                impossible,
                "have moments of inertia that no body has: one is larger than the others together, or below 0",
            ),
            (
                NoteKind::Repaired,
                unlikely,
                "have an inertia that no body has: that of their surface is taken",
            ),
        ] {
            if !links.is_empty() {
                self.note(kind, format!("{} links {text}: {}", links.len(), list(&links, "; ")));
            }
        }
    }
}
