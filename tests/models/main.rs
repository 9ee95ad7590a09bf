//! Real models: every claim that other tests make of generated likenesses, on files from the folder
//! that `TUMBLE_MODELS` names, or from `../shared/models` if it exists. Without a folder every test
//! here is reported as ignored, with the reason, and none as passed.

#[path = "../common/clips.rs"]
mod clips;
#[path = "../common/joints_fit.rs"]
mod joints_fit;
mod loading;
mod motions;
mod robots;
#[path = "../common/robots_fit.rs"]
mod robots_fit;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};
use tumble::import::model::Model;
use tumble::import::{ReadAs, load_model};

/// The folder of the models.
#[derive(Clone)]
struct Models(PathBuf);

impl Models {
    /// Finds the folder.
    ///
    /// # Errors
    /// The reason why there is none.
    fn find() -> Result<Self, String> {
        let named = std::env::var_os("TUMBLE_MODELS").map(PathBuf::from);
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
        match named {
            Some(folder) if folder.is_dir() => Ok(Self(folder)),
            Some(folder) => panic!("TUMBLE_MODELS names {}, which is not a folder", folder.display()),
            None if beside.is_dir() => Ok(Self(beside)),
            None => Err("no models: TUMBLE_MODELS names no folder".to_owned()),
        }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn load(&self, file: &str) -> Model {
        load_model(&self.path(file), &ReadAs::default())
            .unwrap_or_else(|error| panic!("{file}: {error}: {:?}", std::error::Error::source(&error)))
    }
}

fn walker() -> Model {
    load_model(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/walker.glb"), &ReadAs::default()).unwrap()
}

/// Tests a claim on models; returns the number of models that it covered.
type Claim = (&'static str, fn(&Models) -> usize);

const CLAIMS: [Claim; 11] = [
    ("robots_are_read_as_others_read_them_and_stand", robots::robots_are_read_as_others_read_them),
    ("every_model_loads_and_gives_a_scene_or_says_why_not", loading::every_model_loads),
    ("robots_start_with_their_joints_together", loading::robots_start_with_their_joints_together),
    ("figures_have_a_link_for_every_bone_that_carries_skin", loading::figures_have_a_link_for_every_bone),
    ("bvh_files_move_as_their_glb_does", motions::bvh_files_move_as_their_glb_does),
    ("a_walk_keeps_its_bones_and_stays_on_the_floor", motions::a_walk_keeps_its_bones_and_stays_on_the_floor),
    ("a_clip_on_its_own_skeleton_is_itself", motions::a_clip_on_its_own_skeleton_is_itself),
    ("a_mirrored_motion_gives_the_mirrored_figure", motions::a_mirrored_motion_gives_the_mirrored_figure),
    ("every_clip_leaves_every_figure_on_the_ground", motions::every_clip_leaves_every_figure_on_the_ground),
    (
        "a_figure_that_a_scene_plays_stands_on_the_ground",
        motions::a_figure_that_a_scene_plays_stands_on_the_ground,
    ),
    ("limbs_point_where_the_captured_ones_do", motions::limbs_point_where_the_captured_ones_do),
];

fn main() -> ExitCode {
    let models = Models::find();
    let trial = |(name, claim): Claim| {
        let models = models.clone();
        Trial::ignorable_test(name, move || match &models {
            Err(reason) => Ok(Completion::ignored_with(reason)),
            Ok(models) => match claim(models) {
                0 => Err(format!("{} holds no model for this", models.0.display()).into()),
                count => {
                    eprintln!("{name}: {count} models");
                    Ok(Completion::Completed)
                }
            },
        })
    };
    libtest_mimic::run(&Arguments::from_args(), CLAIMS.map(trial).into()).exit_code()
}
