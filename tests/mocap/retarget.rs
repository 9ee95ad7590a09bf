//! Clips carried over to other skeletons, by the library and from scene files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use glam::{DQuat, DVec3};
use tumble::scene::model::{Clip, LocalTransform, Model, TrackValues};
use tumble::scene::{load_model, load_scene, retarget};

use super::{BVH, key_count, node, places, shared, walker, write};

fn no_map() -> BTreeMap<String, String> {
    BTreeMap::new()
}

/// Positions of all nodes at a key agree to `tolerance`.
fn assert_same_motion(model: &Model, a: &Clip, b: &Clip, keys: usize, tolerance: f64) {
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

/// Names that agree are taken over; with a map, the way over world space must come to the same.
#[test]
fn a_clip_on_its_own_skeleton_is_itself() {
    let walker = walker();
    let mut cases = vec![walker];
    for file in ["mocap/test_freebvh.bvh", "mocap/cmu_asfamc/02/02_03.amc"] {
        cases.extend(shared(file).map(|path| load_model(&path).unwrap()));
    }
    for model in cases {
        let clip = &model.clips[0];
        let (same, _) = retarget(&model, clip, &model, &no_map()).unwrap();
        assert_same_motion(&model, clip, &same, key_count(clip), 1e-12);
        let first = model.nodes[clip.tracks[0].node as usize].name.clone();
        let (again, _) = retarget(&model, clip, &model, &BTreeMap::from([(first.clone(), first)])).unwrap();
        assert!(again.tracks.len() > clip.tracks.len() / 2);
        assert_same_motion(&model, clip, &again, key_count(clip).min(60), 1e-9);
    }
}

#[test]
fn a_still_rest_pose_stays_as_it_is() {
    let model = walker();
    let mut still = model.clips[0].clone();
    still.tracks.retain(|t| matches!(t.values, TrackValues::Rotation(_)));
    for track in &mut still.tracks {
        let LocalTransform::Parts { rotation, .. } = model.nodes[track.node as usize].local else { continue };
        track.values = TrackValues::Rotation(vec![rotation; track.times.len()]);
    }
    let map = BTreeMap::from([("hips".to_owned(), "hips".to_owned())]);
    let (clip, _) = retarget(&model, &still, &model, &map).unwrap();
    let rest = places(&model, None);
    for (a, b) in places(&model, Some((&clip, 1))).iter().zip(&rest) {
        assert!(a.distance(*b) < 1e-12);
    }
}

/// Left and right exchanged and x turned round, before or after: the walker is its own mirror image.
#[test]
fn a_mirrored_motion_gives_the_mirrored_figure() {
    let Some(path) = shared("mocap/test_freebvh.bvh") else { return };
    let (source, target) = (load_model(&path).unwrap(), walker());
    let other_side = |name: &str| {
        let swap = |a: &str, b: &str| name.replace(a, "\0").replace(b, a).replace('\0', b);
        if name.contains("eft") || name.contains("ight") { swap("Left", "Right") } else { name.to_owned() }
    };
    let mut mirrored = source.clone();
    for node in &mut mirrored.nodes {
        node.name = other_side(&node.name);
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
    let (clip, _) = retarget(&source, &source.clips[0], &target, &no_map()).unwrap();
    let (twin, _) = retarget(&mirrored, &mirrored.clips[0], &target, &no_map()).unwrap();
    let swapped = |name: &str| {
        let swap = |a: &str, b: &str| name.replace(a, "\0").replace(b, a).replace('\0', b);
        swap("left", "right")
    };
    for key in 0..key_count(&clip) {
        let (a, b) = (places(&target, Some((&clip, key))), places(&target, Some((&twin, key))));
        for (n, joint) in target.nodes.iter().enumerate() {
            let place = b[node(&target, &swapped(&joint.name))];
            let far = a[n].distance(place * DVec3::new(-1.0, 1.0, 1.0));
            assert!(far < 1e-6, "{}: {far} m at key {key}", joint.name);
        }
    }
}

/// Source and target joints at both ends of each limb's bones.
const ASF_ON_WALKER: [[&str; 4]; 8] = [
    ["lfemur", "ltibia", "left_upper_leg", "left_lower_leg"],
    ["ltibia", "lfoot", "left_lower_leg", "left_foot"],
    ["rfemur", "rtibia", "right_upper_leg", "right_lower_leg"],
    ["rtibia", "rfoot", "right_lower_leg", "right_foot"],
    ["lhumerus", "lradius", "left_upper_arm", "left_forearm"],
    ["lradius", "lwrist", "left_forearm", "left_hand"],
    ["rhumerus", "rradius", "right_upper_arm", "right_forearm"],
    ["rradius", "rwrist", "right_forearm", "right_hand"],
];

/// From a T-pose to an A-pose and between skeletons of unlike size.
#[test]
fn limbs_point_where_the_captured_ones_do_and_feet_stay_on_the_ground() {
    let Some(path) = shared("mocap/cmu_asfamc/02/02_01.amc") else { return };
    let (source, target) = (load_model(&path).unwrap(), walker());
    let (clip, notes) = retarget(&source, &source.clips[0], &target, &no_map()).unwrap();
    assert!(notes.iter().any(|n| n.text.contains("nothing follows") && n.text.contains("lfingers")));
    assert_eq!(key_count(&clip), key_count(&source.clips[0]));
    let mut lowest = f64::INFINITY;
    for key in 0..key_count(&clip) {
        let (a, b) = (places(&source, Some((&source.clips[0], key))), places(&target, Some((&clip, key))));
        for [from, to, own, end] in ASF_ON_WALKER {
            let captured = a[node(&source, to)] - a[node(&source, from)];
            let found = b[node(&target, end)] - b[node(&target, own)];
            let angle = captured.angle_between(found).to_degrees();
            assert!(angle < 0.01, "{own}: {angle}° at key {key}");
        }
        lowest = lowest.min(b[node(&target, "left_foot")].y.min(b[node(&target, "right_foot")].y));
    }
    let rest = places(&target, None)[node(&target, "left_foot")].y;
    assert!(
        (lowest - rest).abs() < 0.02,
        "the lower foot comes down to {lowest} m, at rest it is at {rest} m"
    );
}

#[test]
fn an_unknown_skeleton_needs_a_map_and_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let source = load_model(&write(folder.path(), "small.bvh", BVH)).unwrap();
    let target = walker();
    let error = retarget(&source, &source.clips[0], &target, &no_map()).unwrap_err().to_string();
    assert!(error.contains("small.bvh") && error.contains("upper leg") && error.contains("map ="), "{error}");
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let map = BTreeMap::from([pair("hips", "left_upper_leg"), pair("knee", "left_lower_leg")]);
    let (clip, _) = retarget(&source, &source.clips[0], &target, &map).unwrap();
    assert_eq!(clip.tracks.len(), 3);
    let now = places(&target, Some((&clip, 1)));
    let bone = now[node(&target, "left_lower_leg")] - now[node(&target, "left_upper_leg")];
    assert!(bone.is_finite());
    for (map, reason) in [
        (BTreeMap::from([pair("toe", "hips")]), "no node \"toe\" in small.bvh"),
        (BTreeMap::from([pair("hips", "tail")]), "no node \"tail\" in walker.glb"),
        (BTreeMap::from([pair("hips", "hips"), pair("knee", "hips")]), "would follow two joints"),
    ] {
        let error = retarget(&source, &source.clips[0], &target, &map).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_scene_file_plays_another_files_motion() {
    let Some(path) = shared("mocap/cmu_asfamc/02") else { return };
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    for file in ["02.asf", "02_01.amc"] {
        fs::copy(path.join(file), folder.join(file)).unwrap();
    }
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/walker.glb"), folder.join("walker.glb"))
        .unwrap();
    let scene = |animation: &str| {
        let text = format!("[[model]]\nfile = \"walker.glb\"\nanimation = {{ {animation} }}\n");
        load_scene(write(folder, "scene.toml", &text).to_str().unwrap(), None)
    };
    for animation in ["file = \"02_01.amc\"", "file = \"02_01.amc\", skeleton = \"02.asf\", clip = \"02_01\""]
    {
        let scene = scene(animation).unwrap();
        let motion = &scene.skeletons[0].motion;
        assert!(
            (motion.poses.len() as f64 / f64::from(motion.width) / motion.rate - 342.0 / 120.0).abs() < 0.1
        );
        assert!(scene.notes.iter().any(|n| n.text.contains("02_01.amc")), "{:?}", scene.notes);
    }
    for (animation, reason) in [
        ("file = \"02_01.amc\", clip = \"run\"", "line 3: 02_01.amc: there is no animation called \"run\""),
        ("file = \"02_02.amc\"", "line 3: 02_02.amc cannot be found"),
        ("file = \"walker.glb\", skeleton = \"02.asf\"", "line 3: only an .amc takes a skeleton"),
        ("file = \"02_01.amc\", map = { root = \"tail\" }", "line 3: there is no node \"tail\""),
        ("map = { root = \"hips\" }", "belong to its file"),
        ("files = \"02_01.amc\"", "line 3: unknown field `files`"),
    ] {
        let error = scene(animation).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_motion_on_its_own_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "small.bvh", BVH);
    let error = load_scene(path.to_str().unwrap(), None).unwrap_err().to_string();
    assert!(error.contains("2 joints, \"small\" (2 frames, 0.50 s)"), "{error}");
}
