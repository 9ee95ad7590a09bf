//! Figures that follow a motion are checked against bodies that do not yield: which link, how deep,
//! when.

use std::fs;
use std::path::Path;

use tumble::scene::load_scene;
use tumble::world::World;

/// Builds the world of a scene file beside the shipped models.
fn world(text: &str) -> World {
    let folder = tempfile::tempdir().unwrap();
    for model in ["parts.glb", "walker.glb", "standing.glb"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(model);
        fs::copy(from, folder.path().join(model)).unwrap();
    }
    let file = folder.path().join("reach.toml");
    fs::write(&file, text).unwrap();
    World::new(&load_scene(file.to_str().unwrap(), None).unwrap()).unwrap()
}

const WALKER: &str = "[[model]]\nfile = \"walker.glb\"\n\
    animation = { clip = \"walk\", stride = [0.0, 0.0, 1.35] }\n";

const CRATE: &str = "[[model]]\nfile = \"standing.glb\"\nnodes = [\"crate\"]\nrecenter = true\n\
    [[part]]\nname = \"crate\"\nmotion = \"static\"\n";

#[test]
fn a_figure_that_walks_into_a_machine_is_reported() {
    let mut world = world(&format!(
        "[ground]\n{WALKER}{}",
        CRATE.replace("recenter", "position = [0.0, 0.6, 1.2]\nrecenter")
    ));
    let mut steps = 0;
    while steps < 120 {
        world.step();
        steps += 1;
        assert_eq!(
            world.measures().penetration,
            0.0,
            "what never yields does not count as a fault of the solver"
        );
    }
    assert!(!world.incidents().reaches.is_empty());
    for reach in &world.incidents().reaches {
        assert_eq!(reach.into_name, "crate");
        assert!(reach.first_step > 1 && reach.first_step <= reach.last_step, "{reach:?}");
        assert!(reach.step_count > 0 && reach.step_count <= reach.last_step - reach.first_step + 1);
        assert!((reach.first_step..=reach.last_step).contains(&reach.deepest_step));
    }
    let deepest = world.incidents().reaches.iter().map(|r| r.depth).fold(0.0, f64::max);
    assert!((0.005..0.5).contains(&deepest), "{deepest} m");
}

#[test]
fn pairs_that_are_known_to_overlap_are_no_incident() {
    let mut world = world(&format!(
        "[ground]\n{WALKER}{}[[pair]]\na = \"*\"\nb = \"crate\"\nrule = \"permanent\"\n",
        CRATE.replace("recenter", "position = [0.0, 0.6, 1.2]\nrecenter")
    ));
    let mut is_met = false;
    for _ in 0..120 {
        world.step();
        is_met |= world.pairs().iter().any(|pair| pair.judged.is_intersecting);
    }
    assert!(is_met && *world.incidents() == Default::default(), "{:?}", world.incidents());
}

/// Compares figures on the ground without and with a pair rule that requests the test.
#[test]
fn feet_on_the_ground_are_no_reach_unless_asked_for() {
    let mut quiet = world(&format!("[ground]\n{WALKER}"));
    let mut asked = world(&format!(
        "[ground]\ny = 0.01\n{WALKER}[[pair]]\na = \"*\"\nb = \"ground\"\nrule = \"collide\"\n"
    ));
    for _ in 0..40 {
        quiet.step();
        asked.step();
    }
    assert!(quiet.incidents().reaches.is_empty(), "{:?}", quiet.incidents().reaches);
    assert!(!asked.incidents().reaches.is_empty());
}

#[test]
fn two_figures_that_walk_through_each_other_are_reported() {
    let second = WALKER.replace("[[model]]\n", "[[model]]\nposition = [0.25, 0.0, 0.0]\n");
    let mut world = world(&format!("{WALKER}{second}"));
    (0..10).for_each(|_| _ = world.step());
    assert!(!world.incidents().reaches.is_empty());
    let same = |r: &&tumble::world::Reach| r.link_name == r.into_name;
    assert_eq!(world.incidents().reaches.iter().filter(same).count(), 0);
}

/// Checks that the test does not change the motion.
#[test]
fn sensor_pairs_push_nothing() {
    let crates = "[[model]]\nfile = \"standing.glb\"\nnodes = [\"drum\"]\nrecenter = true\n\
                  position = [2.0, 0.0, 0.0]\n";
    let state = |extra: &str| {
        let mut world = world(&format!("[ground]\n{crates}{WALKER}{extra}"));
        (0..60).for_each(|_| _ = world.step());
        let drum = world.bodies().infos.iter().position(|i| i.name == "drum").unwrap();
        world.bodies().states[drum].pose
    };
    let wall = CRATE.replace("recenter", "position = [0.0, 0.6, 0.6]\nrecenter");
    assert_eq!(state(&wall), state(""));
}
