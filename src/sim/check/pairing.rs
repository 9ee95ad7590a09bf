//! Table of the bodies of a scene that collide, and how. The world, the checks, the reports and the
//! comparisons with other engines all use it.
//!
//! [`Pairing::said`] is the scene's specification for two bodies, even if they cannot push each other:
//! two static bodies, triggers, or links of an articulated character (figure) that follows a clip.
//! [`Pairing::meeting`] also considers this and returns the treatment in a step.

use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::body::{Joint, Motion, WORLD};
use crate::contact::PairRule;
use crate::order::Order;
use crate::scene::{BodyDef, BodyFilters, FigureKind, Scene};

/// Reason why a scene keeps two bodies apart. If several apply, the first in this order is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Both are links of one figure that follows a clip and is not tested for self-collision.
    Figure,
    /// A pair rule lets them ignore each other.
    Rule,
    /// A joint connects them and does not let them collide.
    Joint,
    /// Collision filters of their file exclude the pair.
    Filter,
}

impl Reason {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Rule => "rule",
            Self::Joint => "joint",
            Self::Filter => "filter",
        }
    }
}

/// Specification of a scene for two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// The bodies collide: in all of their parts, or in some parts only if [`Pairing::is_in_parts`]
    /// returns true.
    Collide,
    /// The bodies collide, and a pair rule declares their overlap as modelled (a press fit).
    Permanent,
    /// The bodies collide, and a pair rule moves one surface inward by a clearance, m.
    Fit {
        clearance: f64,
    },
    Apart(Reason),
}

/// Treatment of two bodies in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    Collide,
    /// The bodies collide, and a pair rule declares their overlap as modelled (a press fit).
    Permanent,
    /// The bodies collide, and a pair rule moves one surface inward by a clearance, m.
    Fit {
        clearance: f64,
    },
    /// Sensor pair, only tested for intersection: one of the two is a trigger, or both are links of one
    /// figure that follows a clip and is tested for self-collision.
    Sensor,
    /// Never tested: the scene keeps them apart, one has no surface, both are static and neither is a
    /// trigger, both are triggers, or they are links of one figure that is tested for self-collision
    /// and their overlap is declared as modelled.
    Apart,
}

/// Table of the bodies of a scene that collide. Its functions take two bodies of the scene in either
/// order.
pub struct Pairing {
    /// Entry per body.
    members: Vec<Member>,
    /// Specifications by pair rules and joints as (a, b, specification), sorted by a and b; a < b.
    said: Vec<(u32, u32, Said)>,
    filters: BodyFilters,
}

/// Properties of a body that affect its pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Member {
    motion: Motion,
    is_trigger: bool,
    has_surface: bool,
    /// Figure whose link this body is, if that figure follows a clip.
    figure: Option<OwnFigure>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct OwnFigure {
    index: u32,
    /// Whether the links of the figure are tested for intersections with each other.
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
        // The last of several rules for a pair applies, and rules override joints.
        let mut said: Vec<(u32, u32, Said)> = scene.pair_rules.iter().rev().map(ruled).collect();
        said.extend(scene.joints.iter().filter_map(unjoined));
        said.order_by_key(|said| (said.0, said.1));
        said.dedup_by_key(|said| (said.0, said.1));
        Self { members, said, filters: scene.filters.clone() }
    }

    /// Returns the scene's specification for two bodies, whether or not they can ever push each other.
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

    /// Returns the treatment of two bodies in a step.
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
            _ if self.is_within_figure(a, b) => Meeting::Sensor,
            Said::Permanent => Meeting::Permanent,
            Said::Fit { clearance } => Meeting::Fit { clearance },
            Said::Collide => Meeting::Collide,
        }
    }

    /// Returns whether two bodies are only tested for intersection.
    pub fn is_sensor_pair(&self, a: u32, b: u32) -> bool {
        self.trigger_and_body(a, b).is_some() || self.is_within_figure(a, b)
    }

    /// Returns whether both are links of one figure that follows a clip: they never push each other.
    pub fn is_within_figure(&self, a: u32, b: u32) -> bool {
        self.own_figure(a, b).is_some()
    }

    /// Returns whether file filters exclude some parts of the two bodies from collision and others not.
    pub fn is_in_parts(&self, a: u32, b: u32) -> bool {
        self.filters.differ(a, b)
    }

    /// Returns whether no contact can move either of two bodies.
    pub fn is_immovable(&self, a: u32, b: u32) -> bool {
        self.two(a, b).iter().all(|member| member.motion != Motion::Dynamic)
    }

    /// Returns the trigger and then the other body; `None` if neither is a trigger.
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

/// Returns the specification by a pair rule.
fn ruled(&(a, b, rule): &(u32, u32, PairRule)) -> (u32, u32, Said) {
    let said = match rule {
        PairRule::Collide => Said::Collide,
        PairRule::Permanent => Said::Permanent,
        PairRule::Fit { clearance } => Said::Fit { clearance },
        PairRule::Ignore => Said::Apart(Reason::Rule),
    };
    (a.min(b), a.max(b), said)
}

/// Returns the specification by a joint: two bodies joined directly do not collide. `None` if the joint
/// allows collision or joins a body to the world.
fn unjoined(joint: &Joint) -> Option<(u32, u32, Said)> {
    let (a, b) = (joint.a.min(joint.b), joint.a.max(joint.b));
    let both_bodies = b != WORLD && a != b;
    (both_bodies && !joint.collide).then_some((a, b, Said::Apart(Reason::Joint)))
}
