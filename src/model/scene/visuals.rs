//! Visual meshes: the appearance of bodies in a model with physics whose colliders differ from it.
//!
//! The meshes below a body's node are its appearance. A static body is often a sibling of its visual
//! meshes, so meshes below the same parent count as its appearance too. Meshes that belong to no body
//! are drawn at their position.

use std::collections::{BTreeMap, BTreeSet};

use glam::DMat4;

use super::builder::{Builder, Soup};
use super::figure::is_skinned;
use super::looks::{DrawnSurface, Follows};
use super::nodes::{append_mesh, nearest_above, owners};
use crate::arrays::{MapEach, from_each};
use crate::body::Motion;
use crate::import::NoteKind;
use crate::import::model::part_name;
use crate::import::model::{Model, Node};

/// Resolution for comparing positions, 1/m: two meshes coincide if their matrices agree to 1 µm.
const SAME_PLACE: f64 = 1e6;

/// Mesh (index into the model's geometries) and its rounded matrix; ordered, so that sets can be
/// compared.
pub(super) type Placed = (u32, [i64; 12]);

pub(super) fn placed(geometry: u32, matrix: &DMat4) -> Placed {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
    let numbers = columns.map_each(|c| (SAME_PLACE * c.truncate()).round().to_array().map_each(|x| x as i64));
    (geometry, from_each(|k| numbers[k / 3][k % 3]))
}

/// Collision geometry of all bodies of one model.
#[derive(Default)]
pub(super) struct Colliding {
    /// Map from body node to the index of the body.
    pub bodies: BTreeMap<u32, u32>,
    /// Map from body node to its colliding surfaces, world space; `None` stands for a shape that is not
    /// a mesh.
    pub surfaces: BTreeMap<u32, BTreeSet<Option<Placed>>>,
    /// Nodes whose meshes are part of colliders.
    pub nodes: BTreeSet<u32>,
}

/// Adds the visual meshes of every body whose appearance differs from its colliders, and those of nodes
/// without a body. Hides the colliders of these bodies.
pub(super) fn add_visuals(
    builder: &mut Builder,
    model: &Model,
    worlds: &[DMat4],
    wanted: &dyn Fn(&str) -> bool,
    colliding: &Colliding,
) {
    let mut beside: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &node in colliding.bodies.keys().filter(|&&n| is_static(&model.nodes[n as usize])) {
        if let Some(parent) = model.nodes[node as usize].parent {
            beside.entry(parent).or_default().push(node);
        }
    }
    // Nodes with visual meshes: by body, by parent of static bodies, and of no body.
    let mut of_body: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut of_siblings: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut of_world: Vec<u32> = Vec::new();
    let owners = owners(model);
    // Only static bodies are missing from `owners`, so this finds the nearest static body.
    let static_above = nearest_above(model, |n| colliding.bodies.contains_key(&n));
    for index in (0..model.nodes.len() as u32).filter(|&n| is_visual(model, &model.nodes[n as usize])) {
        match (owners[index as usize].or(static_above[index as usize]), parent_of(model, index, &beside)) {
            (Some(body), _) if colliding.bodies.contains_key(&body) => {
                of_body.entry(body).or_default().push(index);
            }
            // The body was not selected, or was left out with a note; so is its appearance.
            (Some(_), _) => {}
            (None, _) if colliding.nodes.contains(&index) => {}
            (None, Some(parent)) => of_siblings.entry(parent).or_default().push(index),
            (None, None) if wanted(&part_name(model, index)) => of_world.push(index),
            (None, None) => {}
        }
    }
    let mut count = 0;
    for (parent, nodes) in of_siblings {
        // Bodies with visual meshes of their own are left to the loop below.
        let bodies: Vec<u32> = beside[&parent].iter().copied().filter(|b| !of_body.contains_key(b)).collect();
        let Some((&first, others)) = bodies.split_first() else {
            of_world.extend(nodes);
            continue;
        };
        if looks_as_it_collides(model, worlds, colliding, &bodies, &nodes) {
            continue;
        }
        count += draw(builder, model, worlds, &nodes, Some(colliding.bodies[&first]));
        for other in others {
            draw(builder, model, worlds, &[], Some(colliding.bodies[other]));
        }
    }
    for (body, nodes) in of_body {
        let only_seen = nodes.iter().any(|n| !colliding.nodes.contains(n));
        if only_seen && !looks_as_it_collides(model, worlds, colliding, &[body], &nodes) {
            count += draw(builder, model, worlds, &nodes, Some(colliding.bodies[&body]));
        }
    }
    if !of_world.is_empty() {
        count += draw(builder, model, worlds, &of_world, None);
    }
    if count > 0 {
        let others = if colliding.surfaces.values().all(BTreeSet::is_empty) { "no" } else { "other" };
        let text =
            format!("{count} triangles are drawn and do not collide: the file gives {others} colliders");
        builder.note(NoteKind::Ignored, &model.source, text);
    }
}

fn is_visual(model: &Model, node: &Node) -> bool {
    let has_triangles = |g: u32| !model.geometries[g as usize].triangles.is_empty();
    node.in_scene && node.geometry.is_some_and(has_triangles) && !is_skinned(model, node)
}

fn is_static(node: &Node) -> bool {
    node.motion.as_ref().is_none_or(|m| m.motion == Motion::Static)
}

/// Returns the node or its parent, whichever has static bodies as children (the node first).
fn parent_of(model: &Model, node: u32, beside: &BTreeMap<u32, Vec<u32>>) -> Option<u32> {
    [Some(node), model.nodes[node as usize].parent].into_iter().flatten().find(|n| beside.contains_key(n))
}

/// Returns whether the meshes of `nodes` are exactly the colliding meshes of `bodies`.
fn looks_as_it_collides(
    model: &Model,
    worlds: &[DMat4],
    colliding: &Colliding,
    bodies: &[u32],
    nodes: &[u32],
) -> bool {
    let place = |&n: &u32| Some(placed(model.nodes[n as usize].geometry?, &worlds[n as usize]));
    let seen: BTreeSet<Option<Placed>> = nodes.iter().map(place).collect();
    let touched = bodies.iter().filter_map(|b| colliding.surfaces.get(b)).flatten().copied();
    seen == touched.collect()
}

/// Adds the meshes of `nodes` as one drawn surface of `body`, or of the world. Returns the number of
/// its triangles.
fn draw(builder: &mut Builder, model: &Model, worlds: &[DMat4], nodes: &[u32], body: Option<u32>) -> usize {
    let (name, follows, back) = match body {
        Some(index) => {
            let body = &builder.scene.bodies[index as usize];
            let back = DMat4::from_rotation_translation(body.pose.rotation, body.pose.position).inverse();
            (body.name.clone(), Follows::Body(index), back)
        }
        None => (format!("scenery of {}", model.source), Follows::World, DMat4::IDENTITY),
    };
    let triangles_of = |&n: &u32| {
        model.nodes[n as usize].geometry.map_or(0, |g| model.geometries[g as usize].triangles.len())
    };
    if !builder.may_draw(&name, nodes.iter().map(triangles_of).sum()) {
        return 0;
    }
    let mut soup = Soup::default();
    let mut seen = BTreeSet::new();
    for &node in nodes {
        let own = &model.nodes[node as usize];
        let matrix = &worlds[node as usize];
        if own.geometry.is_some_and(|g| seen.insert(placed(g, matrix))) {
            append_mesh(&mut soup, &name, model, own, &(back * *matrix));
        }
    }
    if soup.positions.iter().any(|p| !p.is_finite()) {
        builder.note(NoteKind::Ignored, &name, "has a look that is not finite");
        return 0;
    }
    let paint = match &follows {
        Follows::Body(body) => builder.paint_like(*body, &soup.colors),
        _ => builder.paint(&soup.colors),
    };
    let Soup { positions, triangles, .. } = soup;
    let count = triangles.len();
    builder.scene.drawn.push(DrawnSurface { name, positions, triangles, paint, follows });
    count
}
