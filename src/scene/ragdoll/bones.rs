//! Bones: the links of a figure that move independently. Links are merged into their parents until few
//! are left. A link without a parent, or whose parent does not touch it, is attached to one that it
//! touches.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use glam::DMat4;

use super::super::builder::{Builder, Patch, Soup};
use super::names::{Role, is_minor, roles};
use crate::arrays::MapEach;
use crate::import::NoteKind;
use crate::import::clip::split;
use crate::import::model::Model;
use crate::lookup::Lookup;
use crate::scene::figure::{Figure, Followed};

/// Number of links of a figure to which merging reduces it, if it can.
const MOST: usize = 20;
/// Share of a figure's vertices below which a link is merged.
const LEAST_SHARE: f64 = 0.01;
/// Largest number of names in one note.
const LISTED: usize = 60;

/// Dynamic link, made from one or more joints of the skin.
pub(super) struct Bone {
    pub name: String,
    /// Joint of the bone: origin and axes are those of that node at rest.
    pub place: Followed,
    /// Index of the parent bone.
    pub parent: Option<usize>,
    /// Triangles in body space, with the scale at rest.
    pub soup: Soup,
}

pub(super) struct Skeleton {
    pub bones: Vec<Bone>,
    /// Map from joint (node) to the index of the bone that has its link.
    pub owner: Lookup<u32, u32>,
}

/// Returns the bones of a figure in the order of their nodes. `worlds` are the nodes' matrices at rest.
pub(super) fn bones(builder: &mut Builder, model: &Model, figure: &Figure, worlds: &[DMat4]) -> Skeleton {
    let mut links = Vec::new();
    for (index, link) in figure.links.iter().enumerate() {
        match split(&worlds[link.node as usize]) {
            Some((pose, rest)) => links.push((index, Followed { node: link.node, pose, rest })),
            None => builder.note(NoteKind::Ignored, &link.name, "is scaled to nothing"),
        }
    }
    let name = |slot: usize| figure.links[links[slot].0].name.as_str();
    let slots: Lookup<u32, usize> = links.iter().map(|(_, f)| f.node).zip(0..).collect();
    let sizes: Vec<usize> = links.iter().map(|(i, _)| figure.links[*i].soup.positions.len()).collect();
    let mut parents = parents(model, &slots);
    hang(builder, model, figure, &slots, &sizes, &mut parents);
    let names: Vec<&str> = (0..links.len()).map(name).collect();
    let roles = roles(&names, &parents);
    // A collar bone moves little and is light compared with its arm.
    let kept = merge(&sizes, &parents, |slot| is_minor(names[slot]) || roles[slot] == Role::Clavicle);
    note_merged(builder, &kept, name);

    let mut bones: Vec<Bone> = Vec::new();
    let mut place_of = vec![usize::MAX; links.len()];
    for slot in (0..links.len()).filter(|&s| kept[s] == s) {
        place_of[slot] = bones.len();
        let soup = Soup::default();
        bones.push(Bone { name: name(slot).to_owned(), place: links[slot].1, parent: None, soup });
    }
    for slot in (0..links.len()).filter(|&s| kept[s] == s) {
        bones[place_of[slot]].parent = parents[slot].map(|p| place_of[kept[p]]);
    }
    let mut owner = Vec::new();
    for (slot, (index, place)) in links.iter().enumerate() {
        let bone = place_of[kept[slot]];
        owner.push((place.node, bone as u32));
        let frame = bones[bone].place.pose;
        let back = DMat4::from_rotation_translation(frame.rotation, frame.position).inverse();
        let local = back * worlds[place.node as usize];
        let Soup { positions, triangles, colors, .. } = &figure.links[*index].soup;
        let patch = Patch { positions, triangles, colors };
        // Triangles of the bone's own link are not transformed, so they are not rounded.
        let (linear, offset) = if kept[slot] == slot {
            (place.rest, glam::DVec3::ZERO)
        } else {
            (glam::DMat3::from_mat4(local), local.w_axis.truncate())
        };
        bones[bone].soup.append(&figure.links[*index].name, patch, linear, offset);
    }
    Skeleton { bones, owner: owner.into_iter().collect() }
}

/// Returns the indices of the bones, each after its parent.
pub(super) fn from_roots(bones: &[Bone]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); bones.len()];
    let mut order = Vec::with_capacity(bones.len());
    for (at, bone) in bones.iter().enumerate() {
        match bone.parent {
            Some(parent) => below[parent].push(at),
            None => order.push(at),
        }
    }
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        order.append(&mut below[at]);
        next += 1;
    }
    order
}

/// Returns per link the link of the nearest joint above.
fn parents(model: &Model, slots: &Lookup<u32, usize>) -> Vec<Option<usize>> {
    let above = |node: u32| model.nodes[node as usize].parent;
    let parent =
        |&node: &u32| std::iter::successors(above(node), |&n| above(n)).find_map(|n| slots.get(&n).copied());
    slots.keys().map(parent).collect()
}

/// Attaches loose links to the link with most shared vertices: feet that an animator's rig has at its
/// root, limbs whose common joint has no skin. A link that touches none is attached to the largest, if
/// the file has a node above both.
fn hang(
    builder: &mut Builder,
    model: &Model,
    figure: &Figure,
    slots: &Lookup<u32, usize>,
    sizes: &[usize],
    parents: &mut [Option<usize>],
) {
    let touching = touching(model, figure, slots);
    let mut weight = sizes.to_vec();
    for (slot, size) in sizes.iter().enumerate() {
        for above in std::iter::successors(parents[slot], |&p| parents[p]) {
            weight[above] += size;
        }
    }
    let roots = (0..parents.len()).filter(|&s| parents[s].is_none());
    let Some(main) = roots.max_by_key(|&s| (weight[s], Reverse(s))) else { return };
    let nodes: Vec<u32> = slots.keys().copied().collect();
    let (mut hung, mut apart) = (Vec::new(), 0);
    for slot in (0..parents.len()).filter(|&s| s != main) {
        if parents[slot].is_some_and(|p| touching[slot].contains_key(&(p as u32))) {
            continue;
        }
        let below = |other: usize| std::iter::successors(Some(other), |&o| parents[o]).any(|o| o == slot);
        let others = touching[slot].iter().filter(|(o, _)| !below(**o as usize));
        let most = others.max_by_key(|(o, count)| (**count, Reverse(**o)));
        let found = match (most, parents[slot]) {
            (Some((&other, _)), _) => other as usize,
            (None, Some(_)) => continue,
            (None, None) if top(model, nodes[slot]) == top(model, nodes[main]) && !below(main) => main,
            (None, None) => {
                apart += 1;
                continue;
            }
        };
        parents[slot] = Some(found);
        let name = |s: usize| model.nodes[nodes[s] as usize].name.as_str();
        hung.push(format!("{} on {}", name(slot), name(found)));
    }
    if !hung.is_empty() {
        let text = format!("{} links that hang on nothing they touch are hung: {}", hung.len(), list(&hung));
        builder.note(NoteKind::Repaired, &model.source, text);
    }
    if apart > 0 {
        let text = format!("its skeleton is not connected: it falls in {} pieces", apart + 1);
        builder.note(NoteKind::Assumed, &model.source, text);
    }
}

fn top(model: &Model, node: u32) -> Option<u32> {
    std::iter::successors(Some(node), |&n| model.nodes[n as usize].parent).last()
}

/// Returns per link the links that it touches, each with the number of skin positions that both share.
fn touching(model: &Model, figure: &Figure, slots: &Lookup<u32, usize>) -> Vec<BTreeMap<u32, u32>> {
    // Texture seams split vertices, so positions are compared, not indices.
    let mut meeting: BTreeMap<[u32; 3], BTreeSet<u32>> = BTreeMap::new();
    for skinned in &figure.skins {
        let node = &model.nodes[skinned.node as usize];
        let Some((geometry, skin)) = node.geometry.zip(node.skin) else { continue };
        let (geometry, skin) = (&model.geometries[geometry as usize], &model.skins[skin as usize]);
        for (corners, &owner) in geometry.triangles.iter().zip(&skinned.owners) {
            let Some(&slot) = slots.get(&skin.joints[usize::from(owner)]) else { continue };
            for &v in corners {
                let place = geometry.positions[v as usize].to_array().map_each(f32::to_bits);
                meeting.entry(place).or_default().insert(slot as u32);
            }
        }
    }
    let mut touching = vec![BTreeMap::new(); slots.len()];
    for links in meeting.values() {
        // A position shared by very many links says little about any pair, so only the first `MOST`
        // count.
        for &a in links.iter().take(MOST) {
            for &b in links.iter().take(MOST).filter(|&&b| b != a) {
                *touching[a as usize].entry(b).or_insert(0) += 1;
            }
        }
    }
    touching
}

/// Returns per link the link that it is merged into: first minor links, then the smallest, are merged
/// into their parents.
fn merge(sizes: &[usize], parents: &[Option<usize>], is_minor: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut into: Vec<usize> = (0..sizes.len()).collect();
    let mut sizes = sizes.to_vec();
    let total: usize = sizes.iter().sum();
    // Links that can be merged: minor ones first, then smallest first; among equals the tips first.
    let key = |slot: usize, size: usize| (!is_minor(slot), size, Reverse(slot));
    let loose = (0..sizes.len()).filter(|&s| parents[s].is_some());
    let mut queue: BTreeSet<(bool, usize, Reverse<usize>)> = loose.map(|s| key(s, sizes[s])).collect();
    let mut count = sizes.len();
    while let Some((major, size, Reverse(slot))) = queue.pop_first() {
        if major && count <= MOST && size as f64 >= LEAST_SHARE * total as f64 {
            break;
        }
        let Some(parent) = parents[slot].map(|p| end(&mut into, p)) else { continue };
        into[slot] = parent;
        count -= 1;
        let waits = queue.remove(&key(parent, sizes[parent]));
        sizes[parent] += size;
        if waits {
            queue.insert(key(parent, sizes[parent]));
        }
    }
    (0..sizes.len()).map(|slot| end(&mut into, slot)).collect()
}

fn end(into: &mut [usize], mut slot: usize) -> usize {
    while into[slot] != slot {
        // Path halving keeps later walks short.
        into[slot] = into[into[slot]];
        slot = into[slot];
    }
    slot
}

/// Adds a note of the merged links.
fn note_merged<'a>(builder: &mut Builder, kept: &[usize], name: impl Fn(usize) -> &'a str) {
    let merged: Vec<String> = (0..kept.len())
        .filter(|&s| kept[s] != s)
        .map(|s| format!("{} into {}", name(s), name(kept[s])))
        .collect();
    if let Some(first) = merged.first() {
        let place = first.split(" into ").last().unwrap_or_default();
        let left = kept.len() - merged.len();
        let text = format!(
            "{} of {} links are merged, {left} are left: {}",
            merged.len(),
            kept.len(),
            list(&merged)
        );
        builder.note(NoteKind::Assumed, place, text);
    }
}

fn list(names: &[String]) -> String {
    let more = names.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    names[..names.len() - more].join(", ") + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_and_small_links_are_merged_and_twenty_are_left() {
        // A trunk with two limbs of three links; the last link of the first is a finger.
        let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)];
        let sizes = [500, 100, 100, 100, 100, 3, 100];
        let minor = |slot: usize| slot == 3;
        // The finger is merged whatever its size, and so is link 5 with its three vertices. Link 6 then
        // hangs on link 4.
        assert_eq!(merge(&sizes, &parents, minor), [0, 1, 2, 2, 4, 4, 6]);
        let star: Vec<Option<usize>> = (0..50).map(|s| (s > 0).then_some(0)).collect();
        let kept = merge(&[10; 50], &star, |_| false);
        assert_eq!(kept.iter().enumerate().filter(|(s, k)| s == *k).count(), MOST);
        // Chains of minor links are merged into the remaining link.
        let chain: Vec<Option<usize>> = (0..9_usize).map(|s| s.checked_sub(1)).collect();
        assert_eq!(merge(&[10; 9], &chain, |s| s > 2), [0, 1, 2, 2, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn roots_are_never_merged() {
        assert_eq!(merge(&[1, 1, 1000], &[None, None, None], |_| true), [0, 1, 2]);
        assert_eq!(merge(&[], &[], |_| true), [] as [usize; 0]);
    }
}
