//! Joints of robots that a table or a user moves: their positions, speeds, and the errors in a bad
//! table.

use std::path::Path;

use tumble::body::{Activity, SetBy, WORLD};
use tumble::import::{JointMotion, NoteKind, ReadAs};
use tumble::pose::Pose;
use tumble::scene::{Scene, SceneError, SceneName, load_scene};
use tumble::world::World;

use super::robots::arm;
use super::writers::write;

fn open(model: &Path, table: &Path) -> Result<Scene, SceneError> {
    let motion = JointMotion { path: table.to_owned(), speed: 1.0, looped: false };
    let read_as = ReadAs { joints: Some(motion), ..ReadAs::default() };
    load_scene(SceneName { read_as, ..SceneName::from(model.to_str().unwrap()) }, None)
}

/// Returns the coordinate of a control's joint, rad or m.
fn coordinate(scene: &Scene, world: &World, control: &str) -> f64 {
    let control = scene.controls.iter().find(|c| c.name == control).unwrap();
    let joint = &scene.joints[control.joint as usize];
    let pose = |body: u32| match body {
        WORLD => Pose::IDENTITY,
        body => world.bodies().states[body as usize].pose,
    };
    let near = match control.turns() {
        true => world.bodies().angles[control.joint as usize][control.axis as usize - 3],
        false => 0.0,
    };
    joint.coordinate(control.axis, [pose(joint.a), pose(joint.b)], near)
}

fn control(scene: &Scene, name: &str) -> u32 {
    scene.controls.iter().position(|c| c.name == name).unwrap() as u32
}

fn steps(world: &mut World, count: u32) {
    for _ in 0..count {
        world.step();
    }
}

/// A swing of the elbow by 1 rad and of the shoulder by a quarter of it, there and back in 2 s; the
/// slide is out.
const SWING: &str = "\u{feff}# from a controller\r\ntime, elbow, shoulder, slide, torque, follow\r\n";

fn swing(time: f64) -> [f64; 3] {
    let share = 0.5 - 0.5 * (std::f64::consts::PI * time).cos();
    [share, 0.25 * share, 0.05]
}

#[test]
fn joints_go_where_a_table_says_and_stay_there_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let lines = (0..=125).map(|line| {
        let time = 0.02 * f64::from(line);
        let [elbow, shoulder, slide] = swing(time);
        format!("{},{elbow},{shoulder},{slide},7,0\r\n", 100.0 + time)
    });
    let table = write(folder.path(), "swing.csv", SWING.to_owned() + &lines.collect::<String>());
    let scene = open(&arm(folder.path()), &table).unwrap();
    for text in [
        "these columns match no joint and are ignored: torque",
        "whatever it says: follow",
        "moves 3 joints for 2.5 s, which then stay",
    ] {
        assert!(scene.notes.iter().any(|n| n.text.contains(text)), "{text}: {:#?}", scene.notes);
    }
    assert!(scene.files.contains(&table), "nothing is written over it");
    let mut world = World::new(&scene).unwrap();
    let mut farthest = 0.0_f64;
    for step in 0..240 {
        let at = |name| coordinate(&scene, &world, name);
        let [elbow, shoulder, slide] = swing(world.time().min(2.5));
        let off = [at("elbow") - elbow, at("shoulder") - shoulder, at("slide") - slide];
        farthest = off.iter().fold(farthest, |most, x| most.max(x.abs()));
        assert!((at("follow") - 0.035).abs() < 3e-3, "step {step}: {}", at("follow"));
        world.step();
    }
    assert!(farthest < 0.02, "{farthest}");
    assert!((coordinate(&scene, &world, "elbow") - 0.5).abs() < 1e-3, "it stays where the table ends");
}

#[test]
fn a_hand_moves_a_joint_and_what_follows_it_no_faster_than_it_may_and_wakes_them() {
    let folder = tempfile::tempdir().unwrap();
    let scene = load_scene(arm(folder.path()).to_str().unwrap(), None).unwrap();
    let mut world = World::new(&scene).unwrap();
    steps(&mut world, 120);
    let asleep =
        |world: &World| world.bodies().states.iter().filter(|s| s.activity == Activity::Asleep).count();
    assert_eq!(asleep(&world), 4);
    world.set_control(control(&scene, "elbow"), 2.0);
    world.set_control(control(&scene, "slide"), 9.0);
    // A joint that follows another cannot be set.
    world.set_control(control(&scene, "follow"), 0.1);
    steps(&mut world, 30);
    let at = |world: &World, name| coordinate(&scene, world, name);
    assert!(
        (at(&world, "elbow") - 0.5 * std::f64::consts::PI).abs() < 0.05,
        "half a turn a second: {}",
        at(&world, "elbow")
    );
    steps(&mut world, 90);
    for (name, end) in [("elbow", 2.0), ("slide", 0.08), ("follow", 0.05), ("shoulder", 0.0)] {
        assert!((at(&world, name) - end).abs() < 2e-3, "{name} is at {}", at(&world, name));
    }
    steps(&mut world, 120);
    assert_eq!(asleep(&world), 4, "where they arrived they rest");
}

#[test]
fn every_drive_of_a_scene_can_be_set() {
    let text = r#"
        [[model]]
        file = "../assets/chain.glb"
        [[part]]
        name = "*"
        motion = "static"
        [[part]]
        name = "weight"
        motion = "dynamic"
        [[pair]]
        a = "*"
        b = "*"
        rule = "ignore"
        [[joint]]
        kind = "slider"
        a = "world"
        b = "weight"
        anchor = [0.0, 0.0, 0.0]
        min = -0.5
        max = 0.5
        drive = { target = 0.1, stiffness = 400.0, damping = 40.0, kind = "acceleration" }
    "#;
    let scene = tumble::scene::load_text("drives", text, None).unwrap();
    assert_eq!((scene.controls.len(), scene.controls[0].set_by), (1, SetBy::Hand));
    assert_eq!((scene.controls[0].range, scene.controls[0].turns()), ([-0.5, 0.5], false));
    let mut world = World::new(&scene).unwrap();
    steps(&mut world, 120);
    let name = &scene.controls[0].name;
    assert!((coordinate(&scene, &world, name) - 0.1).abs() < 1e-3);
    world.set_control(0, -0.4);
    steps(&mut world, 180);
    let at = coordinate(&scene, &world, name);
    assert!((at + 0.4).abs() < 1e-3, "{at}");
}

#[test]
fn errors_of_a_joint_table_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    for (text, reason) in [
        ("", "line 1: it is empty"),
        ("a,b\n1,2\n", "line 1: no column is called time, in s; the first are \"a\""),
        ("Time (s);knee\n0;1\n", "those that move are shoulder, elbow, slide"),
        ("time,elbow\n", "line 1: no line with values"),
        ("time,elbow,elbow\n0,1,1\n", "line 1: two columns are called \"elbow\""),
        ("time,elbow\n0,1\n0,2\n", "line 3: its time \"0\" is not later"),
        ("time,elbow\n0,1\n\n1,inf\n", "line 4: \"inf\" of \"elbow\" is no number"),
        ("time,elbow\n0,1\n1\n", "line 3: it has 1 values"),
        ("# a remark\n\ntime,knee\n0,1\n", "line 3: no column is called like a joint"),
        ("time [frames],elbow\n0,1\n", "line 1: the column \"time [frames]\" would be in \"frames\""),
        ("time,elbow\n0,1e300\n", "line 2: \"1e300\" of \"elbow\" is no number, or beyond"),
    ] {
        let table = write(folder.path(), "bad.csv", text);
        let error = open(&path, &table).unwrap_err();
        let error = with_causes(&error);
        assert!(error.contains("bad.csv") && error.contains(reason), "{text:?}: {error}");
    }
    let table = write(folder.path(), "far.csv", "t,shoulder\n0,0\n0.1,2.5\n");
    let scene = open(&path, &table).unwrap();
    for text in [
        "wants shoulder at 2.5 after 0.1 s, which goes from -1 to 2",
        "25 rad/s after 0 s, faster than its 3 rad/s",
    ] {
        assert!(scene.notes.iter().any(|n| n.text.contains(text)), "{text}: {:#?}", scene.notes);
    }
}

/// Guards against reading a table in milliseconds as a thousand times as long.
#[test]
fn times_in_milliseconds_are_read_as_such_and_a_misspelt_joint_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    for (name, times, unit) in [
        ("Time [ms]", ["0", "2500"], "0.001"),
        ("time_ns", ["1700000000000000000", "1700000002500000000"], "0.000000001"),
        ("t (min)", ["0", "0.041666666666666664"], "60"),
    ] {
        let text = format!("{name},elbow,sholder,\u{1b}x\n{},0,0,0\n{},1,1,1\n", times[0], times[1]);
        let scene = open(&path, &write(folder.path(), "table.csv", text)).unwrap();
        let says = |kind: NoteKind, text: &str| {
            assert!(
                scene.notes.iter().any(|n| n.kind == kind && n.text.contains(text)),
                "{:#?}",
                scene.notes
            );
        };
        says(NoteKind::Assumed, &format!("its times are in units of {unit} s: {name}"));
        says(NoteKind::Assumed, "moves 1 joints for 2.5 s");
        says(NoteKind::Warning, "are ignored: sholder (is shoulder meant?), \\u{1b}x");
    }
    // Numbers in a note are short.
    let table = write(folder.path(), "short.csv", "time,elbow,shoulder\n0,0,0\n1e-300,1,0.25\n");
    let scene = open(&path, &table).unwrap();
    let said: Vec<&str> =
        scene.notes.iter().map(|n| n.text.as_str()).filter(|t| t.contains("moves")).collect();
    assert!(said.iter().any(|t| t.contains("moves shoulder at 2.500e299 rad/s after 0 s")), "{said:?}");
    assert!(said.iter().all(|t| t.len() < 100), "{said:?}");
}

#[test]
fn a_scene_file_plays_a_table_at_its_speed_and_again() {
    let folder = tempfile::tempdir().unwrap();
    arm(folder.path());
    write(folder.path(), "up.csv", "time,elbow\n0,0\n1,1\n2,0\n");
    let scene = |animation: &str| {
        let text =
            format!("[[model]]\nfile = \"arm/arm.urdf\"\nanimation = {{ file = \"up.csv\"{animation} }}\n");
        let path = write(folder.path(), "arm.toml", text);
        load_scene(path.to_str().unwrap(), None)
    };
    let looped = scene(", speed = 2.0, looped = true").unwrap();
    let mut world = World::new(&looped).unwrap();
    steps(&mut world, 60 + 30);
    assert!((coordinate(&looped, &world, "elbow") - 1.0).abs() < 0.03, "half a second into its second round");
    let leap = |scene: &Scene| scene.notes.iter().any(|n| n.text.ends_with("and leaps there: elbow"));
    assert!(!leap(&looped));
    write(folder.path(), "up.csv", "time,elbow\n0,0\n1,1\n");
    assert!(leap(&scene(", looped = true").unwrap()) && !leap(&scene("").unwrap()));
    write(folder.path(), "up.csv", "time,elbow\n0,0\n100,1\n");
    let error = with_causes(&scene(", speed = 1e-307").unwrap_err());
    assert!(error.contains("at a speed of 1e-307: its times do not go on"), "{error}");
    let error = with_causes(&scene(", stride = [1.0, 0.0, 0.0]").unwrap_err());
    assert!(error.contains("a table of joints has neither"), "{error}");
}

/// Returns an error with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |e| e.source()).map(|e| format!("{e}: ")).collect()
}
