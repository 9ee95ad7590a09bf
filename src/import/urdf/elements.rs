//! Links and joints as a URDF file says them, each with its line.

use std::collections::{BTreeMap, HashMap};

use glam::{DMat3, DQuat, DVec3};
use roxmltree::Node;

use crate::digits::grouped;
use crate::import::fault::Checked;
use crate::import::limits::{NAME_BYTES, ROBOT_LINKS, at_most};
use crate::import::lines::quoted;
use crate::import::srgb::code;
use crate::import::xml::{
    child, elements, needed, needed_child, needed_number, number, numbers, place, wrong,
};
use crate::pose::Pose;

/// A file of a robot.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    /// Elements that are not read: how often each was there.
    pub left_out: BTreeMap<String, usize>,
}

#[derive(Debug)]
pub(super) struct Link {
    pub name: String,
    pub place: String,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<Surface>,
    pub collisions: Vec<Surface>,
}

/// Mass (kg), its centre in the link (m) and inertia about it along the link's axes (kg·m²).
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertial {
    pub mass: f64,
    pub center: DVec3,
    pub inertia: DMat3,
}

#[derive(Debug)]
pub(super) struct Surface {
    pub place: String,
    /// Surface → link.
    pub origin: Pose,
    pub shape: Shape,
    /// sRGB
    pub color: Option<[u8; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Box { size: DVec3 },
    Sphere { radius: f64 },
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Mesh { file: String, scale: DVec3 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
}

#[derive(Debug)]
pub(super) struct Joint {
    pub name: String,
    pub place: String,
    pub kind: JointKind,
    pub parent: String,
    pub child: String,
    /// Child → parent link.
    pub origin: Pose,
    /// Unit length.
    pub axis: DVec3,
    /// rad or m; `None` where no limit is said.
    pub range: Option<[f64; 2]>,
    pub effort: Option<f64>,
    pub velocity: Option<f64>,
    /// N·m or N
    pub friction: f64,
    pub damping: f64,
    pub mimic: Option<Mimic>,
}

#[derive(Debug)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}

type Materials = HashMap<String, [u8; 3]>;

pub(super) fn read(root: Node) -> Checked<Description> {
    if root.tag_name().name() != "robot" {
        let found = quoted(root.tag_name().name());
        return wrong(root, format!("{found} stands where <robot> should be: this is no URDF"));
    }
    let name = root.attribute("name").unwrap_or_default().to_owned();
    let mut robot = Description { name, ..Description::default() };
    // A material may be named before it is defined.
    let mut materials = Materials::new();
    for material in root.descendants().filter(|n| n.has_tag_name("material")) {
        if let (Some(name), Some(color)) = (material.attribute("name"), color(material)?) {
            materials.insert(name.to_owned(), color);
        }
    }
    for element in elements(root) {
        match element.tag_name().name() {
            _ if element.tag_name().namespace().is_some() => {
                let name = element.tag_name().name();
                if element.tag_name().namespace().is_some_and(|uri| uri.contains("xacro")) {
                    return wrong(
                        element,
                        format!("<xacro:{name}> is a macro: `xacro FILE > robot.urdf` expands it"),
                    );
                }
                robot.leave_out(name);
            }
            "link" => robot.links.push(link(element, &materials)?),
            "joint" => {
                let joint = joint(element, &mut robot)?;
                robot.joints.push(joint);
            }
            "material" => {}
            other => robot.leave_out(other),
        }
        let count = robot.links.len().max(robot.joints.len());
        at_most(ROBOT_LINKS, count, "links of a robot").or_else(|reason| wrong(element, reason))?;
    }
    Ok(robot)
}

impl Description {
    fn leave_out(&mut self, name: &str) {
        *self.left_out.entry(format!("<{name}>")).or_default() += 1;
    }
}

fn name(node: Node) -> Checked<String> {
    let name = needed(node, "name")?;
    if name.is_empty() || name.len() > NAME_BYTES {
        let length = grouped(name.len() as u64);
        return wrong(node, format!("a name needs 1 to {NAME_BYTES} bytes, not {length}"));
    }
    Ok(name.to_owned())
}

fn link(node: Node, materials: &Materials) -> Checked<Link> {
    let surfaces = |kind: &str| {
        let found = elements(node).filter(|e| e.has_tag_name(kind));
        found.map(|e| surface(e, materials)).collect::<Checked<Vec<Surface>>>()
    };
    Ok(Link {
        name: name(node)?,
        place: place(node),
        inertial: child(node, "inertial").map(inertial).transpose()?,
        visuals: surfaces("visual")?,
        collisions: surfaces("collision")?,
    })
}

fn inertial(node: Node) -> Checked<Inertial> {
    let origin = origin(node)?;
    let mass = needed_number(needed_child(node, "mass")?, "value")?;
    if mass < 0.0 {
        return wrong(node, format!("a mass is at least 0, not {mass}"));
    }
    let written = needed_child(node, "inertia")?;
    let [xx, yy, zz] =
        [needed_number(written, "ixx")?, needed_number(written, "iyy")?, needed_number(written, "izz")?];
    let off = |key| Ok(number(written, key)?.unwrap_or(0.0));
    let [xy, xz, yz] = [off("ixy")?, off("ixz")?, off("iyz")?];
    let own = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let axes = DMat3::from_quat(origin.rotation);
    Ok(Inertial { mass, center: origin.position, inertia: axes * own * axes.transpose() })
}

fn surface(node: Node, materials: &Materials) -> Checked<Surface> {
    let geometry = needed_child(node, "geometry")?;
    let Some(written) = elements(geometry).next() else { return wrong(geometry, "<geometry> is empty") };
    let positive = |key: &str| match needed_number(written, key)? {
        value if value > 0.0 => Ok(value),
        value => wrong(written, format!("{key} must be above 0, not {value}")),
    };
    let shape = match written.tag_name().name() {
        "box" => {
            needed(written, "size")?;
            let size = DVec3::from_array(numbers(written, "size")?.unwrap_or_default());
            if size.min_element() <= 0.0 {
                return wrong(written, "the sides of a box must be above 0");
            }
            Shape::Box { size }
        }
        "sphere" => Shape::Sphere { radius: positive("radius")? },
        "cylinder" => Shape::Cylinder { radius: positive("radius")?, length: positive("length")? },
        "capsule" => Shape::Capsule { radius: positive("radius")?, length: positive("length")? },
        "mesh" => {
            let scale = DVec3::from_array(numbers(written, "scale")?.unwrap_or([1.0; 3]));
            if scale.x * scale.y * scale.z == 0.0 {
                return wrong(written, "a mesh cannot be scaled to nothing");
            }
            Shape::Mesh { file: needed(written, "filename")?.to_owned(), scale }
        }
        other => return wrong(written, format!("{} is no geometry that is known", quoted(other))),
    };
    let material = child(node, "material");
    let named = || materials.get(material?.attribute("name")?).copied();
    let color = material.map(color).transpose()?.flatten().or_else(named);
    Ok(Surface { place: place(written), origin: origin(node)?, shape, color })
}

fn color(material: Node) -> Checked<Option<[u8; 3]>> {
    let Some(color) = child(material, "color") else { return Ok(None) };
    let Some([r, g, b, _]) = numbers::<4>(color, "rgba")? else { return Ok(None) };
    Ok(Some([code(r), code(g), code(b)]))
}

/// `<origin xyz rpy>`: turned about the fixed axes x, y, z, then moved.
fn origin(node: Node) -> Checked<Pose> {
    let Some(origin) = child(node, "origin") else { return Ok(Pose::IDENTITY) };
    let position = DVec3::from_array(numbers(origin, "xyz")?.unwrap_or_default());
    let [roll, pitch, yaw] = numbers(origin, "rpy")?.unwrap_or_default();
    let turn = |axis: DVec3, angle: f64| {
        DQuat::from_vec4((axis * libm::sin(0.5 * angle)).extend(libm::cos(0.5 * angle)))
    };
    Ok(Pose::new(turn(DVec3::Z, yaw) * turn(DVec3::Y, pitch) * turn(DVec3::X, roll), position))
}

fn joint(node: Node, robot: &mut Description) -> Checked<Joint> {
    let kind = match needed(node, "type")? {
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "fixed" => JointKind::Fixed,
        "floating" => JointKind::Floating,
        "planar" => JointKind::Planar,
        other => return wrong(node, format!("{} is no type of joint", quoted(other))),
    };
    let written = child(node, "axis");
    let axis = written.map(|axis| numbers(axis, "xyz")).transpose()?.flatten().unwrap_or([1.0, 0.0, 0.0]);
    let has_axis = !matches!(kind, JointKind::Fixed | JointKind::Floating);
    let Some(axis) = DVec3::from_array(axis).try_normalize().or((!has_axis).then_some(DVec3::X)) else {
        return wrong(written.unwrap_or(node), "an axis needs a length");
    };
    let limit = child(node, "limit");
    let of = |element: Option<Node>, key: &str| element.map_or(Ok(None), |e| number(e, key));
    let range = match (kind, limit) {
        (JointKind::Revolute | JointKind::Prismatic, Some(limit)) => {
            let [min, max] = [number(limit, "lower")?.unwrap_or(0.0), number(limit, "upper")?.unwrap_or(0.0)];
            if min > max {
                return wrong(limit, format!("lower {min} is above upper {max}"));
            }
            Some([min, max])
        }
        _ => None,
    };
    let dynamics = child(node, "dynamics");
    let mimic = child(node, "mimic").map(|mimic| {
        Ok(Mimic {
            joint: needed(mimic, "joint")?.to_owned(),
            multiplier: number(mimic, "multiplier")?.unwrap_or(1.0),
            offset: number(mimic, "offset")?.unwrap_or(0.0),
        })
    });
    for element in elements(node) {
        let known = ["parent", "child", "origin", "axis", "limit", "dynamics", "mimic"];
        if !known.contains(&element.tag_name().name()) {
            robot.leave_out(element.tag_name().name());
        }
    }
    Ok(Joint {
        name: name(node)?,
        place: place(node),
        kind,
        parent: needed(needed_child(node, "parent")?, "link")?.to_owned(),
        child: needed(needed_child(node, "child")?, "link")?.to_owned(),
        origin: origin(node)?,
        axis,
        range,
        effort: of(limit, "effort")?.filter(|e| *e > 0.0),
        velocity: of(limit, "velocity")?.filter(|v| *v > 0.0),
        friction: of(dynamics, "friction")?.unwrap_or(0.0).max(0.0),
        damping: of(dynamics, "damping")?.unwrap_or(0.0),
        mimic: mimic.transpose()?,
    })
}
