//! Positions of a figure's joints along a clip, and claims about retargeted clips.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use tumble::import::model::{Clip, LocalTransform, Model, TrackValues};
use tumble::import::retarget;

/// Returns the world matrices of all nodes at a key of a clip whose tracks have the same keys, or at
/// rest without a clip.
pub fn worlds(model: &Model, at: Option<(&Clip, usize)>) -> Vec<DMat4> {
    let mut locals: Vec<LocalTransform> = model.nodes.iter().map(|n| n.local).collect();
    if let Some((clip, key)) = at {
        for track in &clip.tracks {
            if let LocalTransform::Parts { translation, rotation, scale } = &mut locals[track.node as usize] {
                match &track.values {
                    TrackValues::Translation(v) => *translation = v[key.min(v.len() - 1)],
                    TrackValues::Rotation(v) => *rotation = v[key.min(v.len() - 1)].normalize(),
                    TrackValues::Scale(v) => *scale = v[key.min(v.len() - 1)],
                }
            }
        }
    }
    let mut worlds = vec![DMat4::IDENTITY; model.nodes.len()];
    let mut stack: Vec<(u32, DMat4)> = model.roots.iter().map(|&r| (r, DMat4::IDENTITY)).collect();
    while let Some((node, above)) = stack.pop() {
        let world = above * locals[node as usize].matrix();
        worlds[node as usize] = world;
        stack.extend(model.nodes[node as usize].children.iter().map(|&c| (c, world)));
    }
    worlds
}

pub fn node(model: &Model, name: &str) -> usize {
    model.nodes.iter().position(|n| n.name == name).unwrap_or_else(|| panic!("{name} in {}", model.source))
}

pub fn places(model: &Model, at: Option<(&Clip, usize)>) -> Vec<DVec3> {
    worlds(model, at).iter().map(|w| w.w_axis.truncate()).collect()
}

pub fn key_count(clip: &Clip) -> usize {
    clip.tracks.iter().map(|t| t.times.len()).max().unwrap()
}

/// Asserts that the positions of all nodes at a key agree to `tolerance`.
pub fn assert_same_motion(model: &Model, a: &Clip, b: &Clip, keys: usize, tolerance: f64) {
    for key in 0..keys {
        let (x, y) = (places(model, Some((a, key))), places(model, Some((b, key))));
        for n in 0..x.len() {
            assert!(
                x[n].distance(y[n]) < tolerance,
                "{} at key {key}: {} {}",
                model.nodes[n].name,
                x[n],
                y[n]
            );
        }
    }
}

/// Asserts that a clip retargeted to its own skeleton is unchanged: by names, and by a map, which goes
/// through world space.
pub fn assert_itself_on_its_own_skeleton(model: &Model) {
    let clip = &model.clips[0];
    let (same, _) = retarget(model, clip, model, &BTreeMap::new()).unwrap();
    assert_same_motion(model, clip, &same, key_count(clip), 1e-12);
    let first = model.nodes[clip.tracks[0].node as usize].name.clone();
    let (again, _) = retarget(model, clip, model, &BTreeMap::from([(first.clone(), first)])).unwrap();
    assert!(again.tracks.len() > clip.tracks.len() / 2);
    assert_same_motion(model, clip, &again, key_count(clip).min(60), 1e-9);
}

/// Asserts that mirroring commutes with retargeting. The mirror exchanges left and right and negates x;
/// the target is its own mirror image.
pub fn assert_mirrored(source: &Model, target: &Model) {
    let swap = |name: &str, a: &str, b: &str| name.replace(a, "\0").replace(b, a).replace('\0', b);
    let mut mirrored = source.clone();
    for node in &mut mirrored.nodes {
        if node.name.contains("eft") || node.name.contains("ight") {
            node.name = swap(&node.name, "Left", "Right");
        }
        if let LocalTransform::Parts { translation, .. } = &mut node.local {
            translation.x = -translation.x;
        }
    }
    for track in &mut mirrored.clips[0].tracks {
        match &mut track.values {
            TrackValues::Rotation(v) => {
                v.iter_mut().for_each(|q| *q = DQuat::from_xyzw(q.x, -q.y, -q.z, q.w));
            }
            TrackValues::Translation(v) | TrackValues::Scale(v) => v.iter_mut().for_each(|v| v.x = -v.x),
        }
    }
    let (clip, _) = retarget(source, &source.clips[0], target, &BTreeMap::new()).unwrap();
    let (twin, _) = retarget(&mirrored, &mirrored.clips[0], target, &BTreeMap::new()).unwrap();
    for key in 0..key_count(&clip) {
        let (a, b) = (places(target, Some((&clip, key))), places(target, Some((&twin, key))));
        for (n, joint) in target.nodes.iter().enumerate() {
            let place = b[node(target, &swap(&joint.name, "left", "right"))];
            let far = a[n].distance(place * DVec3::new(-1.0, 1.0, 1.0));
            assert!(far < 1e-6, "{}: {far} m at key {key}", joint.name);
        }
    }
}

/// Returns the height of the lowest vertex of a model's skins at a key of a clip, or at rest without a
/// clip, m.
pub fn lowest_vertex(model: &Model, at: Option<(&Clip, usize)>) -> f64 {
    let worlds = worlds(model, at);
    let mut lowest = f64::INFINITY;
    for node in model.nodes.iter().filter(|node| node.in_scene) {
        let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { continue };
        let (skin, geometry) = (&model.skins[skin as usize], &model.geometries[geometry as usize]);
        let moved: Vec<DMat4> = skin
            .joints
            .iter()
            .zip(&skin.inverse_bind)
            .map(|(&joint, bind)| worlds[joint as usize] * *bind)
            .collect();
        for (position, influence) in geometry.positions.iter().zip(&geometry.influences) {
            let height = |(&joint, &weight): (&u16, &f32)| {
                f64::from(weight) * moved[usize::from(joint)].transform_point3(position.as_dvec3()).y
            };
            let blend = influence.joints.iter().zip(&influence.weights).filter(|(_, weight)| **weight > 0.0);
            lowest = lowest.min(blend.map(height).sum());
        }
    }
    lowest
}

/// Returns the height of the lowest point of a figure's skin along a clip above that at rest, m.
pub fn height_above_rest(model: &Model, clip: &Clip) -> f64 {
    let along = (0..key_count(clip)).map(|key| lowest_vertex(model, Some((clip, key))));
    along.fold(f64::INFINITY, f64::min) - lowest_vertex(model, None)
}

/// Asserts that the lowest point of a figure's skin along a clip is as high as at rest, within 5 mm.
pub fn assert_stands_as_at_rest(model: &Model, clip: &Clip, name: &str) {
    let height = height_above_rest(model, clip);
    assert!(height.abs() < 5e-3, "{name}: the lowest point along the clip is {height} m above that at rest");
}

/// Joints of a captured figure and of another at both ends of the bones of the limbs.
pub type Limb<'a> = [&'a str; 4];

/// Joint names of Carnegie Mellon University, and those of the walker.
pub const ASF_ON_WALKER: [Limb; 8] = [
    ["lfemur", "ltibia", "left_upper_leg", "left_lower_leg"],
    ["ltibia", "lfoot", "left_lower_leg", "left_foot"],
    ["rfemur", "rtibia", "right_upper_leg", "right_lower_leg"],
    ["rtibia", "rfoot", "right_lower_leg", "right_foot"],
    ["lhumerus", "lradius", "left_upper_arm", "left_forearm"],
    ["lradius", "lwrist", "left_forearm", "left_hand"],
    ["rhumerus", "rradius", "right_upper_arm", "right_forearm"],
    ["rradius", "rwrist", "right_forearm", "right_hand"],
];

/// Asserts that at every key each limb of the target points in the direction of the source's, to
/// `tolerance` degrees.
pub fn assert_limbs_point_alike(
    [(source, captured), (target, carried)]: [(&Model, &Clip); 2],
    limbs: &[Limb],
    tolerance: f64,
) {
    assert_eq!(key_count(carried), key_count(captured));
    for key in 0..key_count(carried) {
        let (a, b) = (places(source, Some((captured, key))), places(target, Some((carried, key))));
        for [from, to, own, end] in limbs {
            let captured = a[node(source, to)] - a[node(source, from)];
            let found = b[node(target, end)] - b[node(target, own)];
            let angle = captured.angle_between(found).to_degrees();
            assert!(angle < tolerance, "{own} of {}: {angle}° at key {key}", target.source);
        }
    }
}
