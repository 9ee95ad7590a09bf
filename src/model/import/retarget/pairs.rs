//! Pairs of a source joint and the target node that follows it, each with its kind of transfer.

use std::collections::{BTreeMap, BTreeSet};

use super::error::RetargetError;
use super::nodes::unique_names;
use super::roles::{BodySide, Figure, Part, SIDES, is_below, recognise};
use crate::arrays::MapEach;
use crate::import::model::{Clip, Model};
use crate::lookup::Lookup;
use crate::order::Order;

/// Kind of transfer from a source joint to its target node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Rotates with the source, relative to the upright poses of both figures, and carries the
    /// translation of the figure.
    Hips,
    /// Rotates with the source, relative to the upright poses of both figures.
    Trunk,
    /// Points in the direction of the source's bone.
    Limb,
    /// Points in the horizontal direction of the source's bone; the slopes of both feet at rest are
    /// ignored.
    Foot,
    /// Takes over the alignment of the joint before it, and adds the source's rotation.
    Follow,
}

#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub source: u32,
    pub target: u32,
    pub how: How,
    pub limb: Option<(BodySide, Part)>,
    /// Source joint and target node at the far end of the bone.
    pub next: Option<(u32, u32)>,
    /// Joint before this one in the target's limb, if it is not an ancestor in the node tree.
    pub before: Option<u32>,
}

impl Pair {
    fn new(source: u32, target: u32, how: How) -> Self {
        Self { source, target, how, limb: None, next: None, before: None }
    }
}

/// Returns all pairs; the pair of hips is the first.
pub(super) fn pairs(
    source: &Model,
    clip: &Clip,
    target: &Model,
    map: &BTreeMap<String, String>,
) -> Result<Vec<Pair>, RetargetError> {
    let explicit = explicit(source, target, map)?;
    let source_names: Vec<&str> = source.nodes.iter().map(|n| n.name.as_str()).collect();
    let mut target_names: Vec<&str> = target.nodes.iter().map(|n| n.name.as_str()).collect();
    // A node that the map names takes the name of its source joint, and so its role.
    for &(from, onto) in &explicit {
        target_names[onto as usize] = source_names[from as usize];
    }
    let mut pairs = match (recognise(source, &source_names), recognise(target, &target_names)) {
        (Ok(from), Ok(onto)) => by_role(target, &from, &onto),
        (from, onto) => {
            let named = same_names(source, clip, target);
            let moved: BTreeSet<u32> = clip.tracks.iter().map(|t| t.node).collect();
            if explicit.is_empty() && 2 * named.len() <= moved.len() {
                let (model, missing) = match (from, onto) {
                    (Err(missing), _) => (source, missing),
                    (_, Err(missing)) => (target, missing),
                    _ => (target, Vec::new()),
                };
                return Err(RetargetError::Unmatched {
                    model: model.source.clone(),
                    missing: missing.join(", "),
                    from: source.source.clone(),
                    onto: target.source.clone(),
                });
            }
            named.into_iter().map(|(from, onto)| Pair::new(from, onto, How::Limb)).collect()
        }
    };
    for &(from, onto) in &explicit {
        pairs.retain(|p| (p.source != from && p.target != onto) || (p.source, p.target) == (from, onto));
        if !pairs.iter().any(|p| p.target == onto) {
            pairs.push(Pair::new(from, onto, How::Limb));
        }
    }
    add_same_names_below(source, clip, target, &mut pairs);
    find_ends(target, &mut pairs);
    let heights =
        |p: &Pair| std::iter::successors(Some(p.target), |&n| target.nodes[n as usize].parent).count();
    pairs.order_by_key(|p| (p.how != How::Hips, heights(p), p.target));
    if let Some(first) = pairs.first_mut() {
        first.how = How::Hips;
    }
    Ok(pairs)
}

/// Returns the pairs of nodes that the map names.
fn explicit(
    source: &Model,
    target: &Model,
    map: &BTreeMap<String, String>,
) -> Result<Vec<(u32, u32)>, RetargetError> {
    let node = |model: &Model, name: &str| {
        let mut found = (0u32..)
            .zip(&model.nodes)
            .filter(|(_, n)| n.skin.is_none() && n.name == name)
            .map(|(index, _)| index);
        let (model, name) = (model.source.clone(), name.to_owned());
        match (found.next(), found.next()) {
            (Some(node), None) => Ok(node),
            (None, _) => Err(RetargetError::NoNode { model, name }),
            _ => Err(RetargetError::Ambiguous { model, name }),
        }
    };
    let mut taken = BTreeSet::new();
    let mut pairs = Vec::new();
    for (from, onto) in map {
        let pair = (node(source, from)?, node(target, onto)?);
        if !taken.insert(pair.1) {
            return Err(RetargetError::Twice { name: onto.clone() });
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

/// Pairs joints that the clip moves with target nodes of the same names.
fn same_names(source: &Model, clip: &Clip, target: &Model) -> Vec<(u32, u32)> {
    let (from, onto) = (unique_names(source), unique_names(target));
    let moved: BTreeSet<u32> = clip.tracks.iter().map(|t| t.node).collect();
    let known = from.iter().filter(|(_, node)| moved.contains(node));
    known.filter_map(|(name, node)| Some((*node, *onto.get(name)?))).collect()
}

/// Adds pairs of equal names (fingers, tails and others) below joints that are already paired.
fn add_same_names_below(source: &Model, clip: &Clip, target: &Model, pairs: &mut Vec<Pair>) {
    let joints: Lookup<u32, u32> = pairs.iter().map(|p| (p.source, p.target)).collect();
    let taken: BTreeSet<u32> = pairs.iter().map(|p| p.target).collect();
    let holder = |model: &Model, node: u32, known: &dyn Fn(u32) -> bool| {
        std::iter::successors(model.nodes[node as usize].parent, |&n| model.nodes[n as usize].parent)
            .find(|&n| known(n))
    };
    for (from, onto) in same_names(source, clip, target) {
        if joints.get(&from).is_some() || taken.contains(&onto) {
            continue;
        }
        let above = holder(source, from, &|n| joints.get(&n).is_some());
        let below = holder(target, onto, &|n| taken.contains(&n));
        if above.is_some_and(|a| joints.get(&a).copied() == below) {
            pairs.push(Pair::new(from, onto, How::Limb));
        }
    }
}

/// Sets the far ends of bones. A bone with exactly one paired joint below it ends there; other bones
/// without an end only follow.
fn find_ends(target: &Model, pairs: &mut [Pair]) {
    let source_of: Lookup<u32, u32> = pairs.iter().map(|p| (p.target, p.source)).collect();
    let mut below: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for pair in pairs.iter() {
        let mut above = target.nodes[pair.target as usize].parent;
        while let Some(node) = above {
            if source_of.get(&node).is_some() {
                below.entry(node).or_default().push((pair.source, pair.target));
                break;
            }
            above = target.nodes[node as usize].parent;
        }
    }
    for pair in pairs.iter_mut().filter(|p| p.how == How::Limb && p.limb.is_none()) {
        match below.get(&pair.target).map(Vec::as_slice) {
            Some(&[end]) => pair.next = Some(end),
            _ => pair.how = How::Follow,
        }
    }
}

/// Pairs the joints of two human figures by their roles in the body.
fn by_role(target: &Model, from: &Figure, onto: &Figure) -> Vec<Pair> {
    let mut pairs = vec![Pair::new(from.hips, onto.hips, How::Hips)];
    let trunk = [spread(&from.spine, &onto.spine), spread(&from.neck, &onto.neck)].concat();
    let head = from.head.zip(onto.head);
    pairs.extend(trunk.into_iter().chain(head).map(|(from, onto)| Pair::new(from, onto, How::Trunk)));
    let chains = [
        &[Part::Clavicle][..],
        &[Part::UpperArm, Part::Forearm, Part::Hand],
        &[Part::Thigh, Part::Shin, Part::Foot, Part::Toes],
    ];
    for (side, chain) in SIDES.iter().flat_map(|s| chains.map_each(|c| (*s, c))) {
        let mut before: Option<usize> = None;
        for &part in chain {
            let limb = (side, part);
            let (Some(&source), Some(&node)) = (from.limbs.get(&limb), onto.limbs.get(&limb)) else {
                continue;
            };
            let how = match part {
                Part::Clavicle => How::Trunk,
                Part::UpperArm | Part::Forearm | Part::Thigh | Part::Shin => How::Limb,
                Part::Foot => How::Foot,
                Part::Hand | Part::Toes => How::Follow,
            };
            let mut pair = Pair { limb: Some(limb), ..Pair::new(source, node, how) };
            if let Some(before) = before {
                pairs[before].next = Some((source, node));
                pair.before = Some(pairs[before].target).filter(|&b| !is_below(target, node, b));
            }
            before = Some(pairs.len());
            pairs.push(pair);
        }
    }
    pairs
}

/// Pairs two chains of joints of different lengths: ends with ends, the joints between evenly. If one
/// chain has a single joint, it is paired with the last joint of the other.
fn spread(from: &[u32], onto: &[u32]) -> Vec<(u32, u32)> {
    let count = from.len().min(onto.len());
    let at = |chain: &[u32], i: usize| match count {
        1 => chain[chain.len() - 1],
        _ => chain[(2 * i * (chain.len() - 1) + count - 1) / (2 * (count - 1))],
    };
    (0..count).map(|i| (at(from, i), at(onto, i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_unlike_length_share_their_ends() {
        assert_eq!(spread(&[1, 2, 3], &[7, 8, 9]), [(1, 7), (2, 8), (3, 9)]);
        assert_eq!(spread(&[1, 2, 3, 4], &[7, 8]), [(1, 7), (4, 8)]);
        assert_eq!(spread(&[1, 2], &[7, 8, 9]), [(1, 7), (2, 9)]);
        assert_eq!(spread(&[1, 2, 3], &[7]), [(3, 7)]);
        assert_eq!(spread(&[], &[7]), []);
    }
}
