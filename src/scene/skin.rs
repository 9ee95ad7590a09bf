//! A skin as rigid links: every triangle goes to the joint that weighs most on it, and a link keeps the pose
//! of its joint. Links and other nodes that an animation moves are kinematic bodies that follow sampled poses.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DVec3};

use super::assemble::part_name;
use super::builder::{Builder, Soup};
use super::clip::{split, world_matrices};
use super::model::{Clip, Geometry, Model, Node, Skin};
use super::{LinkMotion, NoteKind, SkeletonDef};
use crate::body::Motion;
use crate::pose::Pose;

/// Samples of a clip a second: between two of them a link is less than a millimetre from its true place at
/// walking speeds.
const SAMPLE_RATE: f64 = 60.0;
/// Samples of one clip at most, and samples times nodes; longer clips are sampled more coarsely (and a note
/// says so). Keeps the poses of any file below about 200 MB.
const SAMPLE_LIMIT: f64 = 20_000.0;
const SAMPLE_WORK: f64 = 4e6;
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

/// Whether a skin moves the node's mesh; a skin without influences on the mesh does not.
pub(super) fn is_skinned(model: &Model, node: &Node) -> bool {
    let has_influences = |g: u32| !model.geometries[g as usize].influences.is_empty();
    node.skin.is_some() && node.geometry.is_some_and(has_influences)
}

/// The links of every figure of a model: skins that share a joint are one figure. `wanted` chooses the
/// skinned nodes by name.
pub(super) fn figures(model: &Model, wanted: &dyn Fn(&str) -> bool) -> Vec<Vec<Link>> {
    let mut figure_of_skin: Vec<usize> = (0..model.skins.len()).collect();
    let mut owner = BTreeMap::new();
    for (index, skin) in model.skins.iter().enumerate() {
        for &joint in &skin.joints {
            let first = *owner.entry(joint).or_insert(figure_of_skin[index]);
            let (low, high) = (first.min(figure_of_skin[index]), first.max(figure_of_skin[index]));
            for figure in &mut figure_of_skin {
                if *figure == high {
                    *figure = low;
                }
            }
            owner.values_mut().filter(|f| **f == high).for_each(|f| *f = low);
        }
    }
    (0..model.skins.len())
        .map(|figure| links_of(model, wanted, |skin| figure_of_skin[skin] == figure))
        .filter(|links| !links.is_empty())
        .collect()
}

fn links_of(model: &Model, wanted: &dyn Fn(&str) -> bool, belongs: impl Fn(usize) -> bool) -> Vec<Link> {
    let mut links: BTreeMap<u32, Soup> = BTreeMap::new();
    for (index, node) in model.nodes.iter().enumerate() {
        let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { continue };
        let taken = node.in_scene && belongs(skin as usize) && is_skinned(model, node);
        if !taken || !wanted(&part_name(model, index as u32)) {
            continue;
        }
        let geometry = &model.geometries[geometry as usize];
        let skin = &model.skins[skin as usize];
        let positions = rest_positions(geometry, &node.weights);
        for (joint, triangles) in triangles_by_joint(geometry, skin) {
            let bind = skin.inverse_bind[joint];
            let soup = links.entry(skin.joints[joint]).or_default();
            let (compact, triangles) = compacted(&positions, &triangles);
            let linear = DMat3::from_mat4(bind);
            soup.append(&geometry.name, (&compact, &triangles), linear, bind.w_axis.truncate());
            soup.color = soup.color.or(geometry.colors.first().copied());
        }
    }
    let name = |node: u32| match model.nodes[node as usize].name.as_str() {
        "" => format!("joint {node}"),
        name => name.to_owned(),
    };
    links.into_iter().map(|(node, soup)| Link { node, name: name(node), soup }).collect()
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

/// Triangles of each joint (index into the skin) that weighs most on their corners together.
fn triangles_by_joint(geometry: &Geometry, skin: &Skin) -> Vec<(usize, Vec<[u32; 3]>)> {
    let mut by_joint: Vec<Vec<[u32; 3]>> = vec![Vec::new(); skin.joints.len()];
    for triangle in &geometry.triangles {
        let mut totals: Vec<(u16, f32)> = Vec::with_capacity(24);
        for &corner in triangle {
            let influence = &geometry.influences[corner as usize];
            for (&joint, &weight) in influence.joints.iter().zip(&influence.weights) {
                match totals.iter_mut().find(|t| t.0 == joint) {
                    Some(total) => total.1 += weight,
                    None => totals.push((joint, weight)),
                }
            }
        }
        // The lowest joint of equals.
        let best = totals.iter().max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)));
        let joint = best.map_or(0, |b| usize::from(b.0)).min(skin.joints.len() - 1);
        by_joint[joint].push(*triangle);
    }
    by_joint.into_iter().enumerate().filter(|(_, t)| !t.is_empty()).collect()
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

/// Adds a figure's links as kinematic bodies, placed at rest or where the clip begins, and its motion.
pub(super) fn add_figure(
    builder: &mut Builder,
    model: &Model,
    name: &str,
    links: &[Link],
    placement: DMat4,
    drive: Option<Drive>,
) {
    let rest = world_matrices(model, None, placement);
    let first_body = builder.scene.bodies.len() as u32;
    let mut nodes = Vec::new();
    for link in links {
        let Some((pose, rest)) = split(&rest[link.node as usize]) else {
            builder.note(NoteKind::Ignored, &link.name, "is scaled to nothing");
            continue;
        };
        let mut soup = Soup { color: link.soup.color, ..Soup::default() };
        soup.append(&link.name, (&link.soup.positions, &link.soup.triangles), rest, DVec3::ZERO);
        if let Some(mut body) = builder.body(&link.name, &soup, pose) {
            body.motion = Motion::Kinematic;
            body.mass = f64::INFINITY;
            builder.scene.bodies.push(body);
            nodes.push((link.node, rest));
        }
    }
    if nodes.is_empty() {
        return;
    }
    let motion = drive.map(|d| sample(builder, model, &d, &nodes, placement)).unwrap_or_default();
    let name = builder.unique(name);
    let link_count = nodes.len() as u32;
    if let Some(first) = motion.poses.get(..nodes.len()) {
        let bodies = &mut builder.scene.bodies[first_body as usize..];
        for (body, pose) in bodies.iter_mut().zip(first) {
            body.pose = *pose;
        }
    }
    builder.scene.skeletons.push(SkeletonDef { name, first_body, link_count, joints: Vec::new(), motion });
}

/// Poses of the nodes over one round of the clip, its end included. Each node comes with its scale at rest,
/// which its link keeps.
fn sample(
    builder: &mut Builder,
    model: &Model,
    drive: &Drive,
    nodes: &[(u32, DMat3)],
    placement: DMat4,
) -> LinkMotion {
    let length = drive.clip.duration / drive.speed;
    let limit = (SAMPLE_WORK / model.nodes.len() as f64).clamp(1.0, SAMPLE_LIMIT).floor();
    let steps = (length * SAMPLE_RATE).ceil().clamp(1.0, limit);
    let place = format!("{}, animation {:?}", model.source, drive.clip.name);
    if length * SAMPLE_RATE > limit {
        let text = format!("lasts {length} s and is followed at {steps} moments only");
        builder.note(NoteKind::Assumed, &place, text);
    }
    let mut motion = LinkMotion {
        rate: if length > 0.0 { steps / length } else { SAMPLE_RATE },
        width: nodes.len() as u32,
        poses: Vec::with_capacity((steps as usize + 1) * nodes.len()),
        looped: drive.looped,
        stride: placement.transform_vector3(drive.stride),
    };
    let mut last: Vec<Pose> = Vec::new();
    let mut scaled = false;
    for step in 0..=steps as u32 {
        let time = drive.clip.duration * f64::from(step) / steps;
        let worlds = world_matrices(model, Some((drive.clip, time)), placement);
        for (slot, &(node, rest)) in nodes.iter().enumerate() {
            // A scale of zero on the way leaves the link where it was.
            let now = split(&worlds[node as usize]);
            scaled |= now.is_none_or(|(_, now)| {
                !now.abs_diff_eq(rest, SCALE_TOLERANCE * rest.x_axis.length().max(rest.z_axis.length()))
            });
            let pose = now.map(|(pose, _)| pose).or(last.get(slot).copied());
            motion.poses.push(pose.unwrap_or(Pose::IDENTITY));
        }
        last.clear();
        last.extend_from_slice(&motion.poses[motion.poses.len() - nodes.len()..]);
    }
    if scaled {
        let text = "changes the size of links; they keep the size they have at rest";
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
        let mut taken: Vec<_> = triangles_by_joint(geometry, skin).into_iter().flat_map(|t| t.1).collect();
        let mut all = geometry.triangles.clone();
        taken.sort_unstable();
        all.sort_unstable();
        assert_eq!(taken, all);
        let links: usize = figures(&model, &|_| true).iter().flatten().map(|l| l.soup.triangles.len()).sum();
        assert_eq!(links, all.len());
    }

    #[test]
    fn at_rest_the_links_are_the_skin_in_its_bind_pose() {
        let model = walker();
        let (geometry, skin) = skinned(&model);
        let worlds = world_matrices(&model, None, DMat4::IDENTITY);
        let figures = figures(&model, &|_| true);
        assert_eq!(figures.len(), 1);
        for (joint, triangles) in triangles_by_joint(geometry, skin) {
            let link = figures[0].iter().find(|l| l.node == skin.joints[joint]).unwrap();
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
