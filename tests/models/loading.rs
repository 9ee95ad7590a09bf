//! Real files as models and scenes.

use std::fs;

use tumble::import::{ReadAs, load_model};
use tumble::scene::load_scene;

use super::Models;
use super::joints_fit::assert_joints_fit;

/// Scenes are made of the smaller ones alone, which takes long enough.
pub fn every_model_loads(models: &Models) -> usize {
    let mut loaded = 0;
    for part in ["skinned", "robots", "cad", "rich", "physics", "loader"] {
        let folder = models.path(part);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "glb")) {
            let model =
                load_model(&path, &ReadAs::default()).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()));
            loaded += 1;
            let has_surface =
                model.geometries.iter().any(|g| !g.triangles.is_empty()) || !model.shapes.is_empty();
            if fs::metadata(&path).unwrap().len() < 1 << 20 {
                let scene = load_scene(path.to_str().unwrap(), None);
                assert_eq!(scene.is_ok(), has_surface, "{}", path.display());
            }
        }
    }
    loaded
}

pub fn robots_start_with_their_joints_together(models: &Models) -> usize {
    let robots = [
        ("unitree_g1_29dof_with_hand", 43),
        ("allegro_hand_right", 16),
        ("franka_panda_arm_hand", 9),
        ("trifinger_edu", 9),
    ];
    for (name, joint_count) in robots {
        let path = models.path(&format!("robots/{name}.glb"));
        let scene = load_scene(path.to_str().unwrap(), None).unwrap();
        assert_eq!(scene.joints.len(), joint_count, "{name}");
        assert_joints_fit(&scene, 1e-5);
    }
    robots.len()
}

pub fn figures_have_a_link_for_every_bone(models: &Models) -> usize {
    let figures = [
        ("CesiumMan", 1, 19),
        ("Fox", 1, 22),
        ("RecursiveSkeletons", 84, 840),
        ("quaternius_man_king", 1, 48),
    ];
    for (name, figure_count, link_count) in figures {
        let path = models.path(&format!("skinned/{name}.glb"));
        let scene = load_scene(path.to_str().unwrap(), None).unwrap();
        let links: u32 = scene.skeletons.iter().map(|s| s.link_count).sum();
        assert_eq!((scene.skeletons.len(), links), (figure_count, link_count), "{name}");
        for figure in &scene.skeletons {
            assert_eq!(figure.motion.poses.len() % figure.link_count as usize, 0);
            assert!(figure.motion.poses.iter().all(|p| p.is_finite()), "{name}");
        }
    }
    figures.len()
}
