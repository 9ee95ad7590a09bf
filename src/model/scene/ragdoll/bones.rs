//! Bones: the links of a figure that move independently. Small links are merged into their parents
//! until few are left. A link that has no parent, or does not touch its parent, is attached to a link
//! that it touches.

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

/// Number of links per figure down to which links are merged, as far as they have parents.
const MOST: usize = 20;
/// Share of a figure's vertices below which a link is always merged.
const LEAST_SHARE: f64 = 0.01;
/// Largest number of names that one note lists.
const LISTED: usize = 60;

/// Link that moves as a dynamic body, made from one or more joints of the skin.
pub(super) struct Bone {
    pub name: String,
    /// First joint of the bone. Its node at rest defines the origin and the axes of the bone.
    pub place: Followed,
    /// Index of the parent bone.
    pub parent: Option<usize>,
    /// Triangles in body space, with the scale at rest applied.
    pub soup: Soup,
}

pub(super) struct Skeleton {
    pub bones: Vec<Bone>,
    /// Map from joint (node) to the index of the bone that contains its link.
    pub owner: Lookup<u32, u32>,
}

/// Returns the bones of a figure in the order of their nodes. `worlds` are the nodes' world matrices at
/// rest.
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
        // The triangles of the bone's own link are not transformed into another link's space, so they
        // are not rounded.
        let (linear, offset) = if kept[slot] == slot {
            (place.rest, glam::DVec3::ZERO)
        } else {
            (glam::DMat3::from_mat4(local), local.w_axis.truncate())
        };
        bones[bone].soup.append(&figure.links[*index].name, patch, linear, offset);
    }
    Skeleton { bones, owner: owner.into_iter().collect() }
}

/// Returns the indices of the bones in an order that puts each bone after its parent.
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

/// Returns per link the parent link: that of the nearest ancestor joint with a link.
fn parents(model: &Model, slots: &Lookup<u32, usize>) -> Vec<Option<usize>> {
    let above = |node: u32| model.nodes[node as usize].parent;
    let parent =
        |&node: &u32| std::iter::successors(above(node), |&n| above(n)).find_map(|n| slots.get(&n).copied());
    slots.keys().map(parent).collect()
}

/// Attaches loose links, which have no parent or do not touch it, to the link with which they share
/// most vertices. Examples are feet that an animator's rig has at its root, and limbs whose common
/// joint has no skin. A parentless link that touches no link is attached to the root of the largest
/// tree, if the file has a node above both.
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

/// Returns per link the links that it touches, each with the number of vertex positions that the two
/// links share.
fn touching(model: &Model, figure: &Figure, slots: &Lookup<u32, usize>) -> Vec<BTreeMap<u32, u32>> {
    // Positions are compared and not indices, because texture seams split vertices.
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
    let mut touching = vec![BTreeMap::new(); slots.count()];
    for links in meeting.values() {
        // Many links at one position say little about any pair, so only the first `MOST` links count.
        for &a in links.iter().take(MOST) {
            for &b in links.iter().take(MOST).filter(|&&b| b != a) {
                *touching[a as usize].entry(b).or_insert(0) += 1;
            }
        }
    }
    touching
}

/// Returns per link the link that it is merged into, or itself. All minor links are merged into their
/// parents, then the smallest links, until no link is below `LEAST_SHARE` and at most `MOST` are left.
fn merge(sizes: &[usize], parents: &[Option<usize>], is_minor: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut into: Vec<usize> = (0..sizes.len()).collect();
    let mut sizes = sizes.to_vec();
    let total: usize = sizes.iter().sum();
    // Queue of links that can be merged: minor links first, then by size from the smallest; among
    // equals, the later link first.
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
        // Path halving: later lookups take fewer steps.
        into[slot] = into[into[slot]];
        slot = into[slot];
    }
    slot
}

/// Adds a note that lists the merged links.
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
        // Model: a trunk with two limbs of three links; the last link of the first limb is a finger.
        let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)];
        let sizes = [500, 100, 100, 100, 100, 3, 100];
        let minor = |slot: usize| slot == 3;
        // The finger is merged despite its size, and link 5 because it has only three vertices. The
        // parent of link 6 then becomes link 4.
        assert_eq!(merge(&sizes, &parents, minor), [0, 1, 2, 2, 4, 4, 6]);
        let star: Vec<Option<usize>> = (0..50).map(|s| (s > 0).then_some(0)).collect();
        let kept = merge(&[10; 50], &star, |_| false);
        assert_eq!(kept.iter().enumerate().filter(|(s, k)| s == *k).count(), MOST);
        // A chain of minor links is merged into the nearest link that remains.
        let chain: Vec<Option<usize>> = (0..9_usize).map(|s| s.checked_sub(1)).collect();
        assert_eq!(merge(&[10; 9], &chain, |s| s > 2), [0, 1, 2, 2, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn roots_are_never_merged() {
        assert_eq!(merge(&[1, 1, 1000], &[None, None, None], |_| true), [0, 1, 2]);
        assert_eq!(merge(&[], &[], |_| true), [] as [usize; 0]);
    }
}
