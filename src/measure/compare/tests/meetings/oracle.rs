//! Reference answer for a pair of bodies, derived for each pair from the scene's data.

use crate::body::Motion;
use crate::contact::PairRule;
use crate::scene::{FigureKind, Scene, SkeletonDef};

/// Interaction of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Push,
    /// The bodies push each other. They overlap as modeled.
    Permanent,
    /// The bodies are only tested for intersection.
    Watch,
    Never,
}

/// Returns how two bodies interact, by the rules of the scene alone.
pub fn answer(scene: &Scene, a: u32, b: u32) -> Answer {
    let bodies = [a, b].map(|body| &scene.bodies[body as usize]);
    let trigger_count = bodies.iter().filter(|body| body.trigger).count();
    let static_count = bodies.iter().filter(|body| body.motion == Motion::Static).count();
    if bodies.iter().any(|body| body.mesh.is_none()) || trigger_count == 2 {
        return Answer::Never;
    }
    if static_count == 2 && trigger_count == 0 {
        return Answer::Never;
    }
    let holds = |s: &&SkeletonDef| {
        let links = s.first_body..s.first_body + s.link_count;
        s.kind == FigureKind::Kinematic && links.contains(&a) && links.contains(&b)
    };
    let figure = scene.skeletons.iter().find(holds);
    if figure.is_some_and(|figure| !figure.self_collision) {
        return Answer::Never;
    }
    let are_they = |ends: [u32; 2]| ends == [a, b] || ends == [b, a];
    let last_rule = scene.pair_rules.iter().rev().find(|rule| are_they([rule.0, rule.1])).map(|rule| rule.2);
    let are_joined = scene.joints.iter().any(|joint| are_they([joint.a, joint.b]) && !joint.collide);
    let is_permanent = match last_rule {
        Some(PairRule::Ignore) => return Answer::Never,
        None if are_joined || scene.filters.keep_apart(a, b) => return Answer::Never,
        rule => rule == Some(PairRule::Permanent),
    };
    match (trigger_count, figure, is_permanent) {
        (1, ..) => Answer::Watch,
        (_, Some(_), true) => Answer::Never,
        (_, Some(_), false) => Answer::Watch,
        (_, None, true) => Answer::Permanent,
        (_, None, false) => Answer::Push,
    }
}

/// Returns whether contacts can move at least one of the two bodies.
pub fn yields(scene: &Scene, a: u32, b: u32) -> bool {
    [a, b].iter().any(|&body| scene.bodies[body as usize].motion == Motion::Dynamic)
}
