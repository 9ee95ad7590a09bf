//! Figures (articulated characters) that only a clip moves. Each link and each other animated node is a
//! kinematic body that follows the sampled poses of its node.

use glam::{DMat4, DVec3};

use super::builder::{Builder, Patch, Soup};
use super::figure::{Drive, Figure, Followed};
use super::near::{Near, ignore_near, size_of};
use super::skinning;
use super::{FigureKind, LinkMotion, SkeletonDef};
use crate::body::Motion;
use crate::contact::PairRule;
use crate::digits::seconds;
use crate::import::NoteKind;
use crate::import::clip::{split, world_matrices};
use crate::import::limits;
use crate::import::model::Model;
use crate::lookup::Lookup;
use crate::pose::Pose;

/// Samples of a clip per second. At walking speeds, the interpolated position of a link between two
/// samples is off by less than a millimeter.
const SAMPLE_RATE: f64 = 60.0;
/// Relative change of a node's size over a clip from which a note reports it. Links are rigid, so the
/// change is lost.
const SCALE_TOLERANCE: f64 = 1e-3;

/// Adds a figure: its links as kinematic bodies, at rest or at the start of the clip, its motion, and
/// its skins for drawing. Returns false, and adds no figure, if it has no links.
pub(super) fn add_figure(
    builder: &mut Builder,
    model: &Model,
    name: &str,
    figure: &Figure,
    placement: DMat4,
    drive: Option<Drive>,
) -> bool {
    let worlds = world_matrices(model, None, placement);
    let first_body = builder.scene.bodies.len() as u32;
    let mut followed = Vec::new();
    for link in &figure.links {
        let Some((pose, rest)) = split(&worlds[link.node as usize]) else {
            builder.note(NoteKind::Ignored, &link.name, "is scaled to nothing");
            continue;
        };
        let Soup { positions, triangles, colors, .. } = &link.soup;
        let mut soup = Soup::default();
        soup.append(&link.name, Patch { positions, triangles, colors }, rest, DVec3::ZERO);
        if let Some(mut body) = builder.body(&link.name, &soup, pose) {
            body.motion = Motion::Kinematic;
            body.mass = f64::INFINITY;
            builder.scene.bodies.push(body);
            followed.push(Followed { node: link.node, pose, rest });
        }
    }
    if followed.is_empty() {
        return false;
    }
    let link_count = followed.len();
    followed.extend(skinning::joints_beside(model, &figure.skins, &worlds, &followed));
    let motion = drive.map(|d| sample(builder, model, &d, &followed, placement)).unwrap_or_default();
    if let Some(first) = motion.poses.get(..link_count) {
        let bodies = &mut builder.scene.bodies[first_body as usize..];
        for (body, pose) in bodies.iter_mut().zip(first) {
            body.pose = *pose;
        }
    }
    let name = builder.unique(name);
    builder.scene.skeletons.push(SkeletonDef {
        name,
        kind: FigureKind::Kinematic,
        self_collision: false,
        first_body,
        link_count: link_count as u32,
        parents: parents(model, &followed[..link_count]),
        joints: followed[link_count..].iter().map(|f| f.pose).collect(),
        motion,
        driven: Vec::new(),
    });
    let carried = followed.iter().map(|f| f.node).zip(0..).collect();
    skinning::draw(builder, model, &figure.skins, &worlds, &followed, &carried);
    true
}

/// Turns on self-collision tests of the last figure. Its links must be the last bodies. Adds ignore
/// rules for links that are parent and child, or near each other at the start.
pub(super) fn watch_itself(builder: &mut Builder) {
    let Some(figure) = builder.scene.skeletons.last_mut() else { return };
    figure.self_collision = true;
    let (name, first) = (figure.name.clone(), figure.first_body);
    let hung = figure.parents.iter().zip(first..);
    let hung = hung.filter_map(|(parent, own)| Some((first + (*parent)?, own)));
    let rules: Vec<_> = hung.map(|(a, b)| (a.min(b), a.max(b), PairRule::Ignore)).collect();
    builder.scene.pair_rules.extend(rules);
    let poses: Vec<Pose> = builder.scene.bodies[first as usize..].iter().map(|b| b.pose).collect();
    let size = size_of(builder, first);
    let count = ignore_near(builder, first, [&poses, &poses], Near::of_figure(size));
    let text = format!("{count} pairs of links that are near each other at the start never collide");
    builder.note(NoteKind::Assumed, name, text);
}

/// Returns per link its parent link: that of the nearest ancestor node with a link.
fn parents(model: &Model, links: &[Followed]) -> Vec<Option<u32>> {
    let slots: Lookup<u32, u32> = links.iter().map(|l| l.node).zip(0..).collect();
    let above = |node: u32| model.nodes[node as usize].parent;
    let parent = |link: &Followed| {
        std::iter::successors(above(link.node), |&n| above(n)).find_map(|n| slots.get(&n).copied())
    };
    links.iter().map(parent).collect()
}

/// Samples the poses of the nodes in `followed` over one round of the clip, including its end. Each
/// node keeps its scale at rest.
pub(super) fn sample(
    builder: &mut Builder,
    model: &Model,
    drive: &Drive,
    followed: &[Followed],
    placement: DMat4,
) -> LinkMotion {
    let length = drive.clip.duration / drive.speed;
    let limit =
        (limits::CLIP_SAMPLED_NODES / model.nodes.len() as f64).clamp(1.0, limits::CLIP_SAMPLES).floor();
    let steps = (length * SAMPLE_RATE).ceil().clamp(1.0, limit);
    let place = format!("{}, animation {:?}", model.source, drive.clip.name);
    if length * SAMPLE_RATE > limit {
        let text = format!("lasts {} and is followed at {steps} moments only", seconds(length));
        builder.note(NoteKind::Assumed, &place, text);
    }
    let poses = (steps as usize + 1).saturating_mul(followed.len());
    if !builder.may_pose(poses, (steps as usize + 1).saturating_mul(model.nodes.len())) {
        // The rest poses are placeholders: the builder refuses the scene anyway.
        let poses = followed.iter().map(|f| f.pose).collect();
        return LinkMotion {
            rate: SAMPLE_RATE,
            width: followed.len() as u32,
            poses,
            ..LinkMotion::default()
        };
    }
    let mut motion = LinkMotion {
        rate: if length > 0.0 { steps / length } else { SAMPLE_RATE },
        width: followed.len() as u32,
        poses: Vec::with_capacity((steps as usize + 1) * followed.len()),
        looped: drive.looped,
        stride: placement.transform_vector3(drive.stride),
    };
    let mut last: Vec<Pose> = followed.iter().map(|f| f.pose).collect();
    let mut scaled = false;
    for step in 0..=steps as u32 {
        let time = drive.clip.duration * f64::from(step) / steps;
        let worlds = world_matrices(model, Some((drive.clip, time)), placement);
        for (&Followed { node, rest, .. }, last) in followed.iter().zip(&mut last) {
            // At a time when its scale is zero, a node stays at its last pose.
            let now = split(&worlds[node as usize]);
            scaled |= now.is_none_or(|(_, now)| {
                !now.abs_diff_eq(rest, SCALE_TOLERANCE * rest.x_axis.length().max(rest.z_axis.length()))
            });
            *last = now.map_or(*last, |(pose, _)| pose);
            motion.poses.push(*last);
        }
    }
    if scaled {
        let text = "changes the size of joints; links and skins keep the size they have at rest";
        builder.note(NoteKind::Ignored, &place, text);
    }
    motion
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::import::load_model_bytes;
    use crate::scene::builtin;

    fn walker() -> Model {
        load_model_bytes("walker.glb", builtin::file("../assets/walker.glb").unwrap()).unwrap()
    }

    #[test]
    fn every_link_hangs_on_the_nearest_link_above_its_joint() {
        let model = walker();
        let followed = |node: u32| Followed { node, pose: Pose::IDENTITY, rest: DMat3::IDENTITY };
        let joints = &model.skins[0].joints;
        let all: Vec<Followed> = joints.iter().map(|&j| followed(j)).collect();
        for (link, parent) in all.iter().zip(parents(&model, &all)) {
            let above = model.nodes[link.node as usize].parent.filter(|p| joints.contains(p));
            assert_eq!(parent.map(|p| all[p as usize].node), above);
        }
        // If the links between are missing, the parent of a limb's last link is the first link of the
        // trunk.
        let (root, leaf) = (joints[0], *joints.last().unwrap());
        assert_eq!(parents(&model, &[followed(leaf), followed(root)]), [Some(1), None]);
    }
}
