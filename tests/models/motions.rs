//! Captured motions, compared with the conversions of others and on other figures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tumble::import::model::{Clip, Model};
use tumble::import::retarget;
use tumble::pose::Pose;
use tumble::scene::load_scene;
use tumble::scene::looks::{Carrier, Follows};

use super::clips::{
    ASF_ON_WALKER, Limb, assert_itself_on_its_own_skeleton, assert_limbs_point_alike, assert_mirrored,
    assert_stands_as_at_rest, height_above_rest, key_count, node, places,
};
use super::{Models, walker};

/// Asserts that every joint has the same position after the scale is removed.
pub fn bvh_files_move_as_their_glb_does(models: &Models) -> usize {
    let files = [("cmu_01_01.bvh", "cmu_01_01.glb", 0.056444), ("test_freebvh.bvh", "freebvh.glb", 0.01)];
    for (bvh, glb, scale) in files {
        let [own, other] = [bvh, glb].map(|file| models.load(&format!("mocap/{file}")));
        let joints: Vec<usize> = own.nodes.iter().map(|n| node(&other, &n.name)).collect();
        assert_eq!(joints.len() + 1, other.nodes.len());
        let times = &other.clips[0].tracks[0].times;
        for key in (0..times.len()).step_by(1 + times.len() / 20) {
            let own_times = &own.clips[0].tracks[0].times;
            let same = own_times.iter().position(|t| (t - times[key]).abs() < 1e-3).unwrap();
            let (a, b) =
                (places(&own, Some((&own.clips[0], same))), places(&other, Some((&other.clips[0], key))));
            for (joint, &twin) in joints.iter().enumerate() {
                let far = (a[joint] * scale).distance(b[twin]);
                assert!(far < 2e-4, "{}: {far} m at {}", own.nodes[joint].name, times[key]);
            }
        }
    }
    files.len()
}

/// Asserts that at any time a foot is on the floor. The floor rises in this capture, and so do the
/// heights of the root in the file.
pub fn a_walk_keeps_its_bones_and_stays_on_the_floor(models: &Models) -> usize {
    let model = models.load("mocap/cmu_asfamc/02/02_01.amc");
    let clip = &model.clips[0];
    assert_eq!(key_count(clip), 343);
    let rest = places(&model, None);
    let length = |at: &[DVec3], n: usize| at[n].distance(at[model.nodes[n].parent.unwrap() as usize]);
    let mut lowest = Vec::new();
    for key in 0..343 {
        let now = places(&model, Some((clip, key)));
        for n in 1..now.len() {
            assert!((length(&now, n) - length(&rest, n)).abs() < 1e-12, "{}", model.nodes[n].name);
        }
        lowest.push(now.iter().map(|p| p.y).fold(f64::INFINITY, f64::min));
    }
    let (count, mean) = (343.0, lowest.iter().sum::<f64>() / 343.0);
    let middle = 0.5 * (count - 1.0);
    let ahead = |key: usize| key as f64 - middle;
    let slope: f64 =
        (0..343).map(|k| ahead(k) * lowest[k]).sum::<f64>() / (count * (count * count - 1.0) / 12.0);
    for (key, low) in lowest.iter().enumerate() {
        let off = low - mean - slope * ahead(key);
        assert!(off.abs() < 0.03, "{off} m off the floor at frame {key}");
    }
    let rise = slope * count;
    assert!((0.0..0.08).contains(&rise), "the floor rises by {rise} m");
    1
}

pub fn a_clip_on_its_own_skeleton_is_itself(models: &Models) -> usize {
    let files = ["mocap/test_freebvh.bvh", "mocap/cmu_asfamc/02/02_03.amc"];
    files.map(|file| assert_itself_on_its_own_skeleton(&models.load(file))).len()
}

pub fn a_mirrored_motion_gives_the_mirrored_figure(models: &Models) -> usize {
    assert_mirrored(&models.load("mocap/test_freebvh.bvh"), &walker());
    1
}

/// The ends of upper legs and arms: left leg, right leg, left arm, right arm.
type Limbs = [[&'static str; 2]; 4];

const CAPTURES: [(&str, Limbs); 2] = [
    (
        "mocap/cmu_asfamc/02/02_01.amc",
        [["lfemur", "ltibia"], ["rfemur", "rtibia"], ["lhumerus", "lradius"], ["rhumerus", "rradius"]],
    ),
    (
        "mocap/test_freebvh.bvh",
        [
            ["mixamorig:LeftUpLeg", "mixamorig:LeftLeg"],
            ["mixamorig:RightUpLeg", "mixamorig:RightLeg"],
            ["mixamorig:LeftArm", "mixamorig:LeftForeArm"],
            ["mixamorig:RightArm", "mixamorig:RightForeArm"],
        ],
    ),
];

const QUATERNIUS: Limbs = [
    ["UpperLeg.L", "LowerLeg.L"],
    ["UpperLeg.R", "LowerLeg.R"],
    ["UpperArm.L", "LowerArm.L"],
    ["UpperArm.R", "LowerArm.R"],
];

const FIGURES: [(&str, Limbs); 6] = [
    (
        "CesiumMan",
        [
            ["leg_joint_L_1", "leg_joint_L_2"],
            ["leg_joint_R_1", "leg_joint_R_2"],
            ["Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__3_"],
            ["Skeleton_arm_joint_R", "Skeleton_arm_joint_R__2_"],
        ],
    ),
    (
        "RiggedFigure",
        [
            ["leg_joint_L_1", "leg_joint_L_2"],
            ["leg_joint_R_1", "leg_joint_R_2"],
            ["arm_joint_L_1", "arm_joint_L_2"],
            ["arm_joint_R_1", "arm_joint_R_2"],
        ],
    ),
    (
        "kaykit_mannequin",
        [
            ["upperleg.l", "lowerleg.l"],
            ["upperleg.r", "lowerleg.r"],
            ["upperarm.l", "lowerarm.l"],
            ["upperarm.r", "lowerarm.r"],
        ],
    ),
    ("quaternius_man_king", QUATERNIUS),
    ("quaternius_woman_soldier", QUATERNIUS),
    ("quaternius_platformer_character", QUATERNIUS),
];

/// Tests every capture on every figure, and one on the walker, joint by joint and down to its feet.
pub fn limbs_point_where_the_captured_ones_do(models: &Models) -> usize {
    for (file, captured) in CAPTURES {
        let source = models.load(file);
        let clip = &source.clips[0];
        for (name, bones) in FIGURES {
            let target = models.load(&format!("skinned/{name}.glb"));
            let (carried, _) = retarget(&source, clip, &target, &BTreeMap::new()).unwrap();
            let limb =
                |([from, to], [own, end]): (&[&'static str; 2], [&'static str; 2])| [*from, *to, own, end];
            let limbs: Vec<Limb> = captured.iter().zip(bones).map(limb).collect();
            assert_limbs_point_alike([(&source, clip), (&target, &carried)], &limbs, 1.0);
            assert_stands_as_at_rest(&target, &carried, &format!("{file} on {name}"));
        }
    }
    let (source, walker) = (models.load(CAPTURES[0].0), walker());
    let (carried, _) = retarget(&source, &source.clips[0], &walker, &BTreeMap::new()).unwrap();
    assert_limbs_point_alike([(&source, &source.clips[0]), (&walker, &carried)], &ASF_ON_WALKER, 0.01);
    assert_stands_as_at_rest(&walker, &carried, "walker");
    1 + CAPTURES.len() * FIGURES.len()
}

/// Tests every clip of the folder on every figure that it fits. A clip that is taken over unchanged, by
/// a skeleton with the same rest pose, may leave the ground.
pub fn every_clip_leaves_every_figure_on_the_ground(models: &Models) -> usize {
    let folders = ["mocap", "mocap/cmu_asfamc/02", "skinned"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(models.path(folder)).unwrap());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| ["bvh", "amc", "glb"].iter().any(|e| end == *e)));
    files.sort();
    let skinned = files.iter().map(|file| models.load(file.to_str().unwrap()));
    let mut figures: Vec<Model> = skinned.filter(|model| !model.skins.is_empty()).collect();
    figures.push(walker());
    let (mut count, mut off) = (0, Vec::new());
    for file in &files {
        let source = models.load(file.to_str().unwrap());
        for (clip, target) in source.clips.iter().flat_map(|clip| figures.iter().map(move |f| (clip, f))) {
            let Ok((carried, _)) = retarget(&source, clip, target, &BTreeMap::new()) else { continue };
            if is_unchanged(clip, &carried) {
                continue;
            }
            let height = height_above_rest(target, &carried);
            if height.abs() >= 5e-3 {
                off.push(format!("{:?} of {} on {}: {height} m", clip.name, source.source, target.source));
            }
            count += 1;
        }
    }
    assert!(off.is_empty(), "{} of {count}:\n{}", off.len(), off.join("\n"));
    count
}

/// Returns whether a track of the first clip is a track of the second one too.
fn is_unchanged(clip: &Clip, carried: &Clip) -> bool {
    let text = |clip: &Clip| clip.tracks.first().map(|track| format!("{:?}", track.values));
    let first = text(carried);
    clip.tracks.iter().any(|track| Some(format!("{:?}", track.values)) == first)
}

/// Returns the lowest point of a figure's skin as the program draws it: along its motion, or at rest
/// without `animation` (a line of a scene file), m.
fn lowest_drawn(figure: &Path, animation: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("figure.toml");
    std::fs::write(&file, format!("[[model]]\nfile = {:?}\n{animation}", figure.display().to_string()))
        .unwrap();
    let scene = load_scene(file.to_str().unwrap(), None).unwrap();
    let mut lowest = f64::INFINITY;
    for drawn in &scene.drawn {
        let Follows::Joints(skinning) = &drawn.follows else { continue };
        let figure = &scene.skeletons[skinning.skeleton as usize];
        let width = figure.motion.width.max(1) as usize;
        for frame in 0..(figure.motion.poses.len() / width).max(1) {
            let pose = |carrier: Carrier| {
                let (column, rest) = match carrier {
                    Carrier::Body(body) => (body - figure.first_body, scene.bodies[body as usize].pose),
                    Carrier::Joint(joint) => (figure.link_count + joint, figure.joints[joint as usize]),
                };
                figure.motion.poses.get(frame * width + column as usize).copied().unwrap_or(rest)
            };
            let poses: Vec<Pose> = skinning.joints.iter().map(|joint| pose(joint.carrier)).collect();
            for (position, influence) in drawn.positions.iter().zip(&skinning.influences) {
                let height = |(&joint, &weight): (&u16, &f32)| {
                    let bound =
                        skinning.joints[usize::from(joint)].bind.transform_point3(position.as_dvec3());
                    f64::from(weight) * poses[usize::from(joint)].transform_point(bound).y
                };
                let blend =
                    influence.joints.iter().zip(&influence.weights).filter(|(_, weight)| **weight > 0.0);
                lowest = lowest.min(blend.map(height).sum());
            }
        }
    }
    lowest
}

/// Tests captures on figures as a scene file plays them.
pub fn a_figure_that_a_scene_plays_stands_on_the_ground(models: &Models) -> usize {
    let captures = ["mocap/cmu_01_01.bvh", "mocap/cmu_asfamc/02/02_01.amc", "mocap/test_freebvh.bvh"];
    for (name, _) in FIGURES {
        let figure = models.path(&format!("skinned/{name}.glb"));
        let rest = lowest_drawn(&figure, "");
        for capture in captures {
            let animation =
                format!("animation = {{ file = {:?} }}\n", models.path(capture).display().to_string());
            let off = lowest_drawn(&figure, &animation) - rest;
            assert!(off.abs() < 5e-3, "{capture} on {name}: {off} m above its height at rest");
        }
    }
    FIGURES.len() * captures.len()
}
