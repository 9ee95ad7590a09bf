//! Ignored elements of a URDF file, at any level: unknown elements, and repeated elements of kinds of
//! which only the first is used. Macros are refused.

use roxmltree::Node;

use super::description::Deviations;
use crate::import::fault::Checked;
use crate::import::xml::{elements, wrong};

/// Element name, and the names of its child elements that are read.
struct Read {
    name: &'static str,
    /// Child names of each of which only the first element is used.
    once: &'static [&'static str],
    /// Child names of all of which together only the first element is used.
    one_of: &'static [&'static str],
    all: &'static [&'static str],
}

const NOTHING: Read = Read { name: "", once: &[], one_of: &[], all: &[] };
const READ: [Read; 8] = [
    Read { name: "robot", all: &["link", "joint", "material"], ..NOTHING },
    Read { name: "link", once: &["inertial"], all: &["visual", "collision"], ..NOTHING },
    Read { name: "inertial", once: &["origin", "mass", "inertia"], ..NOTHING },
    Read { name: "visual", once: &["origin", "geometry", "material"], ..NOTHING },
    Read { name: "collision", once: &["origin", "geometry", "material"], ..NOTHING },
    Read { name: "geometry", one_of: &["box", "sphere", "cylinder", "capsule", "plane", "mesh"], ..NOTHING },
    Read { name: "material", once: &["color"], ..NOTHING },
    Read {
        name: "joint",
        once: &["parent", "child", "origin", "axis", "limit", "dynamics", "mimic"],
        ..NOTHING
    },
];

/// Attributes whose numbers are separated by spaces.
const VECTORS: [&str; 5] = ["xyz", "rpy", "size", "scale", "rgba"];

/// Counts the ignored elements in the whole file. Fails if there is a macro.
pub(super) fn note_unread(root: Node, said: &mut Deviations) -> Checked<()> {
    let own = root.tag_name().namespace();
    let is_macro = |e: &Node| e.tag_name().namespace().is_some_and(|n| Some(n) != own && n.contains("xacro"));
    if let Some(element) = root.descendants().find(is_macro) {
        let name = element.tag_name().name();
        return wrong(element, format!("<xacro:{name}> is a macro: `xacro FILE > robot.urdf` expands it"));
    }
    let mut open = vec![root];
    while let Some(element) = open.pop() {
        let name = element.tag_name().name();
        let read = READ.iter().find(|read| read.name == name).unwrap_or(&NOTHING);
        let mut taken: Vec<&str> = Vec::new();
        for below in elements(element) {
            let name = below.tag_name().name();
            let is_one = read.one_of.contains(&name);
            let is_read = is_one || read.once.contains(&name) || read.all.contains(&name);
            if !is_read || below.tag_name().namespace() != own {
                *said.left_out.entry(format!("<{name}>")).or_default() += 1;
                continue;
            }
            if !read.all.contains(&name) {
                let kind = if is_one { "" } else { name };
                if taken.contains(&kind) {
                    *said.doubled.entry(format!("<{name}>")).or_default() += 1;
                    continue;
                }
                taken.push(kind);
            }
            let vectors = VECTORS.iter().filter_map(|key| below.attribute(*key));
            said.comma_count += vectors.filter(|text| text.contains(',')).count();
            open.push(below);
        }
    }
    Ok(())
}
