//! Clips retargeted to other skeletons, by the library and from scene files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tumble::import::model::{LocalTransform, Model, TrackValues};
use tumble::import::{ReadAs, load_model, retarget};
use tumble::scene::load_scene;

use super::likeness::Walk;
use super::{BVH, walker, write};
use crate::clips::{
    ASF_ON_WALKER, assert_itself_on_its_own_skeleton, assert_limbs_point_alike, assert_mirrored,
    assert_stands_as_at_rest, key_count, node, places,
};

fn no_map() -> BTreeMap<String, String> {
    BTreeMap::new()
}

fn bvh(folder: &Path) -> Model {
    load_model(&write(folder, "walk.bvh", &Walk::of(&walker()).bvh()), &ReadAs::default()).unwrap()
}

fn amc(folder: &Path) -> Model {
    let walker = walker();
    let walk = Walk::of(&walker);
    write(folder, "walk.asf", &walk.asf());
    load_model(&write(folder, "walk.amc", &walk.amc()), &ReadAs::default()).unwrap()
}

#[test]
fn a_clip_on_its_own_skeleton_is_itself() {
    let folder = tempfile::tempdir().unwrap();
    for model in [walker(), bvh(folder.path()), amc(folder.path())] {
        assert_itself_on_its_own_skeleton(&model);
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

/// Uses that the walker is its own mirror image.
#[test]
fn a_mirrored_motion_gives_the_mirrored_figure() {
    let folder = tempfile::tempdir().unwrap();
    assert_mirrored(&bvh(folder.path()), &walker());
}

/// Retargets from spread arms to hanging ones, and between skeletons of different size.
#[test]
fn limbs_point_where_the_captured_ones_do_and_feet_stay_on_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (amc(folder.path()), walker());
    let (clip, notes) = retarget(&source, &source.clips[0], &target, &no_map()).unwrap();
    assert!(notes.iter().any(|n| n.text.contains("nothing follows") && n.text.contains("lfingers")));
    assert_limbs_point_alike([(&source, &source.clips[0]), (&target, &clip)], &ASF_ON_WALKER, 0.01);
    assert_stands_as_at_rest(&target, &clip, "walker");
}

/// Returns the walker whose rest pose is its clip's pose at a key, as some files have it: the motion is
/// the same, but a foot is lifted at rest.
fn resting_in_mid_stride(key: usize) -> Model {
    let mut model = walker();
    for track in model.clips[0].tracks.clone() {
        let node = &mut model.nodes[track.node as usize];
        let LocalTransform::Parts { translation, rotation, scale } = &mut node.local else { continue };
        match &track.values {
            TrackValues::Translation(v) => *translation = v[key],
            TrackValues::Rotation(v) => *rotation = v[key],
            TrackValues::Scale(v) => *scale = v[key],
        }
    }
    // The figure hangs in the air at rest, as if its clip had been cut from a jump.
    for &root in &model.roots.clone() {
        if let LocalTransform::Parts { translation, .. } = &mut model.nodes[root as usize].local {
            translation.y -= 0.19;
        }
    }
    model
}

#[test]
fn a_figure_whose_clip_rests_in_mid_stride_stands_on_the_ground() {
    let target = walker();
    let keys = key_count(&target.clips[0]);
    for key in [0, keys / 5, keys / 3, keys / 2] {
        let source = resting_in_mid_stride(key);
        let (clip, notes) = retarget(&source, &source.clips[0], &target, &no_map()).unwrap();
        assert_stands_as_at_rest(&target, &clip, &format!("rest at key {key}"));
        let text = notes.iter().map(|note| note.text.as_str()).find(|text| text.contains("its lowest point"));
        assert!(text.is_some_and(|text| text.starts_with("is ")), "{notes:?}");
    }
}

#[test]
fn an_unknown_skeleton_needs_a_map_and_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let source = load_model(&write(folder.path(), "small.bvh", BVH), &ReadAs::default()).unwrap();
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
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let walker = walker();
    let walk = Walk::of(&walker);
    write(folder, "02.asf", &walk.asf());
    write(folder, "02_01.amc", &walk.amc());
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
        let seconds = motion.poses.len() as f64 / f64::from(motion.width) / motion.rate;
        assert!((seconds - walker.clips[0].duration).abs() < 0.1, "{seconds}");
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
