//! Bodies of a model with physics, made from nodes with motion, the colliders below them, sensors and
//! filters. Semantics are those of KHR_physics_rigid_bodies; the OMI extensions are read into the same
//! data.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat3, DMat4, DVec3};

use super::BodyDef;
use super::builder::{Builder, Patch, Soup};
use super::figure::is_skinned;
use super::filters::PartFilter;
use super::model_joints::add_joints;
use super::nodes::{append, append_mesh, owners};
use super::placement::{Placement, Recenter};
use super::robot::Added;
use super::visuals::{Colliding, add_visuals, placed};
use crate::body::Motion;
use crate::import::NoteKind;
use crate::import::clip::{split, world_matrices};
use crate::import::model::part_name;
use crate::import::model::{Collider, ColliderGeometry, Geometry, Inertia, Model, MotionSettings, Shape};
use crate::import::paths::Paths;
use crate::import::shapes;
use crate::pose::Pose;

/// Map from the node of a body to its collider nodes.
type Groups = BTreeMap<u32, Vec<u32>>;

/// Adds the bodies whose nodes' names `wanted` accepts, and the model's joints. Returns the indices of
/// the bodies and joints added, by node.
pub(super) fn add_bodies(
    builder: &mut Builder,
    model: &Model,
    place: &Placement,
    wanted: &dyn Fn(&str) -> bool,
) -> Added {
    if place.recenter != Recenter::Off {
        builder.note(NoteKind::Ignored, &model.source, "has physics, so its parts are not recentered");
    }
    let worlds = world_matrices(model, None, place.matrix);
    let owners = owners(model);
    let mut groups = Groups::new();
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, n)| n.in_scene) {
        let index = index as u32;
        let owner = owners[index as usize];
        if node.motion.is_some() {
            groups.entry(index).or_default();
        }
        if node.collider.is_some() {
            // A collider without a moving ancestor is a static body.
            groups.entry(owner.unwrap_or(index)).or_default().push(index);
        }
    }
    groups.retain(|&node, _| wanted(&part_name(model, node)));
    let mut colliding = Colliding::default();
    let paths = Paths::new(model);
    let mut filtered = Vec::new();
    for (&node, colliders) in &groups {
        if !builder.may_lay_out(colliders.len()) {
            return Added::default();
        }
        let mut part_filters = Vec::new();
        let made = make_body(builder, model, &worlds, (node, colliders), &mut colliding, &mut part_filters);
        let Some(mut body) = made else { continue };
        body.path = builder.unique_path(&paths.of(node));
        let index = builder.scene.bodies.len() as u32;
        filtered.push((index, part_filters));
        builder.scene.bodies.push(body);
        colliding.bodies.insert(node, index);
    }
    if filtered.iter().any(|(_, parts)| parts.iter().any(|(_, filter)| filter.is_some())) {
        builder.scene.filters.add(&model.filters, &filtered);
    }
    add_triggers(builder, model, (&worlds, &owners), wanted, &mut colliding.nodes);
    let joints = add_joints(builder, model, (&worlds, &owners), &colliding.bodies);
    add_visuals(builder, model, &worlds, wanted, &colliding);
    Added { bodies: colliding.bodies, joints }
}

/// Builds the body of a node. Adds to `filters` the filter of each of its parts, with the index of the
/// part's first triangle. Returns `None` if the body is left out.
fn make_body(
    builder: &mut Builder,
    model: &Model,
    worlds: &[DMat4],
    (node, colliders): (u32, &[u32]),
    colliding: &mut Colliding,
    filters: &mut Vec<PartFilter>,
) -> Option<BodyDef> {
    let name = part_name(model, node);
    let Some((pose, rest)) = split(&worlds[node as usize]) else {
        builder.note(NoteKind::Ignored, &name, "is scaled to nothing");
        return None;
    };
    let back = DMat4::from_rotation_translation(pose.rotation, pose.position).inverse();
    let mut soup = Soup::default();
    let surfaces = colliding.surfaces.entry(node).or_default();
    for &collider in colliders {
        if let Some(&Collider { geometry, filter, .. }) = model.nodes[collider as usize].collider.as_ref() {
            filters.push((soup.triangles.len() as u32, filter));
            let local = back * worlds[collider as usize];
            let taken = append_geometry(builder, model, collider, geometry, local, &mut soup);
            let frame = DMat4::from_rotation_translation(pose.rotation, pose.position);
            for Taken { node, surface } in taken {
                colliding.nodes.extend(node);
                surfaces.insert(surface.map(|(geometry, matrix)| placed(geometry, &(frame * matrix))));
            }
        }
    }
    // The file of a robot specifies all colliders of its links, so a link without one does not collide.
    if soup.triangles.is_empty() && model.robot.is_none() {
        colliding.nodes.extend(append_visuals(builder, model, worlds, node, &back, &mut soup));
        if !soup.triangles.is_empty() {
            builder.note(NoteKind::Assumed, &name, "has no collider, so its meshes are taken");
        }
    }
    let mut body = if soup.triangles.is_empty() {
        BodyDef { pose, ..BodyDef::empty(builder.unique(&name)) }
    } else {
        builder.body(&name, &soup, pose)?
    };
    let of = |c: &u32| model.nodes[*c as usize].collider.as_ref();
    let differ = |pick: fn(&Collider) -> Option<u32>| {
        let mut values = colliders.iter().filter_map(of).map(pick);
        let first = values.next();
        values.any(|v| Some(v) != first)
    };
    if differ(|c| c.material) {
        builder.note(
            NoteKind::Assumed,
            &name,
            "has colliders of several materials; the first counts for all",
        );
    }
    let walls = |mesh: u32| builder.scene.meshes[mesh as usize].surface().flaws.inner_wall_triangle_count;
    if differ(|c| c.filter) && body.mesh.is_some_and(|mesh| walls(mesh) > 0) {
        let text =
            "has colliders of several filters that share a wall: it is left out, so that they are open there";
        builder.note(NoteKind::Warning, &name, text);
    }
    let material = colliders.iter().filter_map(of).find_map(|c| c.material);
    // Robot formats have no combine modes.
    body.combine.has_modes = model.robot.is_none();
    if let Some(material) = material.map(|m| model.materials[m as usize]) {
        body.friction = material.dynamic_friction;
        body.restitution = material.restitution;
        body.combine = material.combine;
    }
    match &model.nodes[node as usize].motion {
        Some(motion) => apply_motion(builder, &mut body, motion, rest, &pose),
        None => body.motion = Motion::Static,
    }
    if body.motion != Motion::Dynamic {
        body.mass = f64::INFINITY;
    }
    Some(body)
}

/// Sets the velocities, mass, center of mass and inertia of a body from its motion in the file. `rest`
/// is the scale of its node, `pose` its pose.
fn apply_motion(
    builder: &mut Builder,
    body: &mut BodyDef,
    motion: &MotionSettings,
    rest: DMat3,
    pose: &Pose,
) {
    body.motion = motion.motion;
    body.gravity_factor = motion.gravity_factor;
    body.linear_velocity = pose.transform_vector(rest * motion.linear_velocity);
    body.angular_velocity = pose.transform_vector(motion.angular_velocity);
    if motion.mass.is_some() {
        builder.weighed.insert(body.name.clone());
    }
    match motion.mass {
        // A mass of zero in the file means an infinite mass.
        Some(0.0) => body.mass = f64::INFINITY,
        Some(mass) => builder.set_mass(body, mass),
        None => {}
    }
    if let Some(center) = motion.center {
        body.center = rest * center;
    }
    match motion.inertia {
        Some(Inertia::Principal { diagonal, axes }) => {
            // A moment of zero in the file means an infinite one. It is replaced by one so large that
            // the body practically does not turn about that axis.
            let largest = diagonal.max_element().max(body.mass.min(1e12));
            let diagonal = DVec3::select(diagonal.cmpeq(DVec3::ZERO), DVec3::splat(1e6 * largest), diagonal);
            let axes = DMat3::from_quat(axes);
            body.inertia = axes * DMat3::from_diagonal(diagonal) * axes.transpose();
        }
        Some(Inertia::Tensor(inertia)) => body.inertia = inertia,
        None => {}
    }
}

/// Surface that a collider contributed to its body.
struct Taken {
    /// Node that has the mesh; `None` for a shape, and for a mesh that no node has.
    node: Option<u32>,
    /// Mesh (index of its geometry) and its matrix in the body's space; `None` for a shape that is not
    /// a mesh.
    surface: Option<(u32, DMat4)>,
}

/// Appends a collider's triangles in the body's space. `local` transforms the space of the collider's
/// node to the body's space. Returns the surfaces appended.
fn append_geometry(
    builder: &mut Builder,
    model: &Model,
    node: u32,
    geometry: ColliderGeometry,
    local: DMat4,
    soup: &mut Soup,
) -> Vec<Taken> {
    let name = part_name(model, node);
    let mut taken = Vec::new();
    match geometry {
        ColliderGeometry::Shape(shape) => {
            let shape = &model.shapes[shape as usize];
            if matches!(shape, Shape::Plane { .. }) {
                builder.note(NoteKind::Assumed, &name, shapes::PLANE_NOTE);
            }
            match (shapes::triangles(shape), shape) {
                (Some((_, triangles)), _) if triangles.is_empty() => {
                    builder.note(NoteKind::LeftOut, &name, "has a shape that is too thin for its length");
                }
                (Some((positions, triangles)), _) => {
                    let patch = Patch { positions: &positions, triangles: &triangles, colors: &[] };
                    append(soup, &name, patch, &local);
                    taken.push(Taken { node: None, surface: None });
                }
                (None, &Shape::Mesh { geometry, convex }) => {
                    taken.extend(append_whole(builder, model, &name, (geometry, convex), local, soup));
                }
                (None, _) => {}
            }
        }
        ColliderGeometry::Mesh { geometry, convex_hull } => {
            taken.extend(append_whole(builder, model, &name, (geometry, convex_hull), local, soup));
        }
        ColliderGeometry::Node { node: first, convex_hull } => {
            note_exact(builder, &name, convex_hull);
            // The transform of the named node itself is ignored; those of the nodes below it apply.
            let mut stack = vec![(first, local)];
            while let Some((at, matrix)) = stack.pop() {
                let own = &model.nodes[at as usize];
                if !fits(builder, model, own.geometry, soup) {
                    return taken;
                }
                if is_skinned(model, own) {
                    let text = "is a collider with a skin; it keeps the shape it was bound in";
                    builder.note(NoteKind::Assumed, &name, text);
                }
                if let Some(geometry) = own.geometry {
                    taken.push(Taken { node: Some(at), surface: Some((geometry, matrix)) });
                    append_mesh(soup, &name, model, own, &matrix);
                }
                let below = |&c: &u32| (c, matrix * model.nodes[c as usize].local.matrix());
                stack.extend(own.children.iter().map(below));
            }
        }
    }
    taken
}

/// Appends a mesh that no node has. If `convex`, adds a note that the exact surface stands for the
/// requested hull. Returns `None` if the mesh is too large.
fn append_whole(
    builder: &mut Builder,
    model: &Model,
    name: &str,
    (geometry, convex): (u32, bool),
    local: DMat4,
    soup: &mut Soup,
) -> Option<Taken> {
    if !fits(builder, model, Some(geometry), soup) {
        return None;
    }
    note_exact(builder, name, convex);
    let Geometry { positions, triangles, colors, .. } = &model.geometries[geometry as usize];
    append(soup, name, Patch { positions, triangles, colors }, &local);
    Some(Taken { node: None, surface: Some((geometry, local)) })
}

/// Returns whether a node with such a mesh may be appended. Tested before its triangles are copied,
/// because they take memory.
fn fits(builder: &mut Builder, model: &Model, geometry: Option<u32>, soup: &Soup) -> bool {
    let geometry = geometry.map(|g| &model.geometries[g as usize]);
    let triangle_count = geometry.map_or(0, |g| g.triangles.len());
    builder.may_lay_out(1 + geometry.map_or(0, Geometry::size))
        && builder.may_have_surface(soup.triangles.len() + triangle_count)
}

fn note_exact(builder: &mut Builder, name: &str, convex: bool) {
    if convex {
        builder.note(NoteKind::Assumed, name, "asks for its convex hull; its exact surface is used");
    }
}

/// Appends the meshes of a node and of the nodes below it up to the next node with motion. Returns the
/// nodes whose meshes were appended.
fn append_visuals(
    builder: &mut Builder,
    model: &Model,
    worlds: &[DMat4],
    node: u32,
    back: &DMat4,
    soup: &mut Soup,
) -> Vec<u32> {
    let mut taken = Vec::new();
    let mut stack = vec![node];
    while let Some(at) = stack.pop() {
        let own = &model.nodes[at as usize];
        if !fits(builder, model, own.geometry, soup) {
            return taken;
        }
        if own.geometry.is_some() && !is_skinned(model, own) {
            taken.push(at);
            append_mesh(soup, &part_name(model, at), model, own, &(*back * worlds[at as usize]));
        }
        stack.extend(own.children.iter().filter(|&&c| model.nodes[c as usize].motion.is_none()));
    }
    taken
}

/// Adds triggers as static sensors: bodies that only report overlaps.
fn add_triggers(
    builder: &mut Builder,
    model: &Model,
    (worlds, owners): (&[DMat4], &[Option<u32>]),
    wanted: &dyn Fn(&str) -> bool,
    used: &mut BTreeSet<u32>,
) {
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, n)| n.in_scene) {
        let name = part_name(model, index as u32);
        let Some(trigger) = node.trigger.as_ref().filter(|_| wanted(&name)) else { continue };
        let Some(geometry) = trigger.geometry else {
            if trigger.nodes.is_empty() {
                builder.note(NoteKind::Ignored, &name, "is a trigger without a shape");
            }
            continue;
        };
        if !builder.may_lay_out(1) {
            return;
        }
        let Some((pose, rest)) = split(&worlds[index]) else {
            builder.note(NoteKind::Ignored, &name, "is scaled to nothing");
            continue;
        };
        let mut soup = Soup::default();
        let local = DMat4::from_mat3(rest);
        let taken = append_geometry(builder, model, index as u32, geometry, local, &mut soup);
        used.extend(taken.into_iter().filter_map(|t| t.node));
        if owners[index].is_some() {
            builder.note(NoteKind::Assumed, &name, "is a trigger on a moving body; it stays where it starts");
        }
        if let Some(mut body) = builder.body(&name, &soup, pose) {
            body.motion = Motion::Static;
            body.mass = f64::INFINITY;
            body.trigger = true;
            builder.scene.bodies.push(body);
        }
    }
}
