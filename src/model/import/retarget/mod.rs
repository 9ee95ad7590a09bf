//! Transfer of a clip from one skeleton to another. Joints are matched by an explicit map, by the
//! common names of human joints, or by equal names. Then each limb of the target points in the
//! direction of the source's limb.
//!
//! - `error.rs`: errors of transferring a clip.
//! - `footing.rs`: the lowest point of a figure, at rest and along a clip.
//! - `nodes.rs`: nodes by name, and the parts of their transforms.
//! - `pairs.rs`: pairs of a source joint and the target node that follows it.
//! - `roles.rs`: recognition of the joints of a human figure.
//! - `transfer.rs`: the motion itself, from the source's joints to the target's.

mod error;
mod footing;
mod nodes;
mod pairs;
mod roles;
mod transfer;

use std::collections::BTreeMap;

use super::model::{Clip, LocalTransform, Model, Note, NoteKind, Track};

use crate::lookup::Lookup;
use crate::order::Order;
pub use error::RetargetError;
use nodes::{parts, unique_names};
use pairs::pairs;
use transfer::transfer;

/// Largest number of names that a message lists.
const NAME_LIMIT: usize = 12;
/// Tolerance for two nodes' rest transforms to count as equal: distance of their translations relative
/// to the length, and of their rotations as unit quaternions.
const REST_TOLERANCE: f64 = 1e-3;

/// Transfers `clip` of `source` to the nodes of `target`. `map` assigns joints of the source to nodes
/// of the target whose names do not match. The returned notes describe omissions and assumptions.
///
/// # Errors
/// Fails if the joints of a model are not recognized and the map does not assign them, or if the map
/// names missing nodes.
pub fn retarget(
    source: &Model,
    clip: &Clip,
    target: &Model,
    map: &BTreeMap<String, String>,
) -> Result<(Clip, Vec<Note>), RetargetError> {
    let same = if map.is_empty() { taken_over(source, clip, target) } else { None };
    let (result, driven, mut notes) = match same {
        Some((clip, driven)) => (clip, driven, Vec::new()),
        None => {
            let pairs = pairs(source, clip, target, map)?;
            let driven = pairs.iter().map(|p| (p.source, p.target)).collect();
            let (clip, notes) = transfer(source, clip, target, &pairs)?;
            (clip, driven, notes)
        }
    };
    notes.insert(0, what_was_matched(source, clip, target, &driven));
    Ok((result, notes))
}

/// Pairs of source and target nodes.
type Driven = Vec<(u32, u32)>;

/// Returns the tracks unchanged if more than half of the nodes that the clip moves have a node of equal
/// name in the target, and all these have equal rest transforms and equal names of their parents.
/// Otherwise returns `None`.
fn taken_over(source: &Model, clip: &Clip, target: &Model) -> Option<(Clip, Driven)> {
    let names = unique_names(target);
    let mut moved: Vec<u32> = clip.tracks.iter().map(|t| t.node).collect();
    moved.order();
    moved.dedup();
    let found = |node: u32| Some((node, *names.get(&source.nodes[node as usize].name.as_str())?));
    let driven: Driven = moved.iter().filter_map(|&node| found(node)).collect();
    if 2 * driven.len() <= moved.len() {
        return None;
    }
    let same_rest = |a: &LocalTransform, b: &LocalTransform| {
        let (a, b) = (parts(a), parts(b));
        let size = a.0.length().max(b.0.length());
        a.0.distance(b.0) <= REST_TOLERANCE * size
            && a.1.dot(b.1).abs() >= 1.0 - REST_TOLERANCE * REST_TOLERANCE
            && a.2.abs_diff_eq(b.2, REST_TOLERANCE)
    };
    let parent_name = |model: &Model, node: u32| {
        model.nodes[node as usize].parent.map(|p| model.nodes[p as usize].name.clone())
    };
    let (node_of, agree) = (Lookup::from_iter(driven.iter().copied()), |&(a, b): &(u32, u32)| {
        let (own, other) = (&source.nodes[a as usize], &target.nodes[b as usize]);
        same_rest(&own.local, &other.local) && parent_name(source, a) == parent_name(target, b)
    });
    if !driven.iter().all(agree) {
        return None;
    }
    let tracks = clip.tracks.iter().filter_map(|track| {
        let node = *node_of.get(&track.node)?;
        Some(Track { node, ..track.clone() })
    });
    Some((Clip { tracks: tracks.collect(), ..clip.clone() }, driven))
}

fn what_was_matched(source: &Model, clip: &Clip, target: &Model, driven: &Driven) -> Note {
    let mut left_out: Vec<u32> = clip.tracks.iter().map(|t| t.node).collect();
    left_out.order();
    left_out.dedup();
    left_out.retain(|n| driven.iter().all(|d| d.0 != *n));
    let mut text = format!("{} of its joints follow {:?} of {}", driven.len(), clip.name, source.source);
    if !left_out.is_empty() {
        let names = left_out.iter().map(|&n| source.nodes[n as usize].name.as_str());
        text += &format!("; nothing follows {}", list(names));
    }
    Note { kind: NoteKind::Assumed, place: target.source.clone(), text }
}

/// Joins the first names by commas, and adds the number of further names.
fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(NAME_LIMIT);
    let mut text = names.take(NAME_LIMIT).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}
