//! Which bodies of a scene meet, and how: the one table that the world, the measures of a comparison and
//! other engines ask.
//!
//! A scene says of two bodies how they are meant to meet ([`Pairing::said`]), whatever the two are. Some
//! bodies cannot push each other whatever it says: two that never move, triggers, links of a figure that
//! follows a clip. How two meet in a step ([`Pairing::meeting`]) comes from both.

use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::body::{Joint, Motion, WORLD};
use crate::contact::PairRule;
use crate::order::Order;
use crate::scene::{BodyDef, BodyFilters, FigureKind, Scene};

/// The reason why a scene keeps two bodies apart. Of several the first in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// They are links of one figure that follows a clip and is not watched for self-collision.
    Figure,
    /// A pair rule lets them ignore each other.
    Rule,
    /// A joint holds them together, and does not let them collide.
    Joint,
    /// The collision filters of their file.
    Filter,
}

impl Reason {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Rule => "rule",
            Self::Joint => "joint",
            Self::Filter => "filter",
        }
    }
}

/// The word of a scene on two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// They collide, in all of their parts or, where [`Pairing::is_in_parts`], in some.
    Collide,
    /// They collide, and overlap as modelled.
    Permanent,
    Apart(Reason),
}

/// How two bodies meet in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    Collide,
    /// They collide, and their overlap is as modelled.
    Permanent,
    /// They are only asked whether they intersect: one of the two is a trigger, or both are links of one
    /// watched figure that follows a clip.
    Sensor,
    /// They are never tested: the scene keeps them apart, one has no surface, neither ever moves, both are
    /// triggers, or they are links of a watched figure and overlap as modelled.
    Apart,
}

/// Which bodies of a scene meet. Its questions are about bodies of the scene, in any order.
pub struct Pairing {
    /// One a body.
    members: Vec<Member>,
    /// The word of pair rules and joints, sorted by the bodies; a < b.
    said: Vec<(u32, u32, Said)>,
    filters: BodyFilters,
}

/// A body, as far as it matters to who meets it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Member {
    motion: Motion,
    is_trigger: bool,
    has_surface: bool,
    /// The figure that follows a clip whose link it is.
    figure: Option<OwnFigure>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct OwnFigure {
    index: u32,
    /// Whether it is looked at for intersections of its links.
    reports_self_collision: bool,
}

impl Pairing {
    pub fn new(scene: &Scene) -> Self {
        let mut members: Vec<Member> = scene.bodies.iter().map(member).collect();
        let figures = (0..).zip(&scene.skeletons).filter(|(_, s)| s.kind == FigureKind::Kinematic);
        for (index, skeleton) in figures {
            let first = skeleton.first_body as usize;
            for link in &mut members[first..first + skeleton.link_count as usize] {
                link.figure = Some(OwnFigure { index, reports_self_collision: skeleton.self_collision });
            }
        }
        // Of several rules for a pair the last stands, and all stand before joints.
        let mut said: Vec<(u32, u32, Said)> = scene.pair_rules.iter().rev().map(ruled).collect();
        said.extend(scene.joints.iter().filter_map(unjoined));
        said.order_by_key(|said| (said.0, said.1));
        said.dedup_by_key(|said| (said.0, said.1));
        Self { members, said, filters: scene.filters.clone() }
    }

    /// Returns what the scene says of two bodies, whether or not they can ever push each other.
    pub fn said(&self, a: u32, b: u32) -> Said {
        if self.own_figure(a, b).is_some_and(|figure| !figure.reports_self_collision) {
            return Said::Apart(Reason::Figure);
        }
        let pair = (a.min(b), a.max(b));
        match self.said.binary_search_by_key(&pair, |said| (said.0, said.1)) {
            Ok(at) => self.said[at].2,
            Err(_) if self.filters.keep_apart(a, b) => Said::Apart(Reason::Filter),
            Err(_) => Said::Collide,
        }
    }

    /// Returns how two bodies meet in a step.
    pub fn meeting(&self, a: u32, b: u32) -> Meeting {
        let [own, other] = self.two(a, b);
        let has_surfaces = own.has_surface && other.has_surface;
        let are_triggers = own.is_trigger && other.is_trigger;
        let has_trigger = own.is_trigger || other.is_trigger;
        let are_static = own.motion == Motion::Static && other.motion == Motion::Static;
        if !has_surfaces || are_triggers || (are_static && !has_trigger) {
            return Meeting::Apart;
        }
        match self.said(a, b) {
            Said::Apart(_) => Meeting::Apart,
            _ if has_trigger => Meeting::Sensor,
            Said::Permanent if self.is_within_figure(a, b) => Meeting::Apart,
            Said::Collide if self.is_within_figure(a, b) => Meeting::Sensor,
            Said::Permanent => Meeting::Permanent,
            Said::Collide => Meeting::Collide,
        }
    }

    /// Returns whether two bodies that meet are only asked whether they intersect.
    pub fn is_sensor_pair(&self, a: u32, b: u32) -> bool {
        self.trigger_and_body(a, b).is_some() || self.is_within_figure(a, b)
    }

    /// Returns whether both are links of one figure that follows a clip: they never push each other.
    pub fn is_within_figure(&self, a: u32, b: u32) -> bool {
        self.own_figure(a, b).is_some()
    }

    /// Returns whether two bodies meet in some of their parts and not in others.
    pub fn is_in_parts(&self, a: u32, b: u32) -> bool {
        self.filters.differ(a, b)
    }

    /// Returns whether no contact can move either of two bodies.
    pub fn is_immovable(&self, a: u32, b: u32) -> bool {
        self.two(a, b).iter().all(|member| member.motion != Motion::Dynamic)
    }

    /// Returns the trigger and the other body, if one of the two is a trigger.
    pub fn trigger_and_body(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        match self.two(a, b).map_each(|member| member.is_trigger) {
            [true, _] => Some((a, b)),
            [_, true] => Some((b, a)),
            _ => None,
        }
    }

    fn own_figure(&self, a: u32, b: u32) -> Option<OwnFigure> {
        let [own, other] = self.two(a, b).map_each(|member| member.figure);
        own.filter(|_| own == other)
    }

    fn two(&self, a: u32, b: u32) -> [&Member; 2] {
        [a, b].map_each(|body| &self.members[body as usize])
    }
}

fn member(body: &BodyDef) -> Member {
    Member { motion: body.motion, is_trigger: body.trigger, has_surface: body.mesh.is_some(), figure: None }
}

/// The word of a pair rule.
fn ruled(&(a, b, rule): &(u32, u32, PairRule)) -> (u32, u32, Said) {
    let said = match rule {
        PairRule::Collide => Said::Collide,
        PairRule::Permanent => Said::Permanent,
        PairRule::Ignore => Said::Apart(Reason::Rule),
    };
    (a.min(b), a.max(b), said)
}

/// The word of a joint: bodies joined directly do not collide unless the joint says so.
fn unjoined(joint: &Joint) -> Option<(u32, u32, Said)> {
    let (a, b) = (joint.a.min(joint.b), joint.a.max(joint.b));
    let both_bodies = b != WORLD && a != b;
    (both_bodies && !joint.collide).then_some((a, b, Said::Apart(Reason::Joint)))
}
