//! Models without physics: every mesh node is a body of its own, and the nodes that an animation moves
//! form one figure.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3, Vec3};

use super::BodyDef;
use super::builder::{Builder, Patch, Soup};
use super::figure::{Drive, Figure, Link, is_skinned, rest_positions};
use super::placement::{Placement, Recenter};
use super::skin::add_figure;
use crate::arrays::MapEach;
use crate::import::NoteKind;
use crate::import::clip::{split, world_matrices};
use crate::import::model::{Geometry, Model, part_name};
use crate::import::paths::Paths;

/// Adds every mesh node as a body, and the nodes that the clip moves as one figure.
pub(super) fn add_parts(
    builder: &mut Builder,
    model: &Model,
    place: &Placement,
    wanted: &dyn Fn(&str) -> bool,
    drive: Option<&Drive>,
) {
    let recenters = place.recenter != Recenter::Off;
    if recenters && drive.is_some() {
        builder.note(NoteKind::Ignored, &model.source, "recenter does not move what an animation moves");
    }
    let worlds = world_matrices(model, None, if recenters { DMat4::IDENTITY } else { place.matrix });
    let moved = moved_nodes(model, drive);
    let paths = Paths::new(model);
    let (mut links, mut recentered) = (Vec::new(), Vec::new());
    // Surface and paint of each mesh of the file at each scale so far.
    let mut known: HashMap<(u32, [u64; 9]), (u32, u32)> = HashMap::new();
    for (index, node) in model.nodes.iter().enumerate() {
        let Some(geometry) = node.geometry.filter(|_| node.in_scene && !is_skinned(model, node)) else {
            continue;
        };
        let number = geometry;
        let geometry = &model.geometries[number as usize];
        let name = part_name(model, index as u32);
        if geometry.triangles.is_empty() || !wanted(&name) {
            continue;
        }
        if moved[index] {
            if !builder.may_lay_out(geometry.size()) {
                return;
            }
            let soup = soup(&name, (geometry, &node.weights), DMat3::IDENTITY);
            links.push(Link { node: index as u32, name, soup });
            continue;
        }
        let mut world = worlds[index];
        // An origin that only the reader gave the part does not count as its own.
        let above = node.parent.map_or(DMat4::IDENTITY, |parent| worlds[parent as usize]);
        let given = above.transform_vector3(node.origin);
        let off = (world.w_axis.truncate() - given).length();
        let is_at_origin = off <= f64::EPSILON * given.length();
        if recenters {
            let kept = if place.recenter == Recenter::Origin { given } else { DVec3::ZERO };
            world.w_axis = kept.extend(1.0);
            world = place.matrix * world;
        }
        let Some((pose, rest)) = split(&world) else {
            builder.note(NoteKind::Ignored, &name, "is scaled to nothing");
            continue;
        };
        let key = (number, rest.to_cols_array().map_each(f64::to_bits));
        let look = known.get(&key).copied().filter(|_| node.weights.is_empty());
        if !builder.may_lay_out(if look.is_some() { 1 } else { geometry.size() }) {
            return;
        }
        let body = match look {
            Some(look) => Some(builder.body_like(&name, look, pose)),
            None => builder.body(&name, &soup(&name, (geometry, &node.weights), rest), pose),
        };
        if let Some(mut body) = body {
            if node.weights.is_empty() {
                known.extend(body.mesh.map(|mesh| (key, (mesh, body.paint))));
            }
            body.path = builder.unique_path(&paths.of(index as u32));
            match place.recenter {
                Recenter::Bounds => center_bounds(builder, &mut body),
                Recenter::Origin if is_at_origin => {
                    note_own_origin(builder, model, (&body, node.origin != DVec3::ZERO));
                }
                Recenter::Origin | Recenter::Off => {}
            }
            builder.scene.bodies.push(body);
            recentered.extend(recenters.then_some(name));
        }
    }
    if recentered.len() > 1 {
        note_one_place(builder, model, &recentered);
    }
    if !links.is_empty() {
        let name = format!("animated parts of {}", model.source);
        let figure = Figure { links, skins: Vec::new() };
        add_figure(builder, model, &name, &figure, place.matrix, drive.copied());
    }
}

/// Returns the surface of a node's mesh with its rest morph weights, at a scale.
fn soup(name: &str, (geometry, weights): (&Geometry, &[f32]), scale: DMat3) -> Soup {
    let positions = rest_positions(geometry, weights);
    let patch = Patch { positions: &positions, triangles: &geometry.triangles, colors: &geometry.colors };
    let mut soup = Soup::default();
    soup.append(name, patch, scale, DVec3::ZERO);
    soup
}

/// Moves a body so that the middle of its bounds, in world axes, comes to where its origin was.
fn center_bounds(builder: &Builder, body: &mut BodyDef) {
    let Some(mesh) = body.mesh else { return };
    let [min, max] = builder.scene.meshes[mesh as usize].bounds_at(&body.pose);
    body.pose.position += body.pose.position - 0.5 * (min + max);
}

/// Adds a note if `recenter = true` does not move a part, because its origin is that of the file, and
/// the part lies beside it: most STL files contain such parts. `is_far`: whether the part lies so far
/// from that origin that the reader gave it another one.
fn note_own_origin(builder: &mut Builder, model: &Model, (body, is_far): (&BodyDef, bool)) {
    let Some(mesh) = body.mesh else { return };
    let bounds = builder.scene.meshes[mesh as usize].bounds();
    if is_far || bounds.min.cmpgt(Vec3::ZERO).any() || bounds.max.cmplt(Vec3::ZERO).any() {
        let text = "recenter = true does not move it: its origin is that of its file, which lies outside of its \
                    bounds; recenter = \"bounds\" places it by the middle of its bounds";
        builder.note(NoteKind::Warning, &model.source, text);
    }
}

/// Warns of nodes that `recenter` puts at the same position.
fn note_one_place(builder: &mut Builder, model: &Model, names: &[String]) {
    const NAMED: usize = 5;
    let mut text = format!(
        "recenter puts {} nodes in one place: {}",
        names.len(),
        names[..names.len().min(NAMED)].join(", ")
    );
    if names.len() > NAMED {
        text += &format!(" and {} more", names.len() - NAMED);
    }
    text += "; name one node an entry (nodes = [\"NAME\"]), or leave recenter out, so that they stand to each other \
             as in their file, and move them together with position";
    builder.note(NoteKind::Warning, &model.source, text);
}

/// Returns per node whether the clip moves it or one of its ancestors.
fn moved_nodes(model: &Model, drive: Option<&Drive>) -> Vec<bool> {
    let mut moved = vec![false; model.nodes.len()];
    let Some(drive) = drive else { return moved };
    let mut stack: Vec<u32> = drive.clip.tracks.iter().map(|t| t.node).collect();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut moved[node as usize], true) {
            stack.extend(&model.nodes[node as usize].children);
        }
    }
    moved
}
