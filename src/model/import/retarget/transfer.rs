//! Transfer of the motion. In world space, D = S(t)·S₀⁻¹ is the rotation of a source joint from its
//! rest. The paired target node gets the rotation T(t) = D·A·T₀, where A rotates the target's bone at
//! rest to the direction of the source's bone at rest. So limbs point in the same direction whatever
//! the rest poses are. Each joint's A builds on that of the joint before it, so that bones do not
//! twist.
//!
//! The path of the hips is scaled by the ratio of leg lengths, with heights relative to the ground. Then
//! the figure rises or sinks until the lowest point of its surface along the clip is as high as at rest:
//! the rest pose of the source may be in mid-stride, with both feet off the ground.

use glam::{DMat3, DMat4, DQuat, DVec3};

use super::error::RetargetError;
use super::footing::Footing;
use super::nodes::parts;
use super::pairs::{How, Pair};
use super::roles::{BodySide, Part};
use crate::arrays::MapEach;
use crate::import::clip::{split, world_matrices};
use crate::import::model::{Clip, Interpolation, Model, Note, NoteKind, Track, TrackValues};
use crate::lookup::Lookup;

/// Largest product of the number of times and of the nodes of both models. The limit takes seconds.
const WORK_LIMIT: usize = 1 << 24;
/// Smallest rise of a figure, relative to its size. The feet of most clips are off by less.
const LEAST_RISE: f64 = 4e-3;
/// Length relative to the figure's size below which a bone has no direction.
const SHORT: f64 = 1e-6;

/// Rest pose of one of the two models, at its paired joints.
struct Rest {
    worlds: Vec<DMat4>,
    /// World rotation of each pair's joint.
    rotations: Vec<DQuat>,
    /// Total length of both legs, m; for a figure without legs, the mean distance of paired joints from
    /// the hips.
    size: f64,
    /// Height of the lowest foot, m.
    ground: f64,
    /// Whether the figure stands above the ground at height 0 at rest. Captured skeletons often have
    /// their hips at the origin, and their feet below.
    stands: bool,
}

/// Transfers a clip between paired joints. The first pair must be that of the hips. The returned notes
/// describe assumptions.
pub(super) fn transfer(
    source: &Model,
    clip: &Clip,
    target: &Model,
    pairs: &[Pair],
) -> Result<(Clip, Vec<Note>), RetargetError> {
    let from = Rest::new(source, pairs, |p| p.source)?;
    let onto = Rest::new(target, pairs, |p| p.target)?;
    let turns = alignments(source, target, pairs, &from, &onto);
    let limit = WORK_LIMIT / (source.nodes.len() + target.nodes.len());
    let (times, mut notes) = moments(clip, limit, target);
    let mut turned = Vec::with_capacity(times.len());
    let mut hips = Vec::with_capacity(times.len());
    let mut lowest = f64::INFINITY;
    for &time in &times {
        let worlds = world_matrices(source, Some((clip, f64::from(time))), DMat4::IDENTITY);
        turned.push(wanted(pairs, &worlds, &from, &onto, &turns));
        hips.push(pelvis(pairs, &worlds, |p| p.source));
        lowest = lowest.min(ground(pairs, &worlds, |p| p.source));
    }
    let places = places(&from, &onto, pairs, &hips, lowest);
    if onto.stands && !from.stands {
        let text = "starts where the model stands; where it was captured is left out".to_owned();
        notes.push(Note { kind: NoteKind::Assumed, place: target.source.clone(), text });
    }
    // `lever` leads from the pelvis to the hip joint, and rotates with that joint.
    let lever = onto.place(pairs[0].target) - pelvis(pairs, &onto.worlds, |p| p.target);
    let at_hips =
        |(&place, turned): (&DVec3, &Vec<DQuat>)| place + turned[0] * (onto.rotations[0].conjugate() * lever);
    let places: Vec<DVec3> = places.iter().zip(&turned).map(at_hips).collect();
    let poser = Poser::new(target, pairs, &onto);
    let duration = times.last().map_or(0.0, |&t| f64::from(t));
    let posed = |places: &[DVec3]| {
        let tracks = poser.tracks(&times, &turned, places);
        Clip { name: clip.name.clone(), duration, tracks }
    };
    let moved = posed(&places);
    match onto.stands.then(|| rise(target, pairs, &onto, &moved, &times)).flatten() {
        None => Ok((moved, notes)),
        Some((rise, note)) => {
            notes.push(note);
            let places: Vec<DVec3> = places.iter().map(|&place| place + rise * DVec3::Y).collect();
            Ok((posed(&places), notes))
        }
    }
}

/// Returns the height by which a figure must rise so that the lowest point of its surface along the
/// clip is as high as at rest, m, with a note; `None` if it is as high within `LEAST_RISE`.
fn rise(target: &Model, pairs: &[Pair], onto: &Rest, clip: &Clip, times: &[f32]) -> Option<(f64, Note)> {
    let is_joint = |node: u32| pairs.iter().any(|pair| pair.target == node);
    let footing = Footing::new(target, &is_joint);
    let (ground, (lowest, tested)) = (footing.at_rest()?, footing.along(clip, times)?);
    let rise = ground - lowest;
    if rise.abs() <= LEAST_RISE * onto.size {
        return None;
    }
    let way = if rise < 0.0 { "lowered" } else { "raised" };
    let mut text = format!(
        "is {way} by {:.1} mm, so that its lowest point in {:?} is as high as at rest",
        1e3 * rise.abs(),
        clip.name
    );
    if tested < times.len() {
        text += &format!(" (found at {tested} of {} moments)", times.len());
    }
    let note = Note { kind: NoteKind::Assumed, place: target.source.clone(), text };
    Some((rise, note))
}

impl Rest {
    fn new(model: &Model, pairs: &[Pair], node: fn(&Pair) -> u32) -> Result<Self, RetargetError> {
        let worlds = world_matrices(model, None, DMat4::IDENTITY);
        let flat = |n: u32| RetargetError::Flat {
            model: model.source.clone(),
            name: model.nodes[n as usize].name.clone(),
        };
        let rotation = |p: &Pair| match split(&worlds[node(p) as usize]) {
            Some((pose, _)) => Ok(pose.rotation),
            None => Err(flat(node(p))),
        };
        let rotations = pairs.iter().map(rotation).collect::<Result<_, _>>()?;
        let size = leg_length(pairs, &worlds, node).unwrap_or_else(|| mean_reach(pairs, &worlds, node));
        let ground = ground(pairs, &worlds, node);
        Ok(Self { worlds, rotations, size, ground, stands: ground > -0.25 * size })
    }

    fn place(&self, node: u32) -> DVec3 {
        self.worlds[node as usize].w_axis.truncate()
    }
}

fn leg_length(pairs: &[Pair], worlds: &[DMat4], node: fn(&Pair) -> u32) -> Option<f64> {
    let place = |limb| {
        let pair = pairs.iter().find(|p| p.limb == Some(limb))?;
        Some(worlds[node(pair) as usize].w_axis.truncate())
    };
    let mut sum = 0.0;
    for side in [BodySide::Left, BodySide::Right] {
        let [hip, knee, ankle] = [Part::Thigh, Part::Shin, Part::Foot].map_each(|part| place((side, part)));
        sum += hip?.distance(knee?) + ankle.map_or(0.0, |a| knee.map_or(0.0, |k| k.distance(a)));
    }
    Some(0.5 * sum).filter(|&s| s > 0.0)
}

fn mean_reach(pairs: &[Pair], worlds: &[DMat4], node: fn(&Pair) -> u32) -> f64 {
    let hips = worlds[node(&pairs[0]) as usize].w_axis;
    let sum: f64 = pairs.iter().map(|p| worlds[node(p) as usize].w_axis.distance(hips)).sum();
    sum / pairs.len() as f64
}

/// Returns the center between the upper ends of both legs, which does not depend on where the rig has
/// its hip joint. Without legs, returns the position of the hip joint.
fn pelvis(pairs: &[Pair], worlds: &[DMat4], node: fn(&Pair) -> u32) -> DVec3 {
    let place = |p: &Pair| worlds[node(p) as usize].w_axis.truncate();
    let thigh = |side| pairs.iter().find(|p| p.limb == Some((side, Part::Thigh))).map(place);
    match (thigh(BodySide::Left), thigh(BodySide::Right)) {
        (Some(left), Some(right)) => left.midpoint(right),
        _ => place(&pairs[0]),
    }
}

/// Returns the height of the lowest foot; without feet, of the lowest paired joint.
fn ground(pairs: &[Pair], worlds: &[DMat4], node: fn(&Pair) -> u32) -> f64 {
    let lowest = |feet_only: bool| {
        let of = pairs.iter().filter(|p| !feet_only || p.how == How::Foot);
        of.map(|p| worlds[node(p) as usize].w_axis.y).fold(f64::INFINITY, f64::min)
    };
    let feet = lowest(true);
    if feet.is_finite() { feet } else { lowest(false) }
}

/// Returns the times of all keys, thinned to the spacing of the densest track, and to `limit` times
/// with a note.
fn moments(clip: &Clip, limit: usize, target: &Model) -> (Vec<f32>, Vec<Note>) {
    let gaps = clip.tracks.iter().flat_map(|t| t.times.windows(2).map(|w| w[1] - w[0]));
    let gap = 0.999 * gaps.fold(f32::INFINITY, f32::min);
    let mut all: Vec<f32> = clip.tracks.iter().flat_map(|t| t.times.iter().copied()).collect();
    all.sort_unstable_by(f32::total_cmp);
    let last = all.last().copied().unwrap_or(0.0);
    let mut times: Vec<f32> = Vec::new();
    for time in all {
        if times.last().is_none_or(|&before| time - before >= gap) {
            times.push(time);
        }
    }
    // The end of the clip is always kept, so that a loop keeps its duration.
    if times.len() > 1 {
        times.pop();
    }
    times.push(last);
    times.dedup();
    let limit = limit.max(2);
    if times.len() <= limit {
        return (times, Vec::new());
    }
    let (count, span) = (times.len(), times.len() - 1);
    let thinned = (0..limit).map(|i| times[i * span / (limit - 1)]).collect();
    let text = format!("{:?} has {count} moments, it is followed at {limit} of them", clip.name);
    (thinned, vec![Note { kind: NoteKind::Assumed, place: target.source.clone(), text }])
}

/// Returns per pair the rotation A, which aligns the target's bone at rest with the source's.
fn alignments(source: &Model, target: &Model, pairs: &[Pair], from: &Rest, onto: &Rest) -> Vec<DQuat> {
    let upright = upright(pairs, from, |p| p.source) * upright(pairs, onto, |p| p.target).conjugate();
    let up = upright * DVec3::Y;
    let mut turns = vec![upright; pairs.len()];
    let index: Lookup<u32, usize> = pairs.iter().enumerate().map(|(i, p)| (p.target, i)).collect();
    for i in in_order(target, pairs) {
        let pair = &pairs[i];
        let above = |node: &u32| target.nodes[*node as usize].parent;
        let holder = std::iter::successors(pair.before.or(above(&pair.target)), above);
        let before = holder.filter_map(|n| index.get(&n)).next().map_or(upright, |&b| turns[b]);
        let ends = || {
            let a = bone(source, from, pair.source, pair.next.map(|n| n.0))?;
            Some((bone(target, onto, pair.target, pair.next.map(|n| n.1))?, a))
        };
        turns[i] = match pair.how {
            How::Hips | How::Trunk => upright,
            How::Follow => before,
            How::Limb => ends().map_or(before, |(own, other)| arc(before * own, other) * before),
            How::Foot => {
                let level = |v: DVec3| v - v.dot(up) * up;
                ends().map_or(upright, |(own, other)| arc(level(upright * own), level(other)) * upright)
            }
        };
    }
    turns
}

/// Returns the indices of the pairs, each after those of its ancestors and of the joint before it.
fn in_order(target: &Model, pairs: &[Pair]) -> Vec<usize> {
    let index: Lookup<u32, usize> = pairs.iter().enumerate().map(|(i, p)| (p.target, i)).collect();
    let nodes = with_those_above(target, pairs);
    nodes.into_iter().filter_map(|n| index.get(&n).copied()).collect()
}

/// Returns the paired target nodes and all their ancestors, each after the nodes on which it depends.
fn with_those_above(target: &Model, pairs: &[Pair]) -> Vec<u32> {
    let before: Lookup<u32, u32> = pairs.iter().filter_map(|p| Some((p.target, p.before?))).collect();
    let mut order = Vec::new();
    let mut seen = vec![false; target.nodes.len()];
    for pair in pairs {
        let mut stack = vec![(pair.target, false)];
        while let Some((node, is_done)) = stack.pop() {
            if is_done {
                order.push(node);
            } else if !std::mem::replace(&mut seen[node as usize], true) {
                stack.push((node, true));
                let needs = [target.nodes[node as usize].parent, before.get(&node).copied()];
                stack.extend(needs.into_iter().flatten().map(|n| (n, false)));
            }
        }
    }
    order
}

/// Returns the axes of a figure at rest, as a rotation: x to the figure's left, y up.
fn upright(pairs: &[Pair], rest: &Rest, node: fn(&Pair) -> u32) -> DQuat {
    let place = |part| pairs.iter().find(|p| p.limb == Some(part)).map(|p| rest.place(node(p)));
    let thighs = (place((BodySide::Left, Part::Thigh)), place((BodySide::Right, Part::Thigh)));
    let (Some(left), Some(right)) = thighs else { return DQuat::IDENTITY };
    let hips = rest.place(node(&pairs[0]));
    let top = pairs.iter().rfind(|p| p.how == How::Trunk && p.limb.is_none());
    let rise = top.map_or(DVec3::Y, |p| rest.place(node(p)) - hips);
    // Spines lean differently from rig to rig, so the up direction is snapped to the nearest axis.
    let axis = (0..3).max_by(|&a, &b| rise[a].abs().total_cmp(&rise[b].abs())).unwrap_or(1);
    let up = DVec3::AXES[axis] * rise[axis].signum();
    let across = left - right;
    let across = across - across.dot(up) * up;
    match across.try_normalize() {
        Some(x) if across.length() > SHORT * rest.size => {
            DQuat::from_mat3(&DMat3::from_cols(x, up, x.cross(up))).normalize()
        }
        _ => DQuat::IDENTITY,
    }
}

/// Returns the direction of a joint's bone at rest. It leads to the first joint at another position on
/// the path to `end`; without an `end`, to the mean position of the node's children. `None` if the bone
/// is too short.
fn bone(model: &Model, rest: &Rest, node: u32, end: Option<u32>) -> Option<DVec3> {
    let place = rest.place(node);
    let far = |v: DVec3| v.try_normalize().filter(|_| v.length() > SHORT * rest.size);
    let Some(end) = end else {
        let children = &model.nodes[node as usize].children;
        let sum: DVec3 = children.iter().map(|&c| rest.place(c) - place).sum();
        return far(sum / children.len().max(1) as f64);
    };
    let mut way = vec![end];
    while let Some(&last) = way.last() {
        match model.nodes[last as usize].parent {
            Some(parent) if parent != node => way.push(parent),
            Some(_) => return way.iter().rev().find_map(|&n| far(rest.place(n) - place)),
            None => return far(rest.place(end) - place),
        }
    }
    None
}

/// Returns the shortest rotation that takes one direction to another.
fn arc(from: DVec3, to: DVec3) -> DQuat {
    let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else {
        return DQuat::IDENTITY;
    };
    let cosine = from.dot(to);
    if cosine < -1.0 + 1e-12 {
        let axis = from.any_orthonormal_vector();
        return DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let axis = from.cross(to);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine).normalize()
}

/// Returns the world rotation that each paired target node should have in the present pose of the
/// source.
fn wanted(pairs: &[Pair], worlds: &[DMat4], from: &Rest, onto: &Rest, turns: &[DQuat]) -> Vec<DQuat> {
    let one = |(i, pair): (usize, &Pair)| {
        // If an ancestor has scale zero, the joint counts as at rest.
        let now = split(&worlds[pair.source as usize]).map_or(from.rotations[i], |(pose, _)| pose.rotation);
        (now * from.rotations[i].conjugate() * turns[i] * onto.rotations[i]).normalize()
    };
    pairs.iter().enumerate().map(one).collect()
}

/// Returns the world positions of the target's pelvis, from the source's pelvis positions `hips`.
/// `lowest` is the smallest height of the source's feet in the clip.
fn places(from: &Rest, onto: &Rest, pairs: &[Pair], hips: &[DVec3], lowest: f64) -> Vec<DVec3> {
    let scale = if from.size > 0.0 && onto.size > 0.0 { onto.size / from.size } else { 1.0 };
    let first = hips.first().copied().unwrap_or_default();
    // The path is scaled about `still` at the source, which maps to `own` at the target.
    let (still, own) = match (from.stands, onto.stands) {
        (_, false) => (DVec3::ZERO, DVec3::ZERO),
        (stands, true) => {
            let rest = pelvis(pairs, &onto.worlds, |p| p.target);
            let still = if stands { pelvis(pairs, &from.worlds, |p| p.source) } else { first };
            let ground = if stands { from.ground } else { lowest };
            (still.with_y(ground), rest.with_y(onto.ground))
        }
    };
    hips.iter().map(|&place| own + scale * (place - still)).collect()
}

/// Converter of world rotations and positions to tracks of local transforms.
struct Poser<'a> {
    target: &'a Model,
    pairs: &'a [Pair],
    /// All nodes on which a pair depends, each after those on which it depends itself; with the index
    /// of its pair, if any.
    order: Vec<(u32, Option<usize>)>,
    /// Position in the space of the joint before, for pairs that follow a node other than their parent.
    hooks: Vec<Option<DVec3>>,
}

impl<'a> Poser<'a> {
    fn new(target: &'a Model, pairs: &'a [Pair], rest: &Rest) -> Self {
        let index: Lookup<u32, usize> = pairs.iter().enumerate().map(|(i, p)| (p.target, i)).collect();
        let nodes = with_those_above(target, pairs);
        let hook = |p: &Pair| {
            let inverse = rest.worlds[p.before? as usize].inverse();
            Some(inverse.transform_point3(rest.place(p.target)))
        };
        Self {
            target,
            pairs,
            order: nodes.into_iter().map(|n| (n, index.get(&n).copied())).collect(),
            hooks: pairs.iter().map(hook).collect(),
        }
    }

    /// Returns the tracks of the target's nodes: rotations of all pairs, and translations of the hips
    /// and of joints that follow a node other than their parent.
    fn tracks(&self, times: &[f32], turned: &[Vec<DQuat>], places: &[DVec3]) -> Vec<Track> {
        let mut rotations: Vec<Vec<DQuat>> = vec![Vec::with_capacity(times.len()); self.pairs.len()];
        let mut translations: Vec<Vec<DVec3>> = vec![Vec::new(); self.pairs.len()];
        let mut worlds = vec![DMat4::IDENTITY; self.target.nodes.len()];
        for (turned, &hips) in turned.iter().zip(places) {
            for &(node, pair) in &self.order {
                let own = &self.target.nodes[node as usize];
                let above = own.parent.map_or(DMat4::IDENTITY, |p| worlds[p as usize]);
                let mut local = own.local.matrix();
                if let Some(pair) = pair {
                    let (mut translation, mut rotation, scale) = parts(&own.local);
                    if let Some((pose, _)) = split(&above) {
                        rotation = (pose.rotation.conjugate() * turned[pair]).normalize();
                    }
                    let hook = self.hooks[pair].zip(self.pairs[pair].before);
                    let hook = hook.map(|(point, node)| worlds[node as usize].transform_point3(point));
                    if let Some(place) = hook.or((pair == 0).then_some(hips)) {
                        translation = above.inverse().transform_point3(place);
                        translations[pair].push(translation);
                    }
                    rotations[pair].push(rotation);
                    local = DMat4::from_scale_rotation_translation(scale, rotation, translation);
                }
                worlds[node as usize] = above * local;
            }
        }
        let track = |pair: usize, values| Track {
            node: self.pairs[pair].target,
            times: times.to_vec(),
            values,
            interpolation: Interpolation::Linear,
        };
        let mut tracks = Vec::new();
        for (pair, (rotations, translations)) in rotations.into_iter().zip(translations).enumerate() {
            if !translations.is_empty() {
                tracks.push(track(pair, TrackValues::Translation(translations)));
            }
            tracks.push(track(pair, TrackValues::Rotation(rotations)));
        }
        tracks
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::pairs::pairs;
    use super::*;
    use crate::import::model::LocalTransform;
    use crate::import::{ReadAs, load_model};

    /// Checks at the start and at ten later times that every limb points in the direction of its
    /// source. Returns the number of limbs.
    fn limbs_that_point_alike(source: &Model, target: &Model, figure: &str) -> usize {
        let clip = &source.clips[0];
        let pairs = pairs(source, clip, target, &std::collections::BTreeMap::new()).unwrap();
        let (moved, _) = transfer(source, clip, target, &pairs).unwrap();
        let mut limb_count = 0;
        for step in 0..=10 {
            let time = 0.1 * f64::from(step) * clip.duration;
            let at = |model: &Model, clip, node| {
                let worlds = world_matrices(model, Some((clip, time)), DMat4::IDENTITY);
                let rest = Rest::new(model, &pairs, node).unwrap();
                Rest { worlds, ..rest }
            };
            let (from, onto) = (at(source, clip, |p| p.source), at(target, &moved, |p| p.target));
            for pair in pairs.iter().filter(|p| p.how == How::Limb && p.next.is_some()) {
                let Some((a, b)) = pair.next else { continue };
                let captured = bone(source, &from, pair.source, Some(a)).unwrap();
                let found = bone(target, &onto, pair.target, Some(b)).unwrap();
                let angle = captured.angle_between(found).to_degrees();
                let name = &target.nodes[pair.target as usize].name;
                assert!(angle < 1.0, "{name} of {figure}: {angle}° off {} at {time} s", source.source);
                limb_count += 1;
            }
        }
        limb_count
    }

    /// Tests the walker with its own rest pose as the source, and with every joint of the target's rest
    /// pose bent.
    #[test]
    fn every_limb_points_where_its_sources_does() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/walker.glb");
        let source = load_model(&path, &ReadAs::default()).unwrap();
        let mut target = source.clone();
        for node in &mut target.nodes {
            if let LocalTransform::Parts { rotation, .. } = &mut node.local {
                *rotation *= DQuat::from_rotation_z(0.2);
            }
        }
        assert!(limbs_that_point_alike(&source, &target, "bent walker") >= 11 * 8);
    }

    #[test]
    fn an_arc_turns_one_direction_into_the_other_by_the_shorter_way() {
        let cases =
            [(DVec3::X, DVec3::Y), (DVec3::X, DVec3::NEG_X), (DVec3::ONE, DVec3::new(-1.0, 3.0, 0.2))];
        for (from, to) in cases {
            assert!((arc(from, to) * from.normalize()).distance(to.normalize()) < 1e-12);
        }
        assert_eq!(arc(DVec3::X, DVec3::ZERO), DQuat::IDENTITY);
    }
}
