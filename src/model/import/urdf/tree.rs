//! Tree of the links of a robot. A file whose links do not form one tree is refused.

use std::collections::HashMap;

use super::description::{Description, Joint};
use crate::import::fault::{Checked, fault};
use crate::import::limits::COORDINATE;
use crate::import::lines::{line_place, quoted};

/// Order of the links from the root outward, each after its parent.
pub(super) struct LinkOrder {
    /// Indices of the links; the first is the root.
    pub order: Vec<usize>,
    /// Per link, the index of the joint to its parent, and of the parent; `None` for the root.
    pub above: Vec<Option<(usize, usize)>>,
    /// Per joint, the joint at the end of its chain of leaders, if it follows one that exists.
    pub followed: Vec<Option<Followed>>,
}

/// Rule of a joint in terms of a leader that follows no other: `multiplier` times the leader's
/// coordinate, plus `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Followed {
    /// Index of the leading joint.
    pub joint: usize,
    pub multiplier: f64,
    pub offset: f64,
    /// Number of joints between the follower and the leader.
    pub between: usize,
}

/// Orders the links. Fails unless the joints connect all of them to one tree.
pub(super) fn sort(robot: &Description) -> Checked<LinkOrder> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (at, link) in robot.links.iter().enumerate() {
        if by_name.insert(&link.name, at).is_some() {
            return fault(line_place(link.line), format!("there is another link {}", quoted(&link.name)));
        }
    }
    let mut joints: HashMap<&str, usize> = HashMap::new();
    let mut above = vec![None; robot.links.len()];
    let mut below = vec![Vec::new(); robot.links.len()];
    for (at, joint) in robot.joints.iter().enumerate() {
        if joints.insert(&joint.name, at).is_some() {
            return fault(line_place(joint.line), format!("there is another joint {}", quoted(&joint.name)));
        }
        let link = |name: &str| match by_name.get(name) {
            Some(link) => Ok(*link),
            None => fault(line_place(joint.line), format!("there is no link {}", quoted(name))),
        };
        let (parent, child) = (link(&joint.parent)?, link(&joint.child)?);
        if above[child].replace((at, parent)).is_some() {
            let reason = format!("the link {} hangs on another joint already", quoted(&joint.child));
            return fault(line_place(joint.line), reason);
        }
        below[parent].push(child);
    }
    let bases: Vec<usize> = (0..robot.links.len()).filter(|&link| above[link].is_none()).collect();
    let base = match bases[..] {
        [base] => base,
        [] if robot.links.is_empty() => return fault("the file", "there is no link in it"),
        [] => return fault(line_place(robot.links[0].line), "its links hang on each other in a circle"),
        [first, second, ..] => {
            let [first, second] = [first, second].map(|link| quoted(&robot.links[link].name));
            let reason = format!("nothing holds it, nor {first}: a robot hangs on one link");
            return fault(line_place(robot.links[bases[1]].line), format!("link {second}: {reason}"));
        }
    };
    let mut order = vec![base];
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        order.extend(&below[link]);
        next += 1;
    }
    if let Some(left) = (0..robot.links.len()).find(|link| !order.contains(link)) {
        return fault(line_place(robot.links[left].line), "it hangs on itself, through other links");
    }
    let followed =
        (0..robot.joints.len()).map(|joint| follow(robot, &joints, joint)).collect::<Checked<_>>()?;
    Ok(LinkOrder { followed, order, above })
}

/// Follows the chain of leaders from a joint to a leader that follows no other. Returns `None` if the
/// joint follows none that exists.
fn follow(robot: &Description, by_name: &HashMap<&str, usize>, joint: usize) -> Checked<Option<Followed>> {
    let mut found = Followed { joint, multiplier: 1.0, offset: 0.0, between: 0 };
    let mut seen = 0;
    while let Joint { kind, mimic: Some(mimic), .. } = &robot.joints[found.joint]
        && kind.has_coordinate()
    {
        let Some(&leader) = by_name.get(mimic.joint.as_str()) else { break };
        seen += 1;
        if seen > robot.joints.len() {
            return fault(line_place(robot.joints[joint].line), "it follows itself, through other joints");
        }
        let offset = found.multiplier * mimic.offset + found.offset;
        let multiplier = found.multiplier * mimic.multiplier;
        if multiplier.abs().max(offset.abs()) > COORDINATE {
            let reason = format!("through other joints it follows with numbers beyond {COORDINATE:e}");
            return fault(line_place(robot.joints[joint].line), reason);
        }
        found = Followed { joint: leader, multiplier, offset, between: seen - 1 };
    }
    Ok((seen > 0).then_some(found))
}
