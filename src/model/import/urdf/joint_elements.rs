//! Element `<joint>` of a URDF file, converted to a joint of the description.

use glam::DVec3;
use roxmltree::Node;

use super::description::{Joint, JointKind, Mimic};
use super::elements::{Reader, name, origin};
use crate::import::fault::Checked;
use crate::import::lines::quoted;
use crate::import::xml::{child, needed, needed_child, number, numbers, wrong};

impl Reader {
    pub fn joint(&mut self, node: Node) -> Checked<Joint> {
        let name = name(node)?;
        let kind = kind(node)?;
        let limit = child(node, "limit");
        let range = self.range(&name, kind, limit)?;
        let of = |element: Option<Node>, key: &str| element.map_or(Ok(None), |e| number(e, key));
        let [effort, velocity] = [of(limit, "effort")?, of(limit, "velocity")?];
        if kind.has_coordinate() && [effort, velocity].iter().flatten().any(|most| *most <= 0.0) {
            self.said().unlimited.push(name.clone());
        }
        let dynamics = child(node, "dynamics");
        let mimic = child(node, "mimic").map(|mimic| {
            Ok(Mimic {
                joint: needed(mimic, "joint")?.to_owned(),
                multiplier: number(mimic, "multiplier")?.unwrap_or(1.0),
                offset: number(mimic, "offset")?.unwrap_or(0.0),
            })
        });
        Ok(Joint {
            name,
            line: self.line(node),
            kind,
            parent: needed(needed_child(node, "parent")?, "link")?.to_owned(),
            child: needed(needed_child(node, "child")?, "link")?.to_owned(),
            origin: origin(node)?,
            axis: axis(node, kind)?,
            range,
            effort: effort.filter(|e| *e > 0.0),
            velocity: velocity.filter(|v| *v > 0.0),
            friction: of(dynamics, "friction")?.unwrap_or(0.0).max(0.0),
            damping: of(dynamics, "damping")?.unwrap_or(0.0),
            mimic: mimic.transpose()?,
        })
    }

    /// Reads the limits of a joint. Returns `None` if the file specifies neither limit, or if the lower
    /// limit is above the upper one; other programs also take such a joint as unlimited.
    fn range(&mut self, name: &str, kind: JointKind, limit: Option<Node>) -> Checked<Option<[f64; 2]>> {
        let Some(limit) = limit.filter(|_| matches!(kind, JointKind::Revolute | JointKind::Prismatic)) else {
            return Ok(None);
        };
        if ["lower", "upper"].iter().all(|key| limit.attribute(*key).is_none()) {
            return Ok(None);
        }
        let [min, max] = [number(limit, "lower")?.unwrap_or(0.0), number(limit, "upper")?.unwrap_or(0.0)];
        if min > max {
            self.said().crossed.push(name.to_owned());
        }
        Ok((min <= max).then_some([min, max]))
    }
}

fn kind(node: Node) -> Checked<JointKind> {
    Ok(match needed(node, "type")? {
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "fixed" => JointKind::Fixed,
        "floating" => JointKind::Floating,
        "planar" => JointKind::Planar,
        "spherical" => JointKind::Spherical,
        other => return wrong(node, format!("{} is no type of joint", quoted(other))),
    })
}

/// Reads the axis of a joint, normalized; x if the file specifies none.
fn axis(node: Node, kind: JointKind) -> Checked<DVec3> {
    let written = child(node, "axis");
    let axis = written.map(|axis| numbers(axis, "xyz")).transpose()?.flatten().unwrap_or([1.0, 0.0, 0.0]);
    let has_axis = !matches!(kind, JointKind::Fixed | JointKind::Floating | JointKind::Spherical);
    match DVec3::from_array(axis).try_normalize().or((!has_axis).then_some(DVec3::X)) {
        Some(axis) => Ok(axis),
        None => wrong(written.unwrap_or(node), "an axis needs a length"),
    }
}
