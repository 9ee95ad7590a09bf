//! Which link hangs on which: one tree, or the file is refused.

use std::collections::HashMap;

use super::elements::Description;
use crate::import::fault::{Checked, fault};
use crate::import::lines::quoted;

/// Links from the base outward, each after its parent.
pub(super) struct LinkOrder {
    /// Indices of links; the first is the base.
    pub order: Vec<usize>,
    /// For each link the joint above it and the parent link.
    pub above: Vec<Option<(usize, usize)>>,
    /// For each joint the joint it follows.
    pub followed: Vec<Option<usize>>,
}

pub(super) fn sort(robot: &Description) -> Checked<LinkOrder> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (at, link) in robot.links.iter().enumerate() {
        if by_name.insert(&link.name, at).is_some() {
            return fault(&link.place, format!("there is another link {}", quoted(&link.name)));
        }
    }
    let mut joints: HashMap<&str, usize> = HashMap::new();
    let mut above = vec![None; robot.links.len()];
    let mut below = vec![Vec::new(); robot.links.len()];
    for (at, joint) in robot.joints.iter().enumerate() {
        if joints.insert(&joint.name, at).is_some() {
            return fault(&joint.place, format!("there is another joint {}", quoted(&joint.name)));
        }
        let link = |name: &str| match by_name.get(name) {
            Some(link) => Ok(*link),
            None => fault(&joint.place, format!("there is no link {}", quoted(name))),
        };
        let (parent, child) = (link(&joint.parent)?, link(&joint.child)?);
        if above[child].replace((at, parent)).is_some() {
            let reason = format!("the link {} hangs on another joint already", quoted(&joint.child));
            return fault(&joint.place, reason);
        }
        below[parent].push(child);
    }
    let bases: Vec<usize> = (0..robot.links.len()).filter(|&link| above[link].is_none()).collect();
    let base = match bases[..] {
        [base] => base,
        [] if robot.links.is_empty() => return fault("the file", "there is no link in it"),
        [] => return fault(&robot.links[0].place, "its links hang on each other in a circle"),
        [first, second, ..] => {
            let [first, second] = [first, second].map(|link| quoted(&robot.links[link].name));
            let reason = format!("nothing holds it, nor {first}: a robot hangs on one link");
            return fault(&robot.links[bases[1]].place, format!("link {second}: {reason}"));
        }
    };
    let mut order = vec![base];
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        order.extend(&below[link]);
        next += 1;
    }
    if let Some(left) = (0..robot.links.len()).find(|link| !order.contains(link)) {
        return fault(&robot.links[left].place, "it hangs on itself, through other links");
    }
    let followed = robot.joints.iter().map(|joint| {
        let Some(mimic) = &joint.mimic else { return Ok(None) };
        match joints.get(mimic.joint.as_str()) {
            Some(&other) if robot.joints[other].mimic.is_none() => Ok(Some(other)),
            Some(_) => fault(&joint.place, "it follows a joint that follows another"),
            None => fault(&joint.place, format!("there is no joint {} to follow", quoted(&mimic.joint))),
        }
    });
    Ok(LinkOrder { followed: followed.collect::<Checked<_>>()?, order, above })
}
