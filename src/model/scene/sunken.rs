//! Parts whose middle lies inside the ground. No contact can hold such a part: its surface is nearest to
//! the wrong side of the ground, so it would be pushed out anywhere or fall through. It is fixed instead.

use super::builder::Builder;
use super::{BodyDef, Scene};
use crate::body::Motion;
use crate::contact::PairRule;
use crate::digits::grouped;
use crate::import::NoteKind;
use crate::volume::Aabb;

/// Number of parts that the note names.
const NAMED: usize = 5;

/// Fixes every free part whose center of volume lies inside the ground, with a warning that names them.
/// Links of figures and parts with joints are left as they are, since others move them. So are parts
/// that a pair rule keeps apart from the ground.
pub(super) fn fix_sunken_parts(builder: &mut Builder) {
    let found = sunken_parts(&builder.scene);
    let Some(&(first, _)) = found.first() else { return };
    for &(body, _) in &found {
        let body = &mut builder.scene.bodies[body as usize];
        (body.motion, body.mass) = (Motion::Static, f64::INFINITY);
    }
    let place = builder.scene.bodies[first as usize].name.clone();
    let text = text(&builder.scene, &found);
    builder.note(NoteKind::Warning, place, text);
}

/// Returns the free parts whose middle lies inside the ground, and the height by which each must rise to
/// stand on it, m.
fn sunken_parts(scene: &Scene) -> Vec<(u32, f64)> {
    let mut found = Vec::new();
    for (ground, slab) in (0..).zip(&scene.bodies).filter(|(_, body)| body.is_ground) {
        let Some(mesh) = slab.mesh else { continue };
        let bounds = scene.meshes[mesh as usize].bounds().transformed(&slab.pose);
        let may_move = may_move(scene, ground);
        let free = (0..).zip(&scene.bodies).zip(may_move).filter(|(_, is_free)| *is_free);
        found.extend(free.filter_map(|((index, body), _)| Some((index, rise(scene, body, &bounds)?))));
    }
    found
}

/// Returns per body whether contacts with the ground alone decide its motion: it is dynamic, collides
/// with the ground, and belongs neither to a joint nor to a figure.
fn may_move(scene: &Scene, ground: u32) -> Vec<bool> {
    let mut may_move: Vec<bool> =
        scene.bodies.iter().map(|body| body.motion == Motion::Dynamic && !body.trigger).collect();
    // Of several rules for a pair the last holds.
    let mut is_apart = vec![false; scene.bodies.len()];
    for &(a, b, rule) in &scene.pair_rules {
        for (one, other) in [(a, b), (b, a)] {
            if one == ground {
                is_apart[other as usize] = rule != PairRule::Collide;
            }
        }
    }
    let joints = scene.joints.iter().flat_map(|joint| [joint.a, joint.b]);
    let links = scene.skeletons.iter().flat_map(|s| s.first_body..s.first_body.saturating_add(s.link_count));
    let held = joints.chain(links).map(|body| body as usize);
    let apart = is_apart.iter().enumerate().filter(|(_, is)| **is).map(|(body, _)| body);
    for body in held.chain(apart) {
        // A joint to the world has no body on one side.
        if let Some(may_move) = may_move.get_mut(body) {
            *may_move = false;
        }
    }
    may_move
}

/// Returns the height by which a body must rise to stand on the ground, m, if its center of volume lies
/// inside the ground. `ground`: its bounds, world.
fn rise(scene: &Scene, body: &BodyDef, ground: &Aabb) -> Option<f64> {
    let mesh = &scene.meshes[body.mesh? as usize];
    let middle = body.pose.transform_point(mesh.surface().volume.center);
    let (min, max) = (ground.min.as_dvec3(), ground.max.as_dvec3());
    let is_inside = middle.cmpgt(min).all() && middle.cmplt(max).all();
    is_inside.then(|| max.y - mesh.bounds_at(&body.pose)[0].y)
}

fn text(scene: &Scene, found: &[(u32, f64)]) -> String {
    let millimeters = |&(_, rise): &(u32, f64)| format!("{:.1} mm", 1e3 * rise);
    if let [one] = found {
        return format!(
            "lies with its middle inside the ground, where no contact can hold it: it stays fixed there; raise it \
             by {} to let it move",
            millimeters(one)
        );
    }
    let named: Vec<String> = found
        .iter()
        .take(NAMED)
        .map(|one| format!("{} by {}", scene.bodies[one.0 as usize].name, millimeters(one)))
        .collect();
    let more = match found.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    format!(
        "{} parts lie with their middle inside the ground, where no contact can hold them: they stay fixed there; \
         raise them to let them move: {}{more}",
        grouped(found.len() as u64),
        named.join(", ")
    )
}
