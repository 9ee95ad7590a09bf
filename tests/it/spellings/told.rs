//! Models in plain words: the complete result of a reader, in lines, so that a row can hold it.

use glam::{DMat3, DMat4, DQuat, DVec3, Vec3};
use tumble::body::{AxisRange, Distance, JointAxis, SoftLimit};
use tumble::import::model::{Collider, ColliderGeometry, Geometry, Inertia, Model, Node, part_name};
use tumble::import::model::{JointSettings, MotionSettings, NodeJoint, Shape, TrackValues};

/// Largest number of triangles of a surface that is described triangle by triangle; larger ones by box
/// and volume.
const FEW: usize = 8;

/// Describes a model; positions are in world axes, m.
pub fn told(model: &Model) -> Vec<String> {
    let worlds = worlds(model);
    let mut lines = Vec::new();
    for (at, (node, world)) in model.nodes.iter().zip(&worlds).enumerate().filter(|(_, (n, _))| n.in_scene) {
        let name = part_name(model, at as u32);
        if model.geometries.is_empty() && !model.has_physics() {
            lines.push(format!("{name} at {}", point(world.w_axis.truncate())));
        }
        if let Some(geometry) = node.geometry {
            let geometry = &model.geometries[geometry as usize];
            surface(&name, geometry, world, &mut lines);
            lines.extend(bends(&name, node, geometry));
        }
        if let Some(motion) = &node.motion {
            lines.push(format!("{name} is {}", moves(motion, world)));
        }
        if let Some(collider) = &node.collider {
            collides(model, &format!("{name} collides as"), collider, world, &mut lines);
        }
        if let Some(trigger) = &node.trigger {
            let shape = trigger.geometry.map(|g| format!(" as {}", shape(model, g))).unwrap_or_default();
            let nodes: Vec<String> = trigger.nodes.iter().map(|&n| part_name(model, n)).collect();
            lines.push(format!("{name} notices{shape}{}", words(" of ", &nodes)));
        }
        if let Some(joint) = &node.joint {
            lines.push(format!("{name} {}", joins(model, joint, &worlds, at)));
        }
        if let Some(fov) = node.camera.map(|c| model.cameras[c as usize].vertical_fov) {
            let fov = fov.map_or("none".to_owned(), |f| number(f.to_degrees()));
            lines.push(format!("{name} sees from {}, angle {fov}", point(world.w_axis.truncate())));
        }
    }
    lines.extend(robot(model));
    lines.extend(rest(model));
    lines
}

fn worlds(model: &Model) -> Vec<DMat4> {
    model.nodes.iter().map(|node| world(model, node)).collect()
}

fn world(model: &Model, node: &Node) -> DMat4 {
    let own = node.local.matrix();
    node.parent.map_or(own, |parent| world(model, &model.nodes[parent as usize]) * own)
}

fn surface(name: &str, geometry: &Geometry, world: &DMat4, lines: &mut Vec<String>) {
    let place = |p: &Vec3| world.transform_point3(p.as_dvec3());
    let points: Vec<DVec3> = geometry.positions.iter().map(place).collect();
    let corners = |t: &[u32; 3]| t.map(|v| points[v as usize]);
    let hex = |c: [u8; 3]| format!("{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
    if geometry.triangles.len() <= FEW {
        for (at, triangle) in geometry.triangles.iter().enumerate() {
            let colors = geometry.colors.get(at).map(|c| c.map(hex));
            let colors = match &colors {
                None => String::new(),
                Some([a, b, c]) if a == b && b == c => format!(" {a}"),
                Some(all) => format!(" {}", all.join("/")),
            };
            lines.push(format!("{name}: {}{colors}", corners(triangle).map(point).join(", ")));
        }
        return;
    }
    let [mut low, mut high] = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.iter().for_each(|p| (low, high) = (low.min(*p), high.max(*p)));
    let volume: f64 = geometry.triangles.iter().map(corners).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
    let color = geometry.colors.first().map(|c| format!(" {}", hex(c[0]))).unwrap_or_default();
    // Two digits: the volume of round shapes is slightly smaller in triangles.
    lines.push(format!("{name}: from {} to {}, volume {volume:.1e}{color}", point(low), point(high)));
}

/// Describes the morph targets and the weights of joints, vertex by vertex.
fn bends(name: &str, node: &Node, geometry: &Geometry) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, morph) in geometry.morphs.iter().enumerate() {
        let offsets: Vec<String> = morph.iter().map(|p| point(p.as_dvec3())).collect();
        let weight = node.weights.get(at).map_or("no".to_owned(), |w| number((*w).into()));
        lines.push(format!("{name} with weight {weight} by {}", offsets.join(", ")));
    }
    if !geometry.influences.is_empty() {
        let hold = |(joint, weight): (&u16, &f32)| format!("{joint} {}", number((*weight).into()));
        let vertices = geometry.influences.iter().map(|influence| {
            let pairs = influence.joints.iter().zip(&influence.weights).filter(|(_, weight)| **weight != 0.0);
            pairs.map(hold).collect::<Vec<_>>().join(" ")
        });
        lines.push(format!("{name} hangs on {}", vertices.collect::<Vec<_>>().join(", ")));
    }
    lines
}

fn moves(motion: &MotionSettings, world: &DMat4) -> String {
    let mut text = format!("{:?} at {}", motion.motion, point(world.w_axis.truncate())).to_lowercase();
    let mut add = |what: &str, value: Option<String>| {
        text.extend(value.map(|value| format!("; {what} {value}")));
    };
    add("mass", motion.mass.map(number));
    add("center", motion.center.map(point));
    add("moments", motion.inertia.map(moments));
    let moving = |v: DVec3| (v != DVec3::ZERO).then(|| point(v));
    add("velocity", moving(motion.linear_velocity));
    add("spin", moving(motion.angular_velocity));
    add("gravity", (motion.gravity_factor != 1.0).then(|| number(motion.gravity_factor)));
    text
}

/// Formats moments: xx yy zz, then xy xz yz if one of them is not 0.
fn moments(inertia: Inertia) -> String {
    let tensor = match inertia {
        Inertia::Tensor(tensor) => tensor,
        Inertia::Principal { diagonal, axes } => {
            let axes = DMat3::from_quat(axes);
            axes * DMat3::from_diagonal(diagonal) * axes.transpose()
        }
    };
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = tensor;
    let off = DVec3::new(x.y, x.z, y.z);
    let off = if off.abs().max_element() < 1e-9 { String::new() } else { format!(" off {}", point(off)) };
    format!("{}{off}", point(DVec3::new(x.x, y.y, z.z)))
}

fn collides(model: &Model, name: &str, collider: &Collider, world: &DMat4, lines: &mut Vec<String>) {
    match collider.geometry {
        ColliderGeometry::Mesh { geometry, convex_hull: false } => {
            surface(name, &model.geometries[geometry as usize], world, lines);
        }
        other => lines.push(format!("{name} {}", shape(model, other))),
    }
    if let Some(material) = collider.material {
        let m = &model.materials[material as usize];
        let [still, sliding, bounce] = [m.static_friction, m.dynamic_friction, m.restitution].map(number);
        let combine = [m.combine.friction, m.combine.restitution].map(|c| format!("{c:?}"));
        let combine = combine.join(" ").replace("Some(", "").replace(')', "").to_lowercase();
        lines.push(format!("{name} with friction {still} {sliding}, bounce {bounce}, combined {combine}"));
    }
    if let Some(filter) = collider.filter {
        lines.push(format!("{name} in filter {filter}"));
    }
}

fn shape(model: &Model, geometry: ColliderGeometry) -> String {
    let hull = |is_hull: bool| if is_hull { "the hull of " } else { "" };
    match geometry {
        ColliderGeometry::Shape(at) => match &model.shapes[at as usize] {
            Shape::Box { size } => format!("box {}", point(*size)),
            Shape::Sphere { radius } => format!("sphere {}", number(*radius)),
            Shape::Capsule { height, radius_top, radius_bottom } => {
                format!("capsule {}", [*height, *radius_top, *radius_bottom].map(number).join(" "))
            }
            Shape::Cylinder { height, radius_top, radius_bottom } => {
                format!("cylinder {}", [*height, *radius_top, *radius_bottom].map(number).join(" "))
            }
            Shape::Plane { size_x, size_z, double_sided } => {
                let size = [size_x, size_z].map(|s| s.map_or("∞".to_owned(), number));
                format!("plane {}{}", size.join(" "), if *double_sided { " from both sides" } else { "" })
            }
            Shape::Mesh { geometry, convex } => format!("{}mesh {geometry}", hull(*convex)),
        },
        ColliderGeometry::Node { node, convex_hull } => {
            format!("{}node {}", hull(convex_hull), part_name(model, node))
        }
        ColliderGeometry::Mesh { geometry, convex_hull } => format!("{}mesh {geometry}", hull(convex_hull)),
    }
}

fn joins(model: &Model, joint: &NodeJoint, worlds: &[DMat4], at: usize) -> String {
    let axes = |world: &DMat4| {
        let [x, y, place] = [world.x_axis, world.y_axis, world.w_axis].map(|c| point(c.truncate()));
        format!("{place} (x {x}, y {y})")
    };
    let (own, other) = (axes(&worlds[at]), axes(&worlds[joint.connected as usize]));
    let ends = if own == other { own } else { format!("{own} and {other}") };
    let collide = if joint.collide { ", which collide" } else { "" };
    let JointSettings { linear, angular, cone, distance, friction } = model.joints[joint.settings as usize];
    let mut text = format!("joins {} at {ends}{collide}", part_name(model, joint.connected));
    for (name, axis) in
        ["x", "y", "z", "about x", "about y", "about z"].iter().zip(linear.iter().chain(&angular))
    {
        text += &axis_told(name, axis);
    }
    text.extend(cone.map(|cone| format!("; cone {}", number(cone))));
    text.extend(distance.map(apart));
    if friction != 0.0 {
        text += &format!("; friction {}", number(friction));
    }
    text
}

fn apart(distance: Distance) -> String {
    let axes = ["x", "y", "z"].into_iter().zip(distance.axes).filter(|(_, counts)| *counts);
    let axes: Vec<&str> = axes.map(|(name, _)| name).collect();
    let [least, most] = [distance.min, distance.max].map(number);
    format!("; distance over {} from {least} to {most}{}", axes.join(" "), soft(distance.soft))
}

fn soft(soft: Option<SoftLimit>) -> String {
    soft.map_or(String::new(), |s| format!(" soft {} {}", number(s.stiffness), number(s.damping)))
}

/// Describes an axis; empty if it is locked.
fn axis_told(name: &str, axis: &JointAxis) -> String {
    let mut text = match axis.range {
        AxisRange::Locked => return String::new(),
        AxisRange::Free => format!("; {name} free"),
        AxisRange::Limited { min, max } => format!("; {name} {} to {}", number(min), number(max)),
    };
    text += &soft(axis.soft);
    if let Some(d) = axis.drive {
        let aims = [d.position_target, d.velocity_target, d.stiffness, d.damping, d.max_force];
        text += &format!(" driven by {:?} {}", d.kind, aims.map(number).join(" ")).to_lowercase();
    }
    text
}

fn robot(model: &Model) -> Vec<String> {
    let Some(robot) = &model.robot else { return Vec::new() };
    let told = |joint: &tumble::import::RobotJoint| {
        let verb = if joint.turns { "turns" } else { "slides" };
        let [low, high] = joint.range.map(number);
        let mut text = format!("{} {verb} about {}", joint.name, point(joint.axis));
        text = if joint.turns { text } else { text.replace("about", "along") };
        text += &format!(", {} in {low} to {high}", number(joint.coordinate));
        for (name, value) in [("effort", joint.effort), ("velocity", joint.velocity)] {
            if value.is_finite() {
                text += &format!(", {name} {}", number(value));
            }
        }
        if let Some(mimic) = joint.mimic {
            let leader = &robot.joints[mimic.joint as usize].name;
            text += &format!(", {} {leader} + {}", number(mimic.multiplier), number(mimic.offset));
        }
        text
    };
    let base = format!("robot {} stands on {}", robot.name, part_name(model, robot.base));
    std::iter::once(base).chain(robot.joints.iter().map(told)).collect()
}

fn rest(model: &Model) -> Vec<String> {
    let mut lines: Vec<String> = model.gravity.map(|g| format!("gravity {}", point(g))).into_iter().collect();
    for clip in &model.clips {
        lines.push(format!("clip {:?} lasts {}", clip.name, number(clip.duration)));
        for track in &clip.tracks {
            let node = part_name(model, track.node);
            let times: Vec<String> = track.times.iter().map(|t| number((*t).into())).collect();
            let (kind, values) = match &track.values {
                TrackValues::Translation(all) => ("moves", all.iter().copied().map(point).collect()),
                TrackValues::Scale(all) => ("scales", all.iter().copied().map(point).collect()),
                TrackValues::Rotation(all) => ("turns", all.iter().map(|q| turned(*q)).collect::<Vec<_>>()),
            };
            let how = format!("{:?}", track.interpolation).to_lowercase();
            lines.push(format!("{node} {kind} {how} at {}: {}", times.join(" "), values.join(", ")));
        }
    }
    for skin in &model.skins {
        let joints: Vec<String> = skin.joints.iter().map(|&n| part_name(model, n)).collect();
        let binds: Vec<String> = skin.inverse_bind.iter().map(|m| point(m.w_axis.truncate())).collect();
        lines.push(format!("skin of {} bound at {}", joints.join(" "), binds.join(", ")));
    }
    lines
}

/// Formats a rotation as its axis times its angle in degrees.
fn turned(rotation: DQuat) -> String {
    let (axis, angle) = rotation.to_axis_angle();
    point(axis * angle.to_degrees())
}

fn words(before: &str, all: &[String]) -> String {
    if all.is_empty() { String::new() } else { format!("{before}{}", all.join(" ")) }
}

fn point(p: DVec3) -> String {
    p.to_array().map(number).join(" ")
}

/// Formats a number to five places, without trailing zeros; large and infinite numbers as Rust writes
/// them.
fn number(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e9 {
        return format!("{value:e}").replace("inf", "∞");
    }
    let text = format!("{value:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
