//! A skin as rigid links: every triangle goes to the joint that weighs most on it, and a link keeps the pose
//! of its joint. Links and other nodes that an animation moves are kinematic bodies that follow sampled poses.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DVec3};

use super::assemble::part_name;
use super::builder::{Builder, Patch, Soup};
use super::clip::{split, world_matrices};
use super::limits;
use super::model::{Clip, Geometry, Influence, Model, Node, Skin};
use super::ragdoll::ignore_near;
use super::skinning::{self, Skinned};
use super::{FigureKind, LinkMotion, NoteKind, SkeletonDef};
use crate::body::Motion;
use crate::contact::PairRule;
use crate::pose::Pose;
use crate::volume::Aabb;

/// Samples of a clip a second: between two of them a link is less than a millimetre from its true place at
/// walking speeds.
const SAMPLE_RATE: f64 = 60.0;
/// Relative change of size over a clip that is worth a note: links are rigid.
const SCALE_TOLERANCE: f64 = 1e-3;

/// How a clip drives a figure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drive<'a> {
    pub clip: &'a Clip,
    pub speed: f64,
    pub looped: bool,
    /// In the model's axes, m.
    pub stride: DVec3,
}

/// Something that follows a node: its surface in that node's space.
pub(super) struct Link {
    pub node: u32,
    pub name: String,
    pub soup: Soup,
}

/// A node whose pose is followed: split at rest, world, into pose and scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub node: u32,
    pub pose: Pose,
    pub rest: DMat3,
}

/// What moves together: the links, and the skins they are made from.
pub(super) struct Figure {
    pub links: Vec<Link>,
    pub skins: Vec<Skinned>,
}

/// Whether a skin moves the node's mesh; a skin without influences on the mesh does not.
pub(super) fn is_skinned(model: &Model, node: &Node) -> bool {
    let has_influences = |g: u32| !model.geometries[g as usize].influences.is_empty();
    node.skin.is_some() && node.geometry.is_some_and(has_influences)
}

/// Every figure of a model: skins that share a joint are one figure. `wanted` chooses the skinned nodes by name.
pub(super) fn figures(model: &Model, wanted: &dyn Fn(&str) -> bool) -> Vec<Figure> {
    let figure_of_skin = figure_of_skin(model);
    let mut nodes: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (index, node) in (0..).zip(&model.nodes) {
        let Some(skin) = node.skin.filter(|_| node.in_scene && is_skinned(model, node)) else { continue };
        if wanted(&part_name(model, index)) {
            nodes.entry(figure_of_skin[skin as usize]).or_default().push(index);
        }
    }
    let figures = nodes.values().map(|nodes| figure_of(model, nodes));
    figures.filter(|figure| !figure.links.is_empty()).collect()
}

/// For each skin the first of those that it hangs together with by the joints they share.
fn figure_of_skin(model: &Model) -> Vec<usize> {
    // Each points at one before it, or at itself if it is the first.
    let mut before: Vec<usize> = (0..model.skins.len()).collect();
    let mut owner = BTreeMap::new();
    for (index, skin) in model.skins.iter().enumerate() {
        for &joint in &skin.joints {
            let ends = [*owner.entry(joint).or_insert(index), index].map(|skin| first(&mut before, skin));
            before[ends[0].max(ends[1])] = ends[0].min(ends[1]);
        }
    }
    (0..model.skins.len()).map(|skin| first(&mut before, skin)).collect()
}

/// Where the chain from a skin ends; what is on it points farther down afterwards.
fn first(before: &mut [usize], mut skin: usize) -> usize {
    while before[skin] != skin {
        before[skin] = before[before[skin]];
        skin = before[skin];
    }
    skin
}

/// How much there is to lay out for all skins of a model: each joint of each skinned node makes a list of its own.
pub(super) fn skinned_size(model: &Model) -> usize {
    let size = |node: &Node| {
        let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { return 0 };
        model.skins[skin as usize].joints.len() + model.geometries[geometry as usize].size()
    };
    model.nodes.iter().filter(|node| is_skinned(model, node)).map(size).fold(0, usize::saturating_add)
}

/// The skins of some nodes, each of which has one.
fn figure_of(model: &Model, nodes: &[u32]) -> Figure {
    let mut links: BTreeMap<u32, Soup> = BTreeMap::new();
    let mut skins = Vec::new();
    for &index in nodes {
        let node = &model.nodes[index as usize];
        let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { continue };
        let geometry = &model.geometries[geometry as usize];
        let skin = &model.skins[skin as usize];
        let positions = rest_positions(geometry, &node.weights);
        let owners = owning_joints(geometry, skin);
        for (joint, members) in by_joint(&owners, skin.joints.len()) {
            let bind = skin.inverse_bind[joint];
            let soup = links.entry(skin.joints[joint]).or_default();
            let triangles: Vec<_> = members.iter().map(|&t| geometry.triangles[t]).collect();
            let colors: Vec<_> = members.iter().filter_map(|&t| geometry.colors.get(t).copied()).collect();
            let (compact, triangles) = compacted(&positions, &triangles);
            let patch = Patch { positions: &compact, triangles: &triangles, colors: &colors };
            soup.append(&geometry.name, patch, DMat3::from_mat4(bind), bind.w_axis.truncate());
        }
        skins.push(Skinned { node: index, owners });
    }
    let name = |node: u32| match model.nodes[node as usize].name.as_str() {
        "" => format!("joint {node}"),
        name => name.to_owned(),
    };
    let links = links.into_iter().map(|(node, soup)| Link { node, name: name(node), soup }).collect();
    Figure { links, skins }
}

/// Positions with the morph targets at rest.
pub(super) fn rest_positions(geometry: &Geometry, weights: &[f32]) -> Vec<glam::Vec3> {
    let mut positions = geometry.positions.clone();
    for (morph, &weight) in geometry.morphs.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
        for (position, offset) in positions.iter_mut().zip(morph) {
            *position += weight * *offset;
        }
    }
    positions
}

/// For each triangle, the joint (index into the skin) that weighs most on its corners together.
fn owning_joints(geometry: &Geometry, skin: &Skin) -> Vec<u16> {
    let owner = |triangle: &[u32; 3]| {
        let strongest = Influence::strongest(triangle.map(|v| &geometry.influences[v as usize]));
        strongest.map_or(0, usize::from).min(skin.joints.len() - 1) as u16
    };
    geometry.triangles.iter().map(owner).collect()
}

/// Joints that own triangles, with them.
fn by_joint(owners: &[u16], joint_count: usize) -> impl Iterator<Item = (usize, Vec<usize>)> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); joint_count];
    for (triangle, &joint) in owners.iter().enumerate() {
        members[usize::from(joint)].push(triangle);
    }
    members.into_iter().enumerate().filter(|(_, m)| !m.is_empty())
}

/// Only the vertices that the triangles use.
fn compacted(positions: &[glam::Vec3], triangles: &[[u32; 3]]) -> (Vec<glam::Vec3>, Vec<[u32; 3]>) {
    let mut used: Vec<u32> = triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    // Every corner is in `used`, so the search finds it.
    let place = |v: u32| used.partition_point(|&u| u < v) as u32;
    (used.iter().map(|&v| positions[v as usize]).collect(), triangles.iter().map(|t| t.map(place)).collect())
}

/// Adds a figure's links as kinematic bodies, placed at rest or where the clip begins, its motion, and its
/// skins to be drawn. Returns whether there is any link.
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

/// Lets the last figure, whose links are the last bodies, be watched for self-collision. Links that hang on each other, or are near each other as it
/// starts, are left out.
pub(super) fn watch_itself(builder: &mut Builder) {
    let Some(figure) = builder.scene.skeletons.last_mut() else { return };
    figure.self_collision = true;
    let (name, first) = (figure.name.clone(), figure.first_body);
    let hung = figure.parents.iter().zip(first..);
    let hung = hung.filter_map(|(parent, own)| Some((first + (*parent)?, own)));
    let rules: Vec<_> = hung.map(|(a, b)| (a.min(b), a.max(b), PairRule::Ignore)).collect();
    builder.scene.pair_rules.extend(rules);
    let poses: Vec<Pose> = builder.scene.bodies[first as usize..].iter().map(|b| b.pose).collect();
    let meshes = &builder.scene.meshes;
    let boxes = builder.scene.bodies[first as usize..]
        .iter()
        .filter_map(|b| Some(meshes[b.mesh? as usize].bounds().transformed(&b.pose)));
    let bounds = boxes.fold(Aabb::EMPTY, |all, one| all.union(&one));
    let size = f64::from(bounds.size().max_element());
    let count = ignore_near(builder, first, [&poses, &poses], size);
    let text = format!("{count} pairs of links that are near each other at the start never collide");
    builder.note(NoteKind::Assumed, name, text);
}

/// For each link the link of the nearest node above it.
fn parents(model: &Model, links: &[Followed]) -> Vec<Option<u32>> {
    let slots: BTreeMap<u32, u32> = links.iter().map(|l| l.node).zip(0..).collect();
    let above = |node: u32| model.nodes[node as usize].parent;
    let parent = |link: &Followed| {
        std::iter::successors(above(link.node), |&n| above(n)).find_map(|n| slots.get(&n).copied())
    };
    links.iter().map(parent).collect()
}

/// Poses of the nodes over one round of the clip, its end included. Each keeps the scale it has at rest.
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
        let text = format!("lasts {length} s and is followed at {steps} moments only");
        builder.note(NoteKind::Assumed, &place, text);
    }
    let poses = (steps as usize + 1).saturating_mul(followed.len());
    if !builder.may_pose(poses, (steps as usize + 1).saturating_mul(model.nodes.len())) {
        // At rest: the scene is refused, whatever is made of it.
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
            // A scale of zero on the way leaves the node where it was.
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
    use super::*;
    use crate::scene::{builtin, load_model_bytes};

    fn walker() -> Model {
        load_model_bytes("walker.glb", builtin::model("../assets/walker.glb").unwrap()).unwrap()
    }

    fn skinned(model: &Model) -> (&Geometry, &Skin) {
        let node = model.nodes.iter().find(|n| is_skinned(model, n)).unwrap();
        (&model.geometries[node.geometry.unwrap() as usize], &model.skins[node.skin.unwrap() as usize])
    }

    #[test]
    fn every_triangle_of_a_skin_lands_in_exactly_one_link() {
        let model = walker();
        let (geometry, skin) = skinned(&model);
        let owners = owning_joints(geometry, skin);
        let mut taken: Vec<usize> = by_joint(&owners, skin.joints.len()).flat_map(|j| j.1).collect();
        taken.sort_unstable();
        assert_eq!(taken, (0..geometry.triangles.len()).collect::<Vec<_>>());
        let figures = figures(&model, &|_| true);
        let links = figures.iter().flat_map(|f| &f.links);
        assert_eq!(links.map(|l| l.soup.triangles.len()).sum::<usize>(), geometry.triangles.len());
    }

    #[test]
    fn every_link_hangs_on_the_nearest_link_above_its_joint() {
        let model = walker();
        let followed = |node: u32| Followed { node, pose: Pose::IDENTITY, rest: DMat3::IDENTITY };
        let joints = &skinned(&model).1.joints;
        let all: Vec<Followed> = joints.iter().map(|&j| followed(j)).collect();
        for (link, parent) in all.iter().zip(parents(&model, &all)) {
            let above = model.nodes[link.node as usize].parent.filter(|p| joints.contains(p));
            assert_eq!(parent.map(|p| all[p as usize].node), above);
        }
        // Without the links between them, the last of a limb hangs on the first of the trunk.
        let (root, leaf) = (joints[0], *joints.last().unwrap());
        assert_eq!(parents(&model, &[followed(leaf), followed(root)]), [Some(1), None]);
    }

    #[test]
    fn at_rest_the_links_are_the_skin_in_its_bind_pose() {
        let model = walker();
        let (geometry, skin) = skinned(&model);
        let worlds = world_matrices(&model, None, DMat4::IDENTITY);
        let figures = figures(&model, &|_| true);
        assert_eq!(figures.len(), 1);
        for (joint, members) in by_joint(&owning_joints(geometry, skin), skin.joints.len()) {
            let triangles: Vec<_> = members.iter().map(|&t| geometry.triangles[t]).collect();
            let link = figures[0].links.iter().find(|l| l.node == skin.joints[joint]).unwrap();
            assert_eq!(link.soup.triangles.len(), triangles.len());
            let corners = link.soup.triangles.as_flattened().iter().zip(triangles.as_flattened());
            for (&own, &original) in corners {
                let place = worlds[link.node as usize];
                let found = place.transform_point3(link.soup.positions[own as usize].as_dvec3());
                let expected = geometry.positions[original as usize].as_dvec3();
                assert!(found.distance(expected) < 1e-5, "{}: {found} for {expected}", link.name);
            }
        }
    }
}
