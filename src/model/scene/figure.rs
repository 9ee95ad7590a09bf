//! Skins cut into rigid links: every triangle goes to the joint with the largest summed weight on its
//! corners.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3, Vec3};

use super::builder::{Patch, Soup};
use crate::arrays::MapEach;
use crate::import::model::{Clip, Geometry, Influence, Model, Node, Skin, part_name};
use crate::order::Order;
use crate::pose::Pose;

/// Clip that drives a figure, and its speed, looping and stride.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drive<'a> {
    pub clip: &'a Clip,
    pub speed: f64,
    pub looped: bool,
    /// Translation per round of the clip, in the model's axes, m.
    pub stride: DVec3,
}

/// Link that follows a node, with its surface in the node's space.
pub(super) struct Link {
    pub node: u32,
    pub name: String,
    pub soup: Soup,
}

/// Node whose pose a body or a drawn skin follows. Its rest transform to the world is split into `pose`
/// and `rest`, the remaining scale and shear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub node: u32,
    pub pose: Pose,
    pub rest: DMat3,
}

/// Node with a skin that is cut into links.
pub(super) struct Skinned {
    pub node: u32,
    /// Per triangle, the joint (index into the skin) whose link gets the triangle.
    pub owners: Vec<u16>,
}

/// Articulated character: its links, and the skins from which the links are cut.
pub(super) struct Figure {
    pub links: Vec<Link>,
    pub skins: Vec<Skinned>,
}

/// Returns whether a skin deforms the node's mesh: the node has a skin, and its mesh has influences.
pub(super) fn is_skinned(model: &Model, node: &Node) -> bool {
    let has_influences = |g: u32| !model.geometries[g as usize].influences.is_empty();
    node.skin.is_some() && node.geometry.is_some_and(has_influences)
}

/// Returns all figures of a model. Skins that share a joint belong to one figure. `wanted` selects the
/// skinned nodes by name.
pub(super) fn figures(model: &Model, wanted: &dyn Fn(&str) -> bool) -> Vec<Figure> {
    let figure_of_skin = figure_of_skin(model);
    // Skinned nodes, listed under the first skin of their figure.
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); model.skins.len()];
    for (index, node) in (0..).zip(&model.nodes) {
        let Some(skin) = node.skin.filter(|_| node.in_scene && is_skinned(model, node)) else { continue };
        if wanted(&part_name(model, index)) {
            nodes[figure_of_skin[skin as usize]].push(index);
        }
    }
    let figures = nodes.iter().map(|nodes| figure_of(model, nodes));
    figures.filter(|figure| !figure.links.is_empty()).collect()
}

/// Returns per skin the first skin of its figure: skins are connected by shared joints.
fn figure_of_skin(model: &Model) -> Vec<usize> {
    // Union-find: each skin points at an earlier one, or at itself if it is the first.
    let mut before: Vec<usize> = (0..model.skins.len()).collect();
    let mut owner: BTreeMap<u32, u32> = BTreeMap::new();
    for (index, skin) in model.skins.iter().enumerate() {
        for &joint in &skin.joints {
            let ends = [*owner.entry(joint).or_insert(index as u32) as usize, index]
                .map_each(|skin| first(&mut before, skin));
            before[ends[0].max(ends[1])] = ends[0].min(ends[1]);
        }
    }
    (0..model.skins.len()).map(|skin| first(&mut before, skin)).collect()
}

/// Returns the root of a skin in the union-find, and shortens its path (path halving).
fn first(before: &mut [usize], mut skin: usize) -> usize {
    while before[skin] != skin {
        before[skin] = before[before[skin]];
        skin = before[skin];
    }
    skin
}

/// Returns the number of joints, vertices and triangles to lay out for all skinned nodes of a model. A
/// joint counts once per skinned node, because each node lists its joints separately.
pub(super) fn skinned_size(model: &Model) -> usize {
    let size = |node: &Node| {
        let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { return 0 };
        model.skins[skin as usize].joints.len() + model.geometries[geometry as usize].size()
    };
    model.nodes.iter().filter(|node| is_skinned(model, node)).map(size).fold(0, usize::saturating_add)
}

/// Builds a figure from nodes that have skins.
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

/// Returns the vertex positions with the morph targets applied by `weights`.
pub(super) fn rest_positions(geometry: &Geometry, weights: &[f32]) -> Vec<Vec3> {
    let mut positions = geometry.positions.clone();
    for (morph, &weight) in geometry.morphs.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
        for (position, offset) in positions.iter_mut().zip(morph) {
            *position += weight * *offset;
        }
    }
    positions
}

/// Returns per triangle the joint (index into the skin) with the largest weight on its three corners
/// together.
fn owning_joints(geometry: &Geometry, skin: &Skin) -> Vec<u16> {
    let owner = |triangle: &[u32; 3]| {
        let strongest = Influence::strongest(triangle.map_each(|v| &geometry.influences[v as usize]));
        strongest.map_or(0, usize::from).min(skin.joints.len() - 1) as u16
    };
    geometry.triangles.iter().map(owner).collect()
}

/// Returns the joints that own triangles, each with the indices of its triangles.
fn by_joint(owners: &[u16], joint_count: usize) -> impl Iterator<Item = (usize, Vec<usize>)> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); joint_count];
    for (triangle, &joint) in owners.iter().enumerate() {
        members[usize::from(joint)].push(triangle);
    }
    members.into_iter().enumerate().filter(|(_, m)| !m.is_empty())
}

/// Returns positions and triangles reduced to the vertices that the triangles use.
fn compacted(positions: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut used: Vec<u32> = triangles.as_flattened().to_vec();
    used.order();
    used.dedup();
    // Every corner is in `used`, so the search finds it.
    let place = |v: u32| used.partition_point(|&u| u < v) as u32;
    (
        used.iter().map(|&v| positions[v as usize]).collect(),
        triangles.iter().map(|t| t.map_each(place)).collect(),
    )
}

#[cfg(test)]
mod tests {
    use glam::DMat4;

    use super::*;
    use crate::import::clip::world_matrices;
    use crate::import::load_model_bytes;
    use crate::scene::builtin;

    fn walker() -> Model {
        load_model_bytes("walker.glb", builtin::file("../assets/walker.glb").unwrap()).unwrap()
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
