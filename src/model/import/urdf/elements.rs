//! Elements of a URDF file, converted to links and joints.

use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3};
use roxmltree::Node;

use super::description::{Description, Deviations, Inertial, Link, LinkGeometry, Shape};
use super::unread::note_unread;
use crate::arrays::MapEach;
use crate::digits::{grouped, short};
use crate::import::fault::Checked;
use crate::import::limits::{NAME_BYTES, ROBOT_LINKS, at_most};
use crate::import::lines::{LineStarts, quoted};
use crate::import::srgb::code;
use crate::import::xml::{
    child, elements, needed, needed_child, needed_number, number, numbers, words, wrong,
};
use crate::pose::Pose;

/// Colors of the named materials, sRGB.
type Materials = HashMap<String, [u8; 3]>;

pub(super) fn read(root: Node) -> Checked<Description> {
    if root.tag_name().name() != "robot" {
        let found = quoted(root.tag_name().name());
        return wrong(root, format!("expected <robot>, found {found}: this is not a URDF file"));
    }
    let name = root.attribute("name").unwrap_or_default().to_owned();
    let mut robot = Description { name, ..Description::default() };
    note_unread(root, &mut robot.said)?;
    // Materials are read first, because one may be used before its definition.
    let mut materials = Materials::new();
    for material in root.descendants().filter(|n| n.has_tag_name("material")) {
        if let (Some(name), Some(color)) = (material.attribute("name"), color(material)?) {
            materials.insert(name.to_owned(), color);
        }
    }
    let mut reader = Reader { lines: LineStarts::of(root.document().input_text()), materials, robot };
    let is_own = |e: &Node| e.tag_name().namespace() == root.tag_name().namespace();
    for element in elements(root).filter(is_own) {
        if element.has_tag_name("link") {
            let link = reader.link(element)?;
            reader.robot.links.push(link);
        } else if element.has_tag_name("joint") {
            let joint = reader.joint(element)?;
            reader.robot.joints.push(joint);
        }
        let count = reader.robot.links.len().max(reader.robot.joints.len());
        at_most(ROBOT_LINKS, count, "links of a robot").or_else(|reason| wrong(element, reason))?;
    }
    Ok(reader.robot)
}

/// State of a robot's reader.
pub(super) struct Reader {
    lines: LineStarts,
    materials: Materials,
    robot: Description,
}

impl Reader {
    /// Returns the line of an element.
    pub fn line(&self, node: Node) -> usize {
        self.lines.line(node.range().start)
    }

    pub fn said(&mut self) -> &mut Deviations {
        &mut self.robot.said
    }

    fn link(&mut self, node: Node) -> Checked<Link> {
        let name = name(node)?;
        let inertial = child(node, "inertial").map(inertial).transpose()?;
        let [mut visuals, mut collisions] = [Vec::new(), Vec::new()];
        for element in elements(node) {
            match element.tag_name().name() {
                "visual" => visuals.extend(self.surface(element, &name)?),
                "collision" => collisions.extend(self.surface(element, &name)?),
                _ => {}
            }
        }
        Ok(Link { line: self.line(node), name, inertial, visuals, collisions })
    }

    /// Reads a visual or collision geometry of a link; `None`, with a note, for a shape without a size.
    fn surface(&mut self, node: Node, link: &str) -> Checked<Option<LinkGeometry>> {
        let geometry = needed_child(node, "geometry")?;
        let Some(written) = elements(geometry).next() else {
            return wrong(geometry, "<geometry> is empty");
        };
        let Some(shape) = self.shape(written)? else {
            self.said().sizeless.push(format!("{} of {link}", written.tag_name().name()));
            return Ok(None);
        };
        let material = child(node, "material");
        let named = || self.materials.get(material?.attribute("name")?).copied();
        let color = material.map(color).transpose()?.flatten().or_else(named);
        Ok(Some(LinkGeometry { line: self.line(written), origin: origin(node)?, shape, color }))
    }

    /// Reads the shape of a geometry; `None` if it has no size.
    fn shape(&mut self, written: Node) -> Checked<Option<Shape>> {
        let size = |key: &str| match needed_number(written, key)? {
            value if value < 0.0 => {
                wrong(written, format!("{key} must not be below 0, as {} is", short(value)))
            }
            value => Ok(value),
        };
        let (shape, least) = match written.tag_name().name() {
            "box" => {
                let Some(size) = numbers(written, "size")?.map(DVec3::from_array) else {
                    return wrong(written, "<box> needs three numbers as size");
                };
                if size.min_element() < 0.0 {
                    return wrong(written, "the sides of a box must not be below 0");
                }
                (Shape::Box { size }, size.min_element())
            }
            "sphere" => {
                let radius = size("radius")?;
                (Shape::Sphere { radius }, radius)
            }
            "cylinder" => {
                let (radius, length) = (size("radius")?, size("length")?);
                (Shape::Cylinder { radius, length }, radius.min(length))
            }
            "capsule" => {
                let (radius, length) = (size("radius")?, size("length")?);
                (Shape::Capsule { radius, length }, radius)
            }
            "plane" => {
                let normal = DVec3::from_array(numbers(written, "normal")?.unwrap_or([0.0, 0.0, 1.0]));
                let Some(normal) = normal.try_normalize() else {
                    return wrong(written, "the normal of a plane needs a length");
                };
                self.said().plane_count += 1;
                (Shape::Plane { normal }, 1.0)
            }
            "mesh" => {
                let scale = self.scale(written)?;
                let file = needed(written, "filename")?.to_owned();
                (Shape::Mesh { file, scale }, scale.abs().min_element())
            }
            other => return wrong(written, format!("{} is no geometry that is known", quoted(other))),
        };
        Ok((least > 0.0).then_some(shape))
    }

    /// Reads the scale of a mesh, one number per axis. A single number applies to all axes, and a
    /// fourth is ignored.
    fn scale(&mut self, written: Node) -> Checked<DVec3> {
        let count = written.attribute("scale").map_or(3, |text| words(text).count());
        self.said().scale_count += usize::from(count == 1 || count == 4);
        Ok(match count {
            1 => DVec3::splat(number(written, "scale")?.unwrap_or(1.0)),
            4 => {
                let [x, y, z, _] = numbers(written, "scale")?.unwrap_or([1.0; 4]);
                DVec3::new(x, y, z)
            }
            _ => DVec3::from_array(numbers(written, "scale")?.unwrap_or([1.0; 3])),
        })
    }
}

pub(super) fn name(node: Node) -> Checked<String> {
    let name = needed(node, "name")?;
    if name.is_empty() || name.len() > NAME_BYTES {
        let length = grouped(name.len() as u64);
        return wrong(node, format!("a name needs 1 to {NAME_BYTES} bytes, not {length}"));
    }
    Ok(name.to_owned())
}

/// Reads `<origin xyz rpy>`: rotations about the fixed axes x, y and z in this order, then a
/// translation.
pub(super) fn origin(node: Node) -> Checked<Pose> {
    let Some(origin) = child(node, "origin") else { return Ok(Pose::IDENTITY) };
    let position = DVec3::from_array(numbers(origin, "xyz")?.unwrap_or_default());
    let [roll, pitch, yaw] = numbers(origin, "rpy")?.unwrap_or_default();
    let turn = |axis: DVec3, angle: f64| {
        DQuat::from_vec4((axis * libm::sin(0.5 * angle)).extend(libm::cos(0.5 * angle)))
    };
    Ok(Pose::new(turn(DVec3::Z, yaw) * turn(DVec3::Y, pitch) * turn(DVec3::X, roll), position))
}

fn inertial(node: Node) -> Checked<Inertial> {
    let origin = origin(node)?;
    let mass = needed_number(needed_child(node, "mass")?, "value")?;
    if mass < 0.0 {
        return wrong(node, format!("a mass is at least 0, not {}", short(mass)));
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

fn color(material: Node) -> Checked<Option<[u8; 3]>> {
    let Some(color) = child(material, "color") else { return Ok(None) };
    let is_opaque = color.attribute("rgba").is_some_and(|text| words(text).count() == 3);
    let rgb = if is_opaque {
        numbers::<3>(color, "rgba")?
    } else {
        numbers::<4>(color, "rgba")?.map(|[r, g, b, _]| [r, g, b])
    };
    Ok(rgb.map(|rgb| rgb.map_each(code)))
}
