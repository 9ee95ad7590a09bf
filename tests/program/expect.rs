//! Expectations of scene files, and the verdicts of a run on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use glam::Vec3;
use serde_json::Value;
use tempfile::TempDir;
use tumble::generate;

use crate::gltf;

/// A folder with a post, a ball, the arm of the assets, and a table of joints that swings the arm to
/// its left.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        gltf::write(folder.path(), "post", &generate::cuboid(Vec3::new(0.1, 0.4, 0.1), 1.0));
        gltf::write(folder.path(), "ball", &generate::sphere(0.1, 16));
        let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arm.urdf");
        fs::copy(arm, folder.path().join("arm.urdf")).unwrap();
        let table = "time,turn,shoulder,elbow\n0,0,1.2,0.4\n1,0,1.2,0.4\n3,1.6,1.2,0.4\n4,1.6,1.2,0.4\n";
        fs::write(folder.path().join("swing.csv"), table).unwrap();
        Self(folder)
    }

    fn scene(&self, text: &str) -> PathBuf {
        let path = self.0.path().join("scene.toml");
        fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, text: &str, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_tumble");
        Command::new(program).arg("run").arg(self.scene(text)).args(arguments).output().unwrap()
    }

    /// Returns the report and the exit code of a run.
    fn report(&self, text: &str, arguments: &[&str]) -> (Value, Option<i32>) {
        let output = self.run(text, &[arguments, &["--json"]].concat());
        let document = serde_json::from_slice(&output.stdout);
        (document.unwrap_or_else(|_| panic!("{}", stderr(&output))), output.status.code())
    }

    /// Returns the error of a scene that is refused.
    fn error(&self, text: &str) -> String {
        let output = self.run(text, &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output).to_owned()
    }
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A ball of 2 kg falls from 2 m to the ground, and bounces up to half a meter, several times.
const BALL: &str = "steps = 120\n[ground]\n[[model]]\nfile = \"ball.gltf\"\nposition = [0.0, 2.1, 0.0]\n\
                    [[part]]\nname = \"ball\"\nmass = 2.0\nrestitution = 0.5\n";
/// The arm swings against a post that is in its way.
const SWING: &str = "steps = 240\n[[model]]\nfile = \"arm.urdf\"\nanimation = { file = \"swing.csv\" }\n\
                     [[model]]\nfile = \"post.gltf\"\nposition = [0.25, 0.2, -0.25]\n\
                     [[part]]\nname = \"post\"\nmotion = \"static\"\n";

#[test]
fn an_arm_that_swings_into_a_post_says_which_link_where_when_and_how_hard() {
    let (report, code) = Bench::new().report(SWING, &[]);
    assert_eq!(code, Some(0), "nothing is expected");
    let touches = report["touches"].as_array().unwrap();
    let touch = touches.iter().find(|touch| touch["b"] == "post").unwrap();
    assert_eq!(touch["a"], "forearm");
    // From 1 s on, the arm rotates at 0.8 rad/s. Its side is 25 mm from its axis line, and the near
    // corner of the post is at 0.2, 0.3.
    let angle = (0.2_f64).atan2(0.3) - (0.025 / 0.2_f64.hypot(0.3)).asin();
    let first = touch["first_step"].as_f64().unwrap();
    assert!((first - 60.0 * (1.0 + angle / 0.8)).abs() < 3.0, "step {first}");
    let place: Vec<f64> = touch["first_place"]["world"].as_array().unwrap().iter().map(number).collect();
    assert!((place[0] - 0.3).abs() < 2e-3 && (place[2] + 0.2).abs() < 2e-3, "{place:?}");
    // The force is the effort of 30 N·m divided by the lever arm of √(0.3² + 0.2²) m. Friction and
    // direction change it slightly.
    let (mean, lever) = (number(&touch["mean_force_n"]), 0.2_f64.hypot(0.3));
    assert!((mean * lever / 30.0 - 1.0).abs() < 0.03, "{mean} N");
    let turn = report["joints"].as_array().unwrap().iter().find(|joint| joint["joint"] == "turn").unwrap();
    let axis = &turn["axes"][0];
    assert!(number(&axis["stalled_s"]) > 2.0 && number(&axis["deviation"]) > 1.0, "{axis}");
    assert_eq!(report["stalled_drives"][0]["drive"], "turn");
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// Checks how far a joint deviates from its moving target. A table moves the target during a step. The
/// joint must not seem to lag by one step, which is 0.8° here.
#[test]
fn a_joint_that_follows_its_table_is_not_off_its_target() {
    let free = SWING.replace("position = [0.25, 0.2, -0.25]", "position = [0.25, 0.2, 5.0]");
    let expect = "[[expect]]\njoint = \"turn\"\nmax_deviation = 0.3\nmax_stalled = 0.0\n";
    let (report, code) = Bench::new().report(&format!("{free}{expect}"), &[]);
    assert_eq!((held(&report), code), (vec![Some(true)], Some(0)), "{}", report["expectations"]);
}

/// A kinematic robot used to stand still, so that `never` was held.
#[test]
fn a_kinematic_arm_follows_its_table_through_a_post() {
    let kinematic = SWING.replacen(
        "[[model]]\nfile = \"post",
        "[[part]]\nname = \"*\"\nmotion = \"kinematic\"\n[[model]]\nfile = \"post",
        1,
    );
    let expect = "[[expect]]\nnever = [\"{hand,forearm}\", \"post\"]\n[[expect]]\njoint = \"turn\"\nmax_deviation = 1e-6\n";
    let (report, code) = Bench::new().report(&format!("{kinematic}{expect}"), &[]);
    assert_eq!((held(&report), code), (vec![Some(false), Some(true)], Some(1)), "{}", report["expectations"]);
    let angle = (0.2_f64).atan2(0.3) - (0.025 / 0.2_f64.hypot(0.3)).asin();
    let step = number(&report["expectations"][0]["step"]);
    assert!((step - 60.0 * (1.0 + angle / 0.8)).abs() < 3.0, "step {step}");
    let turn = report["joints"].as_array().unwrap().iter().find(|joint| joint["joint"] == "turn").unwrap();
    let greatest = number(&turn["axes"][0]["greatest"]);
    assert!((greatest - 1.6).abs() < 1e-9, "nothing deflects it: {turn}");
}

#[test]
fn a_kinematic_link_below_one_that_forces_move_is_said_to_stand_still() {
    let link = SWING.replacen(
        "[[model]]\nfile = \"post",
        "[[part]]\nname = \"forearm\"\nmotion = \"kinematic\"\n[[model]]\nfile = \"post",
        1,
    );
    let output = Bench::new().run(&link, &["--steps", "1"]);
    let said = "warning: forearm: is kinematic and hangs from upper, which is not: it stands still";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}

/// Returns whether each expectation held, in the order of the scene file.
fn held(report: &Value) -> Vec<Option<bool>> {
    report["expectations"].as_array().unwrap().iter().map(|one| one["held"].as_bool()).collect()
}

#[test]
fn expectations_are_held_or_broken_with_their_step_and_reason() {
    let bench = Bench::new();
    let expect = "[[expect]]\nnever = [\"{hand,forearm}\", \"post\"]\n\
                  [[expect]]\ntouches = [\"finger\", \"post\"]\nbefore = 2.0\n\
                  [[expect]]\njoint = \"turn\"\nmax_deviation = 2.0\n\
                  [[expect]]\njoint = \"*\"\nmax_force = 5000.0\nmax_stalled = 3.0\n\
                  [[expect]]\npair = [\"*\", \"post\"]\nmax_force = 500.0\n\
                  [[expect]]\npair = [\"forearm\", \"post\"]\nmax_force = 50.0\n\
                  [[expect]]\nlost = 0\n\
                  [[expect]]\npart = \"post\"\nends_at = [0.25, 0.2, -0.25]\nwithin = 1e-6\n";
    let (report, code) = bench.report(&format!("{SWING}{expect}"), &[]);
    let [broken, fine] = [Some(false), Some(true)];
    assert_eq!(held(&report), [broken, broken, broken, fine, fine, broken, fine, fine]);
    assert_eq!(code, Some(1));
    let touch = &report["touches"][0];
    let told = &report["expectations"][0];
    assert_eq!(told["step"], touch["first_step"]);
    assert!(told["because"].as_str().unwrap().contains("forearm – post"), "{told}");
    // The two seconds end in step 121.
    assert_eq!(report["expectations"][1]["step"], 121);
    let output = bench.run(&format!("{SWING}{expect}"), &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("{hand,forearm} and post never touch") && text.contains("broken"), "{text}");
}

#[test]
fn a_ball_does_as_it_is_expected_to() {
    let bench = Bench::new();
    let cases = [
        ("touches = [\"ball\", \"ground\"]\nbefore = 0.7", true),
        ("touches = [\"ground\", \"ball\"]\nbefore = 0.6", false),
        ("never = [\"ball\", \"ground\"]", false),
        ("pair = [\"ball\", \"ground\"]\nmax_force = 2000.0", true),
        ("pair = [\"ball\", \"ground\"]\nmax_force = 1000.0", false),
        ("part = \"ball\"\nends_at = [0.0, 0.1, 0.0]\nwithin = 0.3", true),
        ("part = \"ball\"\nends_at = [0.5, 0.1, 0.0]\nwithin = 0.3", false),
        ("lost = 0", true),
    ];
    for (expect, is_held) in cases {
        let (report, code) = bench.report(&format!("{BALL}[[expect]]\n{expect}\n"), &[]);
        assert_eq!(held(&report), [Some(is_held)], "{expect}: {}", report["expectations"]);
        assert_eq!(code, Some(i32::from(!is_held)), "{expect}");
    }
    let without_ground =
        BALL.replace("[ground]\n", "[[model]]\nfile = \"post.gltf\"\nposition = [3.0, 2.0, 0.0]\n");
    let lost =
        format!("{without_ground}[[part]]\nname = \"post\"\nmotion = \"static\"\n[[expect]]\nlost = 0\n");
    let (report, code) = bench.report(&lost, &[]);
    assert_eq!((held(&report), code), (vec![Some(false)], Some(1)));
    assert!(report["expectations"][0]["because"].as_str().unwrap().contains("ball"), "{report}");
}

#[test]
fn expectations_that_cannot_be_are_refused_with_their_line_and_the_nearest_name() {
    let bench = Bench::new();
    let cases = [
        ("never = [\"bal\", \"ground\"]", "no part is called \"bal\"; did you mean \"ball\"?"),
        ("joint = \"hinge\"\nmax_force = 1.0", "no joint is called \"hinge\""),
        ("before = 1.0", "it needs exactly one of never, touches, pair, part, joint and lost"),
        ("lost = 0\nnever = [\"ball\", \"ground\"]", "it needs exactly one of"),
        ("never = [\"ball\", \"ground\"]\nbefore = 1.0", "before is not a key of this expectation"),
        ("pair = [\"ball\", \"ground\"]", "pair needs max_force"),
        ("part = \"ball\"\nends_at = [0.0, 0.0, 0.0]", "part needs within"),
        ("part = \"ball\"\nwithin = 1.0", "part needs ends_at"),
        ("pair = [\"ball\", \"ground\"]\nmax_force = -1.0", "finite and not below 0"),
        ("pair = [\"ball\", \"ground\"]\nmax_force = nan", "finite and not below 0"),
        ("never = [\"ball\"]", "the list has 1 entries in place of 2"),
        ("never = [\"ball\", \"ground\", \"ball\"]", "the list has 3 entries in place of 2"),
        ("part = \"ball\"\nends_at = [0, 0, 0, 0]\nwithin = 1.0", "the list has 4 entries in place of 3"),
        (
            "never = [\"ball\", \"ground\"]\n[[expect]]\ntouches = [\"ground\", \"ball\"]",
            "expectation 1 says that they do the opposite",
        ),
    ];
    for (expect, reason) in cases {
        let error = bench.error(&format!("{BALL}[[expect]]\n{expect}\n"));
        assert!(error.contains("scene.toml: line ") && error.contains(reason), "{expect}: {error}");
    }
}

/// Checks that an expectation is never reported as held if no run can test it.
#[test]
fn pairs_that_no_run_looks_at_are_refused_or_told() {
    let bench = Bench::new();
    let posts = "[[model]]\nfile = \"post.gltf\"\nposition = [3.0, 0.2, 0.0]\n\
                 [[model]]\nfile = \"post.gltf\"\nposition = [3.05, 0.2, 0.0]\n\
                 [[part]]\nname = \"post\"\nmotion = \"static\"\n";
    let base = format!("{BALL}{posts}");
    for expect in ["never = [\"post\", \"post.2\"]", "never = [\"ball\", \"ball\"]"] {
        let error = bench.error(&format!("{base}[[expect]]\n{expect}\n"));
        assert!(error.contains("expectation 1") && error.contains("a run cannot tell"), "{error}");
    }
    let ignored = format!("{base}[[pair]]\na = \"ball\"\nb = \"ground\"\nrule = \"ignore\"\n");
    let error = bench.error(&format!("{ignored}[[expect]]\nnever = [\"ball\", \"ground\"]\n"));
    assert!(error.contains("ball – ground are never tested"), "{error}");
    let (report, _) =
        bench.report(&format!("{base}[[expect]]\nnever = [\"post.2\", \"{{ball,post}}\"]\n"), &[]);
    assert_eq!(held(&report), [Some(true)]);
    let because = report["expectations"][0]["because"].as_str().unwrap();
    assert!(
        because.contains("post – post.2 are never tested") || because.contains("post.2 – post"),
        "{because}"
    );
}

/// Checks a part that passes through a post between two tests. It counts as having touched the post.
#[test]
fn passing_through_counts_as_touching() {
    let passing = "steps = 20\n[[model]]\nfile = \"ball.gltf\"\nscale = 0.2\nposition = [-0.85, 0.0, 0.0]\n\
                   [[part]]\nname = \"ball\"\nmotion = \"kinematic\"\nvelocity = [20.0, 0.0, 0.0]\n\
                   [[model]]\nfile = \"post.gltf\"\n[[part]]\nname = \"post\"\nmotion = \"static\"\n\
                   [[expect]]\nnever = [\"ball\", \"post\"]\n";
    let (report, code) = Bench::new().report(passing, &[]);
    assert_eq!((held(&report), code), (vec![Some(false)], Some(1)), "{}", report["expectations"]);
    assert_eq!(report["touches"], serde_json::json!([]), "no look saw them touch");
    let because = report["expectations"][0]["because"].as_str().unwrap();
    assert!(because.contains("ball got through the surface of post"), "{because}");
}

#[test]
fn a_part_that_was_set_aside_ends_nowhere() {
    let bench = Bench::new();
    let thrown = "steps = 30\n[[model]]\nfile = \"ball.gltf\"\n[[part]]\nname = \"ball\"\nmass = 1.0\n\
                  velocity = [1e308, 0.0, 0.0]\n[[model]]\nfile = \"post.gltf\"\nposition = [0.0, 0.0, 3.0]\n\
                  [[part]]\nname = \"post\"\nmotion = \"static\"\n\
                  [[expect]]\npart = \"ball\"\nends_at = [0.0, 0.0, 0.0]\nwithin = 1.0\n";
    let (report, code) = bench.report(thrown, &[]);
    assert_eq!((held(&report), code), (vec![Some(false)], Some(1)), "{}", report["expectations"]);
    let because = report["expectations"][0]["because"].as_str().unwrap();
    assert_eq!(because, "ball is lost");
}

#[test]
fn a_run_that_is_asked_for_no_step_decides_at_its_end() {
    let expect = "[[expect]]\nnever = [\"ball\", \"ground\"]\n[[expect]]\ntouches = [\"ball\", \"ground\"]\n";
    // The two expectations contradict each other only if they are in one file.
    for (part, is_held) in expect.split("[[expect]]").skip(1).zip([true, false]) {
        let (report, code) = Bench::new().report(&format!("{BALL}[[expect]]{part}"), &["--steps", "0"]);
        assert_eq!((held(&report), code), (vec![Some(is_held)], Some(i32::from(!is_held))));
    }
}

/// Compares the figures of a run with those of its recording.
#[test]
fn a_recording_says_what_touched_as_its_run_did() {
    let bench = Bench::new();
    let file = bench.0.path().join("run.tumble");
    let (report, _) = bench.report(SWING, &["--record", file.to_str().unwrap()]);
    let program = env!("CARGO_BIN_EXE_tumble");
    let play = Command::new(program).arg("play").arg(&file).arg("--json").output().unwrap();
    let played: Value = serde_json::from_slice(&play.stdout).unwrap();
    for (list, keys) in [
        (
            "touches",
            &["a", "b", "first_step", "steps", "force_n", "impact_ns", "mean_force_n", "depth_mm"][..],
        ),
        ("joints", &["joint", "force_n", "torque_nm"]),
        ("stalled_drives", &["drive", "first_step", "steps", "limit"]),
    ] {
        // The order is that of the forces, and equal forces are rounded in a recording.
        let sorted = |of: &Value| {
            let mut entries = of[list].as_array().unwrap().clone();
            entries.sort_by_key(|entry| [entry[keys[0]].to_string(), entry[keys[1]].to_string()]);
            entries
        };
        let (of_run, of_file) = (sorted(&report), sorted(&played));
        assert_eq!(of_run.len(), of_file.len(), "{list}");
        for (one, other) in of_run.iter().zip(&of_file) {
            for key in keys {
                match (one[key].as_f64(), other[key].as_f64()) {
                    (Some(x), Some(y)) => assert!((x - y).abs() <= 3e-5 * x.abs(), "{list} {key}: {x} {y}"),
                    _ => assert_eq!(one[key], other[key], "{list} {key}"),
                }
            }
        }
    }
    assert!(!report["touches"].as_array().unwrap().is_empty());
}
